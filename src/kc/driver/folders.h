/* folders.h: what a request may read. */
#ifndef WEIR_KC_FOLDERS_H
#define WEIR_KC_FOLDERS_H

#include "base.h"

/* A job's memory. None of it for a request that reads no files. */
struct folders {
    char **at; /* with all that is below */
    size_t n;
    char *shallow; /* of which only the files in it may be read; or NULL */
    char *key;     /* equal bytes: the same folders */
    size_t key_size;
};
struct folders folders_of(const struct reading *);

#endif

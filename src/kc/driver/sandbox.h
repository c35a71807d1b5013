/* sandbox.h: what workers and the programs that they run are kept from. Needs no LLVM. */
#ifndef WEIR_KC_SANDBOX_H
#define WEIR_KC_SANDBOX_H

#include "base.h"

struct sandbox {
    const char *const *programs; /* that may be run, and read */
    size_t nprograms;
    const char *const
        *readable; /* files, and folders with all that is below, beside the system's libraries */
    size_t nreadable;
    const char
        *shallow;  /* a folder of which only the files in it may be read, without hidden ones; or NULL */
    int writable;  /* descriptor of a folder in which files may be created, written and removed; or -1 */
    bool is_quiet; /* somebody has heard already of what the kernel lacks */
};
void sandbox_prepare(void);      /* makes in the parent what is the same for all its children; not needed */
bool sandbox_limits_files(void); /* whether the kernel has landlock */
/* For good, for the calling thread and all that it starts: no new sockets, no harm to other processes, no files but
 * those, and no change of their owners, modes and times. As far as the kernel can: what it lacks is logged, and named by
 * the (static) text that comes back, which says what is limited; *is_whole, unless NULL: it lacks nothing. */
const char *sandbox_enter(const struct sandbox *, bool *is_whole);

#endif

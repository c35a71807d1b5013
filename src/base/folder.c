/* folder.c: folders that belong to this user alone.
 *
 * What the cache holds is code, and what the compiler keeps beside it is shown by debuggers: nobody else may have put
 * it there. Ownership is checked on an open descriptor, so that what is used afterwards is what was checked.
 */
#define _GNU_SOURCE
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool folder_make(const char *path) {
    char *partial = strdup(path); /* not on the stack: an application's thread may have a small one */
    bool made = partial;
    for (const char *p = path; made; p++) {
        if ((*p == '/' && p != path) || !*p) {
            partial[p - path] = 0;
            made = !mkdir(partial, 0700) || errno == EEXIST || errno == EROFS || errno == EACCES;
            partial[p - path] = *p;
        }
        if (!*p)
            break;
    }
    int error = errno;
    free(partial);
    errno = error;
    return made;
}

int folder_open(int at, const char *name) {
    int flags = O_PATH | O_DIRECTORY | O_CLOEXEC | (at == AT_FDCWD ? 0 : O_NOFOLLOW);
    int fd = openat(at, name, flags);
    struct stat st;
    if (fd < 0)
        return -1;
    if (!fstat(fd, &st) && st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)))
        return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

/* temporary.c: a folder for what the programs that a command starts write for it alone.
 *
 * It is made when the first one asks, in $TMPDIR or /tmp, and removed with what lies in it when the command ends, whichever
 * way it does: die() comes here, too.
 */
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *folder;

void temporary_remove(void) {
    DIR *d = folder ? opendir(folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d));)
        unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
    if (folder)
        rmdir(folder);
}

const char *temporary_folder(void) {
    const char *parent = getenv("TMPDIR");
    if (folder)
        return folder;
    char *path = must_printf("%s/weir.XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(path))
        die(EXIT_FAULT, "cannot make a folder like %s: %s", path, strerror(errno));
    folder = path;
    atexit(temporary_remove);
    return folder;
}

char *temporary_path(const char *name) {
    return must_printf("%s/%s", temporary_folder(), name);
}

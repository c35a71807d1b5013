/* temporary.c: a folder for what the programs that a command starts write for it alone.
 *
 * It is made when the first one asks, in $TMPDIR or /tmp, and removed with what lies in it when the command ends, whichever
 * way it does: die() comes here, too.
 */
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
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

bool temporary_make(char *why, size_t size) {
    const char *asked = getenv("TMPDIR"), *parent = asked && *asked ? asked : "/tmp";
    if (folder)
        return true;
    char *path = must_printf("%s/weir.XXXXXX", parent);
    if (!mkdtemp(path)) {
        snprintf(why, size, "cannot make a folder in %s%s: %s", parent,
                 asked && *asked ? ", which TMPDIR names" : "; TMPDIR may name another place",
                 strerror(errno));
        free(path);
        return false;
    }
    folder = path;
    atexit(temporary_remove);
    return true;
}

const char *temporary_folder(void) {
    char why[PATH_MAX + 200];
    if (!temporary_make(why, sizeof why))
        die(EXIT_FAULT, "%s", why);
    return folder;
}

char *temporary_path(const char *name) {
    return must_printf("%s/%s", temporary_folder(), name);
}

/* folders.c: what a request may read: the folders that its options name, if it includes anything.
 *
 * Included files are looked for in the current directory of the application and where -I points: all that is below
 * those may be read. A program may also make an absolute path of a macro that the application defines, as in
 * -DINCLUDE_PATH=/opt/program: what such a macro names may be read as well. And programs write sources that include
 * their own installed headers by absolute paths: where those are installed, nothing is anybody's secret. Where an
 * application happens to run in the home directory or above it, it can't mean everything there: only files that lie in
 * the directory itself count, and no hidden ones.
 */
#include "folders.h"
#include "frontend.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add(struct folders *folders, const char *path) {
    char **more = job_alloc((folders->n + 1) * sizeof *more);
    if (folders->n)
        memcpy(more, folders->at, folders->n * sizeof *more);
    folders->at = more;
    folders->at[folders->n++] = (char *)path;
}

/* Whether the home directory is the folder, or below it. */
static bool holds_home(const char *folder) {
    const char *home = getenv("HOME");
    char *real = realpath(folder, NULL), *real_home = home && *home == '/' ? realpath(home, NULL) : NULL;
    size_t n = real ? strlen(real) : 0;
    bool holds =
        n == 1 || (n && real_home && !strncmp(real, real_home, n) && (real_home[n] == '/' || !real_home[n]));
    free(real);
    free(real_home);
    return holds;
}

/* Names a folder for comparison: one that was removed and made again is another. */
static void add_key(struct buf *key, const char *path, bool with_files) {
    struct stat info = {0};
    stat(path, &info);
    buf_str(key, path);
    buf_u64(key, info.st_dev);
    buf_u64(key, info.st_ino);
    buf_u64(key, with_files ? (uint64_t)info.st_mtim.tv_sec : 0);
    buf_u64(key, with_files ? (uint64_t)info.st_mtim.tv_nsec : 0);
}

/* The file or folder that a definition ("NAME=VALUE") names by an absolute path, or NULL. */
static const char *defined_path(const char *definition) {
    const char *value = strchr(definition, '=');
    struct stat info;
    if (!value)
        return NULL;
    value += 1 + strspn(value + 1, "\"<");
    char *path = job_printf("%.*s", (int)strcspn(value, "\">"), value);
    bool is_one = *path == '/' && !stat(path, &info) && (S_ISDIR(info.st_mode) || S_ISREG(info.st_mode));
    return is_one && !holds_home(path) ? path : NULL;
}

/* Calls add for each -I and for what each -D names; options that are wrong name none, as their request fails. */
static void add_includes(struct folders *folders, const struct reading *reading) {
    struct job job = {0};
    if (setjmp(job.failed) == 0) {
        struct options *options = options_parse(&job, reading->options, false);
        for (size_t i = 0; i < options->nclang; i++) {
            const char *path = options->clang[i] + 2;
            if (!strncmp(options->clang[i], "-I", 2))
                add(folders, *path == '/' ? path : job_printf("%s/%s", reading->cwd, path));
            else if (!strncmp(options->clang[i], "-D", 2) && (path = defined_path(path)))
                add(folders, path);
        }
    }
    buf_free(&job.log);
}

/* Where packages install what all may read, and no settings. */
static const char *const installed[] = {"/usr/include", "/usr/share", "/usr/local/include",
                                        "/usr/local/share"};

struct folders folders_of(const struct reading *reading) {
    struct folders folders = {0};
    struct buf key = {0};
    if (!reading->reads_files)
        return folders;
    if (*reading->cwd == '/' && holds_home(reading->cwd)) {
        folders.shallow = job_strdup(reading->cwd);
        add_key(&key, folders.shallow, true);
    } else if (*reading->cwd == '/') {
        add(&folders, job_strdup(reading->cwd));
    }
    add_includes(&folders, reading);
    for (size_t i = 0; i < folders.n; i++)
        add_key(&key, folders.at[i], false);
    for (size_t i = 0; i < sizeof installed / sizeof *installed; i++)
        add(&folders, installed[i]); /* the same for all: no part of the key */
    if (key.failed)                  /* what is left of it may be another set's */
        job_no_memory();
    folders.key = job_alloc(key.size + 1);
    if (key.size)
        memcpy(folders.key, key.data, key.size);
    folders.key_size = key.size;
    buf_free(&key);
    return folders;
}

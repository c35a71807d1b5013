/* Hosts that leave the compiler nothing to rely on: they ignore or steal child processes, fork, close or
 * use up descriptors, kill the server, damage the cache. Builds go on working, or say what is missing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "api.h"

static char work[] = "/tmp/weir-hostile-XXXXXX";

/* Weir reads its environment once: this runs before the first call. A script stands in for weirc, notes the
 * process it becomes, and the cache is the test's own. */
static __attribute__((constructor)) void prepare(void) {
    char path[PATH_MAX], weirc[PATH_MAX];
    const char *build = getenv("BUILD");
    if (!mkdtemp(work) || !realpath(build ? build : "build", weirc))
        exit(1);
    snprintf(path, sizeof path, "%s/weirc", work);
    FILE *script = fopen(path, "w");
    fprintf(script, "#!/bin/sh\necho $$ >>%s/pids\nexec %s/weirc \"$@\"\n", work, weirc);
    fclose(script);
    chmod(path, 0755);
    setenv("WEIR_COMPILER", path, 1);
    snprintf(path, sizeof path, "%s/cache", work);
    setenv("WEIR_CACHE_DIR", path, 1);
}

static __attribute__((destructor)) void tidy(void) {
    char command[PATH_MAX];
    snprintf(command, sizeof command, "rm -rf %s", work);
    if (system(command))
        fprintf(stderr, "%s is left over\n", work);
}

/* How many servers were started so far; *last is the newest one's process. */
static int servers(pid_t *last) {
    char path[PATH_MAX];
    int n = 0, pid;
    snprintf(path, sizeof path, "%s/pids", work);
    FILE *f = fopen(path, "r");
    while (f && fscanf(f, "%d", &pid) == 1) {
        n++;
        if (last)
            *last = pid;
    }
    if (f)
        fclose(f);
    return n;
}

/* Builds a program that no cache knows. */
static cl_int build_new(void) {
    static _Atomic int counter;
    char source[200];
    snprintf(source, sizeof source, "kernel void k(global int *p) { p[0] = %d + %d; }", (int)getpid(),
             counter++);
    cl_program program = program_of(source);
    cl_int code = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    OK(clReleaseProgram(program));
    return code;
}

static void kill_server(void) {
    pid_t pid = 0;
    servers(&pid);
    assert_true(pid > 0);
    kill(pid, SIGKILL);
    usleep(20000);
}

static volatile sig_atomic_t sigchld_seen;

static void on_sigchld(int number) {
    sigchld_seen = 1;
}

TEST(the_host_never_sees_a_child) {
    signal(SIGCHLD, on_sigchld);
    OK(build_new());
    assert_int_equal(waitpid(-1, NULL, 0), -1);
    assert_int_equal(errno, ECHILD);
    assert_false(sigchld_seen);
    signal(SIGCHLD, SIG_DFL);
}

TEST(an_ignored_SIGCHLD_is_no_obstacle) {
    signal(SIGCHLD, SIG_IGN);
    kill_server();
    OK(build_new());
    signal(SIGCHLD, SIG_DFL);
}

TEST(a_killed_server_is_replaced) {
    int before = servers(NULL);
    kill_server();
    OK(build_new());
    assert_int_equal(servers(NULL), before + 1);
    OK(build_new());
    assert_int_equal(servers(NULL), before + 1);
    still_works();
}

TEST(parent_and_child_of_a_fork_both_build) {
    int before = servers(NULL), status;
    pid_t child = fork();
    if (!child)
        _exit(build_new() != CL_SUCCESS);
    OK(build_new());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(servers(NULL), before + 1);
}

TEST(all_descriptors_may_be_closed) {
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    OK(build_new());
    still_works();
}

TEST(foreign_descriptors_are_left_alone) {
    int opened[300];
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    for (size_t i = 0; i < COUNT(opened); i++)
        opened[i] = open("/dev/null", O_RDONLY);
    OK(build_new());
    for (size_t i = 0; i < COUNT(opened); i++)
        assert_int_equal(close(opened[i]), 0);
}

TEST(no_free_descriptor_is_an_error_that_says_so) {
    struct rlimit old, few;
    int opened[64], n = 0;
    OK(getrlimit(RLIMIT_NOFILE, &old));
    few = old;
    few.rlim_cur = 60;
    setrlimit(RLIMIT_NOFILE, &few);
    while (n < 64 && (opened[n] = open("/dev/null", O_RDONLY)) >= 0)
        n++;
    cl_program program = program_of("kernel void no_descriptors() {}");
    cl_int code = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    char *text = log_of(program);
    while (n--)
        close(opened[n]);
    setrlimit(RLIMIT_NOFILE, &old);
    GIVES(CL_BUILD_PROGRAM_FAILURE, code);
    assert_non_null(strstr(text, strerror(EMFILE)));
    free(text);
    OK(clReleaseProgram(program));
    still_works();
}

static void *build_some(void *arg) {
    for (int i = 0; i < 4; i++)
        *(cl_int *)arg |= build_new();
    return NULL;
}

TEST(many_threads_build_at_once) {
    pthread_t threads[16];
    cl_int codes[16] = {0};
    for (int i = 0; i < 16; i++)
        pthread_create(&threads[i], NULL, build_some, &codes[i]);
    for (int i = 0; i < 16; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 16; i++)
        OK(codes[i]);
}

TEST(damaged_cache_entries_are_misses) {
    static const char *const damages[] = {
        "for f in *; do printf x | dd of=$f bs=1 seek=40 conv=notrunc; done",
        "for f in *; do truncate -s 20 $f; done", "for f in *; do : >$f; done",
        "for f in *; do rm -r $f; mkdir $f; done"};
    for (size_t i = 0; i < COUNT(damages); i++) {
        char command[PATH_MAX];
        still_works();
        snprintf(command, sizeof command, "(cd %s/cache && %s) 2>/dev/null; true", work, damages[i]);
        assert_int_equal(system(command), 0);
        still_works();
    }
}

/* The compile cache: torn, foreign, unwritable, shared. Weir's own; other implementations skip it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <time.h>
#include "api.h"

static char dir[64], assignment[128];

static void new_dir(void) {
    strcpy(dir, "/tmp/weir-cacheXXXXXX");
    assert_non_null(mkdtemp(dir));
    snprintf(assignment, sizeof assignment, "WEIR_CACHE_DIR=%s", dir);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at) {
    return remove(path);
}

static void remove_dir(void) {
    nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void (*damage)(const char *path, off_t size);
static int files;
static int visit(const char *path, const struct stat *st, int type, struct FTW *at) {
    if (type == FTW_F) {
        files++;
        if (damage)
            damage(path, st->st_size);
    }
    return 0;
}

/* Applies `what` to every file of the cache: how many there are. */
static int damage_all(void (*what)(const char *, off_t)) {
    damage = what;
    files = 0;
    nftw(dir, visit, 8, FTW_PHYS);
    return files;
}

static void halve(const char *path, off_t size) {
    assert_int_equal(truncate(path, size / 2), 0);
}

static void empty(const char *path, off_t size) {
    assert_int_equal(truncate(path, 0), 0);
}

static void overwrite(const char *path, off_t size) {
    int fd = open(path, O_WRONLY);
    char noise[512];
    memset(noise, 0xa5, sizeof noise);
    for (off_t at = 0; at < size; at += sizeof noise)
        assert_true(pwrite(fd, noise, sizeof noise, at) > 0);
    close(fd);
}

static void flip_a_byte(const char *path, off_t size) {
    int fd = open(path, O_RDWR);
    char byte = 0;
    off_t at = size * 3 / 4;
    assert_int_equal(pread(fd, &byte, 1, at), size > 0);
    byte ^= 0x10;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    close(fd);
}

static void append(const char *path, off_t size) {
    int fd = open(path, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, "more", 4), 4);
    close(fd);
}

/* In the child: builds and runs the same two programs as always. */
TEST(child_builds) {
    if (getenv("WEIR_TEST_CHILD"))
        for (int i = 0; i < 2; i++)
            still_works();
}

TEST(builds_leave_entries_and_find_them_again) {
    if (!is_weir())
        skip();
    new_dir();
    fresh("child_builds", NULL, assignment);
    int n = damage_all(NULL);
    assert_true(n > 0);
    fresh("child_builds", NULL, assignment);
    assert_int_equal(damage_all(NULL), n);
    remove_dir();
}

TEST(damaged_entries_are_misses) {
    static void (*const ways[])(const char *, off_t) = {halve, empty, overwrite, flip_a_byte, append};
    if (!is_weir())
        skip();
    new_dir();
    fresh("child_builds", NULL, assignment);
    for (size_t i = 0; i < COUNT(ways); i++) {
        assert_true(damage_all(ways[i]) > 0);
        fresh("child_builds", NULL, assignment);
    }
    remove_dir();
}

TEST(a_cache_that_cannot_be_written_is_done_without) {
    static const char *const places[] = {"WEIR_CACHE_DIR=/proc/nowhere/at/all", "WEIR_CACHE_DIR=/dev/null",
                                         "WEIR_CACHE_DIR=/dev/null/x", "WEIR_CACHE_DIR="};
    if (!is_weir())
        skip();
    for (size_t i = 0; i < COUNT(places); i++)
        fresh("child_builds", NULL, places[i]);
}

TEST(a_read_only_cache_is_read) {
    if (!is_weir())
        skip();
    new_dir();
    fresh("child_builds", NULL, assignment);
    assert_int_equal(chmod(dir, 0500), 0);
    fresh("child_builds", NULL, assignment);
    assert_int_equal(chmod(dir, 0700), 0);
    remove_dir();
}

TEST(entries_that_are_directories_or_links_are_misses) {
    if (!is_weir())
        skip();
    new_dir();
    fresh("child_builds", NULL, assignment);
    char path[256];
    snprintf(path, sizeof path, "find %s -depth -type f -exec sh -c 'rm \"$1\" && mkdir \"$1\"' - {} \\;",
             dir);
    assert_int_equal(system(path), 0);
    fresh("child_builds", NULL, assignment);
    snprintf(path, sizeof path,
             "find %s -depth -type d -empty -exec sh -c 'rmdir \"$1\" && ln -s /dev/zero \"$1\"' - {} \\;",
             dir);
    assert_int_equal(system(path), 0);
    fresh("child_builds", NULL, assignment);
    remove_dir();
}

TEST(processes_share_a_cache) {
    if (!is_weir())
        skip();
    new_dir();
    pid_t pids[4];
    for (size_t i = 0; i < COUNT(pids); i++) {
        pids[i] = fork();
        if (!pids[i]) {
            setenv("WEIR_TEST_CHILD", "1", 1);
            putenv(assignment);
            become("child_builds");
        }
    }
    for (size_t i = 0; i < COUNT(pids); i++) {
        int status = -1;
        assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
        assert_int_equal(status, 0);
    }
    remove_dir();
}

/* An entry of `mib` MiB that was last used `age` hours ago. */
static void old_entry(char name, off_t mib, time_t age) {
    char path[128];
    snprintf(path, sizeof path, "%s/%032d", dir, 0);
    path[strlen(dir) + 1] = name;
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    const struct timespec when[2] = {{.tv_sec = time(NULL) - age * 3600},
                                     {.tv_sec = time(NULL) - age * 3600}};
    assert_int_equal(ftruncate(fd, mib << 20), 0);
    assert_int_equal(futimens(fd, when), 0);
    close(fd);
}

static bool is_there(char name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%032d", dir, 0);
    path[strlen(dir) + 1] = name;
    return !access(path, F_OK);
}

/* An eighth of the limit, 2 MiB, is stored all but a KiB. */
TEST(the_least_used_entries_go_when_a_cache_is_full) {
    char command[128];
    if (!is_weir())
        skip();
    new_dir();
    old_entry('a', 9, 30);
    old_entry('b', 5, 50);
    old_entry('c', 5, 40);
    snprintf(command, sizeof command, "truncate -s 2047 %s/.stored", dir);
    assert_int_equal(system(command), 0);
    setenv("WEIR_CACHE_SIZE", "16", 1);
    fresh("child_builds", NULL, assignment);
    assert_true(!is_there('b') && !is_there('c') && is_there('a'));
    snprintf(command, sizeof command, "test $(stat -c %%s %s/.stored) -lt 1024", dir); /* counted anew */
    assert_int_equal(system(command), 0);
    unsetenv("WEIR_CACHE_SIZE");
    remove_dir();
}

/* In the child: the same program six times, each time for eight other local sizes. */
TEST(child_builds_again_and_again) {
    enum { SIZES = 8, MOST = 6 * SIZES };
    if (!getenv("WEIR_TEST_CHILD"))
        return;
    cl_mem mem = buffer_of(0, 2 * MOST * sizeof(cl_int), NULL);
    for (int local = 1; local <= MOST;) {
        cl_kernel kernel =
            kernel_of("kernel void k(global int *p) { p[get_global_id(0)] = get_local_id(0); }", "k");
        OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        for (int i = 0; i < SIZES; i++, local++) {
            cl_int back[2 * MOST];
            OK(run_1d(kernel, 2 * (size_t)local, (size_t)local));
            OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
            for (int g = 0; g < 2 * local; g++)
                assert_int_equal(back[g], g % local);
        }
        OK(clReleaseKernel(kernel));
    }
    OK(clReleaseMemObject(mem));
}

TEST(programs_that_are_built_again_have_no_more_variants_than_two_of_them) {
    if (!is_weir())
        skip();
    new_dir();
    fresh("child_builds_again_and_again", NULL, assignment);
    char command[160];
    snprintf(command, sizeof command, "test $(ls %s/*.so | wc -l) -le 17", dir);
    assert_int_equal(system(command), 0);
    remove_dir();
}

TEST(another_option_is_another_entry) {
    cl_program one = build("kernel void k(global int *p) { *p = V; }", "-DV=1");
    cl_program two = build("kernel void k(global int *p) { *p = V; }", "-DV=2");
    cl_program list[] = {one, two};
    cl_mem mem = buffer_of(0, 4, NULL);
    for (int i = 0; i < 2; i++) {
        int back = 0;
        cl_kernel kernel = MADE(clCreateKernel(list[i], "k", &error));
        OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        OK(run_1d(kernel, 1, 1));
        OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
        assert_int_equal(back, i + 1);
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(list[i]));
    }
    OK(clReleaseMemObject(mem));
}

/* __TIME__ and __DATE__ change: answers that depend on the clock are not kept. */
TEST(the_clock_is_not_cached) {
    char first[16] = "", second[16] = "";
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel =
            kernel_of("constant char t[] = __TIME__;"
                      "kernel void k(global char *p) { for (int i = 0; i < 9; i++) p[i] = t[i]; }",
                      "k");
        cl_mem mem = buffer_of(0, 16, NULL);
        OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        OK(run_1d(kernel, 1, 1));
        OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 9, i ? second : first, 0, NULL, NULL));
        OK(clReleaseMemObject(mem));
        OK(clReleaseKernel(kernel));
        if (!i)
            sleep(2);
    }
    assert_string_not_equal(first, second);
}

/* In the child: builds and runs the program that the environment names, in the folder that it names. */
TEST(child_runs_a_program) {
    const char *source = getenv("WEIR_TEST_SOURCE"), *options = getenv("WEIR_TEST_OPTIONS");
    if (!source)
        return;
    assert_int_equal(chdir(getenv("WEIR_TEST_FOLDER")), 0);
    cl_program program = build(source, options);
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_mem mem = buffer_of(0, 4, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(run_1d(kernel, 1, 1));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* How many answers the cache keeps of a program that is built and run once; sources for debuggers don't count. */
static int kept(const char *source, const char *options) {
    char command[160];
    setenv("WEIR_TEST_SOURCE", source, 1);
    setenv("WEIR_TEST_OPTIONS", options, 1);
    fresh("child_runs_a_program", NULL, assignment);
    snprintf(command, sizeof command, "rm -rf %s/source", dir);
    assert_int_equal(system(command), 0);
    int n = damage_all(NULL);
    snprintf(command, sizeof command, "rm -rf %s/*", dir);
    assert_int_equal(system(command), 0);
    return n;
}

TEST(what_depends_on_files_or_on_the_clock_is_not_kept) {
#define PASTE  "#define P(a, b) a##b\n"
#define KERNEL "\nkernel void k(global int *p) { *p = V; }"
    static const struct {
        const char *source, *options;
    } programs[] = {
        {PASTE "constant char t[] = P(__TI, ME__);\n#define V t[7]" KERNEL, ""},
        {"constant char t[] = __TI\\\nME__;\n#define V t[7]" KERNEL, ""},
        {"constant char t[] = __DA\\ \r\nTE__;\n#define V t[7]" KERNEL, ""},
        {"constant char t[] = STAMP;\n#define V t[7]" KERNEL, "-DSTAMP=__TIMESTAMP__"},
        {PASTE "#if P(__has_inc, lude)(\"there.h\")\n#define V 1\n#else\n#define V 2\n#endif" KERNEL, ""},
        {"#ifdef __has_inc\\\nlude\n#if __has_include(\"not_there.h\")\n#define V 1\n#endif\n#endif\n"
         "#ifndef V\n#define V 2\n#endif" KERNEL,
         ""},
        {"#include \"<stdi\"" KERNEL, ""},
        {"#include \"there.h\"" KERNEL, ""},
        {"#include <there.h>" KERNEL, "-I."},
        {"/**/ # /**/ include <there.h>" KERNEL, "-I."},
        {"#include THERE" KERNEL, "-DTHERE=<there.h> -I ."},
        {"#include \"time.h\"" KERNEL, ""},
    };
    if (!is_weir())
        skip();
    char folder[] = "/tmp/weir-filesXXXXXX", command[200];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cd %s && echo '#define V 3' >there.h && cp there.h '<stdi' && "
             "echo '#ifdef __TIME__\n#define V __TIME__[7]\n#endif' >time.h",
             folder);
    assert_int_equal(system(command), 0);
    setenv("WEIR_TEST_FOLDER", folder, 1);
    new_dir();
    int all = kept("#define V 3" KERNEL, "-I."), code = all - 1; /* the kernel's object lies beside */
    assert_true(all >= 2);
    for (size_t i = 0; i < COUNT(programs); i++) {
        int n = kept(programs[i].source, programs[i].options);
        if (n > code)
            fail_msg("%s: %d of %d answers are kept", programs[i].source, n, all);
    }
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    remove_dir();
}

/* Directives of an assembler read files. */
TEST(code_with_inline_assembly_is_not_kept) {
    if (!is_weir())
        skip();
    new_dir();
    setenv("WEIR_TEST_FOLDER", "/", 1);
    int all = kept("kernel void k(global int *p) { *p = 3; }", "");
    int some = kept("kernel void k(global int *p) { int x = 3; __asm__(\"\" : \"+r\"(x)); *p = x; }", "");
    assert_true(some > 0 && some < all);
    remove_dir();
}

/* A kernel whose optimization takes far longer than code for it. */
static cl_kernel long_kernel(void) {
    static char source[40000];
    int at = sprintf(source, "kernel void k(global float *p) { float x = p[get_global_id(0)];\n");
    for (int i = 0; i < 80; i++)
        at += sprintf(source + at, "x = sin(x + %d) + cos(x * %d) * pow(x, %d.5f);\n", i, i + 2, i % 7);
    sprintf(source + at, "p[get_global_id(0)] = x * 0; }");
    return kernel_of(source, "k");
}

static size_t binary_size(cl_kernel kernel) {
    cl_program program;
    size_t size;
    OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL));
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    return size;
}

/* In a child that waits for no kernel: until the cache has the better one, which is in a binary. */
TEST(child_is_impatient) {
    if (!getenv("WEIR_TEST_CHILD"))
        return;
    cl_kernel kernel = long_kernel();
    size_t without = binary_size(kernel), with = without;
    float x = 1;
    OK(clReleaseKernel(kernel));
    for (int i = 0; i < 900 && with == without; i++) {
        cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof x, &x);
        kernel = long_kernel();
        OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        OK(run_1d(kernel, 1, 1));
        with = binary_size(kernel);
        OK(clReleaseMemObject(mem));
        OK(clReleaseKernel(kernel));
        usleep(100000);
    }
    assert_true(with > without);
}

TEST(what_was_compiled_in_haste_is_replaced) {
    if (!is_weir())
        skip();
    new_dir();
    setenv("WEIR_COMPILE_PATIENCE", "1", 1);
    fresh("child_is_impatient", NULL, assignment);
    unsetenv("WEIR_COMPILE_PATIENCE");
    remove_dir();
}

/* A cache whose files change while it is used: cut, overwritten, exchanged, doubled, replaced by folders, links, pipes and
 * files that can't be read. Every program builds and runs right all the same. Usage: see session.h. */
#include "device.h"
#include "session.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

static char folder[] = "/tmp/weir-fuzz-cacheXXXXXX";

static void setup(void) {
    if (!mkdtemp(folder) || setenv("WEIR_CACHE_DIR", folder, 1))
        wrong("no folder", 0);
    device_open();
}

/* Builds one of a few programs and runs it: its answer is known. */
static void build_and_run(uint32_t which) {
    char source[256];
    const char *text = source;
    snprintf(source, sizeof source,
             "global int once = %u; kernel void k(global int *p) { p[get_global_id(0)] = %u * %s + "
             "(int)get_local_id(0); }",
             which, which, which % 2 ? "once" : "1");
    const size_t global = 16, local = 8;
    int values[16] = {0};
    cl_int e;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &e);
    e = clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL);
    cl_kernel kernel = e ? NULL : clCreateKernel(program, "k", &e);
    cl_mem mem = clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, sizeof values, values, NULL);
    if (!e)
        e = clSetKernelArg(kernel, 0, sizeof mem, &mem);
    if (!e)
        e = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    if (!e)
        e = clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
    if (e)
        wrong("a program that should run", e);
    for (int i = 0; !e && i < 16; i++)
        if (values[i] != (int)(which * (which % 2 ? which : 1)) + i % 8)
            wrong("a wrong value", values[i]);
    if (kernel)
        clReleaseKernel(kernel);
    clReleaseMemObject(mem);
    clReleaseProgram(program);
}

/* A file of the cache, at random; false: there is none. */
static bool some_file(char *path, size_t size) {
    DIR *d = opendir(folder);
    uint32_t seen = 0;
    if (!d)
        return false;
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' && strcmp(e->d_name, "source") && one_in(++seen))
            snprintf(path, size, "%s/%s", folder, e->d_name);
    closedir(d);
    return seen;
}

static void overwrite(const char *path) {
    unsigned char bytes[4096];
    int fd = open(path, O_RDWR | O_NONBLOCK);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size) {
        if (fd >= 0)
            close(fd);
        return;
    }
    off_t at = (off_t)(random_bits() % (uint64_t)st.st_size);
    size_t n = one_in(2) ? 1 : 1 + below(sizeof bytes);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)random_bits();
    if (one_in(4))
        at = below(128); /* the header */
    if (pwrite(fd, bytes, n, at) < 0)
        wrong("no write", 0);
    close(fd);
}

/* Kernel objects that are loaded are mapped files: those aren't written to, as nobody else's cache does. */
static void change(void) {
    char path[512], other[512];
    if (!some_file(path, sizeof path))
        return;
    bool object = strstr(path, ".so") != NULL;
    switch (object ? 2 + below(6) : below(8)) {
    case 0:
        overwrite(path);
        return;
    case 1:
        if (truncate(path, one_in(2) ? below(256) : below(1 << 16)) && !one_in(1))
            wrong("no truncation", 0);
        return;
    case 2: /* exchanged: each holds the other's content */
        if (some_file(other, sizeof other) && strcmp(path, other)) {
            char aside[600];
            snprintf(aside, sizeof aside, "%s/.new.aside", folder);
            if (rename(path, aside) || rename(other, path) || rename(aside, other))
                wrong("no exchange", 0);
        }
        return;
    case 3:
        remove(path);
        mkdir(path, 0700);
        return;
    case 4:
        remove(path);
        if (symlink(one_in(2) ? "/dev/zero" : "/nowhere", path))
            wrong("no link", 0);
        return;
    case 5:
        remove(path);
        mkfifo(path, 0600);
        return;
    case 6:
        chmod(path, 0);
        return;
    default:
        remove(path);
    }
}

static void run(void) {
    for (uint32_t i = below(4); i > 0; i--)
        change();
    build_and_run(below(6));
}

static void finish(void) {
    char command[600];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command))
        wrong("the folder stays", 0);
}

int main(int argc, char **argv) {
    return session(argc, argv, getenv("WEIR_TEST_QUICK") ? 100 : 400, setup, run, finish);
}

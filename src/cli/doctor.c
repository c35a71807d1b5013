/* doctor.c: `weir doctor`: looks at all that a program needs until a kernel runs, and says what to do about what is wrong.
 *
 * In: the machine, this user, the environment. Out: a line for each thing, "ok", "note" or "PROBLEM", with what to do below;
 * the exit code is 1 if there is a problem.
 */
#include "cli.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define LEAST_ROOM ((uint64_t)256 << 20) /* on the cache's disk */

static unsigned problems;
static bool limits_are_short; /* of this process and the compiler, its child */

/* ---- lines ---- */

static void __attribute__((format(printf, 2, 3))) ok(const char *what, const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("ok       %-10s ", what);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

static void __attribute__((format(printf, 2, 3))) note(const char *what, const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("note     %-10s ", what);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

static void __attribute__((format(printf, 3, 4))) problem(const char *what, const char *remedy,
                                                          const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("PROBLEM  %-10s ", what);
    vprintf(format, args);
    va_end(args);
    printf("\n                    %s\n", remedy);
    problems++;
}

/* ---- the loader and its files ---- */

static void look_at_loader(void) {
    Dl_info info;
    const char *path = dladdr((void *)clGetPlatformIDs, &info) && info.dli_fname ? info.dli_fname : "?";
    char *real = realpath(path, NULL);
    const char *name = strrchr(real ? real : path, '/');
    if (name && !strncmp(name + 1, "libweir", 7))
        note("loader", "none is needed: weir is linked with %s; other programs need libOpenCL.so.1", real);
    else
        ok("loader", "%s", real ? real : path);
    free(real);
}

/* The library that an ICD file names, malloc'd; NULL: it names none. *is_text: no byte of it is 0. */
static char *library_of(const char *path, bool *is_text) {
    struct buf text = {0};
    char *name = NULL;
    if (read_file(path, &text) && text.size) {
        *is_text = !memchr(text.data, 0, text.size);
        name = must_printf("%.*s", (int)strcspn(buf_cstr(&text), "\r\n"), buf_cstr(&text));
    }
    buf_free(&text);
    return name;
}

/* Tells whether the library can be loaded; *found: it is Weir's. */
static void try_library(const char *from, const char *library, bool *found) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    bool is_weir = strstr(library, "libweir") != NULL;
    if (!handle)
        problem("ICD file",
                is_weir ? "install Weir again, or remove the file"
                        : "remove the file, or install what it names",
                "%s names %s: %s", from, library, dlerror());
    else
        ok("ICD file", "%s: %s", from, library);
    *found |= handle && is_weir;
    /* stays loaded: some libraries don't bear being unloaded */
}

static bool has_suffix(const char *text, const char *suffix) {
    size_t n = strlen(text), m = strlen(suffix);
    return n >= m && !strcmp(text + n - m, suffix);
}

static bool crashes_loader; /* it isn't called */

static void look_at_icd_file(const char *path, bool *found) {
    bool is_text = true;
    char *library = library_of(path, &is_text);
    crashes_loader |= !is_text;
    if (!is_text)
        problem("ICD file", "remove the file: it should hold the path of an implementation's library",
                "%s is no text: the loader crashes on it, and so does every program", path);
    else if (library && *library)
        try_library(path, library, found);
    else
        problem("ICD file", "it should hold the path of an implementation's library", "%s names nothing",
                path);
    free(library);
}

/* Of the path's folder, "" of a name alone. */
static int folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) : 0;
}

static void look_at_icd_files(void) {
    const char *chosen = getenv("OCL_ICD_VENDORS");
    const char *place = chosen && *chosen ? chosen : "/etc/OpenCL/vendors";
    struct stat info;
    bool found = false;
    if (stat(place, &info)) {
        if (chosen)
            problem("ICD files", "correct the variable, or unset it", "OCL_ICD_VENDORS=%s: %s", place,
                    strerror(errno));
        else
            note("ICD files", "there is no %s: programs find Weir by OCL_ICD_VENDORS alone", place);
        return;
    }
    if (!S_ISDIR(info.st_mode)) {
        bool is_icd = has_suffix(place, ".icd");
        if (is_icd)
            look_at_icd_file(place, &found);
        else
            try_library("OCL_ICD_VENDORS", place, &found);
        if (found && !getenv("OCL_ICD_FILENAMES"))
            note("ICD file",
                 "programs with Khronos' loader, as many Python wheels, take a folder of .icd files "
                 "alone%s%.*s",
                 is_icd ? ": OCL_ICD_VENDORS=" : "", is_icd ? folder_length(place) : 0, place);
    } else {
        struct dirent **entries;
        int n = scandir(place, &entries, NULL, alphasort);
        for (int i = 0; i < n; i++) {
            char *path = must_printf("%s/%s", place, entries[i]->d_name);
            if (has_suffix(path, ".icd"))
                look_at_icd_file(path, &found);
            free(path);
            free(entries[i]);
        }
    }
    if (found)
        return;
    char *folder = target_icd_folder(), *own = self_directory();
    char *activate = must_printf("%s/../activate", own), *path = realpath(activate, NULL); /* a tar ball's */
    char *remedy = path ? must_printf("source the tar ball's script: `. %s`", path)
                        : must_printf("install Weir's package, or set OCL_ICD_VENDORS=%s",
                                      folder ? folder : "FOLDER, the one that its weir.icd lies in");
    problem("ICD files", remedy, "%s has none of Weir's: programs don't find it", place);
    free(remedy);
    free(path);
    free(activate);
    free(own);
    free(folder);
}

/* ---- the machine ---- */

static void look_at_processor(void) {
    unsigned bits = cpu_vector_bits();
    if (bits >= 256)
        ok("processor", "%s: vectors of %u bits, %u work-items at a time", bits == 512 ? "AVX-512" : "AVX2",
           bits, bits / 32);
    else
        note("processor", "it has no AVX2: kernels run, 4 work-items at a time");
}

static void look_at_limits(cl_device_id device) {
    cpu_set_t set;
    cl_uint units = 0;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t quota = cgroup_cpu(CGROUP_LIST, CGROUP_MOUNT), memory = cgroup_memory(CGROUP_LIST, CGROUP_MOUNT);
    int usable = sched_getaffinity(0, sizeof set, &set) ? (int)online : CPU_COUNT(&set);
    clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    char *why = must_printf("%s%s", usable < online ? ", by the process's affinity" : "",
                            quota / 1000 < (uint64_t)usable ? ", by the control group's quota" : "");
    ok("workers", "%u of the machine's %ld processors%s%s", units, online, why,
       env_get()->cu ? ", by WEIR_CU" : "");
    if (env_get()->cu && quota < UINT64_MAX && units > (quota + 999) / 1000)
        problem("workers", "unset WEIR_CU, or give the container more",
                "the control group gives time for %.2g processors, and WEIR_CU=%u asks for more",
                (double)quota / 1000, units);
    free(why);
    char text[200];
    for (unsigned i = 0; i < LIMITS; i++)
        if (limit_is_short(i, text, sizeof text)) {
            problem("limits", "raise it where this process is started", "%s", text);
            limits_are_short = true;
        }
    if (memory < (uint64_t)512 << 20)
        problem("memory", "give the container more: the compiler alone wants some 200 MiB",
                "the control group has %llu MiB", (unsigned long long)memory >> 20);
    else if (memory < UINT64_MAX)
        ok("memory", "%llu MiB, the control group's limit", (unsigned long long)memory >> 20);
    else
        ok("memory", "no limit but the machine's");
}

/* ---- the settings ---- */

static void look_at_settings(void) {
    char *text = must_printf("%s", env_complaints()), *rest = text, *line;
    size_t i = 0;
    for (const char *unknown; (unknown = env_unknown(&i)) != NULL;)
        note("settings", "%.*s is none of Weir's: docs/environment.md and `man 7 weir` list them",
             (int)strcspn(unknown, "="), unknown);
    while ((line = strsep(&rest, "\n")) != NULL)
        if (*line)
            note("settings", "%s", line);
    free(text);
}

/* ---- the cache ---- */

/* The folder, or the nearest one above it that is there; malloc'd. */
static char *nearest(const char *path) {
    char *folder = must_printf("%s", path);
    struct stat info;
    while (*folder && stat(folder, &info)) {
        char *slash = strrchr(folder, '/');
        if (!slash || slash == folder) {
            strcpy(folder, "/");
            break;
        }
        *slash = 0;
    }
    return folder;
}

static void look_at_cache(void) {
    const char *path = env_get()->cache_dir;
    struct statvfs room;
    struct stat info;
    if (!*path) {
        note("cache", getenv("WEIR_CACHE_DIR")
                          ? "off (WEIR_CACHE_DIR is empty): each process compiles anew"
                          : "off, as there is no HOME: set WEIR_CACHE_DIR to a folder of yours");
        return;
    }
    if (!folder_make(path) || stat(path, &info)) {
        problem("cache", "set WEIR_CACHE_DIR to a folder that you may write to", "%s: %s", path,
                strerror(errno));
        return;
    }
    int fd = folder_open(AT_FDCWD, path);
    if (fd < 0) {
        problem("cache",
                errno == EPERM ? "chmod go-w it, or set WEIR_CACHE_DIR: what others may write to is not used"
                               : "set WEIR_CACHE_DIR to a folder that you may write to",
                "%s: %s", path,
                errno == EPERM ? "it is another's, or others may write to it" : strerror(errno));
        return;
    }
    close(fd);
    char *there = nearest(path);
    uint64_t left = statvfs(there, &room) ? UINT64_MAX : (uint64_t)room.f_bavail * room.f_frsize;
    free(there);
    if (access(path, W_OK | X_OK))
        problem("cache", "set WEIR_CACHE_DIR to a folder that you may write to", "%s: %s", path,
                strerror(errno));
    else if (left < LEAST_ROOM)
        problem("cache", "make room, or set WEIR_CACHE_DIR to another disk",
                "%s: %llu MiB are free on its disk", path, (unsigned long long)left >> 20);
    else
        ok("cache", "%s: %.1f GiB are free", path, (double)left / (1u << 30));
}

/* ---- the compiler ---- */

static const char source[] = "kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }\n";

static void run_kernel(cl_program program, cl_context context, cl_device_id device, uint64_t begin) {
    int numbers[64] = {0}, n = 3;
    size_t size = 64;
    cl_int e = 0;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &e);
    cl_kernel kernel = e ? NULL : clCreateKernel(program, "add", &e);
    cl_mem buffer = e ? NULL : clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &e);
    e = e ? e : clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    e = e ? e : clSetKernelArg(kernel, 1, sizeof n, &n);
    e = e ? e : clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
    e = e ? e : clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL);
    if (e)
        problem("kernel", "WEIR_LOG=debug weir doctor says more", "%s (%d)", cl_name(e), e);
    else if (numbers[0] != n || numbers[63] != n)
        problem("kernel", "this is a bug of Weir's: please report it with the processor's name",
                "it computes %d, not %d", numbers[0], n);
    else
        ok("kernel", "built and run in %.0f ms", (double)(time_ns() - begin) / 1e6);
    if (buffer)
        clReleaseMemObject(buffer);
    if (kernel)
        clReleaseKernel(kernel);
    if (queue)
        clReleaseCommandQueue(queue);
}

static void look_at_kernel(cl_platform_id platform, cl_device_id device) {
    cl_int e;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_context context = clCreateContext(properties, 1, &device, NULL, NULL, &e);
    if (e) {
        problem("context", "WEIR_LOG=debug weir doctor says more", "%s (%d)", cl_name(e), e);
        return;
    }
    /* Something new, so that the cache doesn't answer. */
    char *text =
        must_printf("// %llu\n%s", (unsigned long long)time_ns() ^ (unsigned long long)getpid(), source);
    uint64_t begin = time_ns();
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &e);
    if (!e && (e = clBuildProgram(program, 1, &device, "", NULL, NULL)) != 0) {
        char log[2000] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        problem("compiler",
                limits_are_short ? "raise the limit where this process is started"
                                 : "install what is missing (Weir again, or all of it by `make`; package "
                                   "clang-22); WEIR_LOG=debug "
                                   "weir doctor says more",
                "%s", *log ? log : cl_name(e));
    } else if (!e) {
        run_kernel(program, context, device, begin);
    }
    if (program)
        clReleaseProgram(program);
    free(text);
    clReleaseContext(context);
}

static void look_at_compiler(void) {
    char *path = compiler_path();
    if (!path) {
        problem("compiler", "install Weir again, or correct WEIR_COMPILER",
                "weirc isn't where libweir.so looks for it");
        return;
    }
    bool is_whole;
    char *version = compiler_version(path), *sandbox = compiler_sandbox(path, &is_whole);
    if (*version)
        ok("compiler", "%s: %s", path, version);
    else
        problem("compiler", "run it by hand to see why", "%s doesn't start", path);
    if (is_whole)
        ok("sandbox", "the compiler is limited in %s", sandbox);
    else if (*sandbox)
        note("sandbox", "%s: don't build programs of people whom you don't trust", sandbox);
    free(path);
    free(version);
    free(sandbox);
}

static int doctor_main(int argc, char **argv) {
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    while (next_option(&command_doctor, argc, argv, options) >= 0)
        continue;
    if (optind < argc)
        die(EXIT_USAGE, "doctor takes no '%s'", argv[optind]);
    cl_platform_id platforms[64], weir = NULL;
    cl_device_id device = NULL;
    cl_uint n = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what is found is told, also where a library crashes then */
    look_at_loader();
    look_at_icd_files();
    target_point_loader(); /* what belongs to this binary is looked at, whatever programs find */
    if (crashes_loader || clGetPlatformIDs(64, platforms, &n))
        n = 0;
    for (cl_uint i = 0; i < n && i < 64; i++) {
        char *name = platform_string(platforms[i], CL_PLATFORM_NAME);
        weir = !weir && !strcmp(name, "Weir") ? platforms[i] : weir;
        free(name);
    }
    look_at_processor();
    look_at_settings();
    look_at_cache();
    if (!weir || clGetDeviceIDs(weir, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) {
        problem("platform", "see the ICD files above", "the loader gives no platform of Weir's, of %u", n);
    } else {
        look_at_limits(device);
        look_at_compiler();
        look_at_kernel(weir, device);
    }
    if (problems)
        printf("%u problem%s\n", problems, problems > 1 ? "s" : "");
    else
        puts("no problems");
    return problems ? EXIT_FAULT : EXIT_DONE;
}

static const char help[] =
    "Usage: weir doctor\n\n"
    "Checks everything that a program needs to run a kernel: the ICD loader and its files, the processor,\n"
    "the cache, control group limits, and the compiler with its sandbox. Then it builds and runs a kernel.\n"
    "Each line says `ok`, `note`, or `PROBLEM` with what to do about it.\n\n"
    "Exits with 0 if there is no problem.\n";
const struct command command_doctor = {"doctor", "looks for anything that keeps programs from running",
                                       doctor_main, help, NULL};

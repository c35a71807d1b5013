/* bench.c: `weir bench`: how much of what the machine can do eight kernels get, on Weir and on what else the loader finds.
 * In: nothing. Out: a table, or JSON. Each kernel on each platform has a process of its own: one that crashes or hangs is a
 * gap in the table. */
#include "bench.h"
#include "machine.h"

#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PLATFORMS = 6, TIMEOUT_MS = 20000, ENOUGH_MS = 45000 }; /* peers that come later are left out */

static const struct {
    const char *name, *what, *unit;
    double scale;
} bounds[BOUNDS] = {
    [BOUND_MEMORY] = {"memory", "copying arrays", "GB/s", 1e9},
    [BOUND_FLOPS] = {"arithmetic", "fused multiply-adds", "GFLOP/s", 1e9},
    [BOUND_EXCHANGE] = {"barriers", "values passed on to others through the cache", "G values/s", 1e9},
    [BOUND_LAUNCH] = {"launches", "short launches that use all threads", "k launches/s", 1e3},
};

struct cell {
    double seconds;
    char *reason; /* why there are none */
};
struct bench {
    char *names[MAX_PLATFORMS]; /* the first is Weir */
    unsigned nplatforms;
    double limits[BOUNDS]; /* amounts per second; 0: not known */
    struct cell cells[BENCH_KERNELS][MAX_PLATFORMS];
};

/* ---- in processes of their own -------------------------------------------------------------------------------- */

/* The names of the platforms with a processor, a line each. */
static int list_platforms(void) {
    cl_platform_id platforms[64];
    cl_device_id device;
    cl_uint n = 0;
    if (clGetPlatformIDs(64, platforms, &n))
        n = 0;
    for (cl_uint i = 0; i < n && i < 64; i++)
        if (!clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL))
            puts(platform_string(platforms[i], CL_PLATFORM_NAME));
    fflush(stdout);
    _exit(0); /* how an implementation ends its process isn't what is asked */
}

static int measure(const char *platform, uint64_t kernel) {
    if (kernel >= BENCH_KERNELS)
        die(EXIT_USAGE, "there is no kernel %llu", (unsigned long long)kernel);
    printf("%.9e\n", bench_measure(platform, (unsigned)kernel));
    fflush(stdout);
    _exit(0);
}

/* This program once more, with `argument` and `value`. What it writes, malloc'd; NULL with the reason. */
static char *ask(const char *argument, const char *value, const char *platform, char **reason) {
    char *argv[] = {
        "/proc/self/exe", "bench", (char *)argument, (char *)value, platform ? "--platform" : NULL,
        (char *)platform, NULL};
    struct buf out = {0}, err = {0};
    int status = spawn_run(argv, NULL, 0, &out, &err, TIMEOUT_MS, 1 << 20);
    char *text = status == 0 && buf_cstr(&out) ? must_printf("%s", buf_cstr(&out)) : NULL;
    if (!text) {
        char *said = buf_cstr(&err);
        said = said && !strncmp(said, "weir: ", 6) ? said + 6 : said;
        *reason = status < 0            ? must_printf("took too long")
                  : WIFSIGNALED(status) ? must_printf("died of %s", strsignal(WTERMSIG(status)))
                  : said && *said       ? must_printf("%.*s", (int)strcspn(said, "\n"), said)
                                        : must_printf("failed");
    }
    buf_free(&out);
    buf_free(&err);
    return text;
}

/* ---- measuring ------------------------------------------------------------------------------------------------- */

/* The first one whose name contains `wanted`; NULL: all. */
static void find_peers(struct bench *b, const char *wanted) {
    char *reason = NULL, *names = ask("--list", "peers", NULL, &reason), *at = names, *name;
    char *all = must_printf("%s", names ? names : "");
    while (at && (name = strsep(&at, "\n")))
        if (*name && strcmp(name, "Weir") && b->nplatforms < (wanted ? 2 : MAX_PLATFORMS) &&
            (!wanted || strcasestr(name, wanted)))
            b->names[b->nplatforms++] = must_printf("%s", name);
    if (wanted && b->nplatforms == 1 && !strcasestr("Weir", wanted))
        die(EXIT_FAULT,
            "no OpenCL platform for this machine's processor is called '%s'; the loader finds:\n%s", wanted,
            all);
    free(all);
    free(names);
    free(reason);
}

static double launches(void) {
    double length = machine_launch(BENCH_LAUNCH_GROUPS, BENCH_LAUNCH_FLOPS);
    return length > 0 ? 1 / length : 0;
}

/* Before and after the kernels, as others may use the machine: the higher ones count. */
static void measure_limits(struct bench *b, struct progress *p, unsigned *done, unsigned total) {
    static double (*const measures[BOUNDS])(void) = {machine_bandwidth, machine_flops, machine_exchange,
                                                     launches};
    for (unsigned i = 0; i < BOUNDS; i++) {
        b->limits[i] = fmax(b->limits[i], measures[i]());
        progress_show(p, ++*done, total);
    }
}

static void measure_all(struct bench *b) {
    struct progress p = progress_begin("measuring");
    unsigned total = 2 * BOUNDS + b->nplatforms * BENCH_KERNELS, done = 0;
    uint64_t start = time_ns();
    measure_limits(b, &p, &done, total);
    for (unsigned n = 0; n < b->nplatforms; n++)
        for (unsigned k = 0; k < BENCH_KERNELS; k++) {
            struct cell *cell = &b->cells[k][n];
            char *number = must_printf("%u", k);
            bool late = n && time_ns() - start > (uint64_t)ENOUGH_MS * 1000000;
            char *text = late ? NULL : ask("--measure", number, b->names[n], &cell->reason);
            if (late)
                cell->reason = must_printf("left out: the others took the time");
            cell->seconds = text ? strtod(text, NULL) : 0;
            free(text);
            free(number);
            progress_show(&p, ++done, total);
        }
    measure_limits(b, &p, &done, total);
    progress_end(&p);
}

/* ---- showing ---------------------------------------------------------------------------------------------------- */

static double share(const struct bench *b, unsigned kernel, unsigned platform) {
    const struct bench_kernel *k = bench_kernel(kernel);
    double seconds = b->cells[kernel][platform].seconds, limit = b->limits[k->bound];
    return seconds > 0 && limit > 0 ? k->amount / seconds / limit : 0;
}

static double mean(const struct bench *b, unsigned platform) {
    double sum = 0;
    unsigned n = 0;
    for (unsigned k = 0; k < BENCH_KERNELS; k++)
        if (share(b, k, platform) > 0) {
            sum += log(share(b, k, platform));
            n++;
        }
    return n ? exp(sum / n) : 0;
}

/* Of a platform's column: its name is never cut. */
static int column(const struct bench *b, unsigned platform) {
    int name = (int)strlen(b->names[platform]);
    return name > 26 ? name : 26;
}

static void show_rows(const struct bench *b) {
    printf("%-12s%-12s", "kernel", "bound by");
    for (unsigned n = 0; n < b->nplatforms; n++)
        printf("  %*s", column(b, n), b->names[n]);
    printf("\n");
    for (unsigned k = 0; k < BENCH_KERNELS; k++) {
        const struct bench_kernel *is = bench_kernel(k);
        double scale = bounds[is->bound].scale;
        printf("%-12s%-12s", is->name, bounds[is->bound].name);
        for (unsigned n = 0; n < b->nplatforms; n++)
            if (b->cells[k][n].seconds > 0 && b->limits[is->bound] > 0)
                printf("  %*.4g %-12s%4.0f %%", column(b, n) - 19,
                       is->amount / b->cells[k][n].seconds / scale, bounds[is->bound].unit,
                       100 * share(b, k, n));
            else
                printf("  %*s", column(b, n), "-");
        printf("\n");
    }
    printf("%-24s", "geometric mean");
    for (unsigned n = 0; n < b->nplatforms; n++)
        printf("  %*.0f %%", column(b, n) - 2, 100 * mean(b, n));
    printf("\n");
}

static void show_limits(const struct bench *b, unsigned threads) {
    printf("This machine's limits, with %u thread%s:\n", threads, threads == 1 ? "" : "s");
    for (unsigned i = 0; i < BOUNDS; i++)
        printf("  %-12s%7.4g %-14s%s\n", bounds[i].name, b->limits[i] / bounds[i].scale, bounds[i].unit,
               bounds[i].what);
    printf("\nRates of kernels, and their shares of these limits:\n\n");
}

static void show_text(const struct bench *b) {
    unsigned threads = machine_threads(), worst = 0;
    show_limits(b, threads);
    show_rows(b);
    for (unsigned k = 0; k < BENCH_KERNELS; k++) {
        for (unsigned n = 0; n < b->nplatforms; n++)
            if (b->cells[k][n].reason)
                printf("%s on %s: %s\n", bench_kernel(k)->name, b->names[n], b->cells[k][n].reason);
        worst = share(b, k, 0) > 0 && share(b, k, 0) < share(b, worst, 0) ? k : worst;
    }
    printf("\n");
    if (machine_load() > threads * 0.5)
        printf("Other programs use the machine, too (its load is %.1f): rates and limits are lower than they "
               "could "
               "be, and shares may be wrong.\n",
               machine_load());
    if (mean(b, 0) > 0)
        printf("Weir reaches %.0f %% of the limits in the mean, and least with %s, %.0f %%. For a kernel of "
               "your own, "
               "`weir run --profile` shows which lines take the time, and `weir compile --annotate` how they "
               "run.\n",
               100 * mean(b, 0), bench_kernel(worst)->name, 100 * share(b, worst, 0));
}

static void show_json(const struct bench *b) {
    struct buf out = {0};
    buf_printf(&out, "{\"threads\":%u,\"load\":%.2f,\"limits\":{", machine_threads(), machine_load());
    for (unsigned i = 0; i < BOUNDS; i++)
        buf_printf(&out, "%s\"%s\":%.6g", i ? "," : "", bounds[i].name, b->limits[i]);
    buf_printf(&out, "},\"platforms\":[");
    for (unsigned n = 0; n < b->nplatforms; n++) {
        buf_printf(&out, "%s{\"name\":", n ? "," : "");
        buf_json(&out, b->names[n]);
        buf_printf(&out, ",\"mean\":%.4f,\"kernels\":[", mean(b, n));
        for (unsigned k = 0; k < BENCH_KERNELS; k++) {
            const struct bench_kernel *is = bench_kernel(k);
            const struct cell *cell = &b->cells[k][n];
            buf_printf(&out, "%s{\"kernel\":\"%s\",\"bound\":\"%s\"", k ? "," : "", is->name,
                       bounds[is->bound].name);
            if (cell->seconds > 0)
                buf_printf(&out, ",\"seconds\":%.6g,\"rate\":%.6g,\"share\":%.4f", cell->seconds,
                           is->amount / cell->seconds, share(b, k, n));
            buf_printf(&out, ",\"reason\":");
            buf_json(&out, cell->reason);
            buf_printf(&out, "}");
        }
        buf_printf(&out, "]}");
    }
    buf_printf(&out, "]}\n");
    fwrite(out.data, 1, out.size, stdout);
    buf_free(&out);
}

static const struct option options[] = {
    {"help", no_argument, NULL, 'h'},
    {"json", no_argument, NULL, 'j'},
    {"alone", no_argument, NULL, 'a'},
    {"platform", required_argument, NULL, 'p'},
    {"measure", required_argument, NULL, 'm'},
    {"list", required_argument, NULL, 'l'},
    {0},
};

static int run_entry(int argc, char **argv) {
    static struct bench b = {.names = {"Weir"}, .nplatforms = 1};
    bool is_json = false, is_alone = false, is_list = false;
    const char *platform = NULL;
    uint64_t kernel = UINT64_MAX;
    int option;
    while ((option = next_option(&command_bench, argc, argv, options)) >= 0) {
        is_json |= option == 'j';
        is_alone |= option == 'a';
        is_list |= option == 'l';
        if (option == 'p')
            platform = optarg;
        if (option == 'm' && !parse_uint(optarg, &kernel))
            die(EXIT_USAGE, "--measure wants a kernel's number, not '%s'", optarg);
    }
    if (optind < argc)
        die(EXIT_USAGE, "bench takes no '%s'", argv[optind]);
    if (is_list)
        return list_platforms();
    if (kernel != UINT64_MAX)
        return measure(platform, kernel);
    if (platform || !is_alone)
        find_peers(&b, platform);
    measure_all(&b);
    if (is_json)
        show_json(&b);
    else
        show_text(&b);
    for (unsigned k = 0; k < BENCH_KERNELS; k++)
        if (b.cells[k][0].reason)
            return EXIT_FAULT;
    return EXIT_DONE;
}

static const char help[] =
    "Usage: weir bench [--json] [--alone | --platform NAME]\n\n"
    "Shows how well this machine is used: eight kernels, each next to the limit that bounds it. The limits\n"
    "are measured first, with code written by hand: the rates of copying memory, of fused multiply-adds, of\n"
    "passing values between work-items, and of spreading short work over all threads. Takes 10 seconds, "
    "plus\n"
    "10 for each other CPU implementation that the loader finds. Results are verified, and the best of each\n"
    "kernel's runs counts.\n\n"
    "  --alone          Weir only\n"
    "  --platform NAME  Weir, and the platform whose name contains NAME\n"
    "  --json           for programs: rates and limits are per second, in bytes, operations, values and "
    "launches\n\n"
    "A kernel may exceed the limit if its data fits into a cache that the copies don't fit into.\n"
    "Exit code 1: a kernel didn't work on Weir.\n";

const struct command command_bench = {"bench", "shows how close eight kernels get to the machine's limits",
                                      run_entry, help, NULL};

/* demo.c: runs barrier-rich programs through the OpenCL loader, verifies their results against plain C and
 * prints times. In: [--platform NAME]. Out: a table; exit code 1 if any result is wrong. */
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 200 };

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median seconds of a run: at least 3 runs, then until half a second has passed. */
static double measure(struct run *run) {
    double times[MAX_RUNS], start = host_seconds();
    int n = 0;
    do {
        double begin = host_seconds();
        run_once(run);
        times[n++] = host_seconds() - begin;
    } while (n < 3 || (n < MAX_RUNS && host_seconds() - start < 0.5));
    qsort(times, n, sizeof *times, by_value);
    return times[n / 2];
}

static bool run_job(struct host *host, const struct job *job, size_t size) {
    struct run run;
    run_start(&run, host, job, size);
    run_once(&run); /* the first run compiles: not measured */
    double seconds = measure(&run);
    bool ok = job->verify(&run);
    run_end(&run);
    printf("%-22s %9zu %12.3f ms %9.2f %-8s %s\n", job->name, size, seconds * 1e3,
           job->work(size) / seconds * 1e-9, job->unit, ok ? "verified" : "WRONG");
    fflush(stdout);
    return ok;
}

int main(int argc, char **argv) {
    const char *platform = NULL;
    if (argc == 3 && !strcmp(argv[1], "--platform"))
        platform = argv[2];
    else if (argc != 1) {
        fprintf(stderr, "Usage: demo [--platform NAME]\n");
        return 2;
    }
    struct host host;
    host_open(&host, platform);
    printf("platform  %s, %s\ndevice    %s, %u compute units\nbuilt in  %.1f ms\n\n", host.platform_name,
           host.platform_version, host.device_name, host.compute_units, host.build_seconds * 1e3);
    printf("%-22s %9s %15s %18s %s\n", "program", "size", "time", "rate", "result");
    int good = 0, bad = 0;
    for (size_t j = 0; j < njobs; j++)
        for (int s = 0; s < 3; s++)
            *(run_job(&host, &jobs[j], jobs[j].sizes[s]) ? &good : &bad) += 1;
    host_close(&host);
    printf("\n%d results verified, %d wrong\n", good, bad);
    return bad != 0;
}

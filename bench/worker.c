/* worker.c: the measuring process: sets a test up, verifies it, measures blocks as asked, verifies again. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SAMPLES = 4096 };

const struct test *test_at(unsigned index) {
#define PICK(name)                                                                                           \
    if (index < ntests_##name)                                                                               \
        return &tests_##name[index];                                                                         \
    index -= ntests_##name;
    TEST_LISTS(PICK)
#undef PICK
    return NULL;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double block(struct run *run, double length) {
    static double samples[MAX_SAMPLES];
    int n = 0;
    double start = seconds();
    do
        samples[n++] = run_sample(run);
    while (n < MAX_SAMPLES && seconds() - start < length);
    qsort(samples, n, sizeof *samples, by_value);
    return samples[is_processor_time ? 0 : n / 2];
}

/* Writes the implementation's names. */
static int name_implementation(struct run *run) {
    char platform[200] = "", version[400] = "";
    run_open(run);
    clGetPlatformInfo(run->platform, CL_PLATFORM_NAME, sizeof platform, platform, NULL);
    clGetPlatformInfo(run->platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
    version[strcspn(version, "\"\\\n")] = 0;
    printf("name %s, %.60s\n", platform, version);
    fflush(stdout);
    _exit(0);
}

int worker_main(const char *name, enum mode mode, double block_seconds) {
    static struct run run;
    char line[16];
    if (!strcmp(name, "?"))
        return name_implementation(&run);
    for (unsigned i = 0; (run.test = test_at(i)) && strcmp(run.test->name, name); i++)
        ;
    if (!run.test)
        run_end(ERROR, "there is no test of this name");
    run.mode = mode;
    if (mode == OPENCL)
        run_open(&run);
    else
        limit_open(&run);
    run.test->setup(&run);
    if (run.test->process != IN_PROCESS) { /* what is measured is the first sample */
        printf("OK |0|0\n%.9e\n", run_sample(&run));
        fflush(stdout);
        _exit(0);
    }
    run_sample(&run);
    run_verify(&run);
    printf("OK |%.9g|%.9g\n", run.bytes, run.flops);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        double median = block(&run, block_seconds);
        run_verify(&run);
        printf("%.9e\n", median);
        fflush(stdout);
    }
    _exit(0); /* how an implementation ends its process isn't what is measured */
}

/* bench.h: what the parts of the benchmark program share. Sections in the order of the files that own them.
 *
 * A test is set up in a process of its own, on one implementation: an OpenCL platform, or the limit, which is
 * hand-written vector code on the same host arrays. It is verified, then measured block by block. */
#ifndef BENCH_H
#define BENCH_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include "machine.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- run.c: one test on one implementation --------------------------------------------------------------- */

enum status { OK, WRONG, SKIP, ERROR, CRASH, HANG, STATUSES };
extern const char *const status_names[STATUSES];
enum mode { OPENCL, AVX2, AVX512 }; /* the last two: the limit */

struct buffer {
    cl_mem mem; /* NULL in the limit's modes */
    void *host; /* the initial content; the limit works on this */
    size_t size;
    size_t extent[3]; /* of an image, in texels; 0: a buffer */
};
struct step { /* a launch, or a copy between buffers and images where kernel is NULL */
    cl_kernel kernel;
    cl_uint dims;
    size_t global[3], local[3];
    const struct buffer *from, *to;
};
struct expectation {
    const struct buffer *buffer;
    const void *want;
    size_t n;
    double tolerance;   /* of floats: |got - want| <= tolerance * (1 + |want|); 0: unsigned integers, equal */
    int byte_tolerance; /* of bytes, if they are compared as such; else -1 */
};
enum { MAX_BUFFERS = 24, MAX_STEPS = 128, MAX_EXPECTATIONS = 8 };
struct run {
    const struct test *test;
    enum mode mode;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    struct buffer buffers[MAX_BUFFERS];
    struct step steps[MAX_STEPS], resets[4]; /* resets run before each sample, unmeasured */
    struct expectation expectations[MAX_EXPECTATIONS];
    unsigned nbuffers, nsteps, nresets, nexpectations;
    double bytes, flops; /* least traffic and operations of a sample, for the roofline; 0: not known */
};
struct test {
    const char *name;
    void (*setup)(struct run *);
    double (*sample)(struct run *); /* seconds of one sample; NULL: the steps and clFinish */
    int param;
    enum { IN_PROCESS, NEW_PROCESS_COLD, NEW_PROCESS_CACHED } process; /* of each block */
    bool quick;                                                        /* part of the short mode */
};

/* Opens the device found through the loader. Ends the process with ERROR where there is none. */
void run_open(struct run *);
/* Ends the process with a status, having written it with the reason. */
_Noreturn void run_end(enum status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void run_check(cl_int error, const char *what);
void run_need(struct run *, bool has, const char *what); /* SKIP unless `has`; the limit always has */
void run_build(struct run *, const char *source, const char *options);
/* A buffer of n elements of `size` bytes; `host` (NULL: zeros) becomes the run's and is freed never. */
struct buffer *run_buffer(struct run *, size_t n, size_t size, void *host);
struct dims {
    size_t x, y, z;
};
/* An image of `size` texels, of two dimensions or three; SKIP where the device lacks it. A buffer otherwise: rows and
 * slices of `host` follow each other. */
struct buffer *run_image(struct run *, cl_channel_order, cl_channel_type, struct dims size, void *host);
cl_sampler run_sampler(struct run *, bool normalized, cl_addressing_mode, cl_filter_mode);
/* Adds a launch. `args` has a letter for each argument: b buffer or image, s sampler, l bytes of local memory, u cl_uint,
 * f float. The global size is local * groups in each dimension; dimensions are given as {x, y, z}, 0 where unused. */
void run_launch(struct run *, const char *kernel, struct dims groups, struct dims local, const char *args,
                ...);
void run_copy(struct run *, const struct buffer *from, const struct buffer *to);
void run_reset(struct run *, const struct buffer *from, const struct buffer *to);
void run_expect(struct run *, const struct buffer *, const void *want, size_t n, double tolerance);
void run_expect_bytes(struct run *, const struct buffer *, const void *want, size_t n, int tolerance);
cl_kernel run_kernel(struct run *, const char *name);
double run_sample(struct run *); /* seconds */
void run_verify(struct run *);   /* ends the process unless all is as expected */
double seconds(void);            /* a monotonic clock, or of the process's threads together: */
extern bool is_processor_time;

/* Input that is the same everywhere. */
float *random_floats(size_t n, float low, float high, unsigned seed);
uint32_t *random_uints(size_t n, uint32_t limit, unsigned seed); /* limit 0: all 32 bits */
void *allocate(size_t bytes);                                    /* zeros, on a cache line */

/* The kernels of bench/cl/NAME.cl as a string `NAME_cl`. */
#define KERNELS(name)                                                                                        \
    extern const char name##_cl[];                                                                           \
    __asm__(".section .rodata\n.globl " #name "_cl\n" #name "_cl: .incbin \"bench/cl/" #name                 \
            ".cl\"\n.byte 0\n.previous")

/* ---- case_*.c -------------------------------------------------------------------------------------------- */

#define TEST_LISTS(X)                                                                                        \
    X(launch) X(build) X(barrier) X(scan) X(matrix) X(sort) X(grid) X(item) X(group) X(image) X(tile)
#define DECLARE(name)                                                                                        \
    extern const struct test tests_##name[];                                                                 \
    extern const unsigned ntests_##name;
TEST_LISTS(DECLARE)
#undef DECLARE
#define TESTS(name, ...)                                                                                     \
    const struct test tests_##name[] = {__VA_ARGS__};                                                        \
    const unsigned ntests_##name = sizeof tests_##name / sizeof *tests_##name

/* ---- limit.c: hand-written code for the same work -------------------------------------------------------- */

struct limit {
    const char *test;
    void (*work)(struct run *);
};
extern const struct limit limits_avx2[], limits_avx512[];
void limit_open(struct run *);     /* SKIP where the test has no limit or the processor lacks the mode */
double limit_sample(struct run *); /* seconds */
bool limit_has(enum mode);
/* Calls body(run, group) for all groups, in chunks that threads take as they go. */
void limit_groups(struct run *, size_t groups, void (*body)(struct run *, size_t group));

/* ---- worker.c -------------------------------------------------------------------------------------------- */

const struct test *test_at(unsigned index); /* NULL past the last */
/* The measuring process. Writes "STATUS reason|bytes|flops", then for each line read a block's median; of processor time,
 * which others' work only makes longer, the least. */
int worker_main(const char *test, enum mode, double block_seconds);

/* ---- results.c ------------------------------------------------------------------------------------------- */

enum { MAX_PEERS = 12, MAX_TESTS = 128 };
struct result {
    enum status status;
    double seconds, low, high; /* median and quartiles of the blocks */
    char reason[160];
};
struct results {
    unsigned npeers, ntests, rounds;
    char peers[MAX_PEERS][160], labels[MAX_PEERS][48];
    char tests[MAX_TESTS][48];
    double bytes[MAX_TESTS], flops[MAX_TESTS];
    struct result of[MAX_TESTS][MAX_PEERS];
    double bandwidth, peak; /* bytes and operations per second */
    double cache;           /* bytes of the last level: less traffic than that isn't bound by the memory */
    char machine[128];
};
void results_head(const struct results *);
void results_row(const struct results *, unsigned test);
void results_summary(const struct results *);
double results_bound(const struct results *, unsigned test); /* the roofline's seconds; 0: not known */
bool results_write(const struct results *, const char *path);
bool results_read(struct results *, const char *path);
int results_compare(const char *before, const char *after); /* `bench --compare`: exit code */

/* ---- chart.c --------------------------------------------------------------------------------------------- */

/* Draws each test's times as ratios to the limit, or to the fastest implementation where it has none. */
bool chart_write(const struct results *, const char *path);

#endif

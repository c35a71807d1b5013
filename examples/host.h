/* host.h: what the demo and the benchmarks share: finding a platform, building demo.cl, and the demo's jobs.
 * Any OpenCL error ends the process with a message: these are examples. */
#ifndef HOST_H
#define HOST_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- host.c ------------------------------------------------------------------------------------------------ */

struct host {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program; /* of demo.cl */
    char platform_name[128], platform_version[128], device_name[128];
    cl_uint compute_units;
    double build_seconds;
};
/* The first platform whose name contains `platform` (NULL: any), its first device, and demo.cl built. */
void host_open(struct host *, const char *platform);
void host_open_bare(struct host *, const char *platform); /* the same without demo.cl */
void host_close(struct host *);
void host_check(cl_int error, const char *what); /* ends the process unless CL_SUCCESS */
double host_seconds(void);                       /* a monotonic clock */
extern const char demo_source[];                 /* demo.cl */

/* ---- jobs.c ------------------------------------------------------------------------------------------------ */

struct run;
struct job {
    const char *name, *unit;       /* unit of the rate */
    size_t sizes[3];               /* elements, or rows of square matrices */
    double (*work)(size_t size);   /* bytes or operations of one run */
    void (*start)(struct run *);   /* input, buffers, kernels */
    void (*enqueue)(struct run *); /* all launches of one run */
    bool (*verify)(struct run *);  /* reads the result, compares; says what is wrong */
};
extern const struct job jobs[];
extern const size_t njobs;

enum { MAX_LEVELS = 5 };
/* One job at one size. */
struct run {
    struct host *host;
    const struct job *job;
    size_t size;
    void *input[2]; /* host copies, for the verification */
    cl_mem in[2], out[MAX_LEVELS], sums[MAX_LEVELS];
    size_t counts[MAX_LEVELS]; /* scan: elements of each level */
    unsigned levels;
    cl_kernel kernels[2 * MAX_LEVELS];
};
void run_start(struct run *, struct host *, const struct job *, size_t size);
void run_once(struct run *); /* enqueues and waits */
void run_end(struct run *);

#endif

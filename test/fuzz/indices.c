/* indices.c: random kernels that read and write memory at computed places (test/harness/fuzz/indices/indices.h), run on the
 * device and by a plain interpreter: for packs of the default width, for packs of the next older processor (AVX2, SSE), for
 * packs of 32, for one work-item at a time, and compiled for work-groups of any size.
 *
 * In: FUZZ_SEED (first seed, default 1), FUZZ_COUNT (kernels, default 60, 12 with WEIR_TEST_QUICK), FUZZ_FAILURES (before
 * it gives up; default 1), FUZZ_REDUCE=0 (no shortening), FUZZ_PRINT=1 (the sources). Out: exit code 1 and the source of
 * kernels whose result differs, shortened while it does.
 * A program has 20 kernels. Each configuration has a process of its own, whose death is a failure of the kernel that it
 * ran. */
#include "device.h"
#include "indices.h"
#include "session.h"
#include "source.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TOGETHER = 20 };

static struct configuration {
    const char *name, *variable, *value;
    unsigned every; /* it runs one in so many programs */
} configurations[] = {{"packs", NULL, NULL, 1},
                      {"packs of an older processor", "WEIR_CPU", NULL, 1},
                      {"packs of 32, of several rows where those are short", "WEIR_WIDTH", "32", 2},
                      {"one work-item", "WEIR_WIDTH", "1", 4},
                      {"compiled for groups of any size", "WEIR_SPECIALIZE", "0", 2}};

static cl_program build(const char *text) {
    cl_program program = program_new(text, "-cl-std=CL3.0 -w", false);
    if (!program) {
        printf("%s\n", text);
        exit(1);
    }
    return program;
}

/* A buffer's content. */
static unsigned char *initial(const struct indices *p, enum memory m) {
    unsigned char *bytes = malloc(p->size[m] * 16);
    unsigned size = elements_of[p->element[m]].size;
    for (unsigned i = 0; i < p->size[m]; i++) {
        unsigned char one[16];
        indices_encode(p->element[m], indices_initial(m, i), one);
        memcpy(bytes + i * size, one, size);
    }
    return bytes;
}

struct trial {
    const struct indices *p;
    cl_kernel kernel; /* built before, or NULL */
    char found[200];
};

static void set_arguments(const struct trial *t, cl_mem *buffers) {
    const struct indices *p = t->p;
    for (cl_uint a = 0; a < 5; a++)
        must(clSetKernelArg(t->kernel, a, sizeof buffers[a], &buffers[a]), "clSetKernelArg");
    for (cl_uint a = 0; a < 2; a++) {
        cl_int n = (cl_int)p->args[a];
        size_t tile = p->size[a] * elements_of[p->element[a]].size;
        must(clSetKernelArg(t->kernel, 5 + a, 4, &n), "clSetKernelArg");
        if (p->tiles_are_arguments)
            must(clSetKernelArg(t->kernel, 7 + a, tile, NULL), "clSetKernelArg");
    }
}

static unsigned items_of(const struct indices *p) {
    return p->local[0] * p->local[1] * p->groups[0] * p->groups[1];
}

static unsigned cells_of(const struct indices *p) {
    return p->groups[0] * p->groups[1] * (p->size[M_A] + p->size[M_B]);
}

static void launch(const struct trial *t, uint32_t *x, uint32_t *tiles, unsigned char *out) {
    const struct indices *p = t->p;
    size_t global[2], local[2], offset[2];
    cl_int offsets[MOST_ITEMS];
    unsigned char *in = initial(p, M_IN), *content = initial(p, M_OUT);
    size_t size = p->size[M_OUT] * elements_of[p->element[M_OUT]].size;
    for (unsigned d = 0; d < 2; d++)
        local[d] = p->local[d], global[d] = local[d] * p->groups[d], offset[d] = p->offset[d];
    for (unsigned i = 0; i < MOST_ITEMS; i++)
        offsets[i] = indices_offset(i);
    cl_mem buffers[] = {buffer_new(p->size[M_IN] * elements_of[p->element[M_IN]].size, in),
                        buffer_new(size, content), buffer_new(items_of(p) * 4, NULL),
                        buffer_new(cells_of(p) * 4, NULL), buffer_new(sizeof offsets, offsets)};
    free(in);
    free(content);
    set_arguments(t, buffers);
    must(clEnqueueNDRangeKernel(cl.queue, t->kernel, p->dims, offset, global, local, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
    must(clEnqueueReadBuffer(cl.queue, buffers[1], CL_TRUE, 0, size, out, 0, NULL, NULL), "reading");
    must(clEnqueueReadBuffer(cl.queue, buffers[2], CL_TRUE, 0, items_of(p) * 4, x, 0, NULL, NULL), "reading");
    must(clEnqueueReadBuffer(cl.queue, buffers[3], CL_TRUE, 0, cells_of(p) * 4, tiles, 0, NULL, NULL),
         "reading");
    for (int b = 0; b < 5; b++)
        clReleaseMemObject(buffers[b]);
}

static bool differs(struct trial *t, const char *what, const uint32_t *got, const uint32_t *want,
                    unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (got[i] != want[i]) {
            snprintf(t->found, sizeof t->found, "%s[%u] is %u, expected %u", what, i, got[i], want[i]);
            return true;
        }
    return false;
}

static bool out_differs(struct trial *t, const unsigned char *got, const uint32_t *want) {
    unsigned element = t->p->element[M_OUT], size = elements_of[element].size;
    for (unsigned i = 0; i < t->p->size[M_OUT]; i++) {
        unsigned char bytes[16];
        indices_encode(element, want[i], bytes);
        if (memcmp(got + i * size, bytes, size)) {
            snprintf(t->found, sizeof t->found, "out[%u] isn't %u", i, want[i]);
            return true;
        }
    }
    return false;
}

static bool fails(void *arg) {
    static struct outcome want, got;
    static unsigned char out[LARGEST * 16];
    struct trial *t = arg, once = *t;
    progress->beats++;
    cl_program program = NULL;
    if (!t->kernel) {
        cl_int error;
        source_begin();
        put("%s", indices_head);
        indices_emit(t->p, "k");
        program = build(source_text());
        once.kernel = clCreateKernel(program, "k", &error);
        must(error, "clCreateKernel");
    }
    launch(&once, got.x, got.tiles, out);
    if (program) {
        clReleaseKernel(once.kernel);
        clReleaseProgram(program);
    }
    indices_interpret(t->p, &want);
    return differs(t, "xs", got.x, want.x, items_of(t->p)) ||
           differs(t, "tiles", got.tiles, want.tiles, cells_of(t->p)) || out_differs(t, out, want.out);
}

static void report(unsigned long seed, const char *configuration, struct indices *p, struct trial *t) {
    t->kernel = NULL;
    if (number_from("FUZZ_REDUCE", 1))
        indices_reduce(p, fails, t);
    bool again = fails(t);
    source_begin();
    indices_emit(p, "k");
    printf("FUZZ_SEED=%lu, %s, %u x %u groups of %u x %u, offset %u, %u, arguments %d, %d: %s%s\n%s", seed,
           configuration, p->groups[0], p->groups[1], p->local[0], p->local[1], p->offset[0], p->offset[1],
           (int)p->args[0], (int)p->args[1], t->found, again ? "" : " (not when it is alone)", source_text());
    fflush(stdout);
}

/* The kernels of these seeds as one program; returns how many fail. */
static unsigned long run_some(unsigned long first, unsigned n, const struct configuration *c) {
    static struct indices kernels[TOGETHER];
    unsigned long wrong = 0;
    source_begin();
    put("%s", indices_head);
    for (unsigned i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%u", i);
        indices_make(first + i, &kernels[i]);
        indices_emit(&kernels[i], name);
    }
    if (number_from("FUZZ_PRINT", 0))
        printf("%s", source_text());
    progress->seed = first;
    cl_program program = build(source_text());
    for (unsigned i = 0; i < n; i++) {
        char name[16];
        cl_int error;
        snprintf(name, sizeof name, "k%u", i);
        struct trial t = {.p = &kernels[i], .kernel = clCreateKernel(program, name, &error)};
        must(error, "clCreateKernel");
        progress->seed = first + i;
        cl_kernel kernel = t.kernel;
        if (fails(&t)) {
            report(first + i, c->name, &kernels[i], &t);
            wrong++;
        }
        clReleaseKernel(kernel);
        progress->runs++;
    }
    clReleaseProgram(program);
    indices_forget();
    return wrong;
}

static int run_configuration(void *arg) {
    const struct configuration *c = arg;
    const char *older = __builtin_cpu_supports("avx512f") ? "x86-64-v3" : "x86-64-v2";
    if (c->variable)
        setenv(c->variable, c->value ? c->value : older, 1);
    device_open();
    unsigned long first = number_from("FUZZ_SEED", 1), wrongs = 0, most = number_from("FUZZ_FAILURES", 1);
    for (unsigned long left = runs_asked(60, 12); left && wrongs < most; fflush(stdout)) {
        unsigned n = left < TOGETHER ? (unsigned)left : TOGETHER;
        wrongs += first / TOGETHER % c->every ? 0 : run_some(first, n, c);
        first += n, left -= n;
    }
    device_close();
    return wrongs > 0;
}

int main(void) {
    setenv("WEIR_COMPILE_RETRY", "0", 0); /* slower code may not hide the compiler's mistakes */
    bool failed = false;
    for (unsigned i = 0; i < COUNT(configurations); i++) {
        int end = child_run(run_configuration, &configurations[i]);
        if (end < 0)
            printf("FUZZ_SEED=%lu, %s: signal %d\n", (unsigned long)progress->seed, configurations[i].name,
                   -end);
        failed |= end != 0;
    }
    printf("%lu kernels ran\n", (unsigned long)progress->runs);
    return failed;
}

/* Long kernels: code that the compiler forms otherwise because there is so much of it. */
#include "api.h"

enum { STEPS = 45, ROUNDS = 2, ITEMS = 192 };

/* Step n, of three kinds, each of which may have no round, with a branch after it that only some work-items take. */
static void write_step(char **at, int n) {
    static const char *const kinds[] = {"if (m[%d])", "for (int j = 0; j < m[%d]; j++)",
                                        "for (int j = 2 * m[%d]; j; j -= 2)"};
    *at += sprintf(*at, kinds[n % 3], n);
    *at += sprintf(*at, " { s[l] = x; barrier(1); x += s[(l + %d) %% size]; barrier(1); }\n", n);
    *at += sprintf(*at, "if (x & 4) x ^= s[l] + %d;\n", n);
}

static cl_kernel kernel_of_steps(void) {
    static char source[STEPS * 200 + 1000];
    char *at = source;
    at += sprintf(at, "kernel void k(global int *out, constant int *m, int rounds) { local int s[256];\n"
                      "int l = get_local_id(0), size = get_local_size(0), x = get_global_id(0);\n"
                      "s[l] = 0; for (int r = 0; r < rounds; r++) {\n");
    for (int n = 0; n < STEPS; n++)
        write_step(&at, n);
    sprintf(at, "} out[get_global_id(0)] = x; }");
    return kernel_of(source, "k");
}

static void step(int n, const int *m, unsigned *x, unsigned *s, size_t size) {
    for (int j = 0; j < (n % 3 ? m[n] : m[n] > 0); j++) {
        memcpy(s, x, size * sizeof *s);
        for (size_t l = 0; l < size; l++)
            x[l] += s[(l + (size_t)n) % size];
    }
    for (size_t l = 0; l < size; l++)
        x[l] ^= x[l] & 4 ? s[l] + (unsigned)n : 0;
}

static void expect_steps(const int *m, size_t size, const unsigned *found) {
    unsigned x[ITEMS], s[ITEMS] = {0};
    for (size_t from = 0; from < ITEMS; from += size) {
        for (size_t l = 0; l < size; l++)
            x[l] = (unsigned)(from + l);
        memset(s, 0, sizeof s);
        for (int r = 0; r < ROUNDS * STEPS; r++)
            step(r % STEPS, m, x, s, size);
        assert_memory_equal(x, found + from, size * sizeof *x);
    }
}

TEST(barriers_may_be_in_many_loops_and_branches_one_after_the_other) {
    static const size_t sizes[] = {64, 24};
    cl_kernel kernel = kernel_of_steps();
    int m[STEPS], rounds = ROUNDS;
    unsigned found[ITEMS];
    cl_mem out = zeros(ITEMS), counts = buffer_of(0, sizeof m, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    OK(clSetKernelArg(kernel, 1, sizeof counts, &counts));
    OK(clSetKernelArg(kernel, 2, sizeof rounds, &rounds));
    for (size_t i = 0; i < 3 * COUNT(sizes); i++) {
        size_t global = ITEMS, size = sizes[i % COUNT(sizes)];
        for (int n = 0; n < STEPS; n++)
            m[n] = (n + (int)i) * 7 % 3;
        OK(clEnqueueWriteBuffer(cl.queue, counts, CL_TRUE, 0, sizeof m, m, 0, NULL, NULL));
        OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &size, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
        expect_steps(m, size, found);
    }
    OK(clReleaseMemObject(out));
    OK(clReleaseMemObject(counts));
    OK(clReleaseKernel(kernel));
}

TEST(hundreds_of_accesses_may_each_go_by_another_index) {
    enum { READS = 450, SIZE = 1024, LOCAL = 96 };
    static char source[READS * 100 + 500];
    static unsigned a[SIZE], found[SIZE], expected[SIZE];
    char *at = source;
    at += sprintf(at, "kernel void k(global const uint *a, global uint *b) {\n"
                      "uint i = get_global_id(0), x = i;\n");
    for (int n = 0; n < READS; n++)
        at += sprintf(at, "x = (x ^ %d) + (x >> 3) * a[(i + %d) %s 1023];\n", n, n, n % 3 ? "&" : "%");
    sprintf(at, "b[i] = x; }");
    for (unsigned i = 0; i < SIZE; i++) {
        a[i] = i * 2654435761U;
    }
    for (unsigned i = 0; i < SIZE; i++) {
        expected[i] = i;
        for (unsigned n = 0; n < READS; n++)
            expected[i] = (expected[i] ^ n) + (expected[i] >> 3) * a[n % 3 ? (i + n) & 1023 : (i + n) % 1023];
    }
    cl_kernel kernel = kernel_of(source, "k");
    cl_mem in = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof a, a), out = zeros(SIZE);
    size_t global = SIZE / LOCAL * LOCAL, local = LOCAL;
    OK(clSetKernelArg(kernel, 0, sizeof in, &in));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    assert_memory_equal(found, expected, global * sizeof *found);
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
}

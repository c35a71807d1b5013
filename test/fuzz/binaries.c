/* Program binaries with bits flipped, pieces cut out, doubled or taken from other binaries, their checksums made right
 * again: loading one, asking everything about it and fetching the code of its kernels ends in an answer. Kernels don't
 * run: their code is the application's affair. Usage: see session.h. */
#include "device.h"
#include "session.h"

#include "../../src/base/hash.c"

enum { CHECKSUM = 32, HEAD = 20 /* magic, versions, type */ };

struct binary {
    unsigned char *bytes;
    size_t size, ir, ir_end; /* where the IR lies, which is most of it and which nobody here reads */
};
static struct binary binaries[5];
static unsigned long nloaded, ncode;

static const char *const sources[] = {
    "kernel void k(global int *p, int n, local int *l) { l[get_local_id(0)] = n; "
    "barrier(CLK_LOCAL_MEM_FENCE);"
    "p[get_global_id(0)] = l[0]; }\nkernel void other(float4 a, global float4 *b) { *b = a; }",
    "global int counter = 5; global int *where = &counter; kernel void k(global int *p) { p[0] = (*where)++; "
    "}",
    "kernel void k(global double *p) { p[0] = lgamma(p[1]) + remainder(p[2], p[3]); printf(\"%f %s\\n\", "
    "p[0], \"x\"); }",
    "typedef struct { char c; int4 v; } s; __attribute__((reqd_work_group_size(8, 1, 1)))"
    "kernel void k(s a, constant int *b, global int *c) { c[get_global_id(0)] = a.v.x + "
    "sub_group_reduce_add(b[0]); }",
    "int f(int x) { return x * 2; }",
};

/* Without a cache: the names of kept sources are in a binary, and so the folder's, on which what a seed changes would
 * depend. */
static cl_int build_all(void) {
    setenv("WEIR_CACHE_DIR", "", 1);
    cl_int e = CL_SUCCESS;
    device_open();
    for (size_t i = 0; i < COUNT(sources) && !e; i++) {
        struct binary *b = &binaries[i];
        bool library = i + 1 == COUNT(sources);
        const size_t one = 8;
        cl_program program = clCreateProgramWithSource(cl.context, 1, (const char **)&sources[i], NULL, &e);
        e |= library ? clCompileProgram(program, 0, NULL, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL)
                     : clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL);
        /* A launch of no work-items that fails behind an event still fetches the code. */
        if (!library && !e) {
            char zeros[64] = {0};
            cl_kernel kernel = clCreateKernel(program, "k", &e);
            cl_uint n;
            e |= clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL);
            for (cl_uint a = 0; a < n; a++) /* of the right size one of these */
                for (cl_uint size = 1; size <= sizeof zeros; size *= 2)
                    if (clSetKernelArg(kernel, a, size, zeros))
                        clSetKernelArg(kernel, a, size, NULL);
            cl_event gate = clCreateUserEvent(cl.context, &e);
            e |= clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, &one, 1, &gate, NULL);
            clSetUserEventStatus(gate, -1);
            clFinish(cl.queue);
            clReleaseEvent(gate);
            clReleaseKernel(kernel);
        }
        e |= clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof b->size, &b->size, NULL);
        b->bytes = malloc(b->size);
        e |= clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof b->bytes, &b->bytes, NULL);
        clReleaseProgram(program);
    }
    return e;
}

/* Another process builds them: this one has the cache. */
static void setup(void) {
    FILE *file = tmpfile();
    int status = -1;
    pid_t builder = file ? fork() : -1;
    if (!builder) {
        cl_int e = build_all();
        for (size_t i = 0; i < COUNT(binaries) && !e; i++) {
            fwrite(&binaries[i].size, sizeof binaries[i].size, 1, file);
            fwrite(binaries[i].bytes, 1, binaries[i].size, file);
        }
        _exit(e || fflush(file));
    }
    if (builder < 0 || waitpid(builder, &status, 0) < 0 || status) {
        wrong("no binaries to start from", status);
        return;
    }
    rewind(file);
    for (struct binary *b = binaries; b < binaries + COUNT(binaries); b++) {
        uint64_t options, ir;
        if (fread(&b->size, sizeof b->size, 1, file) != 1 || !(b->bytes = malloc(b->size)) ||
            fread(b->bytes, 1, b->size, file) != b->size)
            abort();
        memcpy(&options, b->bytes + HEAD, 8);
        memcpy(&ir, b->bytes + HEAD + 8 + options, 8);
        b->ir = HEAD + 16 + options;
        b->ir_end = b->ir + ir;
    }
    fclose(file);
    device_open();
}

/* A place in the binary, seldom in the IR. */
static size_t place(const struct binary *b) {
    size_t at = (size_t)(random_bits() % b->size);
    while (at >= b->ir && at < b->ir_end && !one_in(8))
        at = (size_t)(random_bits() % b->size);
    return at;
}

static void change(const struct binary *b, unsigned char *copy, size_t *size) {
    const struct binary *other = &binaries[below(COUNT(binaries))];
    size_t at = place(b), from = place(other), n = 1 + below(one_in(4) ? 4096 : 64);
    uint64_t number = odd_number();
    n = n < b->size - at ? n : b->size - at;
    switch (below(8)) {
    case 0: /* shorter */
        if (at + n <= *size) {
            memmove(copy + at, copy + at + n, *size - at - n);
            *size -= n;
        }
        return;
    case 1: /* spliced */
        memcpy(copy + at, other->bytes + from, n < other->size - from ? n : other->size - from);
        return;
    case 2:
        memset(copy + at, (int)number, n);
        return;
    case 3:
    case 4: /* a length, a count or an offset */
        at = at / 4 * 4;
        memcpy(copy + at, &number, b->size - at < 8 ? b->size - at : one_in(2) ? 8 : 4);
        return;
    default:
        copy[at] ^= (unsigned char)(1 << below(8));
    }
}

static void seal(unsigned char *copy, size_t size) {
    struct hash h;
    char hex[33];
    hash_init(&h);
    hash_bytes(&h, copy, size - CHECKSUM);
    hash_hex(&h, hex);
    memcpy(copy + size - CHECKSUM, hex, CHECKSUM);
}

static void ask_program(cl_program program) {
    static const cl_program_info names[] = {CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES,
                                            CL_PROGRAM_SOURCE, CL_PROGRAM_BINARY_SIZES};
    static const cl_program_build_info builds[] = {CL_PROGRAM_BUILD_OPTIONS, CL_PROGRAM_BUILD_LOG,
                                                   CL_PROGRAM_BINARY_TYPE,
                                                   CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE};
    char text[65536];
    size_t size = 0;
    for (size_t i = 0; i < COUNT(names); i++)
        clGetProgramInfo(program, names[i], sizeof text, text, &size);
    for (size_t i = 0; i < COUNT(builds); i++)
        clGetProgramBuildInfo(program, cl.device, builds[i], sizeof text, text, &size);
    if (!clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) && size < 1 << 24) {
        unsigned char *bytes = malloc(size + 1);
        clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
        free(bytes);
    }
}

static void set_arguments(cl_kernel kernel, cl_uint n) {
    static const char zeros[256];
    for (cl_uint i = 0; i < n && i < 100; i++) {
        char text[256];
        size_t size;
        clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, &size);
        clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, &size);
        for (size = 1; size <= sizeof zeros; size *= 2)
            if (clSetKernelArg(kernel, i, size, zeros)) /* local memory wants no value */
                clSetKernelArg(kernel, i, size, NULL);
        clSetKernelArg(kernel, i, 12, zeros);
        clSetKernelArg(kernel, i, 48, zeros);
    }
}

/* Everything up to the code, which is loaded but doesn't run. */
static void use_kernel(cl_kernel kernel, bool runs) {
    char answer[4096];
    size_t size, sizes[3] = {8, 1, 1}, global = 64;
    cl_uint n = 0;
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof answer, answer, &size);
    clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof answer, answer, &size);
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL);
    for (cl_uint name = CL_KERNEL_WORK_GROUP_SIZE; name <= CL_KERNEL_GLOBAL_WORK_SIZE; name++)
        clGetKernelWorkGroupInfo(kernel, cl.device, name, sizeof answer, answer, &size);
    clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof sizes, sizes,
                            sizeof size, &size, NULL);
    clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof size, sizes,
                            sizeof sizes, sizes, NULL);
    set_arguments(kernel, n);
    if (!runs)
        return;
    cl_event gate = clCreateUserEvent(cl.context, NULL);
    size = 8;
    ncode += !clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &size, 1, &gate, NULL);
    clSetUserEventStatus(gate, -1);
    clReleaseEvent(gate);
    clFinish(cl.queue);
}

static void run(void) {
    size_t which = below(COUNT(binaries));
    const struct binary *b = &binaries[which];
    unsigned char *copy = malloc(b->size);
    size_t size = b->size;
    memcpy(copy, b->bytes, size);
    for (uint32_t i = 1 + below(one_in(4) ? 8 : 2); i > 0 && size > CHECKSUM; i--)
        change(b, copy, &size);
    if (size > CHECKSUM && !one_in(32))
        seal(copy, size);
    cl_int e, status;
    cl_program program = clCreateProgramWithBinary(cl.context, 1, &cl.device, &size,
                                                   (const unsigned char **)&copy, &status, &e);
    free(copy);
    if (!program != (e != CL_SUCCESS))
        wrong("a program and an error, or neither", e);
    if (!program)
        return;
    nloaded++;
    ask_program(program);
    clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL);
    ask_program(program);
    cl_uint n = 0;
    cl_kernel kernels[16];
    if (!clCreateKernelsInProgram(program, COUNT(kernels), kernels, &n))
        for (cl_uint i = 0; i < n; i++) {
            /* Program-scope variables are initialized by code. */
            use_kernel(kernels[i], which != 1 && one_in(2));
            clReleaseKernel(kernels[i]);
        }
    clReleaseProgram(program);
}

static void finish(void) {
    printf("%lu loaded, the code of %lu kernels\n", nloaded, ncode);
}

int main(int argc, char **argv) {
    return session(argc, argv, getenv("WEIR_TEST_QUICK") ? 500 : 10000, setup, run, finish);
}

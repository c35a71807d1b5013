/* OpenCL C that was right once: pieces of the test kernels deleted, doubled, exchanged, mixed with each other, with odd
 * words and bytes in between, built with the kernel's own options or with others that may make sense. Every build and every
 * fetch of code ends in an answer, and what is built and asked for after it works. Kernels don't run. Usage: see session.h;
 * from the repository's root. FUZZ_SOURCES, a pattern of files, takes the place of test/kernel's.
 */
#include "device.h"
#include "session.h"

#include <glob.h>

static glob_t files;
static unsigned long nbuilt, ncode;

static void setup(void) {
    setenv("WEIR_BUILD_TIMEOUT", "20", 1);
    device_open();
    const char *pattern = getenv("FUZZ_SOURCES");
    if (glob(pattern ? pattern : "test/kernel/*/*.cl", 0, NULL, &files))
        wrong("no kernels", 0);
}

/* What the kernel's text says that it is built with. */
static void own_options(const char *text, char *with, size_t room) {
    static const char key[] = "\n// options: ";
    const char *line = strstr(text, key);
    const char *at = line ? line + strlen(key) : "";
    snprintf(with, room, "%.*s ", (int)strcspn(at, "\n"), at);
}

/* A file's text, at most `room` bytes. */
static size_t read_source(char *text, size_t room) {
    FILE *f = fopen(files.gl_pathv[below((uint32_t)files.gl_pathc)], "r");
    size_t n = f ? fread(text, 1, room, f) : 0;
    if (f)
        fclose(f);
    return n;
}

static const char *const words[] = {
    "barrier(CLK_LOCAL_MEM_FENCE);",
    "return",
    "if (get_local_id(0) & 1)",
    "for (;;)",
    "while (1)",
    "goto x; x:",
    "break;",
    "local",
    "global",
    "constant",
    "private",
    "generic",
    "volatile",
    "const",
    "kernel",
    "double8",
    "half",
    "int[1 << 30]",
    "long16",
    "struct { int a[0]; }",
    "atomic_int",
    "event_t",
    "image2d_t",
    "sampler_t",
    "queue_t",
    "(",
    ")",
    "{",
    "}",
    ";",
    "*",
    "&",
    "/ 0",
    "% 0",
    "<< 64",
    "->",
    "...",
    "sub_group_reduce_add(1)",
    "work_group_broadcast(1, 2)",
    "printf(\"%s\")",
    "__attribute__((reqd_work_group_size(4096, 4096, 1)))",
    "__attribute__((vec_type_hint(int)))",
    "asm(\"hlt\");",
    "#define f(x) f(f(x))\n",
    "#include <x>\n",
    "#include \"/dev/zero\"\n",
    "#pragma OPENCL EXTENSION all : enable\n",
    "#if 1\n",
    "\\\n",
    "\"",
    "'",
    "/*",
    "//",
    "\xff",
    "0x1p999",
    "1e999f",
    "99999999999999999999",
    "typedef",
    "sizeof",
    "__builtin_trap();",
    "__builtin_unreachable();",
    "alloca(1)",
    "as_float4",
    "convert_char_sat_rte",
    "(float4)(1, 2)",
    "virtual",
    "override",
    "= 0;",
    "public:",
    "struct odd { virtual void f() { barrier(1); } };",
    "template <typename T>",
    "auto",
    "this->",
    "[&](int x) { return x; }(1)",
    "int (*p)(int) = 0; p(1);",
    "((void (*)(void))1)();",
    "#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable\n",
};
static const char *const options[] = {
    "-cl-std=CL3.0",
    "-cl-std=CLC++2021",
    "-cl-std=CL2.0",
    "-cl-std=CL1.1",
    "-cl-fast-relaxed-math",
    "-cl-opt-disable",
    "-g",
    "-w",
    "-Werror",
    "-DN=4",
    "-D",
    "-I",
    "-I/nowhere",
    "-cl-std=",
    "-o x",
    "-x",
    "--help",
    "-cl-kernel-arg-info",
    "-Dkernel=",
    "-cl-mad-enable",
};

static size_t mutate(char *text, size_t n, size_t room) {
    char other[1 << 14];
    size_t at = n ? (size_t)(random_bits() % n) : 0, to = n ? (size_t)(random_bits() % n) : 0;
    size_t part = 1 + below(one_in(4) ? 200 : 12), m;
    const char *word = words[below(COUNT(words))];
    part = part < n - at ? part : n - at;
    switch (below(6)) {
    case 0:
        memmove(text + at, text + at + part, n - at - part);
        return n - part;
    case 1: /* a word */
        m = strlen(word);
        break;
    case 2: /* a piece of another kernel */
        m = read_source(other, sizeof other);
        to = m ? (size_t)(random_bits() % m) : 0;
        word = other + to;
        m = m - to < 400 ? m - to : 400;
        break;
    case 3: /* a piece of this one */
        m = n - to < part ? n - to : part;
        memcpy(other, text + to, m);
        word = other;
        break;
    case 4:
        if (n)
            text[at] = (char)random_bits();
        return n;
    default:
        if (n)
            text[at] ^= (char)(1 << below(7));
        return n;
    }
    if (n + m > room)
        return n;
    memmove(text + at + m, text + at, n - at);
    memcpy(text + at, word, m);
    return n + m;
}

/* Up to the code of the generic variant or of one for a local size; it waits for an event that fails. */
static void fetch_code(cl_kernel kernel) {
    static const char zeros[1024];
    const size_t global = 64, local = (size_t)1 << below(7);
    cl_uint n = 0;
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL);
    for (cl_uint i = 0; i < n && i < 32; i++)
        for (size_t size = 1; size <= sizeof zeros; size++)
            if (clSetKernelArg(kernel, i, size, zeros) == CL_SUCCESS ||
                clSetKernelArg(kernel, i, size, NULL) == CL_SUCCESS)
                break;
    cl_event gate = clCreateUserEvent(cl.context, NULL);
    ncode += !clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 1, &gate, NULL);
    clSetUserEventStatus(gate, -1);
    clReleaseEvent(gate);
    clFinish(cl.queue);
}

static void run(void) {
    char text[(1 << 15) + 1] = {0}, with[512] = "";
    const char *source = text;
    size_t n = read_source(text, sizeof text / 2), size;
    if (!one_in(4))
        own_options(text, with, sizeof with / 2);
    if (*with <= ' ' && !one_in(4))
        strcpy(with, "-cl-std=CL3.0 ");
    for (uint32_t i = one_in(8) ? below(30) : below(4); i > 0; i--)
        n = mutate(text, n, sizeof text - 1);
    text[n] = 0;
    for (uint32_t i = one_in(4) ? below(3) : 0; i > 0; i--)
        strcat(strcat(with, options[below(COUNT(options))]), " ");
    cl_int e;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &source, n ? &n : NULL, &e);
    if (!program)
        return;
    e = clBuildProgram(program, 1, &cl.device, with, NULL, NULL);
    if (e && e != CL_BUILD_PROGRAM_FAILURE && e != CL_INVALID_BUILD_OPTIONS)
        wrong("a build", e);
    clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    if (e && size < 2)
        wrong("a failure without a word", e);
    cl_kernel kernels[16];
    cl_uint count = 0;
    nbuilt += !e;
    if (!e && !clCreateKernelsInProgram(program, COUNT(kernels), kernels, &count))
        for (cl_uint i = 0; i < count; i++) {
            if (i < 2)
                fetch_code(kernels[i]);
            clReleaseKernel(kernels[i]);
        }
    clReleaseProgram(program);
}

static void finish(void) {
    printf("%lu built, the code of %lu kernels\n", nbuilt, ncode);
}

int main(int argc, char **argv) {
    return session(argc, argv, getenv("WEIR_TEST_QUICK") ? 40 : 200, setup, run, finish);
}

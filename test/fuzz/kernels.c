/* kernels.c: random kernels of many constructs and types (test/harness/fuzz/kernels/kernels.h), run on the device and,
 * compiled by clang for the host, work-item by work-item: with packs of 1 to 32, for processors of several kinds.
 *
 * In: FUZZ_SEED (first seed, default 1), FUZZ_COUNT (kernels, default 26, 5 with WEIR_TEST_QUICK), FUZZ_CONFIGURATIONS (as
 * "0,3": every kernel in each of them; default: each kernel in one), FUZZ_FAILURES (per configuration, before it gives up;
 * default 1), FUZZ_REDUCE=0 (no shortening), FUZZ_SOURCE (a file to take instead of the kernel's text, for experiments).
 * Out: exit code 1 and the source of kernels whose result differs, shortened while it does; 77 without clang-22. It runs in
 * the repository's root, where clang finds on_host.h. Each configuration has a process of its own, whose death is a failure
 * of the kernel that it ran. */
#include "device.h"
#include "findings.h"
#include "kernels.h"
#include "session.h"
#include <dlfcn.h>
#include <sys/stat.h>
#include <time.h>

enum { REDUCE_SECONDS = 300, IMAGE = 2 + 3 * PALETTE, BUFFERS };
enum { WITHOUT_MODULE }; /* in progress->count: kernels */

static struct configuration {
    const char *name, *width, *cpu;
    bool checked; /* by the checker, which must be silent */
    bool spirv;   /* as a module that weirc makes of the source */
} configurations[] = {{.name = "packs"},
                      {.name = "width 1", .width = "1"},
                      {.name = "width 2", .width = "2"},
                      {.name = "width 4", .width = "4"},
                      {.name = "width 8", .width = "8"},
                      {.name = "width 16", .width = "16"},
                      {.name = "width 32", .width = "32"},
                      {.name = "AVX2", .cpu = "x86-64-v3"},
                      {.name = "SSE", .cpu = "x86-64-v2"},
                      {.name = "SSE, packs of two", .width = "2", .cpu = "x86-64-v2"},
                      {.name = "AVX2, 16", .width = "16", .cpu = "x86-64-v3"},
                      {.name = "the checker", .checked = true},
                      {.name = "SPIR-V", .spirv = true}};
enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations };

static const struct configuration *running; /* of this process */
static bool no_module;                      /* clang has no right SPIR-V for the kernel, as weirc says */

static char folder[] = "/tmp/weir-kernels.XXXXXX";

struct memory { /* what a kernel's arguments point to */
    unsigned char *bytes[BUFFERS];
    size_t size[BUFFERS];
    uint32_t groups;
};

/* Buffers: out, cells, then of each type m, gs, in; an image. */
static void memory_new(const struct kernel_program *p, struct memory *m) {
    uint32_t groups = 1;
    for (int d = 0; d < 3; d++)
        groups *= (p->global[d] + p->local[d] - 1) / p->local[d];
    m->size[0] = MOST_GLOBAL * 4, m->size[1] = COUNTERS * 4;
    for (unsigned i = 0; i < PALETTE; i++) {
        unsigned size = type_size(p->palette[i]);
        m->size[2 + 3 * i] = (size_t)MOST_GLOBAL * (OWN + RESULTS) * size;
        m->size[3 + 3 * i] = (size_t)groups * MOST_ITEMS * size;
        m->size[4 + 3 * i] = (size_t)INPUT * size;
    }
    m->groups = groups;
    m->size[IMAGE] = (size_t)groups * MOST_ITEMS * 16;
    for (unsigned b = 0; b < BUFFERS; b++)
        m->bytes[b] = memset(aligned_alloc(128, (m->size[b] + 127) / 128 * 128), 0, m->size[b]);
    for (unsigned i = 0; i < PALETTE; i++)
        for (unsigned e = 0, n = p->palette[i].n == 3 ? 4 : p->palette[i].n; e < INPUT * n; e++) {
            const struct base_type *base = &base_types[p->palette[i].base];
            uint64_t bits = e * UINT64_C(0x9e3779b97f4a7c15) >> 7, x = e & 3 ? bits & 0x7f : bits;
            double number = (double)(bits % 41) - 20;
            float single = (float)number;
            _Float16 half = (_Float16)number;
            const void *from = base->kind != FLOATING ? (void *)&x
                               : base->size == 8      ? (void *)&number
                               : base->size == 4      ? (void *)&single
                                                      : (void *)&half;
            memcpy(m->bytes[4 + 3 * i] + (size_t)e * base->size, from, base->size);
        }
}

static void memory_free(struct memory *m) {
    for (unsigned b = 0; b < BUFFERS; b++)
        free(m->bytes[b]);
}

static const char *text_of_kernel(const struct kernel_program *p) {
    static char text[1 << 18];
    const char *name = getenv("FUZZ_SOURCE");
    FILE *file = name ? fopen(name, "r") : NULL;
    if (!file)
        return node_text(p->text);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* ---- on the host --------------------------------------------------------------------------------------------------- */

struct host_call {
    void *kernel, *arguments[2 + 4 * PALETTE + 1];
    uint32_t argument;
};

static void host_call(void *arg) {
    struct host_call *c = arg;
    void **a = c->arguments;
    ((void (*)(void *, void *, uint32_t, void *, void *, void *, void *, void *, void *, void *, void *,
               void *, void *, void *, void *, void *, void *, void *, void *, void *))c->kernel)(
        a[0], a[1], c->argument, a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13],
        a[14], a[15], a[16], a[17], a[18]);
}

static bool run_on_host(const struct kernel_program *p, uint32_t lanes, struct memory *m) {
    static char command[1000], source[100], object[100];
    static unsigned turn;
    snprintf(source, sizeof source, "%s/%d.cl", folder, getpid());
    snprintf(object, sizeof object, "%s/%d.%u.so", folder, getpid(), turn++);
    FILE *file = fopen(source, "w");
    const char *text = text_of_kernel(p);
    fputs(text, file);
    fclose(file);
    const char *standard = strstr(p->options, "-cl-std=");
    snprintf(command, sizeof command,
             "clang-22 -x cl --target=x86_64-linux-gnu -Xclang -cl-ext=+all -Xclang -finclude-default-header "
             "-Xclang "
             "-fdeclare-opencl-builtins -Xclang -ffloat16-excess-precision=none -include "
             "test/harness/fuzz/kernels/on_host.h -O0 -w "
             "-fPIC -shared -lm -ferror-limit=3 %.*s %s -o %s %s",
             (int)strcspn(standard, " "), standard, source, object,
             getenv("FUZZ_QUIET") ? "2>/dev/null" : "");
    int status = system(command);
    unlink(source);
    if (status)
        return false;
    void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    unlink(object);
    struct host_call call = {.kernel = library ? dlsym(library, "k") : NULL, .argument = p->argument};
    if (!call.kernel) {
        printf("%s\n", dlerror());
        exit(2);
    }
    call.arguments[0] = m->bytes[0], call.arguments[1] = m->bytes[1];
    call.arguments[2 + 4 * PALETTE] = m->bytes[IMAGE];
    void *local[PALETTE];
    for (unsigned i = 0; i < PALETTE; i++) {
        local[i] = aligned_alloc(128, (size_t)2 * MOST_ITEMS * ELEMENT);
        for (unsigned k = 0; k < 3; k++)
            call.arguments[2 + 4 * i + k] = m->bytes[2 + 3 * i + k];
        call.arguments[5 + 4 * i] = local[i];
    }
    struct host_launch launch = {.dims = p->dims, .subgroup = lanes, .call = host_call, .arg = &call};
    launch.required = strstr(text, "intel_reqd_sub_group_size") != NULL;
    memcpy(launch.global, p->global, sizeof p->global);
    memcpy(launch.local, p->local, sizeof p->local);
    memcpy(launch.offset, p->offset, sizeof p->offset);
    host_run(&launch);
    for (unsigned i = 0; i < PALETTE; i++)
        free(local[i]);
    dlclose(library);
    return true;
}

/* ---- on the device ------------------------------------------------------------------------------------------------- */

static cl_mem new_image(const struct image_kind *kind, struct memory *m) {
    static const cl_mem_object_type types[] = {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                               CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D,
                                               CL_MEM_OBJECT_IMAGE3D};
    cl_image_format format = {kind->order, kind->type};
    cl_image_desc desc = {.image_type = types[kind->shape],
                          .image_width = MOST_ITEMS,
                          .image_height = kind->has_layers ? 1 : m->groups,
                          .image_depth = kind->has_layers ? m->groups : 1,
                          .image_array_size = m->groups};
    cl_int error;
    cl_mem image = clCreateImage(cl.context, CL_MEM_READ_WRITE | (kind->plain ? CL_MEM_COPY_HOST_PTR : 0),
                                 &format, &desc, kind->plain ? m->bytes[IMAGE] : NULL, &error);
    must(error, "clCreateImage");
    return image;
}

/* The program as SPIR-V, in static memory; 0 bytes: it can't be. */
static size_t module_of(const struct kernel_program *p, unsigned char **module) {
    static unsigned char bytes[1 << 22];
    char command[1000], path[100];
    snprintf(path, sizeof path, "%s/%d.spv", folder, getpid());
    snprintf(command, sizeof command, "${BUILD:-build}/weirc --emit=spv '--options=%s' -o %s -", p->options,
             path);
    FILE *weirc = popen(command, "w");
    bool made = fputs(text_of_kernel(p), weirc) >= 0;
    made = !pclose(weirc) && made;
    FILE *file = fopen(path, "rb");
    size_t size = made && file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    unlink(path);
    *module = bytes;
    return size;
}

static cl_program program_of(const struct kernel_program *p, bool quiet) {
    unsigned char *module;
    cl_int error;
    if (!running->spirv)
        return program_new(text_of_kernel(p), p->options, quiet);
    size_t size = module_of(p, &module);
    no_module = !size;
    cl_program program = size ? clCreateProgramWithIL(cl.context, module, size, &error) : NULL;
    return program ? program_build(program, p->options, quiet) : NULL;
}

/* Whether it ran; `lanes` of a sub-group. */
static bool run_on_device(const struct kernel_program *p, struct memory *m, uint32_t *lanes, bool quiet) {
    cl_int error;
    cl_program program = program_of(p, quiet);
    if (!program)
        return false;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    clReleaseProgram(program);
    if (error)
        return false;
    cl_mem buffers[BUFFERS];
    size_t global[3], local[3], offset[3], lanes_there = 1;
    for (int d = 0; d < 3; d++)
        global[d] = p->global[d], local[d] = p->local[d], offset[d] = p->offset[d];
    for (cl_uint b = 0, a = 0; b < BUFFERS; b++) {
        buffers[b] = b == IMAGE ? new_image(&p->image, m) : buffer_new(m->size[b], m->bytes[b]);
        must(clSetKernelArg(kernel, a++, sizeof *buffers, &buffers[b]), "clSetKernelArg");
        if (b == 1)
            must(clSetKernelArg(kernel, a++, 4, &p->argument), "clSetKernelArg");
        if (b > 1 && b < IMAGE && (b - 2) % 3 == 2)
            must(clSetKernelArg(kernel, a++, (size_t)2 * MOST_ITEMS * type_size(p->palette[(b - 2) / 3]),
                                NULL),
                 "clSetKernelArg");
    }
    clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                            p->dims * sizeof *local, local, sizeof lanes_there, &lanes_there, NULL);
    *lanes = (uint32_t)lanes_there;
    error = clEnqueueNDRangeKernel(cl.queue, kernel, p->dims, offset, global, local, 0, NULL, NULL);
    for (unsigned b = 0; b < BUFFERS; b++) {
        size_t from[3] = {0}, region[3] = {MOST_ITEMS, p->image.has_layers ? 1 : m->groups,
                                           p->image.has_layers ? m->groups : 1};
        if (!error && b == IMAGE)
            error = !p->image.plain ? CL_SUCCESS
                                    : clEnqueueReadImage(cl.queue, buffers[b], CL_TRUE, from, region, 0, 0,
                                                         m->bytes[b], 0, NULL, NULL);
        else if (!error)
            error =
                clEnqueueReadBuffer(cl.queue, buffers[b], CL_TRUE, 0, m->size[b], m->bytes[b], 0, NULL, NULL);
        clReleaseMemObject(buffers[b]);
    }
    clReleaseKernel(kernel);
    if (error && !quiet)
        printf("the launch fails (%d)\n", error);
    return !error;
}

/* Whether the byte is the fourth element of a vector of three. */
static bool is_padding(const struct kernel_program *p, unsigned b, size_t at) {
    struct type t = p->palette[b < 2 || b == IMAGE ? 0 : (b - 2) / 3];
    return t.n == 3 && at / base_types[t.base].size % 4 == 3;
}

/* Whether the checker has told of something since this was asked before. */
static bool is_alarmed(void) {
    static off_t before;
    off_t now = findings_size(), old = before;
    before = now;
    return now != old;
}

/* How the kernel's results differ; NULL: not at all, or no legal program any more. */
static const char *difference(const struct kernel_program *p, bool quiet) {
    static char text[200];
    struct memory got, want;
    uint32_t lanes = 1;
    const char *found = NULL;
    progress->beats++;
    memory_new(p, &got);
    memory_new(p, &want);
    bool ran = run_on_device(p, &got, &lanes, quiet);
    if (!run_on_host(p, lanes, &want)) {
        found = quiet ? NULL : "clang refuses it for the host";
    } else if (no_module) {
        progress->count[WITHOUT_MODULE]++;
    } else if (!ran) {
        found = "it doesn't run";
    } else if (is_alarmed()) {
        found = "a false alarm";
    } else {
        for (unsigned b = 0; b < BUFFERS && !found; b++)
            for (size_t i = 0; i < got.size[b] && !found; i++)
                if (got.bytes[b][i] != want.bytes[b][i] && !is_padding(p, b, i) &&
                    (b != IMAGE || p->image.plain)) /* the kernel tells of others itself */
                    snprintf(text, sizeof text, "buffer %u, byte %zu is %u, expected %u", b, i,
                             got.bytes[b][i], want.bytes[b][i]),
                        found = text;
    }
    memory_free(&got);
    memory_free(&want);
    return found;
}

/* ---- shortening ---------------------------------------------------------------------------------------------------- */

/* Leaves out nodes, first large ones. Whether it got shorter. */
static bool shorten(struct kernel_program *p, struct node *n, time_t deadline) {
    bool shorter = false;
    for (; n && time(NULL) < deadline; n = n->next) {
        if (n->off)
            continue;
        if (!n->fixed) {
            n->off = true;
            if (difference(p, true)) {
                shorter = true;
                continue;
            }
            n->off = false;
            const char *open = n->open, *close = n->close;
            if (n->kid && (*open != '{' || open[1] != '\n')) { /* its kids alone */
                n->open = "{\n", n->close = "}\n";
                if (difference(p, true)) {
                    shorter = true;
                } else {
                    n->open = open, n->close = close;
                }
            }
        }
        shorter |= shorten(p, n->kid, deadline);
    }
    return shorter;
}

static bool passes(uint64_t seed, const struct configuration *c, bool nonuniform) {
    struct kernel_program p;
    const char *reduces = getenv("FUZZ_REDUCE");
    kernels_generate(seed, nonuniform, &p);
    if (getenv("FUZZ_PRINT"))
        printf("%s", node_text(p.text));
    const char *found = difference(&p, false);
    if (!found)
        return true;
    printf("FUZZ_SEED=%llu FUZZ_CONFIGURATIONS=%d, %s: %s\n", (unsigned long long)seed,
           (int)(c - configurations), c->name, found);
    fflush(stdout);
    time_t deadline = time(NULL) + REDUCE_SECONDS;
    if (!reduces || strcmp(reduces, "0"))
        while (shorten(&p, p.text, deadline)) {
        }
    printf("%s, local size %u,%u,%u, offset %u,%u,%u, arg %u: %s\n%s", p.options, p.local[0], p.local[1],
           p.local[2], p.offset[0], p.offset[1], p.offset[2], p.argument, difference(&p, true),
           node_text(p.text));
    return false;
}

static int run_configuration(void *arg) {
    const struct configuration *c = running = arg;
    cl_bool nonuniform = CL_FALSE, all = getenv("FUZZ_CONFIGURATIONS") != NULL;
    if (c->width)
        setenv("WEIR_WIDTH", c->width, 1);
    if (c->cpu)
        setenv("WEIR_CPU", c->cpu, 1);
    if (c->checked)
        findings_collect();
    device_open();
    clGetDeviceInfo(cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof nonuniform, &nonuniform,
                    NULL);
    unsigned long first = number_from("FUZZ_SEED", 1), wrongs = 0, most = number_from("FUZZ_FAILURES", 1);
    unsigned long count = runs_asked(26, 5);
    for (unsigned long seed = first; seed < first + count && wrongs < most; seed++) {
        if (!all && &configurations[seed % CONFIGURATIONS] != c)
            continue;
        progress->seed = seed;
        wrongs += !passes(seed, c, nonuniform);
        progress->runs++;
        fflush(stdout);
    }
    device_close();
    return wrongs > 0;
}

int main(void) {
    setenv("WEIR_COMPILE_RETRY", "0", 0); /* slower code may not hide the compiler's mistakes */
    const char *asked = getenv("FUZZ_CONFIGURATIONS");
    bool runs[CONFIGURATIONS] = {false}, failed = false;
    if (system("clang-22 --version >/dev/null 2>&1"))
        return 77;
    for (int i = 0; i < CONFIGURATIONS; i++)
        runs[i] = !asked;
    while (asked && *asked) {
        unsigned long i = strtoul(asked, (char **)&asked, 10);
        if (i < CONFIGURATIONS)
            runs[i] = true;
        asked += *asked == ',';
    }
    if (!mkdtemp(folder))
        return 1;
    findings_begin();
    for (int i = 0; i < CONFIGURATIONS; i++) {
        int end = runs[i] ? child_run(run_configuration, &configurations[i]) : 0;
        if (end < 0)
            printf("FUZZ_SEED=%lu FUZZ_CONFIGURATIONS=%d: signal %d\n", (unsigned long)progress->seed, i,
                   -end);
        failed |= end != 0;
    }
    findings_end();
    rmdir(folder);
    printf("%lu kernels ran", (unsigned long)progress->runs);
    printf(progress->count[WITHOUT_MODULE] ? ", %lu had no SPIR-V\n" : "\n",
           (unsigned long)progress->count[WITHOUT_MODULE]);
    return failed;
}

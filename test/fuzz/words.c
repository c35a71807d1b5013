/* Every function that the library exports but those that wait for others, called with machine words that are mostly wrong: NULL,
 * numbers, handles of other kinds, of objects that are gone, of parts of objects, of addresses where nothing lies; lists of such
 * words; sizes at which sums overflow. Each call gives an answer. The loader isn't asked: it would look at the first argument
 * itself. Runs with an even seed have two threads, each with objects of its own. Usage: see session.h; a run is 400 calls of
 * each thread.
 *
 * A caller's own promises are kept: pointers lead to memory, counts are no longer than lists, nobody waits for what doesn't
 * come, nothing is released while another thread may use it.
 */
#include "session.h"

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "cl_new.h"
#include "functions.h"
#include <dlfcn.h>
#include <pthread.h>

enum { THREADS = 2, CALLS = 400, WORDS = 512, ARGS = 16, ROOM = 8, HOST = 64 << 20 };

typedef uintptr_t word;
typedef word function(word, word, word, word, word, word, word, word, word, word, word, word, word, word,
                      word, word);
static struct {
    const char *name, *takes;
    function *call;
} functions[] = {
#define ROW(name, takes) {#name, takes, NULL},
    FUNCTIONS(ROW)};

static const char kinds[] = "CDQMSPKEBXTR", lists[] = " dqm p e x  ";
enum {
    CONTEXT,
    DEVICE,
    QUEUE,
    MEM,
    SAMPLER,
    PROGRAM,
    KERNEL,
    EVENT,
    BUFFER,
    SEMAPHORE,
    PLATFORM,
    RECORDED,
    KINDS
};

/* ---- what a thread has ---- */

struct thread {
    uint64_t state;
    bool alone;
    struct {
        word handle;
        unsigned refs; /* 0: there is none */
    } objects[KINDS][ROOM];
    word gone[ROOM];        /* handles of objects that were released */
    word memory[ROOM];      /* shared */
    word args[ARGS][WORDS]; /* what pointers lead to */
};
static char *host;                    /* as much as images have whose sizes are in bounds */
static word nowhere;                  /* an address that nothing lies at */
static bool can_look_anywhere = true; /* objects have memory of their own */

static uint64_t bits(struct thread *t) { /* splitmix64 */
    uint64_t z = t->state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static unsigned upto(struct thread *t, unsigned n) { /* below it */
    return (unsigned)(bits(t) >> 16) % n;
}

static function *found(const char *name) {
    for (size_t i = 0; i < COUNT(functions); i++)
        if (!strcmp(functions[i].name, name))
            return functions[i].call;
    abort();
}
#define CALL(name, ...) ((__typeof__(name) *)(void *)found(#name))(__VA_ARGS__)

static cl_int release(unsigned kind, word handle) {
    static const char *const names[KINDS] = {
        "clReleaseContext",          "clReleaseDevice",      "clReleaseCommandQueue", "clReleaseMemObject",
        "clReleaseSampler",          "clReleaseProgram",     "clReleaseKernel",       "clReleaseEvent",
        "clReleaseCommandBufferKHR", "clReleaseSemaphoreKHR"};
    return names[kind] ? ((cl_int (*)(word))(void *)found(names[kind]))(handle) : CL_SUCCESS;
}

static void lose(struct thread *t, unsigned kind, unsigned i) {
    if (kind == CONTEXT) /* what was allocated in it goes, too */
        memset(t->memory, 0, sizeof t->memory);
    for (; t->objects[kind][i].refs; t->objects[kind][i].refs--)
        release(kind, t->objects[kind][i].handle);
    t->gone[upto(t, ROOM)] = t->objects[kind][i].handle;
}

/* In place of another one, but the first of each kind, which are sound, stay. */
static void keep(struct thread *t, unsigned kind, word handle) {
    unsigned i = 0;
    while (i < ROOM && t->objects[kind][i].refs)
        i++;
    if (i == ROOM)
        lose(t, kind, i = 1 + upto(t, ROOM - 1));
    t->objects[kind][i].handle = handle;
    t->objects[kind][i].refs = 1;
}

/* ---- words ---- */

static word number(struct thread *t) {
    switch (upto(t, 8)) {
    case 0:
        return (word)1 << upto(t, can_look_anywhere ? 64 : 16);
    case 1:
        return ~(word)upto(t, 8);
    case 2:
        return 0x4000 + upto(t, 0x400);
    case 3:
    case 4:
        return 0x1000 + upto(t, 0x300);
    default:
        return upto(t, 8);
    }
}

/* Sizes that no machine has, or small ones: a buffer may be filled from what a pointer leads to. */
static word size(struct thread *t, bool is_there) {
    static const word near[] = {0, 1, 2, 3, 4, 8, 8, 8, 16, 24, 64, 256, 4096};
    static const word far[] = {~(word)0,      ~(word)3,   (word)1 << 63, ((word)1 << 63) - 1,
                               (word)1 << 44, ~(word)4095};
    return !is_there && !upto(t, 6) ? far[upto(t, COUNT(far))] : near[upto(t, COUNT(near))];
}

static word handle(struct thread *t, unsigned kind) {
    for (int tries = 0; tries < 8; tries++) {
        unsigned i = upto(t, 2) ? 0 : upto(t, ROOM);
        if (t->objects[kind][i].refs)
            return t->objects[kind][i].handle;
    }
    return 0;
}

static word bad(struct thread *t) {
    switch (upto(t, 7)) {
    case 0:
        return number(t);
    case 1:
        return handle(t, upto(t, KINDS));
    case 2:
        return (word)host;
    case 3:
        return can_look_anywhere ? nowhere + upto(t, 64) * 8 : 0;
    case 4:
        return can_look_anywhere && t->alone ? t->gone[upto(t, ROOM)] : 0;
    case 5:
        return handle(t, upto(t, KINDS)) + 8; /* inside of one */
    default:
        return 0;
    }
}

static word good_or_bad(struct thread *t, unsigned kind) {
    return upto(t, 8) ? handle(t, kind) : bad(t);
}

static word text(struct thread *t) {
    static const char texts[][80] = {/* as long as any length is */
                                     "",  "k",  "-w", "nonsense",     "kernel void k(global int *p) {}",
                                     "-", "-D", "%s", "-cl-std=CL3.0"};
    return upto(t, 8) ? (word)texts[upto(t, COUNT(texts))] : 0;
}

static word pointer(struct thread *t) {
    word p = upto(t, 2) ? t->memory[upto(t, ROOM)] : (word)host + upto(t, 4096) * 8;
    return upto(t, 8) ? p : 0;
}

/* A word for the letter, with what it leads to at `room`. */
static word argument(struct thread *t, char letter, word *room) {
    const char *kind = strchr(kinds, letter), *list = strchr(lists, letter);
    if (kind)
        return good_or_bad(t, (unsigned)(kind - kinds));
    for (int i = 0; i < WORDS; i++)
        room[i] = list            ? good_or_bad(t, (unsigned)(list - lists))
                  : letter == 's' ? text(t)
                  : letter == 'l' ? upto(t, 64)
                  : letter == 'g' ? size(t, false)
                  : letter == 'w' ? (upto(t, 2) ? number(t) : handle(t, upto(t, KINDS)))
                                  : 0;
    if (letter == 'w')
        room[upto(t, 12)] = 0, room[WORDS - 1] = 0;
    switch (letter) {
    case 'n':
        return number(t);
    case 'k':
        return upto(t, 4);
    case 'z':
        return size(t, false);
    case 'y':
        return size(t, true);
    case 't':
        return text(t);
    case 'h':
        return upto(t, 8) ? (word)host : 0;
    case 'a':
        return pointer(t);
    case 'F':
        return 0; /* set by the caller */
    default:
        return upto(t, 8) ? (word)room : 0;
    }
}

static void CL_CALLBACK nothing(void *a, void *b, void *c, void *d) {
}

/* ---- calls ---- */

static void count_reference(struct thread *t, const char *name, char letter, word object) {
    const char *kind = strchr(kinds, letter);
    int change = !strncmp(name, "clRetain", 8) ? 1 : !strncmp(name, "clRelease", 9) ? -1 : 0;
    for (unsigned i = 0; kind && change && i < ROOM; i++)
        if (t->objects[kind - kinds][i].refs && t->objects[kind - kinds][i].handle == object) {
            t->objects[kind - kinds][i].refs += (unsigned)change;
            if (!t->objects[kind - kinds][i].refs)
                lose(t, (unsigned)(kind - kinds), i);
            return;
        }
}

static void finish(struct thread *t) {
    for (unsigned i = 0; i < ROOM; i++)
        if (t->objects[QUEUE][i].refs)
            CALL(clFinish, (cl_command_queue)t->objects[QUEUE][i].handle);
}

/* An error is a code that has a number; what makes something tells of an error where it makes nothing, and only there. */
static void check_answer(const char *name, const char *takes, const word *a, word result) {
    const size_t last = strlen(takes) - 1;
    if (takes[0] == '-' && (cl_int)result > 0)
        wrong(name, (cl_int)result);
    if (takes[0] == '-' || takes[last] != 'o' || !a[last - 1])
        return;
    cl_int code = *(cl_int *)a[last - 1];
    if (code > 0 || (code == 0) != (result != 0))
        wrong(name, code);
}

static void call(struct thread *t) {
    unsigned f = upto(t, COUNT(functions));
    const char *name = functions[f].name, *takes = functions[f].takes + 1,
               *made = strchr(kinds, functions[f].takes[0]);
    word a[ARGS] = {0};
    for (int i = 0; takes[i]; i++)
        a[i] = takes[i] == 'F' ? (upto(t, 2) ? (word)nothing : 0) : argument(t, takes[i], t->args[i]);
    if (!functions[f].call || (!strncmp(name, "clRelease", 9) && upto(t, 4))) /* some stay */
        return;
    progress->beats++;
    if (getenv("FUZZ_SHOW")) {
        fprintf(stderr, "%s(", name);
        for (int i = 0; takes[i]; i++)
            fprintf(stderr, "%s%#lx", i ? ", " : "", a[i]);
        fprintf(stderr, ")\n");
    }
    if (strstr(name, "SVMFree") || strstr(name, "MemFree") ||
        strstr(name, "BlockingFree")) { /* commands may use it */
        finish(t);
        for (unsigned i = 0; i < ROOM; i++)
            t->memory[i] = t->memory[i] == a[1] ? 0 : t->memory[i];
    }
    word result = functions[f].call(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
                                    a[12], a[13], a[14], a[15]);
    if (getenv("FUZZ_SHOW"))
        fprintf(stderr, "    = %d\n", (int)result);
    check_answer(name, functions[f].takes, a, result);
    if (made && result && !strcmp(name, "clCreateUserEvent"))
        CALL(clSetUserEventStatus, (cl_event)result, CL_COMPLETE); /* for those who wait for it */
    if (made && result && strcmp(name, "clRemapCommandBufferKHR"))
        keep(t, (unsigned)(made - kinds), result);
    else if (functions[f].takes[0] == 'a' && result &&
             a[strchr(takes, 'z') - takes] >= 4096) /* the most that is used */
        t->memory[upto(t, ROOM)] = result;
    else if (functions[f].takes[0] == '-' && (cl_int)result == CL_SUCCESS)
        count_reference(t, name, takes[0], a[0]);
    for (int i = 0; takes[i]; i++)
        if (takes[i] == 'V' && a[i] && *(word *)a[i])
            keep(t, EVENT, *(word *)a[i]);
}

/* A sound one of each kind. */
static void begin(struct thread *t, cl_platform_id platform, cl_device_id device) {
    const char *source = "kernel void k(global int *p) {} kernel void l(local int *t, int n) {}";
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_semaphore_properties_khr type[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    cl_context c = CALL(clCreateContext, NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue q = CALL(clCreateCommandQueueWithProperties, c, device, properties, NULL);
    cl_program p = CALL(clCreateProgramWithSource, c, 1, &source, NULL, NULL);
    if (CALL(clBuildProgram, p, 0, NULL, "", NULL, NULL))
        wrong("the program doesn't build", 0);
    cl_event e = NULL;
    CALL(clEnqueueMarkerWithWaitList, q, 0, NULL, &e);
    keep(t, PLATFORM, (word)platform);
    keep(t, DEVICE, (word)device);
    keep(t, CONTEXT, (word)c);
    keep(t, QUEUE, (word)q);
    keep(t, MEM, (word)CALL(clCreateBuffer, c, 0, 4096, NULL, NULL));
    keep(t, MEM, (word)CALL(clCreateBuffer, c, CL_MEM_USE_HOST_PTR, 65536, host, NULL));
    keep(t, SAMPLER, (word)CALL(clCreateSampler, c, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, NULL));
    keep(t, PROGRAM, (word)p);
    keep(t, KERNEL, (word)CALL(clCreateKernel, p, "k", NULL));
    keep(t, KERNEL, (word)CALL(clCreateKernel, p, "l", NULL));
    keep(t, EVENT, (word)e);
    keep(t, BUFFER, (word)CALL(clCreateCommandBufferKHR, 1, &q, NULL, NULL));
    keep(t, SEMAPHORE, (word)CALL(clCreateSemaphoreWithPropertiesKHR, c, type, NULL));
    for (unsigned i = 0; i < ROOM; i++)
        t->memory[i] = (word)CALL(clSVMAlloc, c, 0, 65536, 0);
}

static void *calls(void *arg) {
    struct thread *t = arg;
    for (int i = 0; i < CALLS; i++)
        call(t);
    finish(t);
    return NULL;
}

static void run(void) {
    static struct thread threads[THREADS];
    pthread_t ids[THREADS];
    unsigned n = progress->seed % 2 ? 1 : THREADS;
    cl_platform_id platform;
    cl_device_id device;
    CALL(clGetPlatformIDs, 1, &platform, NULL);
    CALL(clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    for (unsigned i = 0; i < n; i++) {
        memset(&threads[i], 0, sizeof threads[i]);
        threads[i].state = random_bits();
        threads[i].alone = n == 1;
        begin(&threads[i], platform, device);
    }
    for (unsigned i = 0; i < n; i++)
        if (pthread_create(&ids[i], NULL, calls, &threads[i]))
            abort();
    for (unsigned i = 0; i < n; i++)
        pthread_join(ids[i], NULL);
    for (unsigned i = 0; i < n; i++)
        for (unsigned kind = KINDS; kind-- > 0;)
            for (unsigned o = 0; o < ROOM; o++)
                lose(&threads[i], kind, o);
}

/* The library that an .icd file names, or itself. */
static void *library(void) {
    static char path[4096];
    const char *named = getenv("OCL_ICD_VENDORS");
    snprintf(path, sizeof path, "%s", named ? named : "");
    size_t n = strlen(path);
    FILE *f = n > 4 && !strcmp(path + n - 4, ".icd") ? fopen(path, "r") : NULL;
    if (f && fgets(path, sizeof path, f))
        path[strcspn(path, "\n")] = 0;
    if (f)
        fclose(f);
    return dlopen(path, RTLD_NOW);
}

static void setup(void) {
    void *weir = library();
    if (!weir) {
        printf("OCL_ICD_VENDORS names no library: %s\n", dlerror());
        exit(1);
    }
    for (size_t i = 0; i < COUNT(functions); i++)
        functions[i].call = (function *)dlsym(weir, functions[i].name);
#if defined(__SANITIZE_ADDRESS__)
    can_look_anywhere = false; /* the sanitizer's allocator has the objects then */
#endif
    host = mmap(NULL, HOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    void *at = mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (host == MAP_FAILED || at == MAP_FAILED)
        abort();
    nowhere = (word)at;
}

int main(int argc, char **argv) {
    return session(argc, argv, getenv("WEIR_TEST_QUICK") ? 20 : 400, setup, run, NULL);
}

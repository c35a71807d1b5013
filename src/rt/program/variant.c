/* variant.c: kernel objects: found, compiled on demand, loaded.
 *
 * In: a build and what is wanted of it: a kernel, specialized for a local size or generic, or the object
 * that initializes program-scope variables. Out: the loaded object, the same for all who ask. Two threads
 * that want one object compile it once: the first enters a `compiling` record into the build, the others
 * wait for it and share its result, good or bad.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_SPECIALIZED 8  /* variants of one kernel; beyond them its generic variant serves */
#define MAX_OVER_ALL    16 /* the same over all builds of the program in this process */

/* What tells the objects of one build apart. */
struct wanted {
    const struct kernel_meta *kernel; /* NULL: program-scope variables */
    uint32_t local_size[3], width;    /* as in struct variant */
    struct constants constants;
};

struct compiling {
    struct compiling *next;
    struct wanted wanted;
    unsigned users; /* who still looks at it: the last one frees it */
    bool done;
    struct variant *result; /* NULL: failed, see error and log */
    cl_int error;
    char *log;
};

void variant_free(struct variant *v) {
    if (profile_on && v->handle) { /* its addresses may be in samples that aren't counted yet */
        free(v);
        return;
    }
    if (v->handle)
        dlclose(v->handle);
    free(v->elf);
    free(v);
}

/* ---- loading ---- */

/* The loader recognizes libraries by name, and descriptor numbers are used again: each load spells the
 * path /proc/self/fd/N in another way. */
static void unique_path(int fd, char *path, size_t size) {
    static _Atomic unsigned counter;
    unsigned id = atomic_fetch_add(&counter, 1);
    int at = snprintf(path, size, "/proc/self/fd");
    for (int bit = 0; bit < 32; bit++)
        at += snprintf(path + at, size - (size_t)at, id >> bit & 1 ? "/." : "//");
    snprintf(path + at, size - (size_t)at, "/%d", fd);
}

static void *load_from_memory(const unsigned char *elf, size_t n) {
    char path[160];
    void *handle = NULL;
    int fd = memfd_create("weir-kernel", MFD_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (write_all(fd, elf, n)) {
        unique_path(fd, path, sizeof path);
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    close(fd);
    return handle;
}

static void *load_from_temporary(const unsigned char *elf, size_t n) {
    const char *dir = secure_getenv("TMPDIR");
    char *path;
    void *handle = NULL;
    if (asprintf(&path, "%s/weir-XXXXXX.so", dir ? dir : "/tmp") < 0)
        return NULL;
    int fd = mkostemps(path, 3, O_CLOEXEC);
    if (fd >= 0 && write_all(fd, elf, n))
        handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int error = errno;
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    free(path);
    errno = error;
    return handle;
}

/* From a file in the cache if possible: debuggers and profilers can read it. */
static void *load(const unsigned char *elf, size_t n, char **log) {
    const char *what;
    if (!elf_is_sound(elf, n, &what)) {
        struct buf text = {0};
        buf_printf(&text, "the kernel object is damaged: its %s", what);
        *log = buf_cstr(&text);
        return NULL;
    }
    char *path = cache_object(elf, n);
    void *handle = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    free(path);
    if (!handle)
        handle = load_from_memory(elf, n);
    if (!handle)
        handle = load_from_temporary(elf, n);
    if (!handle) {
        int error = errno; /* of the last attempt, which is at a file */
        const char *why = dlerror();
        struct buf text = {0};
        buf_printf(&text, "%s%s",
                   why ? why : "the kernel object cannot be written anywhere: ", why ? "" : strerror(error));
        *log = buf_cstr(&text);
    }
    return handle;
}

static uint64_t base_of(void *handle) {
    const struct link_map *map;
    return dlinfo(handle, RTLD_DI_LINKMAP, &map) ? 0 : map->l_addr;
}

bool kernel_is_checked(const struct kernel_meta *kernel) {
    return kernel->checked || env_get()->check;
}

/* What queries tell. */
static uint32_t subgroup_size(const struct variant *v) {
    uint32_t asked = v->width & REQUEST_WIDTH;
    return meta_subgroup_size(v->kernel, asked ? asked : env_get()->width, v->local_size[0],
                              (size_t)v->local_size[1] * v->local_size[2]);
}

/* What the object exports for `v`, or NULL if it isn't what was asked for. */
static const void *entry_of(const struct variant *v) {
    const struct weir_globals *g = v->kernel ? NULL : dlsym(v->handle, WEIR_GLOBALS_SYMBOL);
    const struct weir_kernel *k = v->kernel ? dlsym(v->handle, WEIR_KERNEL_SYMBOL) : NULL;
    if (g && g->abi == WEIR_ABI_VERSION && g->init && g->align && !(g->align & (g->align - 1)) &&
        g->bytes <= WEIR_MAX_GLOBALS)
        return g;
    if (k && !(k->flags & WEIR_CHECKED) != !kernel_is_checked(v->kernel)) /* of a binary */
        return NULL;
    if (k && v->kernel->uses_subgroups && k->width != subgroup_size(v)) /* of a binary from elsewhere */
        return NULL;
    if (k && k->abi == WEIR_ABI_VERSION && k->run && k->width && (!v->width || k->width <= v->width) &&
        !memcmp(k->local_size, v->local_size, sizeof v->local_size))
        return k;
    return NULL;
}

/* ---- compiling ---- */

static void ask(const struct build *b, const struct variant *v, enum report_kind report, struct answer *a) {
    struct blob ir = {.data = b->ir, .size = b->ir_size};
    uint32_t asked = env_get()->width;
    if (v->kernel && v->kernel->uses_subgroups) /* what queries tell */
        asked = meta_subgroup_size(v->kernel, asked, 0, 0);
    struct request r = {.kind = v->kernel ? REQUEST_KERNEL : REQUEST_GLOBALS,
                        .inputs = &ir,
                        .ninputs = 1,
                        .kernel = v->kernel ? v->kernel->name : NULL,
                        .width = v->width ? v->width : asked,
                        .constants = v->constants,
                        .emit = EMIT_SO,
                        .check = v->kernel && kernel_is_checked(v->kernel),
                        .report = v->kernel ? report : REPORT_NONE};
    memcpy(r.local_size, v->local_size, sizeof r.local_size);
    compiler_ask(&r, a);
}

/* Asks weirc for the object; fills elf and elf_size, or gives the error. */
static cl_int compile(const struct build *b, struct variant *v, char **log) {
    struct answer a;
    ask(b, v, env_get()->report, &a);
    cl_int error = a.status == ANSWER_OK ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
    if (error) {
        *log = a.log;
        a.log = NULL;
    } else {
        log_text(a.report, env_get()->report == REPORT_JSON);
        v->is_hasty = a.effort != EFFORT_FULL;
        free(v->elf);
        v->elf = a.output;
        v->elf_size = a.output_size;
        a.output = NULL;
    }
    answer_free(&a);
    return error;
}

/* WEIR_PROFILE: also with its report, by a request of its own, so that the object is what it would be without. */
static void tell_profile(const struct build *b, const struct variant *v) {
    struct answer a;
    ask(b, v, REPORT_JSON, &a);
    profile_object(v, a.status == ANSWER_OK ? a.report : "");
    answer_free(&a);
}

/* Makes `v` ready; on failure it has neither object nor handle. An object from a program binary has no report. */
static cl_int produce(const struct build *b, struct variant *v, char **log) {
    bool wants_report = v->kernel && env_get()->report != REPORT_NONE;
    cl_int error = v->elf && !wants_report ? CL_SUCCESS : compile(b, v, log);
    if (error)
        return error;
    v->handle = load(v->elf, v->elf_size, log);
    v->entry = v->handle ? entry_of(v) : NULL;
    v->traced = trace_on && v->kernel ? trace_keep(v->kernel->name) : NULL;
    v->base = v->handle ? base_of(v->handle) : 0;
    if (v->entry && v->kernel && profile_on)
        tell_profile(b, v);
    if (v->entry)
        return CL_SUCCESS;
    if (v->handle) {
        dlclose(v->handle);
        *log = strdup("the kernel object is not of this version or of another kernel");
    }
    free(v->elf);
    v->handle = NULL;
    v->elf = NULL;
    v->elf_size = 0;
    return CL_INVALID_PROGRAM_EXECUTABLE;
}

static bool is_same(const struct wanted *a, const struct kernel_meta *kernel, const uint32_t *local,
                    uint32_t width, const struct constants *constants) {
    return a->kernel == kernel && a->width == width && !memcmp(a->local_size, local, sizeof a->local_size) &&
           a->constants.n == constants->n &&
           !memcmp(a->constants.at, constants->at, constants->n * sizeof *constants->at);
}

static struct variant **find_locked(struct build *b, const struct wanted *w) {
    struct variant **at = &b->variants;
    while (*at && !is_same(w, (*at)->kernel, (*at)->local_size, (*at)->width, &(*at)->constants))
        at = &(*at)->next;
    return at;
}

static struct compiling *find_compiling_locked(struct build *b, const struct wanted *w) {
    struct compiling *c = b->compiling;
    while (c && !is_same(w, c->wanted.kernel, c->wanted.local_size, c->wanted.width, &c->wanted.constants))
        c = c->next;
    return c;
}

/* The caller leaves a finished record: takes its result, frees it as the last one. */
static struct variant *leave_locked(struct compiling *c, cl_int *error, char **log) {
    struct variant *v = c->result;
    *error = c->error;
    *log = c->log ? strdup(c->log) : NULL;
    if (!--c->users) {
        free(c->log);
        free(c);
    }
    return v;
}

/* Called with the lock; gives it up while compiling. `stored` is a not yet loaded variant taken out of the
 * list, or NULL. */
static struct variant *make_locked(struct build *b, struct variant *stored, const struct wanted *wanted,
                                   cl_int *error, char **log) {
    struct compiling *c = calloc(1, sizeof *c);
    struct variant *v = stored ? stored : calloc(1, sizeof *v);
    if (!c || !v) {
        free(c);
        if (stored) {
            stored->next = b->variants;
            b->variants = stored;
        } else {
            free(v);
        }
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    *c = (struct compiling){.next = b->compiling, .wanted = *wanted, .users = 1};
    v->kernel = wanted->kernel;
    v->width = wanted->width;
    memcpy(v->local_size, wanted->local_size, sizeof v->local_size);
    v->constants = wanted->constants;
    b->compiling = c;
    pthread_mutex_unlock(&b->lock);

    c->error = produce(b, v, &c->log);
    if (c->error && stored) { /* a stored object that can't be used is only a missed saving */
        free(c->log);
        c->log = NULL;
        c->error = produce(b, v, &c->log);
    }
    if (c->error) {
        variant_free(v);
        v = NULL;
    }

    pthread_mutex_lock(&b->lock);
    struct compiling **at = &b->compiling;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    if (v) {
        v->next = b->variants;
        b->variants = v;
    }
    c->result = v;
    c->done = true;
    pthread_cond_broadcast(&b->changed);
    return leave_locked(c, error, log);
}

static struct variant *get_locked(struct build *b, const struct wanted *wanted, cl_int *error, char **log) {
    struct variant **at = find_locked(b, wanted);
    struct variant *v = *at;
    if (v && v->entry)
        return v;
    int cancel = cancel_off(); /* others wait for this one */
    struct compiling *c = find_compiling_locked(b, wanted);
    if (c) {
        c->users++;
        while (!c->done)
            pthread_cond_wait(&b->changed, &b->lock);
        v = leave_locked(c, error, log);
    } else {
        if (v)
            *at = v->next;
        v = make_locked(b, v, wanted, error, log);
    }
    cancel_on(cancel);
    return v;
}

/* ---- what others call ---- */

static unsigned count_specialized_locked(struct build *b, const struct kernel_meta *kernel) {
    unsigned n = 0;
    for (const struct variant *v = b->variants; v; v = v->next)
        n += v->kernel == kernel && (v->local_size[0] || v->constants.n);
    for (const struct compiling *c = b->compiling; c; c = c->next)
        n += c->wanted.kernel == kernel && (c->wanted.local_size[0] || c->wanted.constants.n);
    return n;
}

/* Whether the kernel may have this variant: it had it in this process, or not many others. A program that is built again and
 * again, as for each image, would else have MAX_SPECIALIZED made each time. */
static bool may_specialize(const struct build *b, const struct wanted *wanted) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        char key[33]; /* of the program and the kernel; empty: nobody's */
        unsigned n;
        char variants[MAX_OVER_ALL][33];
    } kernels[64];
    static unsigned oldest;
    enum { KERNELS = sizeof kernels / sizeof *kernels };
    const struct constants *constants = &wanted->constants;
    char key[33], variant[33];
    struct hash h;
    hash_init(&h);
    hash_bytes(&h, wanted->local_size, sizeof wanted->local_size);
    hash_bytes(&h, constants->at, constants->n * sizeof *constants->at);
    hash_hex(&h, variant);
    hash_init(&h);
    hash_bytes(&h, b->ir, b->ir_size);
    hash_bytes(&h, wanted->kernel->name, strlen(wanted->kernel->name));
    hash_hex(&h, key);
    pthread_mutex_lock(&lock);
    unsigned k = 0, n = 0;
    while (k < KERNELS && strcmp(kernels[k].key, key))
        k++;
    if (k == KERNELS) {
        k = oldest++ % KERNELS;
        memcpy(kernels[k].key, key, sizeof key);
        kernels[k].n = 0;
    }
    while (n < kernels[k].n && strcmp(kernels[k].variants[n], variant))
        n++;
    bool may = n < MAX_OVER_ALL;
    if (may && n == kernels[k].n)
        memcpy(kernels[k].variants[kernels[k].n++], variant, sizeof variant);
    pthread_mutex_unlock(&lock);
    return may;
}

struct variant *variant_get(struct build *b, const struct kernel_meta *kernel, const size_t *local,
                            const struct constants *constants, uint32_t width, cl_int *error, char **log) {
    struct wanted wanted = {.kernel = kernel, .width = width};
    for (int i = 0; local && env_get()->specialize && i < 3; i++)
        wanted.local_size[i] = (uint32_t)local[i];
    if (env_get()->specialize)
        wanted.constants = *constants;
    *error = CL_SUCCESS;
    *log = NULL;
    pthread_mutex_lock(&b->lock);
    if (wanted.local_size[0] || wanted.constants.n) {
        struct variant *v = *find_locked(b, &wanted);
        if (v && v->entry) { /* the common case, each launch */
            pthread_mutex_unlock(&b->lock);
            return v;
        }
        if (!v && !find_compiling_locked(b, &wanted) &&
            (count_specialized_locked(b, kernel) >= MAX_SPECIALIZED || !may_specialize(b, &wanted)))
            wanted = (struct wanted){.kernel = kernel, .width = width};
    }
    struct variant *v = get_locked(b, &wanted, error, log);
    pthread_mutex_unlock(&b->lock);
    return v;
}

/* Allocates and fills the block; false: no memory. */
static bool make_globals_locked(struct build *b, const struct weir_globals *g) {
    size_t size = g->bytes ? g->bytes : 1;
    b->globals = mem_allocate(size, g->align);
    if (!b->globals)
        return false;
    b->globals_size = size;
    memset(b->globals, 0, size);
    g->init(b->globals);
    return true;
}

static void fail_globals(const struct build *b, cl_int *error, char **log) {
    struct buf text = {0};
    buf_printf(&text, "no memory for %llu bytes of program-scope variables",
               (unsigned long long)b->meta.globals_bytes);
    *error = CL_OUT_OF_RESOURCES;
    *log = buf_cstr(&text);
}

bool variant_globals(struct build *b, void **globals, cl_int *error, char **log) {
    *error = CL_SUCCESS;
    *log = NULL;
    *globals = NULL;
    if (!b->meta.globals_bytes)
        return true;
    pthread_mutex_lock(&b->lock);
    if (!b->globals) {
        const struct variant *v = get_locked(b, &(struct wanted){0}, error, log);
        /* Under the lock, so that it happens once; initializers are a few copies. */
        if (v && !b->globals && !make_globals_locked(b, (const struct weir_globals *)v->entry))
            fail_globals(b, error, log);
    }
    *globals = b->globals;
    pthread_mutex_unlock(&b->lock);
    return *globals;
}

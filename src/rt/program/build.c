/* build.c: build results, and the calls that make them: clBuildProgram, clCompileProgram, clLinkProgram.
 *
 * Each call becomes a work order: checked in the specification's order, started under the program's lock
 * (state CL_BUILD_IN_PROGRESS), carried out by weirc, and published under the lock again. With a callback
 * it is carried out on a thread of its own. The lock is never held while compiling.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <assert.h>
#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ---- build results ---- */

struct build *build_new(void) {
    struct build *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    atomic_init(&b->refs, 1);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    return b;
}

struct build *build_hold(struct build *b) {
    uint32_t before = b ? atomic_fetch_add_explicit(&b->refs, 1, memory_order_relaxed) : 0;
    assert((!b || before > 0) && "a build that is gone is held"); /* the caller has one */
    (void)before;
    return b;
}

void build_drop(struct build *b) {
    /* Acquire-release: whoever frees must see what all others did before they let go. */
    uint32_t before = b ? atomic_fetch_sub_explicit(&b->refs, 1, memory_order_acq_rel) : 0;
    assert((!b || before > 0) && "a build is dropped once too often");
    if (before != 1)
        return;
    for (struct variant *v = b->variants, *next; v; v = next) {
        next = v->next;
        variant_free(v);
    }
    mem_free(b->globals, b->globals_size);
    free(b->ir);
    free(b->source);
    meta_free(&b->meta);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    free(b);
}

const struct kernel_meta *build_kernel(const struct build *b, const char *name) {
    for (uint32_t i = 0; i < b->meta.nkernels; i++)
        if (!strcmp(b->meta.kernels[i].name, name))
            return &b->meta.kernels[i];
    return NULL;
}

uint32_t build_nkernels(const struct build *b) {
    uint32_t n = 0;
    while (n < b->meta.nkernels && !b->meta.kernels[n].is_block)
        n++;
    return n;
}

/* ---- work orders ---- */

typedef void(CL_CALLBACK *notify_fn)(cl_program, void *);

struct order {
    const char *function;
    cl_program program;    /* held: gets the result */
    uint32_t kind;         /* REQUEST_COMPILE, LINK, BUILD; 0: the loaded binary needs no work */
    char *options;         /* NULL: none were given */
    cl_uint ndevices;      /* whose status changes */
    cl_device_id *devices; /* held */
    cl_uint ninputs;
    cl_program *headers;   /* held; COMPILE */
    char **names;          /* of the headers */
    struct build **builds; /* held; LINK */
    void *il;              /* SPIR-V; COMPILE, BUILD */
    bool library;
    notify_fn notify;
    void *user;
};

static void order_free(struct order *o) {
    if (!o)
        return;
    for (cl_uint i = 0; i < o->ninputs; i++) {
        if (o->headers)
            object_drop(o->headers[i]);
        if (o->names)
            free(o->names[i]);
        if (o->builds)
            build_drop(o->builds[i]);
    }
    free(o->headers);
    free(o->names);
    free(o->builds);
    for (cl_uint i = 0; o->devices && i < o->ndevices; i++)
        object_drop(o->devices[i]);
    free(o->devices);
    free(o->options);
    free(o->il);
    object_drop(o->program);
    free(o);
}

#define CHECK_OPTION "-weir-check"

static bool has_option(const char *options, const char *name) {
    size_t n = strlen(name);
    for (const char *p = options; p && (p = strstr(p, name)); p += n)
        if ((p == options || isspace((unsigned char)p[-1])) && (!p[n] || isspace((unsigned char)p[n])))
            return true;
    return false;
}

/* Whether its kernels may run under the checker, which then wants to know more of them. */
static bool wants_check(const struct order *o) {
    return env_get()->check || has_option(o->options, CHECK_OPTION);
}

/* NULL: out of memory. */
static struct order *order_new(const char *function, cl_program program, uint32_t kind, const char *options,
                               cl_uint ndevices, const cl_device_id *devices, notify_fn notify, void *user) {
    struct order *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    *o = (struct order){.function = function, .kind = kind, .notify = notify, .user = user};
    o->program = program;
    object_hold(program);
    o->options = options ? strdup(options) : NULL;
    if (program->il && (o->il = malloc(program->il_size))) { /* what is set from now on is for later builds */
        pthread_mutex_lock(&program->lock);
        memcpy(o->il, program->il_words, program->il_size);
        pthread_mutex_unlock(&program->lock);
    }
    o->ndevices = devices ? ndevices : program->ndevices;
    o->devices = calloc(o->ndevices, sizeof *o->devices);
    if (!o->devices || (options && !o->options) || (program->il && !o->il)) {
        order_free(o);
        return NULL;
    }
    for (cl_uint i = 0; i < o->ndevices; i++) {
        o->devices[i] = devices ? devices[i] : program->devices[i].device;
        object_hold(o->devices[i]);
    }
    return o;
}

static void set_status_locked(struct order *o, cl_build_status status) {
    o->program->status = status;
    for (cl_uint i = 0; i < o->ndevices; i++)
        program_set_status_locked(o->program, o->devices[i], status);
    if (status != CL_BUILD_IN_PROGRESS)
        pthread_cond_broadcast(&o->program->built);
}

/* Enters CL_BUILD_IN_PROGRESS; CL_INVALID_OPERATION, reported, where the program may not be built now. */
static cl_int order_begin(struct order *o) {
    cl_program p = o->program;
    pthread_mutex_lock(&p->lock);
    bool busy = p->status == CL_BUILD_IN_PROGRESS;
    cl_uint kernels = p->attached_kernels;
    if (!busy && !kernels)
        set_status_locked(o, CL_BUILD_IN_PROGRESS);
    pthread_mutex_unlock(&p->lock);
    if (busy)
        return api_fail(p->context, o->function, CL_INVALID_OPERATION,
                        "an earlier build of this program has not finished");
    if (kernels)
        return api_fail(p->context, o->function, CL_INVALID_OPERATION,
                        "%u kernel objects of this program are still alive", kernels);
    return CL_SUCCESS;
}

static cl_int result_code(uint32_t kind, uint32_t status) {
    static const cl_int failed[] = {[REQUEST_COMPILE] = CL_COMPILE_PROGRAM_FAILURE,
                                    [REQUEST_LINK] = CL_LINK_PROGRAM_FAILURE,
                                    [REQUEST_BUILD] = CL_BUILD_PROGRAM_FAILURE};
    static const cl_int invalid[] = {[REQUEST_COMPILE] = CL_INVALID_COMPILER_OPTIONS,
                                     [REQUEST_LINK] = CL_INVALID_LINKER_OPTIONS,
                                     [REQUEST_BUILD] = CL_INVALID_BUILD_OPTIONS};
    if (status == ANSWER_OK)
        return CL_SUCCESS;
    return status == ANSWER_INVALID_OPTIONS ? invalid[kind] : failed[kind];
}

static cl_program_binary_type result_type(const struct order *o) {
    if (o->kind == REQUEST_COMPILE)
        return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    return o->library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

/* Sends the order to weirc. */
static void order_ask(struct order *o, struct answer *a) {
    struct blob *inputs = calloc(o->ninputs + 1, sizeof *inputs);
    struct buf options = {0};
    bool debugs = env_get()->debug && o->kind != REQUEST_LINK;
    buf_printf(&options, "%s%s", o->options ? o->options : "", debugs ? " -g -cl-opt-disable" : "");
    if (!inputs || !buf_cstr(&options)) {
        free(inputs);
        buf_free(&options);
        *a = (struct answer){.status = ANSWER_COMPILER_FAILED, .log = strdup("out of memory")};
        return;
    }
    for (cl_uint i = 0; i < o->ninputs; i++)
        if (o->kind == REQUEST_LINK)
            inputs[i] = (struct blob){.data = o->builds[i]->ir, .size = o->builds[i]->ir_size};
        else
            inputs[i] = (struct blob){
                .data = o->headers[i]->source, .size = strlen(o->headers[i]->source), .name = o->names[i]};
    struct request r = {.kind = o->kind,
                        .options = buf_cstr(&options),
                        .inputs = inputs,
                        .ninputs = o->ninputs,
                        .check = wants_check(o)};
    if (o->program->source)
        r.source = (struct blob){.data = o->program->source, .size = strlen(o->program->source)};
    else if (o->il)
        r.source = (struct blob){.data = o->il, .size = o->program->il_size};
    compiler_ask(&r, a);
    free(inputs);
    buf_free(&options);
}

static void publish(struct order *o, struct answer *a, struct build *result, cl_int code) {
    cl_program p = o->program;
    char *log = a->log;
    a->log = NULL;
    pthread_mutex_lock(&p->lock);
    struct build *old = p->build;
    char *old_log = p->log, *old_options = p->options;
    p->build = result;
    p->binary_type = result ? result_type(o) : CL_PROGRAM_BINARY_TYPE_NONE;
    p->log = log;
    p->options = o->options;
    buf_free(&p->binary);
    set_status_locked(o, code ? CL_BUILD_ERROR : CL_BUILD_SUCCESS);
    pthread_mutex_unlock(&p->lock);
    o->options = NULL;
    build_drop(old);
    free(old_log);
    free(old_options);
}

/* A program made from an executable binary has its result already. */
static cl_int adopt_binary(struct order *o) {
    cl_program p = o->program;
    pthread_mutex_lock(&p->lock);
    for (uint32_t i = 0; p->build && has_option(o->options, CHECK_OPTION) && i < p->build->meta.nkernels; i++)
        p->build->meta.kernels[i].checked = 1;
    if (o->options) {
        free(p->options);
        p->options = o->options;
        o->options = NULL;
    }
    set_status_locked(o, CL_BUILD_SUCCESS);
    pthread_mutex_unlock(&p->lock);
    return CL_SUCCESS;
}

/* The log is the sentence, without the end of its last line. Only when the result is published, as it calls the application. */
static void report_failure(const struct order *o, cl_int code, const char *log) {
    size_t length = strlen(log);
    while (length && log[length - 1] == '\n')
        length--;
    api_fail(o->program->context, o->function, code, "%.*s", (int)length, log);
}

/* Carries out the order, reports a failure and calls the callback. Frees nothing. */
static cl_int order_run(struct order *o) {
    cl_int code;
    if (!o->kind) {
        code = adopt_binary(o);
    } else {
        struct answer a;
        order_ask(o, &a);
        code = result_code(o->kind, a.status);
        struct build *result = code ? NULL : build_new();
        if (result) {
            result->ir = a.output;
            result->ir_size = a.output_size;
            result->meta = a.meta;
            result->source = wants_check(o) && o->program->source ? strdup(o->program->source) : NULL;
            a.output = NULL;
            a.meta = (struct program_meta){0};
        } else if (!code) {
            code = CL_OUT_OF_HOST_MEMORY;
        }
        char *log = code && a.log ? strdup(a.log) : NULL; /* the program's may go with its next build */
        publish(o, &a, result, code);
        if (code)
            report_failure(o, code, log ? log : "out of memory");
        free(log);
        answer_free(&a);
    }
    no_lock_is_held(__func__);
    if (o->notify)
        o->notify(o->program, o->user);
    return code;
}

static void *order_thread(void *arg) {
    struct order *o = arg;
    order_run(o);
    object_release(o->program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
    order_free(o);
    return NULL;
}

/* On a thread of its own; false: none can be made. */
static bool order_run_aside(struct order *o) {
    pthread_t thread;
    /* The application may release the program meanwhile; its callback still gets a valid handle. */
    object_retain(o->program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
    if (worker_thread(&thread, 0, order_thread, o)) {
        object_release(o->program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
        return false;
    }
    pthread_detach(thread);
    return true;
}

/* Consumes the order. With a callback the result is the callback's to look at. */
static cl_int order_execute(struct order *o) {
    if (o->notify && order_run_aside(o))
        return CL_SUCCESS;
    cl_int code = order_run(o);
    if (o->notify)
        code = CL_SUCCESS;
    order_free(o);
    return code;
}

/* ---- the API ---- */

static cl_int check_common(const char *function, cl_program program, cl_uint ndevices,
                           const cl_device_id *devices, notify_fn notify, void *user) {
    if (!object_is(program, OBJECT_PROGRAM))
        return handle_fail(NULL, function, CL_INVALID_PROGRAM, "program", program);
    if (!notify && user)
        return api_fail(program->context, function, CL_INVALID_VALUE,
                        "user_data is given and pfn_notify is NULL");
    return program_check_devices(function, program->context, program, ndevices, devices);
}

WEIR_API cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
                                           const cl_device_id *device_list, const char *options,
                                           void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                           void *user_data) {
    cl_int e = check_common(__func__, program, num_devices, device_list, pfn_notify, user_data);
    if (e)
        return e;
    if (!program->source && !program->il && !program->from_binary)
        return API_FAIL(program->context, CL_INVALID_OPERATION, "the program has no source: it was linked");
    if (program->from_binary && program->binary_type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        return API_FAIL(program->context, CL_INVALID_BINARY, "the program's binary is not an executable");
    struct order *o = order_new(__func__, program, program->from_binary ? 0 : REQUEST_BUILD, options,
                                num_devices, device_list, pfn_notify, user_data);
    if (!o)
        return API_FAIL(program->context, CL_OUT_OF_HOST_MEMORY, "no memory for a build");
    if ((e = order_begin(o))) {
        order_free(o);
        return e;
    }
    return order_execute(o);
}

/* Takes the headers into the order; of two with one name, the first counts. */
static cl_int add_headers(struct order *o, cl_uint n, const cl_program *headers, const char **names) {
    o->headers = calloc(n + 1, sizeof *o->headers);
    o->names = calloc(n + 1, sizeof *o->names);
    if (!o->headers || !o->names)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < n; i++) {
        bool known = false;
        for (cl_uint j = 0; j < o->ninputs && !known; j++)
            known = !strcmp(o->names[j], names[i]);
        if (known)
            continue;
        char *name = strdup(names[i]);
        if (!name)
            return CL_OUT_OF_HOST_MEMORY;
        object_hold(headers[i]);
        o->headers[o->ninputs] = headers[i];
        o->names[o->ninputs++] = name;
    }
    return CL_SUCCESS;
}

static cl_int check_headers(const char *function, cl_program program, cl_uint n, const cl_program *headers,
                            const char **names) {
    if ((n == 0) != (headers == NULL) || (n == 0) != (names == NULL))
        return api_fail(program->context, function, CL_INVALID_VALUE,
                        "the number of headers, their programs and their names don't fit each other");
    for (cl_uint i = 0; i < n; i++) {
        if (!object_is(headers[i], OBJECT_PROGRAM) || !headers[i]->source)
            return api_fail(program->context, function, CL_INVALID_PROGRAM,
                            "header %u is not a program with source", i);
        if (!names[i] || !*names[i])
            return api_fail(program->context, function, CL_INVALID_VALUE, "header %u has no name", i);
        if (headers[i]->context != program->context)
            return api_fail(program->context, function, CL_INVALID_CONTEXT, "header %u is of another context",
                            i);
    }
    return CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices,
                                             const cl_device_id *device_list, const char *options,
                                             cl_uint num_input_headers, const cl_program *input_headers,
                                             const char **header_include_names,
                                             void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                             void *user_data) {
    cl_int e = check_common(__func__, program, num_devices, device_list, pfn_notify, user_data);
    if (!e)
        e = check_headers(__func__, program, num_input_headers, input_headers, header_include_names);
    if (e)
        return e;
    if (!program->source && !program->il)
        return API_FAIL(program->context, CL_INVALID_OPERATION, "the program has no source");
    if (program->il) /* headers are for source, says the specification */
        num_input_headers = 0;
    struct order *o = order_new(__func__, program, REQUEST_COMPILE, options, num_devices, device_list,
                                pfn_notify, user_data);
    if (!o || add_headers(o, num_input_headers, input_headers, header_include_names)) {
        order_free(o);
        return API_FAIL(program->context, CL_OUT_OF_HOST_MEMORY, "no memory for a compilation");
    }
    if ((e = order_begin(o))) {
        order_free(o);
        return e;
    }
    return order_execute(o);
}

/* Takes the inputs' compiled code into the order. */
static cl_int add_inputs(struct order *o, cl_uint n, const cl_program *inputs) {
    cl_context context = o->program->context;
    cl_uint without = 0;
    o->builds = calloc(n, sizeof *o->builds);
    if (!o->builds)
        return api_fail(context, o->function, CL_OUT_OF_HOST_MEMORY, "no memory for a link");
    for (cl_uint i = 0; i < n; i++) {
        cl_program p = inputs[i];
        pthread_mutex_lock(&p->lock);
        bool busy = p->status == CL_BUILD_IN_PROGRESS;
        bool fits = p->binary_type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
                    p->binary_type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
        if (!busy && fits && p->build)
            o->builds[o->ninputs++] = build_hold(p->build);
        else
            without++;
        pthread_mutex_unlock(&p->lock);
        if (busy)
            return api_fail(context, o->function, CL_INVALID_OPERATION,
                            "input program %u is still being compiled", i);
    }
    if (without)
        return api_fail(context, o->function, CL_INVALID_OPERATION,
                        "%u of %u input programs hold no compiled object and no library", without, n);
    return CL_SUCCESS;
}

static cl_int check_link(const char *function, cl_context context, cl_uint ndevices,
                         const cl_device_id *devices, cl_uint n, const cl_program *inputs, notify_fn notify,
                         void *user) {
    cl_int error = context_check(function, context);
    if (error)
        return error;
    if (!n || !inputs)
        return api_fail(context, function, CL_INVALID_VALUE, "num_input_programs is %u, input_programs is %s",
                        n, inputs ? "given" : "NULL");
    if (!notify && user)
        return api_fail(context, function, CL_INVALID_VALUE, "user_data is given and pfn_notify is NULL");
    for (cl_uint i = 0; i < n; i++) {
        if (!object_is(inputs[i], OBJECT_PROGRAM))
            return api_fail(context, function, CL_INVALID_PROGRAM, "input %u is not a program", i);
        if (inputs[i]->context != context)
            return api_fail(context, function, CL_INVALID_CONTEXT, "input program %u is of another context",
                            i);
    }
    return program_check_devices(function, context, NULL, ndevices, devices);
}

WEIR_API cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
                                              const cl_device_id *device_list, const char *options,
                                              cl_uint num_input_programs, const cl_program *input_programs,
                                              void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                              void *user_data, cl_int *errcode_ret) {
    cl_program program = NULL;
    struct order *o = NULL;
    cl_int e = check_link(__func__, context, num_devices, device_list, num_input_programs, input_programs,
                          pfn_notify, user_data);
    if (e)
        goto end;
    program = program_new(context, num_devices, device_list);
    if (program)
        o = order_new(__func__, program, REQUEST_LINK, options, num_devices, device_list, pfn_notify,
                      user_data);
    if (!o) {
        e = API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for a program");
        goto end;
    }
    o->library = has_option(options, "-create-library");
    e = add_inputs(o, num_input_programs, input_programs);
    if (!e)
        e = order_begin(o);
    if (e) {
        order_free(o);
        goto end;
    }
    e = order_execute(o);
end:
    /* A link that began and failed gives its program all the same: the log is there. */
    if (program && e && e != CL_LINK_PROGRAM_FAILURE) {
        object_release(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
        program = NULL;
    }
    if (errcode_ret)
        *errcode_ret = e;
    return program;
}

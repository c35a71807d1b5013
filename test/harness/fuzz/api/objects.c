/* objects.c: see objects.h. */
#include "objects.h"

unsigned char host[HOST];

/* ---- the objects of a sequence ---- */

struct object objects[KINDS][ROOM];
struct allocation svm[ROOM];
int live_contexts;

struct object *free_place(enum kind kind) {
    for (int i = 0; i < ROOM; i++)
        if (!objects[kind][i].handle)
            return &objects[kind][i];
    return NULL;
}

struct object *any(enum kind kind) {
    struct object *o = &objects[kind][below(ROOM)];
    for (int i = 0; i < ROOM && !o->handle; i++)
        o = &objects[kind][below(ROOM)];
    return o->handle ? o : NULL;
}

bool exists(enum kind kind) {
    for (int i = 0; i < ROOM; i++)
        if (objects[kind][i].handle)
            return true;
    return false;
}

void *handle(enum kind kind) {
    struct object *o = any(one_in(24) ? (enum kind)below(KINDS) : kind);
    return o && !one_in(32) ? o->handle : NULL;
}

struct object *object_of(void *handle, enum kind kind) {
    for (int i = 0; handle && i < ROOM; i++)
        if (objects[kind][i].handle == handle)
            return &objects[kind][i];
    return NULL;
}

void check_made(const void *made, cl_int e, const char *what) {
    if (!made == !e || e > 0)
        wrong(what, e);
}

void check(cl_int e, const char *what) {
    if (e > 0 || e < -9999 || (e < -72 && e > -1000))
        wrong(what, e);
}

cl_int (*const releases[])(void *) = {
    (cl_int (*)(void *))clReleaseDevice,       (cl_int (*)(void *))clReleaseContext,
    (cl_int (*)(void *))clReleaseCommandQueue, (cl_int (*)(void *))clReleaseMemObject,
    (cl_int (*)(void *))clReleaseSampler,      (cl_int (*)(void *))clReleaseProgram,
    (cl_int (*)(void *))clReleaseKernel,       (cl_int (*)(void *))clReleaseEvent,
};

struct object *keep(enum kind kind, void *made, cl_context context) {
    struct object *o = made ? free_place(kind) : NULL;
    if (o)
        *o = (struct object){.handle = made, .context = context};
    else if (made)
        check(releases[kind](made), "releasing");
    return o;
}

void keep_event(cl_event event, cl_context context) {
    keep(EVENT, event, context);
}

void open_gates(void) {
    for (int i = 0; i < ROOM; i++) {
        struct object *o = &objects[EVENT][i];
        if (o->handle && o->is_gate)
            check(clSetUserEventStatus(o->handle, one_in(4) ? -(cl_int)below(100) - 1 : CL_COMPLETE), "gate");
        o->is_gate = false;
    }
}

void finish_all(void) {
    open_gates();
    for (int i = 0; i < ROOM; i++)
        if (objects[QUEUE][i].handle)
            check(clFinish(objects[QUEUE][i].handle), "clFinish");
}

/* ---- arguments ---- */

size_t number(void) {
    return (size_t)odd_number();
}

size_t near_or_far(void) {
    size_t n = number();
    return n < HOST || n >> 40 ? n : n % HOST;
}

cl_uint enum_near(cl_uint first, cl_uint n) {
    return one_in(8) ? (cl_uint)odd_number() : first + below(n);
}

struct waiting wait_list(void) {
    struct waiting w = {.n = one_in(3) ? below(4) : 0};
    for (cl_uint i = 0; i < w.n; i++)
        w.list[i] = handle(EVENT);
    return w;
}

void piece(const struct object *o, size_t *offset, size_t *size) {
    uint32_t all = o && o->size < HOST ? (uint32_t)o->size : HOST;
    *offset = one_in(4) ? number() : below(all ? all : 1);
    *size = one_in(4) ? number() : below(all + 1);
    if (*size > HOST && (!o || o->size > HOST))
        *size = 0;
}

/* object.c: the two reference counts that every API object begins with (struct object in rt.h).
 *
 * In: handles as the application passes them, maybe NULL, of another kind or released. Out: counted objects;
 * the last internal reference runs `destroy` on the thread that drops it.
 */
#include "rt.h"

void object_init(void *handle, enum object_kind kind, void (*destroy)(void *)) {
    struct object *o = handle;
    o->dispatch = &weir_dispatch;
    o->kind = kind;
    o->destroy = destroy;
    atomic_init(&o->refs, 1);
    atomic_init(&o->held, 1);
}

bool object_is(const void *handle, enum object_kind kind) {
    const struct object *o = handle;
    return o && (uintptr_t)o % _Alignof(struct object) == 0 && o->kind == kind &&
           atomic_load_explicit(&o->refs, memory_order_relaxed) > 0;
}

/* Adds `by` to the API count unless that is 0 already: a released handle stays released. */
static bool count(struct object *o, uint32_t by, uint32_t *before) {
    uint32_t refs = atomic_load_explicit(&o->refs, memory_order_relaxed);
    do {
        if (refs == 0)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&o->refs, &refs, refs + by, memory_order_acq_rel,
                                                    memory_order_relaxed));
    *before = refs;
    return true;
}

cl_int object_retain(void *handle, enum object_kind kind, cl_int invalid) {
    uint32_t before;
    return object_is(handle, kind) && count(handle, 1, &before) ? CL_SUCCESS : invalid;
}

cl_int object_release(void *handle, enum object_kind kind, cl_int invalid) {
    uint32_t before;
    if (!object_is(handle, kind) || !count(handle, (uint32_t)-1, &before))
        return invalid;
    if (before == 1)
        object_drop(handle);
    return CL_SUCCESS;
}

void object_hold(void *handle) {
    struct object *o = handle;
    /* Relaxed: whoever holds one reference may make another. */
    atomic_fetch_add_explicit(&o->held, 1, memory_order_relaxed);
}

void object_drop(void *handle) {
    struct object *o = handle;
    /* Release: our writes come before the destruction; acquire: the destroyer sees everybody's. */
    if (!o || atomic_fetch_sub_explicit(&o->held, 1, memory_order_acq_rel) != 1)
        return;
    atomic_store_explicit(&o->refs, 0, memory_order_relaxed);
    o->destroy(o);
}

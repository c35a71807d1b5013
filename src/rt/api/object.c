/* object.c: the two reference counts that every API object begins with (struct object in rt.h).
 *
 * In: handles as the application passes them, maybe NULL, of another kind or released. Out: counted objects;
 * the last internal reference runs `destroy` on the thread that drops it.
 */
#include "rt.h"

#include <assert.h>

void object_init(void *handle, enum object_kind kind, void (*destroy)(void *)) {
    struct object *o = handle;
    o->dispatch = icd_table;
    object_set_kind(o, kind);
    o->destroy = destroy;
    atomic_init(&o->refs, 1);
    atomic_init(&o->held, 1);
}

void object_set_kind(void *handle, enum object_kind kind) {
    struct object *o = handle;
    atomic_store_explicit(&o->kind, kind, memory_order_relaxed);
}

/* The two that lie elsewhere. Apart, so that object_is() calls nothing on its way. */
static __attribute__((noinline)) bool is_static(const void *handle, enum object_kind kind) {
    return kind == OBJECT_PLATFORM ? handle == &weir_platform
                                   : kind == OBJECT_DEVICE && handle == device_root();
}

/* What a program passes by mistake is often a number, or a pointer to something else: that isn't looked at. */
bool object_is(const void *handle, enum object_kind kind) {
    const struct object *o = handle;
    if (!object_is_readable(o))
        return is_static(o, kind);
    return atomic_load_explicit(&o->kind, memory_order_relaxed) == kind &&
           atomic_load_explicit(&o->held, memory_order_relaxed) > 0;
}

/* An object without API references may still be reached, through a query of one that holds it (the context
 * of a queue): retaining it makes a new API reference, which holds it like the first one did. */
cl_int object_retain(void *handle, enum object_kind kind, cl_int invalid) {
    struct object *o = handle;
    if (!object_is(handle, kind))
        return invalid;
    object_hold(o);
    if (atomic_fetch_add_explicit(&o->refs, 1, memory_order_acq_rel) > 0)
        object_drop(o);
    return CL_SUCCESS;
}

cl_int object_release(void *handle, enum object_kind kind, cl_int invalid) {
    struct object *o = handle;
    if (!object_is(handle, kind))
        return invalid;
    uint32_t refs = atomic_load_explicit(&o->refs, memory_order_relaxed);
    do {
        if (refs == 0) /* one release too many: what is left belongs to other objects */
            return invalid;
    } while (!atomic_compare_exchange_weak_explicit(&o->refs, &refs, refs - 1, memory_order_acq_rel,
                                                    memory_order_relaxed));
    if (refs == 1)
        object_drop(o);
    return CL_SUCCESS;
}

void object_hold(void *handle) {
    struct object *o = handle;
    /* Relaxed: whoever holds one reference may make another. */
    uint32_t before = atomic_fetch_add_explicit(&o->held, 1, memory_order_relaxed);
    assert(before > 0 && "an object that is gone is held");
    (void)before; /* with NDEBUG */
}

bool object_hold_alive(void *handle) {
    struct object *o = handle;
    uint32_t held = atomic_load_explicit(&o->held, memory_order_relaxed);
    while (held && !atomic_compare_exchange_weak_explicit(&o->held, &held, held + 1, memory_order_relaxed,
                                                          memory_order_relaxed))
        continue;
    return held > 0;
}

void object_drop(void *handle) {
    struct object *o = handle;
    tsan_release();
    /* Release: our writes come before the destruction; acquire: the destroyer sees everybody's. */
    uint32_t before = o ? atomic_fetch_sub_explicit(&o->held, 1, memory_order_acq_rel) : 0;
    assert((!o || before > 0) && "an object is dropped once too often");
    if (before != 1)
        return;
    no_lock_is_held(__func__); /* as destroying it may call, and drop others that do */
    tsan_acquire();
    atomic_store_explicit(&o->refs, 0, memory_order_relaxed);
    o->destroy(o);
}

/* checked_order.c: commands under the checker (WEIR_CHECK): how each is called, and which bytes it accesses.
 *
 * In: commands as they are enqueued and as they run. Out: what src/check/order.c goes by, to find commands that touch the
 * same bytes without an order between them. Where commands wait for each other is told by command.c and event.c. */
#include "check.h"
#include "rt.h"

void checked_enter(cl_event e) {
    cl_command_queue q = e->queue;
    if (!e->checked || !q)
        return;
    uint64_t place = e->is_internal ? atomic_load_explicit(&q->calls, memory_order_relaxed)
                                    : atomic_fetch_add_explicit(&q->calls, 1, memory_order_relaxed) + 1;
    check_command_enter(e->checked, command_call(e->type), q, q->number, place);
}

void checked_uses(cl_event e, cl_kernel kernel, const struct check_launch *l) {
    for (size_t i = 0; i < l->nmemory; i++)
        if (l->memory[i].argument && !l->memory[i].is_exact)
            check_command_uses(e->checked, l->memory[i].start, l->memory[i].size);
    pthread_mutex_lock(&kernel->lock);
    for (size_t i = 0; i < kernel->nsvm_pointers; i++) {
        struct svm_range range;
        if (svm_range_of(e->context, kernel->svm_pointers[i], &range))
            check_command_uses(e->checked, (uint64_t)range.start, range.size);
    }
    pthread_mutex_unlock(&kernel->lock);
}

static void drop_build(void *build) {
    build_drop(build);
}

void checked_begin(struct check_launch *l, cl_event as, struct build *build, const struct weir_kernel *full,
                   const struct weir_kernel *rest, const struct weir_launch *geometry) {
    if (as->checked) /* sites are in the build's objects */
        check_command_keep(as->checked, build_hold(build), drop_build);
    check_launch_begin(l, as->checked, full, rest, geometry);
}

/* The event graph has no edges from commands that have ended. */
void checked_order(cl_event e, bool is_newest) {
    cl_command_queue q = e->queue;
    check_command_follow(e->checked, q->checked);
    if (e->waits_all && q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        check_command_follow_all(e->checked, q);
    if (is_newest) {
        check_command_drop(q->checked);
        q->checked = check_command_hold(e->checked);
    }
}

/* ---- bytes ---- */

static cl_mem root_of(cl_mem mem) {
    while (mem && mem->parent)
        mem = mem->parent;
    return mem;
}

/* The object's allocation, if the address is in it. */
static void find_whole(struct check_rect *r, cl_mem mem) {
    cl_mem root = root_of(mem);
    if (root && r->start - (uint64_t)root->data < root->size) {
        r->whole = (uint64_t)root->data;
        r->whole_size = root->size;
    }
}

static void touch(cl_event as, cl_command_type type, const void *start, const size_t *region,
                  const size_t *pitch, cl_mem a, cl_mem b, bool writes) {
    struct check_rect r = {.start = (uint64_t)start,
                           .bytes = region[0],
                           .rows = region[1],
                           .slices = region[2],
                           .row_pitch = pitch[0],
                           .slice_pitch = pitch[1]};
    find_whole(&r, a);
    find_whole(&r, b);
    struct svm_range range;
    r.is_host =
        !r.whole_size && type != CL_COMMAND_SVM_MEMFILL; /* what is mapped may be copied, not filled */
    if (!r.whole_size && svm_range_of(as->context, start, &range)) {
        r.whole = (uint64_t)range.start;
        r.whole_size = range.size;
    }
    check_command_touch(as->checked, command_call(type), &r, writes);
}

void checked_copy(cl_event as, cl_command_type type, const struct box *b, cl_mem one, cl_mem other) {
    if (!as->checked)
        return;
    touch(as, type, b->src, b->region, b->src_pitch, one, other, false);
    touch(as, type, b->dst, b->region, b->dst_pitch, one, other, true);
}

void checked_fill(cl_event as, cl_command_type type, const struct box *b, cl_mem mem) {
    if (as->checked)
        touch(as, type, b->dst, b->region, b->dst_pitch, mem, NULL, true);
}

void checked_touch(cl_event as, cl_command_type type, const void *start, size_t size, bool writes) {
    const size_t region[3] = {size, 1, 1}, pitch[2] = {0, 0};
    if (as->checked)
        touch(as, type, start, region, pitch, NULL, NULL, writes);
}

void checked_map(cl_event e, cl_mem mem, const struct image_piece *piece, bool writes) {
    size_t texel = mem->image ? mem->image->kernel.texel_bytes : 1;
    size_t region[3] = {piece->region[0] * texel, piece->region[1], piece->region[2]};
    if (e->checked)
        touch(e, e->type, piece->start, region, piece->pitch, mem, NULL, writes);
}

void checked_free(const char *call, cl_event as, const void *start, size_t size) {
    if (env_get()->check)
        check_freeing(call, as ? as->checked : NULL, (uint64_t)start, size);
}

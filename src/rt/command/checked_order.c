/* checked_order.c: commands under the checker (WEIR_CHECK): how each is called, and which bytes it accesses.
 *
 * In: commands as they are enqueued and as they run. Out: what src/check/order.c goes by, to find commands that touch the
 * same bytes without an order between them. Where commands wait for each other is told by command.c and event.c. */
#include "check.h"
#include "rt.h"

static const char *call_of(cl_command_type type) {
    static const struct {
        cl_command_type type;
        const char *call;
    } calls[] = {
        {CL_COMMAND_NDRANGE_KERNEL, "clEnqueueNDRangeKernel"},
        {CL_COMMAND_TASK, "clEnqueueTask"},
        {CL_COMMAND_NATIVE_KERNEL, "clEnqueueNativeKernel"},
        {CL_COMMAND_READ_BUFFER, "clEnqueueReadBuffer"},
        {CL_COMMAND_WRITE_BUFFER, "clEnqueueWriteBuffer"},
        {CL_COMMAND_COPY_BUFFER, "clEnqueueCopyBuffer"},
        {CL_COMMAND_READ_IMAGE, "clEnqueueReadImage"},
        {CL_COMMAND_WRITE_IMAGE, "clEnqueueWriteImage"},
        {CL_COMMAND_COPY_IMAGE, "clEnqueueCopyImage"},
        {CL_COMMAND_COPY_IMAGE_TO_BUFFER, "clEnqueueCopyImageToBuffer"},
        {CL_COMMAND_COPY_BUFFER_TO_IMAGE, "clEnqueueCopyBufferToImage"},
        {CL_COMMAND_MAP_BUFFER, "clEnqueueMapBuffer"},
        {CL_COMMAND_MAP_IMAGE, "clEnqueueMapImage"},
        {CL_COMMAND_UNMAP_MEM_OBJECT, "clEnqueueUnmapMemObject"},
        {CL_COMMAND_MARKER, "clEnqueueMarkerWithWaitList"},
        {CL_COMMAND_READ_BUFFER_RECT, "clEnqueueReadBufferRect"},
        {CL_COMMAND_WRITE_BUFFER_RECT, "clEnqueueWriteBufferRect"},
        {CL_COMMAND_COPY_BUFFER_RECT, "clEnqueueCopyBufferRect"},
        {CL_COMMAND_BARRIER, "clEnqueueBarrierWithWaitList"},
        {CL_COMMAND_MIGRATE_MEM_OBJECTS, "clEnqueueMigrateMemObjects"},
        {CL_COMMAND_FILL_BUFFER, "clEnqueueFillBuffer"},
        {CL_COMMAND_FILL_IMAGE, "clEnqueueFillImage"},
        {CL_COMMAND_SVM_FREE, "clEnqueueSVMFree"},
        {CL_COMMAND_SVM_MEMCPY, "clEnqueueSVMMemcpy"},
        {CL_COMMAND_SVM_MEMFILL, "clEnqueueSVMMemFill"},
        {CL_COMMAND_SVM_MAP, "clEnqueueSVMMap"},
        {CL_COMMAND_SVM_UNMAP, "clEnqueueSVMUnmap"},
        {CL_COMMAND_SVM_MIGRATE_MEM, "clEnqueueSVMMigrateMem"},
        {CL_COMMAND_MEMFILL_INTEL, "clEnqueueMemFillINTEL"},
        {CL_COMMAND_MEMCPY_INTEL, "clEnqueueMemcpyINTEL"},
        {CL_COMMAND_MIGRATEMEM_INTEL, "clEnqueueMigrateMemINTEL"},
        {CL_COMMAND_MEMADVISE_INTEL, "clEnqueueMemAdviseINTEL"},
        {CL_COMMAND_COMMAND_BUFFER_KHR, "clEnqueueCommandBufferKHR"},
        {CL_COMMAND_SEMAPHORE_SIGNAL_KHR, "clEnqueueSignalSemaphoresKHR"},
        {CL_COMMAND_SEMAPHORE_WAIT_KHR, "clEnqueueWaitSemaphoresKHR"},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].type == type)
            return calls[i].call;
    return "a command";
}

void checked_enter(cl_event e) {
    cl_command_queue q = e->queue;
    if (!e->checked || !q)
        return;
    uint64_t place = e->is_internal ? atomic_load_explicit(&q->calls, memory_order_relaxed)
                                    : atomic_fetch_add_explicit(&q->calls, 1, memory_order_relaxed) + 1;
    check_command_enter(e->checked, call_of(e->type), q, q->number, place);
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
    r.is_host = !r.whole_size;
    if (!r.whole_size && svm_range_of(as->context, start, &range)) {
        r.whole = (uint64_t)range.start;
        r.whole_size = range.size;
    }
    check_command_touch(as->checked, call_of(type), &r, writes);
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

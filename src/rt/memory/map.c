/* map.c: mapping buffers and images into the host's address space.
 *
 * In: regions of them. Out: pointers into their own memory: nothing is copied, so a map command
 * is only its place in the order. The pointer is valid when the enqueue returns; each mapping is remembered
 * in its object, from then until its unmap command has run, for the errors and CL_MEM_MAP_COUNT.
 */
#include "check.h"
#include "rt.h"

#include <stdlib.h>
#include <string.h>

/* Held by its object's list while `linked` and by its commands, all under the object's lock. */
struct mapping {
    struct mapping *next;
    unsigned refs;
    bool linked;
    struct image_piece piece; /* of a buffer: one row */
    bool writes;
    bool unmapping;                /* an unmap command is on its way */
    struct check_command *checked; /* WEIR_CHECK: the map command's; else NULL */
};

#define WRITE_FLAGS (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)

bool map_flags_are_valid(cl_map_flags flags) {
    return !(flags & ~(cl_map_flags)(CL_MAP_READ | WRITE_FLAGS)) &&
           !(flags & CL_MAP_WRITE_INVALIDATE_REGION && flags & (CL_MAP_READ | CL_MAP_WRITE));
}

static void free_mapping(struct mapping *m) {
    check_command_map_gone(m->checked);
    free(m);
}

void map_forget(cl_mem mem) {
    struct mapping *m;

    while ((m = mem->mappings)) {
        mem->mappings = m->next;
        free_mapping(m);
    }
}

/* A command lets go of its mapping, which `ends` if it is still in the list, or can be unmapped again. */
static void drop_mapping(cl_mem mem, struct mapping *m, bool ends, bool mapped_again) {
    struct mapping **link;
    bool last;

    pthread_mutex_lock(&mem->lock);
    if (ends && m->linked) {
        for (link = &mem->mappings; *link != m; link = &(*link)->next)
            ;
        *link = m->next;
        m->linked = false;
        m->refs--;
        mem->map_count--;
    }
    if (mapped_again)
        m->unmapping = false;
    last = --m->refs == 0;
    pthread_mutex_unlock(&mem->lock);
    if (last)
        free_mapping(m);
}

/* A map or unmap command. */
struct map_payload {
    cl_mem mem; /* held */
    struct mapping *mapping;
    bool ran;
};

static cl_int map_run(void *payload, cl_event as) {
    struct map_payload *p = payload;

    p->ran = true;
    if (as->type != CL_COMMAND_UNMAP_MEM_OBJECT)
        checked_map(as, p->mem, &p->mapping->piece, p->mapping->writes);
    return CL_SUCCESS;
}

/* A map command that didn't run (its wait list failed) leaves no mapping, an unmap command that ran either. */
static void map_cleanup(cl_event event) {
    struct map_payload *p = event->payload;
    bool maps = event->type != CL_COMMAND_UNMAP_MEM_OBJECT;

    drop_mapping(p->mem, p->mapping, p->ran != maps, !p->ran && !maps);
    object_drop(p->mem);
}

static cl_event new_command(cl_command_queue queue, cl_command_type type, cl_mem mem) {
    cl_event command = command_new(queue, type, sizeof(struct map_payload));

    if (command) {
        ((struct map_payload *)command->payload)->mem = mem;
        command->run = map_run;
        command->cleanup = map_cleanup;
    }
    return command;
}

/* Links the mapping in; false: it would be the second to write some byte. */
static bool link_mapping(cl_mem mem, struct mapping *new) {
    bool free_to_write = true;

    pthread_mutex_lock(&mem->lock);
    for (struct mapping *m = mem->mappings; m && new->writes; m = m->next)
        if (m->writes && !m->unmapping && image_pieces_overlap(&m->piece, &new->piece))
            free_to_write = false;
    if (free_to_write) {
        new->refs = 2; /* the list's and the command's */
        new->linked = true;
        new->next = mem->mappings;
        mem->mappings = new;
        mem->map_count++;
    }
    pthread_mutex_unlock(&mem->lock);
    return free_to_write;
}

static cl_int check_flags(const char *function, cl_mem mem, cl_map_flags flags) {
    if (!map_flags_are_valid(flags))
        return api_fail(mem->context, function, CL_INVALID_VALUE,
                        "map flags 0x%llx are unknown or exclude each other", (unsigned long long)flags);
    return mem_check_host(function, mem, flags & CL_MAP_READ, flags & WRITE_FLAGS);
}

static cl_int map_memory(const char *function, cl_command_queue queue, cl_command_type type, cl_mem mem,
                         const struct mapping *like, struct enqueue_order o) {
    cl_event command = new_command(queue, type, mem);
    struct mapping *m = malloc(sizeof(*m));

    if (!command || !m) {
        free(m);
        if (command)
            command->cleanup = NULL;
        object_drop(command);
        return api_fail(queue->context, function, CL_OUT_OF_HOST_MEMORY, "no memory for a mapping");
    }
    *m = *like;
    if (!link_mapping(mem, m)) {
        free(m);
        command->cleanup = NULL;
        object_drop(command);
        return api_fail(queue->context, function, CL_INVALID_OPERATION,
                        "a part of this region is already mapped for writing");
    }
    ((struct map_payload *)command->payload)->mapping = m;
    m->checked = command->checked;
    check_command_maps(m->checked, (uint64_t)m->piece.start, true);
    object_hold(mem);
    return order_command(function, command, o);
}

WEIR_API void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                              cl_map_flags flags, size_t offset, size_t size, cl_uint nwait,
                                              const cl_event *wait, cl_event *event, cl_int *errcode_ret) {
    struct mapping like = {.piece = {.origin = {offset, 0, 0}, .region = {size, 1, 1}},
                           .writes = flags & WRITE_FLAGS};
    cl_int error = command_check(__func__, queue, nwait, wait);

    if (!error)
        error = mem_check(__func__, queue, mem, offset, size);
    if (!error && size == 0)
        error = API_FAIL(queue->context, CL_INVALID_VALUE, "size is 0");
    if (!error)
        error = check_flags(__func__, mem, flags);
    if (!error) { /* `like` has the pointer: the object may be unmapped and gone after the command */
        like.piece.start = mem->data + offset;
        error = map_memory(__func__, queue, CL_COMMAND_MAP_BUFFER, mem, &like,
                           (struct enqueue_order){nwait, wait, blocking, event, NULL});
    }
    if (errcode_ret)
        *errcode_ret = error;
    return error ? NULL : like.piece.start;
}

static cl_int check_map_image(const char *function, cl_command_queue queue, cl_mem image, cl_map_flags flags,
                              const size_t *origin, const size_t *region, struct image_piece *piece,
                              const size_t *row_pitch, const size_t *slice_pitch, struct enqueue_order o) {
    cl_int error = command_check(function, queue, o.nwait, o.wait);

    if (!error)
        error = mem_check_object(function, queue, image, "an image", mem_is_image(image));
    if (!error)
        error = image_piece(function, image, origin, region, piece);
    if (!error && (!row_pitch || (!slice_pitch && image->image->desc.image_slice_pitch)))
        error = api_fail(queue->context, function, CL_INVALID_VALUE,
                         "nowhere to write the row or slice pitch to");
    return error ? error : check_flags(function, image, flags);
}

WEIR_API void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                             cl_map_flags flags, const size_t *origin, const size_t *region,
                                             size_t *row_pitch, size_t *slice_pitch, cl_uint nwait,
                                             const cl_event *wait, cl_event *event, cl_int *errcode_ret) {
    struct enqueue_order o = {nwait, wait, blocking, event, NULL};
    struct mapping like = {.writes = flags & WRITE_FLAGS};
    cl_int error = check_map_image(__func__, queue, image, flags, origin, region, &like.piece, row_pitch,
                                   slice_pitch, o);

    if (!error) { /* the pitches first: the object may be unmapped and gone after the command */
        const struct weir_image_level *level = &image->image->kernel.level[like.piece.level];
        size_t row = level->row_pitch, slice = image->image->desc.image_slice_pitch ? level->slice_pitch : 0;

        error = map_memory(__func__, queue, CL_COMMAND_MAP_IMAGE, image, &like, o);
        if (!error)
            *row_pitch = row;
        if (!error && slice_pitch)
            *slice_pitch = slice;
    }
    if (errcode_ret)
        *errcode_ret = error;
    return error ? NULL : like.piece.start;
}

/* Marks the mapping at `p` as being unmapped and returns it; NULL: there is none. */
static struct mapping *claim_mapping(cl_mem mem, const void *p) {
    struct mapping *m;

    pthread_mutex_lock(&mem->lock);
    for (m = mem->mappings; m; m = m->next)
        if (m->piece.start == p && !m->unmapping)
            break;
    if (m) {
        m->unmapping = true;
        m->refs++;
    }
    pthread_mutex_unlock(&mem->lock);
    return m;
}

WEIR_API cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *mapped_ptr,
                                                    cl_uint nwait, const cl_event *wait, cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);
    struct map_payload *p;
    cl_event command;

    if (!error)
        error = mem_check_object(__func__, queue, mem, "a buffer or image",
                                 object_is(mem, OBJECT_MEM) && mem->type != CL_MEM_OBJECT_PIPE);
    if (error)
        return error;
    command = new_command(queue, CL_COMMAND_UNMAP_MEM_OBJECT, mem);
    if (!command)
        return command_no_memory(__func__, queue);
    p = command->payload;
    p->mapping = claim_mapping(mem, mapped_ptr);
    if (!p->mapping) {
        command->cleanup = NULL;
        object_drop(command);
        return API_FAIL(queue->context, CL_INVALID_VALUE, "%p is not a pointer that mapping this object gave",
                        mapped_ptr);
    }
    object_hold(mem);
    check_command_unmaps(p->mapping->checked, command->checked);
    return order_command(__func__, command, (struct enqueue_order){nwait, wait, false, event, NULL});
}

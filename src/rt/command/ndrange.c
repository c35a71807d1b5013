/* ndrange.c: the sizes of an NDRange: checked, and chosen where the application gives no local size.
 *
 * In: dimensions, offsets, global and local sizes as a program or a kernel gives them. Out: struct sizes, or the error of
 * clEnqueueNDRangeKernel (section 5.10 of the OpenCL API). Any thread; nothing is kept.
 */
#include "rt.h"

#include <string.h>

/* Non-uniform work-groups are there for programs built for OpenCL C 2.0 or newer, and without
 * -cl-uniform-work-group-size. A binary or a linked program that doesn't say is allowed them. */
static bool allows_non_uniform(cl_program program) {
    pthread_mutex_lock(&program->lock);
    const char *options = program->options ? program->options : "", *std = NULL;
    bool allowed = !strstr(options, "-cl-uniform-work-group-size");
    for (const char *p = options; (p = strstr(p, "-cl-std=")); p += 8)
        std = p + 8; /* the last one counts */
    if (std)
        allowed = allowed && strncmp(std, "CL1", 3) != 0;
    else
        allowed = allowed && (!program->source || program->from_binary);
    pthread_mutex_unlock(&program->lock);
    return allowed;
}

/* The largest divisor of n among the multiples of `step` up to `most`; 0: there is none. */
static size_t divisor(size_t n, size_t most, size_t step) {
    size_t d = (most < n ? most : n) / step * step;
    while (d && n % d)
        d -= step;
    return d;
}

enum { GROUP_ROOM = 256, GROUP_LEAST = 64, GROUP_ROW = 16 }; /* work-items */

/* A divisor of n up to `most`: one that fills vector registers where it isn't much smaller than the largest. */
static size_t good_divisor(size_t n, size_t most) {
    size_t filling = divisor(n, most, GROUP_ROW);
    if (filling >= GROUP_LEAST)
        return filling;
    size_t largest = divisor(n, most, 1);
    return filling && filling >= largest / 4 ? filling : largest;
}

/* The first dimension's size, where n may have no divisor that fills vector registers: then the work-groups differ,
 * or, where they may not, are longer. */
static size_t good_row(cl_program program, size_t n, size_t most) {
    size_t size = good_divisor(n, most);
    if (size >= 2 * GROUP_ROW || size == n)
        return size;
    if (allows_non_uniform(program)) {
        size_t groups = (n + most - 1) / most;
        return ((n + groups - 1) / groups + GROUP_ROW - 1) / GROUP_ROW * GROUP_ROW;
    }
    for (size_t d = GROUP_ROW; size < GROUP_ROW && d <= WEIR_MAX_ITEMS; d++)
        if (n % d == 0)
            return d;
    return size;
}

/* The local size where the application gave none: reqd_work_group_size, else the hint if it fits, else some 64 to
 * 256 work-items, as long in x as can be, but few enough that all compute units have work. */
static void choose_local(cl_program program, const struct kernel_meta *meta, struct sizes *s) {
    bool hinted = meta->hint_local[0] != 0;
    if (meta->num_subgroups && !meta->reqd_local[0]) {
        kernel_size_for_subgroups(meta, meta->num_subgroups, s->dim, s->local);
        return;
    }
    size_t hint_items = 1, room = s->global[0] * s->global[1] * s->global[2] / device_root()->compute_units;
    for (int d = 0; hinted && d < 3; d++)
        hinted = meta->hint_local[d] && s->global[d] % meta->hint_local[d] == 0 &&
                 (hint_items *= meta->hint_local[d]) <= WEIR_MAX_ITEMS;
    if (room < GROUP_LEAST)
        room = GROUP_LEAST;
    if (room > GROUP_ROOM)
        room = GROUP_ROOM;
    for (cl_uint d = 0; d < s->dim; d++) {
        if (meta->reqd_local[0])
            s->local[d] = meta->reqd_local[d];
        else if (hinted)
            s->local[d] = meta->hint_local[d];
        else if (s->global[d]) {
            s->local[d] = d ? good_divisor(s->global[d], room) : good_row(program, s->global[d], room);
            room = s->local[d] < room ? room / s->local[d] : 1;
        }
    }
}

cl_int ndrange_check_global(const char *function, cl_context context, cl_uint dim, const size_t *offset,
                            const size_t *global, struct sizes *s) {
    *s = (struct sizes){.dim = dim,
                        .global = {1, 1, 1},
                        .local = {1, 1, 1},
                        .groups = {1, 1, 1},
                        .empty = !global,
                        .chosen = true};
    if (dim < 1 || dim > 3)
        return api_fail(context, function, CL_INVALID_WORK_DIMENSION, "work_dim is %u", dim);
    size_t total = 1;
    for (cl_uint d = 0; d < dim; d++) {
        size_t end = 0;
        s->offset[d] = offset ? offset[d] : 0;
        s->global[d] = global ? global[d] : 0;
        s->empty |= s->global[d] == 0;
        if (__builtin_add_overflow(s->offset[d], s->global[d], &end))
            return api_fail(context, function, CL_INVALID_GLOBAL_OFFSET,
                            "offset %zu and size %zu of dimension %u exceed size_t", s->offset[d],
                            s->global[d], d);
        s->large |= end > (size_t)1 << 31;
    }
    for (cl_uint d = 0; !s->empty && d < dim; d++)
        if (__builtin_mul_overflow(total, s->global[d], &total))
            return api_fail(context, function, CL_INVALID_GLOBAL_WORK_SIZE, "more than 2^64 work-items");
    return CL_SUCCESS;
}

cl_int ndrange_check_local(const char *function, cl_program program, const struct kernel_meta *meta,
                           const size_t *local, struct sizes *s) {
    cl_context context = program->context;
    size_t items = 1;
    s->chosen = !local;
    if (local)
        memcpy(s->local, local, s->dim * sizeof *local);
    else
        choose_local(program, meta, s);
    for (cl_uint d = 0; meta->reqd_local[0] && d < 3; d++)
        if (s->local[d] != meta->reqd_local[d])
            return api_fail(context, function, CL_INVALID_WORK_GROUP_SIZE,
                            "local size %zu of dimension %u isn't the reqd_work_group_size %u of kernel %s",
                            s->local[d], d, meta->reqd_local[d], meta->name);
    for (cl_uint d = 0; d < s->dim; d++) {
        if (s->local[d] == 0)
            return api_fail(context, function, CL_INVALID_WORK_GROUP_SIZE, "local size 0 of dimension %u", d);
        if (s->local[d] > WEIR_MAX_ITEMS)
            return api_fail(context, function, CL_INVALID_WORK_ITEM_SIZE,
                            "local size %zu of dimension %u exceeds the device's %d", s->local[d], d,
                            WEIR_MAX_ITEMS);
        items *= s->local[d];
    }
    if (items > WEIR_MAX_ITEMS)
        return api_fail(context, function, CL_INVALID_WORK_GROUP_SIZE,
                        "work-groups of %zu work-items exceed the %d of kernel %s", items, WEIR_MAX_ITEMS,
                        meta->name);
    if (meta->num_subgroups && kernel_subgroup_count(meta, s->local) != meta->num_subgroups)
        return api_fail(context, function, CL_INVALID_WORK_GROUP_SIZE,
                        "%zu sub-groups in a work-group, not the %u that kernel %s has to have",
                        kernel_subgroup_count(meta, s->local), meta->num_subgroups, meta->name);
    for (cl_uint d = 0; d < s->dim; d++) {
        s->partial[d] = s->global[d] % s->local[d] != 0;
        s->groups[d] = s->global[d] / s->local[d] + s->partial[d];
        s->is_partial |= s->partial[d];
        if (!s->partial[d] || allows_non_uniform(program))
            continue;
        if (meta->reqd_local[0])
            return api_fail(
                context, function, CL_INVALID_WORK_GROUP_SIZE,
                "kernel %s has reqd_work_group_size %zu in dimension %u, which is no divisor of the "
                "global size %zu, and the program isn't built for non-uniform work-groups "
                "(-cl-std=CL2.0 or newer)",
                meta->name, s->local[d], d, s->global[d]);
        return api_fail(context, function, CL_INVALID_WORK_GROUP_SIZE,
                        "local size %zu doesn't divide the global size %zu of dimension %u, and the program "
                        "isn't built for non-uniform work-groups (-cl-std=CL2.0 or newer)",
                        s->local[d], s->global[d], d);
    }
    return CL_SUCCESS;
}

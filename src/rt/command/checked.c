/* checked.c: a launch under the checker (WEIR_CHECK): which memory its work-items may access.
 *
 * In: a kernel with its arguments as they were copied for the launch. Out: the table that src/check goes by: the arguments'
 * buffers, all shared virtual memory of the context, program-scope variables, and where local arguments lie. */
#include "check.h"
#include "rt.h"

#include <stdlib.h>
#include <string.h>

/* The part of a buffer that a sub-buffer is, and the buffer. */
static struct check_memory of_buffer(cl_mem mem, unsigned argument) {
    cl_mem whole = mem;
    while (whole->parent)
        whole = whole->parent;
    return (struct check_memory){.start = (uint64_t)mem->data,
                                 .size = mem->size,
                                 .whole = (uint64_t)whole->data,
                                 .whole_size = whole->size,
                                 .argument = argument,
                                 .is_exact = true,
                                 .is_hidden = true,
                                 .is_guarded = env_get()->check && whole->owns_data && !whole->has_address};
}

/* Level 0 of an image: pitches where coordinates have steps of them. */
static struct check_memory of_image(cl_mem mem, unsigned argument) {
    struct check_memory m = of_buffer(mem, argument);
    const struct weir_image_level *level = &mem->image->kernel.level[0];
    m.texel = mem->image->kernel.texel_bytes;
    m.row = level->height > 1 ? level->row_pitch : 0;
    m.slice = level->depth > 1 || level->array > 1 ? level->slice_pitch : 0;
    return m;
}

static struct check_memory of_block(void *start, size_t size, unsigned argument) {
    return (struct check_memory){.start = (uint64_t)start,
                                 .size = size,
                                 .whole = (uint64_t)start,
                                 .whole_size = size,
                                 .argument = argument};
}

/* One that mem_allocate has given. */
static struct check_memory of_shared(void *start, size_t size, unsigned argument) {
    struct check_memory m = of_block(start, size, argument);
    m.is_guarded = env_get()->check;
    return m;
}

struct check_launch *checked_open(cl_kernel kernel, const void *block, void *globals) {
    const struct kernel_meta *meta = kernel->meta;
    cl_context context = kernel->program->context;
    size_t n = 0, room = meta->nargs + 1 + svm_count(context);
    struct check_memory *memory = calloc(room, sizeof *memory);
    const char **names = calloc(meta->nargs + 1, sizeof *names);
    uint64_t *local = calloc(2 * (size_t)meta->nargs + 1, sizeof *local);
    void *start;
    size_t size;
    struct svm_range range;
    pthread_mutex_lock(&kernel->lock);
    for (cl_uint i = 0; memory && names && local && i < meta->nargs; i++) {
        const struct kernel_arg *arg = &kernel->args[i];
        void *p = NULL;
        names[i] = meta->args[i].name;
        if (meta->args[i].kind == ARG_IMAGE && arg->mem)
            memory[n++] = of_image(arg->mem, i + 1);
        if (meta->args[i].kind != ARG_GLOBAL && meta->args[i].kind != ARG_LOCAL)
            continue;
        memcpy(&p, (const char *)block + meta->args[i].offset, sizeof p);
        if (meta->args[i].kind == ARG_LOCAL) {
            local[2 * i] = (uint64_t)p;
            local[2 * i + 1] = arg->local_bytes;
        } else if (arg->mem) {
            memory[n++] = of_buffer(arg->mem, i + 1);
        } else if (p && svm_range_of(context, p, &range)) {
            memory[n++] = of_shared(range.start, range.size, i + 1);
        }
    }
    pthread_mutex_unlock(&kernel->lock);
    for (size_t i = 0; memory && n < room - 1 && svm_nth(context, i, &start, &size); i++)
        memory[n++] = of_shared(start, size, 0);
    if (memory && globals) {
        memory[n] = of_block(globals, kernel->build->globals_size, 0);
        memory[n++].is_hidden = true;
    }
    struct check_launch *l =
        memory && names && local ? check_launch_open(meta->name, names, meta->nargs, memory, n) : NULL;
    if (l)
        check_launch_source(l, kernel->build->source);
    for (cl_uint i = 0; l && i < meta->nargs; i++)
        if (local[2 * i + 1])
            check_launch_local(l, i, local[2 * i], local[2 * i + 1]);
    free(memory);
    free(names);
    free(local);
    return l;
}

struct check_launch *checked_child(const struct check_launch *parent, const struct kernel_meta *meta,
                                   const void *literal, size_t size) {
    struct check_memory *memory = calloc(parent->nmemory + 1, sizeof *memory);
    const char **names = calloc(meta->nargs + 1, sizeof *names);
    for (size_t i = 0; memory && i < parent->nmemory; i++) {
        memory[i] = parent->memory[i];
        memory[i].argument = 0;
        memory[i].is_exact = false;
    }
    if (memory)
        memory[parent->nmemory] = of_block((void *)(uintptr_t)literal, size, 1);
    struct check_launch *l =
        memory && names ? check_launch_open(meta->name, names, meta->nargs, memory, parent->nmemory + 1)
                        : NULL;
    if (l)
        check_launch_source(l, parent->source);
    free(memory);
    free(names);
    return l;
}

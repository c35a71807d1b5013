/* replay.c: running command buffers: clEnqueueCommandBufferKHR.
 *
 * In: the recorded commands and what each waits for. When the buffer is finalized that becomes a plan: chains of
 * commands, each of which nothing but the one before it leads to, and the edges between chains. Out: one command in the
 * event graph. A buffer that is one chain, as all that are recorded in order, is run by whoever runs that command, from
 * first to last: nothing is scheduled, allocated or checked in between. Otherwise that command, when its turn comes,
 * hands out its chains as parts with events of their own, and ends when the last of them has.
 *
 * Nothing of a plan changes while it's held: a buffer may run several times at once, and be updated meanwhile.
 */
#include "check.h"
#include "command_buffer.h"

#include <stdlib.h>
#include <string.h>

/* ---- plans ------------------------------------------------------------------------------------------------- */

struct chain {
    cl_uint first, n; /* of the plan's commands */
    cl_uint nbefore;  /* chains that it waits for */
    bool works;       /* something has to be run */
    cl_device_id device;
};
struct link {
    cl_uint from, to; /* chains */
};
struct plan {
    _Atomic uint32_t refs;
    cl_uint ncommands, nchains, nlinks;
    cl_event *commands; /* held, chain by chain; NULL: not set yet */
    struct chain *chains;
    struct link *links;
};

static struct plan *plan_hold(struct plan *p) {
    atomic_fetch_add_explicit(&p->refs, 1, memory_order_relaxed);
    return p;
}

void plan_drop(struct plan *p) {
    if (!p || atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (cl_uint i = 0; i < p->ncommands; i++)
        object_drop(p->commands[i]);
    free(p);
}

/* Empty; NULL: out of memory. */
static struct plan *plan_alloc(size_t ncommands, size_t nchains, size_t nlinks) {
    struct plan *p = calloc(1, sizeof *p + ncommands * sizeof *p->commands + nchains * sizeof *p->chains +
                                   nlinks * sizeof *p->links);
    if (!p)
        return NULL;
    atomic_init(&p->refs, 1);
    p->ncommands = (cl_uint)ncommands;
    p->nchains = (cl_uint)nchains;
    p->nlinks = (cl_uint)nlinks;
    p->commands = (cl_event *)(p + 1);
    p->chains = (struct chain *)(p->commands + ncommands);
    p->links = (struct link *)(p->chains + nchains);
    return p;
}

/* Whether its kernel enqueues others: then it has to be a part of its own, which ends after them. */
static bool has_parts(cl_mutable_command_khr m) {
    return m->dispatch.kernel && m->dispatch.kernel->meta->enqueues;
}

/* Whether a command goes on with the chain of the one that it waits for. */
static bool continues(cl_command_buffer_khr b, cl_mutable_command_khr m) {
    cl_mutable_command_khr before = m->ndeps == 1 ? b->commands[m->deps[0]] : NULL;
    return before && before->ndependents == 1 && !has_parts(before) &&
           b->queues[before->queue]->device == b->queues[m->queue]->device;
}

/* Numbers the chains: chain[i] is that of command i. Returns how many there are; *nlinks: between them. */
static cl_uint find_chains(cl_command_buffer_khr b, cl_uint *chain, size_t *nlinks) {
    cl_uint n = 0;
    *nlinks = 0;
    for (cl_uint i = 0; i < b->ncommands; i++) {
        cl_mutable_command_khr m = b->commands[i];
        bool same = continues(b, m);
        chain[i] = same ? chain[m->deps[0]] : n++;
        *nlinks += same ? 0 : m->ndeps;
    }
    return n;
}

static void fill_commands(struct plan *p, cl_command_buffer_khr b, const cl_uint *chain) {
    cl_uint at = 0;
    for (cl_uint i = 0; i < b->ncommands; i++)
        p->chains[chain[i]].n++;
    for (cl_uint c = 0; c < p->nchains; c++) {
        p->chains[c].first = at;
        at += p->chains[c].n;
        p->chains[c].n = 0;
    }
    for (cl_uint i = 0; i < b->ncommands; i++) {
        cl_mutable_command_khr m = b->commands[i];
        struct chain *c = &p->chains[chain[i]];
        m->place = c->first + c->n++;
        p->commands[m->place] = m->command;
        c->works |= !m->command || m->command->run;
        c->device = b->queues[m->queue]->device;
        if (m->command)
            object_hold(m->command);
    }
}

static void fill_links(struct plan *p, cl_command_buffer_khr b, const cl_uint *chain) {
    cl_uint n = 0;
    for (cl_uint i = 0; i < b->ncommands; i++) {
        cl_mutable_command_khr m = b->commands[i];
        for (cl_uint k = 0; k < m->ndeps; k++)
            if (chain[m->deps[k]] != chain[i]) {
                p->links[n++] = (struct link){chain[m->deps[k]], chain[i]};
                p->chains[chain[i]].nbefore++;
            }
    }
}

struct plan *plan_new(cl_command_buffer_khr b) {
    cl_uint *chain = calloc((size_t)b->ncommands + 1, sizeof *chain);
    size_t nlinks = 0;
    cl_uint nchains = chain ? find_chains(b, chain, &nlinks) : 0;
    struct plan *p = chain ? plan_alloc(b->ncommands, nchains, nlinks) : NULL;
    if (p) {
        fill_commands(p, b, chain);
        fill_links(p, b, chain);
    }
    free(chain);
    return p;
}

/* Puts the buffer's commands into the plan. */
static void refresh(struct plan *p, cl_command_buffer_khr b) {
    for (cl_uint i = 0; i < b->ncommands; i++) {
        cl_event old = p->commands[b->commands[i]->place], now = b->commands[i]->command;
        if (old == now)
            continue;
        object_hold(now);
        p->commands[b->commands[i]->place] = now;
        object_drop(old);
    }
    for (cl_uint c = 0; c < p->nchains; c++)
        for (cl_uint i = 0; i < p->chains[c].n; i++) {
            cl_event command = p->commands[p->chains[c].first + i];
            p->chains[c].works |= !command || command->run;
        }
}

bool plan_update_locked(cl_command_buffer_khr b) {
    struct plan *old = b->plan, *p = old;
    if (atomic_load_explicit(&old->refs, memory_order_acquire) > 1) { /* on its way: that is as it was */
        p = plan_alloc(old->ncommands, old->nchains, old->nlinks);
        if (!p)
            return false;
        memcpy(p->commands, old->commands, old->ncommands * sizeof *p->commands);
        memcpy(p->chains, old->chains, old->nchains * sizeof *p->chains);
        memcpy(p->links, old->links, old->nlinks * sizeof *p->links);
        for (cl_uint i = 0; i < p->ncommands; i++)
            if (p->commands[i])
                object_hold(p->commands[i]);
        b->plan = p;
        plan_drop(old);
    }
    refresh(p, b);
    return true;
}

/* ---- running ------------------------------------------------------------------------------------------------------------ */

struct replay {               /* payload of the command */
    struct plan *plan;        /* held */
    struct _cl_event parts[]; /* one for each chain, then edges for the links; none for a single chain */
};

static cl_int chain_run(const struct plan *p, const struct chain *c, cl_event as) {
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; !error && i < c->n; i++) {
        cl_event command = p->commands[c->first + i];
        if (command->run)
            error = atomic_load_explicit(&as->context->terminated, memory_order_relaxed)
                        ? CL_CONTEXT_TERMINATED_KHR
                        : command->run(command->payload, as);
    }
    return error;
}

static cl_int run_whole(void *payload, cl_event e) {
    const struct plan *p = ((struct replay *)payload)->plan;
    return chain_run(p, p->chains, e);
}

static cl_int run_part(void *chain, cl_event part) {
    return chain_run(((struct replay *)part->parent->payload)->plan, chain, part);
}

static void replay_cleanup(cl_event e) {
    struct plan *p = ((struct replay *)e->payload)->plan;
    if (p->nchains > 1)
        e->times[3] = 0; /* what it does itself is no work: it ends now */
    plan_drop(p);
}

static void part_destroy(void *handle) { /* it is in the payload of its parent */
    cl_event part = handle;
    check_command_drop(part->checked);
}

static void part_init(cl_event part, cl_event whole, struct chain *c) {
    object_init(part, OBJECT_EVENT, part_destroy);
    part->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    part->context = whole->context;
    part->queue = whole->queue; /* and its place there */
    part->position = whole->position;
    part->device = c->device;
    part->type = whole->type;
    atomic_init(&part->status, CL_SUBMITTED);
    atomic_init(&part->pending, c->nbefore);
    atomic_init(&part->family, 1);
    part->payload = c;
    part->run = c->works ? run_part : NULL;
    part->checked = whole->checked ? check_command_new() : NULL;
    command_adopt(whole, part);
    if (part->checked)
        checked_enter(part);
}

/* Hands out the parts that wait for no other. */
static cl_int run_parts(void *payload, cl_event e) {
    struct replay *r = payload;
    struct plan *p = r->plan;
    struct edge *edges = (struct edge *)(r->parts + p->nchains);
    for (cl_uint i = 0; i < p->nchains; i++)
        part_init(&r->parts[i], e, &p->chains[i]);
    for (cl_uint i = 0; i < p->nlinks; i++) {
        cl_event from = &r->parts[p->links[i].from];
        edges[i] = (struct edge){from->dependents, &r->parts[p->links[i].to], true};
        from->dependents = &edges[i];
    }
    for (cl_uint i = 0; i < p->nchains; i++) {
        if (p->chains[i].nbefore)
            continue;
        if (p->chains[i].works)
            sched_ready(&r->parts[i], true);
        else
            command_finish(&r->parts[i], CL_COMPLETE);
    }
    return CL_SUCCESS;
}

/* ---- the enqueue ---------------------------------------------------------------------------------------------------------- */

static cl_int check_queues(const char *function, cl_command_buffer_khr b, cl_uint n,
                           cl_command_queue *queues) {
    if ((n == 0) != (queues == NULL) || (n && n != b->nqueues))
        return api_fail(b->context, function, CL_INVALID_VALUE, "%u queues at %p, the command buffer has %u",
                        n, (void *)queues, b->nqueues);
    for (cl_uint i = 0; i < n; i++)
        if (!object_is(queues[i], OBJECT_QUEUE))
            return api_fail(b->context, function, CL_INVALID_COMMAND_QUEUE,
                            "queues[%u] is not a command queue", i);
    for (cl_uint i = 0; i < n; i++) {
        if (queues[i]->context != b->context)
            return api_fail(b->context, function, CL_INVALID_CONTEXT,
                            "queues[%u] is of another context than the command buffer", i);
        if (queues[i]->device != b->queues[i]->device)
            return api_fail(b->context, function, CL_INVALID_DEVICE,
                            "queues[%u] is of another device than the queue it stands for", i);
    }
    return CL_SUCCESS;
}

/* Takes the plan as it is now; NULL: the buffer isn't executable. */
static struct plan *take_plan(cl_command_buffer_khr b) {
    pthread_mutex_lock(&b->lock);
    struct plan *p = b->plan && !b->unset ? plan_hold(b->plan) : NULL;
    pthread_mutex_unlock(&b->lock);
    return p;
}

/* The command, which holds the plan in any case; NULL: out of memory. */
static cl_event replay_new(struct plan *p, cl_command_queue queue) {
    size_t parts =
        p->nchains > 1 ? p->nchains * sizeof(struct _cl_event) + p->nlinks * sizeof(struct edge) : 0;
    cl_event e = command_new(queue, CL_COMMAND_COMMAND_BUFFER_KHR, sizeof(struct replay) + parts);
    if (!e) {
        plan_drop(p);
        return NULL;
    }
    ((struct replay *)e->payload)->plan = p;
    for (cl_uint i = 0; e->checked && i < p->ncommands; i++)
        check_command_uses_of(e->checked, p->commands[i]->checked);
    e->cleanup = replay_cleanup;
    if (p->nchains)
        e->run = p->nchains > 1 ? run_parts : run_whole;
    if (p->nchains == 1)
        e->device = p->chains->device;
    return e;
}

static bool is_further(const cl_command_queue *queues, cl_uint i) {
    for (cl_uint k = 0; k < i; k++)
        if (queues[k] == queues[i])
            return false;
    return i > 0 && !(queues[i]->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* A command that takes the place of another queue's; NULL: out of memory. With room for one event to wait for its submission
 * can't fail, as the queue has an order. */
static cl_event mark_new(cl_command_queue queue, cl_command_type type) {
    cl_event mark = command_new(queue, type, 0);
    if (!mark)
        return NULL;
    mark->is_internal = true;
    if (type == CL_COMMAND_BARRIER && !(mark->edges = calloc(1, sizeof *mark->edges))) {
        object_drop(mark);
        return NULL;
    }
    return mark;
}

/* The command is enqueued in queues[0]. In further queues it takes its place, if they have an order, through a marker
 * before and a barrier after it. Once it's enqueued nothing may fail any more. */
static cl_int submit_to_all(cl_event e, cl_uint n, const cl_command_queue *queues, cl_uint nwait,
                            const cl_event *wait, cl_event *event) {
    cl_event *before = calloc((size_t)nwait + 2 * (size_t)n, sizeof *before), done = NULL;
    cl_event *after = before ? before + nwait + n : NULL;
    cl_uint nbefore = nwait;
    cl_int error = before ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (before && nwait)
        memcpy(before, wait, nwait * sizeof *wait);
    for (cl_uint i = 1; !error && i < n; i++) {
        if (queues[i]->properties & CL_QUEUE_PROFILING_ENABLE)
            event_times_begin(e);
        if (!is_further(queues, i))
            continue;
        cl_event mark = mark_new(queues[i], CL_COMMAND_MARKER);
        error = mark ? command_submit(mark, 0, NULL, false, &before[nbefore]) : CL_OUT_OF_HOST_MEMORY;
        nbefore += !error;
        if (!error && !(after[i] = mark_new(queues[i], CL_COMMAND_BARRIER)))
            error = CL_OUT_OF_HOST_MEMORY;
    }
    e->of_queues = true;
    if (error)
        object_drop(e);
    else
        error = command_submit(e, nbefore, nbefore ? before : NULL, false, &done);
    for (cl_uint i = 1; after && i < n; i++)
        if (after[i] && error)
            object_drop(after[i]);
        else if (after[i])
            command_submit(after[i], 1, &done, false, NULL);
    for (cl_uint i = nwait; i < nbefore; i++)
        object_release(before[i], OBJECT_EVENT, 0);
    if (done && event && !error)
        *event = done;
    else if (done)
        object_release(done, OBJECT_EVENT, 0);
    free(before);
    return error;
}

WEIR_API cl_int clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                          cl_command_buffer_khr command_buffer,
                                          cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                          cl_event *event) {
    if (!object_is(command_buffer, OBJECT_COMMAND_BUFFER))
        return HANDLE_FAIL(CL_INVALID_COMMAND_BUFFER_KHR, "command buffer", command_buffer);
    struct plan *p = take_plan(command_buffer);
    if (!p)
        return API_FAIL(command_buffer->context, CL_INVALID_OPERATION,
                        "the command buffer isn't finalized, or not all arguments are set");
    cl_command_queue *on = queues ? queues : command_buffer->queues;
    cl_int error = check_queues(__func__, command_buffer, num_queues, queues);
    if (!error)
        error = command_check(__func__, on[0], num_events_in_wait_list, event_wait_list);
    if (error) {
        plan_drop(p);
        return error;
    }
    cl_event e = replay_new(p, on[0]);
    error = CL_OUT_OF_HOST_MEMORY;
    if (e && command_buffer->nqueues > 1)
        error =
            submit_to_all(e, command_buffer->nqueues, on, num_events_in_wait_list, event_wait_list, event);
    else if (e)
        error = command_submit(e, num_events_in_wait_list, event_wait_list, false, event);
    return error ? API_FAIL(command_buffer->context, error, "no memory for the commands") : CL_SUCCESS;
}

/* bounds.c: whether an access lies where it may.
 *
 * In: an access (access.c). Out: a finding, and the group stops, as what it would hit is nobody's business: beyond the argument
 * or variable that its site is known to access, or where no memory of the launch is, or memory that was freed, or none at all. */
#include "access.h"

#include <stdio.h>

const char *const check_space_names[] = {[WEIR_PLACE_LOCAL] = "local",
                                         [WEIR_PLACE_PRIVATE] = "private",
                                         [WEIR_PLACE_PROGRAM] = "program-scope",
                                         [WEIR_PLACE_CONSTANT] = "constant"};

bool bounds_is_private(const struct check_worker *c, uint64_t p) {
    uint64_t context = (uint64_t)c->worker->context;
    return (p >= c->worker->stack_low && p < c->worker->stack_high) ||
           (p - context < c->worker->context_bytes + WEIR_ARENA_MARGIN);
}

const struct check_memory *bounds_memory(const struct check_launch *l, uint64_t p) {
    const struct check_memory *best = NULL;
    for (size_t low = 0, high = l->nmemory; low < high;) {
        size_t middle = (low + high) / 2;
        if (l->memory[middle].start <= p) {
            best = &l->memory[middle];
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    /* parts of one buffer overlap */
    for (const struct check_memory *m = best; m; m = m > l->memory ? m - 1 : NULL)
        if (p - m->start < m->size)
            return m;
    return best;
}

/* The memory that the address lies beside, where nothing else can be that the launch may access: right behind or before
 * the allocation, or in another part of it. */
static const struct check_memory *find_beside(const struct check_launch *l, uint64_t p) {
    enum { HEAD = 8 }; /* bytes before a block that malloc shares with nobody */
    for (const struct check_memory *m = l->memory; m < l->memory + l->nmemory; m++)
        if (m->is_guarded && p + HEAD - m->whole < m->whole_size + HEAD + CHECK_GUARD)
            return m;
    return NULL;
}

static void name_argument(const struct check_worker *c, unsigned argument, char *text, size_t n) {
    if (argument && argument <= c->launch->narguments)
        snprintf(text, n, "argument '%s'", c->launch->arguments[argument - 1]);
    else
        snprintf(text, n, "no known memory");
}

/* The same of a variable; gives how many times as large it is in memory as in the program. */
static uint64_t name_place(const struct weir_place *p, char *text, size_t n) {
    bool is_argument;
    const char *type;
    uint64_t times = where_times(p, &is_argument, &type);
    snprintf(text, n, is_argument ? "argument '%s'" : "local variable '%s'", p->name);
    return times;
}

/* The i-th of the group's local memory: variables first, then arguments. False: it isn't one. */
static bool nth_local(const struct check_worker *c, uint64_t i, uint64_t *start, uint64_t *size) {
    const struct weir_kernel *k = c->kernel;
    uint64_t local = (uint64_t)c->worker->local;
    if (i < k->nplaces) {
        *start = local + k->places[i].offset;
        *size = k->places[i].bytes;
        return k->places[i].space == WEIR_PLACE_LOCAL;
    }
    *start = local + c->launch->local_offset[i - k->nplaces];
    *size = c->launch->local_size[i - k->nplaces];
    return *size;
}

bool bounds_local(const struct check_worker *c, uint64_t p, uint64_t *start, uint64_t *size) {
    uint64_t n = c->kernel->nplaces + c->launch->narguments, from = p, to = p, at, bytes;
    for (uint64_t before = 1; before != to - from;) {
        before = to - from;
        for (uint64_t i = 0; i < n; i++) {
            if (!nth_local(c, i, &at, &bytes))
                continue;
            bool holds = p - at < bytes;
            from = holds && at < from ? at : to > from && at + bytes == from ? at : from;
            to = (holds || (to > from && at == to)) && at + bytes > to ? at + bytes : to;
        }
    }
    *start = from;
    *size = to - from;
    return to > from;
}

/* Whether it lies in what its site is known to access. */
static bool is_at_hand(const struct access *a) {
    const struct weir_object *o = &a->c->objects[a->site];
    return a->p - o->start < o->size && o->size - (a->p - o->start) >= a->bytes;
}

/* The buffer that the site's argument is; or else the block of shared virtual memory that it points into. */
static bool of_argument(const struct access *a, bool is_exact, uint64_t *start, uint64_t *size, char *name,
                        size_t n) {
    const struct weir_site *s = check_site(a->c, a->site);
    const struct check_launch *l = a->c->launch;
    for (size_t i = 0; s && s->object && i < l->nmemory; i++)
        if (l->memory[i].argument == s->object && l->memory[i].is_exact == is_exact) {
            *start = l->memory[i].start;
            *size = l->memory[i].size;
            name_argument(a->c, s->object, name, n);
            return true;
        }
    return false;
}

/* What is accessed, where it is known before: [*start, *start + *size), of which the program has one of `times` bytes. */
static bool expected(const struct access *a, uint64_t *start, uint64_t *size, char *name, size_t n,
                     uint64_t *times) {
    const struct weir_site *s = check_site(a->c, a->site);
    uint32_t object = s ? s->object : 0, number = (object & ~WEIR_SITE_PLACE) - 1;
    const struct check_launch *l = a->c->launch;
    *times = 1;
    if (object & WEIR_SITE_PLACE) {
        const struct weir_place *place = &a->c->kernel->places[number];
        *start = (uint64_t)a->c->worker->local + place->offset;
        *size = place->bytes;
        *times = name_place(place, name, n);
        return true;
    }
    if (object && number < l->narguments && l->local_size[number]) {
        *start = (uint64_t)a->c->worker->local + l->local_offset[number];
        *size = l->local_size[number];
        name_argument(a->c, object, name, n);
        return true;
    }
    return of_argument(a, true, start, size, name, n);
}

const char access_copy[] = "an asynchronous copy";

const char *access_does(const struct access *a) {
    return a->atomic ? "accesses atomically" : a->writes ? "writes" : "reads";
}

_Noreturn static void stop_with(const struct access *a, struct finding *f) {
    f->a = (struct party){.site = a->site, .does = access_does(a), .item = a->item};
    f->a.who = a->item == WHO_ASYNC ? access_copy : NULL;
    f->address = a->p;
    finding_report(a->c, f);
    check_stop(a->c);
}

_Noreturn static void stop_beyond_of(const struct access *a, uint64_t start, uint64_t size, const char *name,
                                     uint64_t times) {
    struct finding f = {.kind = FINDING_OUT_OF_BOUNDS};
    uint64_t bytes = a->bytes / times ? a->bytes / times : 1;
    snprintf(f.text, sizeof f.text, "%llu bytes at offset %lld of %s, which has %llu bytes",
             (unsigned long long)bytes, (long long)(a->p - start) / (long long)times, name,
             (unsigned long long)(size / times));
    snprintf(f.fix, sizeof f.fix, "check the index, or make the memory larger");
    stop_with(a, &f);
}

_Noreturn static void stop_beyond(const struct access *a, uint64_t start, uint64_t size, const char *name) {
    stop_beyond_of(a, start, size, name, 1);
}

/* A pointer to no known variable, of any of local memory: in none of it. */
static void check_local(const struct access *a) {
    const struct check_worker *c = a->c;
    uint64_t local = (uint64_t)c->worker->local, start, size, best = 0, at, bytes;
    if (a->p - (local - CHECK_GUARD) >= c->worker->local_bytes + 2 * CHECK_GUARD ||
        (bounds_local(c, a->p, &start, &size) && start + size - a->p >= a->bytes))
        return;
    char name[128] = "local memory";
    uint64_t times = 1;
    start = local;
    size = 0;
    for (uint64_t i = 0; i < c->kernel->nplaces + c->launch->narguments; i++)
        if (nth_local(c, i, &at, &bytes) && at <= a->p && at >= best) {
            best = start = at;
            size = bytes;
            times = 1;
            if (i < c->kernel->nplaces)
                times = name_place(&c->kernel->places[i], name, sizeof name);
            else
                name_argument(c, (unsigned)(i - c->kernel->nplaces) + 1, name, sizeof name);
        }
    stop_beyond(a, start + size - size / times, size / times, name); /* as far behind its end */
}

void bounds_check(const struct access *a) {
    uint64_t start, size, times;
    char name[128];
    if (is_at_hand(a))
        return;
    struct finding f = {.kind = FINDING_OUT_OF_BOUNDS};
    if (a->p < 4096) {
        f.kind = FINDING_NULL;
        snprintf(f.text, sizeof f.text, "%llu bytes at address 0x%llx", (unsigned long long)a->bytes,
                 (unsigned long long)a->p);
        stop_with(a, &f);
    }
    if (expected(a, &start, &size, name, sizeof name, &times)) {
        if (a->p - start < size && size - (a->p - start) >= a->bytes)
            return;
        stop_beyond_of(a, start, size, name, times);
    }
    check_local(a);
    const struct check_memory *m = bounds_memory(a->c->launch, a->p);
    struct freed freed;
    if (m && a->p - m->start < m->size)
        return;
    if (freed_find(a->p, a->bytes, &freed)) {
        f.kind = FINDING_USE_AFTER_FREE;
        snprintf(f.text, sizeof f.text, "%llu bytes at offset %lld of memory of %llu bytes, which %s freed",
                 (unsigned long long)a->bytes, (long long)(a->p - freed.start),
                 (unsigned long long)freed.size, freed.call ? freed.call : "its owner");
        snprintf(f.fix, sizeof f.fix, "free the memory when the kernel has ended");
        stop_with(a, &f);
    }
    if (of_argument(a, false, &start, &size, name, sizeof name))
        stop_beyond(a, start, size, name);
    m = find_beside(a->c->launch, a->p);
    if (m) {
        if (m->argument && m->is_exact)
            name_argument(a->c, m->argument, name, sizeof name);
        stop_beyond(a, m->start, m->size, m->argument && m->is_exact ? name : "a block of shared memory");
    }
    if (!mapped_has(a->p, a->bytes, a->writes)) {
        snprintf(f.text, sizeof f.text, "%llu bytes at address 0x%llx, where no memory is that can be %s",
                 (unsigned long long)a->bytes, (unsigned long long)a->p, a->writes ? "written" : "read");
        stop_with(a, &f);
    }
}

_Noreturn void bounds_check_extent(struct check_worker *c, uint64_t offset, uint64_t bytes, uint32_t site,
                                   uint32_t item) {
    const struct weir_site *s = check_site(c, site);
    const struct weir_place *place = &c->kernel->places[(s->object & ~WEIR_SITE_PLACE) - 1];
    struct access a = {.c = c,
                       .p = (uint64_t)c->worker->local + place->offset + offset,
                       .bytes = bytes,
                       .site = site,
                       .item = item,
                       .atomic = s->what == WEIR_SITE_ATOMIC,
                       .writes = s->what == WEIR_SITE_WRITE};
    struct finding f = {.kind = FINDING_OUT_OF_BOUNDS};
    snprintf(f.text, sizeof f.text, "%llu bytes at offset %lld of %s variable '%s', which has %llu bytes",
             (unsigned long long)bytes, (long long)offset, check_space_names[place->space],
             *place->name ? place->name : "?", (unsigned long long)place->bytes);
    snprintf(f.fix, sizeof f.fix, "check the index, or make the variable larger");
    stop_with(&a, &f);
}

_Noreturn void bounds_check_call(struct check_worker *c, uint64_t pointer, uint32_t site, uint32_t item) {
    struct finding f = {.kind = FINDING_NULL, .a = {.site = site, .does = "calls a function", .item = item}};
    snprintf(f.text, sizeof f.text, "the pointer to it is 0x%llx", (unsigned long long)pointer);
    snprintf(f.fix, sizeof f.fix, "let the pointer point to a function before it is called");
    finding_report(c, &f);
    check_stop(c);
}

void bounds_check_alignment(const struct access *a) {
    const struct weir_site *s = check_site(a->c, a->site);
    uint64_t align = s ? s->align : 0;
    if (!s || !s->bytes || !align || !(a->p & (align - 1)) || a->bytes != s->bytes)
        return;
    struct finding f = {.kind = FINDING_MISALIGNED,
                        .a = {.site = a->site, .does = access_does(a), .item = a->item},
                        .address = a->p};
    snprintf(f.text, sizeof f.text, "%llu bytes at address 0x%llx, which is no multiple of %llu",
             (unsigned long long)a->bytes, (unsigned long long)a->p, (unsigned long long)align);
    snprintf(f.fix, sizeof f.fix,
             "access it by vloadn and vstoren of bytes, or lay the data out so that it is");
    finding_report(a->c, &f);
}

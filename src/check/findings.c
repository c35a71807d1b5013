/* findings.c: what the checker found, once for each pair of places.
 *
 * In: findings, from any worker. Out, as they come: text on standard error, and a line of JSON in WEIR_CHECK_REPORT's file,
 * whose count is brought up to date when a launch has ended; at the end of the process a list with counts on standard
 * error, and its exit code (WEIR_CHECK_EXIT). */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT_DIGITS = 20 };

struct known { /* a finding that was reported */
    struct known *next;
    enum finding_kind kind;
    char *kernel, *a, *b; /* the places, with the calls that led there */
    char program[33];     /* of its source, if the places name no file */
    _Atomic uint64_t count;
    uint64_t written;
    bool suppressed;
    off_t count_at; /* in the report's file, where the count has room for all digits; -1: it isn't there */
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known *all, **last = &all; /* they stay until the process ends */

/* Another process's are none of this one's. */
pthread_mutex_t *findings_lock(void) {
    return &lock;
}

void findings_forked(void) {
    all = NULL;
    last = &all;
}

/* ---- the report's file ---- */

static void cannot_write(const char *path) {
    static bool is_said;
    struct buf text = {0};
    if (is_said)
        return;
    is_said = true;
    int error = errno;
    buf_printf(&text, "weir check: WEIR_CHECK_REPORT: ");
    output_error(&text, path, OUTPUT_FINDINGS, error);
    buf_printf(&text, "\n");
    log_text(buf_cstr(&text), false);
    buf_free(&text);
}

/* Appends the line, which other processes may do, too; the count comes last. */
static void write_line_locked(struct known *k, struct buf *line) {
    const char *path = env_get()->check_report;
    if (!path)
        return;
    struct stat info;
    buf_printf(line, ",\"count\":%*d}\n", COUNT_DIGITS, 1);
    int fd = output_open(path, OUTPUT_FINDINGS, OUTPUT_APPEND);
    if (fd < 0 || line->failed || !write_all(fd, line->data, line->size))
        cannot_write(path);
    else if (!fstat(fd, &info) && S_ISREG(info.st_mode))
        k->count_at = lseek(fd, 0, SEEK_CUR) - COUNT_DIGITS - 2;
    k->written = 1;
    if (fd >= 0)
        close(fd);
}

/* Puts a count in the place of the one that is there. */
static bool update_count(int fd, struct known *k, uint64_t count) {
    char digits[COUNT_DIGITS + 1];
    snprintf(digits, sizeof digits, "%*llu", COUNT_DIGITS, (unsigned long long)count);
    k->written = count;
    return pwrite(fd, digits, COUNT_DIGITS, k->count_at) == COUNT_DIGITS;
}

void findings_flush(void) {
    const char *path = env_get()->check_report;
    int fd = -1;
    pthread_mutex_lock(&lock);
    for (struct known *k = path ? all : NULL; k; k = k->next) {
        uint64_t count = atomic_load_explicit(&k->count, memory_order_relaxed);
        if (k->count_at < 0 || k->written == count)
            continue;
        if (fd < 0 && (fd = output_open(path, OUTPUT_FINDINGS, OUTPUT_THERE)) < 0)
            break;
        if (!update_count(fd, k, count))
            cannot_write(path);
    }
    pthread_mutex_unlock(&lock);
    if (fd >= 0)
        close(fd);
}

/* ---- at the end ---- */

static void finish(void) {
    struct buf text = {0};
    unsigned n = 0, suppressed = 0;
    if (!all) /* they are the parent's */
        return;
    pthread_mutex_lock(&lock);
    for (struct known *k = all; k; k = k->next)
        *(k->suppressed ? &suppressed : &n) += 1;
    buf_printf(&text, "weir check: %u finding%s", n, n == 1 ? "" : "s");
    if (suppressed)
        buf_printf(&text, ", %u suppressed", suppressed);
    buf_printf(&text, "\n");
    for (struct known *k = all; k; k = k->next) {
        if (k->suppressed)
            continue;
        unsigned long long count = k->count;
        buf_printf(&text, "  %s%s%s, %s", finding_words[k->kind].name, *k->kernel ? " in kernel " : "",
                   k->kernel, *k->a ? k->a : "a place without a line");
        if (*k->b && strcmp(k->a, k->b))
            buf_printf(&text, " and %s", k->b);
        buf_printf(&text, ": %s", count == 1 ? "once" : "");
        if (count != 1)
            buf_printf(&text, "%llu times", count);
        buf_printf(&text, "\n");
    }
    pthread_mutex_unlock(&lock);
    log_text(buf_cstr(&text), false);
    buf_free(&text);
    findings_flush();
    if (n && env_get()->check_exit) {
        fflush(NULL);
        _exit((int)env_get()->check_exit);
    }
}

/* ---- reporting ---- */

/* Where work-items are: all ids, or the group alone. */
static void find_ids(const struct check_worker *c, struct side *s) {
    const struct party *p = s->party;
    if (!c || p->who || !p->does)
        return;
    const struct weir_launch *g = c->geometry;
    memcpy(s->group, c->group, sizeof s->group);
    s->has_group = !p->serial || check_group_of(c, p->serial, s->group);
    if (!s->has_group || p->item >= WHO_SOME)
        return;
    uint64_t x = check_group_extent(g, s->group, 0), y = check_group_extent(g, s->group, 1);
    uint64_t item[] = {p->item % x, p->item / x % y, p->item / x / y};
    for (int d = 0; d < 3; d++) {
        s->local[d] = item[d];
        s->global[d] = g->global_offset[d] + s->group[d] * g->local_size[d] + item[d];
    }
    s->has_ids = true;
}

struct side report_side(const struct check_worker *c, const struct party *p) {
    struct side s = {.party = p, .site = p->at};
    if (!s.site && c && p->does && p->site)
        s.site = p->serial ? check_site_of(c, p->serial, p->site) : check_site(c, p->site);
    find_ids(c, &s);
    return s;
}

/* The barrier that the whole group passed last. */
static void find_barrier(const struct check_worker *c, struct report *r) {
    for (uint32_t tick = CELL_TICK(c->abi.now); tick-- > 0;)
        if (c->history[tick].kind == EVENT_BARRIER) {
            r->barrier = check_site(c, c->history[tick].site);
            r->flags = barrier_flags(c->history[tick].flags);
            return;
        }
}

static struct report describe(const struct check_worker *c, const struct finding *f) {
    struct report r = {.kind = f->kind,
                       .kernel = c ? c->launch->kernel : "",
                       .source = c ? c->launch->source : NULL,
                       .dim = c ? c->geometry->work_dim : 1,
                       .a = report_side(c, &f->a),
                       .b = report_side(c, &f->b),
                       .text = f->text,
                       .fix = f->fix};
    if (c && f->address && f->kind != FINDING_NULL)
        where_find(c, f->address, r.a.site, &r.memory);
    if (c && f->b.does && !f->b.serial && !f->b.who && !f->b.of)
        find_barrier(c, &r);
    return r;
}

/* What tells a side from others. */
static char *key_of(const struct side *s) {
    struct buf b = {0};
    if (s->party->does && s->party->who && !s->site)
        buf_printf(&b, "%s", s->party->key ? s->party->key : s->party->who);
    else if (s->party->does && s->site)
        report_place(&b, s->site);
    if (s->party->does && s->site && !*s->site->file) /* then its number tells it from others */
        buf_printf(&b, " (access %u)", s->party->site);
    if (s->party->does && s->site && *s->site->stack) {
        buf_printf(&b, " ");
        report_stack(&b, s->site);
    }
    const char *text = buf_cstr(&b);
    char *copy = strdup(text ? text : "");
    buf_free(&b);
    return copy;
}

/* The hash of the source that the kernel is from, if its places name no file: "<source>" is that of all. */
static void name_program(const struct check_worker *c, const char *place, char name[33]) {
    bool has_file = !place || *place != '<';
    const char *source = !has_file && c && c->launch && c->launch->source ? c->launch->source : "";
    struct hash h;
    hash_init(&h);
    hash_bytes(&h, source, strlen(source));
    hash_hex(&h, name);
}

/* Of two commands either kernel may find it. */
static struct known *find_locked(enum finding_kind kind, const char *kernel, const char *program,
                                 const char *a, const char *b) {
    for (struct known *k = all; k; k = k->next)
        if (k->kind == kind &&
            (kind == FINDING_INTER_COMMAND_RACE ||
             (!strcmp(k->kernel, kernel) && !strcmp(k->program, program))) &&
            ((!strcmp(k->a, a) && !strcmp(k->b, b)) || (!strcmp(k->a, b) && !strcmp(k->b, a))))
            return k;
    return NULL;
}

static struct known *add_locked(enum finding_kind kind, const char *kernel, char *a, char *b) {
    struct known *k = calloc(1, sizeof *k);
    char *name = strdup(kernel);
    if (!k || !name) {
        free(k);
        free(name);
        return NULL;
    }
    *k = (struct known){.kind = kind, .kernel = name, .a = a, .b = b, .count = 1};
    static bool is_registered;
    if (!is_registered)
        atexit(finish);
    is_registered = true;
    *last = k;
    last = &k->next;
    return k;
}

/* Both forms of it, while nobody else reports. */
static void publish_locked(struct known *k, struct report *r) {
    struct buf text = {0}, line = {0}, advice = {0};
    k->count_at = -1;
    k->suppressed = suppressed_is(r);
    if (k->suppressed)
        return;
    if (!*r->fix) {
        advice_find(&advice, r);
        r->fix = advice.size ? buf_cstr(&advice) : "";
    }
    report_json(&line, r);
    write_line_locked(k, &line);
    report_text(&text, r, wants_colour(STDERR_FILENO));
    log_text(buf_cstr(&text), false);
    buf_free(&text);
    buf_free(&line);
    buf_free(&advice);
    r->fix = "";
}

/* The other side's site, which may be of a group that has another code; 0: there is none. */
static uint32_t other_number(const struct check_worker *c, const struct finding *f) {
    uint64_t serial = f->b.serial ? f->b.serial : CELL_SERIAL(c->abi.base);
    return f->b.does ? check_number(c, serial, f->b.site) : 0;
}

/* A worker meets the same finding again and again: where it is among those that it met. */
static struct met *met_at(struct check_worker *c, const struct finding *f) {
    struct met *m = c ? &c->met[(f->a.site * 31 + f->b.site + f->kind) % MET] : NULL;
    return m && f->a.site && !f->a.at && !f->b.at && !f->b.who ? m : NULL;
}

static bool is_same(const struct met *m, const struct check_worker *c, const struct finding *f) {
    return m->known && m->launch_key == c->launch_key && m->kernel == c->kernel && m->kind == f->kind &&
           m->a == f->a.site && m->b == other_number(c, f);
}

bool finding_is_met(struct check_worker *c, const struct finding *f) {
    const struct met *met = met_at(c, f);
    return met && is_same(met, c, f);
}

void finding_report(struct check_worker *c, const struct finding *f) {
    struct met *met = met_at(c, f);
    if (c)
        subgroup_ends(c, NULL); /* what went wrong first */
    if (finding_is_met(c, f)) {
        atomic_fetch_add_explicit(&met->known->count, 1, memory_order_relaxed);
        return;
    }
    struct report r = describe(c, f);
    char *a = key_of(&r.a), *b = key_of(&r.b), program[33];
    name_program(c, a, program);
    pthread_mutex_lock(&lock);
    struct known *k = a && b ? find_locked(f->kind, r.kernel, program, a, b) : NULL;
    bool is_new = a && b && !k;
    if (k)
        k->count++;
    else if (is_new && (k = add_locked(f->kind, r.kernel, a, b))) {
        memcpy(k->program, program, sizeof program);
        publish_locked(k, &r);
    }
    pthread_mutex_unlock(&lock);
    if (met && k)
        *met = (struct met){.known = k,
                            .launch_key = c->launch_key,
                            .kernel = c->kernel,
                            .kind = f->kind,
                            .a = f->a.site,
                            .b = other_number(c, f)};
    if (!is_new || !k) {
        free(a);
        free(b);
    }
}

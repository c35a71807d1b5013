/* findings.c: what the checker found, once for each pair of places.
 *
 * In: findings, from any worker. Out: text on stderr as they come; a JSON line for each in WEIR_CHECK_REPORT's file when its
 * launch has ended; counts, and the program's exit code (WEIR_CHECK_EXIT), at the end of the process. */
#include "check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct known { /* a finding that was reported */
    struct known *next;
    enum finding_kind kind;
    char *kernel, *a, *b, *message, *fix;
    uint64_t count;
    bool written;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known *all, **last = &all;

/* ---- words ---- */

static void place_words(struct buf *out, const struct weir_site *s) {
    if (s && *s->file)
        buf_printf(out, "%s:%u:%u", s->file, s->line, s->column);
    else
        buf_printf(out, "a place without a line");
    if (s && *s->stack)
        buf_printf(out, " (called at %s)", s->stack);
}

static void item_words(struct buf *out, const struct check_worker *c, const struct party *p) {
    if (p->serial) {
        buf_printf(out, p->item == WHO_MANY ? "work-items of other groups" : "a work-item of another group");
        return;
    }
    if (p->item >= WHO_SOME) {
        buf_printf(out, p->item == WHO_MANY ? "several work-items" : "several work-items of its sub-group");
        return;
    }
    uint64_t size[] = {check_group_size(c, 0), check_group_size(c, 1)};
    uint64_t id[3] = {p->item % size[0], p->item / size[0] % size[1], p->item / size[0] / size[1]};
    if (c->geometry->work_dim == 1)
        buf_printf(out, "work-item %llu of group %llu", (unsigned long long)id[0],
                   (unsigned long long)c->group[0]);
    else
        buf_printf(out, "work-item (%llu, %llu, %llu) of group (%llu, %llu, %llu)", (unsigned long long)id[0],
                   (unsigned long long)id[1], (unsigned long long)id[2], (unsigned long long)c->group[0],
                   (unsigned long long)c->group[1], (unsigned long long)c->group[2]);
}

/* What the address is a part of. */
static void memory_words(struct buf *out, const struct check_worker *c, uint64_t address) {
    uint64_t local = (uint64_t)c->worker->local, offset = address - local;
    const struct check_launch *l = c->launch;
    for (uint64_t i = 0; i < c->kernel->nplaces; i++) {
        const struct weir_place *p = &c->kernel->places[i];
        if (address >= local && offset - p->offset < p->bytes) {
            buf_printf(out, "local variable '%s', byte %llu", p->name,
                       (unsigned long long)(offset - p->offset));
            return;
        }
    }
    for (unsigned i = 0; i < l->narguments; i++)
        if (address >= local && offset - l->local_offset[i] < l->local_size[i]) {
            buf_printf(out, "argument '%s', byte %llu", l->arguments[i],
                       (unsigned long long)(offset - l->local_offset[i]));
            return;
        }
    for (size_t i = 0; i < l->nmemory; i++) {
        const struct check_memory *m = &l->memory[i];
        if (address - m->start < m->size && m->argument) {
            buf_printf(out, "argument '%s', byte %llu", l->arguments[m->argument - 1],
                       (unsigned long long)(address - m->start));
            return;
        }
    }
    buf_printf(out, "address 0x%llx", (unsigned long long)address);
}

static void party_words(struct buf *out, const struct check_worker *c, const struct party *p) {
    item_words(out, c, p);
    buf_printf(out, " %s", p->does);
    if (p->site) {
        buf_printf(out, ", ");
        place_words(out, check_site(c, p->site));
    }
}

/* ---- JSON ---- */

static void json_text(struct buf *out, const char *name, const char *text) {
    buf_printf(out, "\"%s\":\"", name);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_printf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            buf_printf(out, "\\u%04x", *text);
        else
            buf_bytes(out, text, 1);
    }
    buf_printf(out, "\"");
}

static void append(const char *path, const struct buf *text) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, text->data, text->size) != (ssize_t)text->size)
        log_write(LOG_WARN, "WEIR_CHECK_REPORT: cannot write %s", path);
    if (fd >= 0)
        close(fd);
}

void findings_flush(void) {
    const char *path = env_get()->check_report;
    struct buf text = {0};
    pthread_mutex_lock(&lock);
    for (struct known *k = all; k; k = k->next) {
        if (!path || k->written)
            continue;
        k->written = true;
        buf_printf(&text, "{");
        json_text(&text, "kind", finding_words[k->kind].name);
        buf_printf(&text, ",");
        json_text(&text, "kernel", k->kernel);
        buf_printf(&text, ",");
        json_text(&text, "message", k->message);
        buf_printf(&text, ",");
        json_text(&text, "a", k->a);
        buf_printf(&text, ",");
        json_text(&text, "b", k->b);
        buf_printf(&text, ",");
        json_text(&text, "fix", k->fix);
        buf_printf(&text, ",\"count\":%llu}\n", (unsigned long long)k->count);
    }
    pthread_mutex_unlock(&lock);
    if (text.size)
        append(path, &text);
    buf_free(&text);
}

/* ---- at the end ---- */

static void finish(void) {
    struct buf text = {0};
    unsigned n = 0;
    for (struct known *k = all; k; k = k->next)
        n++;
    buf_printf(&text, "weir check: %u finding%s\n", n, n == 1 ? "" : "s");
    log_text(buf_cstr(&text));
    buf_free(&text);
    findings_flush();
    if (env_get()->check_exit) {
        fflush(NULL);
        _exit((int)env_get()->check_exit);
    }
}

/* ---- reporting ---- */

static char *text_of(struct buf *b) {
    const char *s = buf_cstr(b);
    char *copy = strdup(s ? s : "");
    buf_free(b);
    return copy ? copy : "";
}

/* Whether it is new; else it is counted. Under the lock. */
static bool is_new_locked(enum finding_kind kind, const char *kernel, const char *a, const char *b) {
    for (struct known *k = all; k; k = k->next)
        if (k->kind == kind && !strcmp(k->kernel, kernel) &&
            ((!strcmp(k->a, a) && !strcmp(k->b, b)) || (!strcmp(k->a, b) && !strcmp(k->b, a)))) {
            k->count++;
            return false;
        }
    return true;
}

void finding_report(struct check_worker *c, const struct finding *f) {
    subgroup_ends(c, NULL); /* what went wrong first */
    struct buf a = {0}, b = {0}, message = {0}, text = {0};
    place_words(&a, check_site(c, f->a.site));
    if (f->b.does && f->b.site)
        place_words(&b, check_site(c, f->b.site));
    char *at_a = text_of(&a), *at_b = text_of(&b);
    pthread_mutex_lock(&lock);
    struct known *k = is_new_locked(f->kind, c->launch->kernel, at_a, at_b) ? calloc(1, sizeof *k) : NULL;
    if (!k) {
        pthread_mutex_unlock(&lock);
        return;
    }
    party_words(&message, c, &f->a);
    if (f->b.does) {
        buf_printf(&message, "; ");
        party_words(&message, c, &f->b);
    }
    if (f->address && f->kind != FINDING_OUT_OF_BOUNDS && f->kind != FINDING_NULL) {
        buf_printf(&message, "; of ");
        memory_words(&message, c, f->address);
    }
    if (*f->text)
        buf_printf(&message, "; %s", f->text);
    *k = (struct known){.kind = f->kind,
                        .kernel = strdup(c->launch->kernel),
                        .a = at_a,
                        .b = at_b,
                        .message = text_of(&message),
                        .fix = strdup(f->fix),
                        .count = 1};
    if (!all)
        atexit(finish);
    *last = k;
    last = &k->next;
    buf_printf(&text, "weir check: %s in kernel %s\n  ", finding_words[k->kind].name, k->kernel);
    for (const char *s = k->message; *s; s++)
        if (s[0] == ';' && s[1] == ' ') {
            buf_printf(&text, "\n  ");
            s++;
        } else {
            buf_bytes(&text, s, 1);
        }
    if (*k->fix)
        buf_printf(&text, "\n  fix: %s", k->fix);
    buf_printf(&text, "\n");
    pthread_mutex_unlock(&lock);
    log_text(buf_cstr(&text));
    buf_free(&text);
}

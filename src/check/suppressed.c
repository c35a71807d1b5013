/* suppressed.c: whether a finding is one that nobody wants to see, and notes for `weir check`.
 *
 * In: a finding; the file of WEIR_CHECK_SUPPRESS; the program's source, for comments `weir: allow KIND` at one of its
 * places. Out: yes or no. Notes are lines of WEIR_CHECK_NOTES: "weir check: kernel NAME" or "rule LINE". */
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct suppressions rules;

static void told(void *user, unsigned line, const char *what) {
    struct buf text = {0};
    (void)user;
    buf_printf(&text, "weir check: %s", env_get()->check_suppress);
    if (line)
        buf_printf(&text, ":%u", line);
    buf_printf(&text, ": %s\n", what);
    log_text(buf_cstr(&text), false);
    buf_free(&text);
}

static void read_once(void) {
    if (env_get()->check_suppress)
        suppress_read(&rules, env_get()->check_suppress, told, NULL);
}

void suppressed_read(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_once);
}

/* ---- notes ---- */

struct note {
    struct note *next;
    char text[];
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of notes */

pthread_mutex_t *suppressed_lock(void) {
    return &lock;
}

void suppressed_note(const char *what, const char *name) {
    static struct note *notes; /* that were written */
    const char *path = env_get()->check_notes;
    struct buf line = {0};
    if (!path)
        return;
    buf_printf(&line, "%s%s %s\n", output_head(OUTPUT_NOTES), what, name);
    pthread_mutex_lock(&lock);
    struct note *n = notes;
    while (n && !line.failed && (strlen(n->text) != line.size || memcmp(n->text, line.data, line.size)))
        n = n->next;
    if (!n && !line.failed && (n = malloc(sizeof *n + line.size + 1))) {
        memcpy(n->text, line.data, line.size);
        n->text[line.size] = 0;
        n->next = notes;
        notes = n;
        int fd = output_open(path, OUTPUT_NOTES, OUTPUT_APPEND);
        if (fd < 0 || !write_all(fd, line.data, line.size)) {
            struct buf why = {0};
            output_error(&why, path, OUTPUT_NOTES, errno);
            log_write(LOG_WARN, "WEIR_CHECK_NOTES: %s", buf_cstr(&why));
            buf_free(&why);
        }
        if (fd >= 0)
            close(fd);
    }
    pthread_mutex_unlock(&lock);
    buf_free(&line);
}

/* ---- comments in the source ---- */

/* On the line itself, or alone on the one before. */
static bool is_allowed_at(const char *program, const struct weir_site *s, enum finding_kind kind) {
    struct buf line = {0}, before = {0};
    bool yes = s && source_line(program, s->file, s->line, &line) && buf_cstr(&line) &&
               suppress_allows(buf_cstr(&line), kind);
    if (s && !yes && s->line > 1 && source_line(program, s->file, s->line - 1, &before)) {
        const char *text = buf_cstr(&before);
        text = text ? text + strspn(text, " \t") : "";
        yes = (!strncmp(text, "//", 2) || !strncmp(text, "/*", 2)) && suppress_allows(text, kind);
    }
    buf_free(&line);
    buf_free(&before);
    return yes;
}

/* ---- rules ---- */

enum { CALLS_MOST = 16 }; /* of each side */

/* The place and the calls that led there. */
static size_t add_places(struct finding_place *places, size_t n, const struct weir_site *s,
                         struct call calls[CALLS_MOST]) {
    const char *stack = s ? s->stack : "";
    if (s)
        places[n++] = (struct finding_place){s->file, s->line};
    for (size_t i = 0; i < CALLS_MOST && report_call(&stack, &calls[i]); i++)
        places[n++] = (struct finding_place){calls[i].file, calls[i].line};
    return n;
}

static bool by_rule(const struct report *r) {
    struct { /* too much for a small stack */
        struct call calls[2][CALLS_MOST];
        struct finding_place places[2 * (CALLS_MOST + 1)];
    } *of = NULL;
    bool yes = false;
    suppressed_read();
    if (!rules.n || !(of = malloc(sizeof *of)))
        return false;
    size_t n = add_places(of->places, 0, r->a.site, of->calls[0]);
    n = add_places(of->places, n, r->b.site, of->calls[1]);
    for (size_t i = 0; i < rules.n; i++)
        if (suppress_meets(&rules.at[i], r->kind, r->kernel, of->places, n)) {
            char line[16];
            snprintf(line, sizeof line, "%u", rules.at[i].line);
            suppressed_note("rule", line);
            yes = true;
        }
    free(of);
    return yes;
}

bool suppressed_is(const struct report *r) {
    return by_rule(r) || is_allowed_at(r->source, r->a.site, r->kind) ||
           is_allowed_at(r->source, r->b.site, r->kind);
}

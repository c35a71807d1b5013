/* text.c: a finding for people, on standard error.
 *
 *     weir check: data-race in kernel k: local variable tile[32]
 *       a.cl:9:13: work-item 32 of group 0 writes (global id 32)
 *           9 |     tile[l] = in[g];
 *             |             ^
 *         in put, called from a.cl:30:5 in k
 *       a.cl:10:14: ...
 *       last common barrier: a.cl:7:5, CLK_LOCAL_MEM_FENCE
 *       fix: put barrier(CLK_LOCAL_MEM_FENCE) between the two */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOLD  "\033[1m"
#define RED   "\033[1;31m"
#define GREEN "\033[32m"
#define CYAN  "\033[36m"
#define PLAIN "\033[0m"
#define IN(c) (colour ? (c) : "")

void report_place(struct buf *out, const struct weir_site *s) {
    if (s && *s->file)
        buf_printf(out, "%s:%u:%u", s->file, s->line, s->column);
    else
        buf_printf(out, "a place without a line");
}

/* A line "FILE:LINE:COLUMN\tFUNCTION". */
bool report_call(const char **stack, struct call *c) {
    const char *at = *stack;
    size_t n = strcspn(at, "\n"), end = strcspn(at, "\t\n"), column = end, line;
    while (column && at[column - 1] != ':')
        column--;
    for (line = column ? column - 1 : 0; line && at[line - 1] != ':';)
        line--;
    if (!line)
        return false;
    *stack = at + n + (at[n] == '\n');
    c->line = (unsigned)strtoul(at + line, NULL, 10);
    c->column = (unsigned)strtoul(at + column, NULL, 10);
    snprintf(c->file, sizeof c->file, "%.*s", (int)(line - 1), at);
    snprintf(c->function, sizeof c->function, "%.*s", (int)(end < n ? n - end - 1 : 0), at + end + (end < n));
    return true;
}

void report_stack(struct buf *out, const struct weir_site *s) {
    if (!s || !*s->stack)
        return;
    const char *comma = "";
    if (*s->function)
        buf_printf(out, "in %s, ", s->function);
    const char *stack = s->stack;
    for (struct call c; report_call(&stack, &c); comma = ", ") {
        buf_printf(out, "%scalled from %s:%u:%u", comma, c.file, c.line, c.column);
        if (*c.function)
            buf_printf(out, " in %s", c.function);
    }
}

static void numbers(struct buf *out, const uint64_t n[3], unsigned dim) {
    if (dim < 2) {
        buf_printf(out, "%llu", (unsigned long long)n[0]);
        return;
    }
    buf_printf(out, "(%llu, %llu", (unsigned long long)n[0], (unsigned long long)n[1]);
    if (dim > 2)
        buf_printf(out, ", %llu", (unsigned long long)n[2]);
    buf_printf(out, ")");
}

void report_who(struct buf *out, const struct report *r, const struct side *s) {
    uint32_t item = s->party->item;
    if (s->party->who) {
        buf_printf(out, "%s", s->party->who);
    } else if (s->has_ids) {
        buf_printf(out, "work-item ");
        numbers(out, s->local, r->dim);
        buf_printf(out, " of group ");
        numbers(out, s->group, r->dim);
    } else if (s->has_group) {
        buf_printf(out, "%s of group ",
                   item == WHO_MANY  ? "several work-items"
                   : item < WHO_SOME ? "a work-item"
                                     : "several work-items of a sub-group");
        numbers(out, s->group, r->dim);
    } else {
        buf_printf(out, item == WHO_MANY  ? "work-items of other groups"
                        : item < WHO_SOME ? "a work-item of another group"
                                          : "work-items of another group");
    }
    if (s->party->of)
        buf_printf(out, " of %s", s->party->of);
}

void report_does(struct buf *out, const struct side *s) {
    static const struct {
        const char *one, *several;
    } verbs[] = {{"reads", "read"}, {"writes", "write"}, {"accesses atomically", "access atomically"}};
    bool several = !s->party->who && s->party->item >= WHO_SOME;
    for (size_t i = 0; several && i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(s->party->does, verbs[i].one)) {
            buf_printf(out, " %s", verbs[i].several);
            return;
        }
    buf_printf(out, " %s", s->party->does);
}

/* The line with a caret under the column. */
static void quote(struct buf *out, const char *program, const struct weir_site *s, bool colour) {
    struct buf line = {0};
    if (!s || !source_line(program, s->file, s->line, &line) || line.failed || !line.size) {
        buf_free(&line);
        return;
    }
    buf_printf(out, "    %5u | ", s->line);
    buf_bytes(out, line.data, line.size);
    if (s->column && s->column <= line.size + 1) {
        buf_printf(out, "\n          | ");
        for (size_t i = 0; i + 1 < s->column; i++)
            buf_printf(out, "%c", line.data[i] == '\t' ? '\t' : ' ');
        buf_printf(out, "%s^%s", IN(GREEN), IN(PLAIN));
    }
    buf_printf(out, "\n");
    buf_free(&line);
}

static bool is_same_line(const struct weir_site *a, const struct weir_site *b) {
    return a && b && a->line == b->line && a->column == b->column && !strcmp(a->file, b->file) &&
           !strcmp(a->stack, b->stack);
}

static void side(struct buf *out, const struct report *r, const struct side *s, bool colour) {
    if (!s->party->does)
        return;
    buf_printf(out, "  ");
    if (s->site && *s->site->file) {
        buf_printf(out, "%s", IN(BOLD));
        report_place(out, s->site);
        buf_printf(out, ":%s ", IN(PLAIN));
    }
    report_who(out, r, s);
    report_does(out, s);
    if (s->has_ids) {
        buf_printf(out, " (global id ");
        numbers(out, s->global, r->dim);
        buf_printf(out, ")");
    }
    buf_printf(out, "\n");
    if (s == &r->a || !is_same_line(r->a.site, s->site))
        quote(out, r->source, s->site, colour);
    if (s->site && *s->site->stack && (s == &r->a || !is_same_line(r->a.site, s->site))) {
        buf_printf(out, "    ");
        report_stack(out, s->site);
        buf_printf(out, "\n");
    }
}

void report_text(struct buf *out, const struct report *r, bool colour) {
    buf_printf(out, "weir check: %s%s%s", IN(RED), finding_words[r->kind].name, IN(PLAIN));
    if (*r->kernel)
        buf_printf(out, " in kernel %s%s%s", IN(BOLD), r->kernel, IN(PLAIN));
    else
        buf_printf(out, " of commands");
    if (*r->memory.element)
        buf_printf(out, ": %s%s %s%s%s", r->memory.is_argument ? "" : r->memory.space,
                   r->memory.is_argument ? "argument" : " variable", IN(BOLD), r->memory.element, IN(PLAIN));
    buf_printf(out, "\n");
    side(out, r, &r->a, colour);
    side(out, r, &r->b, colour);
    if (*r->text)
        buf_printf(out, "  %s\n", r->text);
    if (r->barrier) {
        buf_printf(out, "  last common barrier: ");
        report_place(out, r->barrier);
        buf_printf(out, ", %s\n", r->flags);
    }
    if (*r->fix)
        buf_printf(out, "  %sfix:%s %s\n", IN(CYAN), IN(PLAIN), r->fix);
}

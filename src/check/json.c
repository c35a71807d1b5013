/* json.c: a finding as a line of JSON, for WEIR_CHECK_REPORT. The fields are documented in docs/checker.md, and stay. */
#include "report.h"

#include <string.h>

static void field(struct buf *out, const char *name, const char *text) {
    buf_printf(out, "\"%s\":", name);
    buf_json(out, text);
}

static void text_field(struct buf *out, const char *name, struct buf *text) {
    const char *s = buf_cstr(text);
    field(out, name, s ? s : "");
    buf_free(text);
}

static void place(struct buf *out, const struct weir_site *s) {
    field(out, "file", s->file);
    buf_printf(out, ",\"line\":%u,\"column\":%u,", s->line, s->column);
    field(out, "function", s->function);
}

static void stack(struct buf *out, const char *calls) {
    const char *comma = "";
    buf_printf(out, ",\"stack\":[");
    for (struct call c; report_call(&calls, &c); comma = ",") {
        buf_printf(out, "%s{", comma);
        field(out, "file", c.file);
        buf_printf(out, ",\"line\":%u,\"column\":%u,", c.line, c.column);
        field(out, "function", c.function);
        buf_printf(out, "}");
    }
    buf_printf(out, "]");
}

static void ids(struct buf *out, const char *name, const uint64_t n[3], unsigned dim) {
    buf_printf(out, "\"%s\":[", name);
    for (unsigned d = 0; d < dim; d++)
        buf_printf(out, "%s%llu", d ? "," : "", (unsigned long long)n[d]);
    buf_printf(out, "]");
}

static void side(struct buf *out, const char *name, const struct report *r, const struct side *s) {
    struct buf who = {0};
    buf_printf(out, "\"%s\":", name);
    if (!s->party->does) {
        buf_printf(out, "null");
        return;
    }
    report_who(&who, r, s);
    buf_printf(out, "{");
    if (s->site) {
        place(out, s->site);
        stack(out, s->site->stack);
        buf_printf(out, ",");
    }
    text_field(out, "who", &who);
    buf_printf(out, ",");
    field(out, "does", s->party->does);
    if (s->has_ids || s->has_group) {
        buf_printf(out, ",\"ids\":{");
        if (s->has_ids) {
            ids(out, "global", s->global, r->dim);
            buf_printf(out, ",");
            ids(out, "local", s->local, r->dim);
            buf_printf(out, ",");
        }
        ids(out, "group", s->group, r->dim);
        buf_printf(out, "}");
    }
    buf_printf(out, "}");
}

static void side_words(struct buf *out, const struct report *r, const struct side *s) {
    if (!s->party->does)
        return;
    buf_printf(out, "%s", out->size ? "; " : "");
    report_who(out, r, s);
    report_does(out, s);
    if (s->site) {
        buf_printf(out, ", ");
        report_place(out, s->site);
        if (*s->site->stack)
            buf_printf(out, ", ");
        report_stack(out, s->site);
    }
}

void report_message(struct buf *out, const struct report *r) {
    side_words(out, r, &r->a);
    side_words(out, r, &r->b);
    if (*r->memory.element)
        buf_printf(out, "; of %s%s %s", r->memory.is_argument ? "" : r->memory.space,
                   r->memory.is_argument ? "argument" : " variable", r->memory.element);
    if (*r->text)
        buf_printf(out, "; %s", r->text);
}

void report_json(struct buf *out, const struct report *r) {
    struct buf message = {0};
    report_message(&message, r);
    buf_printf(out, "%s%s\"", output_head(OUTPUT_FINDINGS), finding_words[r->kind].name);
    buf_printf(out, ",");
    field(out, "kernel", r->kernel);
    buf_printf(out, ",");
    text_field(out, "message", &message);
    buf_printf(out, ",");
    side(out, "a", r, &r->a);
    buf_printf(out, ",");
    side(out, "b", r, &r->b);
    if (*r->memory.element) {
        buf_printf(out, ",\"memory\":{");
        field(out, "space", r->memory.space);
        buf_printf(out, ",");
        field(out, "variable", r->memory.variable);
        buf_printf(out, ",");
        field(out, "element", r->memory.element);
        buf_printf(out, ",\"offset\":%lld}", (long long)r->memory.offset);
    }
    if (r->barrier) {
        buf_printf(out, ",\"barrier\":{");
        place(out, r->barrier);
        buf_printf(out, ",");
        field(out, "flags", r->flags);
        buf_printf(out, "}");
    }
    buf_printf(out, ",");
    field(out, "fix", r->fix);
}

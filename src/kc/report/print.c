/* print.c: a report as text for people, or as a line of JSON for programs. docs/report.md describes both.
 *
 * In: the facts of report.c, and what the kernel has become. Out: characters. */
#include "facts.h"
#include "frontend.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *load, *store, *load_text, *store_text;
} access_names[] = {
    [ACCESS_UNIFORM] = {"uniform", "uniform", "uniform", "uniform"},
    [ACCESS_CONTIGUOUS] = {"contiguous", "contiguous", "contiguous", "contiguous"},
    [ACCESS_REVERSED] = {"reversed", "reversed", "reversed", "reversed"},
    [ACCESS_SHUFFLED] = {"shuffled", "shuffled", "wide load and shuffle", "shuffle and wide store"},
    [ACCESS_ROWS] = {"rows", "rows", "contiguous in rows", "contiguous in rows"},
    [ACCESS_CHECKED] = {"checked", "checked", "contiguous if in a row, else gather",
                        "contiguous if in a row, else scatter"},
    [ACCESS_STRIDED] = {"strided", "strided", "strided gather", "strided scatter"},
    [ACCESS_SCATTERED] = {"gather", "scatter", "gather", "scatter"},
};
static const char *const loop_names[] = {"uniform", "divergent", "scalar"};
static const char *const instruction_names[] = {"vector", "uniform", "scalar"};

/* ---- in order ---- */

static int compare_text(const char *a, const char *b) {
    if (!a || !b) { /* NULL comes last */
        return (a == NULL) - (b == NULL);
    }
    return strcmp(a, b);
}

static int compare_places(const struct place *a, const struct place *b) {
    int files = compare_text(a->file, b->file);
    return files ? files : (a->line > b->line) - (a->line < b->line);
}

static int compare_facts(const void *x, const void *y) {
    const struct fact *a = *(struct fact *const *)x, *b = *(struct fact *const *)y;
    int places = compare_places(&a->at, &b->at), texts;
    if (places || a->section != b->section) {
        return places ? places : (int)a->section - (int)b->section;
    }
    if ((texts = compare_text(a->what, b->what)) || (texts = compare_text(a->memory, b->memory)) ||
        (texts = compare_text(a->type, b->type))) {
        return texts;
    }
    if (a->kind != b->kind) {
        return a->kind < b->kind ? -1 : 1;
    }
    if (a->stride != b->stride) {
        return a->stride < b->stride ? -1 : 1;
    }
    int flags = (int)(a->masks * 4 + a->interleaved * 2U + a->barriers);
    return flags - (int)(b->masks * 4 + b->interleaved * 2U + b->barriers);
}

static int compare_values(const void *x, const void *y) {
    const struct value *a = *(struct value *const *)x, *b = *(struct value *const *)y;
    int places = compare_places(&a->at, &b->at);
    return places ? places : compare_text(a->type, b->type);
}

void print_sort(struct report *r) {
    struct list *facts = &r->facts;
    size_t n = 0;
    if (facts->n) {
        qsort(facts->at, facts->n, sizeof *facts->at, compare_facts);
    }
    for (size_t i = 0; i < facts->n; i++) {
        if (n && !compare_facts(&facts->at[n - 1], &facts->at[i])) {
            ((struct fact *)facts->at[n - 1])->count++;
        } else {
            facts->at[n++] = facts->at[i];
        }
    }
    facts->n = n;
    for (size_t i = 0; i <= r->regions.n; i++) {
        bool last = i == r->regions.n;
        struct list *values = last ? &r->arrays : &((struct region_facts *)r->regions.at[i])->values;
        if (values->n) {
            qsort(values->at, values->n, sizeof *values->at, compare_values);
        }
    }
}

static uint64_t bytes_of(const struct list *values) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < values->n; i++) {
        const struct value *v = values->at[i];
        bytes += v->of_group ? 0 : v->bytes * v->count;
    }
    return bytes;
}

/* ---- text ---- */

/* The names of kept sources are long and say nothing: the first line has them. */
static const char *shown(const struct place *at) {
    const char *file = !at->file ? "?" : frontend_is_cached_source(at->file) ? "source" : at->file;
    return at->line ? job_printf("%s:%u", file, at->line) : "?";
}

static const char *how(const struct fact *f) {
    static const char *const masks[] = {"", "", ", masked", ", masked if a lane is off"};
    if (f->section == FACT_SERIAL) {
        return "lane by lane";
    }
    if (f->section == FACT_NOTE) {
        return f->type;
    }
    if (f->section == FACT_LOOP) {
        return job_printf("%s%s%s", f->kind == LOOP_SCALAR ? "one work-item at a time" : loop_names[f->kind],
                          f->barriers ? ", across barriers" : "",
                          f->kind == LOOP_UNIFORM && (f->masks & MASKED) ? ", masked" : "");
    }
    bool is_store = f->what[0] == 's';
    const char *stride = f->stride ? job_printf(", %" PRId64 " bytes apart", f->stride) : "";
    return job_printf("%s%s%s", is_store ? access_names[f->kind].store_text : access_names[f->kind].load_text,
                      stride, masks[f->masks]);
}

static const char *what(const struct fact *f) {
    return f->section == FACT_LOOP     ? "loop"
           : f->section >= FACT_SERIAL ? f->what
                                       : job_printf("%-5s %s %s%s", f->what, f->memory, f->type,
                                                    f->interleaved ? ", interleaved" : "");
}

/* Columns as wide as what is in them. */
static void text_facts(struct buf *out, const struct list *facts) {
    enum { WIDEST = 40 };
    size_t places = 0, whats = 0;
    for (size_t i = 0; i < facts->n; i++) {
        const struct fact *f = facts->at[i];
        if (f->section == FACT_INSTRUCTION) {
            continue;
        }
        size_t place = strlen(shown(&f->at)), length = strlen(what(f));
        places = place > places ? place : places;
        whats = length > whats && length <= WIDEST ? length : whats;
    }
    for (size_t i = 0; i < facts->n; i++) {
        const struct fact *f = facts->at[i];
        if (f->section == FACT_INSTRUCTION) {
            continue;
        }
        buf_printf(out, "    %-*s  %-*s  %s", (int)places, shown(&f->at), (int)whats, what(f), how(f));
        buf_printf(out, f->count > 1 ? ", x%u\n" : "\n", f->count);
    }
}

static void text_values(struct kernel *k, struct buf *out, const struct list *values) {
    size_t places = 0;
    for (size_t i = 0; i < values->n; i++) {
        size_t place = strlen(shown(&((struct value *)values->at[i])->at));
        places = place > places ? place : places;
    }
    for (size_t i = 0; i < values->n; i++) {
        const struct value *v = values->at[i];
        const char *lanes = k->width == 1 ? "" : v->interleaved ? ", interleaved" : ", lane by lane";
        buf_printf(out, "    %-*s  ", (int)places, shown(&v->at));
        if (v->is_array) {
            buf_printf(out, "private array of %" PRIu64 " bytes, %s%s", v->bytes,
                       v->in_context ? "in the context" : "on the stack", lanes);
        } else {
            buf_printf(out, "%s%s", v->type, v->of_group ? " of the group" : "");
        }
        buf_printf(out, v->count > 1 ? ", x%u\n" : "\n", v->count);
    }
}

static void text_region(struct kernel *k, struct buf *out, const struct region_facts *region, size_t index) {
    uint64_t bytes = bytes_of(&region->values);
    buf_printf(out, "  region %zu  ", index);
    buf_printf(out,
               region->is_cut ? "after a cut at %s"
               : index        ? "after the barrier at %s"
                              : "from the beginning",
               shown(&region->barrier));
    if (bytes) {
        buf_printf(out, ", %" PRIu64 " bytes live per work-item", bytes);
    }
    if (region->guarded) {
        buf_printf(out, ", also in a form for when they have parted");
    }
    if (region->parts.line) {
        buf_printf(out, ", work-items may part at %s", shown(&region->parts));
    }
    buf_printf(out, "\n");
    text_values(k, out, &region->values);
}

void print_text(struct kernel *k, struct buf *out) {
    const struct report *r = k->report;
    const uint32_t *local = k->job->request->local_size;
    buf_printf(out, "%s, local size ", k->meta->name);
    buf_printf(out, local[0] ? "%u,%u,%u" : "any", local[0], local[1], local[2]);
    buf_printf(out, ", %s\n",
               r->kernel.line ? job_printf("%s:%u", r->kernel.file, r->kernel.line) : "without lines");
    for (size_t i = 0; i < r->widths.n; i++) {
        const struct width_choice *w = r->widths.at[i];
        buf_printf(out, "  %s  %u: %s%s%s\n", i ? "        " : "width   ", w->width, w->why,
                   w->at.line ? " at " : "", w->at.line ? shown(&w->at) : "");
    }
    const char *where = k->context_is_small && k->context_per_item ? ", in registers or on the stack" : "";
    buf_printf(out, "  context   %" PRIu64 " bytes per work-item%s", k->context_per_item, where);
    buf_printf(out, k->context_arrays ? ", %" PRIu64 " for large private arrays\n" : "\n", k->context_arrays);
    for (size_t i = 0; i < r->regions.n; i++) {
        text_region(k, out, r->regions.at[i], i);
    }
    if (r->arrays.n) {
        buf_printf(out, "  private   %" PRIu64 " bytes per work-item\n", bytes_of(&r->arrays));
        text_values(k, out, &r->arrays);
    }
    bool any = false;
    for (size_t i = 0; i < r->facts.n; i++) {
        any |= ((struct fact *)r->facts.at[i])->section != FACT_INSTRUCTION;
    }
    buf_printf(out, any ? "  lines\n" : "");
    text_facts(out, &r->facts);
}

/* ---- JSON ---- */

static void json_place(struct buf *out, const struct place *at) {
    buf_printf(out, "\"file\":");
    buf_json(out, at->line ? at->file : NULL);
    buf_printf(out, at->line ? ",\"line\":%u" : ",\"line\":null", at->line);
}

/* An object with a place if there is one, else null. */
static void json_where(struct buf *out, const char *name, const struct place *at) {
    buf_printf(out, ",\"%s\":%s", name, at->line ? "{" : "null");
    if (at->line) {
        json_place(out, at);
        buf_printf(out, "}");
    }
}

static void json_values(struct buf *out, const struct list *values) {
    for (size_t i = 0; i < values->n; i++) {
        const struct value *v = values->at[i];
        buf_printf(out, "%s{", i ? "," : "");
        json_place(out, &v->at);
        buf_printf(out, ",\"type\":");
        buf_json(out, v->type);
        buf_printf(out, ",\"bytes\":%" PRIu64 ",\"of\":\"%s\",\"private_array\":%s", v->bytes,
                   v->of_group ? "group" : "work-item", v->is_array ? "true" : "false");
        if (v->is_array) {
            buf_printf(out, ",\"interleaved\":%s,\"in\":\"%s\"", v->interleaved ? "true" : "false",
                       v->in_context ? "context" : "stack");
        }
        buf_printf(out, ",\"count\":%u}", v->count);
    }
}

static void json_fact(struct buf *out, const struct fact *f) {
    static const char *const masks[] = {"never", "never", "always", "when a lane is off"};
    buf_printf(out, "{");
    json_place(out, &f->at);
    if (f->section == FACT_LOOP) {
        buf_printf(out, ",\"kind\":\"%s\",\"masked\":%s,\"barriers\":%s", loop_names[f->kind],
                   f->masks & MASKED ? "true" : "false", f->barriers ? "true" : "false");
    } else if (f->section == FACT_INSTRUCTION) {
        buf_printf(out, ",\"kind\":\"%s\",\"masked\":\"%s\"", instruction_names[f->kind], masks[f->masks]);
    } else if (f->section >= FACT_SERIAL) {
        buf_printf(out, ",\"what\":");
        buf_json(out, f->what);
        buf_printf(out, f->section == FACT_NOTE ? ",\"text\":" : "");
        if (f->section == FACT_NOTE) {
            buf_json(out, f->type);
        }
    } else {
        bool is_store = f->what[0] == 's';
        buf_printf(out, ",\"op\":\"%s\",\"memory\":\"%s\",\"type\":", f->what, f->memory);
        buf_json(out, f->type);
        buf_printf(out, ",\"kind\":\"%s\",\"masked\":\"%s\"",
                   is_store ? access_names[f->kind].store : access_names[f->kind].load, masks[f->masks]);
        buf_printf(out, f->stride ? ",\"stride\":%" PRId64 : "", f->stride);
        buf_printf(out, f->interleaved ? ",\"interleaved\":true" : "");
    }
    if (f->section < FACT_NOTE) { /* as text has it */
        buf_printf(out, ",\"how\":");
        buf_json(out, how(f));
    }
    buf_printf(out, ",\"count\":%u}", f->count);
}

static void json_facts(struct buf *out, const char *name, const struct list *facts, enum section section) {
    bool any = false;
    buf_printf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < facts->n; i++) {
        if (((struct fact *)facts->at[i])->section == section) {
            buf_printf(out, any ? "," : "");
            json_fact(out, facts->at[i]);
            any = true;
        }
    }
    buf_printf(out, "]");
}

static void json_regions(struct buf *out, const struct list *regions) {
    buf_printf(out, ",\"regions\":[");
    for (size_t i = 0; i < regions->n; i++) {
        const struct region_facts *region = regions->at[i];
        buf_printf(out, "%s{\"region\":%zu", i ? "," : "", i);
        json_where(out, "barrier", &region->barrier);
        json_where(out, "may_part_at", &region->parts);
        buf_printf(out, ",\"cut\":%s,\"guarded\":%s,\"live_bytes\":%" PRIu64 ",\"live\":[",
                   region->is_cut ? "true" : "false", region->guarded ? "true" : "false",
                   bytes_of(&region->values));
        json_values(out, &region->values);
        buf_printf(out, "]}");
    }
    buf_printf(out, "]");
}

void print_json(struct kernel *k, struct buf *out) {
    const struct report *r = k->report;
    const uint32_t *local = k->job->request->local_size;
    buf_printf(out, "{\"kernel\":");
    buf_json(out, k->meta->name);
    buf_printf(out, ",");
    json_place(out, &r->kernel);
    buf_printf(out, local[0] ? ",\"local_size\":[%u,%u,%u]" : ",\"local_size\":null", local[0], local[1],
               local[2]);
    buf_printf(out, ",\"width\":%u,\"width_choices\":[", k->width);
    for (size_t i = 0; i < r->widths.n; i++) {
        const struct width_choice *w = r->widths.at[i];
        buf_printf(out, "%s{\"width\":%u,\"why\":", i ? "," : "", w->width);
        buf_json(out, w->why);
        json_where(out, "at", &w->at);
        buf_printf(out, "}");
    }
    buf_printf(out, "],\"context_bytes\":%" PRIu64 ",\"context_fixed_bytes\":%" PRIu64, k->context_per_item,
               k->context_arrays);
    buf_printf(out, ",\"float_operations\":%.6g,\"float_operations_in_loops\":%.6g", r->float_operations[0],
               r->float_operations[1]);
    json_regions(out, &r->regions);
    buf_printf(out, ",\"private_arrays\":[");
    json_values(out, &r->arrays);
    buf_printf(out, "]");
    json_facts(out, "loops", &r->facts, FACT_LOOP);
    json_facts(out, "accesses", &r->facts, FACT_ACCESS);
    json_facts(out, "serialized", &r->facts, FACT_SERIAL);
    json_facts(out, "notes", &r->facts, FACT_NOTE);
    json_facts(out, "instructions", &r->facts, FACT_INSTRUCTION);
    buf_printf(out, "}\n");
}

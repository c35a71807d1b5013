/* page.c: the page of `weir trace --html`: one file that needs no network.
 *
 * In: the trace's events, their summary, and a profile with reports. Out: page.html, which has the page's style and script,
 * with data as JSON in its place. So that a page of any trace is drawn at once, slices that are too short to be seen become one
 * with their neighbours: no more than MOST_SLICES are in it. */
#include "machine.h"
#include "trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const char page_html[];
__asm__(".section .rodata\n.globl page_html\npage_html: .incbin \"src/cli/page.html\"\n.byte 0\n.previous");

enum { MOST_SLICES = 60000 };

struct slice { /* times in us */
    double begin, end;
    uint32_t name, count;
};
struct track {
    uint64_t thread;
    char category[8]; /* api, build, phase, command, groups */
    struct slice *slices;
    size_t n, cap;
};
struct label { /* of a thread's number */
    uint64_t thread;
    char *text;
};
struct page {
    struct track *tracks;
    size_t ntracks;
    struct label *labels;
    size_t nlabels;
    char **names;
    size_t nnames;
};

struct page *page_new(void) {
    return must_alloc(sizeof(struct page));
}

/* ---- collecting ------------------------------------------------------------------------------------------------ */

static void *grow(void *at, size_t n, size_t each) { /* by doubling: n is how many there are */
    if (n & (n - 1) || (n && n < 16))
        return at;
    void *larger = realloc(at, (n ? 2 * n : 16) * each);
    if (!larger)
        die(EXIT_FAULT, "out of memory");
    return larger;
}

static uint32_t name_of(struct page *p, const char *text) {
    for (size_t i = 0; i < p->nnames; i++)
        if (!strcmp(p->names[i], text))
            return (uint32_t)i;
    p->names = grow(p->names, p->nnames, sizeof *p->names);
    p->names[p->nnames] = must_printf("%s", text);
    return (uint32_t)p->nnames++;
}

static struct track *track_of(struct page *p, uint64_t thread, const char *category) {
    for (size_t i = p->ntracks; i--;)
        if (p->tracks[i].thread == thread && !strcmp(p->tracks[i].category, category))
            return &p->tracks[i];
    p->tracks = grow(p->tracks, p->ntracks, sizeof *p->tracks);
    struct track *t = &p->tracks[p->ntracks++];
    *t = (struct track){.thread = thread};
    snprintf(t->category, sizeof t->category, "%s", category);
    return t;
}

void page_add(struct page *p, const struct json *event) {
    uint64_t thread = json_number(event, "tid");
    if (!strcmp(json_text(event, "name"), "thread_name")) {
        p->labels = grow(p->labels, p->nlabels, sizeof *p->labels);
        p->labels[p->nlabels++] =
            (struct label){thread, must_printf("%s", json_text(json_field(event, "args"), "name"))};
    }
    const struct json *ts = json_field(event, "ts"), *length = json_field(event, "dur");
    if (strcmp(json_text(event, "ph"), "X") || !ts || !length)
        return;
    struct track *t = track_of(p, thread, json_text(event, "cat"));
    t->slices = grow(t->slices, t->n, sizeof *t->slices);
    t->slices[t->n++] =
        (struct slice){ts->number, ts->number + length->number, name_of(p, json_text(event, "name")), 1};
}

/* ---- fewer slices ---------------------------------------------------------------------------------------------- */

static int by_begin(const void *a, const void *b) {
    const struct slice *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Neighbours whose lengths and distance are below `least` become one. */
static size_t join(struct track *t, double least) {
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++) {
        struct slice *s = &t->slices[i], *last = n ? &t->slices[n - 1] : NULL;
        bool joins = last && s->end - s->begin < least && s->begin - last->end < least &&
                     (last->count > 1 || last->end - last->begin < least) &&
                     s->end - last->begin < 64 * least;
        if (joins) {
            last->end = s->end > last->end ? s->end : last->end;
            last->count += s->count;
        } else {
            t->slices[n++] = *s;
        }
    }
    return t->n = n;
}

static void join_all(struct page *p, double span) {
    size_t all = 0;
    for (size_t i = 0; i < p->ntracks; i++) {
        all += p->tracks[i].n;
        qsort(p->tracks[i].slices, p->tracks[i].n, sizeof(struct slice), by_begin);
    }
    for (double least = span / 100000; all > MOST_SLICES && least > 0 && least < span; least *= 2) {
        all = 0;
        for (size_t i = 0; i < p->ntracks; i++)
            all += join(&p->tracks[i], least);
    }
}

/* ---- the data --------------------------------------------------------------------------------------------------- */

static void put_text(struct buf *out, const char *name, const char *text) {
    buf_printf(out, "\"%s\":", name);
    buf_json(out, text);
}

static const char *label_of(const struct page *p, uint64_t thread) {
    for (size_t i = 0; i < p->nlabels; i++)
        if (p->labels[i].thread == thread)
            return p->labels[i].text;
    return NULL;
}

/* A thread's calls, builds and phases are rows of their own: they hold each other. */
static void put_track(struct buf *out, const struct page *p, const struct track *t) {
    static const char *const rows[][2] = {
        {"api", "calls"}, {"build", "builds"}, {"phase", "phases of builds"}};
    const char *label = label_of(p, t->thread), *row = "";
    char text[128];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        row = strcmp(t->category, rows[i][0]) ? row : rows[i][1];
    if (label)
        snprintf(text, sizeof text, "%s", label);
    else
        snprintf(text, sizeof text, "thread %llu: %s", (unsigned long long)t->thread, row);
    buf_printf(out, "{");
    put_text(out, "label", text);
    buf_printf(out, ",\"kind\":\"%s\",\"slices\":[", t->category);
    for (size_t i = 0; i < t->n; i++)
        buf_printf(out, "%s%.3f,%.3f,%u,%u", i ? "," : "", t->slices[i].begin,
                   t->slices[i].end - t->slices[i].begin, t->slices[i].name, t->slices[i].count);
    buf_printf(out, "]}");
}

/* Calls first, then builds, commands, and workers. */
static int by_kind(const void *a, const void *b) {
    static const char order[] = "abpcg";
    const struct track *x = a, *y = b;
    const char *i = strchr(order, x->category[0]), *j = strchr(order, y->category[0]);
    if (i != j)
        return i < j ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

/* The report that the profile has of the kernel, of the object that took the most time. */
static const struct json *report_of(const struct profile *profile, const char *kernel) {
    for (size_t i = 0; i < profile->nkernels; i++)
        if (!strcmp(json_text(profile->kernels[i], "kernel"), kernel))
            return json_field(profile->kernels[i], "report");
    return NULL;
}

static void put_kinds(struct buf *out, const struct summary *s, const struct profile *profile, bool kernels) {
    const char *comma = "";
    for (size_t i = 0; i < s->nkinds; i++) {
        const struct kind *k = &s->kinds[i];
        const struct json *report = kernels ? report_of(profile, k->name) : NULL;
        const struct json *once = json_field(report, "float_operations"),
                          *in_loops = json_field(report, "float_operations_in_loops");
        if (k->is_kernel != kernels)
            continue;
        buf_printf(out, "%s{", comma);
        comma = ",";
        put_text(out, "name", k->name);
        buf_printf(out,
                   ",\"count\":%zu,\"total_us\":%.3f,\"median_us\":%.3f,\"bytes\":%.0f,\"waited_us\":%.3f",
                   k->n, k->total, median(k->us, k->n), k->bytes, k->waited);
        if (once && in_loops) /* of a round of each loop at least */
            buf_printf(out, ",\"flops\":%.6g,\"has_loops\":%s", (once->number + in_loops->number) * k->items,
                       in_loops->number > 0 ? "true" : "false");
        buf_printf(out, "}");
    }
}

static void put_builds(struct buf *out, const struct summary *s) {
    for (size_t i = 0; i < s->nbuilds; i++) {
        const struct build *b = &s->builds[i];
        buf_printf(out, "%s{", i ? "," : "");
        put_text(out, "name", b->name);
        buf_printf(out, ",\"ms\":%.3f,\"at_ms\":%.3f,\"cached\":%s,\"report\":%s,\"phases\":{%s}}",
                   b->us / 1e3, b->begin / 1e3, b->is_cached ? "true" : "false",
                   b->is_report ? "true" : "false", b->phases);
    }
}

static void put_listings(struct buf *out, const struct profile *profile) {
    const char *comma = "";
    for (size_t i = 0; i < profile->nkernels; i++) {
        const struct json *k = profile->kernels[i], *report = json_field(k, "report");
        if (!report || report->is_null)
            continue;
        struct listing *l = listing_new(report, k, NULL);
        buf_printf(out, "%s{\"samples\":%llu,\"listing\":", comma,
                   (unsigned long long)json_number(k, "samples"));
        listing_json(out, l);
        buf_printf(out, "}");
        listing_free(l);
        comma = ",";
    }
}

static void put_machine(struct buf *out) {
    struct buf info = {0};
    char *model = NULL;
    if (read_file("/proc/cpuinfo", &info) && buf_cstr(&info) &&
        (model = strstr(buf_cstr(&info), "model name")) && (model = strchr(model, ':')))
        model[strcspn(model, "\n")] = 0;
    put_text(out, "machine", model ? model + 1 + strspn(model + 1, " ") : "");
    buf_free(&info);
    buf_printf(out, ",\"threads\":%u,\"load\":%.2f,\"bandwidth\":%.6g,\"peak\":%.6g", machine_threads(),
               machine_load(), machine_bandwidth(), machine_flops());
}

static void put_data(struct buf *out, struct page *p, const char *program, const struct summary *s,
                     const struct profile *profile) {
    char when[64];
    time_t now = time(NULL);
    struct tm t;
    strftime(when, sizeof when, "%Y-%m-%d %H:%M", localtime_r(&now, &t));
    buf_printf(out, "{");
    put_text(out, "program", program);
    buf_printf(
        out,
        ",\"version\":\"" WEIR_VERSION
        "\",\"when\":\"%s\",\"span_us\":%.3f,\"busy_us\":%.3f,\"waits_us\":%.3f,"
        "\"nwaits\":%zu,\"events\":%zu,\"dropped\":%.0f,\"fresh\":%.0f,\"cached\":%.0f,\"built_us\":%.3f,",
        when, s->span, s->busy_us, s->waits_us, s->nwaits, s->nevents, s->dropped, s->fresh, s->cached,
        s->built);
    put_machine(out);
    buf_printf(out, ",\"samples\":%llu,", (unsigned long long)json_number(profile->about, "samples"));
    put_text(out, "method", json_text(profile->about, "method"));
    buf_printf(out, ",\"advice\":[");
    for (unsigned i = 0; i < s->nadvice; i++) {
        buf_printf(out, i ? "," : "");
        buf_json(out, s->advice[i]);
    }
    buf_printf(out, "],\"kernels\":[");
    put_kinds(out, s, profile, true);
    buf_printf(out, "],\"others\":[");
    put_kinds(out, s, profile, false);
    buf_printf(out, "],\"builds\":[");
    put_builds(out, s);
    buf_printf(out, "],\"listings\":[");
    put_listings(out, profile);
    buf_printf(out, "],\"names\":[");
    for (size_t i = 0; i < p->nnames; i++) {
        buf_printf(out, i ? "," : "");
        buf_json(out, p->names[i]);
    }
    buf_printf(out, "],\"tracks\":[");
    for (size_t i = 0; i < p->ntracks; i++) {
        buf_printf(out, i ? "," : "");
        put_track(out, p, &p->tracks[i]);
    }
    buf_printf(out, "]}");
}

/* What would end the element that holds the data, or begin a comment, is written as JSON's escape. */
static void put_escaped(struct buf *out, const struct buf *data) {
    size_t done = 0;
    for (size_t i = 0; i < data->size; i++)
        if (data->data[i] == '<') {
            buf_bytes(out, data->data + done, i - done);
            buf_bytes(out, "\\u003c", 6);
            done = i + 1;
        }
    buf_bytes(out, data->data + done, data->size - done);
}

void page_write(struct page *p, const char *path, const char *program, const struct summary *s,
                const struct profile *profile) {
    struct buf data = {0}, out = {0};
    const char *mark = strstr(page_html, "@DATA@");
    join_all(p, s->span);
    if (p->ntracks)
        qsort(p->tracks, p->ntracks, sizeof *p->tracks, by_kind);
    put_data(&data, p, program, s, profile);
    buf_printf(&out, "%s", output_head(OUTPUT_PAGE));
    buf_bytes(&out, page_html, (size_t)(mark - page_html));
    put_escaped(&out, &data);
    buf_bytes(&out, mark + 6, strlen(mark + 6));
    if (data.failed || out.failed)
        die(EXIT_FAULT, "out of memory for the page");
    write_output(path, OUTPUT_PAGE, &out);
    buf_free(&data);
    buf_free(&out);
}

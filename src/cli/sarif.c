/* sarif.c: the checker's findings as SARIF 2.1.0, the format that code hosts and editors read.
 *
 * In: findings as WEIR_CHECK_REPORT has them (docs/checker.md). Out: a log of one run: a rule for each kind of findings; for
 * each finding a result at one side's place, the other side and the barrier as related locations, and both sides as
 * threads of a code flow, from the kernel through the calls. */
#include "cli.h"
#include "finding.h"

#include <ctype.h>
#include <string.h>

static void field(struct buf *out, const char *name, const char *text) {
    buf_printf(out, "\"%s\":", name);
    buf_json(out, text);
}

static void message(struct buf *out, const char *name, const char *text) {
    buf_printf(out, "\"%s\":{", name);
    field(out, "text", text);
    buf_printf(out, "}");
}

/* A path as a reference of URIs. */
static void uri(struct buf *out, const char *path) {
    while (!strncmp(path, "./", 2)) /* as clang names headers beside the source; others compare names */
        path += 2;
    buf_printf(out, "\"%s", *path == '/' ? "file://" : "");
    for (; *path; path++)
        if (isalnum((unsigned char)*path) || strchr("/-._~", *path))
            buf_bytes(out, path, 1);
        else
            buf_printf(out, "%%%02X", (unsigned char)*path);
    buf_printf(out, "\"");
}

/* The members of a location object: of a side, a call, or a barrier. */
static void location(struct buf *out, const struct json *place, const char *kernel) {
    const char *file = json_text(place, "file"), *function = json_text(place, "function");
    uint64_t line = json_number(place, "line"), column = json_number(place, "column");
    if (*file) {
        buf_printf(out, "\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
        uri(out, file);
        buf_printf(out, "}");
        if (line)
            buf_printf(out, ",\"region\":{\"startLine\":%llu", (unsigned long long)line);
        if (line && column)
            buf_printf(out, ",\"startColumn\":%llu", (unsigned long long)column);
        buf_printf(out, "%s},", line ? "}" : "");
    }
    const char *name = *function ? function : *kernel ? kernel : "command";
    buf_printf(out, "\"logicalLocations\":[{");
    field(out, "name", name);
    buf_printf(out, ",\"kind\":\"function\"}]");
}

static void side_words(struct buf *out, const struct json *side) {
    buf_printf(out, "%s %s", json_text(side, "who"), json_text(side, "does"));
}

static void side_message(struct buf *out, const struct json *side) {
    struct buf words = {0};
    side_words(&words, side);
    message(out, "message", buf_cstr(&words));
    buf_free(&words);
}

static void related(struct buf *out, const struct json *finding) {
    const struct json *b = json_field(finding, "b"), *barrier = json_field(finding, "barrier");
    bool has_b = b && b->first;
    const char *kernel = json_text(finding, "kernel");
    buf_printf(out, ",\"relatedLocations\":[");
    if (has_b) {
        buf_printf(out, "{\"id\":1,");
        location(out, b, kernel);
        buf_printf(out, ",");
        side_message(out, b);
        buf_printf(out, "}");
    }
    if (barrier) {
        buf_printf(out, "%s{\"id\":2,", has_b ? "," : "");
        location(out, barrier, kernel);
        buf_printf(out, ",");
        message(out, "message", "the last barrier that both have passed");
        buf_printf(out, "}");
    }
    buf_printf(out, "]");
}

/* The calls come innermost first, flows go from the outermost. */
static void calls(struct buf *out, const struct json *call, const char *kernel) {
    if (!call)
        return;
    calls(out, call->next, kernel);
    buf_printf(out, "{\"location\":{");
    location(out, call, kernel);
    buf_printf(out, ",");
    message(out, "message", "calls");
    buf_printf(out, "}},");
}

static void thread_flow(struct buf *out, const struct json *side, const char *kernel) {
    const struct json *stack = json_field(side, "stack");
    buf_printf(out, "{");
    field(out, "id", json_text(side, "who"));
    buf_printf(out, ",\"locations\":[");
    calls(out, stack ? stack->first : NULL, kernel);
    buf_printf(out, "{\"location\":{");
    location(out, side, kernel);
    buf_printf(out, ",");
    side_message(out, side);
    buf_printf(out, "}}]}");
}

/* The same for a finding whose lines have moved. */
static void hash_of(const struct json *finding, char hex[33]) {
    const struct json *a = json_field(finding, "a"), *b = json_field(finding, "b"), *t;
    struct buf x = {0}, y = {0};
    struct hash hash;
    buf_printf(&x, "%s\n%s\n", json_text(a, "file"), json_text(a, "function"));
    buf_printf(&y, "%s\n%s\n", json_text(b, "file"), json_text(b, "function"));
    t = json_field(finding, "memory");
    bool swap = strcmp(buf_cstr(&x), buf_cstr(&y)) > 0;
    hash_init(&hash);
    const char *parts[] = {json_text(finding, "kind"),   "\n",
                           json_text(finding, "kernel"), "\n",
                           buf_cstr(swap ? &y : &x),     buf_cstr(swap ? &x : &y),
                           json_text(t, "variable")};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        hash_bytes(&hash, parts[i], strlen(parts[i]));
    hash_hex(&hash, hex);
    buf_free(&x);
    buf_free(&y);
}

/* Those of one log differ: by how many are before. */
static void fingerprint(struct buf *out, const struct json *findings, const struct json *finding) {
    char hex[33], other[33];
    unsigned before = 0;
    hash_of(finding, hex);
    for (const struct json *f = findings; f != finding; f = f->next) {
        hash_of(f, other);
        before += !strcmp(hex, other);
    }
    buf_printf(out, ",\"partialFingerprints\":{\"weirCheck/v1\":\"%s:%u\"}", hex, before + 1);
}

static void result(struct buf *out, const struct json *findings, const struct json *finding) {
    const struct json *a = json_field(finding, "a"), *b = json_field(finding, "b");
    const char *kind = json_text(finding, "kind"), *kernel = json_text(finding, "kernel");
    const char *fix = json_text(finding, "fix");
    int rule = finding_kind_of(kind, strlen(kind));
    struct buf words = {0};
    buf_printf(&words, "%s%s%s: %s", kind, *kernel ? " in kernel " : "", kernel,
               json_text(finding, "message"));
    if (*fix)
        buf_printf(&words, ". Fix: %s", fix);
    buf_printf(out, "{");
    field(out, "ruleId", kind);
    if (rule >= 0)
        buf_printf(out, ",\"ruleIndex\":%d", rule);
    buf_printf(out, ",\"level\":\"error\",");
    message(out, "message", buf_cstr(&words));
    buf_printf(out, ",\"locations\":[{");
    location(out, a, kernel);
    buf_printf(out, "}]");
    related(out, finding);
    buf_printf(out, ",\"codeFlows\":[{\"threadFlows\":[");
    thread_flow(out, a, kernel);
    if (b && b->first) {
        buf_printf(out, ",");
        thread_flow(out, b, kernel);
    }
    buf_printf(out, "]}]");
    fingerprint(out, findings, finding);
    uint64_t count = json_number(finding, "count");
    buf_printf(out, ",\"occurrenceCount\":%llu}", (unsigned long long)(count ? count : 1));
    buf_free(&words);
}

static void rules(struct buf *out) {
    for (int i = 0; i < FINDING_KINDS_COUNT; i++) {
        const struct finding_words *w = &finding_words[i];
        buf_printf(out, "%s\n{", i ? "," : "");
        field(out, "id", w->name);
        buf_printf(out, ",");
        message(out, "shortDescription", w->summary);
        buf_printf(out, ",");
        message(out, "fullDescription", w->help);
        buf_printf(out, ",");
        message(out, "help", w->help);
        buf_printf(out, ",\"defaultConfiguration\":{\"level\":\"error\"}}");
    }
}

void sarif_write(struct buf *out, const struct json *findings, const struct checked_run *run) {
    buf_printf(out, "%s", output_head(OUTPUT_SARIF));
    buf_printf(out, "\"version\":\"" WEIR_VERSION "\",\"semanticVersion\":\"" WEIR_VERSION "\",\"rules\":[");
    rules(out);
    buf_printf(out, "]}},\n\"columnKind\":\"unicodeCodePoints\",\"invocations\":[{");
    field(out, "commandLine", run->command);
    buf_printf(out, ",\"executionSuccessful\":%s", run->was_checked ? "true" : "false");
    if (run->signal) {
        buf_printf(out, ",\"exitSignalNumber\":%d,", run->signal);
        field(out, "exitSignalName", strsignal(run->signal));
    } else {
        buf_printf(out, ",\"exitCode\":%d", run->code);
    }
    buf_printf(out, "}],\n\"results\":[");
    for (const struct json *f = findings; f; f = f->next) {
        buf_printf(out, "%s\n", f == findings ? "" : ",");
        result(out, findings, f);
    }
    buf_printf(out, "]}]}\n");
}

/* findings.c: what the checker found in a kernel test, against what the case says it finds.
 *
 * In: the case's `finds:` and the file of JSON lines that the checker wrote. A finding is its kind and the lines of its
 * places, the smaller first. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32, WORD = 64 };
struct set {
    char words[MOST][WORD];
    unsigned n;
};

static void add(struct set *s, const char *kind, size_t n, unsigned a, unsigned b) {
    char word[WORD];
    if (b && b < a)
        snprintf(word, sizeof word, "%.*s %u %u", (int)n, kind, b, a);
    else if (b)
        snprintf(word, sizeof word, "%.*s %u %u", (int)n, kind, a, b);
    else
        snprintf(word, sizeof word, "%.*s %u", (int)n, kind, a);
    for (unsigned i = 0; i < s->n; i++)
        if (!strcmp(s->words[i], word))
            return;
    if (s->n < MOST)
        strcpy(s->words[s->n++], word);
}

static bool has(const struct set *s, const char *word) {
    for (unsigned i = 0; i < s->n; i++)
        if (!strcmp(s->words[i], word))
            return true;
    return false;
}

/* The value of a field of text; "" if there is none. */
static const char *field(const char *line, const char *name) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\":\"", name);
    const char *at = strstr(line, key);
    return at ? at + strlen(key) : "";
}

/* Of a place "FILE:LINE:COLUMN", to the end of the JSON text. */
static unsigned line_of(const char *place) {
    const char *end = place + strcspn(place, "\" "), *colon = NULL, *before = NULL;
    for (const char *s = place; s < end; s++)
        if (*s == ':') {
            before = colon;
            colon = s;
        }
    return before ? (unsigned)strtoul(before + 1, NULL, 10) : 0;
}

static void read_report(struct set *s, const char *path) {
    char line[8192];
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *kind = field(line, "kind");
        add(s, kind, strcspn(kind, "\""), line_of(field(line, "a")), line_of(field(line, "b")));
    }
    if (f)
        fclose(f);
}

static void read_expected(struct set *s, const char *text) {
    while (*text && strcmp(text, "nothing")) {
        size_t n = strcspn(text, " ,");
        char *end;
        unsigned a = (unsigned)strtoul(text + n, &end, 10), b = (unsigned)strtoul(end, &end, 10);
        add(s, text, n, a, b);
        text = end + strspn(end, ", ");
    }
}

bool findings_compare(const struct testcase *t, const char *label, const char *report) {
    struct set found = {0}, wanted = {0};
    bool same = true;
    read_expected(&wanted, t->finds);
    read_report(&found, report);
    for (unsigned i = 0; i < wanted.n; i++)
        if (!has(&found, wanted.words[i])) {
            printf("%s [%s]: the checker doesn't find %s\n", t->path, label, wanted.words[i]);
            same = false;
        }
    for (unsigned i = 0; i < found.n; i++)
        if (!has(&wanted, found.words[i])) {
            printf("%s [%s]: the checker finds %s\n", t->path, label, found.words[i]);
            same = false;
        }
    return same;
}

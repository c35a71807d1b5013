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

/* The line of a side of the finding, "a":{"file":...,"line":N,...; 0: it has no place. */
static unsigned line_of(const char *line, const char *side) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\":{\"file\":", side);
    const char *at = strstr(line, key);
    at = at ? strstr(at, "\"line\":") : NULL;
    return at ? (unsigned)strtoul(at + strlen("\"line\":"), NULL, 10) : 0;
}

static void read_report(struct set *s, const char *path, long *seen) {
    char *line = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    if (f)
        fseek(f, *seen, SEEK_SET);
    while (f && getline(&line, &room, f) > 0) {
        const char *kind = field(line, "kind");
        add(s, kind, strcspn(kind, "\""), line_of(line, "a"), line_of(line, "b"));
    }
    free(line);
    if (f)
        *seen = ftell(f);
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

bool findings_are_all(const struct testcase *t, const char *report, long seen) {
    struct set found = {0}, wanted = {0};
    bool all = true;
    read_expected(&wanted, t->finds);
    read_report(&found, report, &seen);
    for (unsigned i = 0; i < wanted.n; i++)
        all = all && has(&found, wanted.words[i]);
    return all;
}

bool findings_compare(const struct testcase *t, const char *label, const char *report, long *seen) {
    struct set found = {0}, wanted = {0};
    bool same = true;
    read_expected(&wanted, t->finds);
    read_report(&found, report, seen);
    if (t->races)
        return true;
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

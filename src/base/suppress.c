/* suppress.c: which of the checker's findings nobody wants to see.
 *
 * In: a file of lines KIND [kernel=PATTERN] [file=PATTERN[:LINE]], where `*` is any kind, patterns are those of shells, and
 * '#' begins a comment (docs/checker.md). Out: rules, and whether one of them meets a finding. */
#include "finding.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int finding_kind_of(const char *name, size_t n) {
    for (int i = 0; i < FINDING_KINDS_COUNT; i++)
        if (strlen(finding_words[i].name) == n && !memcmp(finding_words[i].name, name, n))
            return i;
    return -1;
}

static const char *read_field(struct suppression *s, char *word) {
    if (!strncmp(word, "kernel=", 7) && word[7] && !s->kernel) {
        s->kernel = strdup(word + 7);
        return NULL;
    }
    if (strncmp(word, "file=", 5) || !word[5] || s->file)
        return "expected kernel=PATTERN or file=PATTERN[:LINE], each once";
    char *colon = strrchr(word, ':');
    if (colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1)) {
        unsigned long line = strtoul(colon + 1, NULL, 10);
        if (!line || line > UINT32_MAX || colon == word + 5)
            return "a line is a number from 1 on, after a file";
        s->at_line = (unsigned)line;
        *colon = 0;
    }
    s->file = strdup(word + 5);
    return NULL;
}

/* NULL, or what is wrong with it. An empty line leaves `kind` at NO_RULE. */
enum { NO_RULE = -2 };
static const char *read_rule(struct suppression *s, char *text) {
    char *rest = NULL, *word;
    s->kind = NO_RULE;
    char *comment = strchr(text, '#');
    if (comment)
        *comment = 0;
    for (word = strtok_r(text, " \t\r\n", &rest); word; word = strtok_r(NULL, " \t\r\n", &rest)) {
        const char *wrong = NULL;
        if (s->kind != NO_RULE)
            wrong = read_field(s, word);
        else if (!strcmp(word, "*"))
            s->kind = -1;
        else if ((s->kind = finding_kind_of(word, strlen(word))) < 0)
            wrong = "no kind of findings has this name";
        if (wrong)
            return wrong;
    }
    if (s->kind == -1 && !s->kernel && !s->file)
        return "'*' alone would hide everything: name a kernel or a file";
    return NULL;
}

static void rule_free(struct suppression *s) {
    free(s->kernel);
    free(s->file);
    free(s->text);
}

static bool add(struct suppressions *all, const struct suppression *s) {
    struct suppression *grown = realloc(all->at, (all->n + 1) * sizeof *grown);
    if (!grown)
        return false;
    all->at = grown;
    grown[all->n++] = *s;
    return true;
}

bool suppress_read(struct suppressions *all, const char *path, suppress_error *error, void *user) {
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    bool good = f;
    *all = (struct suppressions){0};
    if (!f)
        error(user, 0, strerror(errno));
    for (unsigned line = 1; f && getline(&text, &room, f) >= 0; line++) {
        struct suppression s = {.line = line, .text = strdup(text + strspn(text, " \t"))};
        if (s.text)
            s.text[strcspn(s.text, "#\r\n")] = 0;
        for (size_t n = s.text ? strlen(s.text) : 0; n && isspace((unsigned char)s.text[n - 1]); n--)
            s.text[n - 1] = 0;
        const char *wrong = read_rule(&s, text);
        if (wrong)
            error(user, line, wrong);
        good &= !wrong;
        if (wrong || s.kind == NO_RULE || !add(all, &s))
            rule_free(&s);
    }
    free(text);
    if (f)
        fclose(f);
    return good;
}

/* Patterns without a folder are for files of any folder. */
static bool is_file(const char *pattern, const char *file) {
    file += strncmp(file, "./", 2) ? 0 : 2;
    const char *base = strrchr(file, '/');
    return !fnmatch(pattern, file, 0) || (base && !strchr(pattern, '/') && !fnmatch(pattern, base + 1, 0));
}

bool suppress_meets(const struct suppression *s, enum finding_kind kind, const char *kernel,
                    const struct finding_place *places, size_t n) {
    bool found = !s->file;
    if ((s->kind >= 0 && s->kind != (int)kind) || (s->kernel && fnmatch(s->kernel, kernel, 0)))
        return false;
    for (size_t i = 0; i < n && !found; i++)
        found = is_file(s->file, places[i].file) && (!s->at_line || s->at_line == places[i].line);
    return found;
}

bool suppress_allows(const char *text, enum finding_kind kind) {
    static const char mark[] = "weir: allow";
    const char *name = finding_words[kind].name, *at = strstr(text, mark);
    for (at = at ? at + strlen(mark) : ""; *at;) {
        at += strspn(at, " \t,");
        size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz-");
        if (n == strlen(name) && !memcmp(at, name, n))
            return true;
        if (!n)
            return false;
        at += n;
    }
    return false;
}

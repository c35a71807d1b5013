/* includes.c: whether a source may read files, seen without preprocessing it.
 *
 * Directives stand in the text as they are: no macro makes one. But a comment or a spliced line may come between their
 * parts, and `#` has other spellings. What only looks like a directive, in a comment or a string, counts as one.
 */
#define _GNU_SOURCE
#include "base.h"

#include <string.h>

struct text {
    const char *at, *end;
};

static bool begins(struct text t, const char *word) {
    size_t n = strlen(word);
    return (size_t)(t.end - t.at) >= n && !memcmp(t.at, word, n);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

/* Goes over a backslash at the end of a line; blanks may follow it. */
static bool skip_splice(struct text *t) {
    struct text s = *t;
    if (begins(s, "\\"))
        s.at++;
    else if (begins(s, "?"
                       "?/"))
        s.at += 3;
    else
        return false;
    while (s.at < s.end && is_blank(*s.at))
        s.at++;
    if (s.at == s.end || (*s.at != '\n' && *s.at != '\r'))
        return false;
    char other = *s.at++ == '\n' ? '\r' : '\n'; /* a line's end may be both */
    t->at = s.at < s.end && *s.at == other ? s.at + 1 : s.at;
    return true;
}

static bool skip_comment(struct text *t) {
    struct text s = *t;
    if (!begins(s, "/"))
        return false;
    s.at++;
    while (skip_splice(&s))
        continue;
    if (!begins(s, "*"))
        return false;
    const char *end = memmem(s.at, (size_t)(s.end - s.at), "*/", 2);
    t->at = end ? end + 2 : t->end;
    return true;
}

static void skip_space(struct text *t) {
    while (t->at < t->end)
        if (is_blank(*t->at))
            t->at++;
        else if (!skip_splice(t) && !skip_comment(t))
            break;
}

/* Whether `word` comes next, perhaps spliced. */
static bool has_word(struct text t, const char *word) {
    for (; *word; word++, t.at++) {
        while (skip_splice(&t))
            continue;
        if (t.at == t.end || *t.at != *word)
            return false;
    }
    return true;
}

bool source_is_spirv(const void *source, size_t n) {
    uint32_t magic = 0;
    if (n >= sizeof magic)
        memcpy(&magic, source, sizeof magic);
    return magic == 0x07230203 || magic == 0x03022307;
}

bool source_reads_files(const void *source, size_t n) {
    static const char *const words[] = {"include", "import", "embed"};
    static const char *const hashes[] = {"#", "%:",
                                         "?"
                                         "?="};
    struct text t = {source, (const char *)source + n};
    if (source_is_spirv(source, n))
        return false;
    if (n && memmem(source, n, "__has_", 6))
        return true;
    for (; t.at < t.end; t.at++) {
        for (size_t h = 0; h < 3; h++) {
            struct text s = t;
            if (!begins(s, hashes[h]))
                continue;
            s.at += strlen(hashes[h]);
            skip_space(&s);
            for (size_t w = 0; w < 3; w++)
                if (has_word(s, words[w]))
                    return true;
        }
    }
    return false;
}

/* hints.c: what to write instead, after clang's errors and warnings.
 *
 * In: a build's log. Out: the same, with a line "hint: ..." after each diagnostic for which hints.h has one, or whose name
 * is nearly one of OpenCL C's, the first time.
 */
#include "hints.h"
#include "frontend.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *message, *names, *hint;
} rows[] = {
#define ROW(message, names, hint, example) {message, names, hint},
    HINTS(ROW) LAST_HINTS(ROW)
#undef ROW
};
#define ONE(message, names, hint, example) +1
enum { ROWS = sizeof rows / sizeof *rows, LAST = 0 HINTS(ONE) };
#undef ONE

struct text {
    const char *at;
    size_t n;
};

static bool has(struct text where, const char *what) {
    return memmem(where.at, where.n, what, strlen(what));
}

/* Whether one of the names, which are patterns with blanks between them, is this. */
static bool is_named(const char *names, struct text name) {
    char word[200], pattern[80];
    if (!name.n || name.n >= sizeof word)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)name.n, name.at);
    for (size_t n; *names; names += n + (names[n] == ' ')) {
        n = strcspn(names, " ");
        snprintf(pattern, sizeof pattern, "%.*s", (int)n, names);
        if (n && !fnmatch(pattern, word, FNM_EXTMATCH))
            return true;
    }
    return false;
}

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The word that clang's caret stands under, with a '(' that follows it; else the one character there. */
static struct text at_caret(struct text shown) {
    const char *end = shown.at + shown.n, *second = memchr(shown.at, '\n', shown.n);
    const char *caret = second ? memchr(second, '^', (size_t)(end - second)) : NULL;
    const char *newline = caret ? memchr(second + 1, '\n', (size_t)(end - second - 1)) : NULL;
    if (!caret || (newline && newline < caret) || caret - second - 1 >= second - shown.at)
        return (struct text){"", 0};
    struct text word = {shown.at + (caret - second - 1), 0};
    while (word.at > shown.at && is_of_word(*word.at) && is_of_word(word.at[-1]))
        word.at--;
    while (word.at + word.n < second && is_of_word(word.at[word.n]))
        word.n++;
    word.n += word.at + word.n < second && (word.at[word.n] == '(' || !word.n);
    return word;
}

/* The name between the first quotes of an error, without words of address spaces before it. */
static struct text quoted(struct text line) {
    const char *end = line.at + line.n, *open = memchr(line.at, '\'', line.n);
    const char *close = open ? memchr(open + 1, '\'', (size_t)(end - open - 1)) : NULL;
    if (!close)
        return (struct text){"", 0};
    struct text name = {open + 1, (size_t)(close - open - 1)};
    static const char private[] = "__private ";
    if (name.n > sizeof private - 1 && !memcmp(name.at, private, sizeof private - 1))
        return (struct text){name.at + sizeof private - 1, name.n - sizeof private + 1};
    return name;
}

static bool has_word(const char *names, struct text where) {
    for (size_t i = 0, n; i < where.n; i += n ? n : 1) {
        for (n = 0; i + n < where.n && is_of_word(where.at[i + n]);)
            n++;
        if (n && is_named(names, (struct text){where.at + i, n}))
            return true;
    }
    return false;
}

/* The row from `begin` on for a diagnostic: its first line, and what clang shows of the source below. */
static size_t row_for(struct text line, struct text shown, size_t begin, size_t end) {
    struct text name = quoted(line), caret = at_caret(shown);
    for (size_t i = begin; i < end; i++) {
        if (!has(line, rows[i].message))
            continue;
        bool syntax = !strncmp(rows[i].message, SYNTAX, sizeof SYNTAX - 1) || !name.n;
        if (!*rows[i].names || is_named(rows[i].names, caret) ||
            (syntax ? has_word(rows[i].names, shown) : is_named(rows[i].names, name)))
            return i;
    }
    return end;
}

/* Whether the name in an error is misspelt, as far as clang has no name for it. */
static bool is_misspelt(struct text line, struct text shown, char near[NEAR_NAME]) {
    struct text name = quoted(line), caret = at_caret(shown);
    char wanted[NEAR_NAME];
    if (!name.n || name.n >= sizeof wanted || has(line, "did you mean") ||
        !(has(line, UNKNOWN) || has(line, TYPE)))
        return false;
    snprintf(wanted, sizeof wanted, "%.*s", (int)name.n, name.at);
    return near_name(wanted, caret.n && caret.at[caret.n - 1] == '(', near);
}

static struct text line_at(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return (struct text){at, (size_t)((newline ? newline + 1 : end) - at)};
}

/* A diagnostic's first line. What clang shows of the source has a number and a bar, or blanks, in front. */
static bool begins_diagnostic(struct text line) {
    return has(line, "error: ") || has(line, "warning: ") || has(line, "note: ") ||
           has(line, " generated.") || has(line, "In file included from ");
}

/* Rows may have the same hint. */
static bool is_told(const bool told[ROWS], size_t row) {
    for (size_t i = 0; i < ROWS; i++)
        if (told[i] && !strcmp(rows[i].hint, rows[row].hint))
            return true;
    return false;
}

/* A hint is told once. */
static void add_hint(struct buf *out, struct text line, struct text shown, bool told[ROWS]) {
    const char *newline = out->size && out->data[out->size - 1] == '\n' ? "" : "\n";
    char near[NEAR_NAME], hint[NEAR_NAME + 30];
    size_t row = row_for(line, shown, 0, LAST);
    if (row == LAST && is_misspelt(line, shown, near)) {
        snprintf(hint, sizeof hint, "hint: did you mean '%s'?\n", near);
        if (!memmem(out->data, out->size, hint, strlen(hint)))
            buf_printf(out, "%s%s", newline, hint);
        return;
    }
    if (row == LAST)
        row = row_for(line, shown, LAST, ROWS);
    if (row < ROWS && !is_told(told, row)) {
        told[row] = true;
        buf_printf(out, "%shint: %s\n", newline, rows[row].hint);
    }
}

void hints_add(struct buf *log, size_t begin) {
    bool told[ROWS] = {false};
    struct buf out = {0};
    const char *at = (const char *)log->data + begin, *end = (const char *)log->data + log->size;
    if (log->failed || log->size <= begin)
        return;
    while (at < end) {
        struct text line = line_at(at, end), shown = {at + line.n, 0};
        const char *next = shown.at;
        while (next < end && !begins_diagnostic(line_at(next, end)))
            next += line_at(next, end).n;
        shown.n = (size_t)(next - shown.at);
        buf_bytes(&out, at, line.n + shown.n);
        if (has(line, "error: ") || has(line, "warning: "))
            add_hint(&out, line, shown, told);
        at = next;
    }
    if (!out.failed) {
        log->size = begin;
        buf_bytes(log, out.data, out.size);
    }
    buf_free(&out);
}

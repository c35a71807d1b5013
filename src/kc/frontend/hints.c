/* hints.c: what to write instead, after clang's errors.
 *
 * In: the log of a failed build. Out: the same, with a line "hint: ..." after each error for which hints.h has one, the
 * first time.
 */
#include "hints.h"
#include "frontend.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *message, *names, *hint;
} rows[] = {
#define ROW(message, names, hint, example) {message, names, hint},
    HINTS(ROW)
#undef ROW
};
enum { ROWS = sizeof rows / sizeof *rows };

struct text {
    const char *at;
    size_t n;
};

static bool has(struct text where, const char *what) {
    return memmem(where.at, where.n, what, strlen(what));
}

/* Whether one of the names, with blanks between them, is this; a * stands for any end, and at the beginning for any. */
static bool is_named(const char *names, struct text name) {
    while (*names) {
        size_t n = strcspn(names, " ");
        bool anywhere = n > 1 && *names == '*', open = n && names[n - 1] == '*';
        const char *part = names + anywhere;
        size_t length = n - anywhere - (open && n > anywhere);
        if (anywhere ? memmem(name.at, name.n, part, length) != NULL
                     : (open ? name.n >= length : name.n == length) && !memcmp(name.at, part, length))
            return true;
        names += n + (names[n] == ' ');
    }
    return false;
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
        for (n = 0; i + n < where.n && (isalnum((unsigned char)where.at[i + n]) || where.at[i + n] == '_');)
            n++;
        if (n && is_named(names, (struct text){where.at + i, n}))
            return true;
    }
    return false;
}

/* The row for an error: its first line, and what clang shows of the source below. */
static size_t row_for(struct text line, struct text shown) {
    struct text name = quoted(line);
    for (size_t i = 0; i < ROWS; i++) {
        if (!has(line, rows[i].message))
            continue;
        bool syntax = !strncmp(rows[i].message, SYNTAX, sizeof SYNTAX - 1) || !name.n;
        if (!*rows[i].names || (syntax ? has_word(rows[i].names, shown) : is_named(rows[i].names, name)))
            return i;
    }
    return ROWS;
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
        size_t row = has(line, "error: ") ? row_for(line, shown) : ROWS;
        if (row < ROWS && !told[row]) {
            told[row] = true;
            buf_printf(&out, "%shint: %s\n", next[-1] == '\n' ? "" : "\n", rows[row].hint);
        }
        at = next;
    }
    if (!out.failed) {
        log->size = begin;
        buf_bytes(log, out.data, out.size);
    }
    buf_free(&out);
}

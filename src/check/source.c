/* source.c: the text of a line of a program's source, where it is at hand.
 *
 * In: a file and a line as line tables have them. Out: its text, from the source as the application gave it (its lines may
 * have names and numbers by #line), or from the file. */
#include "report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 400 }; /* bytes shown of a line */

static bool take(struct buf *out, const char *line, size_t n) {
    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    buf_bytes(out, line, n < LONGEST ? n : LONGEST);
    return true;
}

/* Reads `#line N "FILE"`, also without the word. False: the line is none. *file stays where it names none. */
static bool read_directive(const char *line, size_t n, unsigned *number, const char **file,
                           size_t *file_length) {
    const char *end = line + n, *s = line;
#define BLANKS()                                                                                             \
    while (s < end && (*s == ' ' || *s == '\t'))                                                             \
    s++
    BLANKS();
    if (s == end || *s++ != '#')
        return false;
    BLANKS();
    if (end - s > 4 && !strncmp(s, "line", 4))
        s += 4;
    BLANKS();
    if (s == end || !isdigit((unsigned char)*s))
        return false;
    for (*number = 0; s < end && isdigit((unsigned char)*s); s++)
        *number = *number * 10 + (unsigned)(*s - '0');
    BLANKS();
#undef BLANKS
    const char *quote = s < end && *s == '"' ? memchr(s + 1, '"', (size_t)(end - s - 1)) : NULL;
    if (quote) {
        *file = s + 1;
        *file_length = (size_t)(quote - s - 1);
    }
    return true;
}

/* A source without a name is called by where the cache keeps it (source/<32 hex digits>.cl), or by what diagnostics say. */
static bool is_nameless(const char *file) {
    const char *base = strrchr(file, '/');
    return *file == '<' || (base && base - file > 7 && !memcmp(base - 7, "/source", 7) &&
                            strspn(base + 1, "0123456789abcdef") == 32 && !strcmp(base + 33, ".cl"));
}

static bool in_program(const char *program, const char *file, unsigned line, struct buf *out) {
    const char *name = NULL;
    size_t length = 0;
    unsigned number = 1;
    for (const char *s = program; *s; number++) {
        size_t n = strcspn(s, "\n");
        unsigned next;
        if (read_directive(s, n, &next, &name, &length))
            number = next - 1;
        else if (number == line &&
                 (name ? strlen(file) == length && !memcmp(file, name, length) : is_nameless(file)))
            return take(out, s, n);
        s += n + (s[n] == '\n');
    }
    return false;
}

static bool in_file(const char *file, unsigned line, struct buf *out) {
    char *text = NULL;
    size_t room = 0;
    ssize_t n = 0;
    FILE *f = *file ? fopen(file, "re") : NULL;
    for (unsigned i = 0; f && i < line && n >= 0; i++)
        n = getline(&text, &room, f);
    bool found = f && n > 0 && line && take(out, text, (size_t)n);
    free(text);
    if (f)
        fclose(f);
    return found;
}

bool source_line(const char *program, const char *file, unsigned line, struct buf *out) {
    return line && ((program && in_program(program, file, line, out)) || in_file(file, line, out));
}

/* inner_locals.c: local variables that a kernel declares in an inner block.
 *
 * OpenCL C has them in a kernel's outermost block alone, and clang refuses others; compilers for GPUs took them. Memory is theirs
 * for the whole work-group either way. In: a program as clang -E has it. Out: the same without clang's own header, and with such
 * declarations at the beginning of the kernel's body, each under a name of its own, which replaces the old one up to the end of
 * its block. Lines stay where they are. What isn't understood stays as it is, for clang to refuse.
 */
#include "frontend.h"

#include <ctype.h>
#include <string.h>

#define MOST_NAMES 256 /* at a time; what is declared beyond that stays where it is */

struct token {
    const char *at;
    size_t n;
};

struct mover {
    const char *end;        /* of the program */
    struct buf moved, body; /* of the kernel in progress: declarations, and what follows them */
    unsigned depth, parentheses, variables, nnames;
    bool expects_kernel, is_kernel;
    struct {
        struct token old;
        unsigned depth, variable;
    } names[MOST_NAMES];
};

static bool begins_name(char c) {
    return isalpha((unsigned char)c) || c == '_' || c == '$';
}

/* The token at `s`: a name, a number, a literal, a line for the preprocessor, "->", or a character. */
static struct token next_token(const char *s, const char *end, bool begins_line) {
    const char *t = s + 1;
    if (*s == '#' && begins_line)
        t = memchr(s, '\n', (size_t)(end - s));
    else if (begins_name(*s) || isdigit((unsigned char)*s))
        while (t < end && (begins_name(*t) || isdigit((unsigned char)*t) || (*t == '.' && !begins_name(*s))))
            t++;
    else if (*s == '"' || *s == '\'') {
        while (t < end && *t != *s && *t != '\n')
            t += *t == '\\' && end - t > 1 ? 2 : 1;
        t += t < end;
    } else if (*s == '-' && t < end && *t == '>')
        t++;
    return (struct token){s, (size_t)((t ? t : end) - s)};
}

/* Whether the line says that the next ones are of clang's header, which has macros that clang itself asks for, and so is included
 * again. */
static bool enters_header(struct token line) {
    static const char name[] = "/opencl-c-base.h\"";
    return memmem(line.at, line.n, name, sizeof name - 1) != NULL;
}

static bool is_token(struct token t, const char *text) {
    return t.n == strlen(text) && !memcmp(t.at, text, t.n);
}

static bool is_either(struct token t, const char *plain, const char *marked) {
    return is_token(t, plain) || is_token(t, marked);
}

/* The length of a declaration of local variables at `s`, with its semicolon; 0: there is none. It has names, sizes and
 * attributes: neither pointers, which would be private, nor values. */
static size_t declaration(const char *s, const char *end) {
    bool is_local = false, may_open = false;
    unsigned nesting = 0;
    struct token t;
    for (const char *at = s; at < end; at += t.n) {
        t = next_token(at, end, at > s && at[-1] == '\n');
        if (!nesting && *at == ';')
            return is_local ? (size_t)(at + 1 - s) : 0;
        if (isspace((unsigned char)*at) || (*at == '#' && t.n > 1))
            continue;
        bool opens = *at == '[' || (*at == '(' && (nesting || may_open));
        bool closes = nesting && (*at == ']' || *at == ')');
        if (!nesting && !opens && !begins_name(*at) && *at != ',')
            return 0;
        nesting += opens;
        nesting -= closes;
        is_local |= !nesting && is_either(t, "local", "__local");
        may_open = is_either(t, "__attribute__", "__attribute");
    }
    return 0;
}

/* A name as it is to be called. */
static void put_name(struct mover *m, struct buf *to, struct token t) {
    for (unsigned i = m->nnames; i-- > 0;) {
        if (t.n == m->names[i].old.n && !memcmp(t.at, m->names[i].old.at, t.n)) {
            buf_printf(to, "%.*s__%u", (int)t.n, t.at, m->names[i].variable);
            return;
        }
    }
    buf_bytes(to, t.at, t.n);
}

/* The first character behind `s` that is no blank. */
static char next_character(const char *s, const char *end) {
    while (s < end && isspace((unsigned char)*s))
        s++;
    return s < end ? *s : 0;
}

/* Moves a declaration of n bytes; its lines stay. */
static void move(struct mover *m, const char *s, size_t n) {
    unsigned nesting = 0;
    struct token t;
    for (const char *at = s, *end = s + n; at < end; at += t.n) {
        t = next_token(at, end, at > s && at[-1] == '\n');
        if (*at == '\n' || (*at == '#' && t.n > 1)) {
            buf_bytes(&m->body, t.at, t.n);
            buf_bytes(&m->moved, " ", 1);
            continue;
        }
        nesting += *at == '[' || *at == '(';
        nesting -= *at == ']' || *at == ')';
        char next = next_character(at + t.n, end);
        if (!nesting && begins_name(*at) && next && strchr("[,;", next)) {
            m->names[m->nnames].old = t;
            m->names[m->nnames].depth = m->depth;
            m->names[m->nnames++].variable = ++m->variables;
        }
        if (begins_name(*at))
            put_name(m, &m->moved, t);
        else
            buf_bytes(&m->moved, t.at, t.n);
    }
}

/* Keeps account of blocks and kernels. */
static void count(struct mover *m, struct token t) {
    m->expects_kernel |= !m->depth && is_either(t, "kernel", "__kernel");
    m->parentheses += *t.at == '(';
    m->parentheses -= *t.at == ')' && m->parentheses;
    if (*t.at == ';' && !m->depth)
        m->expects_kernel = false;
    if (*t.at == '{' && !m->depth++) {
        m->is_kernel = m->expects_kernel;
        m->expects_kernel = false;
    }
    if (*t.at == '}' && m->depth)
        m->depth--;
    while (*t.at == '}' && m->nnames && m->names[m->nnames - 1].depth > m->depth)
        m->nnames--;
}

void inner_locals_move(struct buf *out, struct blob program) {
    struct mover m = {.end = (const char *)program.data + program.size};
    struct token t;
    bool in_header = false;
    char last = ';'; /* what stands before, blanks and lines of the preprocessor aside; '.' for "->" */
    for (const char *at = program.data; at < m.end; at += t.n) {
        bool in_kernel = m.is_kernel && m.depth;
        struct buf *to = in_kernel ? &m.body : out;
        t = next_token(at, m.end, at == program.data || at[-1] == '\n');
        bool is_marker = *at == '#' && t.n > 1 && at[1] == ' '; /* they go in pairs */
        if (is_marker)
            in_header = enters_header(t);
        if (in_header && !is_marker && *at != '\n')
            continue;
        if (isspace((unsigned char)*at) || (*at == '#' && t.n > 1)) {
            buf_bytes(to, t.at, t.n);
            continue;
        }
        bool may_declare = in_kernel && m.depth > 1 && !m.parentheses && m.nnames <= MOST_NAMES / 2;
        size_t n = may_declare && strchr(";{}:", last) ? declaration(at, m.end) : 0;
        if (n && n < MOST_NAMES) { /* fewer names than bytes */
            move(&m, at, n);
            t.n = n;
            last = ';';
            buf_bytes(to, ";", 1);
            continue;
        }
        count(&m, t);
        if (in_kernel && !m.depth) {
            buf_bytes(out, m.moved.data, m.moved.size);
            buf_bytes(out, m.body.data, m.body.size);
            m.moved.size = m.body.size = 0;
            to = out;
        }
        if (begins_name(*at) && last != '.')
            put_name(&m, to, t);
        else
            buf_bytes(to, t.at, t.n);
        last = is_token(t, "->") ? '.' : *at;
    }
    buf_bytes(out, m.body.data, m.body.size);
    out->failed |= m.moved.failed || m.body.failed;
    buf_free(&m.moved);
    buf_free(&m.body);
}

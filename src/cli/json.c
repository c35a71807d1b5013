/* json.c: reads JSON, for the checker's reports. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

struct reader {
    const char *at, *end;
    unsigned depth;
};

static bool value(struct reader *, struct json *);

static void blanks(struct reader *r) {
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
        r->at++;
}

static bool take(struct reader *r, char c) {
    blanks(r);
    bool there = r->at < r->end && *r->at == c;
    r->at += there;
    return there;
}

static void utf8(struct buf *b, unsigned c) {
    if (c < 0x80)
        buf_printf(b, "%c", c);
    else if (c < 0x800)
        buf_printf(b, "%c%c", 0xc0 | c >> 6, 0x80 | (c & 0x3f));
    else
        buf_printf(b, "%c%c%c", 0xe0 | c >> 12, 0x80 | (c >> 6 & 0x3f), 0x80 | (c & 0x3f));
}

/* After the quote. A pair of surrogates, which the reports don't have, stays two characters. */
static bool text(struct reader *r, char **out) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    struct buf b = {0};
    while (r->at < r->end && *r->at != '"') {
        char c = *r->at++;
        const char *escape = c == '\\' && r->at < r->end ? strchr(names, *r->at) : NULL;
        if (c != '\\') {
            buf_bytes(&b, &c, 1);
        } else if (escape && *escape) {
            buf_bytes(&b, &meant[escape - names], 1);
            r->at++;
        } else if (r->end - r->at > 4 && *r->at == 'u') {
            char digits[5] = {r->at[1], r->at[2], r->at[3], r->at[4], 0};
            utf8(&b, (unsigned)strtoul(digits, NULL, 16));
            r->at += 5;
        } else {
            buf_free(&b);
            return false;
        }
    }
    const char *s = buf_cstr(&b);
    *out = must_printf("%s", s ? s : "");
    buf_free(&b);
    return take(r, '"');
}

static bool members(struct reader *r, struct json *j, char end) {
    struct json **last = &j->first;
    if (take(r, end))
        return true;
    do {
        struct json *member = must_alloc(sizeof *member);
        *last = member;
        last = &member->next;
        if (end == '}' && (!take(r, '"') || !text(r, &member->name) || !take(r, ':')))
            return false;
        if (!value(r, member))
            return false;
    } while (take(r, ','));
    return take(r, end);
}

static bool value(struct reader *r, struct json *j) {
    bool good = false;
    if (r->depth++ == DEEPEST)
        return false;
    blanks(r);
    size_t n = (size_t)(r->end - r->at);
    if (take(r, '{')) {
        good = members(r, j, '}');
    } else if (take(r, '[')) {
        good = members(r, j, ']');
    } else if (take(r, '"')) {
        good = text(r, &j->text);
    } else if (n >= 4 && (!strncmp(r->at, "null", 4) || !strncmp(r->at, "true", 4))) {
        j->is_null = *r->at == 'n';
        j->number = *r->at == 't';
        r->at += 4;
        good = true;
    } else if (n >= 5 && !strncmp(r->at, "false", 5)) {
        r->at += 5;
        good = true;
    } else if (n) { /* a number: the bytes end with another character, a NUL at the latest */
        char *end;
        j->number = strtod(r->at, &end);
        good = end != r->at && end <= r->end;
        r->at = end;
    }
    r->depth--;
    return good;
}

struct json *json_read(const char *bytes, size_t n) {
    struct json *j = must_alloc(sizeof *j);
    struct reader r = {.at = bytes, .end = bytes + n};
    if (value(&r, j)) {
        blanks(&r);
        if (r.at == r.end)
            return j;
    }
    json_free(j);
    return NULL;
}

void json_free(struct json *j) {
    while (j) {
        struct json *next = j->next;
        json_free(j->first);
        free(j->name);
        free(j->text);
        free(j);
        j = next;
    }
}

const struct json *json_field(const struct json *j, const char *name) {
    const struct json *member = j ? j->first : NULL;
    while (member && (!member->name || strcmp(member->name, name)))
        member = member->next;
    return member;
}

const char *json_text(const struct json *j, const char *name) {
    const struct json *member = json_field(j, name);
    return member && member->text ? member->text : "";
}

uint64_t json_number(const struct json *j, const char *name) {
    const struct json *member = json_field(j, name);
    return member && member->number > 0 ? (uint64_t)member->number : 0;
}

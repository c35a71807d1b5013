/* buf.c: growing byte buffers, and cursors that read them back.
 *
 * Numbers are little-endian whatever the host is; a blob is a u64 length and its bytes. Neither side
 * reports errors step by step: a buffer that ran out of memory and a cursor that ran past its end
 * remember it in `failed`, to be checked once.
 */
#define _GNU_SOURCE
#include "base.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool grow(struct buf *b, size_t n) {
    if (b->failed)
        return false;
    if (n <= b->cap - b->size)
        return true;
    size_t want = b->cap ? b->cap * 2 : 256;
    if (n > SIZE_MAX / 2 - b->size || b->cap > SIZE_MAX / 4)
        return !(b->failed = true);
    if (want < b->size + n)
        want = b->size + n;
    unsigned char *data = realloc(b->data, want);
    if (!data)
        return !(b->failed = true);
    b->data = data;
    b->cap = want;
    return true;
}

void *buf_room(struct buf *b, size_t n) {
    return grow(b, n) ? b->data + b->size : NULL;
}

void buf_bytes(struct buf *b, const void *bytes, size_t n) {
    if (!n || !grow(b, n))
        return;
    memcpy(b->data + b->size, bytes, n);
    b->size += n;
}

static void little_endian(struct buf *b, uint64_t v, size_t n) {
    unsigned char bytes[8];
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)(v >> 8 * i);
    buf_bytes(b, bytes, n);
}

void buf_u32(struct buf *b, uint32_t v) {
    little_endian(b, v, 4);
}

void buf_u64(struct buf *b, uint64_t v) {
    little_endian(b, v, 8);
}

void buf_blob(struct buf *b, const void *bytes, size_t n) {
    buf_u64(b, n);
    buf_bytes(b, bytes, n);
}

void buf_str(struct buf *b, const char *s) {
    buf_blob(b, s, s ? strlen(s) : 0);
}

/* Numbers have a point, whatever the host's locale has. */
static locale_t plain_locale;
static void make_plain_locale(void) {
    plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void buf_printf(struct buf *b, const char *format, ...) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain_locale);
    locale_t before = plain_locale ? uselocale(plain_locale) : (locale_t)0;
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    b->failed |= n < 0 || !grow(b, (size_t)n + 1);
    if (!b->failed) {
        va_start(args, format);
        vsnprintf((char *)b->data + b->size, (size_t)n + 1, format, args);
        va_end(args);
        b->size += (size_t)n;
    }
    if (before)
        uselocale(before);
}

/* Bytes of the UTF-8 character at s; 0: it is none. */
static size_t character(const unsigned char *s) {
    size_t n = *s < 0x80 ? 1 : *s >= 0xc2 && *s < 0xe0 ? 2 : *s >= 0xe0 && *s < 0xf0 ? 3 : *s < 0xf5 ? 4 : 0;
    if (*s >= 0x80 && *s < 0xc2)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    /* more bytes than it takes, half of a pair of UTF-16, beyond U+10FFFF */
    if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] >= 0xa0) || (*s == 0xf0 && s[1] < 0x90) ||
        (*s == 0xf4 && s[1] >= 0x90))
        return 0;
    return n;
}

void buf_json(struct buf *out, const char *text) {
    if (!text) {
        buf_printf(out, "null");
        return;
    }
    buf_printf(out, "\"");
    while (*text) {
        size_t n = character((const unsigned char *)text);
        if (*text == '"' || *text == '\\')
            buf_printf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            buf_printf(out, "\\u%04x", *text);
        else if (!n)
            buf_printf(out, "\\ufffd");
        else
            buf_bytes(out, text, n);
        text += n ? n : 1;
    }
    buf_printf(out, "\"");
}

void buf_source(struct buf *b, const char *path, const void *text, size_t n) {
    buf_printf(b, "#line 1 \"");
    for (size_t size; *path; path += size ? size : 1) {
        size = character((const unsigned char *)path);
        if (*path == '"' || *path == '\\')
            buf_bytes(b, "\\", 1);
        if (!size) /* the compiler would warn of it */
            buf_printf(b, "\\%03o", (unsigned char)*path);
        else
            buf_bytes(b, *path == '\n' ? "?" : path, size);
    }
    buf_printf(b, "\"\n");
    buf_bytes(b, text, n);
}

void buf_free(struct buf *b) {
    free(b->data);
    *b = (struct buf){0};
}

char *buf_cstr(struct buf *b) {
    if (!grow(b, 1))
        return NULL;
    b->data[b->size] = 0;
    return (char *)b->data;
}

struct cursor cursor_of(const void *bytes, size_t n) {
    const unsigned char *at = bytes ? bytes : (const unsigned char *)"";
    return (struct cursor){.at = at, .end = at + (bytes ? n : 0)};
}

static const unsigned char *take(struct cursor *c, uint64_t n) {
    if (c->failed || n > (size_t)(c->end - c->at)) {
        c->failed = true;
        return NULL;
    }
    const unsigned char *at = c->at;
    c->at += n;
    return at;
}

static uint64_t number(struct cursor *c, size_t n) {
    const unsigned char *at = take(c, n);
    uint64_t v = 0;
    for (size_t i = 0; at && i < n; i++)
        v |= (uint64_t)at[i] << 8 * i;
    return v;
}

uint32_t cursor_u32(struct cursor *c) {
    return (uint32_t)number(c, 4);
}

uint64_t cursor_u64(struct cursor *c) {
    return number(c, 8);
}

const void *cursor_blob(struct cursor *c, size_t *n) {
    uint64_t size = cursor_u64(c);
    const void *at = take(c, size);
    *n = at ? (size_t)size : 0;
    return at;
}

char *cursor_str(struct cursor *c) {
    size_t n;
    const void *at = cursor_blob(c, &n);
    char *s = at ? malloc(n + 1) : NULL;
    if (!s) {
        c->failed = true;
        return NULL;
    }
    memcpy(s, at, n);
    s[n] = 0;
    return s;
}

/* printf.c: OpenCL C's printf, from the records that kernels leave (struct weir_printf_record in abi.h).
 *
 * In: bytes that a kernel wrote, so nothing about them is trusted: formats and strings are read without a fault
 * wherever they point. Out: text on stdout, a command's at once.
 * A conversion reads its argument by the tag, then converts it to what the specifier asks for.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- room for records -------------------------------------------------------------------------------------- */

void *printf_reserve(struct weir_worker *abi, weir_u32 bytes) {
    struct buf *out = &((struct worker *)abi)->printf_out;
    size_t cap = out->cap ? out->cap : 4096;
    if (bytes % 8 || bytes > WEIR_PRINTF_BYTES - out->size)
        return NULL;
    while (cap - out->size < bytes)
        cap *= 2;
    if (cap != out->cap) {
        unsigned char *data = realloc(out->data, cap);
        if (!data)
            return NULL;
        out->data = data;
        out->cap = cap;
    }
    void *record = out->data + out->size;
    out->size += bytes;
    return record;
}

/* ---- one record ---------------------------------------------------------------------------------------------- */

struct argument {
    unsigned kind, bytes, count; /* bytes and number of its elements */
    const unsigned char *value;
};
struct arguments { /* what is left of a record */
    const weir_u32 *tags;
    unsigned ntags;
    const unsigned char *at, *end;
};
struct spec { /* %[flags][width][.precision][vN][length]conversion */
    char flags[8];
    int width, precision; /* precision -1: none */
    unsigned vector;      /* N, or 1 */
    unsigned bytes;       /* by the length modifier: hh 1, h 2, hl 4, l, z and t 8, none 0 */
    char conversion;
};
enum { MOST_COLUMNS = 1 << 16 }; /* widths and precisions are cut to this */

static bool next_argument(struct arguments *left, struct argument *a) {
    if (!left->ntags)
        return false;
    weir_u32 tag = *left->tags++;
    left->ntags--;
    *a = (struct argument){
        .kind = tag & 0xff, .bytes = tag >> 8 & 0xff, .count = tag >> 16, .value = left->at};
    bool sized = a->bytes == 1 || a->bytes == 2 || a->bytes == 4 || a->bytes == 8;
    size_t size = ((size_t)a->bytes * a->count + 7) / 8 * 8;
    if (!sized || size > (size_t)(left->end - left->at)) {
        left->ntags = 0;
        return false;
    }
    left->at += size;
    return true;
}

static int parse_number(const char **p) {
    int n = 0;
    for (; isdigit((unsigned char)**p); ++*p)
        n = n < MOST_COLUMNS ? n * 10 + (**p - '0') : MOST_COLUMNS;
    return n < MOST_COLUMNS ? n : MOST_COLUMNS;
}

/* Parses after the '%'. Returns what follows the specifier, or NULL if it isn't one. */
static const char *parse_spec(const char *p, struct spec *s) {
    size_t nflags = 0;
    *s = (struct spec){.precision = -1, .vector = 1};
    for (; *p && strchr("-+ #0", *p); p++)
        if (!strchr(s->flags, *p) && nflags < sizeof s->flags - 1)
            s->flags[nflags++] = *p;
    s->width = parse_number(&p);
    if (*p == '.') {
        p++;
        s->precision = parse_number(&p);
    }
    if (*p == 'v') {
        p++;
        s->vector = (unsigned)parse_number(&p);
        if (!s->vector || s->vector > 16)
            return NULL;
    }
    if (p[0] == 'h' && p[1] == 'h')
        p += 2, s->bytes = 1;
    else if (p[0] == 'h' && p[1] == 'l')
        p += 2, s->bytes = 4;
    else if (*p == 'h')
        p++, s->bytes = 2;
    else if (*p == 'l')
        p += p[1] == 'l' ? 2 : 1, s->bytes = 8;
    else if (*p == 'z' || *p == 't') /* of OpenCL C 3.1 */
        p++, s->bytes = 8;
    if (!*p || !strchr("diouxXfFeEgGaAcsp", *p))
        return NULL;
    s->conversion = *p;
    return p + 1;
}

static double half_to_double(uint16_t h) {
    _Float16 f;
    memcpy(&f, &h, sizeof f);
    return (double)f;
}

static double element_double(const struct argument *a, unsigned i) {
    const unsigned char *p = a->value + (size_t)i * a->bytes;
    uint64_t bits = 0;
    memcpy(&bits, p, a->bytes); /* little-endian hosts only, as the kernels are */
    float f;
    double d;
    if (a->kind != WEIR_PRINTF_FLOAT)
        return (double)(int64_t)bits;
    switch (a->bytes) {
    case 2:
        return half_to_double((uint16_t)bits);
    case 4:
        memcpy(&f, p, sizeof f);
        return f;
    default:
        memcpy(&d, p, sizeof d);
        return d;
    }
}

/* The element's bits, cut to `bytes` and extended to 64 bits, with its sign or with zeros. */
static uint64_t element_integer(const struct argument *a, unsigned i, unsigned bytes, bool is_signed) {
    uint64_t bits = 0;
    if (a->kind == WEIR_PRINTF_FLOAT) { /* a mismatch: the value makes most sense, where it fits */
        double d = element_double(a, i);
        bits = d > -9e18 && d < 9e18 ? (uint64_t)(int64_t)d : 0;
    } else {
        memcpy(&bits, a->value + (size_t)i * a->bytes, a->bytes);
        unsigned shift = 64 - 8 * a->bytes;
        bits = is_signed ? (uint64_t)((int64_t)(bits << shift) >> shift) : bits;
    }
    unsigned shift = bytes ? 64 - 8 * bytes : 0;
    return is_signed ? (uint64_t)((int64_t)(bits << shift) >> shift) : bits << shift >> shift;
}

/* Prints one element by a C format made from the specifier. */
static void print_element(struct buf *out, const struct spec *s, const struct argument *a, unsigned i) {
    char format[32];
    const bool is_integer = strchr("diouxX", s->conversion), is_signed = strchr("di", s->conversion);
    snprintf(format, sizeof format, "%%%s*.*%s%c", s->flags, is_integer ? "ll" : "", s->conversion);
    if (is_integer)
        buf_printf(out, format, s->width, s->precision, element_integer(a, i, s->bytes, is_signed));
    else if (s->conversion == 'c')
        buf_printf(out, format, s->width, -1, (int)(unsigned char)element_integer(a, i, 1, false));
    else
        buf_printf(out, format, s->width, s->precision, element_double(a, i));
}

/* ---- strings, which may be anything ---- */

enum {
    CHUNK = 4096,
    MOST_STRING = 1 << 20
}; /* bytes; chunks don't cross pages, and longer strings are cut */

/* Copies what may be no memory of this process; false: it isn't all readable. The system call does what a load would
 * fault at. Where a sandbox refuses the first one, a pipe does as well: it takes no more than its room, which is
 * more than a chunk. */
static bool read_memory(void *to, const char *from, size_t n) {
    struct iovec here = {to, n}, there = {(void *)(uintptr_t)from, n};
    ssize_t done = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    int ends[2];
    if (done >= 0 || errno == EFAULT || pipe2(ends, O_CLOEXEC))
        return done == (ssize_t)n;
    done =
        syscall(SYS_write, ends[1], from, n); /* not through a sanitizer, which knows where the string ends */
    bool ok = done == (ssize_t)n && read(ends[0], to, n) == done;
    close(ends[0]);
    close(ends[1]);
    return ok;
}

/* Appends the string at `p`, at most `most` bytes, as far as it can be read; false: nothing of it can. */
static bool read_string(struct buf *out, const char *p, size_t most) {
    char chunk[CHUNK];
    for (size_t done = 0, n; done < most; done += n) {
        n = CHUNK - ((uintptr_t)p + done) % CHUNK;
        n = n < most - done ? n : most - done;
        if (!read_memory(chunk, p + done, n))
            return done > 0;
        size_t length = strnlen(chunk, n);
        buf_bytes(out, chunk, length);
        if (length < n)
            return true;
    }
    return true;
}

/* The specification asks for literals, but kernels pass what they like: of a pointer that leads nowhere C libraries
 * print "(null)" as of NULL, if they live to do so. */
static void print_string(struct buf *out, const struct spec *s, bool is_string, const char *p) {
    char format[32];
    struct buf text = {0};
    size_t most = s->precision >= 0 && s->precision < MOST_STRING ? (size_t)s->precision : MOST_STRING;
    if (!is_string || !p || !read_string(&text, p, most)) {
        text.size = 0;
        buf_bytes(&text, "(null)", 6);
    }
    snprintf(format, sizeof format, "%%%s*.*s", s->flags);
    const char *copy = buf_cstr(&text);
    if (copy)
        buf_printf(out, format, s->width, s->precision, copy);
    buf_free(&text);
}

static void print_pointer(struct buf *out, const struct spec *s, const struct argument *a) {
    char format[32];
    uint64_t bits = 0;
    memcpy(&bits, a->value, a->bytes * a->count < 8 ? a->bytes * a->count : 8);
    const void *p = (const void *)(uintptr_t)bits;
    if (s->conversion == 'p') {
        snprintf(format, sizeof format, "%%%s*p", s->flags);
        buf_printf(out, format, s->width, p);
    } else {
        print_string(out, s, a->kind == WEIR_PRINTF_STRING, p);
    }
}

static void print_spec(struct buf *out, const struct spec *s, const struct argument *a) {
    if (s->conversion == 'p' || s->conversion == 's') {
        print_pointer(out, s, a);
        return;
    }
    for (unsigned i = 0; i < s->vector && i < a->count; i++) {
        if (i)
            buf_bytes(out, ",", 1);
        print_element(out, s, a, i);
    }
}

static void print_record(struct buf *out, const char *format, struct arguments left) {
    while (*format) {
        struct spec s;
        struct argument a;
        size_t plain = strcspn(format, "%");
        buf_bytes(out, format, plain);
        format += plain;
        if (!*format)
            return;
        const char *next = format[1] == '%' ? format + 2 : parse_spec(format + 1, &s);
        if (next && format[1] == '%')
            buf_bytes(out, "%", 1);
        else if (next && next_argument(&left, &a))
            print_spec(out, &s, &a);
        else /* no specifier, or no argument for it: as it stands */
            buf_bytes(out, format, next ? (size_t)(next - format) : 1);
        format = next ? next : format + 1;
    }
}

/* ---- all records ------------------------------------------------------------------------------------------------ */

/* A format and where it was read. The next record has the same one as a rule. */
struct format {
    const char *from;
    struct buf text;
};

/* NULL: there is none to be read. */
static const char *format_at(struct format *last, const char *from) {
    if (from && from != last->from) {
        last->text.size = 0;
        last->from = read_string(&last->text, from, MOST_STRING) ? from : NULL;
    }
    return from && from == last->from ? buf_cstr(&last->text) : NULL;
}

void printf_flush(const void *records, size_t n) {
    static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER; /* keeps the texts of commands apart */
    const size_t head = offsetof(struct weir_printf_record, tags);
    const unsigned char *at = records, *end = at + n;
    struct buf out = {0};
    struct format last = {0};
    while ((size_t)(end - at) >= head) {
        const struct weir_printf_record *r = (const void *)at;
        if (r->bytes < head || r->bytes % 8 || r->bytes > (size_t)(end - at) ||
            r->nargs > (r->bytes - head) / 4)
            break;
        size_t values = (head + (size_t)r->nargs * 4 + 7) / 8 * 8;
        const char *format = format_at(&last, r->format);
        if (format && values <= r->bytes)
            print_record(&out, format, (struct arguments){r->tags, r->nargs, at + values, at + r->bytes});
        at += r->bytes;
    }
    int cancel = cancel_off();
    pthread_mutex_lock(&output);
    if (out.size)
        fwrite(out.data, 1, out.size, stdout);
    fflush(stdout);
    pthread_mutex_unlock(&output);
    cancel_on(cancel);
    buf_free(&last.text);
    buf_free(&out);
}

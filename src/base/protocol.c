/* protocol.c: requests to weirc and its answers, as bytes.
 *
 * Both sides come from one build, but an answer may also come from the cache, and weirc may die at any
 * byte: readers check everything and report malformed input, never trust a length.
 */
#include "base.h"

#include <stdlib.h>
#include <string.h>

static void write_blob(struct buf *b, const struct blob *blob) {
    buf_str(b, blob->name);
    buf_blob(b, blob->data, blob->size);
}

void constants_write(struct buf *b, const struct constants *constants) {
    buf_u32(b, constants->n);
    for (uint32_t i = 0; i < constants->n; i++)
        buf_u64(b, constants->at[i]);
}

void constants_read(struct cursor *c, struct constants *constants) {
    *constants = (struct constants){.n = cursor_u32(c)};
    if (constants->n > MAX_CONSTANTS) {
        constants->n = 0;
        c->failed = true;
    }
    for (uint32_t i = 0; i < constants->n; i++)
        constants->at[i] = cursor_u64(c);
}

void protocol_write_request(struct buf *b, const struct request *r, size_t *key_size) {
    size_t start = b->size;
    buf_u32(b, WEIR_PROTOCOL);
    buf_u32(b, r->kind);
    buf_str(b, r->options);
    write_blob(b, &r->source);
    buf_u32(b, r->ninputs);
    for (uint32_t i = 0; i < r->ninputs; i++)
        write_blob(b, &r->inputs[i]);
    buf_str(b, r->kernel);
    for (int i = 0; i < 3; i++)
        buf_u32(b, r->local_size[i]);
    buf_u32(b, r->width);
    constants_write(b, &r->constants);
    buf_str(b, r->cpu);
    buf_u32(b, r->emit);
    buf_u32(b, r->report);
    buf_u32(b, r->check);
    if (key_size)
        *key_size = b->size - start;
    buf_u32(b, r->timeout_ms);
    buf_u32(b, r->patience_ms);
    buf_u32(b, r->effort);
    buf_str(b, r->cwd);
}

void protocol_write_reading(struct buf *b, const struct request *r) {
    bool reads = source_reads_files(r->source.data, r->source.size);
    bool compiles = r->kind == REQUEST_COMPILE || r->kind == REQUEST_BUILD;
    for (uint32_t i = 0; compiles && !reads && i < r->ninputs; i++)
        reads = source_reads_files(r->inputs[i].data, r->inputs[i].size);
    buf_u32(b, compiles && reads);
    buf_str(b, r->options);
    buf_str(b, r->cwd);
}

bool protocol_read_reading(const void *bytes, size_t n, struct reading *a) {
    struct cursor c = cursor_of(bytes, n);
    *a = (struct reading){.reads_files = cursor_u32(&c)};
    a->options = cursor_str(&c);
    a->cwd = cursor_str(&c);
    if (!c.failed && a->options && a->cwd && c.at == c.end)
        return true;
    reading_free(a);
    return false;
}

void reading_free(struct reading *a) {
    free(a->options);
    free(a->cwd);
    *a = (struct reading){0};
}

/* The name is the caller's to free; an empty one reads as NULL. */
static struct blob read_blob(struct cursor *c) {
    char *name = cursor_str(c);
    if (name && !*name) {
        free(name);
        name = NULL;
    }
    struct blob blob = {.name = name};
    blob.data = cursor_blob(c, &blob.size);
    return blob;
}

void request_free(struct request *r) {
    free((char *)r->options);
    free((char *)r->kernel);
    free((char *)r->cwd);
    free((char *)r->cpu);
    free((char *)r->source.name);
    for (uint32_t i = 0; i < r->ninputs; i++)
        free((char *)r->inputs[i].name);
    free(r->inputs);
    *r = (struct request){0};
}

static void read_inputs(struct cursor *c, struct request *r) {
    uint32_t n = cursor_u32(c);
    if (n > (size_t)(c->end - c->at) / 16) /* two lengths each */
        c->failed = true;
    r->inputs = c->failed ? NULL : calloc(n ? n : 1, sizeof *r->inputs);
    if (!r->inputs)
        c->failed = true;
    while (!c->failed && r->ninputs < n)
        r->inputs[r->ninputs++] = read_blob(c);
}

bool protocol_read_request(const void *bytes, size_t n, struct request *r) {
    struct cursor c = cursor_of(bytes, n);
    *r = (struct request){0};
    c.failed = cursor_u32(&c) != WEIR_PROTOCOL;
    r->kind = cursor_u32(&c);
    r->options = cursor_str(&c);
    r->source = read_blob(&c);
    read_inputs(&c, r);
    r->kernel = cursor_str(&c);
    for (int i = 0; i < 3; i++)
        r->local_size[i] = cursor_u32(&c);
    r->width = cursor_u32(&c);
    constants_read(&c, &r->constants);
    r->cpu = cursor_str(&c);
    r->emit = cursor_u32(&c);
    r->report = cursor_u32(&c);
    r->check = cursor_u32(&c);
    r->timeout_ms = cursor_u32(&c);
    r->patience_ms = cursor_u32(&c);
    r->effort = cursor_u32(&c);
    r->cwd = cursor_str(&c);
    bool kinds_ok = r->kind >= REQUEST_COMPILE && r->kind <= REQUEST_GLOBALS && r->emit <= EMIT_OBJ &&
                    r->report <= REPORT_JSON && r->effort <= EFFORT_LEAST;
    if (!c.failed && kinds_ok && c.at == c.end)
        return true;
    request_free(r);
    return false;
}

void protocol_write_answer(struct buf *b, const struct answer *a) {
    buf_u32(b, WEIR_PROTOCOL);
    buf_u32(b, a->status);
    buf_u32(b, a->cacheable);
    buf_str(b, a->log);
    buf_str(b, a->report);
    buf_str(b, a->phases);
    buf_blob(b, a->output, a->output_size);
    meta_write(b, &a->meta);
}

bool protocol_read_answer(const void *bytes, size_t n, struct answer *a) {
    struct cursor c = cursor_of(bytes, n);
    *a = (struct answer){0};
    c.failed = cursor_u32(&c) != WEIR_PROTOCOL;
    a->status = cursor_u32(&c);
    a->cacheable = cursor_u32(&c);
    a->log = cursor_str(&c);
    a->report = cursor_str(&c);
    a->phases = cursor_str(&c);
    const void *output = cursor_blob(&c, &a->output_size);
    a->output = c.failed ? NULL : malloc(a->output_size + 1);
    if (a->output)
        memcpy(a->output, output, a->output_size);
    else
        c.failed = true;
    if (!c.failed && a->status <= ANSWER_COMPILER_FAILED && meta_read(&c, &a->meta) && c.at == c.end)
        return true;
    answer_free(a);
    return false;
}

void answer_free(struct answer *a) {
    free(a->log);
    free(a->report);
    free(a->phases);
    free(a->output);
    meta_free(&a->meta);
    *a = (struct answer){0};
}

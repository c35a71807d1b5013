/* binary.c: programs as bytes (CL_PROGRAM_BINARIES, clCreateProgramWithBinary, weir compile).
 *
 * A magic with the layout's version, other versions, the binary type, the build options, the IR, the metadata, then the
 * kernel objects built so far under the identity of the machine and compiler they are for; at the end a checksum of
 * everything before. The IR alone is enough; objects only save compiling: those of another compiler are left out,
 * and those that elf.c refuses are compiled again.
 */
#include "rt.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC    "WEIRPRG2"
#define GLOBALS  0xffffffffu /* in place of a kernel's index */
#define CHECKSUM 32

static void checksum(const void *bytes, size_t n, char hex[33]) {
    struct hash h;
    hash_init(&h);
    hash_bytes(&h, bytes, n);
    hash_hex(&h, hex);
}

static void write_variants(struct buf *out, struct build *b) {
    uint32_t n = 0;
    pthread_mutex_lock(&b->lock);
    for (struct variant *v = b->variants; v; v = v->next)
        n += !v->is_hasty; /* others are better compiled again */
    buf_u32(out, n);
    for (struct variant *v = b->variants; v; v = v->next) {
        if (v->is_hasty)
            continue;
        buf_u32(out, v->kernel ? (uint32_t)(v->kernel - b->meta.kernels) : GLOBALS);
        for (int i = 0; i < 3; i++)
            buf_u32(out, v->local_size[i]);
        buf_u32(out, v->width);
        constants_write(out, &v->constants);
        buf_blob(out, v->elf, v->elf_size);
    }
    pthread_mutex_unlock(&b->lock);
}

void binary_write(struct buf *out, const struct build *b, cl_program_binary_type type, const char *options) {
    size_t start = out->size;
    char hex[33];
    buf_bytes(out, MAGIC, 8);
    buf_u32(out, WEIR_PROTOCOL);
    buf_u32(out, WEIR_ABI_VERSION);
    buf_u32(out, (uint32_t)type);
    buf_str(out, options);
    buf_blob(out, b->ir, b->ir_size);
    meta_write(out, &b->meta);
    buf_str(out, compiler_identity());
    write_variants(out, (struct build *)b);
    if (out->failed)
        return;
    checksum(out->data + start, out->size - start, hex);
    buf_bytes(out, hex, CHECKSUM);
}

static bool read_variant(struct cursor *c, struct build *b, bool keep) {
    uint32_t index = cursor_u32(c), local[3];
    size_t size;
    for (int i = 0; i < 3; i++)
        local[i] = cursor_u32(c);
    uint32_t width = cursor_u32(c);
    struct constants constants;
    constants_read(c, &constants);
    const void *elf = cursor_blob(c, &size);
    if (c->failed || (index != GLOBALS && index >= b->meta.nkernels))
        return false;
    if (!keep)
        return true;
    struct variant *v = calloc(1, sizeof *v);
    unsigned char *copy = malloc(size + 1);
    if (!v || !copy) {
        free(v);
        free(copy);
        return false;
    }
    memcpy(copy, elf, size);
    *v = (struct variant){.next = b->variants, .width = width, .elf = copy, .elf_size = size};
    v->kernel = index == GLOBALS ? NULL : &b->meta.kernels[index];
    memcpy(v->local_size, local, sizeof local);
    v->constants = constants;
    b->variants = v;
    return true;
}

static bool read_variants(struct cursor *c, struct build *b) {
    char *identity = cursor_str(c);
    bool ours = identity && !strcmp(identity, compiler_identity());
    free(identity);
    uint32_t n = cursor_u32(c);
    bool ok = !c->failed;
    for (uint32_t i = 0; i < n && ok; i++)
        ok = read_variant(c, b, ours);
    return ok;
}

static bool read_body(struct cursor *c, struct build *b, cl_program_binary_type *type, char **options) {
    if (cursor_u32(c) != WEIR_PROTOCOL)
        return false;
    cursor_u32(c); /* the ABI is that of the objects, which have the compiler's identity */
    *type = cursor_u32(c);
    *options = cursor_str(c);
    const void *ir = cursor_blob(c, &b->ir_size);
    b->ir = c->failed ? NULL : malloc(b->ir_size + 1);
    if (!b->ir)
        return false;
    memcpy(b->ir, ir, b->ir_size);
    return meta_read(c, &b->meta) && read_variants(c, b) && c->at == c->end;
}

bool binary_read(const void *bytes, size_t n, struct build **build, cl_program_binary_type *type,
                 char **options) {
    char hex[33];
    *build = NULL;
    *options = NULL;
    if (n < 8 + CHECKSUM || memcmp(bytes, MAGIC, 8))
        return false;
    checksum(bytes, n - CHECKSUM, hex);
    if (memcmp((const char *)bytes + n - CHECKSUM, hex, CHECKSUM))
        return false;
    struct cursor c = cursor_of((const char *)bytes + 8, n - 8 - CHECKSUM);
    struct build *b = build_new();
    if (b && read_body(&c, b, type, options)) {
        *build = b;
        return true;
    }
    build_drop(b);
    free(*options);
    *options = NULL;
    return false;
}

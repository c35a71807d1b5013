/* formats.c: memory whose elements aren't what a kernel computes with: texels of images of any format and shape, and half
 * numbers that vload_half reads and vstore_half writes.
 *
 * A kernel's texels are uint4 of which the format keeps a part: SET_TEXEL writes them by the format's own function, scaled
 * such that reading gives back exactly what KEPT(texel) says, which is all that the host does. */
#include "kernels.h"

#include <stdio.h>

/* How a uint4 becomes what write_imageT takes, and back; what is left of it; an absent alpha. */
static const struct texel_kind {
    const char *function, *write, *read, *kept;
    unsigned one;
} kinds[] = {
    {"ui", "v", "v", "v", 1},
    {"ui", "v", "v", "min(v, (uint4)(65535u))", 1},
    {"ui", "v", "v", "min(v, (uint4)(255u))", 1},
    {"i", "as_int4(v)", "as_uint4(v)", "v", 1},
    {"i", "as_int4(v)", "as_uint4(v)", "as_uint4(clamp(as_int4(v), (int4)(-32768), (int4)(32767)))", 1},
    {"i", "as_int4(v)", "as_uint4(v)", "as_uint4(clamp(as_int4(v), (int4)(-128), (int4)(127)))", 1},
    {"f", "convert_float4((v) & 0xffffffu)", "convert_uint4(v)", "((v) & 0xffffffu)", 1},
    {"f", "convert_float4((v) & 2047u)", "convert_uint4(v)", "((v) & 2047u)", 1},
    {"f", "(convert_float4((v) & 255u) / 255.0f)", "convert_uint4_rte((v) * 255.0f)", "((v) & 255u)", 255},
    {"f", "(convert_float4((v) & 65535u) / 65535.0f)", "convert_uint4_rte((v) * 65535.0f)", "((v) & 65535u)",
     65535},
    {"f", "((convert_float4((v) % 255u) - 127.0f) / 127.0f)", "as_uint4(convert_int4_rte((v) * 127.0f))",
     "((v) % 255u - 127u)", 127},
    {"f", "((convert_float4((v) % 65535u) - 32767.0f) / 32767.0f)",
     "as_uint4(convert_int4_rte((v) * 32767.0f))", "((v) % 65535u - 32767u)", 32767},
};

/* As cl.h has them; `kept`: of the channels of q, with # for what an absent alpha reads as. */
static const struct texel_type {
    uint32_t type;
    uint8_t kind;
} types[] = {{0x10dc, 0}, {0x10db, 1}, {0x10da, 2}, {0x10d9, 3}, {0x10d8, 4},  {0x10d7, 5},
             {0x10de, 6}, {0x10dd, 7}, {0x10d2, 8}, {0x10d3, 9}, {0x10d0, 10}, {0x10d1, 11}};
static const struct texel_order {
    uint32_t order;
    const char *kept;
} orders[] = {{0x10b5, "q"}, {0x10b0, "(uint4)(q.x, 0u, 0u, ONE)"}, {0x10b2, "(uint4)(q.x, q.y, 0u, ONE)"}};

static const struct image_shape {
    const char *type, *at;
    bool has_layers; /* one for each group, not a row */
} shapes[] = {{"image2d_t", "(int2)((int)(x), (int)(y))", false},
              {"image1d_array_t", "(int2)((int)(x), (int)(y))", false},
              {"image2d_array_t", "(int4)((int)(x), 0, (int)(y), 0)", true},
              {"image3d_t", "(int4)((int)(x), (int)(y), 0, 0)", false},
              {"image3d_t", "(int4)((int)(x), 0, (int)(y), 0)", true}};

void roll_image(struct kernel_program *p) {
    unsigned shape = kernels_roll(2) ? 0 : kernels_roll(sizeof shapes / sizeof *shapes);
    bool plain = !kernels_roll(3);
    unsigned type = plain ? 0 : kernels_roll(sizeof types / sizeof *types);
    unsigned order = plain ? 0 : kernels_roll(sizeof orders / sizeof *orders);
    p->image = (struct image_kind){.type = types[type].type,
                                   .order = orders[order].order,
                                   .row = type,
                                   .kept = order,
                                   .shape = shape,
                                   .has_layers = shapes[shape].has_layers,
                                   .plain = !type && !order};
}

/* For the device; what `KEPT` is, for both. */
const char *image_macros(const struct kernel_program *p) {
    const struct texel_kind *k = &kinds[types[p->image.row].kind];
    const struct image_shape *s = &shapes[p->image.shape];
    return text_of(
        "#define IMAGE read_write %s\n#define TEXEL_PLACE(x, y) %s\n"
        "uint4 OVERLOADABLE from_texel(%s4 v) { return %s; }\n"
        "#define TEXEL(x, y) from_texel(read_image%s(image, TEXEL_PLACE(x, y)))\n"
        "#define SET_TEXEL(x, y, value) { uint4 v = value; write_image%s(image, TEXEL_PLACE(x, y), %s); }\n",
        s->type, s->at,
        k->function[0] == 'u'   ? "uint"
        : k->function[0] == 'i' ? "int"
                                : "float",
        k->read, k->function, k->function, k->write);
}

const char *kept_macro(const struct kernel_program *p) {
    const struct texel_kind *k = &kinds[types[p->image.row].kind];
    return text_of("#define ONE %uu\nuint4 OVERLOADABLE kept_texel(uint4 v) { uint4 q = %s; return %s; }\n",
                   k->one, k->kept, orders[p->image.kept].kept);
}

/* ---- half numbers in memory ------------------------------------------------------------------------------------------ */

static const unsigned lengths[] = {1, 2, 3, 4, 8, 16};

static const char *suffix(unsigned n) {
    return n == 1 ? "" : text_of("%u", n);
}

/* Elements that a kernel can read: of its input, and of x0, which has a word for each work-item. */
void add_half_places(struct places *p) {
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        unsigned n = lengths[i];
        struct type t = {8, (uint8_t)n}; /* float */
        place_add(
            p, t,
            text_of("fit(vload_half%s((l + %%s) %%%% %uu, (global const half *)in0))", suffix(n), 128 / n),
            false, false, false);
        if (n > 1)
            place_add(p, t,
                      text_of("fit(vloada_half%s(%%s %%%% %uu, (global const half *)in0))", suffix(n),
                              128 / (n == 3 ? 4 : n)),
                      true, false, false);
        if (n < 3)
            place_add(p, t, text_of("fit(vload_half%s((l + %%s) %%%% n, (local const half *)x0))", suffix(n)),
                      false, false, true);
    }
}

/* NULL: the program has no numbers to store. `scalar`: of type float or double. */
struct node *random_half_store(const struct frame *f, const char *(*value)(const struct frame *, struct type),
                               const char *number) {
    static const char *const modes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"}, *const factors[] = {
                                                                                 "1", "0.37", "321.7", "1e-7",
                                                                                 "-3.00001"};
    struct type t = {0, 0};
    for (unsigned i = 0; i < PALETTE; i++)
        if (making.program->palette[i].base == 8 || making.program->palette[i].base == 9)
            t.base = making.program->palette[i].base;
    if (!t.base || !f->kernel)
        return NULL;
    bool global = !making.program->apart && kernels_roll(2);
    unsigned room = global ? 8 : 16; /* a word holds two */
    do
        t.n = (uint8_t)lengths[kernels_roll(6)];
    while (t.n > room);
    const char *to = global ? "(global half *)(m0 + id * 4)" : "(private half *)a0";
    bool aligned = global && t.n > 1 && kernels_roll(2);
    unsigned elements = aligned && t.n == 3 ? 4 : t.n;
    return node_new(text_of("vstore%s_half%s%s(%s * (%s)%s, (%s) %% %uu, %s);\n", aligned ? "a" : "",
                            suffix(t.n), modes[kernels_roll(5)], value(f, t), base_types[t.base].name,
                            factors[kernels_roll(5)], number, room / elements, to),
                    "");
}

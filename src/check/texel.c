/* texel.c: coordinates that lie outside an image, where no sampler says what that means (OpenCL C, 6.15.15.3 and 4).
 *
 * In: image and coordinates, as lib/cl/check.cl found them. Out: a finding. The group goes on: what is written there is
 * dropped, what is read is some texel of the image. */
#include "check.h"

#include <stdio.h>

/* "(1, 2)" of what has `n` numbers. */
static void tuple(char text[64], const long long *number, unsigned n) {
    int at = snprintf(text, 64, "(%lld", number[0]);
    for (unsigned i = 1; i < n; i++)
        at += snprintf(text + at, (size_t)(64 - at), ", %lld", number[i]);
    snprintf(text + at, (size_t)(64 - at), ")");
}

void check_texel(struct check_worker *c, uint64_t xy, uint64_t z_lod, const struct weir_image *image,
                 uint32_t how, uint32_t site, uint32_t item) {
    const struct weir_site *s = check_site(c, site);
    uint32_t lod = (uint32_t)(z_lod >> 32), dims = how & WEIR_TEXEL_DIMS, n = dims;
    const struct weir_image_level *level = &image->level[lod < image->levels ? lod : 0];
    long long at[4] = {(int32_t)xy, (int32_t)(xy >> 32), (int32_t)z_lod},
              size[4] = {level->width, level->height, level->depth};
    char coordinates[64], sizes[64];
    if (how & WEIR_TEXEL_ARRAY)
        size[n++] = level->array;
    tuple(coordinates, at, n);
    tuple(sizes, size, n);
    struct finding f = {
        .kind = FINDING_OUT_OF_BOUNDS,
        .a = {.site = site, .does = how & WEIR_TEXEL_WRITES ? "writes" : "reads", .item = item}};
    const char *name =
        s && s->object && s->object <= c->launch->narguments ? c->launch->arguments[s->object - 1] : "?";
    if (lod >= image->levels)
        snprintf(f.text, sizeof f.text, "level %u of image '%s', which has %u levels", lod, name,
                 image->levels);
    else
        snprintf(f.text, sizeof f.text, "texel %s of image '%s', whose size is %s", coordinates, name, sizes);
    snprintf(f.fix, sizeof f.fix, "%s",
             how & WEIR_TEXEL_WRITES
                 ? "compare the coordinates with get_image_width and get_image_height"
                 : "check the coordinates, or read with a sampler that says what is there");
    finding_report(c, &f);
}

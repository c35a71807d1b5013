/* image.c: read_image and write_image for every format, image type and sampler, against plain C.
 *
 * The reference takes texels apart by the bytes of each format, and computes addresses and filters in double, as OpenCL C
 * 8 has them. Children run the same with packs of one and of the default width, by code for any format and by code that
 * is made for the one at hand. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POINTS = 160, MOST_TEXELS = 512, MOST_FORMATS = 256 };
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static unsigned failures;
static bool halves; /* the functions for half numbers are called */

static void need(bool ok, const char *what) {
    if (!ok) {
        printf("%s failed\n", what);
        exit(1);
    }
}

/* ---- formats ---- */

/* By order: the component of a colour that each channel in memory holds. */
static const char *channels_of(cl_channel_order order) {
    static const char *const all[] = {
        [CL_R - CL_R] = "r",         [CL_A - CL_R] = "a",       [CL_RG - CL_R] = "rg",
        [CL_RA - CL_R] = "ra",       [CL_RGB - CL_R] = "rgb",   [CL_RGBA - CL_R] = "rgba",
        [CL_BGRA - CL_R] = "bgra",   [CL_ARGB - CL_R] = "argb", [CL_INTENSITY - CL_R] = "i",
        [CL_LUMINANCE - CL_R] = "l", [CL_DEPTH - CL_R] = "r",   [CL_sRGBA - CL_R] = "rgba",
        [CL_sBGRA - CL_R] = "bgra",  [CL_ABGR - CL_R] = "abgr"};
    return order >= CL_R && order <= CL_ABGR ? all[order - CL_R] : NULL;
}

static unsigned channel_bytes(cl_channel_type type) {
    switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8:
        return 1;
    case CL_FLOAT:
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
        return 4;
    default:
        return 2;
    }
}

/* Bits of each channel from the highest one on, and how many lie below all; 0: the type isn't packed. */
static const char *packing(cl_channel_type type, unsigned *bytes) {
    switch (type) {
    case CL_UNORM_SHORT_565:
        return *bytes = 2, "565";
    case CL_UNORM_SHORT_555:
        return *bytes = 2, "555";
    case CL_UNORM_INT_101010:
        return *bytes = 4, ":::"; /* '0' + 10 */
    case CL_UNORM_INT_101010_2:
        return *bytes = 4, ":::2";
    default:
        return NULL;
    }
}

static unsigned texel_bytes(const cl_image_format *f) {
    unsigned bytes;
    return packing(f->image_channel_data_type, &bytes)
               ? bytes
               : channel_bytes(f->image_channel_data_type) *
                     (unsigned)strlen(channels_of(f->image_channel_order));
}

static bool is_integer(cl_channel_type type) {
    return type >= CL_SIGNED_INT8 && type <= CL_UNSIGNED_INT32;
}

static bool is_srgb(const cl_image_format *f) {
    return f->image_channel_order == CL_sRGBA || f->image_channel_order == CL_sBGRA;
}

static double from_srgb(double c) {
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* One channel's bytes as a number. */
static double channel_value(cl_channel_type type, const void *at) {
    int8_t c;
    int16_t s;
    int32_t i;
    float f;
    _Float16 h;
    memcpy(&c, at, 1);
    memcpy(&s, at, 2);
    memcpy(&i, at, channel_bytes(type) == 4 ? 4 : 1);
    memcpy(&f, at, channel_bytes(type) == 4 ? 4 : 1);
    memcpy(&h, at, 2);
    switch (type) {
    case CL_SNORM_INT8:
        return fmax(c / 127.0, -1);
    case CL_SNORM_INT16:
        return fmax(s / 32767.0, -1);
    case CL_UNORM_INT8:
        return (uint8_t)c / 255.0;
    case CL_UNORM_INT16:
        return (uint16_t)s / 65535.0;
    case CL_SIGNED_INT8:
        return c;
    case CL_SIGNED_INT16:
        return s;
    case CL_SIGNED_INT32:
        return i;
    case CL_UNSIGNED_INT8:
        return (uint8_t)c;
    case CL_UNSIGNED_INT16:
        return (uint16_t)s;
    case CL_UNSIGNED_INT32:
        return (uint32_t)i;
    case CL_HALF_FLOAT:
        return (double)h;
    default:
        return f;
    }
}

static void decode(const cl_image_format *f, const unsigned char *texel, double color[4]) {
    const char *names = channels_of(f->image_channel_order);
    unsigned bytes;
    const char *widths = packing(f->image_channel_data_type, &bytes);
    color[0] = color[1] = color[2] = 0, color[3] = 1;
    if (widths) {
        uint32_t word = 0;
        memcpy(&word, texel, bytes);
        unsigned n = (unsigned)strlen(names), below = 0;
        for (unsigned i = n; i-- > 0;) { /* from the lowest */
            unsigned width = (unsigned)(widths[i] - '0');
            color[i] = (double)(word >> below & ((1u << width) - 1)) / ((1u << width) - 1);
            below += width;
        }
        return;
    }
    if (*names == 'a' && !names[1])
        color[3] = 0;
    for (unsigned i = 0; names[i]; i++) {
        double x =
            channel_value(f->image_channel_data_type, texel + i * channel_bytes(f->image_channel_data_type));
        if (is_srgb(f) && names[i] != 'a')
            x = from_srgb(x);
        if (names[i] == 'i' || names[i] == 'l')
            color[0] = color[1] = color[2] = x;
        if (names[i] == 'i' || names[i] == 'a')
            color[3] = x;
        else if (names[i] != 'l')
            color[strchr("rgb", names[i]) - "rgb"] = x;
    }
}

static void border(const cl_image_format *f, double color[4]) {
    cl_channel_order o = f->image_channel_order;
    color[0] = color[1] = color[2] = 0;
    color[3] = o == CL_R || o == CL_RG || o == CL_RGB || o == CL_LUMINANCE;
}

/* ---- images ---- */

static const struct kind {
    cl_mem_object_type type;
    const char *name, *coord, *at;
    unsigned dims;
    bool array, depth;
    size_t size[3]; /* of arrays the last one used is the layers */
} kinds[] = {
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "2", ".xy", 2, false, false, {19, 7, 1}},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "4", "", 3, false, false, {9, 5, 4}},
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "", ".x", 1, false, false, {37, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "2", ".xy", 1, true, false, {17, 5, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "4", "", 2, true, false, {8, 6, 3}},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_depth_t", "2", ".xy", 2, false, true, {19, 7, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_depth_t", "4", "", 2, true, true, {8, 6, 3}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer_t", "", ".x", 1, false, false, {41, 1, 1}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct image {
    const struct kind *kind;
    cl_image_format format;
    cl_mem mem, buffer;
    unsigned char texels[MOST_TEXELS * 16];
};

static size_t texels_of(const struct kind *k) {
    return k->size[0] * k->size[1] * k->size[2];
}

static uint32_t random_word(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static void fill(struct image *image) {
    cl_channel_type type = image->format.image_channel_data_type;
    size_t n = texels_of(image->kind) * texel_bytes(&image->format);
    for (size_t i = 0; i < n; i++)
        image->texels[i] = (unsigned char)random_word();
    for (size_t i = 0; i < n && (type == CL_FLOAT || type == CL_HALF_FLOAT); i += channel_bytes(type)) {
        float f = ((int)(random_word() % 4001) - 2000) / 512.0f;
        _Float16 h = (_Float16)f;
        memcpy(image->texels + i, type == CL_FLOAT ? (void *)&f : (void *)&h, channel_bytes(type));
    }
    for (size_t i = 0; i < 24 && i < n && type != CL_FLOAT && type != CL_HALF_FLOAT; i++)
        image->texels[i] = i % 4 < 2 ? 0xff : i % 8 < 4 ? 0x80 : 0; /* the greatest and the least */
}

static void make(struct image *image, const struct kind *kind, cl_image_format format, cl_mem_flags flags) {
    cl_int error;
    image->kind = kind;
    image->format = format;
    image->buffer = NULL;
    fill(image);
    cl_image_desc d = {.image_type = kind->type, .image_width = kind->size[0]};
    if (kind->dims > 1)
        d.image_height = kind->size[1];
    if (kind->dims > 2)
        d.image_depth = kind->size[2];
    if (kind->array)
        d.image_array_size = kind->size[kind->dims];
    if (kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        size_t bytes = texels_of(kind) * texel_bytes(&format);
        image->buffer = d.mem_object =
            clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, image->texels, &error);
        need(!error, "clCreateBuffer");
        image->mem = clCreateImage(context, flags, &format, &d, NULL, &error);
    } else {
        image->mem = clCreateImage(context, flags | CL_MEM_COPY_HOST_PTR, &format, &d, image->texels, &error);
    }
    need(!error, "clCreateImage");
}

static void drop(struct image *image) {
    clReleaseMemObject(image->mem);
    if (image->buffer)
        clReleaseMemObject(image->buffer);
}

/* The colour of a texel, or of the border. */
static void texel(const struct image *image, const int at[3], double color[4]) {
    const size_t *size = image->kind->size;
    for (int d = 0; d < 3; d++)
        if (at[d] < 0 || at[d] >= (int)size[d]) {
            border(&image->format, color);
            return;
        }
    size_t place = ((size_t)at[2] * size[1] + (size_t)at[1]) * size[0] + (size_t)at[0];
    decode(&image->format, image->texels + place * texel_bytes(&image->format), color);
}

/* ---- the reference of sampling ---- */

struct mode {
    cl_addressing_mode address;
    bool normalized, linear;
};

static int limited(int i, int size, cl_addressing_mode address) {
    int low = address == CL_ADDRESS_CLAMP ? -1 : 0, high = address == CL_ADDRESS_CLAMP ? size : size - 1;
    return i < low ? low : i > high ? high : i;
}

/* The one or two texels in a dimension, and the second one's weight. */
static double places(const struct mode *m, double u, int size, int at[2]) {
    double s = u / size;
    if (m->address == CL_ADDRESS_REPEAT)
        u = (s - floor(s)) * size;
    if (m->address == CL_ADDRESS_MIRRORED_REPEAT)
        u = fabs(s - 2 * rint(0.5 * s)) * size;
    if (!m->linear) {
        at[0] = (int)floor(u);
        if (m->address == CL_ADDRESS_REPEAT && at[0] > size - 1)
            at[0] -= size;
        at[0] = limited(at[0], size, m->address);
        return 0;
    }
    int low = (int)floor(u - 0.5);
    double weight = u - 0.5 - low;
    at[0] = low, at[1] = low + 1;
    if (m->address == CL_ADDRESS_REPEAT && low < 0)
        at[0] += size;
    if (m->address == CL_ADDRESS_REPEAT && low + 1 > size - 1)
        at[1] -= size;
    at[0] = limited(at[0], size, m->address);
    at[1] = limited(at[1], size, m->address);
    return weight;
}

/* `u`: in texels, also of normalized coordinates; of arrays the last one is the layer. */
static void sample(const struct image *image, const struct mode *m, const double u[3], double color[4]) {
    const struct kind *k = image->kind;
    int at[3][2] = {{0}};
    double weight[3] = {0};
    for (unsigned d = 0; d < k->dims; d++)
        weight[d] = places(m, u[d], (int)k->size[d], at[d]);
    if (k->array) {
        int layers = (int)k->size[k->dims], layer = (int)rint(u[k->dims]);
        at[k->dims][0] = layer < 0 ? 0 : layer >= layers ? layers - 1 : layer;
    }
    for (int c = 0; c < 4; c++)
        color[c] = 0;
    for (unsigned corner = 0; corner < (m->linear ? 1u << k->dims : 1); corner++) {
        int place[3];
        double one[4], part = 1;
        for (unsigned d = 0; d < 3; d++) {
            unsigned upper = d < k->dims ? corner >> d & 1 : 0;
            place[d] = at[d][upper];
            part *= upper ? weight[d] : 1 - weight[d];
        }
        texel(image, place, one);
        for (int c = 0; c < 4; c++)
            color[c] += part * one[c];
    }
}

/* ---- calls ---- */

/* What read_image gives is stored as it is: four words. */
static const char source[] =
    "#define PASTE(a, b) a##b\n#define NAME(a, b) PASTE(a, b)\n"
    "#ifdef DEPTH\n#define WIDE(x) (float4)(x, 0, 0, 1)\n#define NARROW(c) (c).x\n"
    "#elif defined(HALVES)\n#define WIDE(x) convert_float4(x)\n#define NARROW(c) convert_half4(c)\n"
    "#else\n#define WIDE(x) (x)\n#define NARROW(c) (c)\n#endif\n"
    "#ifndef PLAIN\n"
    "kernel void sampled(read_only IMAGE i, sampler_t s, global float4 *at, global RESULT *out) {\n"
    "    size_t g = get_global_id(0);\n"
    "    out[g] = WIDE(NAME(read_image, SUFFIX)(i, s, at[g]AT));\n}\n"
    "kernel void whole(read_only IMAGE i, sampler_t s, global float4 *at, global RESULT *out) {\n"
    "    size_t g = get_global_id(0);\n"
    "    out[g] = WIDE(NAME(read_image, SUFFIX)(i, s, convert_int4_rtn(at[g])AT));\n}\n"
    "#endif\n"
    "kernel void plain(read_only IMAGE i, global float4 *at, global RESULT *out) {\n"
    "    size_t g = get_global_id(0);\n"
    "    out[g] = WIDE(NAME(read_image, SUFFIX)(i, convert_int4_rtn(at[g])AT));\n}\n"
    "kernel void both(read_write IMAGE i, global float4 *at, global RESULT *out) {\n"
    "    size_t g = get_global_id(0);\n"
    "    out[g] = WIDE(NAME(read_image, SUFFIX)(i, convert_int4_rtn(at[g])AT));\n}\n"
    "kernel void put(write_only IMAGE i, global RESULT *colors, int w, int h) {\n"
    "    int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);\n"
    "    NAME(write_image, SUFFIX)(i, (p)AT, NARROW(colors[(p.z * h + p.y) * w + p.x]));\n}\n"
    "kernel void asked(read_only IMAGE i, global int *out) {\n"
    "    out[0] = get_image_width(i);\n    out[1] = get_image_channel_order(i);\n"
    "    out[2] = get_image_channel_data_type(i);\n"
    "#ifndef PLAIN\n    out[3] = get_image_num_mip_levels(i);\n#endif\n"
    "#if DIMS > 1\n    out[4] = get_image_height(i);\n    out[5] = get_image_dim(i).x;\n    out[6] = "
    "get_image_dim(i).y;\n#endif\n"
    "#if DIMS > 2\n    out[7] = get_image_depth(i);\n    out[8] = get_image_dim(i).z;\n#endif\n"
    "#ifdef ARRAY\n    out[9] = get_image_array_size(i);\n#endif\n}\n";

static cl_program build(const struct kind *k, cl_channel_type type) {
    char options[256];
    cl_int error;
    const char *text = source;
    bool is_signed = type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32, integer = is_integer(type);
    const char *of_integers = is_signed ? "i" : "ui", *suffix = integer ? of_integers : halves ? "h" : "f";
    const char *result = !integer ? "float4" : is_signed ? "int4" : "uint4";
    snprintf(options, sizeof options,
             "-cl-std=CL3.0 -DIMAGE=%s -DAT=%s -DRESULT=%s -DSUFFIX=%s -DDIMS=%u%s%s%s%s", k->name, k->at,
             result, suffix, k->dims, halves ? " -DHALVES" : "", k->array ? " -DARRAY" : "",
             k->depth ? " -DDEPTH" : "", k->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? " -DPLAIN" : "");
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    need(!error, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, options, NULL, NULL)) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        printf("%s\n%s\n", options, log);
        exit(1);
    }
    return program;
}

/* Runs a kernel on the points; `sampler` NULL: it has none. */
static void call(cl_program program, const char *name, cl_mem image, const struct mode *m,
                 const float (*at)[4], uint32_t (*out)[4]) {
    cl_int error;
    size_t items = POINTS, group = 32;
    cl_sampler sampler = NULL;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    need(!error, "clCreateKernel");
    cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, POINTS * 16, (void *)at, &error);
    cl_mem result = clCreateBuffer(context, CL_MEM_READ_WRITE, POINTS * 16, NULL, &error);
    cl_uint n = 0;
    need(!clSetKernelArg(kernel, n++, sizeof image, &image), "clSetKernelArg: image");
    if (m) {
        cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              m->normalized,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              m->address,
                                              CL_SAMPLER_FILTER_MODE,
                                              m->linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST,
                                              0};
        sampler = clCreateSamplerWithProperties(context, properties, &error);
        need(!error && !clSetKernelArg(kernel, n++, sizeof sampler, &sampler), "clSetKernelArg: sampler");
    }
    need(!clSetKernelArg(kernel, n++, sizeof in, &in) && !clSetKernelArg(kernel, n++, sizeof result, &result),
         "clSetKernelArg");
    need(!clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL) &&
             !clEnqueueReadBuffer(queue, result, CL_TRUE, 0, POINTS * 16, out, 0, NULL, NULL),
         "a launch");
    clReleaseMemObject(in);
    clReleaseMemObject(result);
    clReleaseKernel(kernel);
    if (sampler)
        clReleaseSampler(sampler);
}

/* ---- reading ---- */

static bool is_close(const struct image *image, bool linear, uint32_t got, double want) {
    cl_channel_type type = image->format.image_channel_data_type;
    float f;
    if (is_integer(type))
        return got == (type <= CL_SIGNED_INT32 ? (uint32_t)(int32_t)want : (uint32_t)want);
    memcpy(&f, &got, sizeof f);
    if (halves)
        return f == (double)(_Float16)want || fabs(f - want) <= fmax(fabs(want) * 0x1.1p-11, 0x1p-24);
    /* 1.5 units in the last place (8.3.1.1); filtering rounds coordinates, too: texels are within 4. */
    return linear ? fabs(f - want) <= 6e-5 : fabs(f - want) <= fabs(want) * 0x1.8p-23;
}

static const char *shown(const struct mode *m, char text[64]) {
    if (!m)
        return "no sampler";
    snprintf(text, 64, "address 0x%x%s%s", m->address, m->normalized ? ", normalized" : "",
             m->linear ? ", linear" : "");
    return text;
}

static void compare(const struct image *image, const char *kernel, const struct mode *m, const double (*u)[3],
                    uint32_t (*out)[4]) {
    static const struct mode none = {.address = CL_ADDRESS_NONE};
    char text[64];
    for (int i = 0; i < POINTS; i++) {
        double want[4];
        sample(image, m ? m : &none, u[i], want);
        for (int c = 0; c < (image->kind->depth ? 1 : 4); c++) {
            if (is_close(image, m && m->linear, out[i][c], want[c]))
                continue;
            float f;
            memcpy(&f, &out[i][c], sizeof f);
            if (failures++ < 20)
                printf("%s of %s, order 0x%x, type 0x%x, %s: at (%g, %g, %g) component %d is %g (0x%x), not "
                       "%g\n",
                       kernel, image->kind->name, image->format.image_channel_order,
                       image->format.image_channel_data_type, shown(m, text), u[i][0], u[i][1], u[i][2], c, f,
                       out[i][c], want[c]);
            return;
        }
    }
}

/* Sixteenths of texels, no ties for rounding; with whole numbers the middle of texels. The layer comes as it is. */
static void choose(const struct kind *k, const struct mode *m, bool whole, bool outside, double (*u)[3],
                   float (*at)[4]) {
    for (int i = 0; i < POINTS; i++)
        for (unsigned d = 0; d < 3; d++) {
            int size = (int)k->size[d], reach = outside ? 3 * size + 3 : 0;
            double x = (int)(random_word() % (unsigned)(8 * (size + 2 * reach))) - 8 * reach;
            bool layer = k->array && d == k->dims, used = d < k->dims || layer;
            x = (x + 0.5) / 8;
            if (whole)
                x = floor(x);
            else if (layer)
                x = x * 2 - 0.125; /* also halves, which go to the even layer */
            if (layer && whole && !outside)
                x = fabs(x);
            u[i][d] = used ? x : 0;
            at[i][d] = (float)(m && m->normalized && d < k->dims ? u[i][d] / size : u[i][d]);
            if (whole && d < k->dims)
                u[i][d] += 0.5; /* of the texel with this number */
        }
}

static void read_in(const struct image *image, cl_program program, const char *kernel, const struct mode *m,
                    bool whole) {
    double u[POINTS][3];
    float at[POINTS][4];
    uint32_t out[POINTS][4];
    memset(at, 0, sizeof at);
    choose(image->kind, m, whole, m && m->address != CL_ADDRESS_NONE, u, at);
    call(program, kernel, image->mem, m, at, out);
    compare(image, kernel, m, u, out);
}

static void read_all(const struct image *image, cl_program program, unsigned turn, unsigned each) {
    static const cl_addressing_mode addresses[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE,
                                                   CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                                   CL_ADDRESS_MIRRORED_REPEAT};
    unsigned n = turn;
    read_in(image, program, "plain", NULL, true);
    read_in(image, program, "both", NULL, true);
    if (image->kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return;
    for (unsigned a = 0; a < 5; a++)
        for (unsigned way = 0; way < 4; way++) {
            struct mode m = {addresses[a], way & 1, way & 2};
            bool integer = is_integer(image->format.image_channel_data_type);
            if ((a > 2 && !m.normalized) || (integer && m.linear) || n++ % each)
                continue;
            read_in(image, program, "sampled", &m, false);
            if (a < 3 && !m.normalized && !m.linear)
                read_in(image, program, "whole", &m, true);
        }
}

/* ---- writing ---- */

static const float colors[] = {0,        1,       0.5f,  0.25f, -0.3f,   1.7f,        -1,        -2,
                               0.00001f, 0.0031f, 0.2f,  0.7f,  1e9f,    -1e9f,       0.999f,    0.3333f,
                               0.0625f,  65504,   65520, 3e38f, -0.999f, 0.00390625f, 0.0031308f};
enum { COLORS = sizeof colors / sizeof *colors };

/* Whether the bytes are a channel that holds the value, within 0.6 of the nearest (8.3.1.2). */
static bool holds(cl_channel_type type, const void *at, double x) {
    double most, least, got = channel_value(type, at);
    switch (type) {
    case CL_SNORM_INT8:
    case CL_SNORM_INT16: {
        int16_t s = 0;
        memcpy(&s, at, channel_bytes(type));
        most = type == CL_SNORM_INT8 ? 127 : 32767, least = -most - 1;
        return fabs((type == CL_SNORM_INT8 ? (int8_t)s : s) - fmax(least, fmin(x * most, most))) <= 0.6;
    }
    case CL_UNORM_INT8:
    case CL_UNORM_INT16:
        most = type == CL_UNORM_INT8 ? 255 : 65535;
        return fabs(got * most - fmax(0, fmin(x * most, most))) <= 0.6;
    case CL_HALF_FLOAT:
        return got == (double)(_Float16)(float)x;
    case CL_FLOAT:
        return got == x;
    default: { /* integers saturate */
        unsigned bits = 8 * channel_bytes(type);
        bool is_signed = type <= CL_SIGNED_INT32;
        most = ldexp(1, (int)bits - is_signed) - 1, least = is_signed ? -most - 1 : 0;
        return got == fmax(least, fmin(x, most));
    }
    }
}

/* A NaN is 0 (8.5). */
static double to_srgb(double c) {
    c = fmax(0, fmin(c, 1));
    return c < 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

static bool holds_color(const cl_image_format *f, const unsigned char *texel, const double color[4]) {
    const char *names = channels_of(f->image_channel_order);
    unsigned bytes;
    const char *widths = packing(f->image_channel_data_type, &bytes);
    double got[4];
    bool ok = true;
    if (widths) {
        decode(f, texel, got);
        for (unsigned i = 0; names[i]; i++) {
            double most = (1 << (widths[i] - '0')) - 1;
            ok &= fabs((got[i] - fmax(0, fmin(color[i], 1))) * most) <= 0.6;
        }
        return ok;
    }
    for (unsigned i = 0; names[i]; i++) {
        unsigned component = names[i] == 'a' ? 3 : names[i] == 'g' ? 1 : names[i] == 'b' ? 2 : 0;
        double x = is_srgb(f) && component < 3 ? to_srgb(color[component]) : color[component];
        ok &= holds(f->image_channel_data_type, texel + i * channel_bytes(f->image_channel_data_type), x);
    }
    return ok;
}

/* Every texel gets a colour, and three rows, columns and slices beyond the image get one, which must not be seen. */
static void write_all(struct image *image, cl_program program) {
    const struct kind *k = image->kind;
    cl_channel_type type = image->format.image_channel_data_type;
    size_t global[3], total = 1, origin[3] = {0}, region[3] = {k->size[0], k->size[1], k->size[2]};
    unsigned used = k->dims + k->array;
    for (unsigned d = 0; d < 3; d++)
        total *= global[d] = d < used ? k->size[d] + 3 : 1;
    uint32_t *values = calloc(total, 16);
    double *wanted = calloc(total, 4 * sizeof *wanted);
    for (size_t i = 0; i < total * 4; i++) {
        float f =
            random_word() % 2 ? colors[random_word() % COLORS] : (float)(random_word() & 0xffffff) / 0xffffff;
        uint32_t small = random_word() % 600 - (type <= CL_SIGNED_INT32 ? 300u : 0u), any = random_word();
        uint32_t word = random_word() % 3 ? small : any;
        if (is_integer(type))
            values[i] = word, wanted[i] = type <= CL_SIGNED_INT32 ? (double)(int32_t)word : (double)word;
        else
            memcpy(&values[i], &f, sizeof f), wanted[i] = halves ? (double)(_Float16)f : f;
    }
    cl_int error, w = (cl_int)global[0], h = (cl_int)global[1];
    cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, total * 16, values, &error);
    cl_kernel kernel = clCreateKernel(program, "put", &error);
    need(!error && !clSetKernelArg(kernel, 0, sizeof image->mem, &image->mem) &&
             !clSetKernelArg(kernel, 1, sizeof in, &in) && !clSetKernelArg(kernel, 2, 4, &w) &&
             !clSetKernelArg(kernel, 3, 4, &h) &&
             !clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL) &&
             !clEnqueueReadImage(queue, image->mem, CL_TRUE, origin, region, 0, 0, image->texels, 0, NULL,
                                 NULL),
         "writing an image");
    for (size_t i = 0; i < texels_of(k); i++) {
        size_t x = i % k->size[0], y = i / k->size[0] % k->size[1], z = i / k->size[0] / k->size[1];
        const double *color = wanted + 4 * ((z * global[1] + y) * global[0] + x);
        const unsigned char *at = image->texels + i * texel_bytes(&image->format);
        if (holds_color(&image->format, at, color))
            continue;
        if (failures++ < 20)
            printf("put of %s, order 0x%x, type 0x%x: (%zu, %zu, %zu) has %02x%02x%02x%02x..., of (%g, %g, "
                   "%g, %g)\n",
                   k->name, image->format.image_channel_order, type, x, y, z, at[0], at[1], at[2], at[3],
                   color[0], color[1], color[2], color[3]);
        break;
    }
    clReleaseMemObject(in);
    clReleaseKernel(kernel);
    free(values);
    free(wanted);
}

/* ---- questions ---- */

static void ask(const struct image *image, cl_program program) {
    const struct kind *k = image->kind;
    bool plane = k->dims > 1, levels = k->type != CL_MEM_OBJECT_IMAGE1D_BUFFER;
    cl_int error, width = (cl_int)k->size[0], height = (cl_int)k->size[1], depth = (cl_int)k->size[2],
                  got[10] = {0};
    cl_int want[] = {width,
                     (cl_int)image->format.image_channel_order,
                     (cl_int)image->format.image_channel_data_type,
                     levels,
                     plane ? height : 0,
                     plane ? width : 0,
                     plane ? height : 0,
                     k->dims > 2 ? depth : 0,
                     k->dims > 2 ? depth : 0,
                     k->array ? (cl_int)k->size[k->dims] : 0};
    size_t one = 1;
    cl_kernel kernel = clCreateKernel(program, "asked", &error);
    cl_mem out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof got, got, &error);
    need(!error && !clSetKernelArg(kernel, 0, sizeof image->mem, &image->mem) &&
             !clSetKernelArg(kernel, 1, sizeof out, &out) &&
             !clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL) &&
             !clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL),
         "asking an image");
    for (int i = 0; i < 10; i++)
        if (got[i] != want[i] && failures++ < 20)
            printf("asked of %s: answer %d is %d, not %d\n", k->name, i, got[i], want[i]);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
}

/* ---- all ---- */

static unsigned formats_of(const struct kind *k, cl_mem_flags flags, cl_image_format formats[MOST_FORMATS]) {
    cl_uint n = 0, kept = 0;
    need(!clGetSupportedImageFormats(context, flags, k->type, MOST_FORMATS, formats, &n),
         "clGetSupportedImageFormats");
    for (cl_uint i = 0; i < n && i < MOST_FORMATS; i++)
        if ((formats[i].image_channel_order == CL_DEPTH) == k->depth &&
            channels_of(formats[i].image_channel_order))
            formats[kept++] = formats[i];
    return kept;
}

static bool has(const cl_image_format *formats, unsigned n, cl_image_format f) {
    for (unsigned i = 0; i < n; i++)
        if (!memcmp(&formats[i], &f, sizeof f))
            return true;
    return false;
}

/* `each`: of how many samplers one is tried, in turn; `fresh`: with code of its own for each format. */
static void try_kind(const struct kind *k, unsigned each, bool fresh, unsigned step) {
    static struct image image;
    cl_image_format formats[MOST_FORMATS], writable[MOST_FORMATS], both[MOST_FORMATS];
    cl_program programs[4] = {NULL};
    unsigned n = formats_of(k, CL_MEM_READ_ONLY, formats),
             written = formats_of(k, CL_MEM_WRITE_ONLY, writable);
    unsigned shared = formats_of(k, CL_MEM_KERNEL_READ_AND_WRITE, both);
    need(n && written && shared, "finding formats");
    for (unsigned i = (unsigned)(k - kinds) % step; i < n; i += step) {
        cl_channel_type type = formats[i].image_channel_data_type;
        unsigned which = !is_integer(type) ? 0 : type <= CL_SIGNED_INT32 ? 1 : 2;
        need(has(both, shared, formats[i]) && has(writable, written, formats[i]), "finding formats to write");
        if (fresh && programs[which]) {
            clReleaseProgram(programs[which]);
            programs[which] = NULL;
        }
        if (!programs[which])
            programs[which] = build(k, type);
        make(&image, k, formats[i], CL_MEM_READ_WRITE);
        read_all(&image, programs[which], i, each);
        write_all(&image, programs[which]);
        ask(&image, programs[which]);
        halves = !k->depth && which == 0;
        if (halves && !programs[3])
            programs[3] = build(k, type);
        if (halves) {
            read_in(&image, programs[3], "plain", NULL, true);
            write_all(&image, programs[3]);
        }
        halves = false;
        drop(&image);
    }
    for (int i = 0; i < 4; i++)
        if (programs[i])
            clReleaseProgram(programs[i]);
}

static int child(bool fresh) {
    cl_platform_id platform;
    cl_int error;
    cl_bool images = CL_FALSE;
    need(!clGetPlatformIDs(1, &platform, NULL) &&
             !clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
         "finding a device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(!error, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    need(!error && !clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL),
         "clGetDeviceInfo");
    if (!images) {
        printf("skipped: the device has no images\n");
        return 77;
    }
    bool quick = getenv("WEIR_TEST_QUICK");
    unsigned each = quick && !fresh ? 2 : 1; /* in quick runs a kind is tried in packs or by itself */
    for (unsigned k = each == 2 && !strcmp(getenv("WEIR_WIDTH"), "1"); k < (fresh && quick ? 2 : KINDS);
         k += each)
        try_kind(&kinds[k], fresh ? 8 : 1, fresh, fresh ? quick ? 9 : 3 : 1);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return failures ? 1 : 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "--names")) { /* for all_declared_names_are_tested.sh */
        puts("get_image_array_size\nget_image_channel_data_type\nget_image_channel_order\nget_image_depth\n"
             "get_image_dim\nget_image_height\nget_image_num_mip_levels\nget_image_width\nread_imagef\n"
             "read_imageh\nread_imagei\nread_imageui\nwrite_imagef\nwrite_imageh\nwrite_imagei\nwrite_"
             "imageui");
        return 0;
    }
    static const struct {
        const char *width, *specialize;
    } runs[] = {{"0", "0"}, {"1", "0"}, {"0", "1"}};
    int bad = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        fflush(stdout);
        pid_t pid = fork();
        if (!pid) {
            setenv("WEIR_WIDTH", runs[i].width, 1);
            setenv("WEIR_SPECIALIZE", runs[i].specialize, 1);
            exit(child(*runs[i].specialize == '1'));
        }
        int status = 1;
        waitpid(pid, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
            return 77;
        if (status)
            printf("width %s, specialized %s: failed, status %d\n", runs[i].width, runs[i].specialize,
                   status);
        bad |= status;
    }
    return bad ? 1 : 0;
}

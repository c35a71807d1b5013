/* Commands on images: read, write, copy, fill, map. */
#include "api.h"
#include "image.h"

static const size_t zero[3] = {0, 0, 0};

static void write_all(cl_mem image, const cl_image_desc *d, const void *from) {
    size_t size[3];
    size_of(d, size);
    OK(clEnqueueWriteImage(cl.queue, image, CL_TRUE, zero, size, 0, 0, from, 0, NULL, NULL));
}

static void read_all(cl_mem image, const cl_image_desc *d, void *to) {
    size_t size[3];
    size_of(d, size);
    OK(clEnqueueReadImage(cl.queue, image, CL_TRUE, zero, size, 0, 0, to, 0, NULL, NULL));
}

static void number(cl_uint *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        values[i] = (cl_uint)(i * 2654435761u);
}

/* A region that leaves out the first and last row, texel and slice where there are more than two. */
static void inner(const size_t size[3], size_t origin[3], size_t region[3]) {
    for (int i = 0; i < 3; i++) {
        origin[i] = size[i] > 2;
        region[i] = size[i] - 2 * origin[i];
    }
}

/* Where texel (x, y, z) of the region lies in an image of that size without gaps. */
static size_t place(const size_t size[3], const size_t origin[3], size_t x, size_t y, size_t z) {
    return ((origin[2] + z) * size[1] + origin[1] + y) * size[0] + origin[0] + x;
}

#define EACH_TEXEL(region)                                                                                   \
    for (size_t z = 0; z < (region)[2]; z++)                                                                 \
        for (size_t y = 0; y < (region)[1]; y++)                                                             \
            for (size_t x = 0; x < (region)[0]; x++)

/* ---- read and write ---- */

TEST(a_region_is_written_and_read_with_pitches) {
    needs_images();
    enum { ROW = W + 4, SLICE = ROW * (H + 1) };
    static cl_uint host[SLICE * D], values[N], got[SLICE * D], back[N];
    number(host, COUNT(host));
    for (size_t t = 0; t < COUNT(all_types); t++) {
        const cl_image_desc *d = &all_types[t];
        bool sliced = d->image_depth || d->image_array_size;
        bool rows_are_layers = d->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        size_t size[3], origin[3], region[3], row = rows_are_layers ? SLICE : ROW;
        size_of(d, size);
        inner(size, origin, region);
        memset(values, 7, sizeof values);
        memset(got, 9, sizeof got);
        cl_mem image = image_of(0, &rgba8, d, NULL);
        write_all(image, d, values);
        OK(clEnqueueWriteImage(cl.queue, image, CL_FALSE, origin, region, ROW * 4, sliced ? SLICE * 4 : 0,
                               host, 0, NULL, NULL));
        EACH_TEXEL(region) values[place(size, origin, x, y, z)] = host[z * SLICE + y * row + x];
        read_all(image, d, back);
        assert_memory_equal(back, values, 4 * size[0] * size[1] * size[2]);
        OK(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, ROW * 4, sliced ? SLICE * 4 : 0, got,
                              0, NULL, NULL));
        EACH_TEXEL(region) {
            size_t i = z * SLICE + y * row + x;
            assert_int_equal(got[i], host[i]);
            got[i] = 0x09090909;
        }
        for (size_t i = 0; i < COUNT(got); i++)
            assert_int_equal(got[i], 0x09090909);
        OK(clReleaseMemObject(image));
    }
}

TEST(large_images_go_there_and_back) {
    needs_images();
    enum { LARGE = 1500 };
    cl_uint *values = malloc(LARGE * LARGE * 4), *got = calloc(LARGE * LARGE, 4);
    number(values, LARGE * LARGE);
    cl_mem image = plane_of(0, LARGE, LARGE, NULL);
    size_t origin[3] = {1, 1, 0}, region[3] = {LARGE - 2, LARGE - 2, 1};
    cl_image_desc d = plane(LARGE, LARGE);
    write_all(image, &d, values);
    OK(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, LARGE * 4, 0, got + LARGE + 1, 0, NULL,
                          NULL));
    for (size_t y = 1; y < LARGE - 1; y++)
        assert_memory_equal(got + y * LARGE + 1, values + y * LARGE + 1, (LARGE - 2) * 4);
    OK(clEnqueueFillImage(cl.queue, image, (cl_uint[4]){1, 2, 3, 4}, origin, region, 0, NULL, NULL));
    read_all(image, &d, got);
    for (size_t y = 0; y < LARGE; y++)
        for (size_t x = 0; x < LARGE; x++) {
            bool edge = !x || !y || x == LARGE - 1 || y == LARGE - 1;
            if (got[y * LARGE + x] != (edge ? values[y * LARGE + x] : 0x04030201))
                fail();
        }
    OK(clReleaseMemObject(image));
    free(values);
    free(got);
}

static cl_int reading(cl_mem image, const size_t *origin, const size_t *region, size_t row, size_t slice) {
    static cl_uint host[N];
    cl_int code =
        clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, row, slice, host, 0, NULL, NULL);
    GIVES(code,
          clEnqueueWriteImage(cl.queue, image, CL_TRUE, origin, region, row, slice, host, 0, NULL, NULL));
    return code;
}

TEST(reading_and_writing_check_the_region) {
    needs_images();
    for (size_t t = 0; t < COUNT(all_types); t++) {
        cl_mem image = image_of(0, &rgba8, &all_types[t], NULL);
        size_t size[3];
        size_of(&all_types[t], size);
        OK(reading(image, zero, size, 0, 0));
        for (int i = 0; i < 3; i++) {
            const size_t wrong[][2] = {{0, 0},       {0, size[i] + 1}, {1, size[i]},
                                       {size[i], 1}, {SIZE_MAX, 2},    {1, SIZE_MAX}};
            for (size_t w = 0; w < COUNT(wrong); w++) {
                size_t origin[3] = {0, 0, 0}, region[3] = {size[0], size[1], size[2]};
                origin[i] = wrong[w][0];
                region[i] = wrong[w][1];
                GIVES(CL_INVALID_VALUE, reading(image, origin, region, 0, 0));
            }
        }
        GIVES(CL_INVALID_VALUE, reading(image, NULL, size, 0, 0));
        GIVES(CL_INVALID_VALUE, reading(image, zero, NULL, 0, 0));
        OK(clReleaseMemObject(image));
    }
}

TEST(reading_and_writing_check_pitches) {
    needs_images();
    for (size_t t = 0; t < COUNT(all_types); t++) {
        const cl_image_desc *d = &all_types[t];
        bool sliced = d->image_depth || d->image_array_size;
        size_t size[3], rows = d->image_height ? H : 1;
        cl_mem image = image_of(0, &rgba8, d, NULL);
        size_of(d, size);
        GIVES(CL_INVALID_VALUE, reading(image, zero, size, W * 4 - 1, 0));
        GIVES(sliced ? CL_SUCCESS : CL_INVALID_VALUE, reading(image, zero, size, 0, W * 4 * rows));
        GIVES(CL_INVALID_VALUE, reading(image, zero, size, 0, W * 4 * rows - 1));
        OK(clReleaseMemObject(image));
    }
}

TEST(commands_on_images_check_their_objects) {
    needs_images();
    cl_mem image = plane_of(0, 4, 4, NULL), buffer = buffer_of(0, 64, NULL);
    cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_command_queue other = MADE(clCreateCommandQueueWithProperties(context, cl.device, NULL, &error));
    size_t one[3] = {1, 1, 1}, pitch;
    cl_uint host[16] = {0};
    const cl_command_queue queues[] = {
        (cl_command_queue)cl.context, cl.queue, cl.queue, cl.queue, other, cl.queue};
    const cl_mem mems[] = {image, buffer, (cl_mem)cl.context, NULL, image, image};
    const cl_uint nwaits[] = {0, 0, 0, 0, 0, 1};
    const cl_int codes[] = {CL_INVALID_COMMAND_QUEUE, CL_INVALID_MEM_OBJECT, CL_INVALID_MEM_OBJECT,
                            CL_INVALID_MEM_OBJECT,    CL_INVALID_CONTEXT,    CL_INVALID_EVENT_WAIT_LIST};
    for (size_t i = 0; i < COUNT(codes); i++) {
        cl_command_queue q = queues[i];
        cl_mem m = mems[i];
        cl_uint n = nwaits[i];
        GIVES(codes[i], clEnqueueReadImage(q, m, CL_TRUE, zero, one, 0, 0, host, n, NULL, NULL));
        GIVES(codes[i], clEnqueueWriteImage(q, m, CL_TRUE, zero, one, 0, 0, host, n, NULL, NULL));
        GIVES(codes[i], clEnqueueFillImage(q, m, host, zero, one, n, NULL, NULL));
        GIVES(codes[i], clEnqueueCopyImage(q, m, image, zero, zero, one, n, NULL, NULL));
        GIVES(codes[i], clEnqueueCopyImageToBuffer(q, m, buffer, zero, one, 0, n, NULL, NULL));
        GIVES(codes[i], clEnqueueCopyBufferToImage(q, buffer, m, 0, zero, one, n, NULL, NULL));
        REFUSES(codes[i], clEnqueueMapImage(q, m, CL_TRUE, CL_MAP_READ, zero, one, &pitch, NULL, n, NULL,
                                            NULL, &error));
    }
    GIVES(CL_INVALID_VALUE,
          clEnqueueReadImage(cl.queue, image, CL_TRUE, zero, one, 0, 0, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE,
          clEnqueueWriteImage(cl.queue, image, CL_TRUE, zero, one, 0, 0, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueFillImage(cl.queue, image, NULL, zero, one, 0, NULL, NULL));
    OK(clReleaseCommandQueue(other));
    OK(clReleaseContext(context));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(buffer));
}

TEST(host_access_flags_forbid_image_transfers) {
    needs_images();
    static const struct {
        cl_mem_flags flag;
        bool reads, writes;
    } flags[] = {{CL_MEM_HOST_NO_ACCESS, false, false},
                 {CL_MEM_HOST_READ_ONLY, true, false},
                 {CL_MEM_HOST_WRITE_ONLY, false, true}};
    for (size_t i = 0; i < COUNT(flags); i++) {
        cl_mem image = plane_of(flags[i].flag, 4, 4, NULL);
        size_t one[3] = {1, 1, 1}, pitch;
        cl_uint host[4] = {0};
        void *at;
        GIVES(flags[i].reads ? CL_SUCCESS : CL_INVALID_OPERATION,
              clEnqueueReadImage(cl.queue, image, CL_TRUE, zero, one, 0, 0, host, 0, NULL, NULL));
        GIVES(flags[i].writes ? CL_SUCCESS : CL_INVALID_OPERATION,
              clEnqueueWriteImage(cl.queue, image, CL_TRUE, zero, one, 0, 0, host, 0, NULL, NULL));
        for (int write = 0; write < 2; write++) {
            at = clEnqueueMapImage(cl.queue, image, CL_TRUE, write ? CL_MAP_WRITE : CL_MAP_READ, zero, one,
                                   &pitch, NULL, 0, NULL, NULL, &error);
            assert_int_equal(error,
                             (write ? flags[i].writes : flags[i].reads) ? CL_SUCCESS : CL_INVALID_OPERATION);
            if (at)
                OK(clEnqueueUnmapMemObject(cl.queue, image, at, 0, NULL, NULL));
        }
        OK(clEnqueueFillImage(cl.queue, image, host, zero, one, 0, NULL, NULL)); /* the device's */
        OK(clFinish(cl.queue));
        OK(clReleaseMemObject(image));
    }
}

/* ---- copy ---- */

TEST(regions_are_copied_between_all_types) {
    needs_images();
    static cl_uint values[N], got[N], expected[N];
    number(values, N);
    for (size_t s = 0; s < COUNT(all_types); s++)
        for (size_t t = 0; t < COUNT(all_types); t++) {
            const cl_image_desc *from = &all_types[s], *to = &all_types[t];
            size_t from_size[3], to_size[3], region[3], a[3], b[3];
            size_of(from, from_size);
            size_of(to, to_size);
            for (int i = 0; i < 3; i++) {
                size_t least = from_size[i] < to_size[i] ? from_size[i] : to_size[i];
                region[i] = least > 1 ? least - 1 : 1;
                a[i] = from_size[i] - region[i];
                b[i] = to_size[i] > 1 ? to_size[i] - region[i] - (to_size[i] > region[i] + 1) : 0;
            }
            cl_mem src = image_of(0, &rgba8, from, NULL), dst = image_of(0, &rgba8, to, NULL);
            memset(expected, 5, sizeof expected);
            write_all(src, from, values);
            write_all(dst, to, expected);
            OK(clEnqueueCopyImage(cl.queue, src, dst, a, b, region, 0, NULL, NULL));
            EACH_TEXEL(region) expected[place(to_size, b, x, y, z)] = values[place(from_size, a, x, y, z)];
            read_all(dst, to, got);
            assert_memory_equal(got, expected, 4 * to_size[0] * to_size[1] * to_size[2]);
            OK(clReleaseMemObject(src));
            OK(clReleaseMemObject(dst));
        }
}

TEST(copies_check_formats_and_regions) {
    needs_images();
    static const cl_image_format other = {CL_RGBA, CL_SIGNED_INT8};
    cl_image_desc d = plane(4, 4);
    cl_mem a = plane_of(0, 4, 4, NULL), b = plane_of(0, 3, 3, NULL), c = image_of(0, &other, &d, NULL);
    size_t all[3] = {4, 4, 1}, two[3] = {1, 1, 2}, one[3] = {1, 1, 1};
    GIVES(CL_IMAGE_FORMAT_MISMATCH, clEnqueueCopyImage(cl.queue, a, c, zero, zero, all, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCopyImage(cl.queue, a, b, zero, zero, all, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCopyImage(cl.queue, b, a, zero, zero, all, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCopyImage(cl.queue, b, a, zero, zero, two, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCopyImage(cl.queue, b, a, NULL, zero, one, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCopyImage(cl.queue, b, a, zero, NULL, one, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCopyImage(cl.queue, b, a, zero, zero, NULL, 0, NULL, NULL));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseMemObject(c));
}

TEST(regions_of_one_image_must_not_overlap) {
    needs_images();
    cl_uint values[64], got[64];
    number(values, 64);
    cl_mem image = plane_of(CL_MEM_COPY_HOST_PTR, 8, 8, values);
    size_t region[3] = {4, 8, 1}, right[3] = {4, 0, 0}, near[3] = {3, 0, 0};
    cl_image_desc d = plane(8, 8);
    GIVES(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(cl.queue, image, image, zero, near, region, 0, NULL, NULL));
    GIVES(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(cl.queue, image, image, zero, zero, region, 0, NULL, NULL));
    OK(clEnqueueCopyImage(cl.queue, image, image, zero, right, region, 0, NULL, NULL));
    read_all(image, &d, got);
    for (int i = 0; i < 64; i++)
        assert_int_equal(got[i], values[i % 8 < 4 ? i : i - 4]);
    OK(clReleaseMemObject(image));
}

TEST(images_are_copied_to_buffers_and_back) {
    needs_images();
    static cl_uint values[N], got[N];
    number(values, N);
    for (size_t t = 0; t < COUNT(all_types); t++) {
        const cl_image_desc *d = &all_types[t];
        cl_mem image = image_of(0, &rgba8, d, NULL), buffer = buffer_of(0, sizeof values, NULL);
        size_t size[3], origin[3], region[3], i = 0;
        size_of(d, size);
        inner(size, origin, region);
        size_t n = region[0] * region[1] * region[2], offset = N - n;
        write_all(image, d, values);
        OK(clEnqueueCopyImageToBuffer(cl.queue, image, buffer, origin, region, offset * 4, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, buffer, CL_TRUE, offset * 4, n * 4, got, 0, NULL, NULL));
        EACH_TEXEL(region) assert_int_equal(got[i++], values[place(size, origin, x, y, z)]);
        GIVES(CL_INVALID_VALUE, clEnqueueCopyImageToBuffer(cl.queue, image, buffer, origin, region,
                                                           offset * 4 + 1, 0, NULL, NULL));
        GIVES(CL_INVALID_VALUE,
              clEnqueueCopyBufferToImage(cl.queue, buffer, image, SIZE_MAX, origin, region, 0, NULL, NULL));
        OK(clEnqueueFillImage(cl.queue, image, (cl_uint[4]){1, 1, 1, 1}, zero, size, 0, NULL, NULL));
        OK(clEnqueueCopyBufferToImage(cl.queue, buffer, image, offset * 4, origin, region, 0, NULL, NULL));
        read_all(image, d, got);
        EACH_TEXEL(region) {
            size_t at = place(size, origin, x, y, z);
            assert_int_equal(got[at], values[at]);
            got[at] = 0x01010101;
        }
        for (i = 0; i < size[0] * size[1] * size[2]; i++)
            assert_int_equal(got[i], 0x01010101);
        OK(clReleaseMemObject(image));
        OK(clReleaseMemObject(buffer));
    }
}

TEST(a_1d_image_buffer_is_not_copied_to_its_own_buffer) {
    needs_images();
    cl_mem buffer = buffer_of(0, 64, NULL), other = buffer_of(0, 64, NULL);
    cl_image_desc line = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16, .mem_object = buffer};
    cl_mem image = image_of(0, &rgba8, &line, NULL);
    size_t four[3] = {4, 1, 1};
    GIVES(CL_INVALID_MEM_OBJECT,
          clEnqueueCopyImageToBuffer(cl.queue, image, buffer, zero, four, 32, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT,
          clEnqueueCopyBufferToImage(cl.queue, buffer, image, 32, zero, four, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT,
          clEnqueueCopyImageToBuffer(cl.queue, image, image, zero, four, 32, 0, NULL, NULL));
    OK(clEnqueueCopyImageToBuffer(cl.queue, image, other, zero, four, 32, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(other));
}

/* ---- fill ---- */

TEST(a_fill_changes_its_region_alone) {
    needs_images();
    static cl_uint values[N], got[N];
    number(values, N);
    for (size_t t = 0; t < COUNT(all_types); t++) {
        const cl_image_desc *d = &all_types[t];
        cl_mem image = image_of(0, &rgba8, d, NULL);
        size_t size[3], origin[3], region[3];
        size_of(d, size);
        inner(size, origin, region);
        write_all(image, d, values);
        OK(clEnqueueFillImage(cl.queue, image, (cl_uint[4]){1, 2, 3, 400}, origin, region, 0, NULL, NULL));
        read_all(image, d, got);
        EACH_TEXEL(region) {
            size_t at = place(size, origin, x, y, z);
            assert_int_equal(got[at], 0xff030201);
            got[at] = values[at];
        }
        assert_memory_equal(got, values, 4 * size[0] * size[1] * size[2]);
        OK(clReleaseMemObject(image));
    }
}

/* Colours as each format has them in memory; the reference is the specification's words, worked out by hand. */
TEST(a_fill_converts_its_colour) {
    needs_images();
    static const struct {
        cl_image_format format;
        union {
            float f[4];
            cl_int i[4];
            cl_uint u[4];
        } color;
        int bytes;
        unsigned char texel[16];
    } cases[] = {
        {{CL_R, CL_UNORM_INT8}, {{0.5f, 1, 1, 1}}, 1, {128}},
        {{CL_R, CL_UNORM_INT8}, {{-3, 1, 1, 1}}, 1, {0}},
        {{CL_R, CL_UNORM_INT8}, {{3, 1, 1, 1}}, 1, {255}},
        {{CL_R, CL_UNORM_INT8}, {{__builtin_nanf(""), 1, 1, 1}}, 1, {0}},
        {{CL_R, CL_SNORM_INT8}, {{-1, 1, 1, 1}}, 1, {0x81}},
        {{CL_R, CL_SNORM_INT8}, {{-7, 1, 1, 1}}, 1, {0x81}},
        {{CL_R, CL_SNORM_INT8}, {{1, 1, 1, 1}}, 1, {0x7f}},
        {{CL_R, CL_SNORM_INT16}, {{-1, 1, 1, 1}}, 2, {0x01, 0x80}},
        {{CL_A, CL_UNORM_INT8}, {{0, 0, 0, 1}}, 1, {255}},
        {{CL_RG, CL_UNORM_INT16}, {{1, 0, 1, 1}}, 4, {0xff, 0xff, 0, 0}},
        {{CL_RA, CL_UNORM_INT8}, {{0, 1, 1, 1}}, 2, {0, 255}},
        {{CL_RGBA, CL_UNORM_INT8}, {{0, 0.2f, 0.4f, 1}}, 4, {0, 51, 102, 255}},
        {{CL_BGRA, CL_UNORM_INT8}, {{0, 0.2f, 0.4f, 1}}, 4, {102, 51, 0, 255}},
        {{CL_ARGB, CL_UNORM_INT8}, {{0, 0.2f, 0.4f, 1}}, 4, {255, 0, 51, 102}},
        {{CL_ABGR, CL_UNORM_INT8}, {{0, 0.2f, 0.4f, 1}}, 4, {255, 102, 51, 0}},
        {{CL_INTENSITY, CL_UNORM_INT8}, {{0.2f, 1, 1, 1}}, 1, {51}},
        {{CL_LUMINANCE, CL_UNORM_INT8}, {{0.2f, 1, 1, 1}}, 1, {51}},
        {{CL_DEPTH, CL_UNORM_INT16}, {{1, 0, 0, 0}}, 2, {0xff, 0xff}},
        {{CL_DEPTH, CL_FLOAT}, {{1, 0, 0, 0}}, 4, {0, 0, 0x80, 0x3f}},
        {{CL_RGB, CL_UNORM_SHORT_565}, {{1, 0, 0, 0}}, 2, {0x00, 0xf8}},
        {{CL_RGB, CL_UNORM_SHORT_565}, {{0, 1, 0, 0}}, 2, {0xe0, 0x07}},
        {{CL_RGB, CL_UNORM_SHORT_555}, {{1, 0, 1, 0}}, 2, {0x1f, 0x7c}},
        {{CL_RGB, CL_UNORM_INT_101010}, {{1, 0, 0, 0}}, 4, {0, 0, 0xf0, 0x3f}},
        {{CL_RGBA, CL_UNORM_INT_101010_2}, {{1, 0, 0, 1}}, 4, {3, 0, 0xc0, 0xff}},
        {{CL_RGBA, CL_HALF_FLOAT}, {{1, -2, 65504, 1e30f}}, 8, {0, 0x3c, 0, 0xc0, 0xff, 0x7b, 0, 0x7c}},
        {{CL_R, CL_HALF_FLOAT}, {{0x1.006p-24f, 0, 0, 0}}, 2, {1, 0}},
        {{CL_RG, CL_FLOAT}, {{1, -2, 9, 9}}, 8, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}},
        {{CL_RGBA, CL_SIGNED_INT8}, {.i = {-1, 127, 1000, -1000}}, 4, {255, 127, 127, 128}},
        {{CL_RG, CL_SIGNED_INT16}, {.i = {-40000, 40000, 0, 0}}, 4, {0, 0x80, 0xff, 0x7f}},
        {{CL_R, CL_SIGNED_INT32}, {.i = {-2, 0, 0, 0}}, 4, {0xfe, 0xff, 0xff, 0xff}},
        {{CL_RG, CL_UNSIGNED_INT8}, {.u = {0xffffffff, 3, 0, 0}}, 2, {255, 3}},
        {{CL_R, CL_UNSIGNED_INT16}, {.u = {0x12345, 0, 0, 0}}, 2, {0xff, 0xff}},
        {{CL_R, CL_UNSIGNED_INT32}, {.u = {0xfedcba98, 0, 0, 0}}, 4, {0x98, 0xba, 0xdc, 0xfe}},
        {{CL_sRGBA, CL_UNORM_INT8}, {{0, 1, 0.21404114f, 0.5f}}, 4, {0, 255, 128, 128}},
        {{CL_sBGRA, CL_UNORM_INT8}, {{0.001f, 2, 0, 1}}, 4, {0, 255, 3, 255}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        cl_image_desc d = plane(3, 2);
        unsigned char got[6 * 16];
        cl_mem image = clCreateImage(cl.context, CL_MEM_READ_ONLY, &cases[i].format, &d, NULL, &error);
        size_t all[3] = {3, 2, 1};
        if (!image && error == CL_IMAGE_FORMAT_NOT_SUPPORTED && !is_weir())
            continue;
        OK(error);
        OK(clEnqueueFillImage(cl.queue, image, &cases[i].color, zero, all, 0, NULL, NULL));
        read_all(image, &d, got);
        for (int n = 0; n < 6; n++)
            if (memcmp(got + n * cases[i].bytes, cases[i].texel, (size_t)cases[i].bytes))
                fail_msg("case %zu", i);
        OK(clReleaseMemObject(image));
    }
}

/* ---- map ---- */

static void unmap(cl_mem mem, void *at) {
    OK(clEnqueueUnmapMemObject(cl.queue, mem, at, 0, NULL, NULL));
    OK(clFinish(cl.queue));
}

TEST(a_mapping_shows_and_changes_the_image) {
    needs_images();
    static cl_uint values[N], got[N];
    number(values, N);
    for (size_t t = 0; t < COUNT(all_types); t++) {
        const cl_image_desc *d = &all_types[t];
        bool sliced = d->image_depth || d->image_array_size;
        bool rows_are_layers = d->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        cl_mem image = image_of(0, &rgba8, d, NULL);
        size_t size[3], origin[3], region[3], row = 77, slice = 77;
        size_of(d, size);
        inner(size, origin, region);
        write_all(image, d, values);
        char *at = MADE(clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin,
                                          region, &row, &slice, 0, NULL, NULL, &error));
        assert_true(row >= W * 4);
        if (!sliced)
            assert_int_equal(slice, 0);
        EACH_TEXEL(region) {
            size_t i = place(size, origin, x, y, z);
            cl_uint *texel = (cl_uint *)(at + x * 4 + y * (rows_are_layers ? slice : row) + z * slice);
            assert_int_equal(*texel, values[i]);
            *texel = ~values[i];
        }
        unmap(image, at);
        read_all(image, d, got);
        EACH_TEXEL(region) {
            size_t i = place(size, origin, x, y, z);
            got[i] = ~got[i];
        }
        assert_memory_equal(got, values, 4 * size[0] * size[1] * size[2]);
        OK(clReleaseMemObject(image));
    }
}

TEST(a_used_host_pointer_is_mapped_where_it_is) {
    needs_images();
    static cl_uint host[64];
    cl_mem image = plane_of(CL_MEM_USE_HOST_PTR, 8, 8, host);
    size_t row, origin[3] = {2, 3, 0}, region[3] = {2, 2, 1};
    void *at = MADE(clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_READ, origin, region, &row, NULL, 0,
                                      NULL, NULL, &error));
    assert_ptr_equal(at, host + 3 * 8 + 2);
    assert_int_equal(row, 32);
    unmap(image, at);
    OK(clReleaseMemObject(image));
}

#define MAP(image, flags, origin, region, row, slice)                                                        \
    clEnqueueMapImage(cl.queue, image, CL_TRUE, flags, origin, region, row, slice, 0, NULL, NULL, &error)

TEST(mapping_an_image_checks_its_arguments) {
    needs_images();
    cl_mem flat = plane_of(0, 4, 4, NULL), solid = image_of(0, &rgba8, &all_types[4], NULL);
    size_t row, slice, one[3] = {1, 1, 1}, two[3] = {1, 1, 2}, none[3] = {1, 0, 1};
    REFUSES(CL_INVALID_VALUE, MAP(flat, CL_MAP_READ, zero, two, &row, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(flat, CL_MAP_READ, zero, none, &row, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(flat, CL_MAP_READ, NULL, one, &row, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(flat, CL_MAP_READ, zero, NULL, &row, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(flat, CL_MAP_READ, zero, one, NULL, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(solid, CL_MAP_READ, zero, one, &row, NULL));
    REFUSES(CL_INVALID_VALUE,
            MAP(solid, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, zero, one, &row, &slice));
    REFUSES(CL_INVALID_VALUE, MAP(solid, 1 << 20, zero, one, &row, &slice));
    OK(clReleaseMemObject(flat));
    OK(clReleaseMemObject(solid));
}

TEST(a_texel_is_mapped_for_writing_once) {
    needs_images();
    cl_mem image = plane_of(0, 8, 8, NULL);
    size_t row, right[3] = {4, 0, 0}, near[3] = {3, 7, 0}, region[3] = {4, 8, 1}, one[3] = {1, 1, 1};
    cl_uint count;
    void *a = MADE(MAP(image, CL_MAP_WRITE, zero, region, &row, NULL)),
         *b = MADE(MAP(image, CL_MAP_WRITE, right, region, &row, NULL));
    REFUSES(CL_INVALID_OPERATION, MAP(image, CL_MAP_WRITE, near, one, &row, NULL));
    void *c = MADE(MAP(image, CL_MAP_READ, near, one, &row, NULL));
    OK(clGetMemObjectInfo(image, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 3);
    unmap(image, a);
    unmap(image, c);
    a = MADE(MAP(image, CL_MAP_WRITE, near, one, &row, NULL));
    unmap(image, a);
    unmap(image, b);
    GIVES(CL_INVALID_VALUE, clEnqueueUnmapMemObject(cl.queue, image, b, 0, NULL, NULL));
    OK(clReleaseMemObject(image));
}

/* ---- levels ---- */

TEST(the_levels_of_a_mipmap_are_apart) {
    needs_images();
    enum { LEVELS = 4 };
    for (size_t t = 0; t < COUNT(all_types); t++) {
        cl_image_desc d = all_types[t];
        static cl_uint values[LEVELS][N], got[N];
        size_t size[LEVELS][3], origin[4] = {0}, n[LEVELS];
        unsigned at = d.image_depth || (d.image_height && d.image_array_size) ? 3
                      : d.image_height || d.image_array_size ? 2
                                                             : 1; /* of the level in the origin */
        cl_uint levels = 0;
        d.num_mip_levels = LEVELS;
        cl_mem image = clCreateImage(cl.context, 0, &rgba8, &d, NULL, &error);
        if (!image && !is_weir())
            skip();
        OK(error);
        OK(clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels, NULL));
        assert_int_equal(levels, LEVELS);
        for (size_t l = 0; l < LEVELS; l++) {
            size_of(&d, size[l]);
            n[l] = size[l][0] * size[l][1] * size[l][2];
            for (size_t i = 0; i < n[l]; i++)
                values[l][i] = (cl_uint)((l + 1) << 16 | i);
            origin[at] = l;
            OK(clEnqueueWriteImage(cl.queue, image, CL_TRUE, origin, size[l], 0, 0, values[l], 0, NULL,
                                   NULL));
            size[l][0]++;
            GIVES(CL_INVALID_VALUE,
                  clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, size[l], 0, 0, got, 0, NULL, NULL));
            size[l][0]--;
            size_t *halves[] = {&d.image_width, &d.image_height, &d.image_depth};
            for (int i = 0; i < 3; i++)
                if (*halves[i] > 1)
                    *halves[i] /= 2;
        }
        for (size_t l = 0; l < LEVELS; l++) {
            origin[at] = l;
            OK(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, size[l], 0, 0, got, 0, NULL, NULL));
            assert_memory_equal(got, values[l], n[l] * 4);
        }
        size_t second[4] = {0}, one[3] = {1, 1, 1};
        origin[at] = 3, second[at] = 2; /* the same texel of other levels does not overlap */
        OK(clEnqueueCopyImage(cl.queue, image, image, origin, second, one, 0, NULL, NULL));
        OK(clEnqueueReadImage(cl.queue, image, CL_TRUE, second, one, 0, 0, got, 0, NULL, NULL));
        assert_int_equal(got[0], values[3][0]);
        GIVES(CL_MEM_COPY_OVERLAP,
              clEnqueueCopyImage(cl.queue, image, image, origin, origin, one, 0, NULL, NULL));
        origin[at] = LEVELS;
        GIVES(CL_INVALID_MIP_LEVEL, reading(image, origin, one, 0, 0));
        GIVES(CL_INVALID_MIP_LEVEL, clEnqueueFillImage(cl.queue, image, got, origin, one, 0, NULL, NULL));
        GIVES(CL_INVALID_MIP_LEVEL,
              clEnqueueCopyImage(cl.queue, image, image, second, origin, one, 0, NULL, NULL));
        OK(clReleaseMemObject(image));
    }
}

TEST(mipmaps_take_no_host_memory) {
    needs_images();
    cl_image_desc d = plane(8, 8);
    cl_uint host[64];
    d.num_mip_levels = 2;
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR,
            clCreateImage(cl.context, CL_MEM_COPY_HOST_PTR, &rgba8, &d, host, &error));
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR,
            clCreateImage(cl.context, CL_MEM_USE_HOST_PTR, &rgba8, &d, host, &error));
    REFUSES(CL_INVALID_HOST_PTR, clCreateImage(cl.context, 0, &rgba8, &d, host, &error));
}

/* ---- events ---- */

static void is_of_type(cl_event event, cl_command_type wanted) {
    cl_command_type type;
    OK(clWaitForEvents(1, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, wanted);
    OK(clReleaseEvent(event));
}

TEST(commands_on_images_have_events_of_their_type) {
    needs_images();
    cl_mem image = plane_of(0, 4, 4, NULL), other = plane_of(0, 4, 4, NULL), buffer = buffer_of(0, 64, NULL);
    size_t one[3] = {1, 1, 1}, row;
    cl_uint host[4] = {0};
    cl_event e;
    OK(clEnqueueReadImage(cl.queue, image, CL_FALSE, zero, one, 0, 0, host, 0, NULL, &e));
    is_of_type(e, CL_COMMAND_READ_IMAGE);
    OK(clEnqueueWriteImage(cl.queue, image, CL_FALSE, zero, one, 0, 0, host, 0, NULL, &e));
    is_of_type(e, CL_COMMAND_WRITE_IMAGE);
    OK(clEnqueueCopyImage(cl.queue, image, other, zero, zero, one, 0, NULL, &e));
    is_of_type(e, CL_COMMAND_COPY_IMAGE);
    OK(clEnqueueCopyImageToBuffer(cl.queue, image, buffer, zero, one, 0, 0, NULL, &e));
    is_of_type(e, CL_COMMAND_COPY_IMAGE_TO_BUFFER);
    OK(clEnqueueCopyBufferToImage(cl.queue, buffer, image, 0, zero, one, 0, NULL, &e));
    is_of_type(e, CL_COMMAND_COPY_BUFFER_TO_IMAGE);
    OK(clEnqueueFillImage(cl.queue, image, host, zero, one, 0, NULL, &e));
    is_of_type(e, CL_COMMAND_FILL_IMAGE);
    void *at = MADE(clEnqueueMapImage(cl.queue, image, CL_FALSE, CL_MAP_READ, zero, one, &row, NULL, 0, NULL,
                                      &e, &error));
    is_of_type(e, CL_COMMAND_MAP_IMAGE);
    OK(clEnqueueUnmapMemObject(cl.queue, image, at, 0, NULL, &e));
    is_of_type(e, CL_COMMAND_UNMAP_MEM_OBJECT);
    OK(clEnqueueMigrateMemObjects(cl.queue, 1, &image, 0, 0, NULL, &e));
    is_of_type(e, CL_COMMAND_MIGRATE_MEM_OBJECTS);
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(other));
    OK(clReleaseMemObject(buffer));
}

TEST(image_commands_wait_for_their_events) {
    needs_images();
    cl_mem image = plane_of(0, 4, 4, NULL);
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error)), done;
    size_t one[3] = {1, 1, 1};
    cl_uint got = 0;
    cl_int status;
    OK(clEnqueueFillImage(cl.queue, image, (cl_uint[4]){1, 1, 1, 1}, zero, one, 1, &gate, NULL));
    OK(clEnqueueReadImage(cl.queue, image, CL_FALSE, zero, one, 0, 0, &got, 0, NULL, &done));
    OK(clFlush(cl.queue));
    OK(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    assert_true(status > CL_COMPLETE);
    OK(clReleaseMemObject(image)); /* lives until the commands have ended */
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &done));
    assert_int_equal(got, 0x01010101);
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(done));
}

TEST(a_blocking_read_after_a_failed_event_fails) {
    needs_images();
    cl_mem image = plane_of(0, 4, 4, NULL);
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error));
    size_t one[3] = {1, 1, 1}, row;
    cl_uint got;
    OK(clSetUserEventStatus(gate, -5));
    GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueReadImage(cl.queue, image, CL_TRUE, zero, one, 0, 0, &got, 1, &gate, NULL));
    REFUSES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueMapImage(cl.queue, image, CL_TRUE, CL_MAP_READ, zero, one, &row, NULL, 1, &gate, NULL,
                              &error));
    OK(clReleaseEvent(gate));
    OK(clReleaseMemObject(image));
}

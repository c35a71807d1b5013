/* Images and samplers as arguments of kernels. */
#include "api.h"
#include "image.h"

static const size_t zero[3] = {0, 0, 0};

static cl_int set(cl_kernel kernel, cl_uint index, void *object) {
    return clSetKernelArg(kernel, index, sizeof object, &object);
}

TEST(kernels_read_and_write_images) {
    needs_images();
    cl_kernel kernel =
        kernel_of("kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {"
                  "    int2 p = (int2)(get_global_id(0), get_global_id(1));"
                  "    write_imageui(out, p, read_imageui(in, s, p - 1) + 1);"
                  "}",
                  "k");
    cl_uint values[W * H], got[W * H];
    for (cl_uint i = 0; i < W * H; i++)
        values[i] = i * 0x010203u & 0x7f7f7f7f;
    cl_mem in = plane_of(CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, W, H, values),
           out = plane_of(CL_MEM_WRITE_ONLY, W, H, NULL);
    cl_sampler sampler =
        MADE(clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
    size_t global[2] = {W, H}, all[3] = {W, H, 1};
    OK(set(kernel, 0, in));
    OK(set(kernel, 1, out));
    OK(set(kernel, 2, sampler));
    OK(clReleaseSampler(sampler)); /* its value is the argument's now */
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    OK(clReleaseMemObject(in)); /* the launch has it */
    OK(clEnqueueReadImage(cl.queue, out, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
    for (size_t y = 0; y < H; y++)
        for (size_t x = 0; x < W; x++)
            assert_int_equal(got[y * W + x], 0x01010101 + (x && y ? values[(y - 1) * W + x - 1] : 0));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
}

TEST(a_launch_reads_images_and_samplers_as_they_are_set_now) {
    needs_images();
    static const cl_image_format formats[] = {
        {CL_RGBA, CL_UNSIGNED_INT8}, {CL_R, CL_UNSIGNED_INT32}, {CL_BGRA, CL_UNSIGNED_INT8}};
    static const cl_uint red[] = {0x33, 0x11223333, 0x22}; /* of the texel 0x11223333 */
    cl_kernel kernel = kernel_of("kernel void k(read_only image2d_t in, sampler_t s, global uint *out) {"
                                 "    *out = read_imageui(in, s, (int2)(-1, 0)).x;"
                                 "}",
                                 "k");
    cl_uint texels[4] = {0x11223333, 0, 0, 0}, got;
    cl_mem out = buffer_of(0, sizeof got, NULL), images[COUNT(formats)];
    cl_sampler border =
                   MADE(clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error)),
               edge = MADE(clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST,
                                           &error));
    cl_image_desc desc = plane(2, 2);
    for (size_t f = 0; f < COUNT(formats); f++)
        images[f] = image_of(CL_MEM_COPY_HOST_PTR, &formats[f], &desc, texels);
    OK(set(kernel, 2, out));
    for (unsigned round = 0; round < 12; round++) {
        size_t f = round % COUNT(formats);
        OK(set(kernel, 0, images[f]));
        OK(set(kernel, 1, round & 2 ? border : edge));
        OK(run_1d(kernel, 1, 1));
        OK(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
        assert_int_equal(got, round & 2 ? 0 : red[f]);
    }
    for (size_t f = 0; f < COUNT(formats); f++)
        OK(clReleaseMemObject(images[f]));
    OK(clReleaseSampler(border));
    OK(clReleaseSampler(edge));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
}

/* All numbers that a channel of 8 or 16 bits holds, moved down by a row under a border of zeros. */
TEST(normalized_channels_are_copied_as_they_are) {
    needs_images();
    enum { SIDE = 256 };
    static const struct {
        cl_channel_order from, to;
        cl_channel_type type;
    } pairs[] = {{CL_RGBA, CL_RGBA, CL_UNORM_INT8},
                 {CL_BGRA, CL_RGBA, CL_UNORM_INT8},
                 {CL_RGBA, CL_RGBA, CL_UNORM_INT16},
                 {CL_RGBA, CL_RGBA, CL_SNORM_INT8}};
    cl_kernel kernel =
        kernel_of("kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {"
                  "    int2 p = (int2)(get_global_id(0), get_global_id(1));"
                  "    write_imagef(out, p, read_imagef(in, s, p - (int2)(0, 1)));"
                  "}",
                  "k");
    cl_sampler sampler =
        MADE(clCreateSampler(cl.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
    size_t global[2] = {SIDE, SIDE}, all[3] = {SIDE, SIDE, 1};
    static cl_ushort texels[SIDE * SIDE * 4], got[SIDE * SIDE * 4];
    OK(set(kernel, 2, sampler));
    for (size_t t = 0; t < COUNT(pairs); t++) {
        bool wide = pairs[t].type == CL_UNORM_INT16;
        for (size_t i = 0; i < COUNT(texels); i++)
            if (wide)
                texels[i] = (cl_ushort)(i / 4 + i % 4 * 12345);
            else
                ((cl_uchar *)texels)[i] = (cl_uchar)(i / 4 + i % 4 * 77);
        cl_image_format from = {pairs[t].from, pairs[t].type}, to = {pairs[t].to, pairs[t].type};
        cl_image_desc desc = plane(SIDE, SIDE);
        cl_mem in = image_of(CL_MEM_COPY_HOST_PTR, &from, &desc, texels), out = image_of(0, &to, &desc, NULL);
        OK(set(kernel, 0, in));
        OK(set(kernel, 1, out));
        OK(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
        OK(clEnqueueReadImage(cl.queue, out, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
        for (size_t i = 0; i < COUNT(texels); i++) {
            size_t channel = pairs[t].from == CL_BGRA && i % 2 == 0 ? i ^ 2 : i, row = 4 * SIDE;
            bool border = i < row;
            if (wide)
                assert_int_equal(got[i], border ? 0 : texels[channel - row]);
            else if (pairs[t].type == CL_UNORM_INT8)
                assert_int_equal(((cl_uchar *)got)[i], border ? 0 : ((cl_uchar *)texels)[channel - row]);
            else if (!border) { /* -128 is read as -1, which is -127 */
                cl_char was = ((cl_char *)texels)[channel - row];
                assert_int_equal(((cl_char *)got)[i], was == -128 ? -127 : was);
            }
        }
        OK(clReleaseMemObject(in));
        OK(clReleaseMemObject(out));
    }
    OK(clReleaseSampler(sampler));
    OK(clReleaseKernel(kernel));
}

TEST(an_argument_takes_images_of_its_type) {
    needs_images();
    static const char *const names[] = {"image1d_t", "image1d_array_t", "image2d_t", "image2d_array_t",
                                        "image3d_t"};
    cl_mem images[COUNT(all_types)], buffer = buffer_of(0, 64, NULL);
    cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 4, .mem_object = buffer};
    cl_mem in_buffer = image_of(0, &rgba8, &line, NULL);
    for (size_t t = 0; t < COUNT(all_types); t++)
        images[t] = image_of(0, &rgba8, &all_types[t], NULL);
    for (size_t t = 0; t < COUNT(all_types); t++) {
        char source[200];
        snprintf(source, sizeof source,
                 "typedef %s texture; kernel void k(read_only texture a, global int *p) {}", names[t]);
        cl_kernel kernel = kernel_of(source, "k");
        for (size_t i = 0; i < COUNT(images); i++)
            GIVES(i == t ? CL_SUCCESS : CL_INVALID_MEM_OBJECT, set(kernel, 0, images[i]));
        GIVES(CL_INVALID_MEM_OBJECT, set(kernel, 0, in_buffer));
        GIVES(CL_INVALID_MEM_OBJECT, set(kernel, 0, buffer));
        GIVES(CL_INVALID_MEM_OBJECT, set(kernel, 1, images[t]));
        OK(clReleaseKernel(kernel));
    }
    cl_kernel kernel = kernel_of("kernel void k(read_only image1d_buffer_t a) {}", "k");
    OK(set(kernel, 0, in_buffer));
    GIVES(CL_INVALID_MEM_OBJECT, set(kernel, 0, images[0]));
    OK(clReleaseKernel(kernel));
    for (size_t t = 0; t < COUNT(all_types); t++)
        OK(clReleaseMemObject(images[t]));
    OK(clReleaseMemObject(in_buffer));
    OK(clReleaseMemObject(buffer));
}

TEST(depth_arguments_take_depth_images) {
    needs_images();
    cl_image_desc d = plane(4, 4);
    cl_image_format depth = {CL_DEPTH, CL_FLOAT}, red = {CL_R, CL_FLOAT};
    cl_mem a = image_of(0, &depth, &d, NULL), b = image_of(0, &red, &d, NULL);
    cl_kernel kernel = kernel_of("kernel void k(read_only image2d_depth_t a) {}", "k");
    OK(set(kernel, 0, a));
    GIVES(CL_INVALID_MEM_OBJECT, set(kernel, 0, b));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

TEST(an_images_flags_must_allow_what_the_kernel_does) {
    needs_images();
    cl_kernel kernel = kernel_of("kernel void k(read_only image2d_t a, write_only image2d_t b) {}", "k");
    cl_mem read = plane_of(CL_MEM_READ_ONLY, 4, 4, NULL), write = plane_of(CL_MEM_WRITE_ONLY, 4, 4, NULL),
           both = plane_of(CL_MEM_READ_WRITE, 4, 4, NULL);
    OK(set(kernel, 0, read));
    GIVES(CL_INVALID_ARG_VALUE, set(kernel, 1, read));
    GIVES(CL_INVALID_ARG_VALUE, set(kernel, 0, write));
    OK(set(kernel, 1, write));
    OK(set(kernel, 0, both));
    OK(set(kernel, 1, both));
    OK(clReleaseMemObject(read));
    OK(clReleaseMemObject(write));
    OK(clReleaseMemObject(both));
    OK(clReleaseKernel(kernel));
}

TEST(image_and_sampler_arguments_check_their_values) {
    needs_images();
    cl_kernel kernel = kernel_of("kernel void k(read_only image2d_t a, sampler_t s) {}", "k");
    cl_context other = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_image_desc d = plane(4, 4);
    cl_mem image = plane_of(0, 4, 4, NULL), foreign = MADE(clCreateImage(other, 0, &rgba8, &d, NULL, &error));
    cl_sampler sampler = MADE(clCreateSamplerWithProperties(cl.context, NULL, &error)),
               strange = MADE(clCreateSamplerWithProperties(other, NULL, &error));
    GIVES(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof image, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, set(kernel, 0, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, set(kernel, 0, sampler));
    GIVES(CL_INVALID_CONTEXT, set(kernel, 0, foreign));
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &image));
    GIVES(CL_INVALID_SAMPLER, clSetKernelArg(kernel, 1, sizeof sampler, NULL));
    GIVES(CL_INVALID_SAMPLER, set(kernel, 1, NULL));
    GIVES(CL_INVALID_SAMPLER, set(kernel, 1, image));
    GIVES(CL_INVALID_CONTEXT, set(kernel, 1, strange));
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 4, &sampler));
    GIVES(CL_INVALID_KERNEL_ARGS, run_1d(kernel, 1, 1));
    OK(set(kernel, 0, image));
    OK(set(kernel, 1, sampler));
    OK(run_1d(kernel, 1, 1));
    OK(clReleaseSampler(sampler));
    OK(clReleaseSampler(strange));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(foreign));
    OK(clReleaseContext(other));
    OK(clReleaseKernel(kernel));
}

TEST(argument_queries_know_images) {
    needs_images();
    cl_program program = build("kernel void k(write_only image2d_array_t a, sampler_t s, image1d_t b) {}",
                               "-cl-kernel-arg-info");
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    static const struct {
        const char *type;
        cl_kernel_arg_access_qualifier access;
    } wanted[] = {{"image2d_array_t", CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
                  {"sampler_t", CL_KERNEL_ARG_ACCESS_NONE},
                  {"image1d_t", CL_KERNEL_ARG_ACCESS_READ_ONLY}};
    for (cl_uint i = 0; i < COUNT(wanted); i++) {
        char type[64];
        cl_kernel_arg_access_qualifier access;
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
        assert_string_equal(type, wanted[i].type);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
        assert_int_equal(access, wanted[i].access);
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

TEST(a_kernel_reads_the_level_and_the_filter_that_the_sampler_says) {
    needs_images();
    cl_kernel kernel =
        kernel_of("kernel void k(read_only image2d_t in, sampler_t s, global float *out, float lod) {"
                  "    out[get_global_id(0)] = read_imagef(in, s, (float2)(0.5f, 0.5f), lod).x;"
                  "}",
                  "k");
    cl_image_desc d = plane(4, 4);
    cl_image_format format = {CL_R, CL_FLOAT};
    cl_uint bits;
    float most = 0.5f, got;
    d.num_mip_levels = 3;
    cl_mem image = image_of(0, &format, &d, NULL), out = buffer_of(0, sizeof got, NULL);
    for (size_t l = 0; l < 3; l++) {
        size_t origin[3] = {0, 0, l}, region[3] = {4 >> l, 4 >> l, 1};
        float color[4] = {(float)(l + 1) * 10, 0, 0, 0};
        OK(clEnqueueFillImage(cl.queue, image, color, origin, region, 0, NULL, NULL));
    }
    memcpy(&bits, &most, sizeof bits);
    const cl_sampler_properties kinds[][7] = {
        {CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_LINEAR, 0},
        {CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_LINEAR, CL_SAMPLER_LOD_MAX_KHR, bits, 0},
        {CL_SAMPLER_LOD_MAX_KHR, 0, 0}};
    const float expected[] = {25, 15, 10};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        cl_sampler sampler = MADE(clCreateSamplerWithProperties(cl.context, kinds[i], &error));
        float lod = 1.5f;
        OK(set(kernel, 0, image));
        OK(set(kernel, 1, sampler));
        OK(set(kernel, 2, out));
        OK(clSetKernelArg(kernel, 3, sizeof lod, &lod));
        OK(run_1d(kernel, 1, 1));
        OK(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
        if (got != expected[i])
            fail_msg("sampler %zu: %g instead of %g", i, (double)got, (double)expected[i]);
        OK(clReleaseSampler(sampler));
    }
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
}

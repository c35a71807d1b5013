/* Images: formats, creation, memory that they share, queries. */
#include "api.h"
#include "image.h"

/* ---- formats ---- */

static const cl_mem_object_type image_types[] = {CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                                 CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                                 CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};

/* The formats for these flags, and their number; free them. */
static cl_image_format *formats_of(cl_mem_flags flags, cl_mem_object_type type, cl_uint *n) {
    OK(clGetSupportedImageFormats(cl.context, flags, type, 0, NULL, n));
    cl_image_format *formats = calloc(*n, sizeof *formats);
    OK(clGetSupportedImageFormats(cl.context, flags, type, *n, formats, NULL));
    return formats;
}

static bool lists(const cl_image_format *formats, cl_uint n, cl_channel_order order, cl_channel_type type) {
    for (cl_uint i = 0; i < n; i++)
        if (formats[i].image_channel_order == order && formats[i].image_channel_data_type == type)
            return true;
    return false;
}

TEST(the_formats_that_every_device_must_have_are_listed) {
    static const cl_channel_type types[] = {
        CL_UNORM_INT8,     CL_SIGNED_INT8,    CL_SIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT8,
        CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT,        CL_UNORM_INT16};
    static const cl_mem_flags flags[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE,
                                         CL_MEM_KERNEL_READ_AND_WRITE, 0};
    needs_images();
    for (size_t f = 0; f < COUNT(flags); f++)
        for (size_t i = 0; i < COUNT(image_types); i++) {
            cl_uint n;
            cl_image_format *formats = formats_of(flags[f], image_types[i], &n);
            for (size_t t = 0; t < COUNT(types); t++) {
                assert_true(lists(formats, n, CL_RGBA, types[t]));
                assert_true(lists(formats, n, CL_R, types[t]));
            }
            assert_true(lists(formats, n, CL_BGRA, CL_UNORM_INT8));
            free(formats);
        }
}

TEST(depth_formats_are_for_planes) {
    needs_images();
    for (size_t i = 0; i < COUNT(image_types); i++) {
        bool flat = image_types[i] == CL_MEM_OBJECT_IMAGE2D || image_types[i] == CL_MEM_OBJECT_IMAGE2D_ARRAY;
        cl_uint n;
        cl_image_format *formats = formats_of(CL_MEM_READ_WRITE, image_types[i], &n);
        assert_int_equal(lists(formats, n, CL_DEPTH, CL_FLOAT), flat);
        assert_int_equal(lists(formats, n, CL_DEPTH, CL_UNORM_INT16), flat);
        free(formats);
    }
}

static size_t bytes_of(cl_image_format f) {
    size_t channels = 4, bytes = 1;
    switch (f.image_channel_order) {
    case CL_R:
    case CL_A:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_DEPTH:
        channels = 1;
        break;
    case CL_RG:
    case CL_RA:
        channels = 2;
    }
    switch (f.image_channel_data_type) {
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
        return 2;
    case CL_UNORM_INT_101010:
    case CL_UNORM_INT_101010_2:
        return 4;
    case CL_FLOAT:
    case CL_SIGNED_INT32:
    case CL_UNSIGNED_INT32:
        bytes = 4;
        break;
    case CL_HALF_FLOAT:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
        bytes = 2;
    }
    return channels * bytes;
}

static size_t size_info(cl_mem image, cl_image_info name) {
    size_t value = 77;
    OK(clGetImageInfo(image, name, sizeof value, &value, NULL));
    return value;
}

TEST(every_listed_format_makes_an_image) {
    needs_images();
    for (size_t i = 0; i < COUNT(all_types); i++) {
        cl_uint n;
        cl_image_format *formats = formats_of(CL_MEM_READ_ONLY, all_types[i].image_type, &n), back;
        for (cl_uint f = 0; f < n; f++) {
            cl_mem image = image_of(CL_MEM_READ_ONLY, &formats[f], &all_types[i], NULL);
            assert_int_equal(size_info(image, CL_IMAGE_ELEMENT_SIZE), bytes_of(formats[f]));
            assert_int_equal(size_info(image, CL_IMAGE_ROW_PITCH), W * bytes_of(formats[f]));
            OK(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof back, &back, NULL));
            assert_memory_equal(&back, &formats[f], sizeof back);
            OK(clReleaseMemObject(image));
        }
        free(formats);
    }
}

TEST(a_list_of_formats_is_cut_to_the_room_that_is_given) {
    needs_images();
    cl_image_format formats[3] = {{0}};
    cl_uint n;
    OK(clGetSupportedImageFormats(cl.context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 2, formats, &n));
    assert_true(n > 3);
    assert_int_not_equal(formats[1].image_channel_order, 0);
    assert_int_equal(formats[2].image_channel_order, 0);
}

TEST(a_list_of_formats_checks_its_arguments) {
    needs_images();
    cl_image_format format;
    GIVES(CL_INVALID_CONTEXT,
          clGetSupportedImageFormats((cl_context)cl.queue, 0, CL_MEM_OBJECT_IMAGE2D, 1, &format, NULL));
    GIVES(CL_INVALID_VALUE,
          clGetSupportedImageFormats(cl.context, 0, CL_MEM_OBJECT_BUFFER, 1, &format, NULL));
    GIVES(CL_INVALID_VALUE,
          clGetSupportedImageFormats(cl.context, 0, CL_MEM_OBJECT_IMAGE2D, 0, &format, NULL));
    GIVES(CL_INVALID_VALUE, clGetSupportedImageFormats(cl.context, (cl_mem_flags)1 << 40,
                                                       CL_MEM_OBJECT_IMAGE2D, 1, &format, NULL));
    GIVES(CL_INVALID_VALUE, clGetSupportedImageFormats(cl.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                                       CL_MEM_OBJECT_IMAGE2D, 1, &format, NULL));
}

TEST(the_device_has_what_the_full_profile_asks_for) {
    needs_images();
    static const struct {
        cl_device_info name;
        size_t least, bytes;
    } limits[] = {{CL_DEVICE_MAX_READ_IMAGE_ARGS, 128, 4},
                  {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 64, 4},
                  {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 64, 4},
                  {CL_DEVICE_IMAGE2D_MAX_WIDTH, 16384, 8},
                  {CL_DEVICE_IMAGE2D_MAX_HEIGHT, 16384, 8},
                  {CL_DEVICE_IMAGE3D_MAX_WIDTH, 2048, 8},
                  {CL_DEVICE_IMAGE3D_MAX_HEIGHT, 2048, 8},
                  {CL_DEVICE_IMAGE3D_MAX_DEPTH, 2048, 8},
                  {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 65536, 8},
                  {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 2048, 8},
                  {CL_DEVICE_MAX_SAMPLERS, 16, 4},
                  {CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 1, 4},
                  {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 1, 4}};
    for (size_t i = 0; i < COUNT(limits); i++) {
        size_t value = 0, size;
        OK(clGetDeviceInfo(cl.device, limits[i].name, sizeof value, &value, &size));
        assert_int_equal(size, limits[i].bytes);
        assert_true(value >= limits[i].least);
    }
}

/* ---- creation ---- */

TEST(an_image_says_what_it_was_made_of) {
    needs_images();
    for (size_t i = 0; i < COUNT(all_types); i++) {
        const cl_image_desc *d = &all_types[i];
        cl_mem image = image_of(CL_MEM_READ_ONLY, &rgba8, d, NULL);
        bool sliced = d->image_array_size || d->image_depth;
        size_t size[3], rows = d->image_height ? d->image_height : 1;
        cl_mem_object_type type;
        cl_uint zero = 1;
        void *none = &zero;
        size_of(d, size);
        assert_int_equal(size_info(image, CL_IMAGE_WIDTH), W);
        assert_int_equal(size_info(image, CL_IMAGE_HEIGHT), d->image_height);
        assert_int_equal(size_info(image, CL_IMAGE_DEPTH), d->image_depth);
        assert_int_equal(size_info(image, CL_IMAGE_ARRAY_SIZE), d->image_array_size);
        assert_int_equal(size_info(image, CL_IMAGE_ROW_PITCH), W * 4);
        assert_int_equal(size_info(image, CL_IMAGE_SLICE_PITCH), sliced ? W * 4 * rows : 0);
        OK(clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof zero, &zero, NULL));
        assert_int_equal(zero, 0);
        OK(clGetImageInfo(image, CL_IMAGE_NUM_SAMPLES, sizeof zero, &zero, NULL));
        assert_int_equal(zero, 0);
        OK(clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof none, &none, NULL));
        assert_null(none);
        OK(clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL));
        assert_int_equal(type, d->image_type);
        size_t bytes;
        OK(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
        assert_int_equal(bytes, 4 * size[0] * size[1] * size[2]);
        OK(clReleaseMemObject(image));
    }
}

TEST(image_queries_check_their_arguments) {
    needs_images();
    cl_mem image = plane_of(0, 4, 4, NULL), buffer = buffer_of(0, 4, NULL);
    size_t value;
    GIVES(CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof value, &value, NULL));
    GIVES(CL_INVALID_MEM_OBJECT,
          clGetImageInfo((cl_mem)cl.queue, CL_IMAGE_WIDTH, sizeof value, &value, NULL));
    GIVES(CL_INVALID_VALUE, clGetImageInfo(image, CL_IMAGE_WIDTH, sizeof value - 1, &value, NULL));
    GIVES(CL_INVALID_VALUE, clGetImageInfo(image, CL_MEM_TYPE, sizeof value, &value, NULL));
    OK(clGetImageInfo(image, CL_IMAGE_WIDTH, 0, NULL, &value));
    assert_int_equal(value, sizeof(size_t));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(buffer));
}

static void refuses(cl_int code, cl_mem_flags flags, cl_image_format format, cl_image_desc desc, void *host) {
    REFUSES(code, clCreateImage(cl.context, flags, &format, &desc, host, &error));
    REFUSES(code, clCreateImageWithProperties(cl.context, NULL, flags, &format, &desc, host, &error));
}

TEST(creation_checks_flags) {
    needs_images();
    cl_image_desc d = plane(4, 4);
    char host[64];
    REFUSES(CL_INVALID_CONTEXT, clCreateImage((cl_context)cl.queue, 0, &rgba8, &d, NULL, &error));
    refuses(CL_INVALID_VALUE, (cl_mem_flags)1 << 40, rgba8, d, NULL);
    refuses(CL_INVALID_VALUE, CL_MEM_READ_ONLY | CL_MEM_READ_WRITE, rgba8, d, NULL);
    refuses(CL_INVALID_VALUE, CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY, rgba8, d, NULL);
    refuses(CL_INVALID_VALUE, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, rgba8, d, host);
    refuses(CL_INVALID_VALUE, CL_MEM_KERNEL_READ_AND_WRITE, rgba8, d, NULL);
    refuses(CL_INVALID_HOST_PTR, CL_MEM_COPY_HOST_PTR, rgba8, d, NULL);
    refuses(CL_INVALID_HOST_PTR, CL_MEM_USE_HOST_PTR, rgba8, d, NULL);
    refuses(CL_INVALID_HOST_PTR, 0, rgba8, d, host);
}

static void CL_CALLBACK keep_text(const char *text, const void *info, size_t size, void *user) {
    snprintf(user, 300, "%s", text);
}

TEST(messages_name_formats_as_programs_do) {
    needs_images();
    if (!is_weir())
        skip();
    char text[300] = "";
    cl_image_desc d = plane(4, 4);
    cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, keep_text, text, &error));
    assert_null(clCreateImage(context, 0, &(cl_image_format){CL_RGB, CL_FLOAT}, &d, NULL, &error));
    assert_non_null(strstr(text, "there is no CL_RGB of CL_FLOAT"));
    assert_null(
        clCreateImage(context, 0, &(cl_image_format){CL_LUMINANCE, CL_SIGNED_INT8}, &d, NULL, &error));
    assert_non_null(strstr(text, "no CL_MEM_OBJECT_IMAGE2D may be CL_LUMINANCE of CL_SIGNED_INT8"));
    assert_null(
        clCreateImage(context, 0, &(cl_image_format){CL_ABGR + 1, CL_UNORM_INT_101010_2}, &d, NULL, &error));
    assert_non_null(strstr(text, "there is no 0x10c4 of CL_UNORM_INT_101010_2"));
    OK(clReleaseContext(context));
}

TEST(creation_checks_the_format) {
    needs_images();
    cl_image_desc d = plane(4, 4);
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(cl.context, 0, NULL, &d, NULL, &error));
    static const cl_image_format wrong[] = {
        {0, CL_UNORM_INT8},
        {CL_RGBA, 0},
        {CL_RGBA, CL_ABGR},
        {CL_RGBA, CL_UNORM_SHORT_565},
        {CL_RGBA, CL_UNORM_INT_101010},
        {CL_RGB, CL_UNORM_INT8},
        {CL_RGB, CL_UNORM_INT_101010_2},
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        refuses(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, wrong[i], d, NULL);
    cl_image_desc solid = {
        .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 4, .image_depth = 4};
    if (is_weir()) {
        refuses(CL_IMAGE_FORMAT_NOT_SUPPORTED, 0, (cl_image_format){CL_LUMINANCE, CL_SIGNED_INT8}, d, NULL);
        refuses(CL_IMAGE_FORMAT_NOT_SUPPORTED, 0, (cl_image_format){CL_DEPTH, CL_FLOAT}, solid, NULL);
    }
}

TEST(creation_checks_the_descriptor) {
    needs_images();
    cl_mem buffer = buffer_of(0, 64, NULL), image = plane_of(0, 4, 4, NULL);
    cl_image_desc d = plane(4, 4);
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(cl.context, 0, &rgba8, NULL, NULL, &error));
    d.image_type = CL_MEM_OBJECT_BUFFER;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, NULL);
    d = plane(4, 4), d.num_samples = 1;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, NULL);
    d = plane(4, 4), d.num_mip_levels = 1000;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, NULL);
    d = plane(4, 4), d.mem_object = (cl_mem)cl.queue;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, NULL);
    d = all_types[0], d.mem_object = image;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, NULL);
    d = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 4};
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, NULL);
    d.mem_object = image;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, NULL);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(image));
}

TEST(creation_checks_sizes) {
    needs_images();
    static const struct {
        cl_mem_object_type type;
        cl_device_info most[4]; /* width, height, depth, layers; 0: the type has no such size */
    } types[] = {
        {CL_MEM_OBJECT_IMAGE1D, {CL_DEVICE_IMAGE2D_MAX_WIDTH}},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, {CL_DEVICE_IMAGE2D_MAX_WIDTH, 0, 0, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE}},
        {CL_MEM_OBJECT_IMAGE2D, {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT}},
        {CL_MEM_OBJECT_IMAGE2D_ARRAY,
         {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT, 0, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE}},
        {CL_MEM_OBJECT_IMAGE3D,
         {CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH}},
    };
    for (size_t t = 0; t < COUNT(types); t++)
        for (int i = 0; i < 4; i++) {
            size_t most = types[t].most[i] ? device_size(types[t].most[i]) : 0,
                   wrong[] = {0, most + 1, SIZE_MAX};
            for (size_t w = 0; w < COUNT(wrong); w++) {
                size_t size[4] = {1, 1, 1, 1};
                size[i] = wrong[w];
                cl_image_desc d = {.image_type = types[t].type,
                                   .image_width = size[0],
                                   .image_height = size[1],
                                   .image_depth = size[2],
                                   .image_array_size = size[3]};
                if (most)
                    refuses(CL_INVALID_IMAGE_SIZE, 0, rgba8, d, NULL);
                else
                    OK(clReleaseMemObject(image_of(0, &rgba8, &d, NULL)));
            }
        }
}

TEST(creation_checks_pitches) {
    needs_images();
    static char host[4096];
    cl_image_desc d = plane(4, 4), a = all_types[3];
    d.image_row_pitch = 16;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, NULL);
    static const size_t rows[] = {1, 15, 17, 12};
    for (size_t i = 0; i < COUNT(rows); i++) {
        d.image_row_pitch = rows[i];
        refuses(CL_INVALID_IMAGE_DESCRIPTOR, CL_MEM_COPY_HOST_PTR, rgba8, d, host);
        REFUSES(CL_INVALID_IMAGE_SIZE,
                clCreateImage2D(cl.context, CL_MEM_COPY_HOST_PTR, &rgba8, 4, 4, rows[i], host, &error));
        REFUSES(CL_INVALID_IMAGE_SIZE,
                clCreateImage3D(cl.context, CL_MEM_COPY_HOST_PTR, &rgba8, 4, 4, 4, rows[i], 0, host, &error));
    }
    a.image_slice_pitch = W * H * 4;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, a, NULL);
    static const size_t slices[] = {1, W * (H - 1) * 4, W * H * 4 + 4, SIZE_MAX / (W * 4) * (W * 4)};
    for (size_t i = 0; i < COUNT(slices); i++) {
        a.image_slice_pitch = slices[i];
        refuses(i < 3 ? CL_INVALID_IMAGE_DESCRIPTOR : CL_INVALID_IMAGE_SIZE, CL_MEM_USE_HOST_PTR, rgba8, a,
                host);
    }
    a.image_slice_pitch = 0, a.image_row_pitch = SIZE_MAX - 3;
    refuses(CL_INVALID_IMAGE_SIZE, CL_MEM_USE_HOST_PTR, rgba8, a, host);
}

TEST(the_first_error_in_the_specifications_order_counts) {
    needs_images();
    cl_image_desc d = plane(0, 4);
    cl_image_format wrong = {CL_RGBA, 0};
    char host[64];
    refuses(CL_INVALID_VALUE, (cl_mem_flags)1 << 40, wrong, d, host);
    d.num_samples = 1;
    refuses(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, wrong, d, host);
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, host);
    d.num_samples = 0;
    refuses(CL_INVALID_IMAGE_SIZE, 0, rgba8, d, host);
}

TEST(the_functions_of_opencl_1_1_make_images) {
    needs_images();
    cl_mem flat = MADE(clCreateImage2D(cl.context, 0, &rgba8, 4, 3, 0, NULL, &error));
    cl_mem solid = MADE(clCreateImage3D(cl.context, 0, &rgba8, 4, 3, 2, 0, 0, NULL, &error));
    assert_int_equal(size_info(flat, CL_IMAGE_HEIGHT), 3);
    assert_int_equal(size_info(solid, CL_IMAGE_DEPTH), 2);
    REFUSES(CL_INVALID_IMAGE_SIZE, clCreateImage3D(cl.context, 0, &rgba8, 4, 3, 1, 0, 0, NULL, &error));
    REFUSES(CL_INVALID_IMAGE_SIZE, clCreateImage2D(cl.context, 0, &rgba8, 4, 0, 0, NULL, &error));
    REFUSES(CL_INVALID_IMAGE_SIZE, clCreateImage2D(cl.context, 0, &rgba8, 4, 4, 16, NULL, &error));
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage2D(cl.context, 0, NULL, 4, 4, 0, NULL, &error));
    REFUSES(CL_INVALID_CONTEXT, clCreateImage2D((cl_context)cl.queue, 0, &rgba8, 4, 4, 0, NULL, &error));
    OK(clReleaseMemObject(flat));
    OK(clReleaseMemObject(solid));
}

TEST(an_image_larger_than_the_device_allows_is_refused) {
    needs_images();
    cl_image_desc d = {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                       .image_width = device_size(CL_DEVICE_IMAGE2D_MAX_WIDTH),
                       .image_height = device_size(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
                       .image_array_size = device_size(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE)};
    refuses(CL_MEM_OBJECT_ALLOCATION_FAILURE, 0, (cl_image_format){CL_RGBA, CL_FLOAT}, d, NULL);
    still_works();
}

TEST(images_keep_their_properties) {
    needs_images();
    cl_image_desc d = plane(4, 4);
    cl_mem_properties none = 0, unknown[] = {0x1234, 1, 0}, back = 77;
    size_t size;
    cl_mem image = MADE(clCreateImageWithProperties(cl.context, &none, 0, &rgba8, &d, NULL, &error));
    OK(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, sizeof back, &back, &size));
    assert_int_equal(size, sizeof back);
    assert_int_equal(back, 0);
    OK(clReleaseMemObject(image));
    image = plane_of(0, 4, 4, NULL);
    OK(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, 0, NULL, &size));
    assert_int_equal(size, 0);
    OK(clReleaseMemObject(image));
    REFUSES(CL_INVALID_PROPERTY,
            clCreateImageWithProperties(cl.context, unknown, 0, &rgba8, &d, NULL, &error));
}

/* ---- host memory ---- */

static void read_all(cl_mem image, const cl_image_desc *d, void *to) {
    size_t zero[3] = {0, 0, 0}, size[3];
    size_of(d, size);
    OK(clEnqueueReadImage(cl.queue, image, CL_TRUE, zero, size, 0, 0, to, 0, NULL, NULL));
}

TEST(host_memory_is_copied_or_used_with_its_pitches) {
    needs_images();
    enum { ROW = W + 3, ROWS = H + 2 };
    static cl_uint host[ROW * ROWS * D], got[N];
    for (size_t i = 0; i < COUNT(host); i++)
        host[i] = (cl_uint)(i * 2654435761u);
    for (size_t t = 0; t < COUNT(all_types); t++)
        for (int use = 0; use < 2; use++) {
            cl_image_desc d = all_types[t];
            size_t size[3], slice = d.image_height ? ROW * ROWS : 2 * ROW;
            bool rows_are_layers = d.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
            bool sliced = d.image_depth || d.image_array_size;
            void *pointer = NULL;
            size_of(&d, size);
            d.image_row_pitch = ROW * 4;
            d.image_slice_pitch = sliced ? slice * 4 : 0;
            cl_mem image = image_of(use ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR, &rgba8, &d, host);
            assert_int_equal(size_info(image, CL_IMAGE_ROW_PITCH), ROW * 4);
            assert_int_equal(size_info(image, CL_IMAGE_SLICE_PITCH), sliced ? slice * 4 : 0);
            OK(clGetMemObjectInfo(image, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
            assert_ptr_equal(pointer, use ? host : NULL);
            read_all(image, &d, got);
            size_t i = 0;
            for (size_t z = 0; z < size[2]; z++)
                for (size_t y = 0; y < size[1]; y++)
                    for (size_t x = 0; x < size[0]; x++)
                        assert_int_equal(got[i++], host[x + y * (rows_are_layers ? slice : ROW) + z * slice]);
            OK(clReleaseMemObject(image));
        }
}

/* ---- other objects' memory ---- */

TEST(an_image_shows_a_buffers_memory) {
    needs_images();
    cl_uint values[64], got[64];
    for (cl_uint i = 0; i < 64; i++)
        values[i] = i * 3 + 1;
    static const size_t origin[3] = {0, 0, 0};
    cl_mem buffer =
        buffer_of(CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, sizeof values, values);
    cl_image_desc line = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 60, .mem_object = buffer};
    cl_image_desc flat = plane(6, 7);
    flat.image_row_pitch = 9 * 4;
    flat.mem_object = buffer;
    cl_mem a = image_of(0, &rgba8, &line, NULL), b = image_of(0, &rgba8, &flat, NULL), of;
    cl_mem_flags flags;
    read_all(a, &line, got);
    assert_memory_equal(got, values, 60 * 4);
    read_all(b, &flat, got);
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 6; x++)
            assert_int_equal(got[y * 6 + x], values[y * 9 + x]);
    OK(clGetImageInfo(b, CL_IMAGE_BUFFER, sizeof of, &of, NULL));
    assert_ptr_equal(of, buffer);
    OK(clGetMemObjectInfo(a, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of, NULL));
    assert_ptr_equal(of, buffer);
    OK(clGetMemObjectInfo(a, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    assert_int_equal(flags, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
    OK(clReleaseMemObject(buffer)); /* the images keep its memory */
    OK(clEnqueueFillImage(cl.queue, a, (cl_uint[4]){7, 7, 7, 7}, origin, (size_t[3]){2, 1, 1}, 0, NULL,
                          NULL));
    read_all(b, &flat, got);
    assert_int_equal(got[1], 0x07070707);
    assert_int_equal(got[2], values[2]);
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

TEST(an_image_of_a_buffer_must_fit) {
    needs_images();
    static char host[256];
    cl_mem buffer = buffer_of(CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, NULL);
    cl_mem odd = buffer_of(CL_MEM_USE_HOST_PTR, 64, host + ((uintptr_t)host % 4 ? 0 : 1));
    cl_image_desc line = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 17, .mem_object = buffer};
    cl_image_desc flat = plane(4, 4);
    flat.mem_object = buffer;
    refuses(CL_INVALID_IMAGE_SIZE, 0, rgba8, line, NULL);
    flat.image_row_pitch = 20;
    refuses(CL_INVALID_IMAGE_SIZE, 0, rgba8, flat, NULL);
    flat.image_row_pitch = 12;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, flat, NULL);
    flat.image_row_pitch = 0;
    refuses(CL_INVALID_VALUE, CL_MEM_READ_WRITE, rgba8, flat, NULL);
    refuses(CL_INVALID_VALUE, CL_MEM_HOST_READ_ONLY, rgba8, flat, NULL);
    refuses(CL_INVALID_VALUE, CL_MEM_ALLOC_HOST_PTR, rgba8, flat, NULL);
    refuses(CL_INVALID_HOST_PTR, 0, rgba8, flat, host);
    flat.num_mip_levels = 2;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, flat, NULL);
    flat.num_mip_levels = 0;
    OK(clReleaseMemObject(image_of(0, &rgba8, &flat, NULL)));
    flat.mem_object = odd;
    refuses(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, rgba8, flat, NULL);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(odd));
}

TEST(an_image_of_another_context_gives_no_memory) {
    needs_images();
    cl_context other = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_mem buffer = MADE(clCreateBuffer(other, 0, 64, NULL, &error));
    cl_image_desc flat = plane(4, 4);
    flat.mem_object = buffer;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, flat, NULL);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseContext(other));
}

TEST(an_image_shows_another_images_texels_in_another_order) {
    needs_images();
    static const struct {
        cl_image_format of, as;
        cl_int code;
    } pairs[] = {
        {{CL_RGBA, CL_UNORM_INT8}, {CL_sRGBA, CL_UNORM_INT8}, CL_SUCCESS},
        {{CL_sRGBA, CL_UNORM_INT8}, {CL_RGBA, CL_UNORM_INT8}, CL_SUCCESS},
        {{CL_BGRA, CL_UNORM_INT8}, {CL_sBGRA, CL_UNORM_INT8}, CL_SUCCESS},
        {{CL_R, CL_FLOAT}, {CL_DEPTH, CL_FLOAT}, CL_SUCCESS},
        {{CL_RGBA, CL_UNORM_INT8}, {CL_BGRA, CL_UNORM_INT8}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
        {{CL_RGBA, CL_UNORM_INT8}, {CL_RGBA, CL_UNSIGNED_INT8}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
        {{CL_DEPTH, CL_FLOAT}, {CL_R, CL_FLOAT}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
    };
    for (size_t i = 0; i < COUNT(pairs); i++) {
        cl_image_desc d = plane(W, H), view = d;
        cl_mem image = image_of(CL_MEM_READ_ONLY, &pairs[i].of, &d, NULL), of;
        view.mem_object = image;
        if (pairs[i].code) {
            refuses(pairs[i].code, 0, pairs[i].as, view, NULL);
        } else {
            cl_uint values[W * H], got[W * H];
            memset(values, (int)i + 1, sizeof values);
            cl_mem seen = image_of(0, &pairs[i].as, &view, NULL);
            OK(clEnqueueWriteImage(cl.queue, image, CL_TRUE, (size_t[3]){0}, (size_t[3]){W, H, 1}, 0, 0,
                                   values, 0, NULL, NULL));
            OK(clReleaseMemObject(image));
            read_all(seen, &d, got);
            assert_memory_equal(got, values, sizeof got);
            OK(clGetMemObjectInfo(seen, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof of, &of, NULL));
            assert_ptr_equal(of, image);
            OK(clGetImageInfo(seen, CL_IMAGE_BUFFER, sizeof of, &of, NULL));
            assert_null(of);
            image = seen;
        }
        OK(clReleaseMemObject(image));
    }
}

TEST(an_image_of_an_image_has_its_size) {
    needs_images();
    cl_mem image = plane_of(0, W, H, NULL);
    cl_image_desc d = plane(W, H - 1);
    d.mem_object = image;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, NULL);
    d = plane(W, H), d.mem_object = image, d.image_row_pitch = W * 8;
    refuses(CL_INVALID_IMAGE_DESCRIPTOR, 0, rgba8, d, NULL);
    d.image_row_pitch = W * 4;
    OK(clReleaseMemObject(image_of(0, &rgba8, &d, NULL)));
    OK(clReleaseMemObject(image));
}

static int destroyed;
static void CL_CALLBACK count_destroyed(cl_mem mem, void *user) {
    destroyed++;
}

TEST(the_last_release_of_an_image_calls_back) {
    needs_images();
    cl_mem image = plane_of(0, 4, 4, NULL);
    cl_uint count;
    OK(clSetMemObjectDestructorCallback(image, count_destroyed, NULL));
    OK(clRetainMemObject(image));
    OK(clGetMemObjectInfo(image, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 2);
    OK(clReleaseMemObject(image));
    assert_int_equal(destroyed, 0);
    OK(clReleaseMemObject(image));
    assert_int_equal(destroyed, 1);
}

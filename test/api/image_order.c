/* What work-items write to an image, others read after a barrier with CLK_IMAGE_MEM_FENCE, and they themselves after a
 * fence: in straight code, in loops and under conditions, with groups of several packs. */
#include "api.h"

enum { GROUP = 96, GROUPS = 3 };

/* Every work-item writes SIGNAL of its number to its texel, waits, and reads that of another one; NEXT is before the texel
 * is written again. */
static const char source[] =
    "kernel void straight(read_write image2d_t i, global uint *out) {\n"
    "    int l = get_local_id(0), y = get_group_id(0), n = get_local_size(0);\n"
    "    write_imageui(i, (int2)(l, y), (uint4)(l * 3 + y, 0, 0, 0));\n"
    "    WAIT;\n"
    "    out[get_global_id(0)] = read_imageui(i, (int2)((l + 17) % n, y)).x;\n"
    "}\n"
    "kernel void loop(read_write image2d_t i, global uint *out) {\n"
    "    int l = get_local_id(0), y = get_group_id(0), n = get_local_size(0);\n"
    "    uint value = l * 3 + y;\n"
    "    for (int round = 0; round < 5; round++) {\n"
    "        write_imageui(i, (int2)(l, y), (uint4)(value, 0, 0, 0));\n"
    "        WAIT;\n"
    "        value = read_imageui(i, (int2)((l + 1) % n, y)).x;\n"
    "        WAIT;\n"
    "    }\n"
    "    out[get_global_id(0)] = value;\n"
    "}\n"
    "kernel void condition(read_write image2d_t i, global uint *out) {\n"
    "    int l = get_local_id(0), y = get_group_id(0), n = get_local_size(0);\n"
    "    uint value = 0;\n"
    "    if (y != 1) {\n"
    "        if (l % 2)\n"
    "            write_imageui(i, (int2)(l, y), (uint4)(l * 3 + y, 0, 0, 0));\n"
    "        WAIT;\n"
    "        value = read_imageui(i, (int2)((l + 1) % n, y)).x;\n"
    "    }\n"
    "    out[get_global_id(0)] = value;\n"
    "}\n"
    "kernel void own(read_write image2d_t i, global uint *out) {\n"
    "    int l = get_local_id(0), y = get_group_id(0), n = get_local_size(0), back = n - 1 - l;\n"
    "    uint value = l * 3 + y;\n"
    "    for (int round = 0; round < 3; round++) {\n"
    "        write_imageui(i, (int2)(l, y), (uint4)(value, 0, 0, 0));\n"
    "        FENCE;\n"
    "        value = read_imageui(i, (int2)(n - 1 - back, y)).x + 1;\n"
    "        FENCE;\n"
    "    }\n"
    "    out[get_global_id(0)] = value;\n"
    "}\n"
    "kernel void neighbours(read_write image2d_t i, global uint *out) {\n"
    "    int l = get_local_id(0), y = get_group_id(0), lane = get_sub_group_local_id();\n"
    "    int n = get_sub_group_size(), first = l - lane, rounds = 0;\n"
    "    uint value = l * 3 + y;\n"
    "    if (get_sub_group_id() % 3 != 1)\n"
    "        for (rounds = 0; rounds < (int)get_sub_group_id() + 5; rounds++) {\n"
    "            write_imageui(i, (int2)(l, y), (uint4)(value, 0, 0, 0));\n"
    "            WAIT;\n"
    "            value = read_imageui(i, (int2)(first + (lane + 1) % n, y)).x;\n"
    "            WAIT;\n"
    "        }\n"
    "    out[get_global_id(0)] = value - ((first + (lane + rounds) % n) * 3 + y);\n"
    "}\n"
    "kernel void shared_memory(read_only image1d_buffer_t i, global uint *same, global uint *out) {\n"
    "    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0), first = g - l;\n"
    "    same[g] = g * 5;\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE);\n"
    "    out[g] = read_imageui(i, first + (l + 11) % n).x;\n"
    "}\n";

static cl_mem image, out;
static cl_program program;

static bool has_images(void) {
    cl_bool images = CL_FALSE;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    return images;
}

static void setup(const char *wait, const char *fence) {
    char options[256];
    static const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = GROUP, .image_height = GROUPS};
    uint32_t zero[GROUP * GROUPS] = {0};
    const char *text = source;
    image = MADE(
        clCreateImage(cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, zero, &error));
    out = MADE(clCreateBuffer(cl.context, CL_MEM_READ_WRITE, sizeof zero, NULL, &error));
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DWAIT=%s -DFENCE=%s", wait, fence);
    program = MADE(clCreateProgramWithSource(cl.context, 1, &text, NULL, &error));
    OK(clBuildProgram(program, 1, &cl.device, options, NULL, NULL));
}

static void teardown(void) {
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(out));
}

static void run(const char *name, uint32_t got[GROUPS][GROUP]) {
    size_t global = GROUPS * GROUP, local = GROUP;
    cl_kernel kernel = MADE(clCreateKernel(program, name, &error));
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, sizeof(uint32_t) * global, got, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
}

static const char *const waits[] = {
    "barrier(CLK_IMAGE_MEM_FENCE)",
    "work_group_barrier(CLK_IMAGE_MEM_FENCE)",
    "work_group_barrier(CLK_IMAGE_MEM_FENCE|CLK_LOCAL_MEM_FENCE)",
    "work_group_barrier(CLK_IMAGE_MEM_FENCE,memory_scope_work_group)",
    "work_group_barrier(CLK_IMAGE_MEM_FENCE,memory_scope_device)",
};

TEST(others_read_after_a_barrier_what_was_written_before) {
    uint32_t got[GROUPS][GROUP];
    if (!has_images())
        skip();
    for (size_t w = 0; w < sizeof waits / sizeof *waits; w++) {
        setup(waits[w], "");
        run("straight", got);
        for (unsigned y = 0; y < GROUPS; y++)
            for (unsigned l = 0; l < GROUP; l++)
                assert_int_equal(got[y][l], (l + 17) % GROUP * 3 + y);
        run("loop", got);
        for (unsigned y = 0; y < GROUPS; y++)
            for (unsigned l = 0; l < GROUP; l++)
                assert_int_equal(got[y][l], (l + 5) % GROUP * 3 + y);
        teardown();
    }
}

TEST(barriers_for_images_under_conditions_that_all_share) {
    uint32_t got[GROUPS][GROUP];
    if (!has_images())
        skip();
    for (size_t w = 0; w < sizeof waits / sizeof *waits; w++) {
        setup(waits[w], "");
        run("condition", got);
        for (unsigned y = 0; y < GROUPS; y++)
            for (unsigned l = 0; l < GROUP; l++) {
                unsigned from = (l + 1) % GROUP;
                assert_int_equal(got[y][l], y != 1 && from % 2 ? from * 3 + y : 0);
            }
        teardown();
    }
}

TEST(a_work_item_reads_after_a_fence_what_it_wrote_itself) {
    static const char *const fences[] = {
        "atomic_work_item_fence(CLK_IMAGE_MEM_FENCE,memory_order_acq_rel,memory_scope_work_item)",
        "sub_group_barrier(CLK_IMAGE_MEM_FENCE)",
        "barrier(CLK_IMAGE_MEM_FENCE)",
    };
    uint32_t got[GROUPS][GROUP];
    if (!has_images())
        skip();
    for (size_t f = 0; f < sizeof fences / sizeof *fences; f++) {
        setup("", fences[f]);
        run("own", got);
        for (unsigned y = 0; y < GROUPS; y++)
            for (unsigned l = 0; l < GROUP; l++)
                assert_int_equal(got[y][l], l * 3 + y + 3);
        teardown();
    }
}

static void check_neighbours(void) {
    static const char *const barriers[] = {
        "sub_group_barrier(CLK_IMAGE_MEM_FENCE)",
        "sub_group_barrier(CLK_IMAGE_MEM_FENCE|CLK_LOCAL_MEM_FENCE)",
        "sub_group_barrier(CLK_IMAGE_MEM_FENCE,memory_scope_sub_group)",
        "sub_group_barrier(CLK_IMAGE_MEM_FENCE,memory_scope_device)",
    };
    uint32_t got[GROUPS][GROUP];
    if (!has_images())
        skip();
    for (size_t b = 0; b < sizeof barriers / sizeof *barriers; b++) {
        setup(barriers[b], "");
        run("neighbours", got);
        for (unsigned y = 0; y < GROUPS; y++)
            for (unsigned l = 0; l < GROUP; l++)
                assert_int_equal(got[y][l], 0);
        teardown();
    }
}

TEST(a_sub_group_reads_after_its_barrier_what_others_of_it_wrote) {
    check_neighbours();
}

TEST(a_sub_group_of_4_reads_after_its_barrier_what_others_of_it_wrote) {
    if (fresh("a_sub_group_of_4_reads_after_its_barrier_what_others_of_it_wrote", NULL, "WEIR_WIDTH=4"))
        check_neighbours();
}

TEST(an_image_of_a_buffer_shows_what_is_written_to_the_buffer) {
    static const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    size_t global = GROUPS * GROUP, local = GROUP;
    uint32_t got[GROUPS][GROUP];
    if (!has_images())
        skip();
    setup("", "");
    cl_mem buffer = MADE(clCreateBuffer(cl.context, CL_MEM_READ_WRITE, sizeof got, NULL, &error));
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = GROUPS * GROUP, .mem_object = buffer};
    cl_mem view = MADE(clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error));
    cl_kernel kernel = MADE(clCreateKernel(program, "shared_memory", &error));
    OK(clSetKernelArg(kernel, 0, sizeof view, &view));
    OK(clSetKernelArg(kernel, 1, sizeof buffer, &buffer));
    OK(clSetKernelArg(kernel, 2, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (unsigned y = 0; y < GROUPS; y++)
        for (unsigned l = 0; l < GROUP; l++)
            assert_int_equal(got[y][l], (y * GROUP + (l + 11) % GROUP) * 5);
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(view));
    OK(clReleaseMemObject(buffer));
    teardown();
}

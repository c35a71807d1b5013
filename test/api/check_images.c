/* The checker on images: texels that work-items of a group, or of several, write and read, and coordinates outside.
 */
#include "check.h"

enum { WIDTH = 96, HEIGHT = 3 };
static const char source[] =
    "kernel void swap(read_write image2d_t i, global uint *out) {\n"
    "    int l = get_local_id(0), y = get_group_id(0), n = get_local_size(0);\n"
    "    write_imageui(i, (int2)(l, y), (uint4)(l * 3 + y, 0, 0, 0));\n"
    "    WAIT;\n"
    "    out[get_global_id(0)] = read_imageui(i, (int2)((l + 17) % n, (y + ROW) % 3)).x;\n"
    "}\n"
    "kernel void put(write_only image2d_t i, global uint *out) {\n"
    "    write_imageui(i, (int2)(get_local_id(0) + OFF, get_group_id(0)), 1);\n"
    "}\n"
    "kernel void get(read_only image2d_t i, global uint *out) {\n"
    "    out[get_global_id(0)] = read_imageui(i, (int2)(get_local_id(0), get_group_id(0) - OFF)).x;\n"
    "}\n"
    "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "kernel void sample(read_only image2d_t i, global uint *out) {\n"
    "    out[get_global_id(0)] = read_imageui(i, s, (int2)(get_local_id(0), get_group_id(0) - 1)).x;\n"
    "}\n"
    "kernel void layer(write_only image2d_array_t i, global uint *out) {\n"
    "    write_imageui(i, (int4)(get_local_id(0), 0, get_group_id(0), 0), 1);\n"
    "}\n";

static cl_mem image_made(cl_mem_object_type type, cl_channel_type channel) {
    cl_image_format format = {CL_RGBA, channel};
    cl_image_desc desc = {
        .image_type = type, .image_width = WIDTH, .image_height = HEIGHT, .image_array_size = 2};
    return MADE(clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error));
}

static void run_on(cl_mem image, const char *name, const char *options) {
    cl_program program = build(source, options);
    cl_kernel kernel = MADE(clCreateKernel(program, name, &error));
    cl_mem out = buffer_of(CL_MEM_READ_WRITE, WIDTH * HEIGHT * sizeof(cl_uint), NULL);
    size_t global = (size_t)WIDTH * HEIGHT, local = WIDTH;
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clFinish(cl.queue));
}

static void run(const char *name, const char *options) {
    run_on(image_made(CL_MEM_OBJECT_IMAGE2D, CL_UNSIGNED_INT8), name, options);
    run_on(image_made(CL_MEM_OBJECT_IMAGE2D, CL_UNSIGNED_INT32), name, options);
}

TEST(texels_behind_a_barrier_of_images_are_fine) {
    if (checked(__func__, NULL))
        run("swap", "-cl-std=CL3.0 -DROW=0 -DOFF=0 -DWAIT=work_group_barrier(CLK_IMAGE_MEM_FENCE)");
}

TEST(texels_without_a_barrier_race) {
    if (checked(__func__, "data-race|work-item|of argument i(|CLK_IMAGE_MEM_FENCE|:5:"))
        run("swap", "-cl-std=CL3.0 -DROW=0 -DOFF=0 -DWAIT=");
}

TEST(a_barrier_of_global_memory_misses_the_flag_of_images) {
    if (checked(__func__, "missing-fence|add CLK_IMAGE_MEM_FENCE|doesn't order image memory"))
        run("swap", "-cl-std=CL3.0 -DROW=0 -DOFF=0 -DWAIT=work_group_barrier(CLK_GLOBAL_MEM_FENCE)");
}

TEST(texels_of_other_groups_race) {
    if (checked(__func__, "inter-group-race"))
        run("swap", "-cl-std=CL3.0 -DROW=1 -DOFF=0 -DWAIT=work_group_barrier(CLK_IMAGE_MEM_FENCE)");
}

TEST(texels_inside_are_fine) {
    if (checked(__func__, NULL)) {
        run("put", "-cl-std=CL3.0 -DROW=0 -DOFF=0 -DWAIT=");
        run("get", "-cl-std=CL3.0 -DROW=0 -DOFF=0 -DWAIT=");
        run("sample", "-cl-std=CL3.0 -DROW=0 -DOFF=0 -DWAIT=");
    }
}

TEST(a_texel_written_outside_is_out_of_bounds) {
    if (checked(__func__, "out-of-bounds|texel (96, |of image 'i', whose size is (96, 3)|:8:"))
        run("put", "-cl-std=CL3.0 -DROW=0 -DOFF=1 -DWAIT=");
}

TEST(a_texel_read_outside_without_a_sampler_is_out_of_bounds) {
    if (checked(__func__, "out-of-bounds|, -1) of image 'i', whose size is (96, 3)|:11:"))
        run("get", "-cl-std=CL3.0 -DROW=0 -DOFF=1 -DWAIT=");
}

TEST(a_layer_that_an_image_does_not_have_is_out_of_bounds) {
    if (checked(__func__, "out-of-bounds|0, 2) of image 'i', whose size is (96, 3, 2)|:18:"))
        run_on(image_made(CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_UNSIGNED_INT32), "layer",
               "-cl-std=CL3.0 -DROW=0 -DOFF=0 -DWAIT=");
}

/* ---- against commands on another queue ---- */

static void race_with(const char *kernel_name, bool kernel_first, cl_int reads, size_t row) {
    cl_mem image = image_made(CL_MEM_OBJECT_IMAGE2D, CL_UNSIGNED_INT32),
           out = buffer_of(CL_MEM_READ_WRITE, WIDTH * HEIGHT * sizeof(cl_uint), NULL);
    cl_kernel kernel =
        MADE(clCreateKernel(build(source, "-cl-std=CL3.0 -DROW=0 -DOFF=0 -DWAIT="), kernel_name, &error));
    cl_command_queue other = queue_of(0);
    static cl_uint texels[WIDTH * HEIGHT][4];
    size_t global = (size_t)WIDTH * 2, local = WIDTH, from[3] = {0, row, 0}, region[3] = {WIDTH, 1, 1};
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    if (kernel_first)
        OK(clEnqueueNDRangeKernel(other, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    if (reads)
        OK(clEnqueueReadImage(cl.queue, image, CL_FALSE, from, region, 0, 0, texels, 0, NULL, NULL));
    else
        OK(clEnqueueWriteImage(cl.queue, image, CL_FALSE, from, region, 0, 0, texels, 0, NULL, NULL));
    if (!kernel_first)
        OK(clEnqueueNDRangeKernel(other, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(a_kernel_that_writes_texels_races_with_a_command_that_reads_them) {
    if (checked(__func__, "inter-command-race|kernel put|clEnqueueReadImage"))
        race_with("put", true, true, 1);
}

TEST(a_command_that_reads_texels_races_with_a_kernel_that_writes_them) {
    if (checked(__func__, "inter-command-race|kernel put|clEnqueueReadImage"))
        race_with("put", false, true, 1);
}

TEST(a_kernel_that_reads_texels_races_with_a_command_that_writes_them) {
    if (checked(__func__, "inter-command-race|kernel get|clEnqueueWriteImage|reads"))
        race_with("get", true, false, 1);
}

TEST(a_command_that_writes_texels_races_with_a_kernel_that_reads_them) {
    if (checked(__func__, "inter-command-race|kernel get|clEnqueueWriteImage|reads"))
        race_with("get", false, false, 1);
}

TEST(a_kernel_that_samples_texels_races_with_a_command_that_writes_them) {
    if (checked(__func__, "inter-command-race|kernel sample|clEnqueueWriteImage|reads"))
        race_with("sample", true, false, 0);
}

TEST(a_kernel_and_a_command_on_other_rows_are_fine) {
    if (checked(__func__, NULL)) {
        race_with("put", true, true, 2);
        race_with("get", true, false, 2);
        race_with("get", false, false, 2);
    }
}

TEST(a_kernel_and_a_command_that_both_read_are_fine) {
    if (checked(__func__, NULL))
        race_with("get", true, true, 1);
}

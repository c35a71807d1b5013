/* cl_intel_subgroups on images: a sub-group reads and writes blocks of an image's bytes, whose rows are its components. */
#define _GNU_SOURCE
#include "api.h"

enum { WIDTH = 64, HEIGHT = 8, PER_GROUP = 32 };

static const char source[] =
    "kernel void read(read_only image2d_t i, global uint *out, int x, int y) {\n"
    "    uint4 v = intel_sub_group_block_read4(i, (int2)(x, y));\n"
    "    size_t l = get_sub_group_local_id();\n"
    "    out[l * 4] = v.x; out[l * 4 + 1] = v.y; out[l * 4 + 2] = v.z; out[l * 4 + 3] = v.w;\n"
    "    if (l == 0) out[4096] = get_sub_group_size();\n"
    "}\n"
    "kernel void narrow(read_write image2d_t i, global uint *out, int x, int y) {\n"
    "    ushort2 v = intel_sub_group_block_read_us2(i, (int2)(x, y));\n"
    "    size_t l = get_sub_group_local_id();\n"
    "    out[l * 2] = v.x; out[l * 2 + 1] = v.y;\n"
    "    if (l == 0) out[4096] = get_sub_group_size();\n"
    "}\n"
    "kernel void write(write_only image2d_t i, global uint *out, int x, int y) {\n"
    "    uint l = get_sub_group_local_id();\n"
    "    intel_sub_group_block_write2(i, (int2)(x, y), (uint2)(l + 1, l + 1001));\n"
    "    if (l == 0) out[4096] = get_sub_group_size();\n"
    "}\n";

static uint32_t texels[HEIGHT][WIDTH], result[4097];
static cl_mem image, out;
static cl_program program;

static void setup(void) {
    static const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    const char *text = source;
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            texels[y][x] = (y + 1) * 0x10001 * 256 + x;
    image = MADE(
        clCreateImage(cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, texels, &error));
    out = MADE(clCreateBuffer(cl.context, CL_MEM_READ_WRITE, sizeof result, NULL, &error));
    program = MADE(clCreateProgramWithSource(cl.context, 1, &text, NULL, &error));
    OK(clBuildProgram(program, 1, &cl.device, "-cl-std=CL3.0", NULL, NULL));
}

/* The same program as SPIR-V that clang makes of it. */
static void setup_as_module(void) {
    static const char command[] =
        "clang-22 -target spirv64-unknown-unknown -x cl -cl-std=CL3.0 -O1 -fno-builtin -Xclang "
        "-fdeclare-opencl-builtins -Xclang -finclude-default-header -Xclang -cl-ext=+all "
        "-Dcl_intel_subgroups -include opencl-c.h -mllvm --spirv-ext=+SPV_INTEL_subgroups -c -o %s.spv %s";
    static unsigned char module[1 << 16];
    char name[] = "/tmp/weir-block.XXXXXX", line[1024];
    setup();
    int fd = mkstemp(name);
    assert_int_equal(write(fd, source, sizeof source - 1), sizeof source - 1);
    close(fd);
    snprintf(line, sizeof line, command, name, name);
    assert_int_equal(system(line), 0);
    snprintf(line, sizeof line, "%s.spv", name);
    FILE *file = fopen(line, "rb");
    size_t n = fread(module, 1, sizeof module, file);
    fclose(file);
    unlink(line);
    unlink(name);
    OK(clReleaseProgram(program));
    program = MADE(clCreateProgramWithIL(cl.context, module, n, &error));
    OK(clBuildProgram(program, 1, &cl.device, "", NULL, NULL));
}

static void teardown(void) {
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(out));
    OK(clReleaseProgram(program));
}

/* Runs the kernel with one sub-group; gives its size. */
static unsigned run(const char *name, cl_int x, cl_int y) {
    size_t size = 0, global[] = {PER_GROUP};
    cl_kernel kernel = MADE(clCreateKernel(program, name, &error));
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    OK(clSetKernelArg(kernel, 2, sizeof x, &x));
    OK(clSetKernelArg(kernel, 3, sizeof y, &y));
    OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof global,
                               global, sizeof size, &size, NULL));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
    return result[4096];
}

static void expect_rows(void) {
    unsigned n = run("read", 8, 3);
    for (unsigned l = 0; l < n; l++)
        for (unsigned row = 0; row < 4; row++)
            assert_int_equal(result[l * 4 + row], texels[3 + row][2 + l]);
    teardown();
}

TEST(a_block_has_a_row_for_each_component) {
    setup();
    expect_rows();
}

TEST(a_block_that_a_module_reads_has_a_row_for_each_component) {
    setup_as_module();
    expect_rows();
}

TEST(beyond_the_edges_is_what_lies_there) {
    setup();
    unsigned n = run("read", -8, HEIGHT - 2);
    for (unsigned l = 0; l < n; l++)
        for (unsigned row = 0; row < 4; row++)
            assert_int_equal(result[l * 4 + row], texels[row ? HEIGHT - 1 : HEIGHT - 2][l < 2 ? 0 : l - 2]);
    teardown();
}

TEST(beyond_the_last_column_is_its_texel) {
    setup();
    unsigned n = run("read", 4 * (WIDTH - 2), 0);
    for (unsigned l = 0; l < n; l++)
        assert_int_equal(result[l * 4 + 1], texels[1][l < 2 ? WIDTH - 2 + l : WIDTH - 1]);
    teardown();
}

TEST(elements_may_be_smaller_than_texels) {
    setup();
    unsigned n = run("narrow", 4, 1);
    for (unsigned l = 0; l < n; l++)
        for (unsigned row = 0; row < 2; row++)
            assert_int_equal(result[l * 2 + row], texels[1 + row][1 + l / 2] >> l % 2 * 16 & 0xffff);
    teardown();
}

static void expect_written_within(void) {
    static uint32_t after[HEIGHT][WIDTH];
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1};
    unsigned n = run("write", 4 * (WIDTH - 2), HEIGHT - 1);
    OK(clEnqueueReadImage(cl.queue, image, CL_TRUE, origin, region, 0, 0, after, 0, NULL, NULL));
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            bool written = y == HEIGHT - 1 && x >= WIDTH - 2 && x - (WIDTH - 2) < n;
            assert_int_equal(after[y][x], written ? x - (WIDTH - 2) + 1 : texels[y][x]);
        }
    teardown();
}

TEST(nothing_is_written_beyond_the_edges) {
    setup();
    expect_written_within();
}

TEST(nothing_is_written_beyond_the_edges_by_a_module) {
    setup_as_module();
    expect_written_within();
}

/* NDRanges: checks of clEnqueueNDRangeKernel, ids in all dimensions, offsets, chosen and odd local sizes. */
#include "api.h"

/* Each work-item writes what it sees at its place: 16 numbers. */
static const char ids[] =
    "kernel void ids(global uint *out) {\n"
    "    size_t at = 0;\n"
    "    for (int d = 2; d >= 0; d--)\n"
    "        at = at * get_global_size(d) + get_global_id(d) - get_global_offset(d);\n"
    "    out += at * 16;\n"
    "    for (int d = 0; d < 3; d++) {\n"
    "        out[d] = (uint)get_global_id(d);\n"
    "        out[3 + d] = (uint)get_local_id(d);\n"
    "        out[6 + d] = (uint)get_group_id(d);\n"
    "        out[9 + d] = (uint)get_local_size(d);\n"
    "        out[12 + d] = (uint)get_num_groups(d);\n"
    "    }\n"
    "    out[15] = get_work_dim() + 8 * (uint)(get_global_id(3) + get_local_id(3) + get_group_id(7)) +\n"
    "              16 * (uint)(get_global_size(3) + get_local_size(9) + get_num_groups(3));\n"
    "}\n";

static void check_ids(cl_uint dim, const size_t *offset, const size_t *global, const size_t *local,
                      const char *options) {
    cl_program program = build(ids, options);
    cl_kernel kernel = MADE(clCreateKernel(program, "ids", &error));
    size_t size[3] = {1, 1, 1}, from[3] = {0}, group[3] = {1, 1, 1};
    for (cl_uint d = 0; d < dim; d++) {
        size[d] = global[d];
        from[d] = offset ? offset[d] : 0;
    }
    size_t n = size[0] * size[1] * size[2];
    cl_uint *back = calloc(n, 64), *at = back;
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, n * 64, back);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, dim, offset, global, local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, n * 64, back, 0, NULL, NULL));
    for (cl_uint d = 0; d < dim; d++)
        group[d] = local ? local[d] : back[9 + d];
    for (size_t i = 0; i < n; i++, at += 16) {
        size_t id[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        for (int d = 0; d < 3; d++) {
            size_t rest = size[d] - id[d] / group[d] * group[d];
            assert_int_equal(at[d], id[d] + from[d]);
            assert_int_equal(at[3 + d], id[d] % group[d]);
            assert_int_equal(at[6 + d], id[d] / group[d]);
            assert_int_equal(at[9 + d], rest < group[d] ? rest : group[d]);
            assert_int_equal(at[12 + d], (size[d] + group[d] - 1) / group[d]);
        }
        assert_int_equal(at[15], dim + 16 * 3);
    }
    free(back);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

TEST(ids_are_right_in_one_to_three_dimensions) {
    static const size_t global[3] = {24, 6, 4}, local[3] = {8, 3, 2}, whole[3] = {24, 6, 4},
                        ones[3] = {1, 1, 1};
    for (cl_uint dim = 1; dim <= 3; dim++) {
        check_ids(dim, NULL, global, local, "");
        check_ids(dim, NULL, global, whole, "");
        check_ids(dim, NULL, global, ones, "");
        check_ids(dim, NULL, global, NULL, "");
    }
}

TEST(offsets_shift_global_ids_only) {
    static const size_t global[3] = {16, 4, 2}, local[3] = {4, 2, 1}, offset[3] = {100, 7, 1000000};
    for (cl_uint dim = 1; dim <= 3; dim++) {
        check_ids(dim, offset, global, local, "");
        check_ids(dim, offset, global, NULL, "");
    }
}

TEST(a_missing_local_size_fits_any_global_size) {
    static const size_t sizes[] = {1, 2, 3, 7, 97, 101, 128, 1000, 4093, 5000};
    for (size_t i = 0; i < COUNT(sizes); i++)
        check_ids(1, NULL, &sizes[i], NULL, i % 2 ? "" : "-cl-std=CL3.0");
}

EXTENSION(clGetKernelSuggestedLocalWorkSizeKHR)
EXTENSION(clGetKernelSuggestedLocalWorkSize)

TEST(chosen_work_groups_are_of_good_size) {
    static const size_t sizes[][3] = {{1 << 20, 1, 1}, {1000, 1000, 1}, {4093, 1, 1},  {1000003, 1, 1},
                                      {1009, 1013, 1}, {5000, 7, 3},    {2018, 50, 2}, {480, 270, 2}};
    FIND(clGetKernelSuggestedLocalWorkSizeKHR)
    FIND(clGetKernelSuggestedLocalWorkSize)
    for (int uniform = 0; uniform < 2; uniform++) {
        cl_program program = build("kernel void k() {}", uniform ? "" : "-cl-std=CL3.0");
        cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
        for (size_t i = 0; i < COUNT(sizes); i++) {
            size_t local[3] = {0};
            bool divides = true;
            OK(clGetKernelSuggestedLocalWorkSizeKHR_(cl.queue, kernel, 3, NULL, sizes[i], local));
            size_t core[3] = {0}; /* of OpenCL 3.1 */
            OK(clGetKernelSuggestedLocalWorkSize_(cl.queue, kernel, 3, NULL, sizes[i], core));
            assert_memory_equal(core, local, sizeof core);
            for (int d = 0; d < 3; d++)
                divides &= local[d] && sizes[i][d] % local[d] == 0;
            size_t items = local[0] * local[1] * local[2];
            assert_true(uniform ? divides : items >= 50 && items <= 256);
            assert_true(sizes[i][0] != 4093 || items >= 50); /* a prime: one group holds all */
        }
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(program));
    }
}

TEST(chosen_work_groups_that_differ_have_the_right_ids) {
    static const size_t sizes[][3] = {{4093, 1, 1}, {1009, 13, 1}, {257, 3, 5}, {521, 31, 2}};
    for (size_t i = 0; i < COUNT(sizes); i++)
        check_ids(3, NULL, sizes[i], NULL, "-cl-std=CL3.0");
}

TEST(uneven_groups_work_in_language_version_3) {
    cl_bool able;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof able, &able, NULL));
    if (!able)
        skip();
    static const size_t global[3] = {23, 5, 3}, local[3] = {8, 2, 2}, offset[3] = {1, 2, 3};
    for (cl_uint dim = 1; dim <= 3; dim++) {
        check_ids(dim, NULL, global, local, "-cl-std=CL3.0");
        check_ids(dim, offset, global, local, "-cl-std=CL2.0");
    }
}

TEST(uneven_groups_are_refused_where_groups_must_be_uniform) {
    static const char *const options[] = {"", "-cl-std=CL1.2", "-cl-std=CL3.0 -cl-uniform-work-group-size"};
    size_t global = 23, local = 8;
    for (size_t i = 0; i < COUNT(options); i++) {
        cl_program program = build(ids, options[i]);
        cl_kernel kernel = MADE(clCreateKernel(program, "ids", &error));
        cl_mem mem = buffer_of(0, 4096, NULL);
        OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        GIVES(CL_INVALID_WORK_GROUP_SIZE,
              clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
        OK(clReleaseMemObject(mem));
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(program));
    }
}

TEST(enqueueing_checks_its_arguments) {
    cl_kernel kernel = kernel_of("kernel void k() {}", "k");
    size_t one[4] = {1, 1, 1, 1}, huge[3] = {(size_t)1 << 40, 1, 1}, max[3], zero[3] = {0, 1, 1};
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof max, max, NULL));
#define RUN(code, queue, what, dim, offset, global, local, n)                                                \
    GIVES(code, clEnqueueNDRangeKernel(queue, what, dim, offset, global, local, n, NULL, NULL))
    RUN(CL_INVALID_COMMAND_QUEUE, (cl_command_queue)cl.context, kernel, 1, NULL, one, one, 0);
    RUN(CL_INVALID_KERNEL, cl.queue, (cl_kernel)cl.context, 1, NULL, one, one, 0);
    RUN(CL_INVALID_WORK_DIMENSION, cl.queue, kernel, 0, NULL, one, one, 0);
    RUN(CL_INVALID_WORK_DIMENSION, cl.queue, kernel, 4, NULL, one, one, 0);
    RUN(CL_INVALID_EVENT_WAIT_LIST, cl.queue, kernel, 1, NULL, one, one, 1);
    cl_int code = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, one, zero, 0, NULL, NULL);
    assert_true(code == CL_INVALID_WORK_ITEM_SIZE || code == CL_INVALID_WORK_GROUP_SIZE);
    max[0]++;
    code = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, max, max, 0, NULL, NULL);
    assert_true(code == CL_INVALID_WORK_ITEM_SIZE || code == CL_INVALID_WORK_GROUP_SIZE);
    max[0]--;
    code = clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, max, max, 0, NULL, NULL);
    assert_int_equal(code, CL_INVALID_WORK_GROUP_SIZE);
    code = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, huge, huge, 0, NULL, NULL);
    assert_true(code == CL_INVALID_WORK_ITEM_SIZE || code == CL_INVALID_WORK_GROUP_SIZE);
    OK(clReleaseKernel(kernel));
}

/* Since version 2.1 an NDRange of no work-items is a command that does nothing. */
TEST(an_empty_range_completes_without_running) {
    cl_kernel kernel = kernel_of("kernel void k(global int *p) { *p = 1; }", "k");
    cl_mem mem = buffer_of(0, 4, NULL);
    int back = 0;
    size_t zero[3] = {0, 4, 4};
    cl_event event;
    OK(clEnqueueFillBuffer(cl.queue, mem, &back, 4, 0, 4, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, zero, NULL, 0, NULL, &event));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 3, NULL, zero, NULL, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, NULL, NULL, 0, NULL, NULL));
    OK(clWaitForEvents(1, &event));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 0);
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(a_required_group_size_must_be_met) {
    cl_kernel kernel =
        kernel_of("kernel __attribute__((reqd_work_group_size(4, 2, 1))) void k(global int *p) {"
                  "    if (get_local_id(0) + get_local_id(1) == 0)"
                  "        atomic_add(p, (int)(get_local_size(0) * 100 + get_local_size(1)));"
                  "}",
                  "k");
    size_t global[2] = {8, 4}, good[2] = {4, 2}, bad[2] = {2, 4}, odd[2] = {6, 4};
    cl_mem mem = buffer_of(0, 4, NULL);
    int back = 0;
    OK(clEnqueueFillBuffer(cl.queue, mem, &back, 4, 0, 4, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 2, NULL, global, good, 0, NULL, NULL));
    RUN(CL_INVALID_WORK_GROUP_SIZE, cl.queue, kernel, 2, NULL, global, bad, 0);
    RUN(CL_INVALID_WORK_GROUP_SIZE, cl.queue, kernel, 1, NULL, global, good, 0);
    RUN(CL_INVALID_WORK_GROUP_SIZE, cl.queue, kernel, 2, NULL, odd, good, 0);
    GIVES(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(cl.queue, kernel, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 4 * 402);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(the_largest_group_has_working_barriers) {
    cl_kernel kernel =
        kernel_of("kernel void rotate_all(global int *p, local int *t) {"
                  "    size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);"
                  "    for (int r = 0; r < 3; r++) {"
                  "        t[i] = p[g];"
                  "        barrier(CLK_LOCAL_MEM_FENCE);"
                  "        p[g] = t[(i + 1) % n];"
                  "        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
                  "    }"
                  "}",
                  "rotate_all");
    size_t max;
    OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof max, &max, NULL));
    size_t n = 2 * max;
    int *values = malloc(n * 4);
    for (size_t i = 0; i < n; i++)
        values[i] = (int)i;
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, n * 4, values);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, max * 4, NULL));
    OK(run_1d(kernel, n, max));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, n * 4, values, 0, NULL, NULL));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(values[i], i / max * max + (i % max + 3) % max);
    free(values);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(a_task_is_a_range_of_one) {
    cl_kernel kernel = kernel_of(
        "kernel void k(global int *p) { *p = (int)(get_global_size(0) * get_local_size(0)) + 41; }", "k");
    cl_mem mem = buffer_of(0, 4, NULL);
    int back;
    cl_event event;
    cl_command_type type;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clEnqueueTask(cl.queue, kernel, 0, NULL, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_COMMAND_TASK);
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 42);
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(a_kernel_of_another_context_is_refused) {
    cl_context other = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(other, cl.device, NULL, &error));
    cl_kernel kernel = kernel_of("kernel void k() {}", "k");
    size_t one = 1;
    RUN(CL_INVALID_CONTEXT, queue, kernel, 1, NULL, &one, &one, 0);
    GIVES(CL_INVALID_CONTEXT, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(other));
}

TEST(millions_of_work_items_all_run) {
    cl_kernel kernel =
        kernel_of("kernel void k(global int *p) { atomic_inc(p + get_global_id(0) % 16); }", "k");
    int counts[16] = {0};
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof counts, counts);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(run_1d(kernel, 1 << 20, 0));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof counts, counts, 0, NULL, NULL));
    for (int i = 0; i < 16; i++)
        assert_int_equal(counts[i], 1 << 16);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

/* Ids beyond 32 bits, in straight code and behind a barrier, in whole work-groups and in the one at the edge. */
static void check_large_ids(void) {
    static const char source[] =
        "kernel void k(global ulong *out, local ulong *shared) {\n"
        "    size_t l = get_local_id(0), at = get_global_id(0) - get_global_offset(0);\n"
        "    shared[l] = get_global_id(0);\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    out[2 * at] = shared[get_local_size(0) - 1 - l];\n"
        "    out[2 * at + 1] = get_global_id(0) * 3 >> 1;\n"
        "}\n";
    static const size_t offsets[] = {0, ((size_t)1 << 31) - 32, (size_t)1 << 32, (size_t)1 << 33,
                                     SIZE_MAX / 8};
    const size_t local = 16, n = 56;
    cl_program program = build(source, "-cl-std=CL3.0");
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_ulong back[2 * 56];
    cl_mem mem = buffer_of(0, sizeof back, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, local * 8, NULL));
    for (size_t i = 0; i < COUNT(offsets); i++) {
        OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, &offsets[i], &n, &local, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
        for (size_t at = 0; at < n; at++) {
            size_t first = at / local * local, size = n - first < local ? n - first : local;
            assert_int_equal(back[2 * at], offsets[i] + first + size - 1 - (at - first));
            assert_int_equal(back[2 * at + 1], (offsets[i] + at) * 3 >> 1);
        }
    }
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

TEST(global_ids_have_64_bits) {
    check_large_ids();
}

TEST(global_ids_have_64_bits_at_width_1) {
    if (fresh("global_ids_have_64_bits_at_width_1", NULL, "WEIR_WIDTH=1"))
        check_large_ids();
}

TEST(global_ids_have_64_bits_at_width_8) {
    if (fresh("global_ids_have_64_bits_at_width_8", NULL, "WEIR_WIDTH=8"))
        check_large_ids();
}

TEST(one_kernel_runs_in_all_sizes_in_turn) {
    cl_program program =
        build("kernel void k(global uint *out, uint n) {"
              "    size_t i = get_global_linear_id();"
              "    out[i % n] = get_local_size(0) * 100 + get_local_size(1) * 10 + get_work_dim();"
              "}",
              "-cl-std=CL3.0");
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    static const struct {
        cl_uint dim;
        size_t offset[2], global[2], local[2];
        cl_uint first, last; /* what the first and the last work-item write */
    } all[] = {{1, {0, 0}, {12, 1}, {4, 1}, 411, 411}, {1, {0, 0}, {13, 1}, {4, 1}, 411, 111},
               {1, {0, 0}, {14, 1}, {4, 1}, 411, 211}, {2, {0, 0}, {4, 3}, {4, 1}, 412, 412},
               {2, {0, 0}, {4, 3}, {4, 2}, 422, 412},  {1, {(size_t)1 << 32, 0}, {12, 1}, {4, 1}, 411, 411},
               {1, {0, 0}, {12, 1}, {3, 1}, 311, 311}, {1, {0, 0}, {12, 1}, {4, 1}, 411, 411}};
    enum { ROUNDS = 3, N = 16 };
    cl_uint got[N], n = N;
    cl_mem out = buffer_of(0, sizeof got, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    for (size_t i = 0; i < ROUNDS * COUNT(all); i++) {
        size_t k = i % COUNT(all), items = all[k].global[0] * all[k].global[1];
        OK(clEnqueueNDRangeKernel(cl.queue, kernel, all[k].dim, all[k].offset, all[k].global, all[k].local, 0,
                                  NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        assert_int_equal(got[0], all[k].first);
        assert_int_equal(got[items - 1], all[k].last);
    }
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* Whatever the scheduler has learned of what they cost, with parts for each thread or one for all. */
static void run_uneven_groups(const char *name, const char *env) {
    if (!fresh(name, NULL, env))
        return;
    cl_program program = build("kernel void k(global uint *count, uint n, uint work) {"
                               "    uint i = get_global_id(0), x = i;"
                               "    for (uint round = i % 7 ? 0 : work; round; round--)"
                               "        x = x * 1664525 + 1013904223;"
                               "    count[i] += 1 + (x == 12345) * n;"
                               "}",
                               "-cl-std=CL3.0");
    static const size_t sizes[] = {1, 2, 3, 5, 64, 67, 1000, 4099};
    static const cl_uint works[] = {0, 20000, 100, 0, 5000};
    enum { MOST = 4099 };
    static cl_uint count[MOST];
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof count, count);
    const cl_uint n = 0;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    for (size_t w = 0; w < COUNT(works); w++) {
        OK(clSetKernelArg(kernel, 2, sizeof works[w], &works[w]));
        for (size_t s = 0; s < COUNT(sizes); s++)
            OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &sizes[s], &(size_t){1}, 0, NULL, NULL));
    }
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof count, count, 0, NULL, NULL));
    for (size_t i = 0; i < MOST; i++) {
        cl_uint launches = 0;
        for (size_t s = 0; s < COUNT(sizes); s++)
            launches += i < sizes[s];
        assert_int_equal(count[i], launches * COUNT(works));
    }
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

TEST(each_work_group_runs_once_whatever_they_cost) {
    run_uneven_groups(__func__, "WEIR_CU=8");
}

TEST(each_work_group_runs_once_with_more_threads_than_parts) {
    run_uneven_groups(__func__, "WEIR_CU=100");
}

/* Sub-groups: the queries of kernels and devices, and that kernels find what they promised. */
#include "api.h"

#ifndef CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL
#define CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL 0x410A
#endif
#ifndef CL_DEVICE_SUB_GROUP_SIZES_INTEL
#define CL_DEVICE_SUB_GROUP_SIZES_INTEL 0x4108
#endif

static const char source[] =
    "kernel void k(global uint *out) {\n"
    "    out[0] = get_max_sub_group_size();\n"
    "    out[1] = get_num_sub_groups();\n"
    "    if (get_sub_group_size() == get_max_sub_group_size()) out[2] = get_sub_group_size();\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(32, 2, 1))) void fixed(global uint *out) {\n"
    "    out[0] = sub_group_reduce_add(1);\n"
    "}\n";

static bool has_subgroups(void) {
    cl_uint most;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL));
    return most > 0;
}

static cl_kernel made(const char *text, const char *name) {
    cl_program program = build(text, "-cl-std=CL3.0");
    cl_kernel kernel = MADE(clCreateKernel(program, name, &error));
    OK(clReleaseProgram(program));
    return kernel;
}

static size_t asked(cl_kernel k, cl_kernel_sub_group_info what, size_t dims, const size_t *in) {
    size_t answer = 0, size = 0;
    OK(clGetKernelSubGroupInfo(k, cl.device, what, dims * sizeof *in, in, sizeof answer, &answer, &size));
    assert_int_equal(size, sizeof answer);
    return answer;
}

/* What the kernel sees in a work-group of that size: largest size, number. */
static void run(cl_kernel k, cl_uint dims, const size_t *local, cl_uint seen[3]) {
    cl_uint zero[3] = {0};
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof zero, zero);
    OK(clSetKernelArg(k, 0, sizeof mem, &mem));
    OK(clEnqueueNDRangeKernel(cl.queue, k, dims, NULL, local, local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof zero, seen, 0, NULL, NULL));
    OK(clReleaseMemObject(mem));
}

TEST(kernels_see_the_sub_groups_that_queries_promise) {
    static const size_t locals[][3] = {{1, 1, 1}, {3, 1, 1},  {8, 8, 1},  {64, 1, 1},  {100, 1, 1},
                                       {5, 7, 3}, {17, 2, 1}, {1, 64, 1}, {16, 16, 4}, {4096, 1, 1}};
    if (!has_subgroups())
        return;
    cl_kernel k = made(source, "k");
    for (size_t i = 0; i < COUNT(locals); i++) {
        cl_uint seen[3];
        run(k, 3, locals[i], seen);
        assert_int_equal(seen[0], asked(k, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 3, locals[i]));
        assert_int_equal(seen[1], asked(k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 3, locals[i]));
        assert_true(seen[1] <= 4096 && seen[0] * seen[1] >= locals[i][0] * locals[i][1] * locals[i][2]);
    }
    OK(clReleaseKernel(k));
}

TEST(a_local_size_is_found_for_a_number_of_sub_groups) {
    if (!has_subgroups())
        return;
    cl_kernel k = made(source, "k");
    size_t most = asked(k, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL);
    cl_uint limit;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof limit, &limit, NULL));
    assert_true(most >= 1 && most <= limit);
    for (size_t count = 1; count <= most; count *= 2) {
        size_t local[3] = {7, 7, 7};
        cl_uint seen[3];
        OK(clGetKernelSubGroupInfo(k, cl.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count,
                                   &count, sizeof local, local, NULL));
        assert_true(local[0] && local[1] == 1 && local[2] == 1);
        run(k, 3, local, seen);
        assert_int_equal(seen[1], count);
        assert_int_equal(seen[2], seen[0]); /* all of them full */
        assert_int_equal(seen[0] * count, local[0]);
    }
    size_t none[2] = {7, 7}, many = 100000;
    OK(clGetKernelSubGroupInfo(k, cl.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof many, &many,
                               sizeof none, none, NULL));
    assert_true(none[0] == 0 && none[1] == 0);
    OK(clReleaseKernel(k));
}

/* cl_khr_subgroups promises both. */
TEST(the_extension_has_its_query_and_independent_progress) {
    static const char source_2_0[] =
        "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
        "kernel void k(global uint *out) { out[0] = get_max_sub_group_size(); }\n";
    char extensions[4096];
    cl_bool independent;
    size_t local = 64, answer, size;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof independent,
                       &independent, NULL));
    assert_int_equal(independent, strstr(extensions, "cl_khr_subgroups") != NULL);
    if (!independent)
        return;
    clGetKernelSubGroupInfoKHR_fn query =
        (clGetKernelSubGroupInfoKHR_fn)(uintptr_t)clGetExtensionFunctionAddressForPlatform(
            cl.platform, "clGetKernelSubGroupInfoKHR");
    assert_non_null(query);
    cl_program program = build(source_2_0, "-cl-std=CL2.0");
    cl_kernel k = MADE(clCreateKernel(program, "k", &error));
    OK(query(k, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, sizeof local, &local, sizeof answer,
             &answer, &size));
    assert_int_equal(answer, asked(k, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 1, &local));
    OK(query(k, cl.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR, sizeof local, &local, sizeof answer,
             &answer, &size));
    assert_int_equal(answer, asked(k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 1, &local));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(program));
}

TEST(a_required_work_group_size_limits_the_answers) {
    if (!has_subgroups())
        return;
    cl_kernel k = made(source, "fixed");
    size_t local[2] = {32, 2}, count = asked(k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 2, local), found = 7;
    assert_int_equal(asked(k, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL), count);
    assert_int_equal(asked(k, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL), 0);
    OK(clGetKernelSubGroupInfo(k, cl.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                               sizeof found, &found, NULL));
    assert_int_equal(found, 0); /* two rows aren't one dimension */
    OK(clReleaseKernel(k));
}

TEST(a_required_sub_group_size_is_kept) {
    size_t sizes[16], bytes;
    if (!has_subgroups() ||
        clGetDeviceInfo(cl.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes))
        return;
    for (size_t i = 0; i < bytes / sizeof *sizes; i++) {
        char text[600];
        snprintf(text, sizeof text, "__attribute__((intel_reqd_sub_group_size(%zu)))\n%s", sizes[i], source);
        cl_kernel k = made(text, "k");
        static const size_t locals[][2] = {{5, 1}, {64, 2}, {5, 7}, {12, 10}};
        for (size_t l = 0; l < COUNT(locals); l++) {
            cl_uint seen[3];
            run(k, 2, locals[l], seen);
            assert_int_equal(seen[0], sizes[i]);
            assert_int_equal(asked(k, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 2, locals[l]), sizes[i]);
            assert_int_equal(asked(k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 2, locals[l]), seen[1]);
        }
        assert_int_equal(asked(k, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL), sizes[i]);
        OK(clReleaseKernel(k));
    }
    cl_kernel k = made(source, "k");
    assert_int_equal(asked(k, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL), 0);
    OK(clReleaseKernel(k));
}

TEST(sub_group_queries_check_their_arguments) {
    if (!has_subgroups())
        return;
    cl_kernel k = made(source, "k");
    size_t in[4] = {64, 1, 1, 1}, out[4], size;
    static const cl_kernel_sub_group_info sized[] = {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                                     CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                                     CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT};
    for (size_t i = 0; i < COUNT(sized); i++) {
        GIVES(CL_INVALID_VALUE,
              clGetKernelSubGroupInfo(k, cl.device, sized[i], sizeof *in, NULL, sizeof *out, out, NULL));
        GIVES(CL_INVALID_VALUE,
              clGetKernelSubGroupInfo(k, cl.device, sized[i], 0, in, sizeof *out, out, NULL));
        GIVES(CL_INVALID_VALUE,
              clGetKernelSubGroupInfo(k, cl.device, sized[i], 3, in, sizeof *out, out, NULL));
        GIVES(CL_INVALID_VALUE,
              clGetKernelSubGroupInfo(k, cl.device, sized[i], sizeof in, in, sizeof *out, out, NULL));
        GIVES(CL_INVALID_VALUE,
              clGetKernelSubGroupInfo(k, cl.device, sized[i], sizeof *in, in, 4, out, NULL));
        OK(clGetKernelSubGroupInfo(k, cl.device, sized[i], sizeof *in, in, 0, NULL, &size));
        assert_true(size >= sizeof *out);
    }
    GIVES(CL_INVALID_VALUE, clGetKernelSubGroupInfo(k, cl.device, 0x1234, 0, NULL, sizeof *out, out, NULL));
    GIVES(CL_INVALID_KERNEL,
          clGetKernelSubGroupInfo((cl_kernel)cl.context, cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
                                  sizeof *out, out, NULL));
    GIVES(CL_INVALID_DEVICE,
          clGetKernelSubGroupInfo(k, (cl_device_id)cl.context, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
                                  sizeof *out, out, NULL));
    OK(clReleaseKernel(k));
}

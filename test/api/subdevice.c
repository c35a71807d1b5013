/* Sub-devices use what is built for their parent, also in a context that has the parent alone. */
#include "api.h"

static cl_device_id parts[2];

static void partition(const cl_device_partition_property *properties) {
    cl_uint n;
    OK(clCreateSubDevices(cl.device, properties, 2, parts, &n));
    assert_int_equal(n, 2);
}

static void partition_equally(void) {
    partition((cl_device_partition_property[]){CL_DEVICE_PARTITION_EQUALLY, 2, 0});
}

static void release_parts(void) {
    OK(clReleaseDevice(parts[0]));
    OK(clReleaseDevice(parts[1]));
}

static const char add[] = "kernel void add(global int *p) { p[get_global_id(0)]++; }";

/* Runs the kernel on a queue of the device: the code of the first call that fails. */
static cl_int runs_on(cl_context context, cl_device_id device, cl_kernel kernel) {
    int values[100] = {0}, i;
    const size_t n = COUNT(values);
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(context, device, NULL, &error));
    cl_mem mem = MADE(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error));
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    cl_int code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
    OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (i = 0; !code && i < 100; i++)
        assert_int_equal(values[i], 1);
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
    return code;
}

static cl_build_status status_of(cl_program program, cl_device_id device) {
    cl_build_status status;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    return status;
}

TEST(a_program_built_for_a_parent_runs_on_its_sub_devices) {
    if (!fresh(__func__, NULL, "WEIR_CU=4"))
        return;
    partition_equally();
    cl_device_id all[] = {parts[0], parts[1], cl.device};
    const char *source = add;
    cl_context context = MADE(clCreateContext(NULL, 3, all, NULL, NULL, &error));
    cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
    OK(clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL));
    cl_kernel kernel = MADE(clCreateKernel(program, "add", &error));
    for (size_t i = 0; i < COUNT(all); i++) {
        assert_int_equal(status_of(program, all[i]), CL_BUILD_SUCCESS);
        OK(runs_on(context, all[i], kernel));
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    release_parts();
}

TEST(a_sub_device_is_usable_in_a_context_of_its_parent) {
    if (!fresh(__func__, NULL, "WEIR_CU=4"))
        return;
    size_t size;
    cl_uint n;
    partition_equally();
    cl_device_id one, of_a_part[2];
    OK(clCreateSubDevices(parts[0], (cl_device_partition_property[]){CL_DEVICE_PARTITION_EQUALLY, 1, 0}, 2,
                          of_a_part, NULL));
    cl_program program = program_of(add);
    OK(clBuildProgram(program, 1, &of_a_part[1], NULL, NULL, NULL));
    cl_kernel kernel = MADE(clCreateKernel(program, "add", &error));
    OK(runs_on(cl.context, parts[1], kernel));
    OK(runs_on(cl.context, of_a_part[1], kernel));
    assert_int_equal(status_of(program, of_a_part[0]), CL_BUILD_SUCCESS);
    OK(clGetKernelWorkGroupInfo(kernel, parts[0], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL));
    OK(clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof one, &one, NULL));
    assert_int_equal(n, 1);
    assert_ptr_equal(one, cl.device);
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseDevice(of_a_part[0]));
    OK(clReleaseDevice(of_a_part[1]));
    release_parts();
}

TEST(a_program_built_for_one_sub_device_does_not_run_on_another) {
    if (!fresh(__func__, NULL, "WEIR_CU=4"))
        return;
    partition_equally();
    const char *source = add;
    cl_context context = MADE(clCreateContext(NULL, 2, parts, NULL, NULL, &error));
    cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
    OK(clBuildProgram(program, 1, parts, NULL, NULL, NULL));
    cl_kernel kernel = MADE(clCreateKernel(program, "add", &error));
    assert_int_equal(status_of(program, parts[1]), CL_BUILD_NONE);
    OK(runs_on(context, parts[0], kernel));
    GIVES(CL_INVALID_PROGRAM_EXECUTABLE, runs_on(context, parts[1], kernel));
    GIVES(CL_INVALID_DEVICE,
          clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL)); /* not the context's */
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    release_parts();
}

TEST(a_program_outlives_the_sub_devices_that_it_is_for) {
    if (!fresh(__func__, NULL, "WEIR_CU=4"))
        return;
    partition_equally();
    cl_program source = build(add, ""), program;
    size_t sizes[2];
    OK(clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
    unsigned char *bytes = malloc(sizes[0]);
    const unsigned char *binaries[] = {bytes, bytes};
    sizes[1] = sizes[0];
    OK(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    program = MADE(clCreateProgramWithBinary(cl.context, 2, parts, sizes, binaries, NULL, &error));
    release_parts();
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(source));
    free(bytes);
}

TEST(the_partition_of_a_sub_device_is_told_up_to_its_end) {
    if (!fresh(__func__, NULL, "WEIR_CU=4"))
        return;
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 2, 0},
                                       counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 3, 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END};
    cl_device_partition_property told[8];
    size_t size;
    partition(equally);
    OK(clGetDeviceInfo(parts[1], CL_DEVICE_PARTITION_TYPE, sizeof told, told, &size));
    assert_int_equal(size, sizeof equally);
    assert_memory_equal(told, equally, size);
    release_parts();
    partition(counts);
    OK(clGetDeviceInfo(parts[1], CL_DEVICE_PARTITION_TYPE, sizeof told, told, &size));
    assert_int_equal(size, sizeof counts);
    assert_memory_equal(told, counts, size);
    release_parts();
}

/* The specification has no error for it; as in a context, the device counts once. */
TEST(a_device_that_is_given_two_binaries_counts_once) {
    cl_device_id twice[] = {cl.device, cl.device};
    cl_int status[2] = {77, 77};
    size_t sizes[2];
    cl_uint n;
    cl_program source = build(add, "");
    OK(clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
    unsigned char *bytes = malloc(sizes[0]);
    const unsigned char *binaries[] = {bytes, bytes};
    OK(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    sizes[1] = sizes[0];
    cl_program program =
        MADE(clCreateProgramWithBinary(cl.context, 2, twice, sizes, binaries, status, &error));
    assert_int_equal(status[0] | status[1], CL_SUCCESS);
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    OK(clReleaseProgram(program));
    sizes[1]--;
    REFUSES(CL_INVALID_BINARY,
            clCreateProgramWithBinary(cl.context, 2, twice, sizes, binaries, status, &error));
    assert_int_equal(status[0], CL_SUCCESS);
    assert_int_equal(status[1], CL_INVALID_BINARY);
    OK(clReleaseProgram(source));
    free(bytes);
}

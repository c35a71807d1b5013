/* Sub-devices use what is built for their parent, also in a context that has the parent alone. */
#define _GNU_SOURCE
#include "api.h"

#include <sched.h>

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

/* ---- by affinity domain ---- */

static cl_device_affinity_domain domains_of(cl_device_id device) {
    cl_device_affinity_domain domains;
    OK(clGetDeviceInfo(device, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof domains, &domains, NULL));
    return domains;
}

static cl_uint units_of(cl_device_id device) {
    cl_uint units;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    return units;
}

/* All parts of the root for this kind of domain; *n of them. */
static void partition_by(cl_device_affinity_domain domain, cl_uint *n, cl_device_id made[1024]) {
    cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                 (cl_device_partition_property)domain, 0};
    OK(clCreateSubDevices(cl.device, properties, 1024, made, n));
    assert_in_range(*n, 2, 1024);
}

TEST(affinity_domains_share_out_all_compute_units) {
    cl_device_affinity_domain domains = domains_of(cl.device);
    static cl_device_id made[1024];
    for (cl_device_affinity_domain d = CL_DEVICE_AFFINITY_DOMAIN_NUMA;
         d <= CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE; d *= 2) {
        cl_device_partition_property type[4],
            properties[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, (cl_device_partition_property)d, 0};
        cl_uint n, sum = 0;
        if (!(domains & d)) {
            cl_int code = clCreateSubDevices(cl.device, properties, 0, NULL, &n);
            assert_true(code == CL_INVALID_VALUE || code == CL_DEVICE_PARTITION_FAILED);
            continue;
        }
        partition_by(d, &n, made);
        GIVES(CL_INVALID_VALUE, clCreateSubDevices(cl.device, properties, 1, made, NULL));
        for (cl_uint i = 0; i < n; i++) {
            sum += units_of(made[i]);
            OK(clGetDeviceInfo(made[i], CL_DEVICE_PARTITION_TYPE, sizeof type, type, NULL));
            assert_int_equal(type[0], CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
            assert_int_equal(type[2], 0);
            if (d == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)
                assert_in_range(type[1], CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE);
            else
                assert_int_equal(type[1], d);
            OK(clReleaseDevice(made[i]));
        }
        assert_int_equal(sum, units_of(cl.device));
    }
}

/* SYCL's runtimes of 2024 know no others. */
TEST(no_affinity_domains_but_numa_and_the_next_ones_are_listed) {
    cl_device_affinity_domain known =
        CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    assert_int_equal(domains_of(cl.device) & ~known, 0);
}

TEST(wrong_affinity_domains_are_refused) {
    cl_device_partition_property none[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0, 0};
    cl_device_partition_property two[] = {
        CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
        CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE | CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, 0};
    cl_device_partition_property more[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                           CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 1, 0};
    cl_uint n;
    if (units_of(cl.device) < 2)
        skip();
    GIVES(CL_INVALID_VALUE, clCreateSubDevices(cl.device, none, 0, NULL, &n));
    GIVES(CL_INVALID_VALUE, clCreateSubDevices(cl.device, two, 0, NULL, &n));
    GIVES(CL_INVALID_VALUE, clCreateSubDevices(cl.device, more, 0, NULL, &n));
}

/* Compute units that WEIR_CU makes up have no processors. */
TEST(more_workers_than_processors_have_no_affinity_domains) {
    if (!fresh(__func__, NULL, "WEIR_CU=2000"))
        return;
    assert_int_equal(domains_of(cl.device), 0);
}

static void CL_CALLBACK ask_processors(void *args) {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    memcpy(*(void **)args, &set, sizeof set);
}

/* The processors that may run commands of the device. Nobody waits, so that a worker runs it. */
static void processors_of(cl_device_id device, cpu_set_t *set) {
    cl_context context = MADE(clCreateContext(NULL, 1, &device, NULL, NULL, &error));
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(context, device, NULL, &error));
    cl_event event;
    cl_int status;
    OK(clEnqueueNativeKernel(queue, ask_processors, &set, sizeof set, 0, NULL, NULL, 0, NULL, &event));
    OK(clFlush(queue));
    do {
        usleep(1000);
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    } while (status > CL_COMPLETE);
    OK(clReleaseEvent(event));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}

TEST(workers_of_an_affinity_domain_stay_on_its_processors) {
    static cl_device_id made[1024];
    cl_uint n;
    cpu_set_t all, set, both, before;
    if (!domains_of(cl.device))
        skip();
    sched_getaffinity(0, sizeof before, &before);
    processors_of(cl.device, &set); /* there may be workers already */
    partition_by(CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, &n, made);
    CPU_ZERO(&all);
    for (cl_uint i = 0; i < n; i++) {
        processors_of(made[i], &set);
        assert_int_equal(CPU_COUNT(&set), units_of(made[i]));
        CPU_AND(&both, &set, &all);
        assert_int_equal(CPU_COUNT(&both), 0);
        CPU_OR(&all, &all, &set);
    }
    for (cl_uint i = 0; i < n; i++)
        OK(clReleaseDevice(made[i]));
    for (int i = 0; i < 4; i++) {
        processors_of(cl.device, &set);
        assert_true(CPU_EQUAL(&set, &before));
    }
}

/* Command buffers of several queues, and their copies for others. */
#include "command_buffer.h"

static cl_device_id parts[2];

/* Two sub-devices; false: the device can't be split. */
static bool split(void) {
    cl_device_partition_property each[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
    return !clCreateSubDevices(cl.device, each, 2, parts, NULL);
}

static cl_kernel stamp_kernel(cl_mem clock, cl_mem times) {
    cl_kernel stamp = kernel_of("kernel void stamp(global int *clock, global int *at, int i) {"
                                " at[i] = atomic_inc(clock); }",
                                "stamp");
    OK(clSetKernelArg(stamp, 0, sizeof clock, &clock));
    OK(clSetKernelArg(stamp, 1, sizeof times, &times));
    return stamp;
}

/* Commands alternate between the queues; each waits for the one before it through its sync point. */
static void record_relay(cl_command_buffer_khr buffer, const cl_command_queue *queues, cl_kernel stamp,
                         cl_int n) {
    cl_sync_point_khr point = 0;
    for (cl_int i = 0; i < n; i++) {
        OK(clSetKernelArg(stamp, 2, sizeof i, &i));
        point = record(buffer, queues[i % 2], stamp, 1, i > 0, &point);
    }
}

static void expect_relay(cl_mem times, int n, int round) {
    for (int i = 0; i < n; i++)
        assert_int_equal(int_at(times, (size_t)i), round * n + i);
}

TEST(commands_of_several_devices_wait_for_each_other) {
    if (!split())
        skip();
    cl_mem clock = zeros(1), times = zeros(20);
    cl_kernel stamp = stamp_kernel(clock, times);
    for (int order = 0; order < 2; order++) {
        cl_command_queue_properties bits = order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
        cl_command_queue queues[2] = {queue_with(parts[0], bits), queue_with(parts[1], bits)};
        cl_command_buffer_khr buffer = recorder(2, queues, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR);
        cl_int zero = 0;
        cl_event event;
        cl_command_queue of = queues[0];
        OK(clEnqueueFillBuffer(cl.queue, clock, &zero, 4, 0, 4, 0, NULL, NULL));
        OK(clFinish(cl.queue));
        record_relay(buffer, queues, stamp, 20);
        OK(clFinalizeCommandBufferKHR_(buffer));
        for (int round = 0; round < 10; round++) {
            OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, &event));
            OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof of, &of, NULL));
            assert_null(of);
            OK(clWaitForEvents(1, &event));
            OK(clReleaseEvent(event));
            expect_relay(times, 20, round);
        }
        OK(clReleaseCommandBufferKHR_(buffer));
        OK(clReleaseCommandQueue(queues[0]));
        OK(clReleaseCommandQueue(queues[1]));
    }
    OK(clReleaseMemObject(clock));
    OK(clReleaseMemObject(times));
    OK(clReleaseKernel(stamp));
    OK(clReleaseDevice(parts[0]));
    OK(clReleaseDevice(parts[1]));
}

/* The first queue's kernel waits in a loop for what the second's writes. */
TEST(queues_of_several_devices_run_at_the_same_time) {
    if (!split())
        skip();
    cl_command_queue queues[2] = {queue_with(parts[0], 0), queue_with(parts[1], 0)};
    cl_command_buffer_khr buffer = recorder(2, queues, 0);
    cl_program program =
        build("kernel void wait(volatile global int *p) { while (!atomic_or(p, 0)); atomic_add(p, 10); }"
              "kernel void give(volatile global int *p) { atomic_inc(p); }",
              "");
    cl_kernel wait = MADE(clCreateKernel(program, "wait", &error)),
              give = MADE(clCreateKernel(program, "give", &error));
    cl_mem mem = zeros(1);
    OK(clSetKernelArg(wait, 0, sizeof mem, &mem));
    OK(clSetKernelArg(give, 0, sizeof mem, &mem));
    record(buffer, queues[0], wait, 1, 0, NULL);
    record(buffer, queues[1], give, 1, 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    run_buffer(buffer);
    assert_int_equal(int_at(mem, 0), 11);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(wait));
    OK(clReleaseKernel(give));
    OK(clReleaseProgram(program));
    for (int i = 0; i < 2; i++) {
        OK(clReleaseCommandQueue(queues[i]));
        OK(clReleaseDevice(parts[i]));
    }
}

TEST(an_enqueue_takes_its_place_in_all_queues_with_an_order) {
    cl_command_queue queues[2] = {queue_with(cl.device, 0), queue_with(cl.device, 0)};
    cl_command_buffer_khr buffer = recorder(2, queues, 0);
    cl_mem a = zeros(1), b = zeros(1);
    cl_int one = 1, two = 2, seen[2] = {0};
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error));
    OK(clCommandCopyBufferKHR_(buffer, queues[0], NULL, a, b, 0, 0, 4, 0, NULL, NULL, NULL));
    OK(clFinalizeCommandBufferKHR_(buffer));
    OK(clEnqueueWriteBuffer(queues[1], a, CL_FALSE, 0, 4, &one, 1, &gate, NULL));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queues[1], b, CL_FALSE, 0, 4, &seen[0], 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queues[1], a, CL_FALSE, 0, 4, &two, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queues[0], b, CL_FALSE, 0, 4, &seen[1], 0, NULL, NULL));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(queues[1]));
    OK(clFinish(queues[0]));
    assert_int_equal(seen[0], 1);
    assert_int_equal(seen[1], 1);
    OK(clReleaseEvent(gate));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseCommandQueue(queues[0]));
    OK(clReleaseCommandQueue(queues[1]));
}

/* WEIR_TRACE changes nothing (test/cli/trace.sh). */
TEST(an_enqueue_has_times_if_one_of_its_queues_profiles) {
    cl_command_queue queues[2] = {queue_with(cl.device, 0), queue_with(cl.device, CL_QUEUE_PROFILING_ENABLE)};
    cl_command_buffer_khr buffer = recorder(2, queues, 0);
    cl_mem a = zeros(1), b = zeros(1);
    cl_event event;
    cl_ulong begin = 1, end = 0;
    OK(clCommandCopyBufferKHR_(buffer, queues[0], NULL, a, b, 0, 0, 4, 0, NULL, NULL, NULL));
    OK(clFinalizeCommandBufferKHR_(buffer));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, &event));
    OK(clWaitForEvents(1, &event));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    assert_true(begin <= end);
    OK(clReleaseEvent(event));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseCommandQueue(queues[0]));
    OK(clReleaseCommandQueue(queues[1]));
}

TEST(with_several_queues_a_command_names_its_own) {
    cl_command_queue queues[2] = {queue_with(cl.device, 0), queue_with(cl.device, 0)};
    cl_command_buffer_khr buffer = recorder(2, queues, 0);
    GIVES(CL_INVALID_COMMAND_QUEUE,
          clCommandBarrierWithWaitListKHR_(buffer, NULL, NULL, 0, NULL, NULL, NULL));
    GIVES(CL_INVALID_COMMAND_QUEUE,
          clCommandBarrierWithWaitListKHR_(buffer, cl.queue, NULL, 0, NULL, NULL, NULL));
    OK(clCommandBarrierWithWaitListKHR_(buffer, queues[1], NULL, 0, NULL, NULL, NULL));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseCommandQueue(queues[0]));
    OK(clReleaseCommandQueue(queues[1]));
}

TEST(a_queue_of_another_device_does_not_stand_in) {
    if (!split())
        skip();
    cl_command_queue queue = queue_with(parts[0], 0);
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    OK(clFinalizeCommandBufferKHR_(buffer));
    GIVES(CL_INVALID_DEVICE, clEnqueueCommandBufferKHR_(1, &queue, buffer, 0, NULL, NULL));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseDevice(parts[0]));
    OK(clReleaseDevice(parts[1]));
}

TEST(a_copy_runs_on_other_queues_with_the_same_dependencies) {
    if (!split())
        skip();
    cl_mem clock = zeros(1), times = zeros(20);
    cl_kernel stamp = stamp_kernel(clock, times);
    const cl_command_queue_properties out = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    cl_command_queue queues[2] = {queue_with(cl.device, out), queue_with(cl.device, out)},
                     others[2] = {queue_with(parts[1], out), queue_with(parts[0], out)};
    cl_command_buffer_khr buffer = recorder(2, queues, 0);
    record_relay(buffer, queues, stamp, 20);
    OK(clFinalizeCommandBufferKHR_(buffer));
    cl_command_buffer_khr same = MADE(
                              clRemapCommandBufferKHR_(buffer, CL_FALSE, 2, others, 0, NULL, NULL, &error)),
                          one = MADE(
                              clRemapCommandBufferKHR_(buffer, CL_TRUE, 1, others, 0, NULL, NULL, &error));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseKernel(stamp));
    assert_int_equal(state_of(same), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    run_buffer(same);
    expect_relay(times, 20, 0);
    run_buffer(one);
    expect_relay(times, 20, 1);
    OK(clReleaseCommandBufferKHR_(same));
    OK(clReleaseCommandBufferKHR_(one));
    OK(clReleaseMemObject(clock));
    OK(clReleaseMemObject(times));
    for (int i = 0; i < 2; i++) {
        OK(clReleaseCommandQueue(queues[i]));
        OK(clReleaseCommandQueue(others[i]));
        OK(clReleaseDevice(parts[i]));
    }
}

TEST(a_copy_has_launches_of_its_own) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR), copy;
    cl_kernel add = kernel_of("kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }", "add");
    cl_mem mem = zeros(64);
    cl_int one = 1, ten = 10;
    size_t n = 64;
    cl_mutable_command_khr launch, copied;
    cl_command_buffer_khr its_buffer;
    OK(clSetKernelArg(add, 0, sizeof mem, &mem));
    OK(clSetKernelArg(add, 1, sizeof one, &one));
    OK(clCommandNDRangeKernelKHR_(buffer, NULL, NULL, add, 1, NULL, &n, NULL, 0, NULL, NULL, &launch));
    copy = MADE(clRemapCommandBufferKHR_(buffer, CL_FALSE, 1, &cl.queue, 1, &launch, &copied, &error));
    assert_ptr_not_equal(copied, launch);
    OK(clGetMutableCommandInfoKHR_(copied, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, sizeof its_buffer,
                                   &its_buffer, NULL));
    assert_ptr_equal(its_buffer, copy);
    assert_int_equal(state_of(copy), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    record(copy, NULL, add, 64, 0, NULL);
    OK(clFinalizeCommandBufferKHR_(buffer));
    OK(clFinalizeCommandBufferKHR_(copy));
    cl_mutable_dispatch_arg_khr arg = {1, sizeof ten, &ten};
    cl_mutable_dispatch_config_khr config = {.command = copied, .num_args = 1, .arg_list = &arg};
    cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    const void *list[] = {&config};
    OK(clUpdateMutableCommandsKHR_(copy, 1, &type, list));
    run_buffer(copy);
    assert_int_equal(int_at(mem, 0), 11);
    run_buffer(buffer);
    assert_int_equal(int_at(mem, 0), 12);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseCommandBufferKHR_(copy));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(add));
}

TEST(copying_checks_its_arguments) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, 0);
    cl_command_queue two[2] = {cl.queue, cl.queue}, wrong = (cl_command_queue)cl.context;
    cl_context other = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_command_queue foreign = MADE(clCreateCommandQueue(other, cl.device, 0, &error));
    cl_mutable_command_khr none = NULL, back;
#define COPY(b, n, q, k, h, r) clRemapCommandBufferKHR_(b, CL_FALSE, n, q, k, h, r, &error)
    REFUSES(CL_INVALID_COMMAND_BUFFER_KHR, COPY(NULL, 1, &cl.queue, 0, NULL, NULL));
    REFUSES(CL_INVALID_VALUE, COPY(buffer, 0, &cl.queue, 0, NULL, NULL));
    REFUSES(CL_INVALID_VALUE, COPY(buffer, 1, NULL, 0, NULL, NULL));
    REFUSES(CL_INVALID_VALUE, COPY(buffer, 2, two, 0, NULL, NULL));
    REFUSES(CL_INVALID_VALUE, COPY(buffer, 1, &cl.queue, 1, NULL, NULL));
    REFUSES(CL_INVALID_VALUE, COPY(buffer, 1, &cl.queue, 0, &none, &back));
    REFUSES(CL_INVALID_VALUE, COPY(buffer, 1, &cl.queue, 1, &none, &back));
    REFUSES(CL_INVALID_COMMAND_QUEUE, COPY(buffer, 1, &wrong, 0, NULL, NULL));
    REFUSES(CL_INVALID_CONTEXT, COPY(buffer, 1, &foreign, 0, NULL, NULL));
    OK(clReleaseCommandQueue(foreign));
    OK(clReleaseContext(other));
    OK(clReleaseCommandBufferKHR_(buffer));
}

TEST(a_copy_for_a_device_that_a_kernel_is_not_built_for_is_refused) {
    if (!split())
        skip();
    cl_context context = MADE(clCreateContext(NULL, 2, parts, NULL, NULL, &error));
    cl_command_queue queues[2] = {MADE(clCreateCommandQueue(context, parts[0], 0, &error)),
                                  MADE(clCreateCommandQueue(context, parts[1], 0, &error))};
    const char *source = "kernel void k() {}";
    cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
    OK(clBuildProgram(program, 1, &parts[0], "", NULL, NULL));
    cl_kernel k = MADE(clCreateKernel(program, "k", &error));
    cl_command_buffer_khr buffer = recorder(1, queues, 0);
    record(buffer, NULL, k, 1, 0, NULL);
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE,
            clRemapCommandBufferKHR_(buffer, CL_FALSE, 1, &queues[1], 0, NULL, NULL, &error));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(program));
    for (int i = 0; i < 2; i++) {
        OK(clReleaseCommandQueue(queues[i]));
        OK(clReleaseDevice(parts[i]));
    }
    OK(clReleaseContext(context));
}

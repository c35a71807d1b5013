/* Command queues: properties, queries, order of commands, flush and finish. */
#include "api.h"

TEST(a_queue_remembers_how_it_was_made) {
    cl_queue_properties given[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}, back[3];
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, given, &error));
    cl_context context;
    cl_device_id device;
    cl_uint refs;
    cl_command_queue_properties properties;
    size_t size;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
    assert_ptr_equal(context, cl.context);
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL));
    assert_ptr_equal(device, cl.device);
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    assert_int_equal(refs, 1);
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    assert_int_equal(properties, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof back, back, &size));
    assert_int_equal(size, sizeof given);
    assert_memory_equal(back, given, sizeof given);
    OK(clReleaseCommandQueue(queue));
}

TEST(a_queue_made_without_a_list_has_none) {
    cl_command_queue queue =
        MADE(clCreateCommandQueue(cl.context, cl.device, CL_QUEUE_PROFILING_ENABLE, &error));
    size_t size = 77;
    cl_command_queue_properties properties;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size));
    assert_int_equal(size, 0);
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    assert_int_equal(properties, CL_QUEUE_PROFILING_ENABLE);
    OK(clReleaseCommandQueue(queue));
}

TEST(queue_creation_checks_its_arguments) {
    cl_queue_properties unknown[] = {0x4242, 1, 0}, bits[] = {CL_QUEUE_PROPERTIES, (cl_ulong)1 << 40, 0};
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(cl.context, cl.device, unknown, &error));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(cl.context, cl.device, bits, &error));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueue(cl.context, cl.device, (cl_ulong)1 << 40, &error));
    REFUSES(CL_INVALID_DEVICE,
            clCreateCommandQueueWithProperties(cl.context, (cl_device_id)cl.queue, NULL, &error));
}

TEST(a_device_of_another_context_is_refused) {
    cl_uint n;
    cl_device_partition_property half[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    cl_device_id part;
    if (clCreateSubDevices(cl.device, half, 1, &part, &n))
        skip();
    cl_context context = MADE(clCreateContext(NULL, 1, &part, NULL, NULL, &error));
    REFUSES(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(context, cl.device, NULL, &error));
    OK(clReleaseContext(context));
    OK(clReleaseDevice(part));
}

TEST(device_queues_answer_as_unsupported) {
    cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
    cl_device_device_enqueue_capabilities able = 0;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof able, &able, NULL));
    if (able)
        skip();
    REFUSES(CL_INVALID_QUEUE_PROPERTIES,
            clCreateCommandQueueWithProperties(cl.context, cl.device, list, &error));
    cl_uint size;
    GIVES(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(cl.queue, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    void *none = &size;
    OK(clGetCommandQueueInfo(cl.queue, CL_QUEUE_DEVICE_DEFAULT, sizeof none, &none, NULL));
    assert_null(none);
}

TEST(a_queue_query_checks_its_arguments) {
    char one;
    GIVES(CL_INVALID_VALUE, clGetCommandQueueInfo(cl.queue, CL_QUEUE_CONTEXT, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE, clGetCommandQueueInfo(cl.queue, CL_DEVICE_NAME, 1, &one, NULL));
}

TEST(an_object_that_is_no_queue_is_refused) {
    cl_command_queue wrong = (cl_command_queue)cl.context;
    cl_event event;
    GIVES(CL_INVALID_COMMAND_QUEUE, clFlush(wrong));
    GIVES(CL_INVALID_COMMAND_QUEUE, clFinish(wrong));
    GIVES(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(wrong));
    GIVES(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(wrong));
    GIVES(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(wrong, CL_QUEUE_CONTEXT, 0, NULL, NULL));
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(wrong, 0, NULL, &event));
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(wrong, 0, NULL, &event));
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(wrong, &event));
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(wrong));
}

TEST(setting_a_queue_property_is_left_to_version_1) {
    cl_int code = clSetCommandQueueProperty(cl.queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, NULL);
    assert_true(code == CL_INVALID_OPERATION || code == CL_SUCCESS);
}

TEST(an_in_order_queue_runs_commands_in_their_order) {
    enum { N = 200 };
    cl_mem mem = buffer_of(0, 4, NULL);
    cl_int seen[N];
    for (cl_int i = 0; i < N; i++) {
        OK(clEnqueueFillBuffer(cl.queue, mem, &i, 4, 0, 4, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, 4, &seen[i], 0, NULL, NULL));
    }
    OK(clFinish(cl.queue));
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i], i);
    OK(clReleaseMemObject(mem));
}

/* The blocked write is of an earlier command, which an out-of-order queue must not wait for. */
TEST(an_out_of_order_queue_passes_a_blocked_command) {
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, list, &error));
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error)), second;
    cl_mem mem = buffer_of(0, 8, NULL);
    int value = 5, zero = 0, back[2];
    OK(clEnqueueFillBuffer(queue, mem, &value, 4, 0, 4, 1, &gate, NULL));
    OK(clEnqueueFillBuffer(queue, mem, &zero, 4, 4, 4, 0, NULL, &second));
    OK(clWaitForEvents(1, &second));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(queue));
    OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 8, back, 0, NULL, NULL));
    assert_int_equal(back[0], 5);
    assert_int_equal(back[1], 0);
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(second));
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
}

TEST(an_out_of_order_barrier_separates_commands) {
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, list, &error));
    cl_mem mem = buffer_of(0, 4096, NULL);
    int back[1024];
    for (int i = 0; i < 50; i++) {
        OK(clEnqueueFillBuffer(queue, mem, &i, 4, 0, 4096, 0, NULL, NULL));
        OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4096, back, 0, NULL, NULL));
        OK(clEnqueueBarrier(queue));
        for (int k = 0; k < 1024; k++)
            assert_int_equal(back[k], i);
    }
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
}

TEST(releasing_a_queue_lets_its_commands_finish) {
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &error));
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error)), last;
    cl_mem mem = buffer_of(0, 4, NULL);
    int value = 9, back = 0;
    OK(clEnqueueFillBuffer(queue, mem, &value, 4, 0, 4, 1, &gate, NULL));
    OK(clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, 4, &back, 0, NULL, &last));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseMemObject(mem));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &last));
    assert_int_equal(back, 9);
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(last));
}

TEST(flush_and_finish_of_an_empty_queue_return) {
    OK(clFlush(cl.queue));
    OK(clFinish(cl.queue));
    OK(clFinish(cl.queue));
}

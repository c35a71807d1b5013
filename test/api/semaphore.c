/* Semaphores: signals and waits on one and several queues, in any order of enqueueing, queries, errors. */
#include "api.h"

// clang-format off
#define KHR_FUNCTIONS(X)                                                                                     \
    X(clCreateSemaphoreWithPropertiesKHR) X(clEnqueueWaitSemaphoresKHR) X(clEnqueueSignalSemaphoresKHR)      \
    X(clGetSemaphoreInfoKHR) X(clRetainSemaphoreKHR) X(clReleaseSemaphoreKHR)
// clang-format on
KHR_FUNCTIONS(EXTENSION)

static const cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};

static cl_semaphore_khr semaphore(void) {
    KHR_FUNCTIONS(FIND)
    return MADE(clCreateSemaphoreWithPropertiesKHR_(cl.context, binary, &error));
}

static cl_semaphore_payload_khr payload_of(cl_semaphore_khr s) {
    cl_semaphore_payload_khr payload = 77;
    OK(clGetSemaphoreInfoKHR_(s, CL_SEMAPHORE_PAYLOAD_KHR, sizeof payload, &payload, NULL));
    return payload;
}

TEST(a_signal_sets_the_payload_and_a_wait_takes_it) {
    cl_semaphore_khr s = semaphore();
    cl_event event;
    cl_command_type type;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(payload_of(s), 0);
        OK(clEnqueueSignalSemaphoresKHR_(cl.queue, 1, &s, NULL, 0, NULL, &event));
        OK(clWaitForEvents(1, &event));
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        assert_int_equal(type, CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
        OK(clReleaseEvent(event));
        assert_int_equal(payload_of(s), 1);
        OK(clEnqueueWaitSemaphoresKHR_(cl.queue, 1, &s, NULL, 0, NULL, &event));
        OK(clWaitForEvents(1, &event));
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        assert_int_equal(type, CL_COMMAND_SEMAPHORE_WAIT_KHR);
        OK(clReleaseEvent(event));
    }
    OK(clReleaseSemaphoreKHR_(s));
}

TEST(a_wait_may_be_enqueued_before_its_signal) {
    cl_semaphore_khr s = semaphore();
    cl_command_queue other = queue_with(cl.device, 0);
    cl_event waits, follows;
    OK(clEnqueueWaitSemaphoresKHR_(other, 1, &s, NULL, 0, NULL, &waits));
    OK(clEnqueueMarkerWithWaitList(other, 0, NULL, &follows));
    OK(clFlush(other));
    usleep(20000);
    assert_true(event_status(waits) > CL_RUNNING);
    assert_true(event_status(follows) > CL_RUNNING);
    OK(clEnqueueSignalSemaphoresKHR_(cl.queue, 1, &s, NULL, 0, NULL, NULL));
    OK(clWaitForEvents(1, &follows));
    assert_int_equal(event_status(waits), CL_COMPLETE);
    OK(clReleaseEvent(waits));
    OK(clReleaseEvent(follows));
    OK(clReleaseSemaphoreKHR_(s)); /* signalled for nobody */
    OK(clReleaseCommandQueue(other));
}

/* Two queues take turns through two semaphores, all of it enqueued in advance. */
TEST(queues_take_turns) {
    enum { TURNS = 50 };
    cl_semaphore_khr ping = semaphore(), pong = semaphore();
    cl_command_queue a = queue_with(cl.device, 0),
                     b = queue_with(cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_kernel push =
        kernel_of("kernel void push(global int *p, int who) { p[1 + p[0]] = who; p[0]++; }", "push");
    cl_mem mem = buffer_of(0, (1 + 2 * TURNS) * sizeof(cl_int), NULL);
    cl_int zero = 0, one = 1, seen[1 + 2 * TURNS];
    size_t single = 1;
    OK(clSetKernelArg(push, 0, sizeof mem, &mem));
    OK(clEnqueueFillBuffer(a, mem, &zero, 4, 0, 4, 0, NULL, NULL));
    for (int i = 0; i < TURNS; i++) {
        cl_event waited, pushed;
        OK(clSetKernelArg(push, 1, sizeof zero, &zero));
        OK(clEnqueueNDRangeKernel(a, push, 1, NULL, &single, NULL, 0, NULL, NULL));
        OK(clEnqueueSignalSemaphoresKHR_(a, 1, &ping, NULL, 0, NULL, NULL));
        OK(clEnqueueWaitSemaphoresKHR_(a, 1, &pong, NULL, 0, NULL, NULL));
        OK(clSetKernelArg(push, 1, sizeof one, &one));
        OK(clEnqueueWaitSemaphoresKHR_(b, 1, &ping, NULL, 0, NULL, &waited));
        OK(clEnqueueNDRangeKernel(b, push, 1, NULL, &single, NULL, 1, &waited, &pushed));
        OK(clEnqueueSignalSemaphoresKHR_(b, 1, &pong, NULL, 1, &pushed, NULL));
        OK(clReleaseEvent(waited));
        OK(clReleaseEvent(pushed));
    }
    OK(clEnqueueReadBuffer(a, mem, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    assert_int_equal(seen[0], 2 * TURNS);
    for (int i = 0; i < 2 * TURNS; i++)
        assert_int_equal(seen[1 + i], i % 2);
    OK(clFinish(b));
    OK(clReleaseSemaphoreKHR_(ping));
    OK(clReleaseSemaphoreKHR_(pong));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(push));
    OK(clReleaseCommandQueue(a));
    OK(clReleaseCommandQueue(b));
}

/* Out of order, the second signal may run before the first wait, which isn't its own. */
TEST(each_wait_has_a_signal_of_its_own) {
    cl_semaphore_khr s = semaphore();
    cl_command_queue queue = queue_with(cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error)), waits[2];
    OK(clEnqueueSignalSemaphoresKHR_(queue, 1, &s, NULL, 1, &gate, NULL));
    OK(clEnqueueWaitSemaphoresKHR_(queue, 1, &s, NULL, 0, NULL, &waits[0]));
    OK(clEnqueueSignalSemaphoresKHR_(queue, 1, &s, NULL, 0, NULL, NULL));
    OK(clEnqueueWaitSemaphoresKHR_(queue, 1, &s, NULL, 0, NULL, &waits[1]));
    OK(clWaitForEvents(1, &waits[1]));
    assert_true(event_status(waits[0]) > CL_COMPLETE);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(2, waits));
    assert_int_equal(payload_of(s), 0);
    for (int i = 0; i < 2; i++)
        OK(clReleaseEvent(waits[i]));
    OK(clReleaseEvent(gate));
    OK(clReleaseSemaphoreKHR_(s));
    OK(clReleaseCommandQueue(queue));
}

TEST(several_semaphores_are_waited_for_together) {
    cl_semaphore_khr all[3] = {semaphore(), semaphore(), semaphore()};
    cl_command_queue other = queue_with(cl.device, 0);
    cl_event event;
    OK(clEnqueueWaitSemaphoresKHR_(other, 3, all, NULL, 0, NULL, &event));
    OK(clEnqueueSignalSemaphoresKHR_(cl.queue, 2, all, NULL, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    assert_true(event_status(event) > CL_RUNNING);
    OK(clEnqueueSignalSemaphoresKHR_(cl.queue, 1, &all[2], NULL, 0, NULL, NULL));
    OK(clWaitForEvents(1, &event));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(payload_of(all[i]), 0);
        OK(clReleaseSemaphoreKHR_(all[i]));
    }
    OK(clReleaseEvent(event));
    OK(clReleaseCommandQueue(other));
}

TEST(a_signal_that_fails_fails_its_wait) {
    cl_semaphore_khr s = semaphore();
    cl_command_queue other = queue_with(cl.device, 0);
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error)), event;
    OK(clEnqueueSignalSemaphoresKHR_(cl.queue, 1, &s, NULL, 1, &gate, NULL));
    OK(clEnqueueWaitSemaphoresKHR_(other, 1, &s, NULL, 0, NULL, &event));
    OK(clSetUserEventStatus(gate, -7));
    GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    assert_int_equal(payload_of(s), 0);
    GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueSignalSemaphoresKHR_(cl.queue, 1, &s, NULL, 1, &gate, NULL));
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(gate));
    OK(clReleaseSemaphoreKHR_(s));
    OK(clReleaseCommandQueue(other));
}

TEST(a_semaphore_tells_of_itself) {
    OK(clReleaseSemaphoreKHR_(semaphore()));
    cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                          (cl_semaphore_properties_khr)(uintptr_t)cl.device,
                                          CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR,
                                          CL_SEMAPHORE_TYPE_KHR,
                                          CL_SEMAPHORE_TYPE_BINARY_KHR,
                                          0},
                                back[6];
    cl_semaphore_khr s = MADE(clCreateSemaphoreWithPropertiesKHR_(cl.context, list, &error));
    cl_context context;
    cl_device_id device;
    cl_semaphore_type_khr type;
    cl_uint refs;
    size_t size;
    OK(clGetSemaphoreInfoKHR_(s, CL_SEMAPHORE_PROPERTIES_KHR, sizeof back, back, &size));
    assert_int_equal(size, sizeof list);
    assert_memory_equal(back, list, sizeof list);
    OK(clGetSemaphoreInfoKHR_(s, CL_SEMAPHORE_CONTEXT_KHR, sizeof context, &context, NULL));
    assert_ptr_equal(context, cl.context);
    OK(clGetSemaphoreInfoKHR_(s, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, sizeof device, &device, &size));
    assert_int_equal(size, sizeof device);
    assert_ptr_equal(device, cl.device);
    OK(clGetSemaphoreInfoKHR_(s, CL_SEMAPHORE_TYPE_KHR, sizeof type, &type, NULL));
    assert_int_equal(type, CL_SEMAPHORE_TYPE_BINARY_KHR);
    OK(clRetainSemaphoreKHR_(s));
    OK(clGetSemaphoreInfoKHR_(s, CL_SEMAPHORE_REFERENCE_COUNT_KHR, sizeof refs, &refs, NULL));
    assert_int_equal(refs, 2);
    OK(clReleaseSemaphoreKHR_(s));
    GIVES(CL_INVALID_VALUE, clGetSemaphoreInfoKHR_(s, CL_QUEUE_CONTEXT, sizeof refs, &refs, NULL));
    GIVES(CL_INVALID_VALUE, clGetSemaphoreInfoKHR_(s, CL_SEMAPHORE_CONTEXT_KHR, 1, &context, NULL));
    OK(clReleaseSemaphoreKHR_(s));
}

/* What a wait leaves for its signal is an event, too, maybe where one was that the application has released. */
TEST(an_event_that_is_gone_is_none_of_the_semaphores) {
    enum { EVENTS = 4 };
    cl_semaphore_khr s = semaphore();
    cl_command_queue other = queue_with(cl.device, 0);
    cl_event gone[EVENTS], waits;
    for (int i = 0; i < EVENTS; i++)
        gone[i] = MADE(clCreateUserEvent(cl.context, &error));
    for (int i = 0; i < EVENTS; i++)
        OK(clReleaseEvent(gone[i]));
    OK(clEnqueueWaitSemaphoresKHR_(other, 1, &s, NULL, 0, NULL, &waits));
    for (int i = 0; i < EVENTS; i++)
        if (gone[i] != waits) {
            GIVES(CL_INVALID_EVENT, clReleaseEvent(gone[i]));
            GIVES(CL_INVALID_EVENT, clSetUserEventStatus(gone[i], -1));
        }
    OK(clEnqueueSignalSemaphoresKHR_(cl.queue, 1, &s, NULL, 0, NULL, NULL));
    OK(clWaitForEvents(1, &waits));
    OK(clReleaseEvent(waits));
    OK(clReleaseSemaphoreKHR_(s));
    OK(clReleaseCommandQueue(other));
}

TEST(semaphore_functions_check_their_arguments) {
    cl_semaphore_khr s = semaphore(), wrong = (cl_semaphore_khr)cl.queue;
    cl_semaphore_properties_khr unknown[] = {0x4242, 1, 0}, odd[] = {CL_SEMAPHORE_TYPE_KHR, 17, 0},
                                twice[] = {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_TYPE_KHR, 1, 0},
                                none[] = {0},
                                no_device[] = {CL_SEMAPHORE_TYPE_KHR, 1, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                               0, 0},
                                bad_device[] = {CL_SEMAPHORE_TYPE_KHR,
                                                1,
                                                CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR,
                                                (cl_semaphore_properties_khr)(uintptr_t)cl.queue,
                                                0,
                                                0};
    cl_context other = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_command_queue foreign = MADE(clCreateCommandQueue(other, cl.device, 0, &error));
#define MAKE(context, list) clCreateSemaphoreWithPropertiesKHR_(context, list, &error)
    REFUSES(CL_INVALID_CONTEXT, MAKE((cl_context)cl.queue, binary));
    REFUSES(CL_INVALID_VALUE, MAKE(cl.context, NULL));
    REFUSES(CL_INVALID_VALUE, MAKE(cl.context, none));
    REFUSES(CL_INVALID_PROPERTY, MAKE(cl.context, unknown));
    REFUSES(CL_INVALID_PROPERTY, MAKE(cl.context, odd));
    REFUSES(CL_INVALID_PROPERTY, MAKE(cl.context, twice));
    REFUSES(CL_INVALID_DEVICE, MAKE(cl.context, no_device));
    REFUSES(CL_INVALID_DEVICE, MAKE(cl.context, bad_device));
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueSignalSemaphoresKHR_(NULL, 1, &s, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSignalSemaphoresKHR_(cl.queue, 0, &s, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueWaitSemaphoresKHR_(cl.queue, 1, NULL, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_SEMAPHORE_KHR, clEnqueueWaitSemaphoresKHR_(cl.queue, 1, &wrong, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_CONTEXT, clEnqueueSignalSemaphoresKHR_(foreign, 1, &s, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSignalSemaphoresKHR_(cl.queue, 1, &s, NULL, 1, NULL, NULL));
    GIVES(CL_INVALID_SEMAPHORE_KHR, clRetainSemaphoreKHR_(wrong));
    GIVES(CL_INVALID_SEMAPHORE_KHR, clReleaseSemaphoreKHR_(wrong));
    OK(clReleaseSemaphoreKHR_(s));
    OK(clReleaseCommandQueue(foreign));
    OK(clReleaseContext(other));
}

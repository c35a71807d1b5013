/* Events: user events, wait lists, callbacks, profiling, failed commands. */
#include <pthread.h>
#include "api.h"

static cl_event user_event(void) {
    return MADE(clCreateUserEvent(cl.context, &error));
}

/* A marker behind `gate`, or behind nothing. */
static cl_event marker(cl_event gate) {
    cl_event event;
    OK(clEnqueueMarkerWithWaitList(cl.queue, gate != NULL, gate ? &gate : NULL, &event));
    return event;
}

TEST(an_event_knows_its_command) {
    cl_event event = marker(NULL);
    cl_command_queue queue;
    cl_context context;
    cl_command_type type;
    cl_uint refs;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    assert_ptr_equal(queue, cl.queue);
    OK(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL));
    assert_ptr_equal(context, cl.context);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_COMMAND_MARKER);
    OK(clWaitForEvents(1, &event));
    assert_int_equal(event_status(event), CL_COMPLETE);
    OK(clRetainEvent(event));
    OK(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    assert_true(refs >= 2);
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(event));
}

TEST(a_user_event_is_submitted_until_it_is_set) {
    cl_event event = user_event();
    cl_command_queue queue = cl.queue;
    cl_command_type type;
    assert_int_equal(event_status(event), CL_SUBMITTED);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    assert_null(queue);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_COMMAND_USER);
    GIVES(CL_INVALID_VALUE, clSetUserEventStatus(event, CL_RUNNING));
    GIVES(CL_INVALID_VALUE, clSetUserEventStatus(event, 17));
    OK(clSetUserEventStatus(event, CL_COMPLETE));
    assert_int_equal(event_status(event), CL_COMPLETE);
    GIVES(CL_INVALID_OPERATION, clSetUserEventStatus(event, CL_COMPLETE));
    GIVES(CL_INVALID_OPERATION, clSetUserEventStatus(event, -1));
    OK(clReleaseEvent(event));
}

TEST(only_user_events_can_be_set) {
    cl_event event = marker(NULL);
    GIVES(CL_INVALID_EVENT, clSetUserEventStatus(event, CL_COMPLETE));
    OK(clFinish(cl.queue));
    OK(clReleaseEvent(event));
}

TEST(an_object_that_is_no_event_is_refused) {
    cl_event wrong = (cl_event)cl.context;
    GIVES(CL_INVALID_EVENT, clGetEventInfo(wrong, CL_EVENT_CONTEXT, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT, clRetainEvent(wrong));
    GIVES(CL_INVALID_EVENT, clReleaseEvent(wrong));
    GIVES(CL_INVALID_EVENT, clSetUserEventStatus(wrong, CL_COMPLETE));
    GIVES(CL_INVALID_EVENT, clGetEventProfilingInfo(wrong, CL_PROFILING_COMMAND_END, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT, clWaitForEvents(1, &wrong));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(cl.queue, 1, &wrong, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(cl.queue, 1, &wrong, NULL));
}

TEST(wait_lists_and_their_lengths_must_agree) {
    cl_event event = user_event(), none = NULL;
    OK(clSetUserEventStatus(event, CL_COMPLETE));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(cl.queue, 1, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(cl.queue, 0, &event, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(cl.queue, 1, &none, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(cl.queue, 1, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clWaitForEvents(0, &event));
    GIVES(CL_INVALID_VALUE, clWaitForEvents(1, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueWaitForEvents(cl.queue, 0, &event));
    GIVES(CL_INVALID_VALUE, clEnqueueWaitForEvents(cl.queue, 1, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMarker(cl.queue, NULL));
    OK(clReleaseEvent(event));
}

TEST(events_of_another_context_are_refused) {
    cl_context other = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_event pair[] = {user_event(), MADE(clCreateUserEvent(other, &error))};
    OK(clSetUserEventStatus(pair[0], CL_COMPLETE));
    OK(clSetUserEventStatus(pair[1], CL_COMPLETE));
    GIVES(CL_INVALID_CONTEXT, clWaitForEvents(2, pair));
    GIVES(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(cl.queue, 2, pair, NULL));
    GIVES(CL_INVALID_CONTEXT, clEnqueueBarrierWithWaitList(cl.queue, 1, &pair[1], NULL));
    OK(clReleaseEvent(pair[0]));
    OK(clReleaseEvent(pair[1]));
    OK(clReleaseContext(other));
}

TEST(an_event_query_checks_its_arguments) {
    cl_event event = user_event();
    char one;
    cl_ulong time;
    GIVES(CL_INVALID_VALUE, clGetEventInfo(event, CL_EVENT_CONTEXT, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE, clGetEventInfo(event, CL_DEVICE_NAME, 1, &one, NULL));
    GIVES(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    OK(clSetUserEventStatus(event, CL_COMPLETE));
    GIVES(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    OK(clReleaseEvent(event));
}

TEST(commands_wait_for_user_events) {
    cl_event gate = user_event(), event = marker(gate);
    usleep(5000);
    assert_true(event_status(event) > CL_COMPLETE);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &event));
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(event));
}

TEST(a_failed_user_event_fails_what_waits_for_it_and_the_queue_goes_on) {
    cl_event gate = user_event(), event = marker(gate), second;
    int value = 3, back = 0;
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, 4, &value);
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 0, 4, &back, 1, &event, &second));
    OK(clSetUserEventStatus(gate, -42));
    assert_int_equal(event_status(gate), -42);
    GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &gate));
    GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &second));
    assert_true(event_status(event) < 0 && event_status(second) < 0);
    assert_int_equal(back, 0);
    GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
          clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 1, &gate, NULL));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 3);
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(second));
    OK(clReleaseMemObject(mem));
}

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int count, status[64];
} seen = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void CL_CALLBACK note(cl_event event, cl_int status, void *user) {
    pthread_mutex_lock(&seen.lock);
    seen.status[(intptr_t)user] = status;
    seen.count++;
    pthread_cond_broadcast(&seen.changed);
    pthread_mutex_unlock(&seen.lock);
}

static void wait_for_calls(int count) {
    pthread_mutex_lock(&seen.lock);
    while (seen.count < count)
        pthread_cond_wait(&seen.changed, &seen.lock);
    pthread_mutex_unlock(&seen.lock);
}

TEST(callbacks_tell_the_states_reached) {
    cl_event gate = user_event(), event = marker(gate);
    seen.count = 0;
    OK(clSetEventCallback(event, CL_COMPLETE, note, (void *)0));
    OK(clSetEventCallback(event, CL_RUNNING, note, (void *)1));
    OK(clSetEventCallback(event, CL_SUBMITTED, note, (void *)2));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    wait_for_calls(3);
    assert_int_equal(seen.status[0], CL_COMPLETE);
    assert_int_equal(seen.status[1], CL_RUNNING);
    assert_int_equal(seen.status[2], CL_SUBMITTED);
    OK(clSetEventCallback(event, CL_COMPLETE, note, (void *)3));
    wait_for_calls(4);
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(event));
}

static void CL_CALLBACK append(cl_event event, cl_int status, void *states) {
    *(cl_int *)states = *(cl_int *)states * 10 + status;
}

TEST(callbacks_come_in_the_order_of_the_states_whatever_order_they_are_set_in) {
    cl_event gate = user_event(), event = marker(gate);
    cl_int states = 0; /* CL_RUNNING is 1, CL_COMPLETE 0 */
    OK(clSetEventCallback(event, CL_COMPLETE, append, &states));
    OK(clSetEventCallback(event, CL_RUNNING, append, &states));
    OK(clSetEventCallback(event, CL_COMPLETE, append, &states));
    seen.count = 0;
    OK(clSetEventCallback(event, CL_COMPLETE, note, (void *)0));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    wait_for_calls(1);
    assert_int_equal(states, 100);
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(gate));
}

TEST(a_callback_tells_the_error) {
    cl_event gate = user_event();
    seen.count = 0;
    OK(clSetEventCallback(gate, CL_COMPLETE, note, (void *)0));
    OK(clSetUserEventStatus(gate, -7));
    wait_for_calls(1);
    assert_int_equal(seen.status[0], -7);
    OK(clReleaseEvent(gate));
}

TEST(callback_registration_checks_its_arguments) {
    cl_event event = user_event();
    GIVES(CL_INVALID_VALUE, clSetEventCallback(event, CL_COMPLETE, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clSetEventCallback(event, CL_QUEUED, note, NULL));
    GIVES(CL_INVALID_VALUE, clSetEventCallback(event, 99, note, NULL));
    GIVES(CL_INVALID_EVENT, clSetEventCallback((cl_event)cl.queue, CL_COMPLETE, note, NULL));
    OK(clSetUserEventStatus(event, CL_COMPLETE));
    OK(clReleaseEvent(event));
}

static void CL_CALLBACK enqueue_more(cl_event event, cl_int status, void *user) {
    clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, (cl_event *)user);
    clFlush(cl.queue);
    note(event, status, (void *)5);
}

TEST(a_callback_may_enqueue) {
    cl_event gate = user_event(), more = NULL;
    seen.count = 0;
    OK(clSetEventCallback(gate, CL_COMPLETE, enqueue_more, &more));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    wait_for_calls(1);
    assert_non_null(more);
    OK(clWaitForEvents(1, &more));
    OK(clReleaseEvent(more));
    OK(clReleaseEvent(gate));
}

TEST(profiling_times_rise) {
    cl_mem mem = buffer_of(0, 1 << 16, NULL);
    cl_event event;
    cl_ulong times[5];
    int zero = 0;
    OK(clEnqueueFillBuffer(cl.queue, mem, &zero, 4, 0, 1 << 16, 0, NULL, &event));
    OK(clWaitForEvents(1, &event));
    for (cl_uint i = 0; i < 5; i++)
        OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times, &times[i], NULL));
    for (int i = 1; i < 5; i++)
        assert_true(times[i] >= times[i - 1]);
    assert_true(times[0] > 0);
    GIVES(CL_INVALID_VALUE, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 4, &times[0], NULL));
    GIVES(CL_INVALID_VALUE, clGetEventProfilingInfo(event, 0x4242, sizeof *times, &times[0], NULL));
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(mem));
}

TEST(times_are_not_available_before_the_end_or_without_profiling) {
    cl_command_queue plain = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &error));
    cl_event gate = user_event(), waiting = marker(gate), event;
    cl_ulong time;
    GIVES(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(waiting, CL_PROFILING_COMMAND_START, sizeof time, &time, NULL));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clEnqueueMarkerWithWaitList(plain, 0, NULL, &event));
    OK(clWaitForEvents(1, &event));
    GIVES(CL_PROFILING_INFO_NOT_AVAILABLE,
          clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(waiting));
    OK(clReleaseEvent(event));
    OK(clReleaseCommandQueue(plain));
}

TEST(a_marker_ends_after_all_before_it) {
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, list, &error));
    cl_event gate = user_event(), mark;
    cl_mem mem = buffer_of(0, 4, NULL);
    int value = 1;
    OK(clEnqueueFillBuffer(queue, mem, &value, 4, 0, 4, 1, &gate, NULL));
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &mark));
    usleep(3000);
    assert_true(event_status(mark) > CL_COMPLETE);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &mark));
    OK(clFinish(queue));
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(mark));
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
}

TEST(a_chain_of_ten_thousand_commands_ends) {
    cl_event gate = user_event(), last = gate, next;
    for (int i = 0; i < 10000; i++) {
        OK(clEnqueueMarkerWithWaitList(cl.queue, 1, &last, &next));
        if (last != gate)
            OK(clReleaseEvent(last));
        last = next;
    }
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &last));
    OK(clReleaseEvent(last));
    OK(clReleaseEvent(gate));
}

static void *open_both(void *gates) {
    for (int i = 0; i < 2; i++) {
        usleep(20000);
        clSetUserEventStatus(((cl_event *)gates)[i], CL_COMPLETE);
    }
    return NULL;
}

TEST(an_event_that_was_released_may_end_while_others_are_waited_for) {
    cl_event gates[] = {user_event(), user_event()}, list[] = {gates[1], marker(gates[0])};
    pthread_t thread;
    OK(clReleaseEvent(list[1]));
    assert_int_equal(pthread_create(&thread, NULL, open_both, gates), 0);
    GIVES(CL_INVALID_EVENT, clWaitForEvents(2, list));
    pthread_join(thread, NULL);
    OK(clReleaseEvent(gates[0]));
    OK(clReleaseEvent(gates[1]));
}

/* Mapping and unmapping buffers. */
#include "api.h"

enum { N = 1024 };

static void *map(cl_mem mem, cl_map_flags flags, size_t offset, size_t size) {
    return MADE(clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, flags, offset, size, 0, NULL, NULL, &error));
}

static void unmap(cl_mem mem, void *at) {
    OK(clEnqueueUnmapMemObject(cl.queue, mem, at, 0, NULL, NULL));
    OK(clFinish(cl.queue));
}

static cl_uint count_of(cl_mem mem) {
    cl_uint count;
    OK(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    return count;
}

TEST(a_mapping_shows_and_changes_the_buffer) {
    int values[N / 4], back[N / 4];
    for (int i = 0; i < N / 4; i++)
        values[i] = i;
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, N, values);
    int *at = map(mem, CL_MAP_READ | CL_MAP_WRITE, 64, 128);
    for (int i = 0; i < 32; i++) {
        assert_int_equal(at[i], i + 16);
        at[i] = -i;
    }
    unmap(mem, at);
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, N, back, 0, NULL, NULL));
    for (int i = 0; i < N / 4; i++)
        assert_int_equal(back[i], i >= 16 && i < 48 ? -(i - 16) : i);
    OK(clReleaseMemObject(mem));
}

TEST(a_used_host_pointer_is_mapped_in_place) {
    char host[N];
    cl_mem mem = buffer_of(CL_MEM_USE_HOST_PTR, N, host);
    void *at = map(mem, CL_MAP_READ, 10, 20);
    assert_ptr_equal(at, host + 10);
    unmap(mem, at);
    OK(clReleaseMemObject(mem));
}

TEST(mappings_are_counted) {
    cl_mem mem = buffer_of(0, N, NULL);
    void *a = map(mem, CL_MAP_READ, 0, N), *b = map(mem, CL_MAP_READ, 0, N), *c = map(mem, CL_MAP_READ, 4, 8);
    assert_ptr_equal(a, b);
    assert_int_equal(count_of(mem), 3);
    unmap(mem, c);
    unmap(mem, a);
    assert_int_equal(count_of(mem), 1);
    unmap(mem, b);
    assert_int_equal(count_of(mem), 0);
    GIVES(CL_INVALID_VALUE, clEnqueueUnmapMemObject(cl.queue, mem, a, 0, NULL, NULL));
    OK(clReleaseMemObject(mem));
}

TEST(mapping_checks_its_arguments) {
    cl_mem mem = buffer_of(0, N, NULL);
#define MAP(queue, buffer, flags, offset, size, n, wait)                                                     \
    clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, offset, size, n, wait, NULL, &error)
    REFUSES(CL_INVALID_COMMAND_QUEUE, MAP((cl_command_queue)cl.context, mem, CL_MAP_READ, 0, N, 0, NULL));
    REFUSES(CL_INVALID_MEM_OBJECT, MAP(cl.queue, (cl_mem)cl.context, CL_MAP_READ, 0, N, 0, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(cl.queue, mem, CL_MAP_READ, 0, N + 1, 0, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(cl.queue, mem, CL_MAP_READ, SIZE_MAX, 2, 0, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(cl.queue, mem, CL_MAP_READ, 0, 0, 0, NULL));
    REFUSES(CL_INVALID_VALUE, MAP(cl.queue, mem, 1 << 20, 0, N, 0, NULL));
    REFUSES(CL_INVALID_VALUE,
            MAP(cl.queue, mem, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, N, 0, NULL));
    REFUSES(CL_INVALID_EVENT_WAIT_LIST, MAP(cl.queue, mem, CL_MAP_READ, 0, N, 1, NULL));
    OK(clReleaseMemObject(mem));
}

TEST(host_access_flags_forbid_mappings) {
    cl_mem none = buffer_of(CL_MEM_HOST_NO_ACCESS, N, NULL), read = buffer_of(CL_MEM_HOST_READ_ONLY, N, NULL),
           write = buffer_of(CL_MEM_HOST_WRITE_ONLY, N, NULL);
    REFUSES(CL_INVALID_OPERATION, MAP(cl.queue, none, CL_MAP_READ, 0, N, 0, NULL));
    REFUSES(CL_INVALID_OPERATION, MAP(cl.queue, write, CL_MAP_READ, 0, N, 0, NULL));
    REFUSES(CL_INVALID_OPERATION, MAP(cl.queue, none, CL_MAP_WRITE, 0, N, 0, NULL));
    REFUSES(CL_INVALID_OPERATION, MAP(cl.queue, read, CL_MAP_WRITE, 0, N, 0, NULL));
    REFUSES(CL_INVALID_OPERATION, MAP(cl.queue, read, CL_MAP_WRITE_INVALIDATE_REGION, 0, N, 0, NULL));
    unmap(read, map(read, CL_MAP_READ, 0, N));
    unmap(write, map(write, CL_MAP_WRITE_INVALIDATE_REGION, 0, N));
    OK(clReleaseMemObject(none));
    OK(clReleaseMemObject(read));
    OK(clReleaseMemObject(write));
}

TEST(unmapping_checks_its_arguments) {
    cl_mem mem = buffer_of(0, N, NULL), other = buffer_of(0, N, NULL);
    void *at = map(mem, CL_MAP_READ, 0, N);
    GIVES(CL_INVALID_VALUE, clEnqueueUnmapMemObject(cl.queue, mem, &at, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueUnmapMemObject(cl.queue, other, at, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(cl.queue, (cl_mem)cl.context, at, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueUnmapMemObject(cl.queue, mem, at, 1, NULL, NULL));
    unmap(mem, at);
    OK(clReleaseMemObject(mem));
    OK(clReleaseMemObject(other));
}

TEST(a_mapping_waits_for_its_events) {
    cl_mem mem = buffer_of(0, 4, NULL);
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error)), mapped;
    int seven = 7, *at;
    OK(clEnqueueFillBuffer(cl.queue, mem, &seven, 4, 0, 4, 1, &gate, NULL));
    at = MADE(clEnqueueMapBuffer(cl.queue, mem, CL_FALSE, CL_MAP_READ, 0, 4, 0, NULL, &mapped, &error));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &mapped));
    assert_int_equal(*at, 7);
    cl_command_type type;
    OK(clGetEventInfo(mapped, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_COMMAND_MAP_BUFFER);
    unmap(mem, at);
    OK(clReleaseEvent(mapped));
    OK(clReleaseEvent(gate));
    OK(clReleaseMemObject(mem));
}

TEST(a_blocking_map_behind_a_failed_event_fails) {
    cl_mem mem = buffer_of(0, 4, NULL);
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error));
    OK(clSetUserEventStatus(gate, -5));
    REFUSES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, MAP(cl.queue, mem, CL_MAP_READ, 0, 4, 1, &gate));
    OK(clReleaseEvent(gate));
    OK(clReleaseMemObject(mem));
}

TEST(a_released_buffer_lives_while_its_mapping_is_in_the_queue) {
    cl_mem mem = buffer_of(0, N, NULL);
    int *at = map(mem, CL_MAP_WRITE, 0, N);
    at[0] = 1;
    OK(clEnqueueUnmapMemObject(cl.queue, mem, at, 0, NULL, NULL));
    OK(clReleaseMemObject(mem));
    OK(clFinish(cl.queue));
}

/* Rectangular transfers: against a plain model in C, and their errors. */
#include "api.h"

enum { X = 16, Y = 8, Z = 4, ROW = X + 3, SLICE = ROW * (Y + 2), BYTES = SLICE * Z };

static unsigned char data[BYTES], host[BYTES], back[BYTES], model[BYTES];

static void fill(void) {
    for (int i = 0; i < BYTES; i++) {
        data[i] = (unsigned char)(i * 3 + i / 256);
        host[i] = (unsigned char)(i * 5 + 1);
    }
}

struct rect {
    size_t from[3], to[3], region[3];
};
static const struct rect rects[] = {
    {{0, 0, 0}, {0, 0, 0}, {X, Y, Z}},  {{1, 2, 1}, {3, 0, 2}, {5, 4, 2}},  {{0, 0, 0}, {7, 1, 0}, {1, 1, 1}},
    {{15, 7, 3}, {0, 0, 0}, {1, 1, 1}}, {{0, 3, 0}, {0, 4, 0}, {16, 2, 1}}, {{4, 0, 0}, {4, 0, 0}, {8, 8, 4}},
};

static void model_copy(unsigned char *to, const unsigned char *from, const struct rect *r) {
    for (size_t z = 0; z < r->region[2]; z++)
        for (size_t y = 0; y < r->region[1]; y++)
            memcpy(to + (r->to[2] + z) * SLICE + (r->to[1] + y) * ROW + r->to[0],
                   from + (r->from[2] + z) * SLICE + (r->from[1] + y) * ROW + r->from[0], r->region[0]);
}

TEST(rectangles_are_read) {
    fill();
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, BYTES, data);
    for (size_t i = 0; i < COUNT(rects); i++) {
        const struct rect *r = &rects[i];
        memcpy(model, host, BYTES);
        memcpy(back, host, BYTES);
        model_copy(model, data, r);
        OK(clEnqueueReadBufferRect(cl.queue, mem, CL_TRUE, r->from, r->to, r->region, ROW, SLICE, ROW, SLICE,
                                   back, 0, NULL, NULL));
        assert_memory_equal(back, model, BYTES);
    }
    OK(clReleaseMemObject(mem));
}

TEST(rectangles_are_written) {
    fill();
    for (size_t i = 0; i < COUNT(rects); i++) {
        const struct rect *r = &rects[i];
        cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, BYTES, data);
        memcpy(model, data, BYTES);
        model_copy(model, host, r);
        OK(clEnqueueWriteBufferRect(cl.queue, mem, CL_TRUE, r->to, r->from, r->region, ROW, SLICE, ROW, SLICE,
                                    host, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
        assert_memory_equal(back, model, BYTES);
        OK(clReleaseMemObject(mem));
    }
}

TEST(rectangles_are_copied) {
    fill();
    for (size_t i = 0; i < COUNT(rects); i++) {
        const struct rect *r = &rects[i];
        cl_mem from = buffer_of(CL_MEM_COPY_HOST_PTR, BYTES, data),
               to = buffer_of(CL_MEM_COPY_HOST_PTR, BYTES, host);
        memcpy(model, host, BYTES);
        model_copy(model, data, r);
        OK(clEnqueueCopyBufferRect(cl.queue, from, to, r->from, r->to, r->region, ROW, SLICE, ROW, SLICE, 0,
                                   NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, to, CL_TRUE, 0, BYTES, back, 0, NULL, NULL));
        assert_memory_equal(back, model, BYTES);
        OK(clReleaseMemObject(from));
        OK(clReleaseMemObject(to));
    }
}

/* Zero pitches mean tightly packed rows and slices. */
TEST(pitches_of_zero_are_those_of_the_region) {
    fill();
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, BYTES, data);
    const size_t origin[3] = {0, 0, 0}, region[3] = {4, 3, 2};
    OK(clEnqueueReadBufferRect(cl.queue, mem, CL_TRUE, origin, origin, region, ROW, SLICE, 0, 0, back, 0,
                               NULL, NULL));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            assert_memory_equal(back + z * 12 + y * 4, data + z * SLICE + y * ROW, 4);
    OK(clReleaseMemObject(mem));
}

TEST(rectangle_reads_and_writes_check_their_arguments) {
    cl_mem mem = buffer_of(0, 64, NULL), wrong = (cl_mem)cl.context;
    const size_t zero[3] = {0, 0, 0}, region[3] = {4, 4, 1}, empty[3] = {4, 0, 1}, far[3] = {0, 13, 0};
    const size_t deep[3] = {4, 4, 5}, huge[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX}, end[3] = {SIZE_MAX - 1, 0, 0};
#define BOTH(code, buffer, origin, hostorigin, size, row, slice, hrow, hslice, pointer, n)                   \
    GIVES(code, clEnqueueReadBufferRect(cl.queue, buffer, CL_TRUE, origin, hostorigin, size, row, slice,     \
                                        hrow, hslice, pointer, n, NULL, NULL));                              \
    GIVES(code, clEnqueueWriteBufferRect(cl.queue, buffer, CL_TRUE, origin, hostorigin, size, row, slice,    \
                                         hrow, hslice, pointer, n, NULL, NULL))
    BOTH(CL_INVALID_MEM_OBJECT, wrong, zero, zero, region, 0, 0, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, NULL, zero, region, 0, 0, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, zero, NULL, region, 0, 0, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, zero, zero, NULL, 0, 0, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, zero, zero, empty, 0, 0, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, far, zero, region, 0, 0, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, zero, zero, deep, 0, 0, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, zero, zero, huge, 0, 0, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, end, zero, region, 0, 0, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, zero, zero, region, 3, 0, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, zero, zero, region, 0, 0, 3, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, zero, zero, region, 4, 15, 0, 0, host, 0);
    BOTH(CL_INVALID_VALUE, mem, zero, zero, region, 0, 0, 4, 18, host, 0);
    BOTH(CL_INVALID_VALUE, mem, zero, zero, region, 0, 0, 0, 0, NULL, 0);
    BOTH(CL_INVALID_EVENT_WAIT_LIST, mem, zero, zero, region, 0, 0, 0, 0, host, 1);
    OK(clReleaseMemObject(mem));
}

TEST(rectangle_copies_check_their_arguments) {
    cl_mem a = buffer_of(0, 64, NULL), b = buffer_of(0, 64, NULL), wrong = (cl_mem)cl.context;
    const size_t zero[3] = {0, 0, 0}, region[3] = {4, 4, 1}, empty[3] = {0, 4, 1}, far[3] = {0, 13, 0};
    const size_t near[3] = {2, 0, 0}, below[3] = {0, 4, 0};
#define COPY(code, from, to, at, into, size, row, slice, row2, slice2, n)                                    \
    GIVES(code, clEnqueueCopyBufferRect(cl.queue, from, to, at, into, size, row, slice, row2, slice2, n,     \
                                        NULL, NULL))
    COPY(CL_INVALID_MEM_OBJECT, wrong, b, zero, zero, region, 0, 0, 0, 0, 0);
    COPY(CL_INVALID_MEM_OBJECT, a, wrong, zero, zero, region, 0, 0, 0, 0, 0);
    COPY(CL_INVALID_VALUE, a, b, NULL, zero, region, 0, 0, 0, 0, 0);
    COPY(CL_INVALID_VALUE, a, b, zero, NULL, region, 0, 0, 0, 0, 0);
    COPY(CL_INVALID_VALUE, a, b, zero, zero, NULL, 0, 0, 0, 0, 0);
    COPY(CL_INVALID_VALUE, a, b, zero, zero, empty, 0, 0, 0, 0, 0);
    COPY(CL_INVALID_VALUE, a, b, far, zero, region, 0, 0, 0, 0, 0);
    COPY(CL_INVALID_VALUE, a, b, zero, far, region, 0, 0, 0, 0, 0);
    COPY(CL_INVALID_VALUE, a, b, zero, zero, region, 3, 0, 0, 0, 0);
    COPY(CL_INVALID_VALUE, a, b, zero, zero, region, 4, 15, 0, 0, 0);
    COPY(CL_INVALID_VALUE, a, a, zero, below, region, 4, 16, 5, 20, 0);
    COPY(CL_MEM_COPY_OVERLAP, a, a, zero, near, region, 8, 32, 8, 32, 0);
    COPY(CL_INVALID_EVENT_WAIT_LIST, a, b, zero, zero, region, 0, 0, 0, 0, 1);
    COPY(CL_SUCCESS, a, a, zero, below, region, 8, 32, 8, 32, 0);
    OK(clFinish(cl.queue));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

TEST(host_access_flags_forbid_rectangles) {
    cl_mem none = buffer_of(CL_MEM_HOST_NO_ACCESS, 64, NULL);
    const size_t zero[3] = {0, 0, 0}, region[3] = {4, 4, 1};
    BOTH(CL_INVALID_OPERATION, none, zero, zero, region, 0, 0, 0, 0, host, 0);
    OK(clReleaseMemObject(none));
}

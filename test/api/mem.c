/* Buffers and sub-buffers: creation, queries, read, write, copy, fill, migrate, destructor callbacks. */
#include "api.h"

enum { N = 256 };

TEST(a_buffer_knows_how_it_was_made) {
    char host[N];
    cl_mem mem = buffer_of(CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, N, host), parent = mem;
    cl_mem_object_type type;
    cl_mem_flags flags;
    size_t size, offset = 7;
    void *pointer;
    cl_uint count;
    cl_context context;
    cl_bool svm = 5;
    OK(clGetMemObjectInfo(mem, CL_MEM_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_MEM_OBJECT_BUFFER);
    OK(clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    assert_int_equal(flags, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR);
    OK(clGetMemObjectInfo(mem, CL_MEM_SIZE, sizeof size, &size, NULL));
    assert_int_equal(size, N);
    OK(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
    assert_ptr_equal(pointer, host);
    OK(clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 0);
    OK(clGetMemObjectInfo(mem, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
    assert_int_equal(count, 1);
    OK(clGetMemObjectInfo(mem, CL_MEM_CONTEXT, sizeof context, &context, NULL));
    assert_ptr_equal(context, cl.context);
    OK(clGetMemObjectInfo(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    assert_null(parent);
    OK(clGetMemObjectInfo(mem, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    assert_int_equal(offset, 0);
    OK(clGetMemObjectInfo(mem, CL_MEM_USES_SVM_POINTER, sizeof svm, &svm, NULL));
    OK(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, 0, NULL, &size));
    assert_int_equal(size, 0);
    OK(clReleaseMemObject(mem));
}

TEST(flags_default_to_read_write) {
    cl_mem mem = buffer_of(0, 4, NULL);
    cl_mem_flags flags;
    void *pointer = &mem;
    OK(clGetMemObjectInfo(mem, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    assert_true(flags == CL_MEM_READ_WRITE || flags == 0);
    OK(clGetMemObjectInfo(mem, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
    assert_null(pointer);
    OK(clReleaseMemObject(mem));
}

TEST(buffer_creation_checks_its_arguments) {
    char host[4];
    cl_mem_properties none[] = {0}, unknown[] = {0x4242, 1, 0};
    static const cl_mem_flags wrong[] = {
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        (cl_mem_flags)1 << 40,
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        REFUSES(CL_INVALID_VALUE, clCreateBuffer(cl.context, wrong[i], 4, NULL, &error));
    REFUSES(CL_INVALID_VALUE,
            clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, host, &error));
    REFUSES(CL_INVALID_VALUE,
            clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 4, host, &error));
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(cl.context, 0, 0, NULL, &error));
    REFUSES(CL_INVALID_HOST_PTR, clCreateBuffer(cl.context, 0, 4, host, &error));
    REFUSES(CL_INVALID_HOST_PTR, clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, 4, NULL, &error));
    REFUSES(CL_INVALID_HOST_PTR, clCreateBuffer(cl.context, CL_MEM_COPY_HOST_PTR, 4, NULL, &error));
    REFUSES(CL_INVALID_PROPERTY, clCreateBufferWithProperties(cl.context, unknown, 0, 4, NULL, &error));
    OK(clReleaseMemObject(MADE(clCreateBufferWithProperties(cl.context, none, 0, 4, NULL, &error))));
    OK(clReleaseMemObject(MADE(clCreateBufferWithProperties(cl.context, NULL, 0, 4, NULL, &error))));
    assert_null(clCreateBuffer(cl.context, 0, 0, NULL, NULL));
}

TEST(intels_function_makes_buffers_with_properties) {
    __typeof__(clCreateBufferWithProperties) *create =
        (void *)clGetExtensionFunctionAddressForPlatform(cl.platform, "clCreateBufferWithPropertiesINTEL");
    cl_mem_properties none[] = {0}, unknown[] = {0x4242, 1, 0};
    int host[4] = {1, 2, 3, 4}, back[4];
    assert_non_null(create);
    cl_mem mem = MADE(create(cl.context, none, CL_MEM_USE_HOST_PTR, sizeof host, host, &error));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL));
    assert_memory_equal(back, host, sizeof host);
    OK(clReleaseMemObject(mem));
    REFUSES(CL_INVALID_PROPERTY, create(cl.context, unknown, 0, sizeof host, NULL, &error));
    REFUSES(CL_INVALID_CONTEXT, create(NULL, NULL, 0, sizeof host, NULL, &error));
}

TEST(a_buffer_larger_than_the_device_allows_is_refused) {
    cl_ulong max;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL));
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(cl.context, 0, max + 1, NULL, &error));
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(cl.context, 0, SIZE_MAX, NULL, &error));
}

TEST(a_mem_query_checks_its_arguments) {
    cl_mem mem = buffer_of(0, 4, NULL);
    char one;
    GIVES(CL_INVALID_VALUE, clGetMemObjectInfo(mem, CL_MEM_SIZE, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE, clGetMemObjectInfo(mem, CL_DEVICE_NAME, 1, &one, NULL));
    OK(clReleaseMemObject(mem));
}

TEST(an_object_that_is_no_buffer_is_refused) {
    cl_mem wrong = (cl_mem)cl.context, mem = buffer_of(0, 64, NULL);
    char host[4];
    cl_buffer_region region = {0, 4};
    GIVES(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo(wrong, CL_MEM_SIZE, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clRetainMemObject(wrong));
    GIVES(CL_INVALID_MEM_OBJECT, clReleaseMemObject(wrong));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(cl.queue, wrong, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(cl.queue, NULL, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer(cl.queue, wrong, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(cl.queue, wrong, mem, 0, 0, 4, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(cl.queue, mem, wrong, 0, 0, 4, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(cl.queue, wrong, host, 4, 0, 4, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(cl.queue, 1, &wrong, 0, 0, NULL, NULL));
    REFUSES(CL_INVALID_MEM_OBJECT,
            clCreateSubBuffer(wrong, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    OK(clReleaseMemObject(mem));
}

TEST(transfers_outside_the_buffer_are_refused) {
    cl_mem mem = buffer_of(0, N, NULL), other = buffer_of(0, N / 2, NULL);
    char host[2 * N] = {0};
    GIVES(CL_INVALID_VALUE, clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, N + 1, host, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, N, 1, host, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, SIZE_MAX, 2, host, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 1, N, host, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCopyBuffer(cl.queue, mem, other, 0, 0, N, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCopyBuffer(cl.queue, other, mem, N / 2, 0, 1, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueCopyBuffer(cl.queue, other, mem, 0, SIZE_MAX, 2, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueFillBuffer(cl.queue, mem, host, 4, 0, N + 4, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueFillBuffer(cl.queue, mem, host, 4, SIZE_MAX - 3, 8, 0, NULL, NULL));
    OK(clReleaseMemObject(mem));
    OK(clReleaseMemObject(other));
}

TEST(a_fill_pattern_has_a_power_of_two_size_and_divides_the_region) {
    cl_mem mem = buffer_of(0, N, NULL);
    char host[256] = {0};
    GIVES(CL_INVALID_VALUE, clEnqueueFillBuffer(cl.queue, mem, host, 3, 0, 6, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueFillBuffer(cl.queue, mem, host, 0, 0, 4, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueFillBuffer(cl.queue, mem, host, 256, 0, 256, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueFillBuffer(cl.queue, mem, NULL, 4, 0, 4, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueFillBuffer(cl.queue, mem, host, 4, 2, 4, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueFillBuffer(cl.queue, mem, host, 4, 0, 6, 0, NULL, NULL));
    OK(clReleaseMemObject(mem));
}

TEST(host_access_flags_forbid_transfers) {
    cl_mem none = buffer_of(CL_MEM_HOST_NO_ACCESS, 4, NULL), read = buffer_of(CL_MEM_HOST_READ_ONLY, 4, NULL),
           write = buffer_of(CL_MEM_HOST_WRITE_ONLY, 4, NULL);
    char host[4] = {0};
    GIVES(CL_INVALID_OPERATION, clEnqueueReadBuffer(cl.queue, none, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    GIVES(CL_INVALID_OPERATION, clEnqueueReadBuffer(cl.queue, write, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    GIVES(CL_INVALID_OPERATION, clEnqueueWriteBuffer(cl.queue, none, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    GIVES(CL_INVALID_OPERATION, clEnqueueWriteBuffer(cl.queue, read, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(cl.queue, write, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, read, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    OK(clReleaseMemObject(none));
    OK(clReleaseMemObject(read));
    OK(clReleaseMemObject(write));
}

TEST(buffers_of_another_context_are_refused) {
    cl_context other = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    cl_mem mem = buffer_of(0, 4, NULL), foreign = MADE(clCreateBuffer(other, 0, 4, NULL, &error));
    char host[4] = {0};
    GIVES(CL_INVALID_CONTEXT, clEnqueueReadBuffer(cl.queue, foreign, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    GIVES(CL_INVALID_CONTEXT, clEnqueueWriteBuffer(cl.queue, foreign, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    GIVES(CL_INVALID_CONTEXT, clEnqueueCopyBuffer(cl.queue, mem, foreign, 0, 0, 4, 0, NULL, NULL));
    GIVES(CL_INVALID_CONTEXT, clEnqueueFillBuffer(cl.queue, foreign, host, 4, 0, 4, 0, NULL, NULL));
    GIVES(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(cl.queue, 1, &foreign, 0, 0, NULL, NULL));
    OK(clReleaseMemObject(mem));
    OK(clReleaseMemObject(foreign));
    OK(clReleaseContext(other));
}

TEST(what_is_written_is_read) {
    unsigned char out[N], in[N];
    for (int i = 0; i < N; i++)
        out[i] = (unsigned char)(i * 7);
    cl_mem mem = buffer_of(0, N, NULL);
    OK(clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, N, out, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 3, N - 10, in, 0, NULL, NULL));
    assert_memory_equal(in, out + 3, N - 10);
    OK(clReleaseMemObject(mem));
}

TEST(a_copied_host_pointer_is_a_snapshot_and_a_used_one_is_not) {
    int value = 1, back;
    cl_mem copy = buffer_of(CL_MEM_COPY_HOST_PTR, 4, &value), use = buffer_of(CL_MEM_USE_HOST_PTR, 4, &value);
    cl_mem both = buffer_of(CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 4, &value);
    int two = 2;
    OK(clEnqueueWriteBuffer(cl.queue, use, CL_TRUE, 0, 4, &two, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, copy, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 1);
    OK(clEnqueueReadBuffer(cl.queue, both, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 1);
    OK(clEnqueueReadBuffer(cl.queue, use, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 2);
    OK(clReleaseMemObject(copy));
    OK(clReleaseMemObject(use));
    OK(clReleaseMemObject(both));
}

TEST(copies_and_fills_arrive_where_they_should) {
    cl_mem a = buffer_of(0, N, NULL), b = buffer_of(0, N, NULL);
    unsigned char back[N];
    for (size_t size = 1; size <= 128; size *= 2) {
        unsigned char pattern[128], zero = 0;
        for (size_t i = 0; i < size; i++)
            pattern[i] = (unsigned char)(i + size);
        OK(clEnqueueFillBuffer(cl.queue, a, &zero, 1, 0, N, 0, NULL, NULL));
        OK(clEnqueueFillBuffer(cl.queue, a, pattern, size, size, 128, 0, NULL, NULL));
        memset(pattern, 0xee, sizeof pattern); /* the pattern was copied at enqueue */
        OK(clEnqueueCopyBuffer(cl.queue, a, b, 0, 0, N, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, b, CL_TRUE, 0, N, back, 0, NULL, NULL));
        for (size_t i = 0; i < N; i++)
            assert_int_equal(back[i],
                             i < size || i >= size + 128 ? 0 : (unsigned char)((i - size) % size + size));
    }
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

/* Larger than caches, and from and to where no line of one begins: all bytes, and none beside them. */
TEST(large_copies_move_every_byte) {
    const size_t n = (size_t)96 << 20, from = 13, to = 101, size = n - 777;
    unsigned char *data = malloc(n), *back = malloc(n);
    assert_non_null(data);
    assert_non_null(back);
    for (size_t i = 0; i < n; i++)
        data[i] = (unsigned char)(i * 7 + i / 251 + 1);
    cl_mem a = buffer_of(0, n, NULL), b = buffer_of(0, n, NULL);
    OK(clEnqueueWriteBuffer(cl.queue, a, CL_TRUE, 0, n, data, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(cl.queue, b, "x", 1, 0, n, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(cl.queue, a, b, from, to, size, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, b, CL_TRUE, 0, n, back, 0, NULL, NULL));
    assert_memory_equal(back + to, data + from, size);
    for (size_t i = 0; i < n - size; i++)
        assert_int_equal(back[i < to ? i : i + size], 'x');
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    free(data);
    free(back);
}

/* Long rows, whose bytes begin a few bytes further on in their page than where they come from, take another way. */
TEST(copies_arrive_wherever_they_begin_in_a_page) {
    enum { SIZE = 3 * 4096, LONG = SIZE - 200, RECT = 2500 };
    static unsigned char from[SIZE], to[SIZE];
    for (size_t i = 0; i < SIZE; i++)
        from[i] = (unsigned char)(i * 7 + i / 251);
    cl_mem a = buffer_of(CL_MEM_COPY_HOST_PTR, SIZE, from), b = buffer_of(0, SIZE, NULL);
    for (size_t ahead = 0; ahead < 70; ahead++) {
        size_t behind = ahead * 5 % 17, n = LONG - ahead * 31;
        OK(clEnqueueFillBuffer(cl.queue, b, "", 1, 0, SIZE, 0, NULL, NULL));
        OK(clEnqueueCopyBuffer(cl.queue, a, b, behind, behind + ahead, n, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, b, CL_TRUE, 0, SIZE, to, 0, NULL, NULL));
        assert_memory_equal(to + behind + ahead, from + behind, n);
        for (size_t i = 0; i < SIZE; i++)
            assert_true((i >= behind + ahead && i < behind + ahead + n) || !to[i]);
        size_t src[3] = {behind, 0, 0}, dst[3] = {behind + ahead, 1, 0}, region[3] = {RECT, 2, 1};
        OK(clEnqueueCopyBufferRect(cl.queue, a, b, src, dst, region, 4096, 0, 4096, 0, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, b, CL_TRUE, 0, SIZE, to, 0, NULL, NULL));
        for (size_t y = 0; y < 2; y++)
            assert_memory_equal(to + dst[0] + (y + 1) * 4096, from + src[0] + y * 4096, RECT);
    }
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

TEST(overlapping_copies_in_one_buffer_are_refused) {
    cl_mem mem = buffer_of(0, N, NULL);
    GIVES(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(cl.queue, mem, mem, 0, 8, 16, 0, NULL, NULL));
    GIVES(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(cl.queue, mem, mem, 8, 0, 16, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(cl.queue, mem, mem, 0, 16, 16, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clReleaseMemObject(mem));
}

static size_t alignment(void) {
    cl_uint bits;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
    return bits / 8;
}

TEST(a_sub_buffer_is_a_window_into_its_parent) {
    size_t align = alignment(), offset;
    cl_mem mem = buffer_of(CL_MEM_READ_WRITE, 4 * align, NULL), parent;
    cl_buffer_region region = {align, 2 * align};
    cl_mem part = MADE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    OK(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL));
    assert_ptr_equal(parent, mem);
    OK(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
    assert_int_equal(offset, align);
    int value = 42, back = 0;
    OK(clEnqueueWriteBuffer(cl.queue, part, CL_TRUE, 4, 4, &value, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, parent, CL_TRUE, align + 4, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 42);
    OK(clReleaseMemObject(mem)); /* the part holds it */
    OK(clEnqueueReadBuffer(cl.queue, part, CL_TRUE, 4, 4, &back, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueReadBuffer(cl.queue, part, CL_TRUE, 2 * align, 4, &back, 0, NULL, NULL));
    OK(clReleaseMemObject(part));
}

TEST(sub_buffer_creation_checks_its_arguments) {
    size_t align = alignment();
    cl_mem mem = buffer_of(CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 4 * align, NULL);
    cl_buffer_region good = {align, align}, outside = {align, 4 * align}, empty = {align, 0}, odd = {1, 4},
                     far = {SIZE_MAX - align + 1, 2 * align};
    REFUSES(CL_INVALID_VALUE,
            clCreateSubBuffer(mem, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &good, &error));
    REFUSES(CL_INVALID_VALUE,
            clCreateSubBuffer(mem, CL_MEM_WRITE_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &good, &error));
    REFUSES(CL_INVALID_VALUE,
            clCreateSubBuffer(mem, CL_MEM_HOST_WRITE_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &good, &error));
    REFUSES(CL_INVALID_VALUE,
            clCreateSubBuffer(mem, CL_MEM_ALLOC_HOST_PTR, CL_BUFFER_CREATE_TYPE_REGION, &good, &error));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, 0x4242, &good, &error));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &error));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &far, &error));
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &error));
    REFUSES(CL_MISALIGNED_SUB_BUFFER_OFFSET,
            clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &error));
    cl_mem part = MADE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &error));
    cl_mem_flags flags;
    OK(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    assert_int_equal(flags, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
    good.origin = 0;
    REFUSES(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &error));
    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(mem));
}

TEST(overlapping_sub_buffers_cannot_be_copied_onto_each_other) {
    size_t align = alignment();
    cl_mem mem = buffer_of(0, 4 * align, NULL);
    cl_buffer_region low = {0, 2 * align}, high = {align, 2 * align};
    cl_mem a = MADE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &error));
    cl_mem b = MADE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &error));
    GIVES(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(cl.queue, a, b, align, 0, align, 0, NULL, NULL));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseMemObject(mem));
}

TEST(migration_checks_its_arguments) {
    cl_mem mem = buffer_of(0, 4, NULL);
    cl_event event;
    OK(clEnqueueMigrateMemObjects(cl.queue, 1, &mem, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &event));
    OK(clEnqueueMigrateMemObjects(cl.queue, 1, &mem, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 1, &event,
                                  NULL));
    OK(clFinish(cl.queue));
    GIVES(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(cl.queue, 0, &mem, 0, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(cl.queue, 1, NULL, 0, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(cl.queue, 1, &mem, 64, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMigrateMemObjects(cl.queue, 1, &mem, 0, 1, NULL, NULL));
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(mem));
}

TEST(every_transfer_checks_its_wait_list) {
    cl_mem mem = buffer_of(0, 16, NULL);
    char host[16] = {0};
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, host, 1, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST,
          clEnqueueWriteBuffer(cl.queue, mem, CL_TRUE, 0, 4, host, 1, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCopyBuffer(cl.queue, mem, mem, 0, 8, 4, 1, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueFillBuffer(cl.queue, mem, host, 4, 0, 4, 1, NULL, NULL));
    OK(clReleaseMemObject(mem));
}

static int order[4], calls;
static void CL_CALLBACK note(cl_mem mem, void *user) {
    order[calls++] = (int)(intptr_t)user;
}

TEST(destructor_callbacks_run_newest_first) {
    cl_mem mem = buffer_of(0, 4, NULL);
    for (intptr_t i = 1; i <= 3; i++)
        OK(clSetMemObjectDestructorCallback(mem, note, (void *)i));
    GIVES(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(mem, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clSetMemObjectDestructorCallback((cl_mem)cl.queue, note, NULL));
    OK(clReleaseMemObject(mem));
    assert_int_equal(calls, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(order[i], 3 - i);
}

static cl_ulong limit_of(cl_device_info name) {
    cl_ulong bytes;
    OK(clGetDeviceInfo(cl.device, name, sizeof bytes, &bytes, NULL));
    return bytes;
}

/* Takes blocks of a quarter of the memory until there is none. How many there were. */
static size_t fill_memory(void *(*take)(size_t), void **blocks, size_t room) {
    const size_t quarter = limit_of(CL_DEVICE_GLOBAL_MEM_SIZE) / 4;
    size_t n = 0;
    while (n < room && (blocks[n] = take(quarter)))
        n++;
    return n;
}

static void *take_buffer(size_t size) {
    cl_mem mem = clCreateBuffer(cl.context, 0, size, NULL, &error);
    if (!mem)
        assert_int_equal(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    return mem;
}

static void *take_svm(size_t size) {
    return clSVMAlloc(cl.context, 0, size, 0);
}

/* Nothing touches them: the system alone would give many times the memory that there is. */
TEST(buffers_and_svm_together_have_the_memory_of_the_device) {
    void *blocks[20];
    size_t n = fill_memory(take_buffer, blocks, COUNT(blocks));
    assert_in_range(n, 3, 4); /* what else there is takes a part */
    assert_null(take_svm(limit_of(CL_DEVICE_GLOBAL_MEM_SIZE) / 4));
    cl_buffer_region half = {0, 4096};
    cl_mem part = MADE(clCreateSubBuffer(blocks[0], 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error));
    OK(clReleaseMemObject(blocks[0])); /* the part holds it */
    assert_null(take_buffer(limit_of(CL_DEVICE_GLOBAL_MEM_SIZE) / 4));
    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(take_buffer(limit_of(CL_DEVICE_GLOBAL_MEM_SIZE) / 4)));
    for (size_t i = 1; i < n; i++)
        OK(clReleaseMemObject(blocks[i]));
    n = fill_memory(take_svm, blocks, COUNT(blocks));
    assert_in_range(n, 3, 4);
    for (size_t i = 0; i < n; i++)
        clSVMFree(cl.context, blocks[i]);
    still_works();
}

TEST(memory_of_the_host_is_not_the_buffers) {
    static char bytes[4096];
    void *blocks[20];
    size_t n = fill_memory(take_buffer, blocks, COUNT(blocks));
    cl_mem mem = buffer_of(CL_MEM_USE_HOST_PTR, sizeof bytes, bytes);
    OK(clReleaseMemObject(mem));
    for (size_t i = 0; i < n; i++)
        OK(clReleaseMemObject(blocks[i]));
}

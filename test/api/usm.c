/* Addresses as the extensions have them: unified shared memory, and the addresses of buffers. */
#include "api.h"

#include <pthread.h>
#include <stdatomic.h>

enum { N = 256 };

/* The extensions' functions, found by name. */
#define FUNCTIONS(X)                                                                                         \
    X(clHostMemAllocINTEL)                                                                                   \
    X(clDeviceMemAllocINTEL)                                                                                 \
    X(clSharedMemAllocINTEL)                                                                                 \
    X(clMemFreeINTEL)                                                                                        \
    X(clMemBlockingFreeINTEL)                                                                                \
    X(clGetMemAllocInfoINTEL)                                                                                \
    X(clSetKernelArgMemPointerINTEL)                                                                         \
    X(clEnqueueMemFillINTEL)                                                                                 \
    X(clEnqueueMemcpyINTEL)                                                                                  \
    X(clEnqueueMigrateMemINTEL)                                                                              \
    X(clEnqueueMemAdviseINTEL)                                                                               \
    X(clSetKernelArgDevicePointerEXT)
FUNCTIONS(EXTENSION)

static bool has(const char *extension) {
    char list[4096];
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_EXTENSIONS, sizeof list, list, NULL));
    return strstr(list, extension) != NULL;
}

static void need(const char *extension) {
    if (!has(extension))
        skip();
    FUNCTIONS(FIND)
}

static void need_usm(void) {
    need("cl_intel_unified_shared_memory");
    assert_non_null(clHostMemAllocINTEL_);
}

static void *usm_of(cl_uint type, size_t size) {
    if (type == CL_MEM_TYPE_HOST_INTEL)
        return MADE(clHostMemAllocINTEL_(cl.context, NULL, size, 0, &error));
    return type == CL_MEM_TYPE_DEVICE_INTEL
               ? MADE(clDeviceMemAllocINTEL_(cl.context, cl.device, NULL, size, 0, &error))
               : MADE(clSharedMemAllocINTEL_(cl.context, cl.device, NULL, size, 0, &error));
}

static const cl_uint types[] = {CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL, CL_MEM_TYPE_SHARED_INTEL};

TEST(the_device_says_what_it_can_do_with_each_type) {
    need_usm();
    const cl_device_info names[] = {
        CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL};
    for (size_t i = 0; i < COUNT(names); i++) {
        cl_device_unified_shared_memory_capabilities_intel able = 0;
        size_t size;
        OK(clGetDeviceInfo(cl.device, names[i], sizeof able, &able, &size));
        assert_int_equal(size, sizeof able);
        assert_int_equal(able & ~(cl_bitfield)15, 0);
        if (i == 1)
            assert_true(able & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
    }
}

static void expect_range(const void *p, cl_uint type, void *base, size_t size, cl_device_id device,
                         cl_mem_alloc_flags_intel flags) {
    cl_uint got_type;
    void *got_base;
    size_t got_size, n;
    cl_device_id got_device;
    cl_mem_alloc_flags_intel got_flags;
#define ASK(name, place) clGetMemAllocInfoINTEL_(cl.context, p, name, sizeof place, &place, &n)
    OK(ASK(CL_MEM_ALLOC_TYPE_INTEL, got_type));
    assert_int_equal(n, sizeof got_type);
    OK(ASK(CL_MEM_ALLOC_BASE_PTR_INTEL, got_base));
    OK(ASK(CL_MEM_ALLOC_SIZE_INTEL, got_size));
    OK(ASK(CL_MEM_ALLOC_DEVICE_INTEL, got_device));
    OK(ASK(CL_MEM_ALLOC_FLAGS_INTEL, got_flags));
    assert_int_equal(n, sizeof got_flags);
    assert_int_equal(got_type, type);
    assert_ptr_equal(got_base, base);
    assert_int_equal(got_size, size);
    assert_ptr_equal(got_device, device);
    assert_int_equal(got_flags, flags);
}

TEST(an_allocation_is_known_by_any_address_inside_it) {
    need_usm();
    char on_stack[16], *svm = clSVMAlloc(cl.context, 0, 64, 0);
    for (size_t i = 0; i < COUNT(types); i++) {
        cl_device_id device = types[i] == CL_MEM_TYPE_HOST_INTEL ? NULL : cl.device;
        char *p = usm_of(types[i], 1000);
        assert_int_equal((uintptr_t)p % 128, 0);
        expect_range(p, types[i], p, 1000, device, 0);
        expect_range(p + 999, types[i], p, 1000, device, 0);
        expect_range(p + 1000, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
        OK(clMemFreeINTEL_(cl.context, p));
        expect_range(p, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    }
    expect_range(on_stack, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    expect_range(NULL, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    expect_range(svm, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    cl_uint type;
    GIVES(CL_INVALID_VALUE,
          clGetMemAllocInfoINTEL_(cl.context, svm, CL_MEM_ALLOC_TYPE_INTEL, 1, &type, NULL));
    GIVES(CL_INVALID_VALUE, clGetMemAllocInfoINTEL_(cl.context, svm, 0x4194, sizeof type, &type, NULL));
    GIVES(CL_INVALID_CONTEXT,
          clGetMemAllocInfoINTEL_(NULL, svm, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL));
    clSVMFree(cl.context, svm);
}

TEST(allocation_checks_its_arguments) {
    need_usm();
    cl_ulong max;
    cl_mem_properties_intel unknown[] = {0x4242, 0, 0},
                            twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
    cl_mem_properties_intel bit_3[] = {CL_MEM_ALLOC_FLAGS_INTEL, 8, 0},
                            both[] = {CL_MEM_ALLOC_FLAGS_INTEL, 6, 0};
    cl_mem_properties_intel placed[] = {
        CL_MEM_ALLOC_FLAGS_INTEL,
        CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL));
    REFUSES(CL_INVALID_CONTEXT, clHostMemAllocINTEL_(NULL, NULL, 16, 0, &error));
    REFUSES(CL_INVALID_DEVICE, clDeviceMemAllocINTEL_(cl.context, NULL, NULL, 16, 0, &error));
    REFUSES(CL_INVALID_DEVICE,
            clSharedMemAllocINTEL_(cl.context, (cl_device_id)cl.context, NULL, 16, 0, &error));
    REFUSES(CL_INVALID_VALUE, clHostMemAllocINTEL_(cl.context, NULL, 16, 3, &error));
    REFUSES(CL_INVALID_VALUE, clHostMemAllocINTEL_(cl.context, NULL, 16, 256, &error));
    REFUSES(CL_INVALID_PROPERTY, clHostMemAllocINTEL_(cl.context, unknown, 16, 0, &error));
    REFUSES(CL_INVALID_PROPERTY, clHostMemAllocINTEL_(cl.context, twice, 16, 0, &error));
    REFUSES(CL_INVALID_PROPERTY, clHostMemAllocINTEL_(cl.context, bit_3, 16, 0, &error));
    REFUSES(CL_INVALID_PROPERTY, clHostMemAllocINTEL_(cl.context, placed, 16, 0, &error));
    REFUSES(CL_INVALID_PROPERTY, clDeviceMemAllocINTEL_(cl.context, cl.device, placed, 16, 0, &error));
    REFUSES(CL_INVALID_PROPERTY, clSharedMemAllocINTEL_(cl.context, cl.device, both, 16, 0, &error));
    REFUSES(CL_INVALID_BUFFER_SIZE, clHostMemAllocINTEL_(cl.context, NULL, 0, 0, &error));
    REFUSES(CL_INVALID_BUFFER_SIZE, clHostMemAllocINTEL_(cl.context, NULL, max + 1, 0, &error));
    assert_null(clHostMemAllocINTEL_(cl.context, NULL, 0, 0, NULL));
    void *p = MADE(clSharedMemAllocINTEL_(cl.context, NULL, placed, 16, 64, &error));
    expect_range(p, CL_MEM_TYPE_SHARED_INTEL, p, 16, NULL, placed[1]);
    OK(clMemFreeINTEL_(cl.context, p));
}

TEST(only_what_was_allocated_is_freed) {
    need_usm();
    char *p = usm_of(CL_MEM_TYPE_SHARED_INTEL, 64), *svm = clSVMAlloc(cl.context, 0, 64, 0);
    GIVES(CL_INVALID_VALUE, clMemFreeINTEL_(cl.context, p + 1));
    GIVES(CL_INVALID_VALUE, clMemFreeINTEL_(cl.context, svm));
    GIVES(CL_INVALID_VALUE, clMemBlockingFreeINTEL_(cl.context, svm));
    GIVES(CL_INVALID_CONTEXT, clMemFreeINTEL_(NULL, p));
    OK(clMemFreeINTEL_(cl.context, NULL));
    OK(clMemBlockingFreeINTEL_(cl.context, NULL));
    clSVMFree(cl.context, p); /* is none of clSVMAlloc's */
    expect_range(p, CL_MEM_TYPE_SHARED_INTEL, p, 64, cl.device, 0);
    OK(clMemFreeINTEL_(cl.context, p));
    GIVES(CL_INVALID_VALUE, clMemFreeINTEL_(cl.context, p));
    clSVMFree(cl.context, svm);
}

TEST(kernels_and_commands_work_on_every_type) {
    need_usm();
    cl_kernel kernel = kernel_of("kernel void k(global int *to, global const int *from) {\n"
                                 "    to[get_global_id(0)] = 2 * from[get_global_id(0)] + 1;\n}",
                                 "k");
    for (size_t i = 0; i < COUNT(types); i++) {
        int *a = usm_of(types[i], N * 4), *b = usm_of(types[i], N * 4), result[N], seven = 7;
        cl_event event;
        cl_command_type type;
        OK(clEnqueueMemFillINTEL_(cl.queue, a, &seven, 4, N * 4, 0, NULL, &event));
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        assert_int_equal(type, CL_COMMAND_MEMFILL_INTEL);
        OK(clReleaseEvent(event));
        OK(clEnqueueMigrateMemINTEL_(cl.queue, a, N * 4, 0, 0, NULL, NULL));
        OK(clEnqueueMemAdviseINTEL_(cl.queue, a, N * 4, 0, 0, NULL, NULL));
        OK(clSetKernelArgMemPointerINTEL_(kernel, 0, b + 1));
        OK(clSetKernelArgMemPointerINTEL_(kernel, 1, a));
        OK(run_1d(kernel, N - 1, 0));
        OK(clEnqueueMemcpyINTEL_(cl.queue, CL_TRUE, result, b, N * 4, 0, NULL, &event));
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        assert_int_equal(type, CL_COMMAND_MEMCPY_INTEL);
        OK(clReleaseEvent(event));
        for (int k = 1; k < N; k++)
            assert_int_equal(result[k], 15);
        OK(clMemBlockingFreeINTEL_(cl.context, a));
        OK(clMemBlockingFreeINTEL_(cl.context, b));
    }
    OK(clReleaseKernel(kernel));
}

TEST(commands_check_their_arguments) {
    need_usm();
    char *p = usm_of(CL_MEM_TYPE_HOST_INTEL, 256), pattern[256] = {0};
    GIVES(CL_INVALID_VALUE, clEnqueueMemFillINTEL_(cl.queue, NULL, pattern, 4, 16, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMemFillINTEL_(cl.queue, p + 1, pattern, 4, 16, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMemFillINTEL_(cl.queue, p, NULL, 4, 16, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMemFillINTEL_(cl.queue, p, pattern, 3, 12, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMemFillINTEL_(cl.queue, p, pattern, 256, 256, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMemFillINTEL_(cl.queue, p, pattern, 4, 6, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMemcpyINTEL_(cl.queue, CL_TRUE, NULL, p, 16, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMemcpyINTEL_(cl.queue, CL_TRUE, p, NULL, 16, 0, NULL, NULL));
    GIVES(CL_MEM_COPY_OVERLAP, clEnqueueMemcpyINTEL_(cl.queue, CL_TRUE, p + 8, p, 16, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMigrateMemINTEL_(cl.queue, p, 16, 8, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMigrateMemINTEL_(cl.queue, NULL, 16, 0, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMemAdviseINTEL_(cl.queue, p, 16, 1, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueMemAdviseINTEL_(cl.queue, NULL, 16, 0, 0, NULL, NULL));
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueMemAdviseINTEL_(NULL, p, 16, 0, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMigrateMemINTEL_(cl.queue, p, 16, 0, 1, NULL, NULL));
    OK(clMemFreeINTEL_(cl.context, p));
}

TEST(any_address_is_an_argument_but_only_for_pointers_to_global_memory) {
    need_usm();
    cl_kernel kernel = kernel_of("kernel void k(global int *p, int n, local int *l) {}", "k");
    OK(clSetKernelArgMemPointerINTEL_(kernel, 0, NULL));
    OK(clSetKernelArgMemPointerINTEL_(kernel, 0, (void *)8));
    GIVES(CL_INVALID_ARG_INDEX, clSetKernelArgMemPointerINTEL_(kernel, 3, NULL));
    GIVES(CL_INVALID_ARG_VALUE, clSetKernelArgMemPointerINTEL_(kernel, 1, NULL));
    GIVES(CL_INVALID_ARG_VALUE, clSetKernelArgMemPointerINTEL_(kernel, 2, NULL));
    GIVES(CL_INVALID_KERNEL, clSetKernelArgMemPointerINTEL_(NULL, 0, NULL));
    OK(clReleaseKernel(kernel));
}

TEST(indirect_accesses_are_announced) {
    need_usm();
    cl_kernel kernel = kernel_of("kernel void k(global long *p) { *(global int *)p[0] = 42; }", "k");
    cl_long *table = usm_of(CL_MEM_TYPE_HOST_INTEL, 8);
    int *value = usm_of(CL_MEM_TYPE_SHARED_INTEL, 4);
    const cl_kernel_exec_info flags[] = {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL};
    cl_bool yes = CL_TRUE;
    for (size_t i = 0; i < COUNT(flags); i++) {
        OK(clSetKernelExecInfo(kernel, flags[i], sizeof yes, &yes));
        GIVES(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, flags[i], 1, &yes));
        GIVES(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, flags[i], sizeof yes, NULL));
    }
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof value, &value));
    GIVES(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 7, &value));
    *table = (cl_long)(uintptr_t)value;
    OK(clSetKernelArgMemPointerINTEL_(kernel, 0, table));
    OK(run_1d(kernel, 1, 1));
    assert_int_equal(*value, 42);
    OK(clMemFreeINTEL_(cl.context, table));
    OK(clMemFreeINTEL_(cl.context, value));
    OK(clReleaseKernel(kernel));
}

static atomic_int opened;

static void *open_later(void *gate) {
    usleep(50000);
    atomic_store(&opened, 1);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    return NULL;
}

TEST(a_blocking_free_waits_for_the_commands_of_every_queue) {
    need_usm();
    cl_queue_properties any_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queues[] = {
        MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &error)),
        MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, any_order, &error))};
    for (size_t i = 0; i < COUNT(queues); i++) {
        char *p = usm_of(CL_MEM_TYPE_DEVICE_INTEL, 1 << 20), zero = 0;
        cl_event gate = MADE(clCreateUserEvent(cl.context, &error));
        pthread_t thread;
        atomic_store(&opened, 0);
        OK(clEnqueueMemFillINTEL_(queues[i], p, &zero, 1, 1 << 20, 1, &gate, NULL));
        assert_int_equal(pthread_create(&thread, NULL, open_later, gate), 0);
        OK(clMemBlockingFreeINTEL_(cl.context, p));
        assert_int_equal(atomic_load(&opened), 1);
        pthread_join(thread, NULL);
        OK(clReleaseEvent(gate));
    }
    for (size_t i = 0; i < COUNT(queues); i++)
        OK(clReleaseCommandQueue(queues[i]));
}

TEST(what_nobody_frees_dies_with_its_context) {
    need_usm();
    cl_context own = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    for (int i = 0; i < 40; i++)
        MADE(clDeviceMemAllocINTEL_(own, cl.device, NULL, 1 << 16, 0, &error));
    void *p = MADE(clHostMemAllocINTEL_(own, NULL, 16, 0, &error));
    GIVES(CL_INVALID_VALUE, clMemFreeINTEL_(cl.context, p));
    OK(clReleaseContext(own));
}

/* ---- cl_ext_buffer_device_address ---------------------------------------------------------------------- */

static cl_mem addressed(cl_mem_flags flags, size_t size, void *host, cl_mem_device_address_ext *address) {
    cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0}, back[4];
    size_t n;
    cl_mem mem = MADE(clCreateBufferWithProperties(cl.context, properties, flags, size, host, &error));
    OK(clGetMemObjectInfo(mem, CL_MEM_DEVICE_ADDRESS_EXT, sizeof *address, address, &n));
    assert_int_equal(n, sizeof *address); /* for the one device of the context */
    assert_true(*address != 0);
    OK(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, sizeof back, back, &n));
    assert_int_equal(n, sizeof properties);
    assert_memory_equal(back, properties, n);
    return mem;
}

TEST(a_buffer_tells_the_address_that_kernels_see) {
    need("cl_ext_buffer_device_address");
    cl_kernel kernel = kernel_of("kernel void k(global int *p, global ulong *to) { *to = (ulong)p; }", "k");
    cl_mem_device_address_ext address, seen = 0;
    cl_mem mem = addressed(0, 64, NULL, &address), to = buffer_of(0, 8, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof to, &to));
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, to, CL_TRUE, 0, 8, &seen, 0, NULL, NULL));
    assert_int_equal(seen, address);
    OK(clReleaseMemObject(mem));
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(kernel));
    void *svm = clSVMAlloc(cl.context, 0, 64, 0);
    mem = addressed(CL_MEM_USE_HOST_PTR, 64, svm, &address);
    assert_int_equal(address, (uintptr_t)svm);
    OK(clReleaseMemObject(mem));
    clSVMFree(cl.context, svm);
}

TEST(a_kernel_takes_an_address_inside_a_buffer) {
    need("cl_ext_buffer_device_address");
    cl_kernel kernel = kernel_of("kernel void k(global int *p, global int *to, constant int *c, int n) {\n"
                                 "    to[0] = p[0] - p[-2];\n}",
                                 "k");
    cl_mem_device_address_ext address, target;
    int values[] = {10, 20, 50, 70}, result = 0;
    cl_mem mem = addressed(CL_MEM_COPY_HOST_PTR, sizeof values, values, &address),
           to = addressed(0, 4, NULL, &target);
    OK(clSetKernelArgDevicePointerEXT_(kernel, 0, address + 8));
    OK(clSetKernelArgDevicePointerEXT_(kernel, 1, target));
    OK(clSetKernelArg(kernel, 2, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 3, 4, &result));
    cl_mem_device_address_ext both[] = {address, target};
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, sizeof both, both));
    GIVES(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT, 12, both));
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, to, CL_TRUE, 0, 4, &result, 0, NULL, NULL));
    assert_int_equal(result, 40);
    OK(clSetKernelArgDevicePointerEXT_(kernel, 0, 0)); /* one that isn't followed may be anything */
    GIVES(CL_INVALID_ARG_INDEX, clSetKernelArgDevicePointerEXT_(kernel, 2, address));
    GIVES(CL_INVALID_ARG_INDEX, clSetKernelArgDevicePointerEXT_(kernel, 3, address));
    GIVES(CL_INVALID_ARG_INDEX, clSetKernelArgDevicePointerEXT_(kernel, 4, address));
    GIVES(CL_INVALID_KERNEL, clSetKernelArgDevicePointerEXT_(NULL, 0, address));
    OK(clReleaseMemObject(mem));
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(kernel));
}

TEST(a_buffer_without_the_property_has_no_address) {
    need("cl_ext_buffer_device_address");
    cl_mem_properties no[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_FALSE, 0},
                      wrong[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 2, 0},
                      twice[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1, CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 1,
                                 0};
    cl_mem_device_address_ext address;
    cl_mem mems[] = {buffer_of(0, 4, NULL),
                     MADE(clCreateBufferWithProperties(cl.context, no, 0, 4, NULL, &error))};
    for (size_t i = 0; i < COUNT(mems); i++) {
        GIVES(CL_INVALID_OPERATION,
              clGetMemObjectInfo(mems[i], CL_MEM_DEVICE_ADDRESS_EXT, sizeof address, &address, NULL));
        OK(clReleaseMemObject(mems[i]));
    }
    REFUSES(CL_INVALID_PROPERTY, clCreateBufferWithProperties(cl.context, wrong, 0, 4, NULL, &error));
    REFUSES(CL_INVALID_PROPERTY, clCreateBufferWithProperties(cl.context, twice, 0, 4, NULL, &error));
}

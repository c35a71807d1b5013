/* Shared virtual memory: allocation, its commands, kernels on pointers. */
#include <pthread.h>
#include "api.h"

enum { N = 256 };

static cl_device_svm_capabilities able(void) {
    cl_device_svm_capabilities bits = 0;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_SVM_CAPABILITIES, sizeof bits, &bits, NULL));
    return bits;
}

static void *svm_of(cl_svm_mem_flags flags, size_t size) {
    void *at = clSVMAlloc(cl.context, flags, size, 0);
    assert_non_null(at);
    return at;
}

TEST(coarse_grain_sharing_is_always_there) {
    assert_true(able() & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    if (able() & CL_DEVICE_SVM_ATOMICS)
        assert_true(able() & CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
}

TEST(allocation_checks_its_arguments) {
    cl_ulong max;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL));
    assert_null(clSVMAlloc(cl.context, 0, 0, 0));
    assert_null(clSVMAlloc(cl.context, 0, max + 1, 0));
    assert_null(clSVMAlloc(cl.context, CL_MEM_USE_HOST_PTR, 16, 0));
    assert_null(clSVMAlloc(cl.context, CL_MEM_SVM_ATOMICS, 16, 0));
    assert_null(clSVMAlloc(cl.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, 0));
    assert_null(clSVMAlloc(cl.context, 0, 16, 3));
    clSVMFree(cl.context, NULL);
}

TEST(allocations_are_aligned) {
    for (cl_uint align = 1; align <= 128; align *= 2) {
        void *at = clSVMAlloc(cl.context, 0, 1000, align);
        assert_non_null(at);
        assert_int_equal((uintptr_t)at % align, 0);
        clSVMFree(cl.context, at);
    }
    void *at = svm_of(0, 100);
    assert_int_equal((uintptr_t)at % 128, 0); /* of the largest type, long16 */
    clSVMFree(cl.context, at);
}

TEST(fill_copy_and_map_work) {
    int *a = svm_of(0, N * 4), *b = svm_of(CL_MEM_READ_WRITE, N * 4), five = 5;
    OK(clEnqueueSVMMemFill(cl.queue, a, &five, 4, N * 4, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(cl.queue, CL_FALSE, b, a, N * 4, 0, NULL, NULL));
    OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, b, N * 4, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        assert_int_equal(b[i], 5);
    OK(clEnqueueSVMUnmap(cl.queue, b, 0, NULL, NULL));
    const void *list[] = {a, b};
    OK(clEnqueueSVMMigrateMem(cl.queue, 2, list, NULL, 0, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    clSVMFree(cl.context, a);
    clSVMFree(cl.context, b);
}

TEST(commands_tell_their_types) {
    int *a = svm_of(0, N * 4), *b = svm_of(0, N * 4), zero = 0;
    cl_event events[5];
    static const cl_command_type types[5] = {CL_COMMAND_SVM_MEMFILL, CL_COMMAND_SVM_MEMCPY,
                                             CL_COMMAND_SVM_MAP, CL_COMMAND_SVM_UNMAP, CL_COMMAND_SVM_FREE};
    void *freed[] = {b};
    OK(clEnqueueSVMMemFill(cl.queue, a, &zero, 4, N * 4, 0, NULL, &events[0]));
    OK(clEnqueueSVMMemcpy(cl.queue, CL_TRUE, b, a, N * 4, 0, NULL, &events[1]));
    OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, a, N * 4, 0, NULL, &events[2]));
    OK(clEnqueueSVMUnmap(cl.queue, a, 0, NULL, &events[3]));
    OK(clEnqueueSVMFree(cl.queue, 1, freed, NULL, NULL, 0, NULL, &events[4]));
    OK(clFinish(cl.queue));
    for (int i = 0; i < 5; i++) {
        cl_command_type type;
        OK(clGetEventInfo(events[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        assert_int_equal(type, types[i]);
        OK(clReleaseEvent(events[i]));
    }
    clSVMFree(cl.context, a);
}

TEST(commands_check_their_arguments) {
    char *a = svm_of(0, N), *b = svm_of(0, N);
    const void *list[] = {a};
    char pattern[256] = {0};
    cl_command_queue wrong = (cl_command_queue)cl.context;
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemcpy(wrong, CL_TRUE, a, b, N, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMemcpy(cl.queue, CL_TRUE, NULL, b, N, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMemcpy(cl.queue, CL_TRUE, a, NULL, N, 0, NULL, NULL));
    GIVES(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(cl.queue, CL_TRUE, a, a + 8, 16, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemcpy(cl.queue, CL_TRUE, a, b, N, 1, NULL, NULL));
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemFill(wrong, a, pattern, 4, N, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMemFill(cl.queue, NULL, pattern, 4, N, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMemFill(cl.queue, a, NULL, 4, N, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMemFill(cl.queue, a, pattern, 0, N, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMemFill(cl.queue, a, pattern, 3, 3, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMemFill(cl.queue, a, pattern, 256, 256, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMemFill(cl.queue, a, pattern, 4, 6, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMemFill(cl.queue, a + 1, pattern, 4, 8, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemFill(cl.queue, a, pattern, 4, N, 1, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, NULL, N, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, a, 0, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMap(cl.queue, CL_TRUE, 1 << 20, a, N, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, a, N, 1, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMUnmap(cl.queue, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMUnmap(cl.queue, a, 1, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMFree(cl.queue, 1, NULL, NULL, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMFree(cl.queue, 0, (void **)list, NULL, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(cl.queue, 0, list, NULL, 0, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(cl.queue, 1, NULL, NULL, 0, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(cl.queue, 1, list, NULL, 64, 0, NULL, NULL));
    clSVMFree(cl.context, a);
    clSVMFree(cl.context, b);
}

static int freed;
static void CL_CALLBACK free_all(cl_command_queue queue, cl_uint n, void *list[], void *user) {
    for (cl_uint i = 0; i < n; i++)
        clSVMFree(cl.context, list[i]);
    freed = (int)n + *(int *)user;
}

TEST(an_enqueued_free_calls_back) {
    void *list[] = {svm_of(0, 16), svm_of(0, 32)};
    int hundred = 100;
    OK(clEnqueueSVMFree(cl.queue, 2, list, free_all, &hundred, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    assert_int_equal(freed, 102);
}

TEST(kernels_follow_pointers_inside_shared_memory) {
    cl_kernel kernel = kernel_of("struct node { global struct node *next; int value; };"
                                 "kernel void sum(global struct node *at, global int *out) {"
                                 "    int s = 0;"
                                 "    for (; at; at = at->next) s += at->value;"
                                 "    *out = s;"
                                 "}",
                                 "sum");
    struct node {
        struct node *next;
        cl_int value;
    } *nodes = svm_of(0, N * sizeof *nodes);
    cl_int *out = svm_of(0, 4);
    OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, nodes, N * sizeof *nodes, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        nodes[i] = (struct node){i + 1 < N ? &nodes[i + 1] : NULL, i};
    OK(clEnqueueSVMUnmap(cl.queue, nodes, 0, NULL, NULL));
    OK(clSetKernelArgSVMPointer(kernel, 0, nodes));
    OK(clSetKernelArgSVMPointer(kernel, 1, out));
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, out, 4, 0, NULL, NULL));
    assert_int_equal(*out, N * (N - 1) / 2);
    OK(clEnqueueSVMUnmap(cl.queue, out, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    clSVMFree(cl.context, nodes);
    clSVMFree(cl.context, out);
    OK(clReleaseKernel(kernel));
}

TEST(an_argument_may_point_into_the_middle) {
    cl_kernel kernel = kernel_of("kernel void put(global int *p) { p[get_global_id(0)] = 3; }", "put");
    cl_int *block = svm_of(0, N * 4);
    OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, block, N * 4, 0, NULL, NULL));
    memset(block, 0, N * 4);
    OK(clEnqueueSVMUnmap(cl.queue, block, 0, NULL, NULL));
    OK(clSetKernelArgSVMPointer(kernel, 0, block + 10));
    OK(run_1d(kernel, 5, 5));
    OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, block, N * 4, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        assert_int_equal(block[i], i >= 10 && i < 15 ? 3 : 0);
    OK(clEnqueueSVMUnmap(cl.queue, block, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    clSVMFree(cl.context, block);
    OK(clReleaseKernel(kernel));
}

TEST(with_system_sharing_any_pointer_will_do) {
    if (!(able() & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
        skip();
    cl_kernel kernel = kernel_of("kernel void put(global int *p) { p[get_global_id(0)] = 4; }", "put");
    static cl_int values[64];
    cl_bool yes = CL_TRUE;
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
    OK(clSetKernelArgSVMPointer(kernel, 0, values));
    OK(run_1d(kernel, 64, 8));
    for (int i = 0; i < 64; i++)
        assert_int_equal(values[i], 4);
    OK(clReleaseKernel(kernel));
}

TEST(svm_arguments_and_execution_info_check_their_arguments) {
    cl_kernel kernel = kernel_of("kernel void k(global int *p, int v, local int *l) {}", "k");
    void *at = svm_of(0, 16), *list[] = {at};
    GIVES(CL_INVALID_KERNEL, clSetKernelArgSVMPointer((cl_kernel)cl.context, 0, at));
    GIVES(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(kernel, 3, at));
    for (cl_uint i = 1; i <= 2; i++) { /* neither takes a global pointer */
        cl_int code = clSetKernelArgSVMPointer(kernel, i, at);
        assert_true(code == CL_INVALID_ARG_VALUE || code == CL_INVALID_ARG_INDEX);
    }
    OK(clSetKernelArgSVMPointer(kernel, 0, NULL));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list));
    GIVES(CL_INVALID_KERNEL,
          clSetKernelExecInfo((cl_kernel)cl.context, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list));
    GIVES(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0x4242, sizeof list, list));
    GIVES(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, NULL));
    GIVES(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, list));
    clSVMFree(cl.context, at);
    OK(clReleaseKernel(kernel));
}

TEST(a_buffer_may_use_shared_memory) {
    int *at = svm_of(0, N * 4), seven = 7;
    cl_mem mem = buffer_of(CL_MEM_USE_HOST_PTR, N * 4, at);
    cl_bool uses = CL_FALSE;
    OK(clGetMemObjectInfo(mem, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
    assert_int_equal(uses, CL_TRUE);
    OK(clEnqueueFillBuffer(cl.queue, mem, &seven, 4, 0, N * 4, 0, NULL, NULL));
    OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_READ, at, N * 4, 0, NULL, NULL));
    assert_int_equal(at[N - 1], 7);
    OK(clEnqueueSVMUnmap(cl.queue, at, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clReleaseMemObject(mem));
    clSVMFree(cl.context, at);
}

/* The host raises a counter while kernels run; fine-grain sharing with atomics keeps every increment. */
TEST(host_and_kernel_share_atomics) {
    if (!(able() & CL_DEVICE_SVM_ATOMICS))
        skip();
    cl_kernel kernel =
        kernel_of("kernel void k(global int *p) { for (int i = 0; i < 100; i++) atomic_inc(p); }", "k");
    cl_int *counter = svm_of(CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 4);
    size_t global = 1024;
    *counter = 0;
    OK(clSetKernelArgSVMPointer(kernel, 0, counter));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clFlush(cl.queue));
    for (int i = 0; i < 100000; i++)
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    OK(clFinish(cl.queue));
    assert_int_equal(*counter, 100000 + 102400);
    clSVMFree(cl.context, counter);
    OK(clReleaseKernel(kernel));
}

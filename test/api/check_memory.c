/* The checker on memory of the host and of devices: uses of blocks that were freed, or are freed too early. */
#include "check.h"

#define N 256
#define CHASE                                                                                                \
    "kernel void chase(global ulong *from, global int *to) {\n"                                              \
    "    global int *p = (global int *)from[0];\n"                                                           \
    "    to[get_global_id(0)] = p[get_global_id(0)];\n"                                                      \
    "}\n"                                                                                                    \
    "kernel void put(global int *p) { p[get_global_id(0)] = get_global_id(0); }\n"

static cl_int *shared(cl_svm_mem_flags flags) {
    cl_int *p = clSVMAlloc(cl.context, CL_MEM_READ_WRITE | flags, N * sizeof *p, 0);
    assert_non_null(p);
    return p;
}

static cl_kernel putter(void *p) {
    cl_kernel kernel = kernel_of(CHASE, "put");
    OK(clSetKernelArgSVMPointer(kernel, 0, p));
    return kernel;
}

/* A kernel that reads through a pointer that it finds in a buffer. */
static cl_kernel chaser(void *p) {
    cl_ulong address = (uintptr_t)p;
    cl_mem from = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof address, &address), to = buffer_of(0, N * 4, NULL);
    cl_kernel kernel = kernel_on(CHASE, "chase", from);
    OK(clSetKernelArg(kernel, 1, sizeof to, &to));
    return kernel;
}

/* Commands end, and the host asks nobody: that it is so doesn't say that it must be. */
static void run_unseen(void) {
    OK(clFlush(cl.queue));
    usleep(300000);
}

TEST(a_kernel_that_reads_a_freed_block_by_a_pointer_in_memory_is_stopped) {
    if (!checked(__func__, "use-after-free|kernel\":\"chase|4 bytes at offset |of memory of 1024 bytes, "
                           "which clSVMFree freed"))
        return;
    cl_int *p = shared(0);
    cl_kernel kernel = chaser(p);
    clSVMFree(cl.context, p);
    GIVES(CL_SUCCESS, run_1d(kernel, N, 64));
    still_works();
}

TEST(a_kernel_that_reads_a_block_that_is_there_is_fine) {
    if (!checked(__func__, NULL))
        return;
    cl_int *p = shared(0), *other = shared(0);
    memset(p, 0, N * sizeof *p);
    clSVMFree(cl.context, other);
    OK(run_1d(chaser(p), N, 64));
    clSVMFree(cl.context, p);
}

TEST(a_tile_that_is_larger_than_before_has_an_end_that_nobody_writes) {
    if (!checked(__func__, "uninitialized-read|kernel\":\"turn|tile[64]"))
        return;
    cl_mem out = buffer_of(0, N * 4, NULL);
    cl_kernel kernel = kernel_on("kernel void turn(global int *out, int last, local int *tile) {\n"
                                 "    int l = get_local_id(0);\n"
                                 "    tile[l] = l;\n"
                                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                 "    out[get_global_id(0)] = tile[l < 63 ? l + 1 : last];\n"
                                 "}\n",
                                 "turn", out);
    for (cl_int more = 0; more < 2; more++) {
        cl_int last = more ? 64 : 0;
        OK(clSetKernelArg(kernel, 1, sizeof last, &last));
        OK(clSetKernelArg(kernel, 2, (64 + (size_t)more) * 4, NULL));
        OK(run_1d(kernel, N, 64));
    }
}

TEST(a_wild_pointer_stops_its_kernel_and_not_the_process) {
    if (!checked(__func__, "out-of-bounds|kernel\":\"chase|at address 0x12345"))
        return;
    run_1d(chaser((void *)(uintptr_t)0x123450000), N, 64);
    still_works();
}

TEST(memory_of_the_host_may_be_read_by_pointers) {
    if (!checked(__func__, NULL))
        return;
    static cl_int values[N];
    cl_int *fresh_block = calloc(N, sizeof *fresh_block);
    OK(run_1d(chaser(values), N, 64));
    OK(run_1d(chaser(fresh_block), N, 64));
    free(fresh_block);
}

TEST(a_pointer_in_memory_is_followed_beyond_its_block) {
    if (!checked(__func__,
                 "out-of-bounds|kernel\":\"chase|4 bytes at offset 1024 of a block of shared memory, which "
                 "has 1024 bytes"))
        return;
    cl_int *p = shared(0);
    memset(p, 0, N * sizeof *p);
    run_1d(chaser(p + 1), N, 64);
    still_works();
}

TEST(a_pointer_in_memory_is_followed_before_its_block) {
    if (!checked(__func__, "out-of-bounds|kernel\":\"chase|4 bytes at offset -4 of a block of shared memory"))
        return;
    cl_int *p = shared(0);
    memset(p, 0, N * sizeof *p);
    run_1d(chaser(p - 1), N, 64);
    still_works();
}

TEST(an_argument_is_used_beyond_its_block) {
    if (!checked(__func__,
                 "out-of-bounds|kernel\":\"put|4 bytes at offset 1024 of argument 'p', which has 1024"))
        return;
    cl_int *p = shared(0);
    run_1d(putter(p), N + 64, 64);
    still_works();
}

TEST(an_argument_points_into_the_middle_of_its_block) {
    if (!checked(__func__, NULL))
        return;
    cl_int *p = shared(0);
    OK(run_1d(putter(p + N / 2), N / 2, 64));
    clSVMFree(cl.context, p);
}

TEST(an_argument_that_was_freed_is_told) {
    if (!checked(__func__, "use-after-free|kernel\":\"put|writes"))
        return;
    cl_int *p = shared(0);
    cl_kernel kernel = putter(p);
    clSVMFree(cl.context, p);
    run_1d(kernel, N, 64);
}

TEST(a_released_buffer_is_told_by_its_address) {
    if (!checked(__func__,
                 "use-after-free|kernel\":\"chase|memory of 1024 bytes, which clReleaseMemObject freed"))
        return;
    cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    cl_mem mem = MADE(clCreateBufferWithProperties(cl.context, properties, 0, N * 4, NULL, &error));
    cl_mem_device_address_ext address;
    OK(clGetMemObjectInfo(mem, CL_MEM_DEVICE_ADDRESS_EXT, sizeof address, &address, NULL));
    OK(clReleaseMemObject(mem));
    run_1d(chaser((void *)(uintptr_t)address), N, 64);
}

TEST(memory_that_is_freed_before_its_kernel_has_ended_is_told_at_the_free) {
    if (!checked(__func__,
                 "use-after-free|clSVMFree|frees it|kernel put, the 1st command of queue 1|1024 bytes"))
        return;
    cl_int *p = shared(0);
    launch(cl.queue, putter(p), N, 0, NULL, NULL);
    run_unseen();
    clSVMFree(cl.context, p);
    OK(clFinish(cl.queue));
}

TEST(memory_that_a_copy_uses_is_freed_too_early) {
    if (!checked(__func__, "use-after-free|clSVMFree|clEnqueueSVMMemcpy, the 1st command of queue 1"))
        return;
    static cl_int host[N];
    cl_int *p = shared(0);
    OK(clEnqueueSVMMemcpy(cl.queue, CL_FALSE, p, host, sizeof host, 0, NULL, NULL));
    clSVMFree(cl.context, p);
    OK(clFinish(cl.queue));
}

TEST(memory_that_is_freed_in_the_order_of_its_queue_is_fine) {
    if (!checked(__func__, NULL))
        return;
    cl_int *p = shared(0), *q = shared(0);
    void *list[] = {p};
    launch(cl.queue, putter(p), N, 0, NULL, NULL);
    OK(clEnqueueSVMFree(cl.queue, 1, list, NULL, NULL, 0, NULL, NULL));
    launch(cl.queue, putter(q), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    clSVMFree(cl.context, q);
}

TEST(a_command_of_another_queue_that_frees_waits_for_nothing) {
    if (!checked(__func__, "+use-after-free|clEnqueueSVMFree, the 1st command of queue 2|kernel put"))
        return;
    cl_command_queue other = queue_of(0);
    cl_int *p = shared(0);
    void *list[] = {p};
    cl_event user = MADE(clCreateUserEvent(cl.context, &error));
    launch(cl.queue, putter(p), N, 0, NULL, NULL);
    OK(clEnqueueSVMFree(other, 1, list, NULL, NULL, 1, &user, NULL));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

/* Its work-item writes `p`, waits for the host between, and writes `p` again. */
#define HOLD                                                                                                 \
    "kernel void hold(global int *p, global atomic_int *turn) {\n"                                           \
    "    for (int round = 0; round < 2; round++) {\n"                                                        \
    "        p[0] = round;\n"                                                                                \
    "        atomic_store_explicit(turn, 1, memory_order_release, memory_scope_all_svm_devices);\n"          \
    "        while (!round && atomic_load_explicit(turn, memory_order_acquire, "                             \
    "memory_scope_all_svm_devices) != 2)\n"                                                                  \
    "            ;\n"                                                                                        \
    "    }\n"                                                                                                \
    "}\n"

/* Nothing is reported: the host has seen what the kernel wrote, which may be all that it does. */
TEST(the_checker_outlives_a_block_that_is_freed_while_a_kernel_uses_it) {
    if (!checked(__func__, NULL))
        return;
    cl_int *p = shared(0);
    cl_int *turn = shared(CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS);
    *turn = 0;
    cl_program program = build(HOLD, "-cl-std=CL2.0");
    cl_kernel kernel = MADE(clCreateKernel(program, "hold", &error));
    OK(clSetKernelArgSVMPointer(kernel, 0, p));
    OK(clSetKernelArgSVMPointer(kernel, 1, turn));
    launch(cl.queue, kernel, 1, 0, NULL, NULL);
    OK(clFlush(cl.queue));
    while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) != 1)
        usleep(100);
    clSVMFree(cl.context, p);
    __atomic_store_n(turn, 2, __ATOMIC_RELEASE);
    clFinish(cl.queue);
    still_works();
}

TEST(a_buffer_may_be_released_while_a_kernel_uses_it) {
    if (!checked(__func__, NULL))
        return;
    cl_mem mem = buffer_of(0, N * 4, NULL);
    launch(cl.queue, kernel_on(CHASE, "put", mem), N, 0, NULL, NULL);
    OK(clReleaseMemObject(mem));
    OK(clFinish(cl.queue));
}

EXTENSION(clSharedMemAllocINTEL)
EXTENSION(clMemFreeINTEL)
EXTENSION(clMemBlockingFreeINTEL)
EXTENSION(clSetKernelArgMemPointerINTEL)

static void find_functions(void){FIND(clSharedMemAllocINTEL) FIND(clMemFreeINTEL) FIND(clMemBlockingFreeINTEL)
                                     FIND(clSetKernelArgMemPointerINTEL)}

TEST(unified_shared_memory_is_told_like_that_of_clSVMAlloc) {
    if (!checked(__func__, "use-after-free|clMemFreeINTEL|kernel put, the 1st command of queue 1"))
        return;
    find_functions();
    cl_int *p = MADE(clSharedMemAllocINTEL_(cl.context, cl.device, NULL, N * sizeof *p, 0, &error));
    cl_kernel kernel = kernel_of(CHASE, "put");
    OK(clSetKernelArgMemPointerINTEL_(kernel, 0, p));
    launch(cl.queue, kernel, N, 0, NULL, NULL);
    run_unseen();
    OK(clMemFreeINTEL_(cl.context, p));
    OK(clFinish(cl.queue));
}

TEST(a_free_that_waits_is_fine) {
    if (!checked(__func__, NULL))
        return;
    find_functions();
    cl_int *p = MADE(clSharedMemAllocINTEL_(cl.context, cl.device, NULL, N * sizeof *p, 0, &error));
    cl_kernel kernel = kernel_of(CHASE, "put");
    OK(clSetKernelArgMemPointerINTEL_(kernel, 0, p));
    launch(cl.queue, kernel, N, 0, NULL, NULL);
    OK(clMemBlockingFreeINTEL_(cl.context, p));
    OK(clFinish(cl.queue));
}

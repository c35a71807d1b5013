/* command_buffer.h: the functions of cl_khr_command_buffer and its layers, and what their tests share. */
#ifndef COMMAND_BUFFER_H
#define COMMAND_BUFFER_H

#include "api.h"

// clang-format off
#define KHR_FUNCTIONS(X)                                                                                     \
    X(clCreateCommandBufferKHR) X(clFinalizeCommandBufferKHR) X(clRetainCommandBufferKHR)                    \
    X(clReleaseCommandBufferKHR) X(clEnqueueCommandBufferKHR) X(clGetCommandBufferInfoKHR)                   \
    X(clCommandBarrierWithWaitListKHR) X(clCommandCopyBufferKHR) X(clCommandCopyBufferRectKHR)               \
    X(clCommandCopyBufferToImageKHR) X(clCommandCopyImageKHR) X(clCommandCopyImageToBufferKHR)               \
    X(clCommandFillBufferKHR) X(clCommandFillImageKHR) X(clCommandNDRangeKernelKHR)                          \
    X(clCommandSVMMemcpyKHR) X(clCommandSVMMemFillKHR) X(clRemapCommandBufferKHR)                            \
    X(clUpdateMutableCommandsKHR) X(clGetMutableCommandInfoKHR)
// clang-format on
KHR_FUNCTIONS(EXTENSION)

/* Of these queues; called first, it finds the functions. */
SHARED cl_command_buffer_khr recorder(cl_uint n, const cl_command_queue *queues,
                                      cl_command_buffer_flags_khr flags) {
    KHR_FUNCTIONS(FIND)
    cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    return MADE(clCreateCommandBufferKHR_(n, queues, list, &error));
}

SHARED cl_int state_of(cl_command_buffer_khr buffer) {
    cl_command_buffer_state_khr state = 77;
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, NULL));
    return (cl_int)state;
}

/* Records a kernel of `n` work-items, after the given sync points. */
SHARED cl_sync_point_khr record(cl_command_buffer_khr buffer, cl_command_queue queue, cl_kernel kernel,
                                size_t n, cl_uint nwait, const cl_sync_point_khr *wait) {
    cl_sync_point_khr point = 0;
    OK(clCommandNDRangeKernelKHR_(buffer, queue, NULL, kernel, 1, NULL, &n, NULL, nwait, nwait ? wait : NULL,
                                  &point, NULL));
    assert_true(point != 0);
    return point;
}

SHARED void run_buffer(cl_command_buffer_khr buffer) {
    cl_event event;
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, &event));
    OK(clWaitForEvents(1, &event));
    OK(clReleaseEvent(event));
}

#endif

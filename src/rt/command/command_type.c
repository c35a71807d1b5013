/* command_type.c: what commands are called: by the call that enqueues them, and by their type's name. */
#include "rt.h"

// clang-format off: one row each
#define COMMANDS(X) \
    X(NDRANGE_KERNEL, clEnqueueNDRangeKernel) \
    X(TASK, clEnqueueTask) \
    X(NATIVE_KERNEL, clEnqueueNativeKernel) \
    X(READ_BUFFER, clEnqueueReadBuffer) \
    X(WRITE_BUFFER, clEnqueueWriteBuffer) \
    X(COPY_BUFFER, clEnqueueCopyBuffer) \
    X(READ_IMAGE, clEnqueueReadImage) \
    X(WRITE_IMAGE, clEnqueueWriteImage) \
    X(COPY_IMAGE, clEnqueueCopyImage) \
    X(COPY_IMAGE_TO_BUFFER, clEnqueueCopyImageToBuffer) \
    X(COPY_BUFFER_TO_IMAGE, clEnqueueCopyBufferToImage) \
    X(MAP_BUFFER, clEnqueueMapBuffer) \
    X(MAP_IMAGE, clEnqueueMapImage) \
    X(UNMAP_MEM_OBJECT, clEnqueueUnmapMemObject) \
    X(MARKER, clEnqueueMarkerWithWaitList) \
    X(READ_BUFFER_RECT, clEnqueueReadBufferRect) \
    X(WRITE_BUFFER_RECT, clEnqueueWriteBufferRect) \
    X(COPY_BUFFER_RECT, clEnqueueCopyBufferRect) \
    X(BARRIER, clEnqueueBarrierWithWaitList) \
    X(MIGRATE_MEM_OBJECTS, clEnqueueMigrateMemObjects) \
    X(FILL_BUFFER, clEnqueueFillBuffer) \
    X(FILL_IMAGE, clEnqueueFillImage) \
    X(SVM_FREE, clEnqueueSVMFree) \
    X(SVM_MEMCPY, clEnqueueSVMMemcpy) \
    X(SVM_MEMFILL, clEnqueueSVMMemFill) \
    X(SVM_MAP, clEnqueueSVMMap) \
    X(SVM_UNMAP, clEnqueueSVMUnmap) \
    X(SVM_MIGRATE_MEM, clEnqueueSVMMigrateMem) \
    X(MEMFILL_INTEL, clEnqueueMemFillINTEL) \
    X(MEMCPY_INTEL, clEnqueueMemcpyINTEL) \
    X(MIGRATEMEM_INTEL, clEnqueueMigrateMemINTEL) \
    X(MEMADVISE_INTEL, clEnqueueMemAdviseINTEL) \
    X(COMMAND_BUFFER_KHR, clEnqueueCommandBufferKHR) \
    X(SEMAPHORE_SIGNAL_KHR, clEnqueueSignalSemaphoresKHR) \
    X(SEMAPHORE_WAIT_KHR, clEnqueueWaitSemaphoresKHR) \
    X(USER, clCreateUserEvent)
// clang-format on

#define ROW(type, call) {CL_COMMAND_##type, #type, #call},
static const struct {
    cl_command_type type;
    const char *name, *call;
} commands[] = {COMMANDS(ROW)};

const char *command_name(cl_command_type type) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (commands[i].type == type)
            return commands[i].name;
    return "COMMAND";
}

const char *command_call(cl_command_type type) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (commands[i].type == type)
            return commands[i].call;
    return "a command";
}

/* Every function of the API, with arguments that are right, from four threads at once, which share a context, queues and most
 * objects. What they write lies apart. Builds with ThreadSanitizer show here which function isn't safe beside which other.
 */
#include <pthread.h>
#include "command_buffer.h"
#include "../harness/fuzz/words/functions.h"

enum { THREADS = 4, PART = 4096, ROUNDS = 3 };

// clang-format off
#define MORE_FUNCTIONS(X)                                                                                    \
    X(clCreateSemaphoreWithPropertiesKHR) X(clEnqueueWaitSemaphoresKHR) X(clEnqueueSignalSemaphoresKHR)      \
    X(clGetSemaphoreInfoKHR) X(clRetainSemaphoreKHR) X(clReleaseSemaphoreKHR) X(clHostMemAllocINTEL)         \
    X(clDeviceMemAllocINTEL) X(clSharedMemAllocINTEL) X(clMemFreeINTEL) X(clMemBlockingFreeINTEL)            \
    X(clGetMemAllocInfoINTEL) X(clSetKernelArgMemPointerINTEL) X(clEnqueueMemFillINTEL)                      \
    X(clEnqueueMemcpyINTEL) X(clEnqueueMigrateMemINTEL) X(clEnqueueMemAdviseINTEL)                           \
    X(clGetKernelSuggestedLocalWorkSizeKHR) X(clGetKernelSubGroupInfoKHR)
// clang-format on
MORE_FUNCTIONS(EXTENSION)

static const char source[] = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
                             "kernel void set(global int *p) { p[get_global_id(0)] = 7; }\n";

static struct {
    cl_command_queue anyhow; /* out of order */
    cl_program program;
    cl_kernel kernel; /* whose arguments nobody changes */
    cl_mem buffer, target, image;
    cl_sampler sampler;
    cl_event done;
    cl_semaphore_khr semaphore;
    cl_command_buffer_khr recorded;
} all;

/* A thread's own. */
struct own {
    size_t number, from; /* where its part of buffers begins */
    int mistakes;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem buffer;
    char host[PART], *svm;
};

static void check(struct own *o, cl_int code, const char *call) {
    if (!code)
        return;
    o->mistakes++;
    print_error("%s gave %d\n", call, code);
}
#define RUNS(call) check(o, (call), #call)
/* The value of a creating call, which writes its code to `error`. */
#define GETS(call)                                                                                           \
    ({                                                                                                       \
        __typeof__(call) value = (error = 12345, (call));                                                    \
        check(o, error, #call);                                                                              \
        value;                                                                                               \
    })

static struct row {
    const char *name;
    void (*call)(struct own *);
} rows[200];
static size_t nrows;
#define CALL(function)                                                                                       \
    static void call_##function(struct own *);                                                               \
    static __attribute__((constructor)) void row_##function(void) {                                          \
        rows[nrows++] = (struct row){#function, call_##function};                                            \
    }                                                                                                        \
    static void call_##function(struct own *o)
/* One that is done by another's row. */
#define WITH(function, other)                                                                                \
    static __attribute__((constructor)) void row_##function(void) {                                          \
        rows[nrows++] = (struct row){#function, call_##other};                                               \
    }
#define COUNTED(retain, release, object)                                                                     \
    CALL(retain) {                                                                                           \
        RUNS(retain(object));                                                                                \
        RUNS(release(object));                                                                               \
    }
#define ASKED(function, ...)                                                                                 \
    CALL(function) {                                                                                         \
        char answer[8192];                                                                                   \
        size_t size;                                                                                         \
        RUNS(function(__VA_ARGS__, sizeof answer, answer, &size));                                           \
    }
/* One more command, whose event is waited for. */
#define COMMAND(function, ...)                                                                               \
    CALL(function) {                                                                                         \
        cl_event event = NULL;                                                                               \
        RUNS(function(__VA_ARGS__, 1, &all.done, &event));                                                   \
        RUNS(clWaitForEvents(1, &event));                                                                    \
        RUNS(clReleaseEvent(event));                                                                         \
    }

/* ---- platforms, devices, contexts, queues ---- */

CALL(clGetPlatformIDs) {
    cl_platform_id platform;
    RUNS(clGetPlatformIDs(1, &platform, NULL));
}
ASKED(clGetPlatformInfo, cl.platform, CL_PLATFORM_EXTENSIONS)
CALL(clGetDeviceIDs) {
    cl_device_id device;
    RUNS(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
}
ASKED(clGetDeviceInfo, cl.device, CL_DEVICE_EXTENSIONS)
COUNTED(clRetainDevice, clReleaseDevice, cl.device)
CALL(clCreateSubDevices) {
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id devices[64];
    cl_uint n = 0;
    RUNS(clCreateSubDevices(cl.device, equally, 64, devices, &n));
    if (n) {
        cl_context context = GETS(clCreateContext(NULL, n, devices, NULL, NULL, &error));
        RUNS(clReleaseContext(context));
    }
    while (n)
        RUNS(clReleaseDevice(devices[--n]));
}
WITH(clReleaseDevice, clCreateSubDevices)
CALL(clSetDefaultDeviceCommandQueue) {
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue = GETS(clCreateCommandQueueWithProperties(cl.context, cl.device, list, &error));
    RUNS(clSetDefaultDeviceCommandQueue(cl.context, cl.device, queue));
    RUNS(clReleaseCommandQueue(queue));
}
CALL(clGetDeviceAndHostTimer) {
    cl_ulong device, host;
    RUNS(clGetDeviceAndHostTimer(cl.device, &device, &host));
}
CALL(clGetHostTimer) {
    cl_ulong host;
    RUNS(clGetHostTimer(cl.device, &host));
}
CALL(clCreateContext) {
    cl_context context = GETS(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    RUNS(clReleaseContext(context));
}
WITH(clReleaseContext, clCreateContext)
CALL(clCreateContextFromType) {
    cl_context context = GETS(clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, &error));
    RUNS(clReleaseContext(context));
}
COUNTED(clRetainContext, clReleaseContext, cl.context)
ASKED(clGetContextInfo, cl.context, CL_CONTEXT_DEVICES)
static void CL_CALLBACK context_ends(cl_context context, void *count) {
    ++*(int *)count;
}
CALL(clSetContextDestructorCallback) {
    int count = 0;
    cl_context context = GETS(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    RUNS(clSetContextDestructorCallback(context, context_ends, &count));
    RUNS(clReleaseContext(context));
    o->mistakes += count != 1;
}
CALL(clTerminateContextKHR) {
    static __typeof__(clTerminateContextKHR) *terminate;
    __atomic_store_n(&terminate,
                     clGetExtensionFunctionAddressForPlatform(cl.platform, "clTerminateContextKHR"),
                     __ATOMIC_RELAXED);
    const cl_context_properties list[] = {CL_CONTEXT_TERMINATE_KHR, CL_TRUE, 0};
    cl_context context = GETS(clCreateContext(list, 1, &cl.device, NULL, NULL, &error));
    RUNS(__atomic_load_n(&terminate, __ATOMIC_RELAXED)(context));
    RUNS(clReleaseContext(context));
}
CALL(clCreateCommandQueue) {
    cl_command_queue queue = GETS(clCreateCommandQueue(cl.context, cl.device, 0, &error));
    RUNS(clReleaseCommandQueue(queue));
}
WITH(clReleaseCommandQueue, clCreateCommandQueue)
CALL(clCreateCommandQueueWithProperties) {
    cl_command_queue queue = GETS(clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &error));
    RUNS(clReleaseCommandQueue(queue));
}
COUNTED(clRetainCommandQueue, clReleaseCommandQueue, all.anyhow)
ASKED(clGetCommandQueueInfo, all.anyhow, CL_QUEUE_PROPERTIES)
CALL(clFlush) {
    RUNS(clFlush(all.anyhow));
}
CALL(clFinish) {
    RUNS(clFinish(all.anyhow));
    RUNS(clFinish(cl.queue));
}

/* ---- memory ---- */

#define MADE_AND_FREED(function, ...)                                                                        \
    CALL(function) {                                                                                         \
        cl_mem mem = GETS(function(__VA_ARGS__, &error));                                                    \
        RUNS(clReleaseMemObject(mem));                                                                       \
    }
static const cl_image_format rgba = {CL_RGBA, CL_UNSIGNED_INT8};
static const cl_image_desc square = {
    .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
MADE_AND_FREED(clCreateBuffer, cl.context, CL_MEM_COPY_HOST_PTR, PART, o->host)
WITH(clReleaseMemObject, clCreateBuffer)
MADE_AND_FREED(clCreateBufferWithProperties, cl.context, NULL, 0, PART, NULL)
MADE_AND_FREED(clCreateSubBuffer, all.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION,
               (&(cl_buffer_region){o->from, PART}))
MADE_AND_FREED(clCreateImage, cl.context, 0, &rgba, &square, NULL)
MADE_AND_FREED(clCreateImageWithProperties, cl.context, NULL, 0, &rgba, &square, NULL)
MADE_AND_FREED(clCreateImage2D, cl.context, 0, &rgba, 16, 16, 0, NULL)
MADE_AND_FREED(clCreateImage3D, cl.context, 0, &rgba, 16, 16, 2, 0, 0, NULL)
CALL(clCreatePipe) {
    cl_uint size = 0;
    cl_mem pipe = GETS(clCreatePipe(cl.context, CL_MEM_HOST_NO_ACCESS, 4, 16, NULL, &error));
    RUNS(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof size, &size, NULL));
    RUNS(clReleaseMemObject(pipe));
    o->mistakes += size != 4;
}
WITH(clGetPipeInfo, clCreatePipe)
COUNTED(clRetainMemObject, clReleaseMemObject, all.buffer)
ASKED(clGetMemObjectInfo, all.buffer, CL_MEM_SIZE)
ASKED(clGetImageInfo, all.image, CL_IMAGE_WIDTH)
CALL(clGetSupportedImageFormats) {
    cl_uint n;
    RUNS(clGetSupportedImageFormats(cl.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n));
}
static void CL_CALLBACK mem_ends(cl_mem mem, void *arg) {
}
CALL(clSetMemObjectDestructorCallback) {
    cl_mem mem = GETS(clCreateBuffer(cl.context, 0, 64, NULL, &error));
    RUNS(clSetMemObjectDestructorCallback(mem, mem_ends, NULL));
    RUNS(clReleaseMemObject(mem));
}
CALL(clSVMAlloc) {
    void *memory = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 0);
    o->mistakes += !memory;
    clSVMFree(cl.context, memory);
}
WITH(clSVMFree, clSVMAlloc)
CALL(clCreateSampler) {
    cl_sampler sampler =
        GETS(clCreateSampler(cl.context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &error));
    RUNS(clReleaseSampler(sampler));
}
WITH(clReleaseSampler, clCreateSampler)
CALL(clCreateSamplerWithProperties) {
    cl_sampler sampler = GETS(clCreateSamplerWithProperties(cl.context, NULL, &error));
    RUNS(clReleaseSampler(sampler));
}
COUNTED(clRetainSampler, clReleaseSampler, all.sampler)
ASKED(clGetSamplerInfo, all.sampler, CL_SAMPLER_FILTER_MODE)
CALL(clHostMemAllocINTEL) {
    void *memory = GETS(clHostMemAllocINTEL_(cl.context, NULL, 64, 0, &error));
    cl_uint type = 0;
    RUNS(clGetMemAllocInfoINTEL_(cl.context, memory, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL));
    RUNS(clMemFreeINTEL_(cl.context, memory));
    o->mistakes += type != CL_MEM_TYPE_HOST_INTEL;
}
WITH(clMemFreeINTEL, clHostMemAllocINTEL)
WITH(clGetMemAllocInfoINTEL, clHostMemAllocINTEL)
CALL(clDeviceMemAllocINTEL) {
    void *memory = GETS(clDeviceMemAllocINTEL_(cl.context, cl.device, NULL, 64, 0, &error));
    RUNS(clSetKernelArgMemPointerINTEL_(o->kernel, 0, memory));
    RUNS(clMemBlockingFreeINTEL_(cl.context, memory));
}
WITH(clSetKernelArgMemPointerINTEL, clDeviceMemAllocINTEL)
WITH(clMemBlockingFreeINTEL, clDeviceMemAllocINTEL)
CALL(clSharedMemAllocINTEL) {
    void *memory = GETS(clSharedMemAllocINTEL_(cl.context, cl.device, NULL, 64, 0, &error));
    RUNS(clMemFreeINTEL_(cl.context, memory));
}

/* ---- programs and kernels ---- */

CALL(clCreateProgramWithSource) {
    const char *text = source;
    cl_program program = GETS(clCreateProgramWithSource(cl.context, 1, &text, NULL, &error));
    RUNS(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = GETS(clCreateKernel(program, "add", &error));
    RUNS(clReleaseKernel(kernel));
    RUNS(clReleaseProgram(program));
}
WITH(clBuildProgram, clCreateProgramWithSource)
WITH(clReleaseProgram, clCreateProgramWithSource)
WITH(clReleaseKernel, clCreateProgramWithSource)
CALL(clCompileProgram) {
    const char *text = "#include \"h\"\nkernel void k(global int *p) { *p = H; }", *header = "#define H 3",
               *name = "h";
    cl_program program = GETS(clCreateProgramWithSource(cl.context, 1, &text, NULL, &error));
    cl_program included = GETS(clCreateProgramWithSource(cl.context, 1, &header, NULL, &error));
    RUNS(clCompileProgram(program, 0, NULL, "", 1, &included, &name, NULL, NULL));
    cl_program linked = GETS(clLinkProgram(cl.context, 0, NULL, "", 1, &program, NULL, NULL, &error));
    RUNS(clReleaseProgram(linked));
    RUNS(clReleaseProgram(included));
    RUNS(clReleaseProgram(program));
}
WITH(clLinkProgram, clCompileProgram)
CALL(clCreateProgramWithBinary) {
    size_t size;
    RUNS(clGetProgramInfo(all.program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = malloc(size);
    RUNS(clGetProgramInfo(all.program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program program = GETS(clCreateProgramWithBinary(cl.context, 1, &cl.device, &size,
                                                        (const unsigned char **)&binary, NULL, &error));
    RUNS(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    RUNS(clReleaseProgram(program));
    free(binary);
}
COUNTED(clRetainProgram, clReleaseProgram, all.program)
ASKED(clGetProgramInfo, all.program, CL_PROGRAM_KERNEL_NAMES)
ASKED(clGetProgramBuildInfo, all.program, cl.device, CL_PROGRAM_BUILD_LOG)
CALL(clUnloadPlatformCompiler) {
    RUNS(clUnloadPlatformCompiler(cl.platform));
}
CALL(clCreateKernel) {
    cl_kernel kernel = GETS(clCreateKernel(all.program, "set", &error));
    RUNS(clSetKernelArg(kernel, 0, sizeof o->buffer, &o->buffer));
    RUNS(clReleaseKernel(kernel));
}
CALL(clCreateKernelsInProgram) {
    cl_kernel kernels[2];
    RUNS(clCreateKernelsInProgram(all.program, 2, kernels, NULL));
    RUNS(clReleaseKernel(kernels[0]));
    RUNS(clReleaseKernel(kernels[1]));
}
CALL(clCloneKernel) {
    cl_kernel kernel = GETS(clCloneKernel(all.kernel, &error));
    RUNS(clReleaseKernel(kernel));
}
COUNTED(clRetainKernel, clReleaseKernel, all.kernel)
CALL(clSetKernelArg) {
    RUNS(clSetKernelArg(o->kernel, 0, sizeof o->buffer, &o->buffer));
}
CALL(clSetKernelArgSVMPointer) {
    RUNS(clSetKernelArgSVMPointer(o->kernel, 0, o->svm));
}
CALL(clSetKernelExecInfo) {
    RUNS(clSetKernelExecInfo(o->kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof o->svm, &o->svm));
}
ASKED(clGetKernelInfo, all.kernel, CL_KERNEL_FUNCTION_NAME)
CALL(clGetKernelArgInfo) {
    char name[8];
    cl_int code = clGetKernelArgInfo(all.kernel, 0, CL_KERNEL_ARG_NAME, sizeof name, name, NULL);
    o->mistakes += code && code != CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}
ASKED(clGetKernelWorkGroupInfo, all.kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE)
CALL(clGetKernelSubGroupInfo) {
    size_t local = 64, n;
    RUNS(clGetKernelSubGroupInfo(all.kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                 sizeof local, &local, sizeof n, &n, NULL));
}

WITH(clGetKernelSubGroupInfoKHR, clGetKernelSubGroupInfo)
CALL(clGetKernelSuggestedLocalWorkSizeKHR) {
    size_t n = 64, local;
    RUNS(clGetKernelSuggestedLocalWorkSizeKHR_(cl.queue, all.kernel, 1, NULL, &n, &local));
}
WITH(clGetKernelSuggestedLocalWorkSize, clGetKernelSuggestedLocalWorkSizeKHR)

/* ---- events ---- */

CALL(clCreateUserEvent) {
    cl_event user = GETS(clCreateUserEvent(cl.context, &error)), after = NULL;
    RUNS(clEnqueueMarkerWithWaitList(all.anyhow, 1, &user, &after));
    RUNS(clSetUserEventStatus(user, CL_COMPLETE));
    RUNS(clWaitForEvents(1, &after));
    RUNS(clReleaseEvent(after));
    RUNS(clReleaseEvent(user));
}
WITH(clSetUserEventStatus, clCreateUserEvent)
WITH(clWaitForEvents, clCreateUserEvent)
WITH(clReleaseEvent, clCreateUserEvent)
COUNTED(clRetainEvent, clReleaseEvent, all.done)
ASKED(clGetEventInfo, all.done, CL_EVENT_COMMAND_EXECUTION_STATUS)
ASKED(clGetEventProfilingInfo, all.done, CL_PROFILING_COMMAND_END)
static void CL_CALLBACK event_ends(cl_event event, cl_int status, void *arg) {
}
CALL(clSetEventCallback) {
    RUNS(clSetEventCallback(all.done, CL_COMPLETE, event_ends, NULL));
}

/* ---- commands ---- */

static const size_t three[3] = {4, 4, 1}, zero[3];
#define HERE ((const size_t[3]){4 * o->number, 0, 0}) /* of the image */
static void CL_CALLBACK native(void *arg) {
}
COMMAND(clEnqueueReadBuffer, cl.queue, all.buffer, CL_FALSE, o->from, PART, o->host)
COMMAND(clEnqueueWriteBuffer, all.anyhow, all.buffer, CL_FALSE, o->from, PART, o->host)
COMMAND(clEnqueueReadBufferRect, cl.queue, all.buffer, CL_TRUE, ((size_t[3]){o->from, 0, 0}), zero, three, 16,
        0, 8, 0, o->host)
COMMAND(clEnqueueWriteBufferRect, cl.queue, all.buffer, CL_TRUE, ((size_t[3]){o->from, 0, 0}), zero, three,
        16, 0, 8, 0, o->host)
COMMAND(clEnqueueFillBuffer, all.anyhow, all.buffer, "abcd", 4, o->from, PART)
COMMAND(clEnqueueCopyBuffer, all.anyhow, all.buffer, all.target, o->from, o->from, PART)
COMMAND(clEnqueueCopyBufferRect, cl.queue, all.buffer, all.target, ((size_t[3]){o->from, 0, 0}),
        ((size_t[3]){o->from, 0, 0}), three, 16, 0, 16, 0)
COMMAND(clEnqueueReadImage, cl.queue, all.image, CL_TRUE, HERE, three, 0, 0, o->host)
COMMAND(clEnqueueWriteImage, all.anyhow, all.image, CL_TRUE, HERE, three, 0, 0, o->host)
COMMAND(clEnqueueFillImage, cl.queue, all.image, ((cl_uint[4]){1, 2, 3, 4}), HERE, three)
COMMAND(clEnqueueCopyImage, all.anyhow, all.image, all.image, HERE, ((size_t[3]){4 * o->number, 8, 0}), three)
COMMAND(clEnqueueCopyImageToBuffer, cl.queue, all.image, all.target, HERE, three, o->from)
COMMAND(clEnqueueCopyBufferToImage, all.anyhow, all.target, all.image, o->from, HERE, three)
COMMAND(clEnqueueMigrateMemObjects, all.anyhow, 1, &all.buffer, 0)
COMMAND(clEnqueueNDRangeKernel, all.anyhow, o->kernel, 1, NULL, ((size_t[1]){64}), NULL)
COMMAND(clEnqueueTask, cl.queue, o->kernel)
COMMAND(clEnqueueNativeKernel, all.anyhow, native, NULL, 0, 0, NULL, NULL)
COMMAND(clEnqueueMarkerWithWaitList, all.anyhow)
COMMAND(clEnqueueBarrierWithWaitList, all.anyhow)
COMMAND(clEnqueueSVMMemcpy, cl.queue, CL_FALSE, o->svm, o->svm + 64, 64)
COMMAND(clEnqueueSVMMemFill, all.anyhow, o->svm, "ab", 2, 64)
COMMAND(clEnqueueSVMMap, cl.queue, CL_TRUE, CL_MAP_WRITE, o->svm, 64)
COMMAND(clEnqueueSVMUnmap, cl.queue, o->svm)
COMMAND(clEnqueueSVMMigrateMem, all.anyhow, 1, (const void **)&o->svm, NULL, 0)
COMMAND(clEnqueueMemFillINTEL_, cl.queue, o->svm, "ab", 2, 64)
COMMAND(clEnqueueMemcpyINTEL_, all.anyhow, CL_FALSE, o->svm, o->svm + 64, 64)
COMMAND(clEnqueueMigrateMemINTEL_, cl.queue, o->svm, 64, 0)
COMMAND(clEnqueueMemAdviseINTEL_, all.anyhow, o->svm, 64, 0)
CALL(clEnqueueSVMFree) {
    void *memory = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, 64, 0);
    RUNS(clEnqueueSVMFree(cl.queue, 1, &memory, NULL, NULL, 0, NULL, NULL));
}
CALL(clEnqueueMapBuffer) {
    char *mapped = GETS(clEnqueueMapBuffer(cl.queue, all.buffer, CL_TRUE, CL_MAP_WRITE, o->from, PART, 0,
                                           NULL, NULL, &error));
    if (mapped)
        mapped[o->number] = 1;
    RUNS(clEnqueueUnmapMemObject(all.anyhow, all.buffer, mapped, 0, NULL, NULL));
}
WITH(clEnqueueUnmapMemObject, clEnqueueMapBuffer)
CALL(clEnqueueMapImage) {
    size_t pitch;
    void *mapped = GETS(clEnqueueMapImage(cl.queue, all.image, CL_TRUE, CL_MAP_READ, HERE, three, &pitch,
                                          NULL, 0, NULL, NULL, &error));
    RUNS(clEnqueueUnmapMemObject(cl.queue, all.image, mapped, 0, NULL, NULL));
}
CALL(clEnqueueMarker) {
    cl_event event = NULL;
    RUNS(clEnqueueMarker(all.anyhow, &event));
    RUNS(clEnqueueWaitForEvents(all.anyhow, 1, &event));
    RUNS(clEnqueueBarrier(all.anyhow));
    RUNS(clReleaseEvent(event));
}
WITH(clEnqueueWaitForEvents, clEnqueueMarker)
WITH(clEnqueueBarrier, clEnqueueMarker)
CALL(clGetExtensionFunctionAddressForPlatform) {
    o->mistakes += !clGetExtensionFunctionAddressForPlatform(cl.platform, "clCreateCommandBufferKHR");
}
CALL(clGetExtensionFunctionAddress) {
    clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR");
}

/* ---- semaphores and command buffers ---- */

CALL(clCreateSemaphoreWithPropertiesKHR) {
    const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    cl_semaphore_khr semaphore = GETS(clCreateSemaphoreWithPropertiesKHR_(cl.context, list, &error));
    RUNS(clEnqueueSignalSemaphoresKHR_(all.anyhow, 1, &semaphore, NULL, 0, NULL, NULL));
    RUNS(clEnqueueWaitSemaphoresKHR_(o->queue, 1, &semaphore, NULL, 0, NULL, NULL));
    RUNS(clFinish(o->queue));
    RUNS(clReleaseSemaphoreKHR_(semaphore));
}
WITH(clEnqueueSignalSemaphoresKHR, clCreateSemaphoreWithPropertiesKHR)
WITH(clEnqueueWaitSemaphoresKHR, clCreateSemaphoreWithPropertiesKHR)
WITH(clReleaseSemaphoreKHR, clCreateSemaphoreWithPropertiesKHR)
COUNTED(clRetainSemaphoreKHR_, clReleaseSemaphoreKHR_, all.semaphore)
ASKED(clGetSemaphoreInfoKHR_, all.semaphore, CL_SEMAPHORE_PAYLOAD_KHR)
#define LAST 0, NULL, NULL, NULL
CALL(clCreateCommandBufferKHR) {
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                     CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
    cl_command_buffer_khr b = GETS(clCreateCommandBufferKHR_(1, &o->queue, list, &error));
    cl_mutable_command_khr launch = NULL;
    size_t n = 64, size, at[3] = {o->from, 0, 0};
    cl_int one = 1;
    RUNS(clCommandNDRangeKernelKHR_(b, NULL, NULL, o->kernel, 1, NULL, &n, NULL, 0, NULL, NULL, &launch));
    RUNS(clCommandBarrierWithWaitListKHR_(b, NULL, NULL, LAST));
    RUNS(clCommandFillBufferKHR_(b, NULL, NULL, all.buffer, "ab", 2, o->from, PART, LAST));
    RUNS(clCommandCopyBufferKHR_(b, NULL, NULL, all.buffer, all.target, o->from, o->from, PART, LAST));
    RUNS(clCommandCopyBufferRectKHR_(b, NULL, NULL, all.buffer, all.target, at, at, three, 16, 0, 16, 0,
                                     LAST));
    RUNS(clCommandFillImageKHR_(b, NULL, NULL, all.image, (cl_uint[4]){1, 2, 3, 4}, HERE, three, LAST));
    RUNS(clCommandCopyImageKHR_(b, NULL, NULL, all.image, all.image, HERE, (size_t[3]){4 * o->number, 8, 0},
                                three, LAST));
    RUNS(clCommandCopyImageToBufferKHR_(b, NULL, NULL, all.image, all.target, HERE, three, o->from, LAST));
    RUNS(clCommandCopyBufferToImageKHR_(b, NULL, NULL, all.target, all.image, o->from, HERE, three, LAST));
    RUNS(clCommandSVMMemcpyKHR_(b, NULL, NULL, o->svm, o->svm + 64, 64, LAST));
    RUNS(clCommandSVMMemFillKHR_(b, NULL, NULL, o->svm, "ab", 2, 64, LAST));
    RUNS(clFinalizeCommandBufferKHR_(b));
    RUNS(clEnqueueCommandBufferKHR_(0, NULL, b, 0, NULL, NULL));
    cl_mutable_dispatch_arg_khr arg = {1, sizeof one, &one};
    cl_mutable_dispatch_config_khr config = {.command = launch, .num_args = 1, .arg_list = &arg};
    cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    const void *configs[] = {&config};
    RUNS(clUpdateMutableCommandsKHR_(b, 1, &type, configs));
    RUNS(clGetMutableCommandInfoKHR_(launch, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, sizeof size, &size,
                                     NULL));
    RUNS(clEnqueueCommandBufferKHR_(0, NULL, b, 0, NULL, NULL));
    RUNS(clFinish(o->queue));
    RUNS(clReleaseCommandBufferKHR_(b));
}
WITH(clReleaseCommandBufferKHR, clCreateCommandBufferKHR)
WITH(clFinalizeCommandBufferKHR, clCreateCommandBufferKHR)
WITH(clCommandNDRangeKernelKHR, clCreateCommandBufferKHR)
WITH(clCommandBarrierWithWaitListKHR, clCreateCommandBufferKHR)
WITH(clCommandFillBufferKHR, clCreateCommandBufferKHR)
WITH(clCommandCopyBufferKHR, clCreateCommandBufferKHR)
WITH(clCommandCopyBufferRectKHR, clCreateCommandBufferKHR)
WITH(clCommandFillImageKHR, clCreateCommandBufferKHR)
WITH(clCommandCopyImageKHR, clCreateCommandBufferKHR)
WITH(clCommandCopyImageToBufferKHR, clCreateCommandBufferKHR)
WITH(clCommandCopyBufferToImageKHR, clCreateCommandBufferKHR)
WITH(clCommandSVMMemcpyKHR, clCreateCommandBufferKHR)
WITH(clCommandSVMMemFillKHR, clCreateCommandBufferKHR)
WITH(clUpdateMutableCommandsKHR, clCreateCommandBufferKHR)
WITH(clGetMutableCommandInfoKHR, clCreateCommandBufferKHR)
COUNTED(clRetainCommandBufferKHR_, clReleaseCommandBufferKHR_, all.recorded)
ASKED(clGetCommandBufferInfoKHR_, all.recorded, CL_COMMAND_BUFFER_STATE_KHR)
CALL(clRemapCommandBufferKHR) {
    cl_command_buffer_khr copy =
        GETS(clRemapCommandBufferKHR_(all.recorded, CL_TRUE, 1, &o->queue, 0, NULL, NULL, &error));
    RUNS(clReleaseCommandBufferKHR_(copy));
}
CALL(clEnqueueCommandBufferKHR) {
    RUNS(clEnqueueCommandBufferKHR_(0, NULL, all.recorded, 0, NULL, NULL));
}

/* ---- the test ---- */

static void set_up(void) {
    const char *text = source;
    KHR_FUNCTIONS(FIND)
    MORE_FUNCTIONS(FIND)
    all.anyhow = queue_with(cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    all.program = MADE(clCreateProgramWithSource(cl.context, 1, &text, NULL, &error));
    OK(clBuildProgram(all.program, 0, NULL, "-cl-kernel-arg-info", NULL, NULL));
    all.kernel = MADE(clCreateKernel(all.program, "set", &error));
    all.buffer = zeros(THREADS * PART / 4);
    all.target = zeros(THREADS * PART / 4);
    OK(clSetKernelArg(all.kernel, 0, sizeof all.target, &all.target));
    all.image = MADE(clCreateImage(cl.context, 0, &rgba, &square, NULL, &error));
    all.sampler = MADE(clCreateSamplerWithProperties(cl.context, NULL, &error));
    OK(clEnqueueMarkerWithWaitList(cl.queue, 0, NULL, &all.done));
    OK(clWaitForEvents(1, &all.done));
    const cl_semaphore_properties_khr list[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    all.semaphore = MADE(clCreateSemaphoreWithPropertiesKHR_(cl.context, list, &error));
    all.recorded = recorder(1, &cl.queue, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    OK(clCommandBarrierWithWaitListKHR_(all.recorded, NULL, NULL, LAST));
    OK(clFinalizeCommandBufferKHR_(all.recorded));
}

static void take_down(void) {
    OK(clReleaseCommandBufferKHR_(all.recorded));
    OK(clReleaseSemaphoreKHR_(all.semaphore));
    OK(clReleaseEvent(all.done));
    OK(clReleaseSampler(all.sampler));
    OK(clReleaseMemObject(all.image));
    OK(clReleaseMemObject(all.target));
    OK(clReleaseMemObject(all.buffer));
    OK(clReleaseKernel(all.kernel));
    OK(clReleaseProgram(all.program));
    OK(clReleaseCommandQueue(all.anyhow));
}

static void *call_all(void *arg) {
    struct own *o = arg;
    cl_int one = 1;
    o->queue = GETS(clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &error));
    o->buffer = GETS(clCreateBuffer(cl.context, 0, PART, NULL, &error));
    o->kernel = GETS(clCreateKernel(all.program, "add", &error));
    o->svm = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, PART, 0);
    RUNS(clSetKernelArg(o->kernel, 0, sizeof o->buffer, &o->buffer));
    RUNS(clSetKernelArg(o->kernel, 1, sizeof one, &one));
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < nrows; i++) {
            RUNS(clSetKernelArg(o->kernel, 0, sizeof o->buffer, &o->buffer));
            rows[(i + (o->number + round) * nrows / THREADS) % nrows].call(o);
        }
    RUNS(clFinish(cl.queue));
    RUNS(clFinish(all.anyhow));
    clSVMFree(cl.context, o->svm);
    RUNS(clReleaseKernel(o->kernel));
    RUNS(clReleaseMemObject(o->buffer));
    RUNS(clReleaseCommandQueue(o->queue));
    return NULL;
}

TEST(every_function_may_be_called_beside_every_other) {
    static struct own own[THREADS];
    pthread_t threads[THREADS];
    int mistakes = 0;
    set_up();
    for (size_t i = 0; i < THREADS; i++) {
        own[i].number = i;
        own[i].from = i * PART;
        assert_int_equal(pthread_create(&threads[i], NULL, call_all, &own[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        mistakes += own[i].mistakes;
    }
    take_down();
    assert_int_equal(mistakes, 0);
}

/* All of the library's but for what refuses, needs a module of SPIR-V, is deprecated, or another one by a second name. */
TEST(every_function_has_its_call) {
    static const char *const without[] = {"clCreateProgramWithBuiltInKernels",
                                          "clCreateProgramWithIL",
                                          "clSetProgramReleaseCallback",
                                          "clSetProgramSpecializationConstant",
                                          "clUnloadCompiler",
                                          "clIcdGetPlatformIDsKHR",
                                          "clGetSemaphoreHandleForTypeKHR",
                                          "clSetCommandQueueProperty",
                                          "clCreateBufferWithPropertiesINTEL"};
#define NAME(function, takes) #function,
    static const char *const names[] = {FUNCTIONS(NAME)};
    int missing = 0;
    for (size_t i = 0; i < COUNT(names); i++) {
        bool found = false;
        size_t n = strlen(names[i]);
        for (size_t k = 0; k < nrows && !found; k++)
            found =
                !strncmp(rows[k].name, names[i], n) && (!rows[k].name[n] || !strcmp(rows[k].name + n, "_"));
        for (size_t k = 0; k < COUNT(without) && !found; k++)
            found = !strcmp(without[k], names[i]);
        if (!found) {
            missing++;
            print_error("no call of %s\n", names[i]);
        }
    }
    assert_int_equal(missing, 0);
}

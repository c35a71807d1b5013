/* icd.c: the dispatch table that ICD loaders call through, and the functions found by name.
 *
 * Every entry of the table is filled but those of Direct3D and DX9, which Linux loaders do not call. The
 * entries of GL and EGL sharing, which Weir does not have, answer CL_INVALID_OPERATION.
 */
#include "rt.h"

#include <string.h>

/* What GL and EGL sharing answer: `absent` for functions that return an object. */
static cl_int no_sharing(const char *function) {
    return api_fail(NULL, function, CL_INVALID_OPERATION, "there is no sharing of GL's and EGL's objects");
}

static void *absent(const char *function, cl_int *error) {
    cl_int code = no_sharing(function);
    if (error)
        *error = code;
    return NULL;
}

static cl_mem gl_buffer(cl_context c, cl_mem_flags flags, cl_GLuint buffer, int *error) {
    return absent("clCreateFromGLBuffer", error);
}

static cl_mem gl_texture(cl_context c, cl_mem_flags flags, cl_GLenum target, cl_GLint level,
                         cl_GLuint texture, cl_int *error) {
    return absent("clCreateFromGLTexture", error);
}

static cl_mem gl_renderbuffer(cl_context c, cl_mem_flags flags, cl_GLuint renderbuffer, cl_int *error) {
    return absent("clCreateFromGLRenderbuffer", error);
}

static cl_int gl_object_info(cl_mem mem, cl_gl_object_type *type, cl_GLuint *name) {
    return no_sharing("clGetGLObjectInfo");
}

static cl_int gl_texture_info(cl_mem mem, cl_gl_texture_info name, size_t size, void *value,
                              size_t *size_ret) {
    return no_sharing("clGetGLTextureInfo");
}

static cl_int gl_context_info(const cl_context_properties *properties, cl_gl_context_info name, size_t size,
                              void *value, size_t *size_ret) {
    return no_sharing("clGetGLContextInfoKHR");
}

static cl_int enqueue_shared(cl_command_queue queue, cl_uint n, const cl_mem *mems, cl_uint nwait,
                             const cl_event *wait, cl_event *event) {
    return no_sharing("clEnqueueAcquire* or clEnqueueRelease*");
}

static cl_event gl_sync(cl_context c, cl_GLsync sync, cl_int *error) {
    return absent("clCreateEventFromGLsyncKHR", error);
}

static cl_event egl_sync(cl_context c, CLeglSyncKHR sync, CLeglDisplayKHR display, cl_int *error) {
    return absent("clCreateEventFromEGLSyncKHR", error);
}

static cl_mem egl_image(cl_context c, CLeglDisplayKHR display, CLeglImageKHR image, cl_mem_flags flags,
                        const cl_egl_image_properties_khr *properties, cl_int *error) {
    return absent("clCreateFromEGLImageKHR", error);
}

static cl_int sub_devices_ext(cl_device_id device, const cl_device_partition_property_ext *properties,
                              cl_uint room, cl_device_id *out, cl_uint *n) {
    return CL_INVALID_OPERATION; /* cl_ext_device_fission became clCreateSubDevices */
}

/* The API, in the table's order, without the vendor extensions. */
// clang-format off
#define API_TABLE(X)                                                                                        \
    X(clGetPlatformIDs) X(clGetPlatformInfo) X(clGetDeviceIDs) X(clGetDeviceInfo) X(clCreateContext)        \
    X(clCreateContextFromType) X(clRetainContext) X(clReleaseContext) X(clGetContextInfo)                   \
    X(clCreateCommandQueue) X(clRetainCommandQueue) X(clReleaseCommandQueue) X(clGetCommandQueueInfo)       \
    X(clSetCommandQueueProperty) X(clCreateBuffer) X(clCreateImage2D) X(clCreateImage3D)                    \
    X(clRetainMemObject) X(clReleaseMemObject) X(clGetSupportedImageFormats) X(clGetMemObjectInfo)          \
    X(clGetImageInfo) X(clCreateSampler) X(clRetainSampler) X(clReleaseSampler) X(clGetSamplerInfo)         \
    X(clCreateProgramWithSource) X(clCreateProgramWithBinary) X(clRetainProgram) X(clReleaseProgram)        \
    X(clBuildProgram) X(clUnloadCompiler) X(clGetProgramInfo) X(clGetProgramBuildInfo) X(clCreateKernel)    \
    X(clCreateKernelsInProgram) X(clRetainKernel) X(clReleaseKernel) X(clSetKernelArg) X(clGetKernelInfo)   \
    X(clGetKernelWorkGroupInfo) X(clWaitForEvents) X(clGetEventInfo) X(clRetainEvent) X(clReleaseEvent)     \
    X(clGetEventProfilingInfo) X(clFlush) X(clFinish) X(clEnqueueReadBuffer) X(clEnqueueWriteBuffer)        \
    X(clEnqueueCopyBuffer) X(clEnqueueReadImage) X(clEnqueueWriteImage) X(clEnqueueCopyImage)               \
    X(clEnqueueCopyImageToBuffer) X(clEnqueueCopyBufferToImage) X(clEnqueueMapBuffer) X(clEnqueueMapImage)  \
    X(clEnqueueUnmapMemObject) X(clEnqueueNDRangeKernel) X(clEnqueueTask) X(clEnqueueNativeKernel)          \
    X(clEnqueueMarker) X(clEnqueueWaitForEvents) X(clEnqueueBarrier) X(clGetExtensionFunctionAddress)       \
    X(clSetEventCallback) X(clCreateSubBuffer) X(clSetMemObjectDestructorCallback) X(clCreateUserEvent)     \
    X(clSetUserEventStatus) X(clEnqueueReadBufferRect) X(clEnqueueWriteBufferRect)                          \
    X(clEnqueueCopyBufferRect) X(clCreateSubDevices) X(clRetainDevice) X(clReleaseDevice) X(clCreateImage)  \
    X(clCreateProgramWithBuiltInKernels) X(clCompileProgram) X(clLinkProgram) X(clUnloadPlatformCompiler)   \
    X(clGetKernelArgInfo) X(clEnqueueFillBuffer) X(clEnqueueFillImage) X(clEnqueueMigrateMemObjects)        \
    X(clEnqueueMarkerWithWaitList) X(clEnqueueBarrierWithWaitList)                                          \
    X(clGetExtensionFunctionAddressForPlatform) X(clCreateCommandQueueWithProperties) X(clCreatePipe)       \
    X(clGetPipeInfo) X(clSVMAlloc) X(clSVMFree) X(clEnqueueSVMFree) X(clEnqueueSVMMemcpy)                   \
    X(clEnqueueSVMMemFill) X(clEnqueueSVMMap) X(clEnqueueSVMUnmap) X(clCreateSamplerWithProperties)         \
    X(clSetKernelArgSVMPointer) X(clSetKernelExecInfo) X(clCloneKernel) X(clCreateProgramWithIL)            \
    X(clEnqueueSVMMigrateMem) X(clGetDeviceAndHostTimer) X(clGetHostTimer) X(clGetKernelSubGroupInfo)       \
    X(clSetDefaultDeviceCommandQueue) X(clSetProgramReleaseCallback) X(clSetProgramSpecializationConstant)  \
    X(clCreateBufferWithProperties) X(clCreateImageWithProperties) X(clSetContextDestructorCallback)

#define ENTRY(function) .function = function,
#ifdef CL_API_SUFFIX__VERSION_3_1
#define SUGGESTED headers.clGetKernelSuggestedLocalWorkSize
#else
#define SUGGESTED clGetKernelSuggestedLocalWorkSize
#endif
const struct icd_dispatch weir_dispatch = {
    .headers = {
    API_TABLE(ENTRY)
    .clCreateFromGLBuffer = gl_buffer,
    .clCreateFromGLTexture2D = gl_texture,
    .clCreateFromGLTexture3D = gl_texture,
    .clCreateFromGLTexture = gl_texture,
    .clCreateFromGLRenderbuffer = gl_renderbuffer,
    .clGetGLObjectInfo = gl_object_info,
    .clGetGLTextureInfo = gl_texture_info,
    .clGetGLContextInfoKHR = gl_context_info,
    .clEnqueueAcquireGLObjects = enqueue_shared,
    .clEnqueueReleaseGLObjects = enqueue_shared,
    .clCreateEventFromGLsyncKHR = gl_sync,
    .clCreateFromEGLImageKHR = egl_image,
    .clEnqueueAcquireEGLObjectsKHR = enqueue_shared,
    .clEnqueueReleaseEGLObjectsKHR = enqueue_shared,
    .clCreateEventFromEGLSyncKHR = egl_sync,
    .clCreateSubDevicesEXT = sub_devices_ext,
    .clRetainDeviceEXT = clRetainDevice,
    .clReleaseDeviceEXT = clReleaseDevice,
    .clGetKernelSubGroupInfoKHR = clGetKernelSubGroupInfo,
    },
    .SUGGESTED = (void *)clGetKernelSuggestedLocalWorkSize,
};

const cl_icd_dispatch *icd_table = &weir_dispatch.headers;

/* WEIR_TRACE: each function with a slice around it. All they take and return are integers and pointers, at most 14 of them,
 * which a call of x86-64 hands on alike whatever their types are. */
#define WORDS(X) X(a), X(b), X(c), X(d), X(e), X(f), X(g), X(h), X(i), X(j), X(k), X(l), X(m), X(n)
#define PARAMETER(name) uintptr_t name
#define ARGUMENT(name)  name
typedef uintptr_t any_function(WORDS(PARAMETER));
#define WRAP(function)                                                                                       \
    static uintptr_t function##_traced(WORDS(PARAMETER)) {                                                   \
        any_function *call = (any_function *)(void (*)(void))function;                                       \
        uint64_t begin = trace_call_began = trace_clock();                                                   \
        uintptr_t result = call(WORDS(ARGUMENT));                                                            \
        trace_call(#function, begin, trace_clock());                                                         \
        return result;                                                                                       \
    }
API_TABLE(WRAP)
WRAP(clGetKernelSuggestedLocalWorkSize)

#define FILL(function) traced.headers.function = (__typeof__(traced.headers.function))(void (*)(void))function##_traced;
void icd_trace(void) {
    static struct icd_dispatch traced;
    traced = weir_dispatch;
    API_TABLE(FILL)
    traced.SUGGESTED = (void *)clGetKernelSuggestedLocalWorkSize_traced;
    icd_table = &traced.headers;
    weir_platform.object.dispatch = icd_table;
}

WEIR_API cl_int clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *n) {
    return clGetPlatformIDs(room, platforms, n);
}

/* Extensions' functions; clGetPlatformInfo is here because loaders ask for it by name. */
// clang-format off
#define BY_NAME(X)                                                                                          \
    X(clCommandBarrierWithWaitListKHR) X(clCommandCopyBufferKHR) X(clCommandCopyBufferRectKHR)              \
    X(clCommandCopyBufferToImageKHR) X(clCommandCopyImageKHR) X(clCommandCopyImageToBufferKHR)              \
    X(clCommandFillBufferKHR) X(clCommandFillImageKHR) X(clCommandNDRangeKernelKHR)                         \
    X(clCommandSVMMemFillKHR) X(clCommandSVMMemcpyKHR) X(clCreateCommandBufferKHR)                          \
    X(clCreateCommandQueueWithPropertiesKHR) X(clCreateProgramWithILKHR)                                    \
    X(clCreateSemaphoreWithPropertiesKHR)                                                                   \
    X(clEnqueueCommandBufferKHR) X(clEnqueueSignalSemaphoresKHR) X(clEnqueueWaitSemaphoresKHR)              \
    X(clFinalizeCommandBufferKHR) X(clGetCommandBufferInfoKHR) X(clGetKernelSubGroupInfoKHR)                \
    X(clGetKernelSuggestedLocalWorkSize) X(clGetKernelSuggestedLocalWorkSizeKHR)                            \
    X(clGetMutableCommandInfoKHR) X(clGetPlatformInfo)                                                      \
    X(clGetSemaphoreHandleForTypeKHR) X(clGetSemaphoreInfoKHR) X(clIcdGetPlatformIDsKHR)                    \
    X(clReleaseCommandBufferKHR) X(clReleaseSemaphoreKHR) X(clRemapCommandBufferKHR)                        \
    X(clRetainCommandBufferKHR) X(clRetainSemaphoreKHR) X(clTerminateContextKHR)                               \
    X(clCreateBufferWithPropertiesINTEL)                                                                    \
    X(clDeviceMemAllocINTEL) X(clEnqueueMemAdviseINTEL) X(clEnqueueMemFillINTEL) X(clEnqueueMemcpyINTEL)    \
    X(clEnqueueMigrateMemINTEL) X(clGetMemAllocInfoINTEL) X(clHostMemAllocINTEL)                            \
    X(clMemBlockingFreeINTEL) X(clMemFreeINTEL) X(clSetKernelArgDevicePointerEXT)                           \
    X(clSetKernelArgMemPointerINTEL) X(clSharedMemAllocINTEL)                                               \
    X(clUpdateMutableCommandsKHR)
// clang-format on
#define NAMED(function) {#function, (void *)function},
static const struct {
    const char *name;
    void *function;
} by_name[] = {BY_NAME(NAMED)};

WEIR_API void *clGetExtensionFunctionAddress(const char *name) {
    for (size_t i = 0; name && i < sizeof by_name / sizeof *by_name; i++)
        if (!strcmp(name, by_name[i].name))
            return by_name[i].function;
    return NULL;
}

WEIR_API void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
    return object_is(platform, OBJECT_PLATFORM) ? clGetExtensionFunctionAddress(name) : NULL;
}

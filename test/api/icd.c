/* The library itself: the dispatch table, exported names, use without a loader. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include "api.h"
#include <CL/cl_icd.h>

static char library[4096];

static int note_library(struct dl_phdr_info *info, size_t size, void *data) {
    if (strstr(info->dlpi_name, "libweir"))
        snprintf(library, sizeof library, "%s", info->dlpi_name);
    return 0;
}

/* The loaded libweir.so; skips the test if another implementation is tried. */
static void *weir(void) {
    dl_iterate_phdr(note_library, NULL);
    if (!*library)
        skip();
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(handle);
    return handle;
}

TEST(the_dispatch_table_is_complete) {
    weir();
    const cl_icd_dispatch *table = *(const cl_icd_dispatch **)cl.platform;
    const void *const *entries = (const void *const *)table;
    for (size_t i = 0; i < sizeof *table / sizeof *entries; i++) {
        size_t at = i * sizeof *entries;
        bool windows = (at >= offsetof(cl_icd_dispatch, clGetDeviceIDsFromD3D10KHR) &&
                        at <= offsetof(cl_icd_dispatch, clEnqueueReleaseD3D10ObjectsKHR)) ||
                       (at >= offsetof(cl_icd_dispatch, clGetDeviceIDsFromD3D11KHR) &&
                        at <= offsetof(cl_icd_dispatch, clEnqueueReleaseD3D11ObjectsKHR)) ||
                       (at >= offsetof(cl_icd_dispatch, clGetDeviceIDsFromDX9MediaAdapterKHR) &&
                        at <= offsetof(cl_icd_dispatch, clEnqueueReleaseDX9MediaSurfacesKHR));
        if (!entries[i] && !windows)
            fail_msg("entry %zu is empty", i);
    }
}

/* Loaders of OpenCL 3.1 call it through the entry after the last one of 3.0, which older headers don't have. */
TEST(the_table_ends_with_what_opencl_3_1_added) {
    void *handle = weir();
    const cl_icd_dispatch *table = *(const cl_icd_dispatch **)cl.platform;
    const void *const *last = (const void *const *)&table->clSetContextDestructorCallback;
    assert_non_null(last[1]);
    assert_ptr_equal(last[1], dlsym(handle, "clGetKernelSuggestedLocalWorkSize"));
}

TEST(every_object_begins_with_the_table) {
    weir();
    const void *table = *(const void **)cl.platform;
    cl_mem mem = buffer_of(0, 4, NULL);
    cl_event event = MADE(clCreateUserEvent(cl.context, &error));
    cl_program program = build("kernel void k() {}", "");
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    void *objects[] = {cl.device, cl.context, cl.queue, mem, event, program, kernel};
    for (size_t i = 0; i < COUNT(objects); i++)
        assert_ptr_equal(*(const void **)objects[i], table);
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(mem));
}

TEST(the_library_works_without_a_loader) {
    void *handle = weir();
#define LOAD(name) __typeof__(&name) p_##name = (__typeof__(&name))dlsym(handle, #name)
    LOAD(clGetPlatformIDs);
    LOAD(clGetDeviceIDs);
    LOAD(clCreateContext);
    LOAD(clCreateCommandQueue);
    LOAD(clCreateBuffer);
    LOAD(clEnqueueFillBuffer);
    LOAD(clEnqueueReadBuffer);
    LOAD(clReleaseMemObject);
    LOAD(clReleaseCommandQueue);
    LOAD(clReleaseContext);
    cl_platform_id platform;
    cl_device_id device;
    cl_uint n;
    OK(p_clGetPlatformIDs(1, &platform, &n));
    assert_int_equal(n, 1);
    OK(p_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = MADE(p_clCreateContext(NULL, 1, &device, NULL, NULL, &error));
    cl_command_queue queue = MADE(p_clCreateCommandQueue(context, device, 0, &error));
    cl_mem mem = MADE(p_clCreateBuffer(context, 0, 4, NULL, &error));
    int value = 6, back = 0;
    OK(p_clEnqueueFillBuffer(queue, mem, &value, 4, 0, 4, 0, NULL, NULL));
    OK(p_clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 6);
    OK(p_clReleaseMemObject(mem));
    OK(p_clReleaseCommandQueue(queue));
    OK(p_clReleaseContext(context));
}

TEST(without_a_loader_null_objects_are_refused) {
    void *handle = weir();
    LOAD(clRetainContext);
    LOAD(clReleaseMemObject);
    LOAD(clFinish);
    LOAD(clReleaseEvent);
    LOAD(clReleaseKernel);
    LOAD(clReleaseProgram);
    LOAD(clGetDeviceInfo);
    LOAD(clWaitForEvents);
    GIVES(CL_INVALID_CONTEXT, p_clRetainContext(NULL));
    GIVES(CL_INVALID_MEM_OBJECT, p_clReleaseMemObject(NULL));
    GIVES(CL_INVALID_COMMAND_QUEUE, p_clFinish(NULL));
    GIVES(CL_INVALID_EVENT, p_clReleaseEvent(NULL));
    GIVES(CL_INVALID_KERNEL, p_clReleaseKernel(NULL));
    GIVES(CL_INVALID_PROGRAM, p_clReleaseProgram(NULL));
    GIVES(CL_INVALID_DEVICE, p_clGetDeviceInfo(NULL, CL_DEVICE_NAME, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, p_clWaitForEvents(1, NULL));
}

TEST(the_icd_entry_points_are_exported) {
    void *handle = weir();
    static const char *const names[] = {"clIcdGetPlatformIDsKHR",
                                        "clGetExtensionFunctionAddress",
                                        "clGetPlatformInfo",
                                        "clGetExtensionFunctionAddressForPlatform",
                                        "clCreateBufferWithProperties",
                                        "clSVMAlloc",
                                        "clCloneKernel",
                                        "clCreateImage",
                                        "clCreatePipe",
                                        "clCreateProgramWithIL",
                                        "clSetContextDestructorCallback"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (!dlsym(handle, names[i]))
            fail_msg("%s is not exported", names[i]);
    static const char *const internal[] = {"object_init", "weir_dispatch", "buf_bytes", "compiler_ask"};
    for (size_t i = 0; i < COUNT(internal); i++)
        assert_null(dlsym(handle, internal[i]));
}

TEST(the_icd_lists_its_platform) {
    void *handle = weir();
    cl_int (*list)(cl_uint, cl_platform_id *, cl_uint *) =
        (cl_int (*)(cl_uint, cl_platform_id *, cl_uint *))dlsym(handle, "clIcdGetPlatformIDsKHR");
    cl_platform_id platform = NULL;
    cl_uint n = 0;
    OK(list(0, NULL, &n));
    assert_int_equal(n, 1);
    OK(list(1, &platform, NULL));
    assert_ptr_equal(platform, cl.platform);
    GIVES(CL_INVALID_VALUE, list(0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, list(0, &platform, &n));
}

static int note_llvm(struct dl_phdr_info *info, size_t size, void *data) {
    if (strstr(info->dlpi_name, "LLVM") || strstr(info->dlpi_name, "clang"))
        *(int *)data = 1;
    return 0;
}

TEST(no_compiler_is_loaded_into_the_host) {
    weir();
    int found = 0;
    still_works();
    dl_iterate_phdr(note_llvm, &found);
    assert_int_equal(found, 0);
}

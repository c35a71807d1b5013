/* dispatch.c: in `weir` without a loader: API calls go through the objects' dispatch tables, as a loader's do.
 *
 * So they are the calls that WEIR_TRACE sees. A table's entry is jumped to with the arguments as they are: the object is the
 * first of them, of clCreateContext the first of the devices that the third one points to. Functions that aren't here, as
 * clGetPlatformIDs, which has no object, are libweir.so's own.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stddef.h>

#define JUMP(function, object)                                                                               \
    __attribute__((naked, used, visibility("hidden"))) void via_##function(void) __asm__(#function);         \
    void via_##function(void) {                                                                              \
        __asm__(object "mov (%%rax), %%rax\n\tjmp *%c0(%%rax)" ::"i"(offsetof(cl_icd_dispatch, function)));  \
    }
#define FIRST(function) JUMP(function, "mov %%rdi, %%rax\n\t")

FIRST(clGetPlatformInfo)
FIRST(clGetDeviceIDs)
FIRST(clGetDeviceInfo)
FIRST(clRetainContext)
FIRST(clReleaseContext)
FIRST(clGetContextInfo)
FIRST(clCreateCommandQueue)
FIRST(clCreateCommandQueueWithProperties)
FIRST(clReleaseCommandQueue)
FIRST(clCreateBuffer)
FIRST(clReleaseMemObject)
FIRST(clCreateProgramWithSource)
FIRST(clCreateProgramWithBinary)
FIRST(clCreateProgramWithIL)
FIRST(clReleaseProgram)
FIRST(clBuildProgram)
FIRST(clGetProgramInfo)
FIRST(clGetProgramBuildInfo)
FIRST(clCreateKernel)
FIRST(clReleaseKernel)
FIRST(clSetKernelArg)
FIRST(clGetKernelInfo)
FIRST(clGetKernelArgInfo)
FIRST(clGetKernelWorkGroupInfo)
FIRST(clGetEventInfo)
FIRST(clReleaseEvent)
FIRST(clGetEventProfilingInfo)
FIRST(clFlush)
FIRST(clFinish)
FIRST(clEnqueueReadBuffer)
FIRST(clEnqueueWriteBuffer)
FIRST(clEnqueueCopyBuffer)
FIRST(clEnqueueFillBuffer)
FIRST(clEnqueueMapBuffer)
FIRST(clEnqueueUnmapMemObject)
FIRST(clEnqueueNDRangeKernel)
JUMP(clCreateContext, "mov (%%rdx), %%rax\n\t")

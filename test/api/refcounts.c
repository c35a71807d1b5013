/* Reference counts of every kind of object, and releasing in any order. */
#include "api.h"

#define COUNTED(type, Type, name, object)                                                                    \
    do {                                                                                                     \
        cl_uint count;                                                                                       \
        OK(clGet##type##Info(object, name, sizeof count, &count, NULL));                                     \
        assert_int_equal(count, 1);                                                                          \
        OK(clRetain##Type(object));                                                                          \
        OK(clGet##type##Info(object, name, sizeof count, &count, NULL));                                     \
        assert_int_equal(count, 2);                                                                          \
        OK(clRelease##Type(object));                                                                         \
        OK(clGet##type##Info(object, name, sizeof count, &count, NULL));                                     \
        assert_int_equal(count, 1);                                                                          \
    } while (0)

TEST(every_object_counts_its_references) {
    cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    COUNTED(Context, Context, CL_CONTEXT_REFERENCE_COUNT, context);
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(context, cl.device, NULL, &error));
    COUNTED(CommandQueue, CommandQueue, CL_QUEUE_REFERENCE_COUNT, queue);
    cl_mem mem = MADE(clCreateBuffer(context, 0, 4, NULL, &error));
    COUNTED(MemObject, MemObject, CL_MEM_REFERENCE_COUNT, mem);
    cl_event event = MADE(clCreateUserEvent(context, &error));
    COUNTED(Event, Event, CL_EVENT_REFERENCE_COUNT, event);
    const char *source = "kernel void k() {}";
    cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
    COUNTED(Program, Program, CL_PROGRAM_REFERENCE_COUNT, program);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    COUNTED(Kernel, Kernel, CL_KERNEL_REFERENCE_COUNT, kernel);
    OK(clReleaseContext(context)); /* parents first */
    OK(clReleaseProgram(program));
    OK(clReleaseKernel(kernel));
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
}

/* Programs drop their own reference to a context and ask a queue for it when they need it again. */
TEST(a_released_parent_can_be_retained_again_through_its_child) {
    cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error)), again;
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(context, cl.device, NULL, &error));
    OK(clReleaseContext(context));
    GIVES(CL_INVALID_CONTEXT, clReleaseContext(context));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof again, &again, NULL));
    assert_ptr_equal(again, context);
    OK(clRetainContext(again));
    OK(clReleaseCommandQueue(queue));
    cl_mem mem = MADE(clCreateBuffer(again, 0, 4, NULL, &error));
    OK(clReleaseMemObject(mem));
    OK(clReleaseContext(again));
}

static int destroyed;
static void CL_CALLBACK note(cl_context context, void *user) {
    destroyed++;
}

/* The context's destructor callback tells whether anything still holds it. */
TEST(everything_released_leaves_nothing) {
    for (int order = 0; order < 6; order++) {
        destroyed = 0;
        cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
        OK(clSetContextDestructorCallback(context, note, NULL));
        cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(context, cl.device, NULL, &error));
        const char *source = "kernel void k(global int *p) { *p = 1; }";
        cl_program program = MADE(clCreateProgramWithSource(context, 1, &source, NULL, &error));
        OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
        cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
        cl_mem mem = MADE(clCreateBuffer(context, 0, 256, NULL, &error));
        cl_buffer_region region = {0, 4};
        cl_mem part = MADE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
        cl_event event;
        size_t one = 1;
        OK(clSetKernelArg(kernel, 0, sizeof part, &part));
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
        OK(clFinish(queue));
        for (int step = 0; step < 6; step++)
            switch ((step + order) % 6) {
            case 0:
                OK(clReleaseMemObject(mem));
                break;
            case 1:
                OK(clReleaseKernel(kernel));
                break;
            case 2:
                OK(clReleaseEvent(event));
                break;
            case 3:
                OK(clReleaseProgram(program));
                break;
            case 4:
                OK(clReleaseCommandQueue(queue));
                break;
            case 5:
                OK(clReleaseMemObject(part));
                break;
            }
        assert_int_equal(destroyed, 0);
        OK(clReleaseContext(context));
        assert_int_equal(destroyed, 1);
    }
}

TEST(a_command_that_waits_forever_does_not_keep_a_failed_context) {
    destroyed = 0;
    cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    OK(clSetContextDestructorCallback(context, note, NULL));
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(context, cl.device, NULL, &error));
    cl_event gate = MADE(clCreateUserEvent(context, &error)), mark;
    OK(clEnqueueMarkerWithWaitList(queue, 1, &gate, &mark));
    OK(clSetUserEventStatus(gate, -1));
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(mark));
    OK(clFinish(queue));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    assert_int_equal(destroyed, 1);
}

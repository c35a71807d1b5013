/* Contexts: creation, properties, queries, notify and destructor callbacks. */
#include "api.h"

static void CL_CALLBACK ignore(const char *text, const void *info, size_t size, void *user) {
}

TEST(a_context_remembers_how_it_was_made) {
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform, 0},
                          back[3];
    cl_context context = MADE(clCreateContext(properties, 1, &cl.device, ignore, NULL, &error));
    cl_uint n;
    cl_device_id device;
    size_t size;
    OK(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    OK(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, &size));
    assert_int_equal(size, sizeof device);
    assert_ptr_equal(device, cl.device);
    OK(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof back, back, &size));
    assert_int_equal(size, sizeof back);
    assert_memory_equal(back, properties, sizeof back);
    OK(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    OK(clReleaseContext(context));
}

TEST(a_context_without_properties_has_none) {
    size_t size = 77;
    OK(clGetContextInfo(cl.context, CL_CONTEXT_PROPERTIES, 0, NULL, &size));
    assert_int_equal(size, 0);
}

TEST(a_device_listed_twice_counts_once) {
    cl_device_id twice[] = {cl.device, cl.device};
    cl_context context = MADE(clCreateContext(NULL, 2, twice, NULL, NULL, &error));
    cl_uint n;
    OK(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    OK(clReleaseContext(context));
}

TEST(context_creation_checks_its_arguments) {
    cl_context_properties unknown[] = {0x4242, 1, 0};
    cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform,
                                     CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform, 0};
    int data;
    REFUSES(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &cl.device, NULL, NULL, &error));
    REFUSES(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &cl.device, NULL, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreateContext(NULL, 0, &cl.device, NULL, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreateContext(NULL, 1, NULL, NULL, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreateContext(NULL, 1, &cl.device, NULL, &data, &error));
    REFUSES(CL_INVALID_DEVICE, clCreateContext(NULL, 1, (cl_device_id *)&cl.context, NULL, NULL, &error));
    assert_null(clCreateContext(NULL, 0, NULL, NULL, NULL, NULL));
}

TEST(a_context_is_made_from_a_device_type) {
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform, 0};
    cl_context_properties unknown[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform, 0x4242, 1, 0};
    int data;
    cl_context context = MADE(clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, ignore, &data, &error));
    OK(clReleaseContext(context));
    context = MADE(clCreateContextFromType(properties, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &error));
    OK(clReleaseContext(context));
    REFUSES(CL_DEVICE_NOT_FOUND, clCreateContextFromType(properties, CL_DEVICE_TYPE_GPU, NULL, NULL, &error));
    REFUSES(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(properties, 0, NULL, NULL, &error));
    REFUSES(CL_INVALID_PROPERTY, clCreateContextFromType(unknown, CL_DEVICE_TYPE_CPU, NULL, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreateContextFromType(properties, CL_DEVICE_TYPE_CPU, NULL, &data, &error));
}

TEST(a_context_query_checks_its_arguments) {
    char one;
    size_t size;
    GIVES(CL_INVALID_VALUE, clGetContextInfo(cl.context, CL_CONTEXT_DEVICES, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE, clGetContextInfo(cl.context, CL_DEVICE_NAME, 0, NULL, &size));
}

TEST(an_object_that_is_no_context_is_refused) {
    cl_context wrong = (cl_context)cl.queue;
    size_t size;
    GIVES(CL_INVALID_CONTEXT, clGetContextInfo(wrong, CL_CONTEXT_DEVICES, 0, NULL, &size));
    GIVES(CL_INVALID_CONTEXT, clRetainContext(wrong));
    GIVES(CL_INVALID_CONTEXT, clReleaseContext(wrong));
    REFUSES(CL_INVALID_CONTEXT, clCreateBuffer(wrong, 0, 4, NULL, &error));
    REFUSES(CL_INVALID_CONTEXT, clCreateUserEvent(wrong, &error));
    REFUSES(CL_INVALID_CONTEXT, clCreateCommandQueueWithProperties(wrong, cl.device, NULL, &error));
    const char *source = "";
    REFUSES(CL_INVALID_CONTEXT, clCreateProgramWithSource(wrong, 1, &source, NULL, &error));
    assert_null(clSVMAlloc(wrong, 0, 16, 0));
}

static int order[4], calls;
static void CL_CALLBACK note(cl_context context, void *user) {
    order[calls++] = (int)(intptr_t)user;
}

TEST(destructor_callbacks_run_newest_first_when_all_is_released) {
    cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
    calls = 0;
    for (intptr_t i = 1; i <= 3; i++)
        OK(clSetContextDestructorCallback(context, note, (void *)i));
    GIVES(CL_INVALID_VALUE, clSetContextDestructorCallback(context, NULL, NULL));
    cl_mem mem = MADE(clCreateBuffer(context, 0, 4, NULL, &error));
    OK(clReleaseContext(context));
    assert_int_equal(calls, 0);
    OK(clReleaseMemObject(mem));
    assert_int_equal(calls, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(order[i], 3 - i);
}

TEST(a_thousand_contexts_come_and_go) {
    for (int i = 0; i < 1000; i++)
        OK(clReleaseContext(MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error))));
}

/* What a device does not advertise answers with the specification's error: IL and such. Each
 * test skips itself where the device does advertise it.
 */
#include "api.h"

static bool is_refusal(cl_int code) {
    return code == CL_INVALID_MEM_OBJECT || code == CL_INVALID_OPERATION;
}

TEST(image_commands_on_buffers_are_refused) {
    cl_mem mem = buffer_of(0, 64, NULL);
    size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1}, pitch;
    char host[64] = {0};
    cl_uint color[4] = {0};
    assert_true(is_refusal(clEnqueueReadImage(cl.queue, mem, CL_TRUE, zero, one, 0, 0, host, 0, NULL, NULL)));
    assert_true(
        is_refusal(clEnqueueWriteImage(cl.queue, mem, CL_TRUE, zero, one, 0, 0, host, 0, NULL, NULL)));
    assert_true(is_refusal(clEnqueueCopyImage(cl.queue, mem, mem, zero, zero, one, 0, NULL, NULL)));
    assert_true(is_refusal(clEnqueueFillImage(cl.queue, mem, color, zero, one, 0, NULL, NULL)));
    assert_true(is_refusal(clEnqueueCopyImageToBuffer(cl.queue, mem, mem, zero, one, 0, 0, NULL, NULL)));
    assert_true(is_refusal(clEnqueueCopyBufferToImage(cl.queue, mem, mem, 0, zero, one, 0, NULL, NULL)));
    assert_null(clEnqueueMapImage(cl.queue, mem, CL_TRUE, CL_MAP_READ, zero, one, &pitch, &pitch, 0, NULL,
                                  NULL, &error));
    assert_true(is_refusal(error));
    GIVES(CL_INVALID_MEM_OBJECT, clGetImageInfo(mem, CL_IMAGE_WIDTH, sizeof pitch, &pitch, NULL));
    OK(clReleaseMemObject(mem));
}

TEST(intermediate_languages_are_refused) {
    size_t size = 0;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, 0, NULL, &size));
    if (size > 1)
        skip();
    static const cl_uint magic[] = {0x07230203, 0x00010000, 0, 1, 0};
    cl_program program = program_of("kernel void k() {}");
    cl_int value = 1;
    REFUSES(CL_INVALID_OPERATION, clCreateProgramWithIL(cl.context, magic, sizeof magic, &error));
    cl_int code = clSetProgramSpecializationConstant(program, 0, sizeof value, &value);
    assert_true(code == CL_INVALID_OPERATION || code == CL_INVALID_PROGRAM);
    OK(clReleaseProgram(program));
}

static void CL_CALLBACK nothing(cl_program program, void *user) {
}

TEST(program_release_callbacks_are_refused) {
    cl_program program = program_of("kernel void k() {}");
    GIVES(CL_INVALID_OPERATION, clSetProgramReleaseCallback(program, nothing, NULL));
    GIVES(CL_INVALID_PROGRAM, clSetProgramReleaseCallback((cl_program)cl.queue, nothing, NULL));
    OK(clReleaseProgram(program));
}

/* What isn't advertised isn't defined in programs either. */
TEST(programs_see_no_feature_that_is_missing) {
    static const struct {
        cl_device_info query;
        const char *macro;
    } features[] = {
        {CL_DEVICE_IMAGE_SUPPORT, "__opencl_c_images"},
        {CL_DEVICE_PIPE_SUPPORT, "__opencl_c_pipes"},
        {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, "__opencl_c_device_enqueue"},
        {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, "__opencl_c_generic_address_space"},
        {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, "__opencl_c_work_group_collective_functions"},
        {CL_DEVICE_MAX_NUM_SUB_GROUPS, "__opencl_c_subgroups"},
        {CL_DEVICE_DOUBLE_FP_CONFIG, "__opencl_c_fp64"},
    };
    for (size_t i = 0; i < COUNT(features); i++) {
        cl_ulong value = 0;
        char source[200];
        OK(clGetDeviceInfo(cl.device, features[i].query, sizeof value, &value, NULL));
        snprintf(source, sizeof source, "#if%sdef %s\n#error %s\n#endif\nkernel void k() {}",
                 value ? "n" : "", features[i].macro, features[i].macro);
        OK(clReleaseProgram(build(source, "-cl-std=CL3.0")));
    }
}

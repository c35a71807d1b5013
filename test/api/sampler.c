/* Samplers: creation, properties, queries. */
#include "api.h"
#include "image.h"
#include <fenv.h>

static cl_uint uint_info(cl_sampler sampler, cl_sampler_info name) {
    cl_uint value = 77;
    OK(clGetSamplerInfo(sampler, name, sizeof value, &value, NULL));
    return value;
}

static float float_info(cl_sampler sampler, cl_sampler_info name) {
    float value = -1;
    OK(clGetSamplerInfo(sampler, name, sizeof value, &value, NULL));
    return value;
}

static cl_sampler_properties bits_of(float f) {
    cl_uint bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

TEST(samplers_have_defaults) {
    needs_images();
    cl_sampler sampler = MADE(clCreateSamplerWithProperties(cl.context, NULL, &error));
    cl_context context;
    size_t size;
    assert_int_equal(uint_info(sampler, CL_SAMPLER_NORMALIZED_COORDS), CL_TRUE);
    assert_int_equal(uint_info(sampler, CL_SAMPLER_ADDRESSING_MODE), CL_ADDRESS_CLAMP);
    assert_int_equal(uint_info(sampler, CL_SAMPLER_FILTER_MODE), CL_FILTER_NEAREST);
    assert_int_equal(uint_info(sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR), CL_FILTER_NEAREST);
    assert_true(float_info(sampler, CL_SAMPLER_LOD_MIN_KHR) == 0);
    assert_true(float_info(sampler, CL_SAMPLER_LOD_MAX_KHR) > 1e38f);
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_CONTEXT, sizeof context, &context, NULL));
    assert_ptr_equal(context, cl.context);
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size));
    assert_int_equal(size, 0);
    OK(clReleaseSampler(sampler));
}

TEST(samplers_say_what_they_were_made_with) {
    needs_images();
    cl_sampler_properties properties[] = {CL_SAMPLER_FILTER_MODE,
                                          CL_FILTER_LINEAR,
                                          CL_SAMPLER_NORMALIZED_COORDS,
                                          CL_TRUE,
                                          CL_SAMPLER_LOD_MAX_KHR,
                                          bits_of(3.5f),
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          CL_ADDRESS_MIRRORED_REPEAT,
                                          CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                          CL_FILTER_LINEAR,
                                          0};
    cl_sampler_properties back[COUNT(properties)];
    size_t size;
    cl_sampler sampler = MADE(clCreateSamplerWithProperties(cl.context, properties, &error));
    assert_int_equal(uint_info(sampler, CL_SAMPLER_ADDRESSING_MODE), CL_ADDRESS_MIRRORED_REPEAT);
    assert_int_equal(uint_info(sampler, CL_SAMPLER_FILTER_MODE), CL_FILTER_LINEAR);
    assert_int_equal(uint_info(sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR), CL_FILTER_LINEAR);
    assert_true(float_info(sampler, CL_SAMPLER_LOD_MAX_KHR) == 3.5f);
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof back, back, &size));
    assert_int_equal(size, sizeof properties);
    assert_memory_equal(back, properties, sizeof properties);
    OK(clReleaseSampler(sampler));
}

TEST(the_older_function_takes_every_mode_that_goes_together) {
    needs_images();
    for (cl_bool normalized = 0; normalized < 2; normalized++)
        for (cl_addressing_mode mode = CL_ADDRESS_NONE; mode <= CL_ADDRESS_MIRRORED_REPEAT; mode++)
            for (cl_filter_mode filter = CL_FILTER_NEAREST; filter <= CL_FILTER_LINEAR; filter++) {
                if (!normalized && mode >= CL_ADDRESS_REPEAT) {
                    REFUSES(CL_INVALID_VALUE, clCreateSampler(cl.context, normalized, mode, filter, &error));
                    continue;
                }
                cl_sampler sampler = MADE(clCreateSampler(cl.context, normalized, mode, filter, &error));
                size_t size;
                assert_int_equal(uint_info(sampler, CL_SAMPLER_NORMALIZED_COORDS), normalized);
                assert_int_equal(uint_info(sampler, CL_SAMPLER_ADDRESSING_MODE), mode);
                assert_int_equal(uint_info(sampler, CL_SAMPLER_FILTER_MODE), filter);
                OK(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size));
                assert_int_equal(size, 0);
                OK(clReleaseSampler(sampler));
            }
}

TEST(samplers_check_their_properties) {
    needs_images();
    const cl_sampler_properties wrong[][5] = {
        {0x1234, 0, 0},
        {CL_SAMPLER_CONTEXT, 0, 0},
        {CL_SAMPLER_NORMALIZED_COORDS, 2, 0},
        {CL_SAMPLER_ADDRESSING_MODE, CL_FILTER_NEAREST, 0},
        {CL_SAMPLER_FILTER_MODE, CL_ADDRESS_CLAMP, 0},
        {CL_SAMPLER_MIP_FILTER_MODE_KHR, 1, 0},
        {CL_SAMPLER_LOD_MIN_KHR, bits_of(__builtin_nanf("")), 0},
        {CL_SAMPLER_LOD_MIN_KHR, bits_of(2), CL_SAMPLER_LOD_MAX_KHR, bits_of(1), 0},
        {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0},
        {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT, 0},
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        REFUSES(CL_INVALID_VALUE, clCreateSamplerWithProperties(cl.context, wrong[i], &error));
    REFUSES(CL_INVALID_VALUE, clCreateSampler(cl.context, 2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
    REFUSES(CL_INVALID_VALUE, clCreateSampler(cl.context, CL_TRUE, 0, CL_FILTER_NEAREST, &error));
    REFUSES(CL_INVALID_VALUE, clCreateSampler(cl.context, CL_TRUE, CL_ADDRESS_CLAMP, 0, &error));
    REFUSES(CL_INVALID_CONTEXT, clCreateSamplerWithProperties((cl_context)cl.queue, NULL, &error));
    REFUSES(CL_INVALID_CONTEXT,
            clCreateSampler((cl_context)cl.queue, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
}

static void CL_CALLBACK note_rounding(const char *text, const void *info, size_t size, void *arg) {
    *(int *)arg = fegetround();
}

TEST(an_errors_callback_rounds_as_the_caller_does) {
    needs_images();
    int seen = -1;
    cl_sampler_properties wrong[] = {CL_SAMPLER_FILTER_MODE, CL_ADDRESS_CLAMP, 0};
    cl_sampler_properties order[] = {CL_SAMPLER_LOD_MIN_KHR, bits_of(2), CL_SAMPLER_LOD_MAX_KHR, bits_of(1),
                                     0};
    cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, note_rounding, &seen, &error));
    fesetround(FE_UPWARD);
    REFUSES(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, wrong, &error));
    assert_int_equal(seen, FE_UPWARD);
    seen = -1;
    REFUSES(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, order, &error));
    assert_int_equal(seen, FE_UPWARD);
    assert_int_equal(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
    OK(clReleaseContext(context));
}

TEST(levels_of_detail_raise_no_exceptions) {
    needs_images();
    const cl_sampler_properties lists[][5] = {
        {CL_SAMPLER_LOD_MIN_KHR, 0x7fa00000, 0}, /* a number that signals */
        {CL_SAMPLER_LOD_MIN_KHR, bits_of(2), CL_SAMPLER_LOD_MAX_KHR, 0x00000001, 0}, /* the least denormal */
        {CL_SAMPLER_LOD_MIN_KHR, 0xff800001, 0},
    };
    feclearexcept(FE_ALL_EXCEPT);
    for (size_t i = 0; i < COUNT(lists); i++)
        REFUSES(CL_INVALID_VALUE, clCreateSamplerWithProperties(cl.context, lists[i], &error));
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), 0);
}

TEST(samplers_are_counted) {
    needs_images();
    cl_sampler sampler = MADE(clCreateSamplerWithProperties(cl.context, NULL, &error));
    OK(clRetainSampler(sampler));
    assert_int_equal(uint_info(sampler, CL_SAMPLER_REFERENCE_COUNT), 2);
    OK(clReleaseSampler(sampler));
    assert_int_equal(uint_info(sampler, CL_SAMPLER_REFERENCE_COUNT), 1);
    OK(clReleaseSampler(sampler));
}

TEST(what_is_no_sampler_is_refused) {
    cl_sampler wrong = (cl_sampler)cl.queue;
    cl_uint value;
    GIVES(CL_INVALID_SAMPLER, clRetainSampler(wrong));
    GIVES(CL_INVALID_SAMPLER, clReleaseSampler(wrong));
    GIVES(CL_INVALID_SAMPLER, clGetSamplerInfo(wrong, CL_SAMPLER_FILTER_MODE, sizeof value, &value, NULL));
}

TEST(sampler_queries_check_their_arguments) {
    needs_images();
    cl_sampler sampler = MADE(clCreateSamplerWithProperties(cl.context, NULL, &error));
    cl_uint value;
    GIVES(CL_INVALID_VALUE, clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, 2, &value, NULL));
    GIVES(CL_INVALID_VALUE, clGetSamplerInfo(sampler, CL_IMAGE_WIDTH, sizeof value, &value, NULL));
    OK(clReleaseSampler(sampler));
}

/* Platform: clGetPlatformIDs, clGetPlatformInfo, clGetExtensionFunctionAddressForPlatform. */
#include "api.h"

static char *text_of(cl_platform_info name) {
    size_t size;
    OK(clGetPlatformInfo(cl.platform, name, 0, NULL, &size));
    char *text = malloc(size + 1);
    text[size] = 'x';
    OK(clGetPlatformInfo(cl.platform, name, size, text, NULL));
    assert_int_equal(strlen(text) + 1, size);
    assert_int_equal(text[size], 'x');
    return text;
}

TEST(asking_for_platforms_without_a_place_for_the_answer_is_invalid) {
    cl_platform_id id;
    GIVES(CL_INVALID_VALUE, clGetPlatformIDs(0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clGetPlatformIDs(0, &id, NULL));
}

TEST(platform_strings_are_complete) {
    static const cl_platform_info names[] = {CL_PLATFORM_PROFILE,    CL_PLATFORM_VERSION,
                                             CL_PLATFORM_NAME,       CL_PLATFORM_VENDOR,
                                             CL_PLATFORM_EXTENSIONS, CL_PLATFORM_ICD_SUFFIX_KHR};
    for (size_t i = 0; i < COUNT(names); i++) {
        char *text = text_of(names[i]);
        assert_true(*text || names[i] == CL_PLATFORM_EXTENSIONS);
        free(text);
    }
}

TEST(the_platform_is_a_full_profile_of_version_3) {
    char *profile = text_of(CL_PLATFORM_PROFILE), *version = text_of(CL_PLATFORM_VERSION);
    cl_version number;
    int major, minor;
    assert_string_equal(profile, "FULL_PROFILE");
    assert_int_equal(sscanf(version, "OpenCL %d.%d ", &major, &minor), 2);
    assert_int_equal(major, 3);
    OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_NUMERIC_VERSION, sizeof number, &number, NULL));
    assert_int_equal(CL_VERSION_MAJOR(number), major);
    assert_int_equal(CL_VERSION_MINOR(number), minor);
    free(profile);
    free(version);
}

TEST(extensions_with_versions_are_those_of_the_string) {
    char *text = text_of(CL_PLATFORM_EXTENSIONS);
    size_t size, words = 0;
    for (char *at = text; *at; at++)
        words += *at != ' ' && (at == text || at[-1] == ' ');
    OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, 0, NULL, &size));
    assert_int_equal(size, words * sizeof(cl_name_version));
    cl_name_version *list = malloc(size);
    OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, size, list, NULL));
    for (size_t i = 0; i < words; i++) {
        assert_non_null(strstr(text, list[i].name));
        assert_true(list[i].version != 0);
    }
    assert_non_null(strstr(text, "cl_khr_icd"));
    free(list);
    free(text);
}

TEST(a_platform_query_checks_its_arguments) {
    char one;
    size_t size;
    GIVES(CL_INVALID_VALUE, clGetPlatformInfo(cl.platform, CL_PLATFORM_NAME, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE, clGetPlatformInfo(cl.platform, CL_DEVICE_NAME, 0, NULL, &size));
    GIVES(CL_INVALID_VALUE, clGetPlatformInfo(cl.platform, 0, 0, NULL, &size));
}

TEST(an_object_that_is_no_platform_is_refused) {
    cl_uint n;
    size_t size;
    GIVES(CL_INVALID_PLATFORM,
          clGetPlatformInfo((cl_platform_id)cl.context, CL_PLATFORM_NAME, 0, NULL, &size));
    GIVES(CL_INVALID_PLATFORM, clGetDeviceIDs((cl_platform_id)cl.queue, CL_DEVICE_TYPE_ALL, 0, NULL, &n));
}

TEST(the_timer_resolution_of_the_host_is_known) {
    cl_ulong resolution = 77;
    OK(clGetPlatformInfo(cl.platform, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof resolution, &resolution,
                         NULL));
    assert_true(resolution <= 1000000);
}

TEST(unknown_extension_functions_have_no_address) {
    assert_null(clGetExtensionFunctionAddressForPlatform(cl.platform, "clNoSuchFunctionWEIR"));
}

TEST(the_compiler_can_be_unloaded_and_comes_back) {
    OK(clUnloadPlatformCompiler(cl.platform));
    still_works();
    OK(clUnloadCompiler());
    still_works();
}

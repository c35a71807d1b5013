/* Devices: queries, selection by type, sub-devices, timers. */
#include "api.h"

static cl_ulong number_of(cl_device_info name) {
    cl_ulong value = 0;
    size_t size;
    OK(clGetDeviceInfo(cl.device, name, sizeof value, &value, &size));
    assert_true(size == 4 || size == 8);
    return value;
}

static char *text_of(cl_device_info name) {
    size_t size;
    OK(clGetDeviceInfo(cl.device, name, 0, NULL, &size));
    char *text = malloc(size + 1);
    OK(clGetDeviceInfo(cl.device, name, size, text, NULL));
    assert_int_equal(strlen(text) + 1, size);
    return text;
}

TEST(devices_are_found_by_their_type) {
    cl_uint n = 0;
    cl_device_id id;
    OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_CPU, 0, NULL, &n));
    assert_true(n >= 1);
    OK(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_DEFAULT, 1, &id, NULL));
    GIVES(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_GPU, 1, &id, NULL));
    GIVES(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_CUSTOM, 1, &id, &n));
}

TEST(a_search_for_devices_checks_its_arguments) {
    cl_device_id id;
    cl_uint n;
    GIVES(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(cl.platform, 0, 1, &id, &n));
    GIVES(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(cl.platform, (cl_device_type)1 << 40, 1, &id, &n));
    GIVES(CL_INVALID_VALUE, clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 0, &id, &n));
    GIVES(CL_INVALID_VALUE, clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL));
}

/* Name and size of the answer; 0: any size. */
#define UINT(name)  {name, #name, sizeof(cl_uint)}
#define ULONG(name) {name, #name, sizeof(cl_ulong)}
#define SIZE(name)  {name, #name, sizeof(size_t)}
#define ANY(name)   {name, #name, 0}
static const struct {
    cl_device_info name;
    const char *text;
    size_t size;
} queries[] = {
    ULONG(CL_DEVICE_TYPE),
    UINT(CL_DEVICE_VENDOR_ID),
    UINT(CL_DEVICE_MAX_COMPUTE_UNITS),
    UINT(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS),
    ANY(CL_DEVICE_MAX_WORK_ITEM_SIZES),
    SIZE(CL_DEVICE_MAX_WORK_GROUP_SIZE),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE),
    UINT(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE),
    UINT(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF),
    UINT(CL_DEVICE_MAX_CLOCK_FREQUENCY),
    UINT(CL_DEVICE_ADDRESS_BITS),
    ULONG(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
    UINT(CL_DEVICE_IMAGE_SUPPORT),
    UINT(CL_DEVICE_MAX_READ_IMAGE_ARGS),
    UINT(CL_DEVICE_MAX_WRITE_IMAGE_ARGS),
    UINT(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS),
    ANY(CL_DEVICE_IL_VERSION),
    ANY(CL_DEVICE_ILS_WITH_VERSION),
    SIZE(CL_DEVICE_IMAGE2D_MAX_WIDTH),
    SIZE(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
    SIZE(CL_DEVICE_IMAGE3D_MAX_WIDTH),
    SIZE(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
    SIZE(CL_DEVICE_IMAGE3D_MAX_DEPTH),
    SIZE(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE),
    SIZE(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE),
    UINT(CL_DEVICE_MAX_SAMPLERS),
    UINT(CL_DEVICE_IMAGE_PITCH_ALIGNMENT),
    UINT(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT),
    UINT(CL_DEVICE_MAX_PIPE_ARGS),
    UINT(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS),
    UINT(CL_DEVICE_PIPE_MAX_PACKET_SIZE),
    SIZE(CL_DEVICE_MAX_PARAMETER_SIZE),
    UINT(CL_DEVICE_MEM_BASE_ADDR_ALIGN),
    UINT(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE),
    ULONG(CL_DEVICE_SINGLE_FP_CONFIG),
    ULONG(CL_DEVICE_DOUBLE_FP_CONFIG),
    ULONG(CL_DEVICE_HALF_FP_CONFIG),
    UINT(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE),
    UINT(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE),
    ULONG(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE),
    ULONG(CL_DEVICE_GLOBAL_MEM_SIZE),
    ULONG(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE),
    UINT(CL_DEVICE_MAX_CONSTANT_ARGS),
    SIZE(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE),
    SIZE(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE),
    UINT(CL_DEVICE_LOCAL_MEM_TYPE),
    ULONG(CL_DEVICE_LOCAL_MEM_SIZE),
    UINT(CL_DEVICE_ERROR_CORRECTION_SUPPORT),
    UINT(CL_DEVICE_HOST_UNIFIED_MEMORY),
    SIZE(CL_DEVICE_PROFILING_TIMER_RESOLUTION),
    UINT(CL_DEVICE_ENDIAN_LITTLE),
    UINT(CL_DEVICE_AVAILABLE),
    UINT(CL_DEVICE_COMPILER_AVAILABLE),
    UINT(CL_DEVICE_LINKER_AVAILABLE),
    ULONG(CL_DEVICE_EXECUTION_CAPABILITIES),
    ULONG(CL_DEVICE_QUEUE_PROPERTIES),
    ULONG(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES),
    ULONG(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES),
    UINT(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE),
    UINT(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE),
    UINT(CL_DEVICE_MAX_ON_DEVICE_QUEUES),
    UINT(CL_DEVICE_MAX_ON_DEVICE_EVENTS),
    ANY(CL_DEVICE_BUILT_IN_KERNELS),
    ANY(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION),
    SIZE(CL_DEVICE_PLATFORM),
    ANY(CL_DEVICE_NAME),
    ANY(CL_DEVICE_VENDOR),
    ANY(CL_DRIVER_VERSION),
    ANY(CL_DEVICE_PROFILE),
    ANY(CL_DEVICE_VERSION),
    UINT(CL_DEVICE_NUMERIC_VERSION),
    ANY(CL_DEVICE_OPENCL_C_VERSION),
    ANY(CL_DEVICE_OPENCL_C_ALL_VERSIONS),
    ANY(CL_DEVICE_OPENCL_C_FEATURES),
    ANY(CL_DEVICE_EXTENSIONS),
    ANY(CL_DEVICE_EXTENSIONS_WITH_VERSION),
    SIZE(CL_DEVICE_PRINTF_BUFFER_SIZE),
    UINT(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC),
    SIZE(CL_DEVICE_PARENT_DEVICE),
    UINT(CL_DEVICE_PARTITION_MAX_SUB_DEVICES),
    ANY(CL_DEVICE_PARTITION_PROPERTIES),
    ULONG(CL_DEVICE_PARTITION_AFFINITY_DOMAIN),
    ANY(CL_DEVICE_PARTITION_TYPE),
    UINT(CL_DEVICE_REFERENCE_COUNT),
    ULONG(CL_DEVICE_SVM_CAPABILITIES),
    UINT(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT),
    UINT(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT),
    UINT(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT),
    UINT(CL_DEVICE_MAX_NUM_SUB_GROUPS),
    UINT(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS),
    ULONG(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES),
    ULONG(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES),
    UINT(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT),
    UINT(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT),
    UINT(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT),
    ULONG(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES),
    UINT(CL_DEVICE_PIPE_SUPPORT),
    SIZE(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE),
    ANY(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED),
};

TEST(every_query_of_version_3_is_answered_in_its_type) {
    char answer[65536];
    for (size_t i = 0; i < COUNT(queries); i++) {
        size_t size = 77, again = 78;
        cl_int code = clGetDeviceInfo(cl.device, queries[i].name, 0, NULL, &size);
        if (code || (queries[i].size && size != queries[i].size))
            fail_msg("%s: code %d, size %zu", queries[i].text, code, size);
        assert_true(size <= sizeof answer);
        OK(clGetDeviceInfo(cl.device, queries[i].name, sizeof answer, answer, &again));
        assert_int_equal(size, again);
        if (size)
            GIVES(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, queries[i].name, size - 1, answer, NULL));
    }
}

TEST(a_device_query_checks_its_arguments) {
    size_t size;
    GIVES(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, CL_PLATFORM_NAME, 0, NULL, &size));
    GIVES(CL_INVALID_VALUE, clGetDeviceInfo(cl.device, 0xffff, 0, NULL, &size));
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_NAME, 0, NULL, NULL));
}

TEST(an_object_that_is_no_device_is_refused) {
    cl_device_id wrong = (cl_device_id)cl.queue;
    size_t size;
    GIVES(CL_INVALID_DEVICE, clGetDeviceInfo(wrong, CL_DEVICE_NAME, 0, NULL, &size));
    GIVES(CL_INVALID_DEVICE, clRetainDevice(wrong));
    GIVES(CL_INVALID_DEVICE, clReleaseDevice(wrong));
}

TEST(the_device_meets_the_minimums_of_the_full_profile) {
    size_t sizes[3];
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL));
    assert_true(number_of(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS) >= 3);
    assert_true(sizes[0] >= 1 && sizes[1] >= 1 && sizes[2] >= 1);
    assert_true(number_of(CL_DEVICE_MAX_WORK_GROUP_SIZE) >= 1);
    assert_true(number_of(CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
    assert_true(number_of(CL_DEVICE_LOCAL_MEM_SIZE) >= 32 * 1024);
    assert_true(number_of(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) >= 64 * 1024);
    assert_true(number_of(CL_DEVICE_MAX_CONSTANT_ARGS) >= 8);
    assert_true(number_of(CL_DEVICE_PRINTF_BUFFER_SIZE) >= 1024 * 1024);
    assert_true(number_of(CL_DEVICE_MEM_BASE_ADDR_ALIGN) >= 1024);
    assert_true(number_of(CL_DEVICE_MAX_MEM_ALLOC_SIZE) >= number_of(CL_DEVICE_GLOBAL_MEM_SIZE) / 4);
    assert_true(number_of(CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_KERNEL);
    assert_true(number_of(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) & CL_QUEUE_PROFILING_ENABLE);
    assert_true(number_of(CL_DEVICE_COMPILER_AVAILABLE) && number_of(CL_DEVICE_LINKER_AVAILABLE));
    assert_int_equal(number_of(CL_DEVICE_SINGLE_FP_CONFIG) & (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
                     CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN);
    char *extensions = text_of(CL_DEVICE_EXTENSIONS);
    bool has_half = strstr(extensions, "cl_khr_fp16");
    free(extensions);
    assert_int_equal(number_of(CL_DEVICE_HALF_FP_CONFIG) != 0, has_half);
    assert_int_equal(number_of(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF) != 0, has_half);
    assert_int_equal(number_of(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF) != 0, has_half);
}

TEST(extensions_that_became_core_of_3_1_are_listed) {
    static const char *const names[] = {
        "cl_khr_device_uuid",       "cl_khr_extended_bit_ops",          "cl_khr_integer_dot_product",
        "cl_khr_spirv_queries",     "cl_khr_subgroup_extended_types",   "cl_khr_subgroup_rotate",
        "cl_khr_subgroup_shuffle ", "cl_khr_subgroup_shuffle_relative", "cl_khr_suggested_local_work_size"};
    char *listed = text_of(CL_DEVICE_EXTENSIONS);
    for (size_t i = 0; i < COUNT(names); i++)
        assert_non_null(strstr(listed, names[i]));
    free(listed);
}

TEST(version_strings_and_numbers_agree) {
    char *version = text_of(CL_DEVICE_VERSION), *c_version = text_of(CL_DEVICE_OPENCL_C_VERSION);
    int major, minor;
    assert_int_equal(sscanf(version, "OpenCL %d.%d ", &major, &minor), 2);
    cl_version number = (cl_version)number_of(CL_DEVICE_NUMERIC_VERSION);
    assert_int_equal(CL_VERSION_MAJOR(number), major);
    assert_int_equal(CL_VERSION_MINOR(number), minor);
    assert_int_equal(sscanf(c_version, "OpenCL C %d.%d", &major, &minor), 2);
    free(version);
    free(c_version);
}

/* Every language version and feature that a device lists must work in a program. */
TEST(listed_language_versions_and_features_compile) {
    cl_name_version list[64];
    char source[512], options[64];
    size_t size;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof list, list, &size));
    assert_true(size >= 3 * sizeof *list);
    for (size_t i = 0; i < size / sizeof *list; i++) {
        assert_string_equal(list[i].name, "OpenCL C");
        if (list[i].version == CL_MAKE_VERSION(1, 0, 0))
            continue; /* no option asks for it */
        unsigned major = CL_VERSION_MAJOR(list[i].version), minor = CL_VERSION_MINOR(list[i].version);
        snprintf(options, sizeof options, "-cl-std=CL%u.%u", major, minor);
        snprintf(source, sizeof source,
                 "#if __OPENCL_C_VERSION__ < %u\n#error version\n#endif\nkernel void k() {}",
                 major * 100 + minor * 10);
        OK(clReleaseProgram(build(source, options)));
    }
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list, list, &size));
    for (size_t i = 0; i < size / sizeof *list; i++) {
        snprintf(source, sizeof source, "#ifndef %s\n#error feature\n#endif\nkernel void k() {}",
                 list[i].name);
        OK(clReleaseProgram(build(source, "-cl-std=CL3.0")));
    }
}

TEST(listed_extensions_are_defined_in_programs) {
    char *text = text_of(CL_DEVICE_EXTENSIONS), source[256], *rest = text;
    static const char *const host_side[] = {"cl_ext_buffer_device_address",
                                            "cl_ext_cxx_for_opencl",
                                            "cl_intel_create_buffer_with_properties",
                                            "cl_intel_unified_shared_memory",
                                            "cl_khr_command_buffer",
                                            "cl_khr_command_buffer_multi_device",
                                            "cl_khr_command_buffer_mutable_dispatch",
                                            "cl_khr_create_command_queue",
                                            "cl_khr_device_uuid",
                                            "cl_khr_expect_assume",
                                            "cl_khr_extended_versioning",
                                            "cl_khr_icd",
                                            "cl_khr_image2d_from_buffer",
                                            "cl_khr_il_program",
                                            "cl_khr_initialize_memory",
                                            "cl_khr_pci_bus_info",
                                            "cl_khr_priority_hints",
                                            "cl_khr_semaphore",
                                            "cl_khr_spir",
                                            "cl_khr_spirv_linkonce_odr",
                                            "cl_khr_spirv_no_integer_wrap_decoration",
                                            "cl_khr_spirv_queries",
                                            "cl_khr_suggested_local_work_size",
                                            "cl_khr_terminate_context",
                                            "cl_khr_throttle_hints"};
    static const char *const versions[] = {"",
                                           "-cl-std=CL1.0",
                                           "-cl-std=CL1.1",
                                           "-cl-std=CL1.2",
                                           "-cl-std=CL2.0",
                                           "-cl-std=CL3.0",
                                           "-cl-std=CLC++2021"};
    for (char *word; (word = strsep(&rest, " "));) {
        bool skip = !*word;
        for (size_t i = 0; i < COUNT(host_side); i++)
            skip |= !strcmp(word, host_side[i]);
        if (skip)
            continue;
        snprintf(source, sizeof source, "#ifndef %s\n#error extension\n#endif\nkernel void k() {}", word);
        for (size_t i = 0; i < COUNT(versions); i++)
            OK(clReleaseProgram(build(source, versions[i])));
    }
    free(text);
}

TEST(capabilities_and_features_agree) {
    cl_device_atomic_capabilities need = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
    assert_int_equal(number_of(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES) & need, need);
    need |= CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
    assert_int_equal(number_of(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES) & need, need);
    if (!number_of(CL_DEVICE_IMAGE_SUPPORT))
        assert_int_equal(number_of(CL_DEVICE_MAX_SAMPLERS), 0);
    if (!number_of(CL_DEVICE_PIPE_SUPPORT))
        assert_int_equal(number_of(CL_DEVICE_MAX_PIPE_ARGS), 0);
    if (!number_of(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES))
        assert_int_equal(number_of(CL_DEVICE_MAX_ON_DEVICE_QUEUES), 0);
}

TEST(a_root_device_is_not_counted) {
    assert_int_equal(number_of(CL_DEVICE_REFERENCE_COUNT), 1);
    OK(clRetainDevice(cl.device));
    OK(clReleaseDevice(cl.device));
    OK(clReleaseDevice(cl.device));
    assert_int_equal(number_of(CL_DEVICE_REFERENCE_COUNT), 1);
}

static cl_uint units_of(cl_device_id device) {
    cl_uint units;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    return units;
}

TEST(a_device_splits_into_equal_parts) {
    cl_uint units = units_of(cl.device), n = 0;
    if (units < 2)
        skip();
    cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0}, type[3];
    OK(clCreateSubDevices(cl.device, by_one, 0, NULL, &n));
    assert_int_equal(n, units);
    cl_device_id *parts = calloc(n, sizeof *parts), parent;
    OK(clCreateSubDevices(cl.device, by_one, n, parts, NULL));
    cl_context context = MADE(clCreateContext(NULL, n, parts, NULL, NULL, &error));
    for (cl_uint i = 0; i < n; i++) {
        cl_uint refs;
        size_t size;
        assert_int_equal(units_of(parts[i]), 1);
        OK(clGetDeviceInfo(parts[i], CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL));
        assert_ptr_equal(parent, cl.device);
        OK(clGetDeviceInfo(parts[i], CL_DEVICE_PARTITION_TYPE, sizeof type, type, &size));
        assert_int_equal(size, sizeof type);
        assert_memory_equal(type, by_one, sizeof type);
        OK(clRetainDevice(parts[i]));
        OK(clGetDeviceInfo(parts[i], CL_DEVICE_REFERENCE_COUNT, sizeof refs, &refs, NULL));
        assert_true(refs >= 2);
        OK(clReleaseDevice(parts[i]));
        OK(clReleaseDevice(parts[i]));
    }
    OK(clReleaseContext(context));
    free(parts);
}

TEST(a_sub_device_runs_kernels) {
    cl_uint n;
    if (units_of(cl.device) < 2)
        skip();
    cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                             CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_id part, root = cl.device;
    cl_context old_context = cl.context;
    cl_command_queue old_queue = cl.queue;
    OK(clCreateSubDevices(cl.device, counts, 1, &part, &n));
    assert_int_equal(n, 1);
    cl.device = part;
    cl.context = MADE(clCreateContext(NULL, 1, &part, NULL, NULL, &error));
    cl.queue = MADE(clCreateCommandQueueWithProperties(cl.context, part, NULL, &error));
    still_works();
    OK(clReleaseCommandQueue(cl.queue));
    OK(clReleaseContext(cl.context));
    OK(clReleaseDevice(part));
    cl.device = root;
    cl.context = old_context;
    cl.queue = old_queue;
}

TEST(a_partition_that_makes_no_sense_is_refused) {
    cl_uint units = units_of(cl.device), n;
    cl_device_id parts[2];
    cl_device_partition_property none[] = {0}, unknown[] = {0x4242, 1, 0};
    cl_device_partition_property too_large[] = {CL_DEVICE_PARTITION_EQUALLY, units + 1, 0};
    cl_device_partition_property two_by_count[] = {CL_DEVICE_PARTITION_BY_COUNTS, units, 1,
                                                   CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    GIVES(CL_INVALID_VALUE, clCreateSubDevices(cl.device, none, 2, parts, &n));
    GIVES(CL_INVALID_VALUE, clCreateSubDevices(cl.device, NULL, 2, parts, &n));
    GIVES(CL_INVALID_VALUE, clCreateSubDevices(cl.device, unknown, 2, parts, &n));
    cl_int code = clCreateSubDevices(cl.device, too_large, 2, parts, &n);
    assert_true(code == CL_DEVICE_PARTITION_FAILED || code == CL_INVALID_VALUE ||
                code == CL_INVALID_DEVICE_PARTITION_COUNT);
    GIVES(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(cl.device, two_by_count, 2, parts, &n));
    if (units < 2)
        return;
    cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    GIVES(CL_INVALID_VALUE, clCreateSubDevices(cl.device, by_one, 1, parts, &n));
}

TEST(host_and_device_clocks_run) {
    cl_ulong device, host, later_device, later_host;
    OK(clGetDeviceAndHostTimer(cl.device, &device, &host));
    OK(clGetHostTimer(cl.device, &later_host));
    assert_true(later_host >= host && device);
    OK(clGetDeviceAndHostTimer(cl.device, &later_device, &later_host));
    assert_true(later_device >= device && later_host >= host);
    GIVES(CL_INVALID_VALUE, clGetDeviceAndHostTimer(cl.device, NULL, &host));
    GIVES(CL_INVALID_VALUE, clGetDeviceAndHostTimer(cl.device, &device, NULL));
    GIVES(CL_INVALID_VALUE, clGetHostTimer(cl.device, NULL));
}

TEST(without_device_queues_there_is_no_default_one) {
    if (number_of(CL_DEVICE_MAX_ON_DEVICE_QUEUES))
        skip();
    GIVES(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(cl.context, cl.device, cl.queue));
}

TEST(dot_products_of_bytes_are_said_to_be_fast) {
    static const cl_device_info names[] = {
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR};
    if (!is_weir())
        skip();
    for (size_t i = 0; i < COUNT(names); i++) {
        cl_device_integer_dot_product_acceleration_properties_khr p = {0};
        OK(clGetDeviceInfo(cl.device, names[i], sizeof p, &p, NULL));
        assert_true(p.signed_accelerated && p.unsigned_accelerated && p.mixed_signedness_accelerated);
        assert_false(p.accumulating_saturating_signed_accelerated ||
                     p.accumulating_saturating_unsigned_accelerated);
    }
}

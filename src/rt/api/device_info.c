/* device_info.c: clGetDeviceInfo. Constants are one table; what depends on the machine is asked from the
 * processor (cpuid) and sysfs, once; memory is memory/limit.c's.
 */
#include "rt.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "extension.h"

/* ---- the machine ----------------------------------------------------------------------------------------- */

static struct machine {
    char name[64], vendor[16];
    cl_uint vendor_id; /* of PCI */
    cl_uint clock_mhz;
    cl_uint line_bytes;   /* of the outermost cache */
    cl_ulong cache_bytes; /* of the outermost cache of one core */
} machine;

/* Reads the first line of a small file without its newline; false: there is none. */
static bool read_line(const char *path, char *line, int size) {
    FILE *f = fopen(path, "re");
    bool ok = f && fgets(line, size, f);
    if (f)
        fclose(f);
    if (ok)
        line[strcspn(line, "\n")] = 0;
    return ok;
}

#if defined(__x86_64__)
static void ask_processor(void) {
    unsigned a, b, c, d, brand[12];
    if (__get_cpuid(0, &a, &b, &c, &d)) {
        memcpy(machine.vendor, &b, 4);
        memcpy(machine.vendor + 4, &d, 4);
        memcpy(machine.vendor + 8, &c, 4);
    }
    if (!strcmp(machine.vendor, "GenuineIntel"))
        machine.vendor_id = 0x8086;
    else if (!strcmp(machine.vendor, "AuthenticAMD"))
        machine.vendor_id = 0x1022;
    bool named = true;
    for (unsigned i = 0; i < 3; i++)
        named = named && __get_cpuid(0x80000002 + i, &brand[4 * i], &brand[4 * i + 1], &brand[4 * i + 2],
                                     &brand[4 * i + 3]);
    if (named)
        memcpy(machine.name, brand, sizeof brand);
}
#else
static void ask_processor(void) {
}
#endif

/* Brand strings are padded with blanks, in front too. */
static void trim_name(void) {
    char *from = machine.name, *to = machine.name;
    for (; *from; from++)
        if (!isspace((unsigned char)*from) || (to > machine.name && to[-1] != ' '))
            *to++ = isspace((unsigned char)*from) ? ' ' : *from;
    while (to > machine.name && to[-1] == ' ')
        to--;
    *to = 0;
    if (!*machine.name)
        strcpy(machine.name, "CPU");
    if (!*machine.vendor)
        strcpy(machine.vendor, "unknown");
}

/* sysfs has the highest frequency, where the kernel scales it; /proc/cpuinfo the present one. */
static void ask_clock(void) {
    char line[256];
    unsigned mhz; /* whole ones: no need of the host's floating-point environment */
    if (read_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", line, sizeof line))
        machine.clock_mhz = (cl_uint)(strtoul(line, NULL, 10) / 1000);
    FILE *f = machine.clock_mhz ? NULL : fopen("/proc/cpuinfo", "re");
    while (f && !machine.clock_mhz && fgets(line, sizeof line, f))
        if (sscanf(line, "cpu MHz : %u", &mhz) == 1 && mhz > 0)
            machine.clock_mhz = mhz;
    if (f)
        fclose(f);
    if (!machine.clock_mhz)
        machine.clock_mhz = 1000;
}

static void ask_caches(void) {
    char path[128], type[32], text[32];
    machine.line_bytes = 64;
    for (int i = 0; i < 8; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", i);
        if (!read_line(path, type, sizeof type))
            break;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        if (!strcmp(type, "Instruction") || !read_line(path, text, sizeof text))
            continue;
        char *unit;
        cl_ulong size = strtoull(text, &unit, 10);
        size <<= *unit == 'K' ? 10 : *unit == 'M' ? 20 : 0;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/coherency_line_size", i);
        if (size <= machine.cache_bytes)
            continue;
        machine.cache_bytes = size;
        if (read_line(path, text, sizeof text) && strtoul(text, NULL, 10) > 0)
            machine.line_bytes = (cl_uint)strtoul(text, NULL, 10);
    }
}

static void ask_machine(void) {
    ask_processor();
    trim_name();
    ask_clock();
    ask_caches();
}

static const struct machine *machine_get(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, ask_machine);
    return &machine;
}

/* ---- answers that are constants ---------------------------------------------------------------------------- */

#define SVM_CAPABILITIES                                                                                     \
    (CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | \
     CL_DEVICE_SVM_ATOMICS)
#define USM_CAPABILITIES                                                                                     \
    (CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |                  \
     CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |                                                      \
     CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL)
#define ATOMIC_CAPABILITIES                                                                                  \
    (CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |      \
     CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES)
#define DOUBLE_CONFIG                                                                                        \
    (CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_INF_NAN |         \
     CL_FP_DENORM)
#define HALF_CONFIG (CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM)
#define FLOAT_ATOMICS                                                                                        \
    (CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |                        \
     CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |                     \
     CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT)
#define CLOCK_CAPABILITIES                                                                                   \
    (CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR | CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR |                 \
     CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR)
#define DOT_PRODUCT_CAPABILITIES                                                                             \
    (CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR)
#define SINGLE_CONFIG                                                                                        \
    (CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)

#define BUFFER_CAPABILITIES                                                                                  \
    (CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR | CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR | \
     CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR)
#define MUTABLE_CAPABILITIES                                                                                 \
    (CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |                           \
     CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |                                \
     CL_MUTABLE_DISPATCH_EXEC_INFO_KHR)

enum value_kind { UINT, ULONG, SIZE };
static const struct constant {
    cl_device_info name;
    enum value_kind kind;
    cl_ulong value;
} constants[] = {
    {CL_DEVICE_TYPE, ULONG, CL_DEVICE_TYPE_CPU},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, UINT, 3},
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, SIZE, WEIR_MAX_ITEMS},
    {CL_DEVICE_ADDRESS_BITS, UINT, 8 * sizeof(void *)},
    {CL_DEVICE_MAX_PARAMETER_SIZE, SIZE, WEIR_MAX_ARGS_BYTES},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, UINT, 8 * WEIR_MEM_ALIGN},
    {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, UINT, WEIR_MEM_ALIGN},
    {CL_DEVICE_SINGLE_FP_CONFIG, ULONG, SINGLE_CONFIG},
    {CL_DEVICE_DOUBLE_FP_CONFIG, ULONG, DOUBLE_CONFIG},
    {CL_DEVICE_HALF_FP_CONFIG, ULONG, HALF_CONFIG},
    {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, UINT, CL_READ_WRITE_CACHE},
    {CL_DEVICE_MAX_CONSTANT_ARGS, UINT, 512},
    {CL_DEVICE_LOCAL_MEM_TYPE, UINT, CL_GLOBAL},
    {CL_DEVICE_LOCAL_MEM_SIZE, ULONG, WEIR_LOCAL_BYTES},
    {CL_DEVICE_ERROR_CORRECTION_SUPPORT, UINT, CL_FALSE},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, UINT, CL_TRUE},
    {CL_DEVICE_PROFILING_TIMER_RESOLUTION, SIZE, 1},
    {CL_DEVICE_ENDIAN_LITTLE, UINT, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__},
    {CL_DEVICE_AVAILABLE, UINT, CL_TRUE},
    {CL_DEVICE_COMPILER_AVAILABLE, UINT, CL_TRUE},
    {CL_DEVICE_LINKER_AVAILABLE, UINT, CL_TRUE},
    {CL_DEVICE_EXECUTION_CAPABILITIES, ULONG, CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL},
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, ULONG,
     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE},
    {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, UINT, CL_TRUE},
    {CL_DEVICE_PRINTF_BUFFER_SIZE, SIZE, WEIR_PRINTF_BYTES},
    {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, SIZE, 1 << 20},
    {CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, SIZE, 16 << 20},
    {CL_DEVICE_SVM_CAPABILITIES, ULONG, SVM_CAPABILITIES},
    {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, ULONG, USM_CAPABILITIES},
    {CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, ULONG, USM_CAPABILITIES},
    {CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, ULONG, USM_CAPABILITIES},
    {CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, ULONG, USM_CAPABILITIES},
    {CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, ULONG, USM_CAPABILITIES},
    {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, UINT, 0},
    {CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, UINT, 0},
    {CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, UINT, 0},
    {CL_DEVICE_NUMERIC_VERSION, UINT, CL_MAKE_VERSION(3, 1, 0)},
    {CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, UINT, CL_MAKE_VERSION(1, 0, 0)}, /* -cl-std=CLC++ */
    {CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, UINT, CL_MAKE_VERSION(1, 2, 0)},
    {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, ULONG, ATOMIC_CAPABILITIES},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, ULONG, ATOMIC_CAPABILITIES | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM},
    {CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, ULONG, FLOAT_ATOMICS},
    {CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, ULONG, FLOAT_ATOMICS},
    {CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, ULONG, FLOAT_ATOMICS},
    {CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, ULONG, DOT_PRODUCT_CAPABILITIES},
    {CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, ULONG, CLOCK_CAPABILITIES},
    {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, UINT, CL_TRUE},
    {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, UINT, CL_TRUE},
    {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, UINT, CL_TRUE},
    {CL_DEVICE_MAX_NUM_SUB_GROUPS, UINT, WEIR_MAX_ITEMS},
    {CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR, UINT, 1024}, /* as many as local memory has room for */
    {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, UINT, CL_TRUE},
    {CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, ULONG, BUFFER_CAPABILITIES},
    {CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, ULONG, 0},
    {CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, ULONG,
     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE},
    {CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, UINT, 1},
    {CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, ULONG, MUTABLE_CAPABILITIES},
    {CL_DEVICE_TERMINATE_CAPABILITY_KHR, ULONG, CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR},
    {CL_DEVICE_TERMINATE_CAPABILITY_KHR_1_2, ULONG, CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR},
    {CL_DEVICE_LUID_VALID_KHR, UINT, CL_FALSE}, /* a matter of Windows */
    {CL_DEVICE_NODE_MASK_KHR, UINT, 0},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, ULONG,
     CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT},
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, ULONG,
     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE},
    {CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, UINT, WEIR_QUEUE_BYTES},
    {CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, UINT, WEIR_MAX_QUEUE_BYTES},
    {CL_DEVICE_MAX_ON_DEVICE_QUEUES, UINT, 64}, /* any number of them, and of events, in fact */
    {CL_DEVICE_MAX_ON_DEVICE_EVENTS, UINT, 1 << 16},
    {CL_DEVICE_PIPE_SUPPORT, UINT, CL_TRUE},
    {CL_DEVICE_MAX_PIPE_ARGS, UINT, WEIR_MAX_PIPE_ARGS},
    {CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, UINT, 1 << 16}, /* any number, in fact */
    {CL_DEVICE_PIPE_MAX_PACKET_SIZE, UINT, WEIR_MAX_PACKET},
    {CL_DEVICE_IMAGE_SUPPORT, UINT, CL_TRUE},
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, UINT, 128},
    {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, UINT, 128},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, UINT, 128},
    {CL_DEVICE_IMAGE2D_MAX_WIDTH, SIZE, WEIR_IMAGE_2D},
    {CL_DEVICE_IMAGE2D_MAX_HEIGHT, SIZE, WEIR_IMAGE_2D},
    {CL_DEVICE_IMAGE3D_MAX_WIDTH, SIZE, WEIR_IMAGE_3D},
    {CL_DEVICE_IMAGE3D_MAX_HEIGHT, SIZE, WEIR_IMAGE_3D},
    {CL_DEVICE_IMAGE3D_MAX_DEPTH, SIZE, WEIR_IMAGE_3D},
    {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, SIZE, WEIR_IMAGE_LAYERS},
    {CL_DEVICE_IMAGE_PITCH_ALIGNMENT, UINT, WEIR_IMAGE_ALIGN},
    {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, UINT, WEIR_IMAGE_ALIGN},
    {CL_DEVICE_MAX_SAMPLERS, UINT, 128},
};

static const struct text {
    cl_device_info name;
    const char *value;
} texts[] = {
    {CL_DEVICE_PROFILE, "FULL_PROFILE"},
    {CL_DEVICE_VERSION, "OpenCL 3.1 Weir " WEIR_VERSION},
    {CL_DRIVER_VERSION, WEIR_VERSION},
    {CL_DEVICE_OPENCL_C_VERSION, "OpenCL C 1.2 Weir " WEIR_VERSION}, /* 3.0 and newer want 1.2 here */
    {CL_DEVICE_BUILT_IN_KERNELS, ""},
    {CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, "v0000-01-01-00"}, /* none: the format wants a date */
};

/* Element bytes for which the preferred and native vector widths are asked; 0: no such type. */
static const struct vector_width {
    cl_device_info preferred, native;
    cl_uint bytes;
} vector_widths[] = {
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 2},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 8},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 8},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 2},
};

static const cl_name_version c_versions[] = {
    {CL_MAKE_VERSION(1, 0, 0), "OpenCL C"}, {CL_MAKE_VERSION(1, 1, 0), "OpenCL C"},
    {CL_MAKE_VERSION(1, 2, 0), "OpenCL C"}, {CL_MAKE_VERSION(2, 0, 0), "OpenCL C"},
    {CL_MAKE_VERSION(3, 0, 0), "OpenCL C"}, {CL_MAKE_VERSION(3, 1, 0), "OpenCL C"},
};

#define FEATURE(name) {CL_MAKE_VERSION(3, 0, 0), #name},
static const cl_name_version c_features[] = {FEATURES(FEATURE)};

/* ---- the query ---------------------------------------------------------------------------------------------- */

static cl_int info_constant(const struct constant *c, struct info_out out) {
    return c->kind == UINT    ? info_uint(out, (cl_uint)c->value)
           : c->kind == ULONG ? info_ulong(out, c->value)
                              : info_size(out, (size_t)c->value);
}

/* Answers what stands in the tables; false: it doesn't. */
static bool info_table(cl_device_info name, struct info_out out, cl_int *answer) {
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (constants[i].name == name)
            return *answer = info_constant(&constants[i], out), true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].name == name)
            return *answer = info_string(out, texts[i].value), true;
    for (size_t i = 0; i < sizeof vector_widths / sizeof *vector_widths; i++) {
        cl_uint bytes = vector_widths[i].bytes, lanes = bytes ? cpu_vector_bits() / 8 / bytes : 0;
        if (vector_widths[i].native == name)
            return *answer = info_uint(out, lanes), true;
        if (vector_widths[i].preferred == name) /* Weir spreads work-items over lanes by itself */
            return *answer = info_uint(out, bytes ? 1 : 0), true;
    }
    return false;
}

/* The same on this machine in each process: of a range of its workers, or, without a device, of this version of the
 * driver. Formed as RFC 9562's version 8, of one's own making. */
static cl_int info_uuid(cl_device_id device, const struct machine *m, struct info_out out) {
    char hex[33], id[64] = "";
    unsigned char uuid[CL_UUID_SIZE_KHR];
    struct hash h;
    hash_init(&h);
    hash_bytes(&h, "Weir " WEIR_VERSION, sizeof "Weir " WEIR_VERSION);
    if (device) {
        cl_uint range[2] = {device->first_worker, device->compute_units};
        read_line("/etc/machine-id", id, sizeof id);
        hash_bytes(&h, id, strlen(id) + 1);
        hash_bytes(&h, m->name, strlen(m->name) + 1);
        hash_bytes(&h, range, sizeof range);
    }
    hash_hex(&h, hex);
    for (int i = 0; i < CL_UUID_SIZE_KHR; i++)
        uuid[i] = (unsigned char)strtoul((char[]){hex[2 * i], hex[2 * i + 1], 0}, NULL, 16);
    uuid[6] = (uuid[6] & 0x0f) | 0x80;
    uuid[8] = (uuid[8] & 0x3f) | 0x80;
    return info_bytes(out, uuid, sizeof uuid);
}

static cl_int info_of_machine(cl_device_id device, cl_device_info name, struct info_out out) {
    static const size_t items[3] = {WEIR_MAX_ITEMS, WEIR_MAX_ITEMS, WEIR_MAX_ITEMS};
    /* By instructions that add products (kc/post/dot.c); a sum that saturates is several for most forms. */
    static const cl_device_integer_dot_product_acceleration_properties_khr accelerated = {
        .signed_accelerated = CL_TRUE,
        .unsigned_accelerated = CL_TRUE,
        .mixed_signedness_accelerated = CL_TRUE};
    static const size_t subgroup_sizes[] = {4, 8, 16, 32, 64};
    const cl_ulong most_constant = 64 << 20;
    const struct machine *m = machine_get();
    switch (name) {
    case CL_DEVICE_NAME:
        return info_string(out, m->name);
    case CL_DEVICE_VENDOR:
        return info_string(out, m->vendor);
    case CL_DEVICE_VENDOR_ID:
        return info_uint(out, m->vendor_id);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return info_uint(out, device->compute_units);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return info_uint(out, m->clock_mhz);
    case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
        return info_bytes(out, subgroup_sizes, sizeof subgroup_sizes);
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
        return info_bytes(out, &accelerated, sizeof accelerated);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return info_bytes(out, items, sizeof items);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
        return info_ulong(out, device_max_alloc());
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
        return info_size(out, image_max_buffer_size());
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
        return info_ulong(out, device_max_alloc() < most_constant ? device_max_alloc() : most_constant);
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return info_ulong(out, device_global_bytes());
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
        return info_ulong(out, m->cache_bytes);
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
        return info_uint(out, m->line_bytes);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return info_size(out, cpu_vector_bits() / 32);
    case CL_DEVICE_UUID_KHR:
        return info_uuid(device, m, out);
    case CL_DRIVER_UUID_KHR:
        return info_uuid(NULL, NULL, out);
    case CL_DEVICE_LUID_KHR:
        return info_bytes(out, (const unsigned char[CL_LUID_SIZE_KHR]){0}, CL_LUID_SIZE_KHR);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int info_of_device(cl_device_id device, cl_device_info name, struct info_out out) {
    static const cl_device_partition_property schemes[] = {
        CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN};
    static const cl_device_partition_property no_scheme = 0;
    switch (name) {
    case CL_DEVICE_PLATFORM:
        return info_pointer(out, &weir_platform);
    case CL_DEVICE_PARENT_DEVICE:
        return info_pointer(out, device->parent);
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
        return info_uint(out, device->compute_units);
    case CL_DEVICE_PARTITION_PROPERTIES:
        return device->compute_units > 1
                   ? info_bytes(out, schemes, sizeof schemes - (device_domains(device) ? 0 : sizeof *schemes))
                   : info_bytes(out, &no_scheme, sizeof no_scheme);
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
        return info_ulong(out, device_domains(device));
    case CL_DEVICE_PARTITION_TYPE:
        return info_bytes(out, device->partition, device->npartition * sizeof *device->partition);
    case CL_DEVICE_REFERENCE_COUNT:
        return info_uint(out, device->parent ? atomic_load(&device->object.refs) : 1);
    case CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR:
        return info_pointer(out, device_root());
    case CL_DEVICE_SEMAPHORE_TYPES_KHR:
        return info_uint(out, CL_SEMAPHORE_TYPE_BINARY_KHR); /* a list of one */
    case CL_DEVICE_EXTENSIONS:
        return extension_info(out, false);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
        return extension_info(out, true);
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
        return info_bytes(out, NULL, 0);
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
        return info_bytes(out, c_versions, sizeof c_versions);
    case CL_DEVICE_OPENCL_C_FEATURES:
        return info_bytes(out, c_features, sizeof c_features);
    default:
        return info_of_machine(device, name, out);
    }
}

WEIR_API cl_int clGetDeviceInfo(cl_device_id device, cl_device_info param_name, size_t param_value_size,
                                void *param_value, size_t *param_value_size_ret) {
    cl_int error;
    if (!object_is(device, OBJECT_DEVICE))
        return HANDLE_FAIL(CL_INVALID_DEVICE, "device", device);
    if (!info_table(param_name, INFO_OUT, &error) && !spirv_info(param_name, INFO_OUT, &error))
        error = info_of_device(device, param_name, INFO_OUT);
    return error ? INFO_FAIL(NULL, error) : CL_SUCCESS;
}

/* platform.c: the one platform, and the query for extensions that it shares with its device. */
#include "rt.h"

#include "extension.h"

struct _cl_platform_id weir_platform = {
    {.dispatch = &weir_dispatch.headers, .kind = OBJECT_PLATFORM, .refs = 1, .held = 1},
};

#define NAME(name, major, minor, patch, side)      #name " "
#define VERSIONED(name, major, minor, patch, side) {CL_MAKE_VERSION(major, minor, patch), #name},

static const char extension_names[] = EXTENSIONS(NAME);
static const cl_name_version extension_versions[] = {EXTENSIONS(VERSIONED)};

cl_int extension_info(struct info_out out, bool with_version) {
    if (with_version)
        return info_bytes(out, extension_versions, sizeof extension_versions);
    /* The table's names each end in a space: the last one doesn't go out. */
    char names[sizeof extension_names];
    for (size_t i = 0; i < sizeof names; i++)
        names[i] = extension_names[i];
    names[sizeof names - 2] = 0;
    return info_string(out, names);
}

WEIR_API cl_int clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms) {
    if ((platforms && num_entries == 0) || (!platforms && !num_platforms))
        return API_FAIL(NULL, CL_INVALID_VALUE, "%u entries for platforms at %p and their count at %p",
                        num_entries, (void *)platforms, (void *)num_platforms);
    if (platforms)
        platforms[0] = &weir_platform;
    if (num_platforms)
        *num_platforms = 1;
    return CL_SUCCESS;
}

static cl_int platform_info(cl_platform_info name, struct info_out out) {
    switch (name) {
    case CL_PLATFORM_PROFILE:
        return info_string(out, "FULL_PROFILE");
    case CL_PLATFORM_VERSION:
        return info_string(out, "OpenCL 3.1 Weir " WEIR_VERSION);
    case CL_PLATFORM_NUMERIC_VERSION:
        return info_uint(out, CL_MAKE_VERSION(3, 1, 0));
    case CL_PLATFORM_NAME:
    case CL_PLATFORM_VENDOR:
        return info_string(out, "Weir");
    case CL_PLATFORM_EXTENSIONS:
        return extension_info(out, false);
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return extension_info(out, true);
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return info_ulong(out, 1);
    case CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR:
        return info_ulong(out, CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR |
                                   CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                                   CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR);
    case CL_PLATFORM_SEMAPHORE_TYPES_KHR:
        return info_uint(out, CL_SEMAPHORE_TYPE_BINARY_KHR); /* a list of one */
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return info_string(out, "WEIR");
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                  size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
    if (platform && !object_is(platform, OBJECT_PLATFORM)) /* NULL: the implementation's choice */
        return HANDLE_FAIL(CL_INVALID_PLATFORM, "platform", platform);
    cl_int error = platform_info(param_name, INFO_OUT);
    return error ? INFO_FAIL(NULL, error) : CL_SUCCESS;
}

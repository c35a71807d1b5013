/* info.c: `weir info`: the platform and device as OpenCL reports them, the compiler and the cache.
 * Out: text for people, or one JSON object. */
#include "cli.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { INFO_STRING, INFO_UINT, INFO_ULONG, INFO_SIZE, INFO_BOOL, INFO_SIZES };

/* section, JSON key, text label, query, its type, unit of the text form */
struct row {
    const char *key, *label;
    cl_device_info query;
    enum kind kind;
    bool is_bytes;
};
static const struct row device_rows[] = {
    {"name", "name", CL_DEVICE_NAME, INFO_STRING, false},
    {"vendor", "vendor", CL_DEVICE_VENDOR, INFO_STRING, false},
    {"version", "version", CL_DEVICE_VERSION, INFO_STRING, false},
    {"driver_version", "driver", CL_DRIVER_VERSION, INFO_STRING, false},
    {"opencl_c_version", "OpenCL C", CL_DEVICE_OPENCL_C_VERSION, INFO_STRING, false},
    {"compute_units", "compute units", CL_DEVICE_MAX_COMPUTE_UNITS, INFO_UINT, false},
    {"clock_mhz", "clock, MHz", CL_DEVICE_MAX_CLOCK_FREQUENCY, INFO_UINT, false},
    {"available", "available", CL_DEVICE_AVAILABLE, INFO_BOOL, false},
    {"compiler_available", "compiler available", CL_DEVICE_COMPILER_AVAILABLE, INFO_BOOL, false},
};
static const struct row limit_rows[] = {
    {"global_mem_bytes", "global memory", CL_DEVICE_GLOBAL_MEM_SIZE, INFO_ULONG, true},
    {"max_alloc_bytes", "largest buffer", CL_DEVICE_MAX_MEM_ALLOC_SIZE, INFO_ULONG, true},
    {"local_mem_bytes", "local memory", CL_DEVICE_LOCAL_MEM_SIZE, INFO_ULONG, true},
    {"max_constant_buffer_bytes", "constant buffer", CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, INFO_ULONG, true},
    {"max_parameter_bytes", "kernel arguments", CL_DEVICE_MAX_PARAMETER_SIZE, INFO_SIZE, true},
    {"printf_buffer_bytes", "printf buffer", CL_DEVICE_PRINTF_BUFFER_SIZE, INFO_SIZE, true},
    {"max_work_group_size", "work-group size", CL_DEVICE_MAX_WORK_GROUP_SIZE, INFO_SIZE, false},
    {"max_work_item_sizes", "work-item sizes", CL_DEVICE_MAX_WORK_ITEM_SIZES, INFO_SIZES, false},
    {"mem_base_align_bits", "buffer alignment, bits", CL_DEVICE_MEM_BASE_ADDR_ALIGN, INFO_UINT, false},
};
#define ROWS(table) table, sizeof table / sizeof *table

/* ---- JSON -------------------------------------------------------------------------------------------------- */

static void json_member(const char *key, const char *text, bool is_last) {
    struct buf value = {0};
    buf_json(&value, text);
    const char *shown = buf_cstr(&value);
    printf("    \"%s\": %s%s\n", key, shown ? shown : "null", is_last ? "" : ",");
    buf_free(&value);
}

/* ---- values ------------------------------------------------------------------------------------------------- */

static char *bytes_text(uint64_t n) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double v = (double)n;
    unsigned unit = 0;
    while (v >= 1024 && unit < 4)
        v /= 1024, unit++;
    return must_printf("%.*f %s", unit && v < 100 && v != (uint64_t)v ? 1 : 0, v, units[unit]);
}

static char *number_text(uint64_t n, const struct row *row, bool json) {
    if (row->kind == INFO_BOOL)
        return must_printf("%s", json ? (n ? "true" : "false") : (n ? "yes" : "no"));
    return row->is_bytes && !json ? bytes_text(n) : must_printf("%llu", (unsigned long long)n);
}

static char *value_text(cl_device_id device, const struct row *row, bool json) {
    cl_uint u = 0;
    cl_ulong l = 0;
    size_t s = 0, sizes[3] = {0};
    switch (row->kind) {
    case INFO_STRING:
        return device_string(device, row->query);
    case INFO_UINT:
    case INFO_BOOL:
        clGetDeviceInfo(device, row->query, sizeof u, &u, NULL);
        return number_text(u, row, json);
    case INFO_ULONG:
        clGetDeviceInfo(device, row->query, sizeof l, &l, NULL);
        return number_text(l, row, json);
    case INFO_SIZE:
        clGetDeviceInfo(device, row->query, sizeof s, &s, NULL);
        return number_text(s, row, json);
    case INFO_SIZES:
        clGetDeviceInfo(device, row->query, sizeof sizes, sizes, NULL);
        return must_printf(json ? "[%zu, %zu, %zu]" : "%zu x %zu x %zu", sizes[0], sizes[1], sizes[2]);
    }
    return NULL;
}

static void print_rows(cl_device_id device, const char *section, const struct row *rows, size_t n,
                       bool json) {
    printf(json ? "  \"%s\": {\n" : "%s\n", section);
    for (size_t i = 0; i < n; i++) {
        char *value = value_text(device, &rows[i], json);
        if (!json)
            printf("  %-24s%s\n", rows[i].label, value);
        else if (rows[i].kind == INFO_STRING)
            json_member(rows[i].key, value, i + 1 == n);
        else
            printf("    \"%s\": %s%s\n", rows[i].key, value, i + 1 == n ? "" : ",");
        free(value);
    }
    if (json)
        puts("  },");
}

/* Names with versions: features and extensions. */
static void print_names(cl_device_id device, const char *section, cl_device_info query, bool json) {
    size_t n = 0;
    if (clGetDeviceInfo(device, query, 0, NULL, &n) != CL_SUCCESS)
        n = 0;
    cl_name_version *list = must_alloc(n);
    if (n)
        clGetDeviceInfo(device, query, n, list, NULL);
    n /= sizeof *list;
    printf(json ? "  \"%s\": [" : "%s\n", section);
    for (size_t i = 0; i < n; i++) {
        cl_version v = list[i].version;
        printf(json ? "%s\n    {\"name\": \"%s\", \"version\": \"%u.%u.%u\"}" : "%s  %-51s %u.%u.%u\n",
               json && i ? "," : "", list[i].name, CL_VERSION_MAJOR(v), CL_VERSION_MINOR(v),
               CL_VERSION_PATCH(v));
    }
    if (json)
        puts(n ? "\n  ]," : "],");
    free(list);
}

static void print_platform(cl_platform_id platform, bool json) {
    char *name = platform_string(platform, CL_PLATFORM_NAME);
    char *vendor = platform_string(platform, CL_PLATFORM_VENDOR);
    char *version = platform_string(platform, CL_PLATFORM_VERSION);
    if (json) {
        puts("  \"platform\": {");
        json_member("name", name, false);
        json_member("vendor", vendor, false);
        json_member("version", version, true);
        puts("  },");
    } else {
        printf("platform\n  %-24s%s\n  %-24s%s\n  %-24s%s\n", "name", name, "vendor", vendor, "version",
               version);
    }
    free(name);
    free(vendor);
    free(version);
}

static void print_own(bool json) {
    bool is_whole;
    char *path = compiler_path(), *version = compiler_version(path),
         *sandbox = compiler_sandbox(path, &is_whole);
    struct cache_size size = cache_measure();
    const char *directory = env_get()->cache_dir;
    if (json) {
        puts("  \"compiler\": {");
        json_member("path", path ? path : "", false);
        json_member("version", version, false);
        json_member("sandbox", sandbox, true);
        puts("  },\n  \"cache\": {");
        json_member("directory", directory, false);
        printf("    \"entries\": %zu,\n    \"bytes\": %llu\n  },\n", size.entries,
               (unsigned long long)size.bytes);
    } else {
        char *bytes = bytes_text(size.bytes);
        printf("compiler\n  %-24s%s\n  %-24s%s\n  %-24s%s\n", "path", path ? path : "not found", "version",
               version, "sandbox", sandbox);
        printf("cache\n  %-24s%s\n  %-24s%zu\n  %-24s%s\n", "directory", *directory ? directory : "off",
               "entries", size.entries, "size", bytes);
        free(bytes);
    }
    free(path);
    free(version);
    free(sandbox);
}

static int info_main(int argc, char **argv) {
    static const struct option options[] = {{"help", no_argument, NULL, 'h'},
                                            {"json", no_argument, NULL, 'j'},
                                            {"platform", required_argument, NULL, 'p'},
                                            {0}};
    const char *platform = NULL;
    bool json = false;
    int option;
    while ((option = next_option(&command_info, argc, argv, options)) >= 0)
        if (option == 'j')
            json = true;
        else if (option == 'p')
            platform = optarg;
    if (optind < argc)
        die(EXIT_USAGE, "info takes no '%s'", argv[optind]);
    struct target target = target_open(platform);
    if (json)
        puts("{");
    print_platform(target.platform, json);
    print_rows(target.device, "device", ROWS(device_rows), json);
    print_rows(target.device, "limits", ROWS(limit_rows), json);
    print_names(target.device, "features", CL_DEVICE_OPENCL_C_FEATURES, json);
    print_names(target.device, "extensions", CL_DEVICE_EXTENSIONS_WITH_VERSION, json);
    if (target.is_weir)
        print_own(json);
    if (json)
        puts("  \"weir\": \"" WEIR_VERSION "\"\n}");
    return EXIT_DONE;
}

static const char help[] =
    "Usage: weir info [--json] [--platform NAME]\n\n"
    "Shows the platform, its device with features, extensions and limits, the compiler\n"
    "and the cache.\n\n"
    "  --json            one JSON object\n"
    "  --platform NAME   a platform whose name contains NAME (Weir)\n";
const struct command command_info = {"info", "shows the platform, device, compiler and cache", info_main,
                                     help, NULL};

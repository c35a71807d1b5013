/* device.c: the CPU device, its sub-devices and their clocks. What they answer to clGetDeviceInfo is in
 * device_info.c.
 *
 * The root device is made once and never freed; retaining and releasing it change nothing. A sub-device is
 * a range of the root's workers and holds its parent.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Cores this process may run on, and no more than its control groups give time for: with more workers than that the
 * system would stop all of them for the rest of each period. */
static cl_uint usable_cores(void) {
    cpu_set_t set;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    cl_uint cores = online > 0 ? (cl_uint)online : 1; /* more than cpu_set_t can name */
    if (!sched_getaffinity(0, sizeof set, &set) && CPU_COUNT(&set) > 0)
        cores = (cl_uint)CPU_COUNT(&set);
    uint64_t quota = cgroup_cpu(CGROUP_LIST, CGROUP_MOUNT); /* thousandths */
    if (quota < UINT64_MAX && (quota + 999) / 1000 < cores)
        cores = quota ? (cl_uint)((quota + 999) / 1000) : 1;
    return cores;
}

static struct _cl_device_id root;

static void make_root(void) {
    object_init(&root, OBJECT_DEVICE, NULL);
    root.compute_units = env_get()->cu ? env_get()->cu : usable_cores();
    root.scheduler = sched_new(root.compute_units);
}

cl_device_id device_root(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_root);
    return &root;
}

bool device_is_bound(cl_device_id device) {
    while (device && !device->is_bound)
        device = device->parent;
    return device != NULL;
}

/* The sizes of the domains of this kind among the device's processors (room for its compute units); 0: workers aren't
 * processors (WEIR_CU), or there is no such kind. */
static size_t domains_of(cl_device_id device, unsigned domain, cl_uint *sizes) {
    size_t n;
    const struct topology_cpu *cpus = topology_get(&n);
    if (device->first_worker + device->compute_units > n)
        return 0;
    return topology_split(cpus + device->first_worker, device->compute_units, domain, sizes);
}

/* Domains that can be asked for by their kind. Caches can't: SYCL's runtimes of 2024 end the process when a list has other
 * kinds than these. CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE comes to caches. */
#define LISTED (CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE)

cl_device_affinity_domain device_domains(cl_device_id device) {
    cl_uint *sizes = calloc(device->compute_units, sizeof *sizes);
    cl_device_affinity_domain bits = 0;
    for (unsigned d = 0; sizes && d < TOPOLOGY_DOMAINS; d++)
        if (domains_of(device, d, sizes) > 1)
            bits |= topology_bit(d) | CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    free(sizes);
    return bits & LISTED;
}

bool device_is_part_of(cl_device_id device, cl_device_id whole) {
    while (device && device != whole)
        device = device->parent;
    return device != NULL;
}

WEIR_API cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type, cl_uint num_entries,
                               cl_device_id *devices, cl_uint *num_devices) {
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                 CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    if (platform && !object_is(platform, OBJECT_PLATFORM))
        return HANDLE_FAIL(CL_INVALID_PLATFORM, "platform", platform);
    if (device_type != CL_DEVICE_TYPE_ALL && (device_type == 0 || device_type & ~known))
        return API_FAIL(NULL, CL_INVALID_DEVICE_TYPE, "0x%llx is not a device type",
                        (unsigned long long)device_type);
    if ((devices && num_entries == 0) || (!devices && !num_devices))
        return API_FAIL(NULL, CL_INVALID_VALUE, "%u entries for devices at %p and their count at %p",
                        num_entries, (void *)devices, (void *)num_devices);
    /* CL_DEVICE_TYPE_ALL has these bits too. */
    bool matches = device_type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_DEFAULT);
    if (num_devices)
        *num_devices = matches;
    if (!matches) { /* no mistake: programs ask for GPUs first */
        log_write(LOG_INFO, "%s: Weir has no device of type 0x%llx (CL_DEVICE_NOT_FOUND); %s", __func__,
                  (unsigned long long)device_type, way_out(CL_INVALID_DEVICE_TYPE, ""));
        return CL_DEVICE_NOT_FOUND;
    }
    if (devices)
        devices[0] = device_root();
    return CL_SUCCESS;
}

WEIR_API cl_int clRetainDevice(cl_device_id device) {
    if (!object_is(device, OBJECT_DEVICE))
        return HANDLE_FAIL(CL_INVALID_DEVICE, "device", device);
    return device->parent ? object_retain(device, OBJECT_DEVICE, CL_INVALID_DEVICE) : CL_SUCCESS;
}

WEIR_API cl_int clReleaseDevice(cl_device_id device) {
    if (!object_is(device, OBJECT_DEVICE))
        return HANDLE_FAIL(CL_INVALID_DEVICE, "device", device);
    return device->parent ? object_release(device, OBJECT_DEVICE, CL_INVALID_DEVICE) : CL_SUCCESS;
}

static void sub_device_destroy(void *handle) {
    cl_device_id device = handle;
    if (device->is_bound)
        sched_unbind(device);
    object_drop(device->parent);
    free(device->partition);
    object_free(device);
}

/* The parts a partition asks for: unit(part) compute units each. */
struct parts {
    cl_uint n;
    cl_uint each;                               /* equally: units of every part */
    const cl_device_partition_property *counts; /* by counts: units of each part */
    size_t nproperties;                         /* of the list, with the 0s */
    cl_uint *domains;                           /* by affinity domain: units of each part; to be freed */
    cl_device_affinity_domain kind;             /* of which kind they are */
};

static cl_int parse_equally(const char *function, cl_device_id device,
                            const cl_device_partition_property *properties, struct parts *parts) {
    if (properties[1] <= 0 || properties[2] != 0)
        return api_fail(NULL, function, CL_INVALID_VALUE, "a partition into %lld compute units each",
                        (long long)properties[1]);
    if (properties[1] > (cl_device_partition_property)device->compute_units)
        return api_fail(NULL, function, CL_INVALID_DEVICE_PARTITION_COUNT,
                        "parts of %lld compute units of a device with %u", (long long)properties[1],
                        device->compute_units);
    if (properties[1] == (cl_device_partition_property)device->compute_units)
        return api_fail(NULL, function, CL_DEVICE_PARTITION_FAILED, "a part as large as the device");
    parts->each = (cl_uint)properties[1];
    parts->n = device->compute_units / parts->each;
    parts->nproperties = 3;
    return CL_SUCCESS;
}

static cl_int parse_counts(const char *function, cl_device_id device,
                           const cl_device_partition_property *properties, struct parts *parts) {
    cl_ulong total = 0;
    cl_uint n = 0;
    parts->counts = properties + 1;
    for (; parts->counts[n] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; n++) {
        if (parts->counts[n] < 0 || n >= device->compute_units ||
            (total += (cl_ulong)parts->counts[n]) > device->compute_units)
            return api_fail(NULL, function, CL_INVALID_DEVICE_PARTITION_COUNT,
                            "count %u is %lld, of a device with %u compute units", n,
                            (long long)parts->counts[n], device->compute_units);
    }
    if (n == 0)
        return api_fail(NULL, function, CL_INVALID_VALUE, "a partition by counts without counts");
    parts->n = n;
    /* CL_DEVICE_PARTITION_BY_COUNTS_LIST_END is the 0 that ends the properties; what follows it needn't be there. */
    parts->nproperties = n + 2;
    return CL_SUCCESS;
}

static cl_int parse_domain(const char *function, cl_device_id device,
                           const cl_device_partition_property *properties, struct parts *parts) {
    cl_device_affinity_domain asked = (cl_device_affinity_domain)properties[1];
    bool next = asked == CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
    unsigned d = next ? 0 : topology_domain(asked);
    if (d == TOPOLOGY_DOMAINS || properties[2] != 0)
        return api_fail(NULL, function, CL_INVALID_VALUE, "affinity domain 0x%llx",
                        (unsigned long long)asked);
    parts->domains = calloc(device->compute_units, sizeof *parts->domains);
    if (!parts->domains)
        return api_fail(NULL, function, CL_OUT_OF_HOST_MEMORY, "no memory for a list of domains");
    size_t n = domains_of(device, d, parts->domains);
    while (next && n < 2 && ++d < TOPOLOGY_DOMAINS)
        n = domains_of(device, d, parts->domains);
    if (!(asked & LISTED) || (n == 0 && !next))
        return api_fail(NULL, function, CL_INVALID_VALUE, "the device lists no affinity domains 0x%llx",
                        (unsigned long long)asked);
    if (n < 2)
        return api_fail(NULL, function, CL_DEVICE_PARTITION_FAILED,
                        "all compute units are in one affinity domain");
    parts->n = (cl_uint)n;
    parts->kind = topology_bit(d);
    parts->nproperties = 3;
    return CL_SUCCESS;
}

/* Makes one part: workers [first, first + units). */
static cl_device_id sub_device_new(cl_device_id parent, cl_uint first, cl_uint units,
                                   const struct parts *parts,
                                   const cl_device_partition_property *properties) {
    cl_device_id device = object_alloc(sizeof *device);
    cl_device_partition_property *copy = calloc(parts->nproperties, sizeof *copy);
    if (!device || !copy) {
        object_free(device);
        free(copy);
        return NULL;
    }
    memcpy(copy, properties, (parts->nproperties - 1) * sizeof *copy);
    object_init(device, OBJECT_DEVICE, sub_device_destroy);
    object_hold(parent);
    device->parent = parent;
    device->compute_units = units;
    device->first_worker = first;
    device->partition = copy;
    device->npartition = (cl_uint)parts->nproperties;
    device->scheduler = parent->scheduler;
    if (parts->domains) {
        copy[1] = (cl_device_partition_property)parts->kind;
        sched_bind(device);
    }
    return device;
}

static cl_int parse(const char *function, cl_device_id device, const cl_device_partition_property *properties,
                    struct parts *parts) {
    switch (properties[0]) {
    case CL_DEVICE_PARTITION_EQUALLY:
        return parse_equally(function, device, properties, parts);
    case CL_DEVICE_PARTITION_BY_COUNTS:
        return parse_counts(function, device, properties, parts);
    default:
        return parse_domain(function, device, properties, parts);
    }
}

static cl_int make_parts(const char *function, cl_device_id in_device, const struct parts *parts,
                         const cl_device_partition_property *properties, cl_device_id *out) {
    cl_uint first = in_device->first_worker;
    for (cl_uint i = 0; i < parts->n; i++) {
        cl_uint units = parts->domains  ? parts->domains[i]
                        : parts->counts ? (cl_uint)parts->counts[i]
                                        : parts->each;
        out[i] = sub_device_new(in_device, first, units, parts, properties);
        first += units;
        if (!out[i]) {
            while (i-- > 0)
                clReleaseDevice(out[i]);
            return api_fail(NULL, function, CL_OUT_OF_HOST_MEMORY, "no memory for %u sub-devices", parts->n);
        }
    }
    return CL_SUCCESS;
}

WEIR_API cl_int clCreateSubDevices(cl_device_id in_device, const cl_device_partition_property *properties,
                                   cl_uint num_devices, cl_device_id *out_devices, cl_uint *num_devices_ret) {
    struct parts parts = {0};
    cl_int error;
    if (!object_is(in_device, OBJECT_DEVICE))
        return HANDLE_FAIL(CL_INVALID_DEVICE, "device", in_device);
    if (!properties)
        return API_FAIL(NULL, CL_INVALID_VALUE, "properties is NULL");
    if (properties[0] != CL_DEVICE_PARTITION_EQUALLY && properties[0] != CL_DEVICE_PARTITION_BY_COUNTS &&
        properties[0] != CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN)
        return API_FAIL(NULL, CL_INVALID_VALUE, "partition scheme 0x%llx is not supported",
                        (unsigned long long)properties[0]);
    if (in_device->compute_units == 1)
        return API_FAIL(NULL, CL_DEVICE_PARTITION_FAILED, "the device has a single compute unit");
    error = parse(__func__, in_device, properties, &parts);
    if (!error && out_devices && num_devices < parts.n)
        error = API_FAIL(NULL, CL_INVALID_VALUE, "room for %u of %u sub-devices", num_devices, parts.n);
    if (!error && out_devices)
        error = make_parts(__func__, in_device, &parts, properties, out_devices);
    if (!error && num_devices_ret)
        *num_devices_ret = parts.n;
    free(parts.domains);
    return error;
}

/* Commands are timed by the host's clock: device and host time are the same. */
WEIR_API cl_int clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                        cl_ulong *host_timestamp) {
    if (!object_is(device, OBJECT_DEVICE))
        return HANDLE_FAIL(CL_INVALID_DEVICE, "device", device);
    if (!device_timestamp || !host_timestamp)
        return API_FAIL(NULL, CL_INVALID_VALUE, "a timestamp's address is NULL");
    *device_timestamp = *host_timestamp = time_ns();
    return CL_SUCCESS;
}

WEIR_API cl_int clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
    if (!object_is(device, OBJECT_DEVICE))
        return HANDLE_FAIL(CL_INVALID_DEVICE, "device", device);
    if (!host_timestamp)
        return API_FAIL(NULL, CL_INVALID_VALUE, "the timestamp's address is NULL");
    *host_timestamp = time_ns();
    return CL_SUCCESS;
}

/* limit.c: how much memory the device has, and how much of it is taken.
 *
 * Device memory is the host's. In: what the machine has, and what control groups and resource limits leave of it to this
 * process. Out: CL_DEVICE_GLOBAL_MEM_SIZE, and a count that allocations must fit in. Memory is committed when it is first
 * touched, so without the count the system would give more than there is, and end the process when it is used.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

/* ---- how much there is ---- */

/* The number in a file's first line; UINT64_MAX: there is none ("max" too). */
static uint64_t read_number(const char *path) {
    char line[64];
    uint64_t n = UINT64_MAX;
    FILE *f = fopen(path, "re");
    if (f && fgets(line, sizeof line, f) && isdigit((unsigned char)*line))
        n = strtoull(line, NULL, 10);
    if (f)
        fclose(f);
    return n;
}

/* The least limit of the group `group` below `mount` and of all groups above it. Groups that this process can't see, as
 * in a container, are passed over. */
static uint64_t limit_of_group(const char *mount, const char *group, const char *file) {
    char path[PATH_MAX];
    uint64_t least = UINT64_MAX;
    for (size_t n = strlen(group);; n--) {
        if (n == 0 || group[n] == '/' || !group[n]) {
            snprintf(path, sizeof path, "%s%.*s/%s", mount, (int)n, group, file);
            uint64_t limit = read_number(path);
            least = limit < least ? limit : least;
        }
        if (!n)
            return least;
    }
}

/* The limit of this process's control groups: `list` is /proc/self/cgroup, `mount` /sys/fs/cgroup. Its lines are
 * ID:CONTROLLERS:PATH, with version 2 of control groups 0::PATH. */
static uint64_t limit_of_groups(const char *list, const char *mount) {
    char line[PATH_MAX], v1[PATH_MAX];
    uint64_t least = UINT64_MAX;
    FILE *f = fopen(list, "re");
    snprintf(v1, sizeof v1, "%s/memory", mount);
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        uint64_t limit = UINT64_MAX;
        if (!controllers[1])
            limit = limit_of_group(mount, group, "memory.max");
        else if (!strcmp(controllers + 1, "memory"))
            limit = limit_of_group(v1, group, "memory.limit_in_bytes");
        least = limit < least ? limit : least;
    }
    if (f)
        fclose(f);
    return least;
}

static struct {
    cl_ulong all, one; /* CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_MAX_MEM_ALLOC_SIZE */
} device;

static void ask(void) {
    const cl_ulong page = 1 << 16;
    struct sysinfo info;
    struct rlimit address_space;
    cl_ulong bytes = (cl_ulong)1 << 30, limit = limit_of_groups("/proc/self/cgroup", "/sys/fs/cgroup");
    if (!sysinfo(&info))
        bytes = (cl_ulong)info.totalram * info.mem_unit;
    if (!getrlimit(RLIMIT_AS, &address_space) && address_space.rlim_cur < limit)
        limit = address_space.rlim_cur;
    if (limit && limit < bytes)
        bytes = limit;
    device.all = bytes / 4 * 3 / page * page; /* the host needs memory too */
    device.one = device.all / 2 / page * page;
}

static void ask_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, ask);
}

cl_ulong device_global_bytes(void) {
    ask_once();
    return device.all;
}

cl_ulong device_max_alloc(void) {
    ask_once();
    return device.one;
}

/* ---- how much is taken ---- */

static _Atomic uint64_t taken; /* bytes; relaxed: a count, which orders nothing */

bool limit_take(size_t size) {
    uint64_t before = atomic_load_explicit(&taken, memory_order_relaxed);
    do
        if (size > device_global_bytes() - before)
            return false;
    while (!atomic_compare_exchange_weak_explicit(&taken, &before, before + size, memory_order_relaxed,
                                                  memory_order_relaxed));
    return true;
}

void limit_give(size_t size) {
    atomic_fetch_sub_explicit(&taken, size, memory_order_relaxed);
}

/* limit.c: how much memory the device has, and how much of it is taken.
 *
 * Device memory is the host's. In: what the machine has, and what control groups and resource limits leave of it to this
 * process. Out: CL_DEVICE_GLOBAL_MEM_SIZE, and a count that allocations must fit in. Memory is committed when it is first
 * touched, so without the count the system would give more than there is, and end the process when it is used.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <sys/resource.h>
#include <sys/sysinfo.h>

/* ---- how much there is ---- */

static struct {
    cl_ulong all, one; /* CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_MAX_MEM_ALLOC_SIZE */
} device;

static void ask(void) {
    const cl_ulong page = 1 << 16;
    struct sysinfo info;
    struct rlimit address_space;
    cl_ulong bytes = (cl_ulong)1 << 30, limit = cgroup_memory(CGROUP_LIST, CGROUP_MOUNT);
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

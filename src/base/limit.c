/* limit.c: limits of this process (ulimit) and its control group, which the compiler has from it, and under which that can't
 * work. */
#include "base.h"

#include <stdio.h>
#include <sys/resource.h>

static const struct {
    int resource;
    char option; /* ulimit's */
    unsigned shift;
    const char *what;
    uint64_t least; /* in units of 1 << shift bytes, as tried with small programs */
} limits[LIMITS - 1] = {
    {RLIMIT_AS, 'v', 20, "MiB of address space", 700},
    {RLIMIT_DATA, 'd', 20, "MiB of data", 300},
    {RLIMIT_STACK, 's', 10, "KiB of stack", 1024},
    {RLIMIT_FSIZE, 'f', 10, "KiB in a file", 1024},
    {RLIMIT_NOFILE, 'n', 0, "open files", 32},
    {RLIMIT_NPROC, 'u', 0, "processes and threads of this user", 32},
};

static bool group_is_short(char *text, size_t size) {
    enum { LEAST = 6 }; /* as tried: with 4 nothing compiles */
    uint64_t left = cgroup_processes(CGROUP_LIST, CGROUP_MOUNT);
    if (left < LEAST)
        snprintf(text, size,
                 "the control group lets %u more processes and threads begin (pids.max), and the compiler "
                 "wants some %d",
                 (unsigned)left, LEAST);
    return left < LEAST;
}

/* What is raised is the soft limit, up to the hard one: workers of the compiler do that themselves. */
bool limit_is_short(unsigned i, char *text, size_t size) {
    struct rlimit limit;
    if (i == LIMITS - 1)
        return group_is_short(text, size);
    if (getrlimit(limits[i].resource, &limit) || limit.rlim_max >> limits[i].shift >= limits[i].least)
        return false;
    snprintf(text, size,
             "this process may have %llu %s (ulimit -%c), and the compiler, its child, wants some %llu",
             (unsigned long long)limit.rlim_max >> limits[i].shift, limits[i].what, limits[i].option,
             (unsigned long long)limits[i].least);
    return true;
}

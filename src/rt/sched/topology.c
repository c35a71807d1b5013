/* topology.c: which processors share a cache or a NUMA node, and which of them a worker belongs to.
 *
 * In: sysfs, once. Out: the processors that this process may use, in an order in which those that share something are
 * neighbours: worker i belongs to the i-th, so that an affinity domain is a range of workers, as sub-devices are.
 * sysfs tells this in a few small files; hwloc would tell it too, at the price of a library that every
 * application would load.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Outermost first, as CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE goes through them. */
static const cl_device_affinity_domain bits[TOPOLOGY_DOMAINS] = {
    CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE,
    CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};
enum { NUMA, L4, L3, L2, L1 };

/* The first number of a list such as "0-3,8-11\n" in a file; -1: there is none. */
static int first_in(const char *path) {
    int first;
    FILE *f = fopen(path, "re");
    bool ok = f && fscanf(f, "%d", &first) == 1;
    if (f)
        fclose(f);
    return ok && first >= 0 ? first : -1;
}

/* The caches of one processor: a domain is named by its first processor. */
static void read_caches(const char *sysfs, struct topology_cpu *cpu) {
    char path[512], type[16];
    for (int i = 0; i < 16; i++) {
        int at = snprintf(path, sizeof path, "%s/cpu/cpu%d/cache/index%d/", sysfs, cpu->number, i);
        if (at < 0 || (size_t)at >= sizeof path - 32)
            return;
        strcpy(path + at, "level");
        int level = first_in(path);
        if (level < 0)
            return;
        strcpy(path + at, "type");
        FILE *f = fopen(path, "re");
        bool is_data = f && fscanf(f, "%15s", type) == 1 && strcmp(type, "Instruction") != 0;
        if (f)
            fclose(f);
        strcpy(path + at, "shared_cpu_list");
        if (is_data && level >= 1 && level <= 4)
            cpu->domain[L1 + 1 - level] = first_in(path);
    }
}

/* A processor's folder has a link to its node. */
static void read_node(const char *sysfs, struct topology_cpu *cpu) {
    char path[512];
    snprintf(path, sizeof path, "%s/cpu/cpu%d", sysfs, cpu->number);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (sscanf(entry->d_name, "node%d", &cpu->domain[NUMA]) == 1)
            break;
    if (folder)
        closedir(folder);
}

static int by_domain(const void *a, const void *b) {
    const struct topology_cpu *x = a, *y = b;
    for (int d = 0; d < TOPOLOGY_DOMAINS; d++)
        if (x->domain[d] != y->domain[d])
            return x->domain[d] < y->domain[d] ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

void topology_read(const char *sysfs, struct topology_cpu *cpus, size_t n) {
    for (size_t i = 0; i < n; i++) {
        for (int d = 0; d < TOPOLOGY_DOMAINS; d++)
            cpus[i].domain[d] = -1;
        read_caches(sysfs, &cpus[i]);
        read_node(sysfs, &cpus[i]);
    }
    qsort(cpus, n, sizeof *cpus, by_domain);
}

static struct topology_cpu *the_cpus;
static size_t ncpus;

static void ask(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) ||
        !(the_cpus = calloc((size_t)CPU_COUNT(&set) + 1, sizeof *the_cpus)))
        return; /* more than cpu_set_t can name */
    for (int number = 0; number < CPU_SETSIZE; number++)
        if (CPU_ISSET(number, &set))
            the_cpus[ncpus++].number = number;
    topology_read("/sys/devices/system", the_cpus, ncpus);
}

const struct topology_cpu *topology_get(size_t *n) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, ask);
    *n = ncpus;
    return the_cpus;
}

size_t topology_split(const struct topology_cpu *cpus, size_t n, unsigned domain, cl_uint *sizes) {
    size_t parts = 0, begin = 0;
    for (size_t i = 1; i <= n; i++) {
        if (cpus[begin].domain[domain] < 0)
            return 0; /* there is no such thing, or not for all of them */
        if (i < n && cpus[i].domain[domain] == cpus[begin].domain[domain])
            continue;
        sizes[parts++] = (cl_uint)(i - begin);
        begin = i;
    }
    return parts;
}

unsigned topology_domain(cl_device_affinity_domain bit) {
    unsigned d = 0;
    while (d < TOPOLOGY_DOMAINS && bits[d] != bit)
        d++;
    return d;
}

cl_device_affinity_domain topology_bit(unsigned domain) {
    return bits[domain];
}

/* Processors that share a cache or a NUMA node are neighbours, whatever numbers the system gives them. */
#define _GNU_SOURCE
#include "unit.h"

#include "../../src/rt/sched/topology.c"

#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/weir-topology-XXXXXX";

static void put(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(const char *text, const char *format, ...) {
    char path[512];
    int at = snprintf(path, sizeof path, "%s/", root);
    va_list args;
    va_start(args, format);
    vsnprintf(path + at, sizeof path - (size_t)at, format, args);
    va_end(args);
    for (char *slash = path + at; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void cache(int cpu, int index, int level, const char *type, const char *shared) {
    char number[8];
    snprintf(number, sizeof number, "%d\n", level);
    put(number, "cpu/cpu%d/cache/index%d/level", cpu, index);
    put(type, "cpu/cpu%d/cache/index%d/type", cpu, index);
    put(shared, "cpu/cpu%d/cache/index%d/shared_cpu_list", cpu, index);
}

/* Two nodes with two last-level caches each, of two cores with two threads each; the threads of core c are c and c + 8. */
static void make_machine(void) {
    static const char *const l3[] = {"0-1,8-9\n", "2-3,10-11\n", "4-5,12-13\n", "6-7,14-15\n"};
    assert_non_null(mkdtemp(root));
    for (int cpu = 0; cpu < 16; cpu++) {
        char core[16];
        snprintf(core, sizeof core, "%d,%d\n", cpu % 8, cpu % 8 + 8);
        cache(cpu, 0, 1, "Data\n", core);
        cache(cpu, 1, 1, "Instruction\n", "0-15\n");
        cache(cpu, 2, 2, "Unified\n", core);
        cache(cpu, 3, 3, "Unified\n", l3[cpu % 8 / 2]);
        put("", "cpu/cpu%d/node%d/cpulist", cpu, cpu % 8 / 4);
    }
}

static void remove_machine(void) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

static void expect_parts(const struct topology_cpu *cpus, size_t n, cl_device_affinity_domain bit,
                         size_t parts, cl_uint each) {
    cl_uint sizes[16];
    assert_int_equal(topology_split(cpus, n, topology_domain(bit), sizes), parts);
    for (size_t i = 0; i < parts; i++)
        assert_int_equal(sizes[i], each);
}

TEST(processors_are_ordered_by_what_they_share) {
    static const int order[] = {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15};
    struct topology_cpu cpus[16];
    for (int i = 0; i < 16; i++)
        cpus[i].number = i;
    make_machine();
    topology_read(root, cpus, 16);
    for (int i = 0; i < 16; i++)
        assert_int_equal(cpus[i].number, order[i]);
    expect_parts(cpus, 16, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 2, 8);
    expect_parts(cpus, 16, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, 0, 0);
    expect_parts(cpus, 16, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, 4, 4);
    expect_parts(cpus, 16, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, 8, 2);
    expect_parts(cpus, 16, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, 8, 2);
    expect_parts(cpus + 8, 8, CL_DEVICE_AFFINITY_DOMAIN_NUMA, 1, 8);
    expect_parts(cpus + 8, 8, CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, 2, 4);
    remove_machine();
}

TEST(parts_of_a_process_that_may_not_use_all_processors_differ_in_size) {
    struct topology_cpu cpus[] = {{.number = 3}, {.number = 6}, {.number = 11}};
    cl_uint sizes[3];
    strcpy(root + sizeof root - 7, "XXXXXX");
    make_machine();
    topology_read(root, cpus, 3);
    assert_true(cpus[0].number == 3 && cpus[1].number == 11 && cpus[2].number == 6);
    assert_int_equal(topology_split(cpus, 3, topology_domain(CL_DEVICE_AFFINITY_DOMAIN_NUMA), sizes), 2);
    assert_true(sizes[0] == 2 && sizes[1] == 1);
    remove_machine();
}

TEST(a_machine_that_tells_nothing_has_no_domains) {
    struct topology_cpu cpus[] = {{.number = 1}, {.number = 0}};
    topology_read("/nowhere", cpus, 2);
    assert_int_equal(cpus[0].number, 0);
    for (int bit = CL_DEVICE_AFFINITY_DOMAIN_NUMA; bit <= CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE; bit *= 2)
        expect_parts(cpus, 2, (cl_device_affinity_domain)bit, 0, 0);
}

/* What control groups leave to a process: memory and processors. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "unit.h"

#include "base.h"

static char root[] = "/tmp/weir-limitXXXXXX";

/* Writes a file beneath `root`, with the folders that it lies in. */
static void put(const char *path, const char *text) {
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *slash = full + strlen(root); (slash = strchr(slash + 1, '/'));) {
        *slash = 0;
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static uint64_t ask(const char *groups, uint64_t (*reader)(const char *, const char *)) {
    char list[PATH_MAX], mount[PATH_MAX];
    put("list", groups);
    snprintf(list, sizeof list, "%s/list", root);
    snprintf(mount, sizeof mount, "%s/mount", root);
    return reader(list, mount);
}

static uint64_t limit(const char *groups) {
    return ask(groups, cgroup_memory);
}

static void remove_root(void) {
    char command[sizeof root + 10];
    snprintf(command, sizeof command, "rm -r %s", root);
    if (system(command))
        fputs("not removed\n", stderr);
}

TEST(the_least_limit_of_a_group_and_those_above_counts) {
    assert_non_null(mkdtemp(root));
    assert_int_equal(atexit(remove_root), 0);
    put("mount/a/memory.max", "max\n");
    put("mount/a/b/memory.max", "3000\n");
    put("mount/a/b/c/memory.max", "5000\n");
    assert_int_equal(limit("0::/a/b/c\n"), 3000);
    assert_int_equal(limit("0::/a/b\n"), 3000);
    assert_int_equal(limit("0::/a\n"), UINT64_MAX);
    assert_int_equal(limit("0::/\n"), UINT64_MAX);
}

TEST(a_container_sees_only_its_own_group) {
    assert_int_equal(limit("0::/not/mounted\n"), UINT64_MAX);
    put("mount/memory.max", "7000\n");
    assert_int_equal(limit("0::/not/mounted\n"), 7000);
    assert_int_equal(limit("0::/a/b/c\n"), 3000);
}

TEST(groups_of_version_1_have_a_folder_of_their_own) {
    put("mount/memory/x/memory.limit_in_bytes", "2000\n");
    put("mount/memory/x/y/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(limit("5:cpu,cpuacct:/z\n4:memory:/x/y\n"), 2000);
    assert_int_equal(limit("5:cpu,cpuacct:/x\n"), UINT64_MAX);
    put("mount/memory/z/memory.limit_in_bytes", "9223372036854771712\n");
    assert_int_equal(limit("4:memory:/z\n"), UINT64_MAX);
}

TEST(lists_that_make_no_sense_are_no_limit) {
    assert_int_equal(limit(""), UINT64_MAX);
    assert_int_equal(limit("nothing\n::\n0:\n"), 7000); /* of the group at the top */
    assert_int_equal(cgroup_memory("/nowhere", "/nowhere"), UINT64_MAX);
}

TEST(processors_are_quota_by_period) {
    put("mount/cpu1/cpu.max", "max 100000\n");
    put("mount/cpu1/half/cpu.max", "50000 100000\n");
    put("mount/cpu1/half/more/cpu.max", "400000 100000\n");
    assert_int_equal(ask("0::/cpu1\n", cgroup_cpu), UINT64_MAX);
    assert_int_equal(ask("0::/cpu1/half\n", cgroup_cpu), 500);
    assert_int_equal(ask("0::/cpu1/half/more\n", cgroup_cpu), 500);
}

TEST(processors_in_groups_of_version_1) {
    put("mount/cpu/x/cpu.cfs_quota_us", "150000\n");
    put("mount/cpu/x/cpu.cfs_period_us", "100000\n");
    put("mount/cpu/y/cpu.cfs_quota_us", "-1\n");
    put("mount/cpu/y/cpu.cfs_period_us", "100000\n");
    assert_int_equal(ask("3:cpu,cpuacct:/x\n", cgroup_cpu), 1500);
    assert_int_equal(ask("3:cpuacct,cpu:/y\n", cgroup_cpu), UINT64_MAX);
    assert_int_equal(ask("3:cpuacct:/x\n", cgroup_cpu), UINT64_MAX);
}

TEST(processes_are_those_that_may_yet_begin) {
    put("mount/p/pids.max", "10\n");
    put("mount/p/pids.current", "7\n");
    put("mount/p/q/pids.max", "max\n");
    put("mount/p/q/pids.current", "5\n");
    put("mount/pids/p/pids.max", "3\n");
    put("mount/pids/p/pids.current", "4\n");
    assert_int_equal(ask("0::/p/q\n", cgroup_processes), 3);
    assert_int_equal(ask("0::/\n", cgroup_processes), UINT64_MAX);
    assert_int_equal(ask("8:pids:/p\n", cgroup_processes), 0);
}

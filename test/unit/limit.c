/* The memory that control groups leave to a process. */
#define _GNU_SOURCE
#include <sys/stat.h>
#include <unistd.h>
#include "unit.h"

#include "../../src/rt/memory/limit.c"

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

static uint64_t limit(const char *groups) {
    char list[PATH_MAX], mount[PATH_MAX];
    put("list", groups);
    snprintf(list, sizeof list, "%s/list", root);
    snprintf(mount, sizeof mount, "%s/mount", root);
    return limit_of_groups(list, mount);
}

TEST(the_least_limit_of_a_group_and_those_above_counts) {
    assert_non_null(mkdtemp(root));
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
}

TEST(lists_that_make_no_sense_are_no_limit) {
    assert_int_equal(limit(""), UINT64_MAX);
    assert_int_equal(limit("nothing\n::\n0:\n"), 7000); /* of the group at the top */
    assert_int_equal(limit_of_groups("/nowhere", "/nowhere"), UINT64_MAX);
}

TEST(memory_is_taken_and_given_back) {
    size_t all = device_global_bytes();
    assert_true(device_max_alloc() <= all / 2);
    assert_true(limit_take(all));
    assert_false(limit_take(1));
    limit_give(all);
    assert_false(limit_take(all + 1));
    assert_true(limit_take(0));
}

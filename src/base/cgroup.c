/* cgroup.c: what control groups leave to this process.
 *
 * In: /proc/self/cgroup, whose lines are ID:CONTROLLERS:PATH, with version 2 of control groups 0::PATH, and the files of the
 * group and of all groups above it. Groups that this process can't see, as in a container, are passed over. Out: the least
 * limit of them; UINT64_MAX: there is none. Paths are on the heap: an application's thread may have a small stack.
 */
#define _GNU_SOURCE
#include "base.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t limit_reader(const char *folder);

/* The numbers in a file's first line: how many there are. */
static int read_numbers(const char *folder, const char *file, uint64_t numbers[2]) {
    struct buf path = {0};
    char line[64];
    buf_printf(&path, "%s/%s", folder, file);
    FILE *f = buf_cstr(&path) ? fopen(buf_cstr(&path), "re") : NULL;
    buf_free(&path);
    int n = f && fgets(line, sizeof line, f) && isdigit((unsigned char)*line)
                ? sscanf(line, "%lu %lu", (unsigned long *)&numbers[0], (unsigned long *)&numbers[1])
                : 0;
    if (f)
        fclose(f);
    return n;
}

static uint64_t memory_of(const char *folder, const char *file) {
    uint64_t numbers[2];
    return read_numbers(folder, file, numbers) > 0 ? numbers[0] : UINT64_MAX;
}

static uint64_t memory_v2(const char *folder) {
    return memory_of(folder, "memory.max");
}

/* Without a limit it is as many pages as a signed number can tell. */
static uint64_t memory_v1(const char *folder) {
    uint64_t bytes = memory_of(folder, "memory.limit_in_bytes");
    return bytes < (uint64_t)1 << 62 ? bytes : UINT64_MAX;
}

/* Thousandths of a processor: so many microseconds in each period. */
static uint64_t share(uint64_t quota, uint64_t period) {
    return period && quota < UINT64_MAX / 1000 ? quota * 1000 / period : UINT64_MAX;
}

static uint64_t cpu_v2(const char *folder) {
    uint64_t numbers[2];
    return read_numbers(folder, "cpu.max", numbers) == 2 ? share(numbers[0], numbers[1]) : UINT64_MAX;
}

static uint64_t cpu_v1(const char *folder) {
    uint64_t quota[2], period[2];
    return read_numbers(folder, "cpu.cfs_quota_us", quota) > 0 &&
                   read_numbers(folder, "cpu.cfs_period_us", period) > 0
               ? share(*quota, *period)
               : UINT64_MAX;
}

/* How many more processes and threads may begin; both versions' files are alike. */
static uint64_t processes_left(const char *folder) {
    uint64_t most[2], now[2];
    if (read_numbers(folder, "pids.max", most) <= 0 || read_numbers(folder, "pids.current", now) <= 0)
        return UINT64_MAX;
    return *most > *now ? *most - *now : 0;
}

/* The least limit of the group `group` below `mount` and of all groups above it. */
static uint64_t limit_of_group(const char *mount, const char *group, limit_reader *reader) {
    struct buf folder = {0};
    uint64_t least = UINT64_MAX;
    size_t n = strlen(group);
    buf_printf(&folder, "%s%s", mount, group);
    for (char *path = buf_cstr(&folder), *end = path ? path + folder.size : NULL; path; end--, n--) {
        if (n == 0 || *end == '/' || !*end) {
            *end = 0;
            uint64_t limit = reader(path);
            least = limit < least ? limit : least;
        }
        if (!n)
            break;
    }
    buf_free(&folder);
    return least;
}

/* Whether the list with commas between has this controller. */
static bool has(const char *controllers, const char *one) {
    size_t n = strlen(one);
    for (const char *at = controllers; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, one, n) && (at[n] == ',' || !at[n]))
            return true;
    return false;
}

static uint64_t limit_of_groups(const char *list, const char *mount, const char *controller, limit_reader *v2,
                                limit_reader *v1) {
    struct buf mount_v1 = {0};
    char *line = NULL;
    size_t room = 0;
    uint64_t least = UINT64_MAX;
    FILE *f = fopen(list, "re");
    buf_printf(&mount_v1, "%s/%s", mount, controller);
    while (f && getline(&line, &room, f) > 0) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        uint64_t limit = UINT64_MAX;
        if (!controllers[1])
            limit = limit_of_group(mount, group, v2);
        else if (has(controllers + 1, controller) && buf_cstr(&mount_v1))
            limit = limit_of_group(buf_cstr(&mount_v1), group, v1);
        least = limit < least ? limit : least;
    }
    if (f)
        fclose(f);
    free(line);
    buf_free(&mount_v1);
    return least;
}

uint64_t cgroup_memory(const char *list, const char *mount) {
    return limit_of_groups(list, mount, "memory", memory_v2, memory_v1);
}

uint64_t cgroup_cpu(const char *list, const char *mount) {
    return limit_of_groups(list, mount, "cpu", cpu_v2, cpu_v1);
}

uint64_t cgroup_processes(const char *list, const char *mount) {
    return limit_of_groups(list, mount, "pids", processes_left, processes_left);
}

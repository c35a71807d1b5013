/* memory.c: how much memory the compiler may take, and how much of it is taken.
 *
 * A limit per process can't bound many requests at a time, nor a request that runs programs: the server looks at the sum.
 * What counts is pages of a process's own: the libraries, which all share, are there once.
 */
#include "driver.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEAST ((size_t)512 << 20) /* with less some builds fail anywhere */

/* What the machine has, or what this process's control group allows of it. */
static uint64_t available(void) {
    uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t limit = cgroup_memory(CGROUP_LIST, CGROUP_MOUNT);
    return limit < all ? limit : all;
}

size_t memory_limit(void) {
    static size_t limit;
    if (!limit && env_get()->compiler_memory)
        limit = (size_t)env_get()->compiler_memory << 20;
    if (!limit)
        limit = available() / 2 > LEAST ? available() / 2 : LEAST;
    return limit;
}

/* Anonymous and shared pages of one process, in bytes. */
static size_t pages_of(pid_t pid) {
    char path[64], line[256];
    size_t total = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, "RssAnon:", 8) || !strncmp(line, "RssShmem:", 9))
            total += strtoull(strchr(line, ':') + 1, NULL, 10) << 10;
    if (file)
        fclose(file);
    return total;
}

/* The process's parent; 0: unknown. */
static pid_t parent_of(const char *pid) {
    char path[300], text[512];
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC), parent;
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    const char *name_end = strrchr(text, ')'); /* the program's name may hold anything */
    return name_end && sscanf(name_end, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* Which of the workers started the process, itself or through others that are listed; `n`: none. */
static size_t worker_of(pid_t pid, const pid_t (*list)[2], size_t listed, const pid_t *workers, size_t n) {
    for (int depth = 0; depth < 8 && pid > 1; depth++) {
        for (size_t i = 0; i < n; i++)
            if (workers[i] == pid)
                return i;
        pid_t parent = 0;
        for (size_t i = 0; i < listed && !parent; i++)
            parent = list[i][0] == pid ? list[i][1] : 0;
        pid = parent;
    }
    return n;
}

void memory_look(const pid_t *workers, size_t n, size_t *taken) {
    enum { MAX_LISTED = 1024 };
    pid_t list[MAX_LISTED][2], lowest = INT_MAX;
    size_t listed = 0;
    memset(taken, 0, n * sizeof *taken);
    if (proc_number() != getpid()) /* its numbers mean others */
        return;
    for (size_t i = 0; i < n; i++)
        lowest = workers[i] > 0 && workers[i] < lowest ? workers[i] : lowest;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && listed < MAX_LISTED && (entry = readdir(processes));) {
        pid_t pid = atoi(entry->d_name), parent;
        if (pid <= 0 || !(parent = parent_of(entry->d_name)) || (parent < lowest))
            continue;
        list[listed][0] = pid;
        list[listed++][1] = parent;
    }
    if (processes)
        closedir(processes);
    for (size_t i = 0; i < n; i++)
        taken[i] = workers[i] > 0 ? pages_of(workers[i]) : 0;
    for (size_t i = 0; i < listed; i++) {
        size_t w = worker_of(list[i][0], (const pid_t(*)[2])list, listed, workers, n);
        if (w < n && workers[w] != list[i][0])
            taken[w] += pages_of(list[i][0]);
    }
}

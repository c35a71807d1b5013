/* old_libc.c: functions that the C library has since 2.29 to 2.33, for builds that stand alone and load on 2.28. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's structure is the C library's on this machine. */
int stat(const char *restrict path, struct stat *restrict info) {
    return (int)syscall(SYS_stat, path, info);
}

int lstat(const char *restrict path, struct stat *restrict info) {
    return (int)syscall(SYS_lstat, path, info);
}

int fstat(int fd, struct stat *info) {
    return (int)syscall(SYS_fstat, fd, info);
}

int fstatat(int folder, const char *restrict path, struct stat *restrict info, int flags) {
    return (int)syscall(SYS_newfstatat, folder, path, info, flags);
}

pid_t gettid(void) {
    return (pid_t)syscall(SYS_gettid);
}

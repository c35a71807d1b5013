/* Hosts with a filter of system calls, as a container may have: a build works without the refused call or says what
 * failed; it neither hangs nor gives an empty program. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include "hosts.h"

static void refuse(unsigned call) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = COUNT(code), .filter = code};
    assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    assert_int_equal(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

TEST(a_build_works_where_fcntl_is_refused) {
    if (!fresh(__func__, NULL, NULL) || !is_weir())
        return;
    refuse(SYS_fcntl);
    OK(build_new(1));
}

static char *log_of_failure(void) {
    cl_program program = program_of("kernel void k(global int *p) { *p = 1; }");
    assert_int_not_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    char *text = log_of(program);
    OK(clReleaseProgram(program));
    return text;
}

TEST(a_build_fails_where_its_child_cannot_have_its_files) {
    if (!fresh(__func__, NULL, "WEIR_CACHE_DIR=") || !is_weir())
        return;
    refuse(SYS_dup2);
    char *text = log_of_failure();
    assert_non_null(strstr(text, "cannot run the front end: Operation not permitted"));
    free(text);
}

TEST(where_links_cannot_be_read_the_compiler_is_found) {
    if (!fresh(__func__, NULL, "WEIR_CACHE_DIR=") || !is_weir())
        return;
    refuse(SYS_readlink);
    char *text = log_of_failure();
    assert_null(strstr(text, "weirc was not found"));
    assert_true(strlen(text) > 10);
    free(text);
}

/* hosts.h: a build that is one, for hosts that make it hard. */
#ifndef HOSTS_H
#define HOSTS_H

#include "api.h"

/* A program that no cache knows: builds, runs once, and gives the code of the build. */
static cl_int build_new(int value) {
    static int serial;
    char source[256];
    snprintf(source, sizeof source, "// %d %d\nkernel void k(global int *p) { *p = %d; }", (int)getpid(),
             serial++, value);
    cl_program program = program_of(source);
    cl_int code = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    if (!code)
        assert_int_equal(result_of(program, "k"), value);
    OK(clReleaseProgram(program));
    return code;
}

#endif

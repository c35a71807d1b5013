# WEIR_LOG_FORMAT=json: lines of JSON, whatever is in the messages
. "$(dirname "$0")/common"
export WEIR_LOG_FORMAT=json WEIR_CACHE_DIR= PYTHONIOENCODING=utf-8
lines() { # FIELD=REGEX COMMAND...: at least one line has it
    expect 0 ', [1-9][0-9]* of them' python3 "$root/test/cli/log_json.py" "$@"
}
cat >app.c <<'C'
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <string.h>
int main(int argc, char **argv) {
    cl_platform_id p;
    cl_device_id d;
    cl_int e;
    const char *source = "kernel void k(global int *p) { \"\xe9\x01\t\\ \xed\xa0\x80\n p[0] = 1; }";
    clGetPlatformIDs(1, &p, NULL);
    clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL);
    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, &e);
    clCreateBuffer(c, 0, 0, NULL, &e);
    clCreateProgramWithBuiltInKernels(c, 1, &d, "a\"b\\\n\x1b[0m\x7f\xff", &e);
    cl_program program = clCreateProgramWithSource(c, 1, &source, NULL, &e);
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    source = "kernel void k(global int *p) { p[0] = 1; }";
    program = clCreateProgramWithSource(c, 1, &source, NULL, &e);
    e = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    clReleaseContext(c);
    clReleaseContext(c); /* the programs still use it */
    return e;
}
C
cc app.c -o app -lOpenCL || exit 1
export WEIR_LOG=debug
lines 'call=^clCreateBuffer$' ./app
lines 'way_out=1 byte' ./app
lines 'error=^CL_INVALID_BUFFER_SIZE$' ./app
lines 'sentence=^size is 0$' ./app
lines 'message=a"b.*' ./app
lines 'sentence=^0x[0-9a-f]* is not a valid context: it has had its last release' ./app
lines 'error=^CL_BUILD_PROGRAM_FAILURE$' ./app
lines 'program=^weirc$' ./app
lines 'level=^warn$' env WEIR_CU=x ./app
cat >race.cl <<'CL'
kernel void race(global int *out, local int *t) {
    t[get_local_id(0)] = 1;
    out[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
}
CL
lines 'level=^report$' env WEIR_CHECK=1 WEIR_LOG=none weir run race.cl race --global 64 --local 64 --arg out:int:64 --arg local:256
# text is what it was
expect 0 'weir: WEIR_LOG_FORMAT=xml is ignored: expected text or json' env WEIR_LOG_FORMAT=xml WEIR_LOG=warn ./app
expect 0 'weir: clCreateBuffer: size is 0' env WEIR_LOG_FORMAT=text WEIR_LOG=error ./app
finish

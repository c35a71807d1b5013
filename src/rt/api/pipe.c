/* pipe.c: pipes, which this device does not have: creation answers CL_INVALID_OPERATION. */
#include "rt.h"

WEIR_API cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                         cl_uint max_packets, const cl_pipe_properties *properties,
                                         cl_int *errcode_ret) {
    bool valid = object_is(context, OBJECT_CONTEXT);
    cl_int error = valid ? API_FAIL(context, CL_INVALID_OPERATION, "no device of this context supports pipes")
                         : API_FAIL(NULL, CL_INVALID_CONTEXT, "%p is not a context", (void *)context);

    if (errcode_ret)
        *errcode_ret = error;
    return NULL;
}

WEIR_API cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                                          void *param_value, size_t *param_value_size_ret) {
    return API_FAIL(NULL, CL_INVALID_MEM_OBJECT, "%p is not a pipe", (void *)pipe);
}

/* pipe.c: pipes: memory objects whose data is a struct weir_pipe (abi.h), its turns and its packets, one after the
 * other. The host only makes them: kernels read and write them through lib/cl/pipe.cl.
 */
#include "rt.h"

#include <stdlib.h>
#include <string.h>

bool mem_is_pipe(cl_mem mem) {
    return object_is(mem, OBJECT_MEM) && mem->type == CL_MEM_OBJECT_PIPE;
}

static size_t rounded(size_t n) {
    return (n + WEIR_MEM_ALIGN - 1) / WEIR_MEM_ALIGN * WEIR_MEM_ALIGN;
}

static cl_int check_create(const char *function, cl_context context, cl_mem_flags flags, cl_uint packet_size,
                           cl_uint max_packets, const cl_pipe_properties *properties) {
    cl_int error = context_check(function, context);
    if (error)
        return error;
    if (flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS))
        return api_fail(context, function, CL_INVALID_VALUE,
                        "flags 0x%llx: pipes have CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS only",
                        (unsigned long long)flags);
    if (properties)
        return api_fail(context, function, CL_INVALID_VALUE, "pipes have no properties: not NULL");
    if (packet_size == 0 || packet_size > WEIR_MAX_PACKET)
        return api_fail(context, function, CL_INVALID_PIPE_SIZE,
                        "packets of %u bytes; CL_DEVICE_PIPE_MAX_PACKET_SIZE is %d", packet_size,
                        WEIR_MAX_PACKET);
    if (max_packets == 0)
        return api_fail(context, function, CL_INVALID_PIPE_SIZE, "a pipe of 0 packets");
    return CL_SUCCESS;
}

/* NULL: no memory. */
static cl_mem pipe_new(cl_context context, cl_mem_flags flags, cl_uint packet_size, cl_uint max_packets) {
    /* Neither overflows: 2^32 packets of at most 2^20 bytes. */
    size_t turns = rounded(sizeof(struct weir_pipe)), packets = turns + rounded(8 * (size_t)max_packets),
           size = packets + (size_t)max_packets * packet_size;
    cl_mem mem = size > device_max_alloc() ? NULL : mem_new(context, CL_MEM_OBJECT_PIPE, flags, size);
    if (!mem)
        return NULL;
    mem->data = mem_allocate(size, WEIR_MEM_ALIGN);
    mem->owns_data = true;
    if (!mem->data) {
        object_drop(mem);
        return NULL;
    }
    memset(mem->data, 0, packets); /* nothing written, all turns for the first round of writes */
    *(struct weir_pipe *)mem->data = (struct weir_pipe){.packet_bytes = packet_size,
                                                        .max_packets = max_packets,
                                                        .turns = (uintptr_t)mem->data + turns,
                                                        .packets = (uintptr_t)mem->data + packets};
    return mem;
}

WEIR_API cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                         cl_uint max_packets, const cl_pipe_properties *properties,
                                         cl_int *errcode_ret) {
    cl_int error = check_create(__func__, context, flags, packet_size, max_packets, properties);
    cl_mem mem = NULL;
    if (!error) {
        mem = pipe_new(context, flags ? flags : CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, packet_size,
                       max_packets);
        if (!mem)
            error = API_FAIL(context, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                             "no memory for %u packets of %u bytes", max_packets, packet_size);
    }
    if (errcode_ret)
        *errcode_ret = error;
    return mem;
}

WEIR_API cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size,
                                          void *param_value, size_t *param_value_size_ret) {
    if (!mem_is_pipe(pipe))
        return HANDLE_FAIL(CL_INVALID_MEM_OBJECT, "pipe", pipe);
    const struct weir_pipe *p = (const struct weir_pipe *)pipe->data;
    cl_int error = param_name == CL_PIPE_PACKET_SIZE   ? info_uint(INFO_OUT, p->packet_bytes)
                   : param_name == CL_PIPE_MAX_PACKETS ? info_uint(INFO_OUT, p->max_packets)
                   : param_name == CL_PIPE_PROPERTIES  ? info_bytes(INFO_OUT, NULL, 0)
                                                       : CL_INVALID_VALUE;
    return error ? INFO_FAIL(pipe->context, error) : CL_SUCCESS;
}

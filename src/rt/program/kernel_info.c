/* kernel_info.c: queries about kernels: clGetKernelInfo, clGetKernelArgInfo, clGetKernelWorkGroupInfo,
 * clGetKernelSubGroupInfo.
 */
#include "rt.h"

#include <string.h>

static cl_int kernel_query(cl_kernel k, cl_kernel_info name, struct info_out out) {
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME:
        return info_string(out, k->meta->name);
    case CL_KERNEL_NUM_ARGS:
        return info_uint(out, k->meta->nargs);
    case CL_KERNEL_REFERENCE_COUNT:
        return info_uint(out, atomic_load(&k->object.refs));
    case CL_KERNEL_CONTEXT:
        return info_pointer(out, k->program->context);
    case CL_KERNEL_PROGRAM:
        return info_pointer(out, k->program);
    case CL_KERNEL_ATTRIBUTES:
        return info_string(out, k->program->source ? k->meta->attributes : "");
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name,
                                            size_t param_value_size, void *param_value,
                                            size_t *param_value_size_ret) {
    if (!object_is(kernel, OBJECT_KERNEL))
        return HANDLE_FAIL(CL_INVALID_KERNEL, "kernel", kernel);
    cl_int e = kernel_query(kernel, param_name, INFO_OUT);
    return e ? INFO_FAIL(kernel->program->context, e) : e;
}

static cl_int arg_query(const struct arg_meta *a, cl_kernel_arg_info name, struct info_out out) {
    cl_kernel_arg_type_qualifier qualifier = a->type_qual;
    switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return info_uint(out, a->address_qual);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return info_uint(out, a->access_qual);
    case CL_KERNEL_ARG_TYPE_NAME:
        return info_string(out, a->type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return info_bytes(out, &qualifier, sizeof qualifier);
    case CL_KERNEL_ARG_NAME:
        return info_string(out, a->name);
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index,
                                               cl_kernel_arg_info param_name, size_t param_value_size,
                                               void *param_value, size_t *param_value_size_ret) {
    if (!object_is(kernel, OBJECT_KERNEL))
        return HANDLE_FAIL(CL_INVALID_KERNEL, "kernel", kernel);
    cl_context context = kernel->program->context;
    if (arg_index >= kernel->meta->nargs)
        return API_FAIL(context, CL_INVALID_ARG_INDEX, "argument %u of %s, which has %u", arg_index,
                        kernel->meta->name, kernel->meta->nargs);
    const struct arg_meta *a = &kernel->meta->args[arg_index];
    cl_int e = *a->type_name ? arg_query(a, param_name, INFO_OUT) : CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
    return e ? INFO_FAIL(context, e) : e;
}

/* CL_INVALID_DEVICE unless it is a device of the kernel; NULL stands for the only one. */
static cl_int check_device(const char *function, cl_kernel k, cl_device_id device) {
    bool ok = device ? program_device(k->program, device) != NULL : k->program->ndevices == 1;
    return ok ? CL_SUCCESS
              : api_fail(k->program->context, function, CL_INVALID_DEVICE,
                         device ? "not a device of the kernel"
                                : "the kernel has several devices: one must be named");
}

size_t kernel_group_size(const struct kernel_meta *m) {
    return m->reqd_local[0] ? (size_t)m->reqd_local[0] * m->reqd_local[1] * m->reqd_local[2] : WEIR_MAX_ITEMS;
}

size_t kernel_subgroup_size(const struct kernel_meta *m, const size_t local[3]) {
    return local ? meta_subgroup_size(m, env_get()->width, local[0], local[1] * local[2])
                 : meta_subgroup_size(m, env_get()->width, 0, 0);
}

size_t kernel_group_multiple(const struct kernel_meta *m) {
    return m->uses_subgroups ? kernel_subgroup_size(m, NULL) : cpu_vector_bits() / 32;
}

static cl_ulong local_bytes(cl_kernel k) {
    cl_ulong total = k->meta->local_bytes;
    pthread_mutex_lock(&k->lock);
    for (uint32_t i = 0; i < k->meta->nargs; i++)
        total += k->args[i].local_bytes;
    pthread_mutex_unlock(&k->lock);
    return total;
}

static cl_int group_query(cl_kernel k, cl_kernel_work_group_info name, struct info_out out) {
    const struct kernel_meta *m = k->meta;
    size_t reqd[3] = {m->reqd_local[0], m->reqd_local[1], m->reqd_local[2]};
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return info_size(out, kernel_group_size(m));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return info_bytes(out, reqd, sizeof reqd);
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return info_ulong(out, local_bytes(k));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return info_size(out, kernel_group_multiple(m));
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL:
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return info_ulong(out, m->private_bytes);
    default: /* CL_KERNEL_GLOBAL_WORK_SIZE too: it is for built-in kernels */
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                     cl_kernel_work_group_info param_name,
                                                     size_t param_value_size, void *param_value,
                                                     size_t *param_value_size_ret) {
    if (!object_is(kernel, OBJECT_KERNEL))
        return HANDLE_FAIL(CL_INVALID_KERNEL, "kernel", kernel);
    cl_int e = check_device(__func__, kernel, device);
    if (e)
        return e;
    e = group_query(kernel, param_name, INFO_OUT);
    return e ? INFO_FAIL(kernel->program->context, e) : e;
}

size_t kernel_subgroup_count(const struct kernel_meta *m, const size_t local[3]) {
    size_t size = kernel_subgroup_size(m, local);
    struct group_rows rows =
        meta_group_rows(local, meta_is_one_row(m, (uint32_t)size, local[0], local[1] * local[2]));
    return meta_packs_of_row(rows, size) * rows.count;
}

void kernel_size_for_subgroups(const struct kernel_meta *m, size_t count, size_t dims, size_t *local) {
    size_t size = kernel_subgroup_size(m, NULL);
    bool fits = count && count <= WEIR_MAX_ITEMS / size && (!m->num_subgroups || count == m->num_subgroups);
    if (fits && m->reqd_local[0])
        fits = m->reqd_local[0] == count * size && m->reqd_local[1] == 1 && m->reqd_local[2] == 1;
    for (size_t d = 0; d < dims; d++)
        local[d] = !fits ? 0 : d ? 1 : count * size;
}

size_t kernel_most_subgroups(const struct kernel_meta *m) {
    if (m->num_subgroups)
        return m->num_subgroups;
    const size_t local[3] = {m->reqd_local[0], m->reqd_local[1], m->reqd_local[2]};
    return local[0] ? kernel_subgroup_count(m, local) : WEIR_MAX_ITEMS / kernel_subgroup_size(m, NULL);
}

/* One to three numbers of type size_t; what is missing is 1. */
static bool read_sizes(const void *value, size_t size, size_t out[3]) {
    if (!value || !size || size % sizeof *out || size > 3 * sizeof *out)
        return false;
    out[0] = out[1] = out[2] = 1;
    memcpy(out, value, size);
    return true;
}

static cl_int subgroup_query(cl_kernel k, cl_kernel_sub_group_info name, size_t input_size, const void *input,
                             struct info_out out) {
    const struct kernel_meta *m = k->meta;
    size_t in[3], local[3], dims = out.value ? out.size / sizeof *local : 3;
    switch (name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        return read_sizes(input, input_size, in) ? info_size(out, kernel_subgroup_size(m, in))
                                                 : CL_INVALID_VALUE;
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        return read_sizes(input, input_size, in) ? info_size(out, kernel_subgroup_count(m, in))
                                                 : CL_INVALID_VALUE;
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        if (!read_sizes(input, input_size, in) || input_size != sizeof *in || dims < 1 || dims > 3)
            return CL_INVALID_VALUE;
        kernel_size_for_subgroups(m, in[0], dims, local);
        return info_bytes(out, local, dims * sizeof *local);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return info_size(out, kernel_most_subgroups(m));
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
        return info_size(out, m->num_subgroups);
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
        return info_size(out, m->subgroup_size);
    default:
        return CL_INVALID_VALUE;
    }
}

static cl_int get_subgroup_info(const char *function, cl_kernel kernel, cl_device_id device,
                                cl_kernel_sub_group_info name, size_t input_size, const void *input,
                                struct info_out out) {
    if (!object_is(kernel, OBJECT_KERNEL))
        return handle_fail(NULL, function, CL_INVALID_KERNEL, "kernel", kernel);
    cl_int e = check_device(function, kernel, device);
    if (e)
        return e;
    e = subgroup_query(kernel, name, input_size, input, out);
    return e ? api_fail(kernel->program->context, function, e, "query 0x%x with %zu bytes in and %zu out",
                        name, input_size, out.size)
             : e;
}

WEIR_API cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                                    cl_kernel_sub_group_info param_name,
                                                    size_t input_value_size, const void *input_value,
                                                    size_t param_value_size, void *param_value,
                                                    size_t *param_value_size_ret) {
    return get_subgroup_info(__func__, kernel, device, param_name, input_value_size, input_value, INFO_OUT);
}

WEIR_API cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                                       cl_kernel_sub_group_info param_name,
                                                       size_t input_value_size, const void *input_value,
                                                       size_t param_value_size, void *param_value,
                                                       size_t *param_value_size_ret) {
    return get_subgroup_info(__func__, kernel, device, param_name, input_value_size, input_value, INFO_OUT);
}

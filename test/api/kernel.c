/* Kernels: creation, queries, argument information, clones. */
#include "api.h"

static const char source[] =
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void reqd(global int *p) {}\n"
    "kernel __attribute__((work_group_size_hint(16, 1, 1))) void hint(global int *p) {}\n"
    "typedef struct { int a, b; } pair;\n"
    "kernel void args(global const float *restrict in, constant int4 *table,\n"
    "                 local volatile uint *scratch, const float4 v, pair s, global pair *out) {}\n";
static cl_program program;

static cl_kernel made(const char *name) {
    if (!program)
        program = build(source, "-cl-kernel-arg-info");
    return MADE(clCreateKernel(program, name, &error));
}

TEST(kernel_creation_checks_its_arguments) {
    OK(clReleaseKernel(made("args")));
    cl_program raw = program_of(source);
    REFUSES(CL_INVALID_PROGRAM, clCreateKernel((cl_program)cl.context, "args", &error));
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(raw, "args", &error));
    REFUSES(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "nothing", &error));
    REFUSES(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "", &error));
    REFUSES(CL_INVALID_VALUE, clCreateKernel(program, NULL, &error));
    cl_kernel list[3];
    cl_uint n;
    GIVES(CL_INVALID_PROGRAM, clCreateKernelsInProgram((cl_program)cl.context, 0, NULL, &n));
    GIVES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(raw, 0, NULL, &n));
    GIVES(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 2, list, &n));
    OK(clReleaseProgram(raw));
}

TEST(all_kernels_are_made_at_once) {
    cl_kernel list[3];
    cl_uint n = 0;
    char name[8];
    OK(clCreateKernelsInProgram(program, 0, NULL, &n));
    assert_int_equal(n, 3);
    OK(clCreateKernelsInProgram(program, 3, list, NULL));
    static const char *const names[] = {"reqd", "hint", "args"};
    for (int i = 0; i < 3; i++) {
        OK(clGetKernelInfo(list[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
        assert_string_equal(name, names[i]);
        OK(clReleaseKernel(list[i]));
    }
}

TEST(a_kernel_knows_itself) {
    cl_kernel kernel = made("reqd");
    cl_uint n;
    cl_context context;
    cl_program from;
    char text[256];
    OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    OK(clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    OK(clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL));
    assert_ptr_equal(context, cl.context);
    OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof from, &from, NULL));
    assert_ptr_equal(from, program);
    OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL));
    assert_non_null(strstr(text, "reqd_work_group_size(8,2,1)"));
    OK(clReleaseKernel(kernel));
}

TEST(kernel_queries_check_their_arguments) {
    cl_kernel kernel = made("args"), wrong = (cl_kernel)cl.context;
    char one;
    size_t sizes[3];
    GIVES(CL_INVALID_KERNEL, clGetKernelInfo(wrong, CL_KERNEL_NUM_ARGS, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE, clGetKernelInfo(kernel, CL_DEVICE_NAME, 1, &one, NULL));
    GIVES(CL_INVALID_KERNEL,
          clGetKernelWorkGroupInfo(wrong, cl.device, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
    GIVES(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(kernel, (cl_device_id)cl.context,
                                                      CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE,
          clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_WORK_GROUP_SIZE, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, cl.device, CL_DEVICE_NAME, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE,
          clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof sizes, sizes, NULL));
    GIVES(CL_INVALID_KERNEL, clGetKernelArgInfo(wrong, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    GIVES(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 6, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    GIVES(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, 1, &one, NULL));
    GIVES(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, CL_DEVICE_NAME, 1, &one, NULL));
    GIVES(CL_INVALID_KERNEL, clRetainKernel(wrong));
    GIVES(CL_INVALID_KERNEL, clReleaseKernel(wrong));
    OK(clReleaseKernel(kernel));
}

TEST(work_group_queries_answer) {
    cl_kernel kernel = made("reqd"), hint = made("hint");
    size_t size, sizes[3];
    cl_ulong bytes;
    OK(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
    assert_true(size >= 16);
    OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes,
                                NULL));
    assert_true(sizes[0] == 8 && sizes[1] == 2 && sizes[2] == 1);
    OK(clGetKernelWorkGroupInfo(hint, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes,
                                NULL));
    assert_true(sizes[0] == 0 && sizes[1] == 0 && sizes[2] == 0);
    OK(clGetKernelWorkGroupInfo(hint, cl.device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof size,
                                &size, NULL));
    size_t of_device;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof of_device, &of_device,
                       NULL));
    assert_true(size >= 4 && size == of_device); /* the lanes of a vector of floats */
    OK(clGetKernelWorkGroupInfo(hint, cl.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    OK(clGetKernelWorkGroupInfo(hint, cl.device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes, NULL));
    OK(clReleaseKernel(kernel));
    OK(clReleaseKernel(hint));
}

TEST(local_memory_is_counted) {
    cl_kernel kernel =
        kernel_of("kernel void k(local char *d) { local int s[100]; s[0] = *d; d[1] = s[0]; }", "k");
    cl_ulong bytes = 0, more;
    OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    OK(clSetKernelArg(kernel, 0, 1000, NULL));
    OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof more, &more, NULL));
    assert_true(more >= bytes + 1000 && more < bytes + 2000);
    OK(clReleaseKernel(kernel));
}

TEST(argument_information_is_kept) {
    cl_kernel kernel = made("args");
    static const struct {
        const char *name, *type;
        cl_kernel_arg_address_qualifier address;
        cl_kernel_arg_type_qualifier qualifier;
    } wanted[] = {
        {"in", "float*", CL_KERNEL_ARG_ADDRESS_GLOBAL,
         CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
        {"table", "int4*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
        {"scratch", "uint*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_VOLATILE},
        {"v", "float4", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
        {"s", "pair", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
        {"out", "pair*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_NONE},
    };
    for (cl_uint i = 0; i < COUNT(wanted); i++) {
        char text[64];
        cl_kernel_arg_address_qualifier address;
        cl_kernel_arg_access_qualifier access;
        cl_kernel_arg_type_qualifier qualifier;
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
        assert_string_equal(text, wanted[i].name);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
        assert_string_equal(text, wanted[i].type);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL));
        assert_int_equal(address, wanted[i].address);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
        assert_int_equal(access, CL_KERNEL_ARG_ACCESS_NONE);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
        assert_int_equal(qualifier, wanted[i].qualifier);
    }
    OK(clReleaseKernel(kernel));
}

TEST(a_clone_starts_with_the_same_arguments_and_goes_its_own_way) {
    cl_kernel kernel = kernel_of("kernel void k(global int *p, int v) { *p = v; }", "k");
    cl_mem mem = buffer_of(0, 4, NULL);
    int one = 1, two = 2, back;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof one, &one));
    cl_kernel clone = MADE(clCloneKernel(kernel, &error));
    OK(clSetKernelArg(kernel, 1, sizeof two, &two));
    OK(run_1d(clone, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 1);
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
    assert_int_equal(back, 2);
    OK(clReleaseKernel(kernel));
    OK(run_1d(clone, 1, 1));
    OK(clReleaseKernel(clone));
    OK(clReleaseMemObject(mem));
    REFUSES(CL_INVALID_KERNEL, clCloneKernel((cl_kernel)cl.context, &error));
}

TEST(sub_group_queries_agree_with_the_device) {
    cl_kernel kernel = made("args");
    size_t local[1] = {64}, size = 77;
    cl_uint max;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof max, &max, NULL));
    cl_int code = clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                          sizeof local, local, sizeof size, &size, NULL);
    if (max) {
        assert_int_equal(code, CL_SUCCESS);
        assert_true(size >= 1);
        GIVES(CL_INVALID_VALUE,
              clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 0, NULL,
                                      sizeof size, &size, NULL));
    } else {
        assert_int_equal(code, CL_INVALID_OPERATION);
    }
    OK(clReleaseKernel(kernel));
}

TEST(the_program_goes_last) {
    OK(clReleaseProgram(program));
}

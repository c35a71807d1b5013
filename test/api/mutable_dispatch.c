/* Launches in command buffers that are changed between enqueues. */
#include "command_buffer.h"

static const char *const add_source =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }"
    "kernel void sizes(global int *p) { if (get_global_id(0) == get_global_offset(0)) {"
    " p[0] = get_global_size(0); p[1] = get_local_size(0); p[2] = get_global_offset(0); } }"
    "kernel void last(global int *p, local int *l) { l[get_local_id(0)] = get_local_id(0);"
    " barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] = l[get_local_size(0) - 1]; }";

static cl_mutable_command_khr record_launch(cl_command_buffer_khr buffer, cl_kernel kernel, size_t n,
                                            const size_t *local, cl_mutable_dispatch_fields_khr fields) {
    cl_command_properties_khr list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, fields, 0};
    cl_mutable_command_khr handle = NULL;
    OK(clCommandNDRangeKernelKHR_(buffer, NULL, fields ? list : NULL, kernel, 1, NULL, &n, local, 0, NULL,
                                  NULL, &handle));
    assert_non_null(handle);
    return handle;
}

static cl_int update(cl_command_buffer_khr buffer, cl_uint n, const cl_mutable_dispatch_config_khr *configs) {
    cl_command_buffer_update_type_khr types[4] = {0};
    const void *list[4];
    for (cl_uint i = 0; i < n; i++) {
        types[i] = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
        list[i] = &configs[i];
    }
    return clUpdateMutableCommandsKHR_(buffer, n, types, list);
}

/* Sets one argument of a launch. */
static cl_int set(cl_command_buffer_khr buffer, cl_mutable_command_khr launch, cl_uint index, size_t size,
                  const void *value) {
    cl_mutable_dispatch_arg_khr arg = {index, size, value};
    return update(buffer, 1,
                  &(cl_mutable_dispatch_config_khr){.command = launch, .num_args = 1, .arg_list = &arg});
}

TEST(an_update_changes_arguments_of_later_enqueues_alone) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem a = zeros(64), b = zeros(64);
    cl_int one = 1, ten = 10, hundred = 100;
    OK(clSetKernelArg(add, 0, sizeof a, &a));
    OK(clSetKernelArg(add, 1, sizeof one, &one));
    cl_mutable_command_khr launch = record_launch(buffer, add, 64, NULL, 0);
    OK(clFinalizeCommandBufferKHR_(buffer));
    run_buffer(buffer);
    assert_int_equal(int_at(a, 0), 1);
    cl_event gate = MADE(clCreateUserEvent(cl.context, &error));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 1, &gate, NULL)); /* has still to run: adds 1 */
    OK(set(buffer, launch, 1, sizeof ten, &ten));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
    OK(set(buffer, launch, 0, sizeof b, &b));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
    OK(clSetKernelArg(add, 1, sizeof hundred, &hundred)); /* is the kernel's alone */
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(cl.queue));
    assert_int_equal(int_at(a, 63), 12);
    assert_int_equal(int_at(b, 63), 10);
    run_buffer(buffer);
    assert_int_equal(int_at(b, 63), 20);
    OK(clReleaseEvent(gate));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseKernel(add));
}

TEST(a_program_may_be_built_again_while_a_buffer_alone_has_its_kernel) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_program program = build(add_source, "");
    cl_kernel add = MADE(clCreateKernel(program, "add", &error));
    cl_mem a = zeros(64);
    cl_int one = 1;
    OK(clSetKernelArg(add, 0, sizeof a, &a));
    OK(clSetKernelArg(add, 1, sizeof one, &one));
    record_launch(buffer, add, 64, NULL, 0);
    OK(clFinalizeCommandBufferKHR_(buffer));
    GIVES(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "-DX", NULL, NULL));
    OK(clReleaseKernel(add));
    OK(clBuildProgram(program, 0, NULL, "-DX", NULL, NULL));
    run_buffer(buffer); /* of what was built before */
    assert_int_equal(int_at(a, 63), 1);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(a));
    OK(clReleaseProgram(program));
}

TEST(an_update_changes_sizes_and_offset) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_kernel sizes = kernel_of(add_source, "sizes");
    cl_mem mem = zeros(4);
    size_t local = 8, local2 = 16, global2 = 160, offset2 = 5, back = 77;
    OK(clSetKernelArg(sizes, 0, sizeof mem, &mem));
    cl_mutable_command_khr launch = record_launch(buffer, sizes, 64, &local, 0);
    OK(clFinalizeCommandBufferKHR_(buffer));
    run_buffer(buffer);
    assert_int_equal(int_at(mem, 0), 64);
    assert_int_equal(int_at(mem, 1), 8);
    OK(update(buffer, 1,
              &(cl_mutable_dispatch_config_khr){.command = launch,
                                                .work_dim = 1,
                                                .global_work_offset = &offset2,
                                                .global_work_size = &global2,
                                                .local_work_size = &local2}));
    run_buffer(buffer);
    assert_int_equal(int_at(mem, 0), 160);
    assert_int_equal(int_at(mem, 1), 16);
    assert_int_equal(int_at(mem, 2), 5);
    OK(clGetMutableCommandInfoKHR_(launch, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, sizeof back, &back,
                                   NULL));
    assert_int_equal(back, 160);
    OK(clGetMutableCommandInfoKHR_(launch, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, sizeof back, &back,
                                   NULL));
    assert_int_equal(back, 16);
    OK(clGetMutableCommandInfoKHR_(launch, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, sizeof back, &back,
                                   NULL));
    assert_int_equal(back, 5);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(sizes));
}

TEST(local_memory_and_svm_pointers_are_updated) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_kernel last = kernel_of(add_source, "last");
    cl_int *p = clSVMAlloc(cl.context, 0, 256 * sizeof *p, 0);
    cl_mem mem = zeros(256);
    size_t local = 8, local2 = 256, global2 = 256;
    OK(clSetKernelArg(last, 0, sizeof mem, &mem));
    OK(clSetKernelArg(last, 1, 8 * sizeof *p, NULL));
    cl_mutable_command_khr launch = record_launch(buffer, last, 64, &local, 0);
    OK(clFinalizeCommandBufferKHR_(buffer));
    run_buffer(buffer);
    assert_int_equal(int_at(mem, 63), 7);
    cl_mutable_dispatch_arg_khr more = {1, 256 * sizeof *p, NULL}, svm = {0, 0, p};
    cl_mutable_dispatch_exec_info_khr info = {CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof p, &p};
    OK(update(buffer, 1,
              &(cl_mutable_dispatch_config_khr){.command = launch,
                                                .num_args = 1,
                                                .arg_list = &more,
                                                .num_svm_args = 1,
                                                .arg_svm_list = &svm,
                                                .num_exec_infos = 1,
                                                .exec_info_list = &info,
                                                .global_work_size = &global2,
                                                .local_work_size = &local2}));
    run_buffer(buffer);
    assert_int_equal(p[0], 255);
    assert_int_equal(p[255], 255);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(last));
    clSVMFree(cl.context, p);
}

TEST(an_update_that_fails_changes_nothing) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem a = zeros(64), b = zeros(64);
    cl_int one = 1, ten = 10;
    OK(clSetKernelArg(add, 1, sizeof one, &one));
    OK(clSetKernelArg(add, 0, sizeof a, &a));
    cl_mutable_command_khr first = record_launch(buffer, add, 64, NULL, 0);
    OK(clSetKernelArg(add, 0, sizeof b, &b));
    cl_mutable_command_khr second = record_launch(buffer, add, 64, NULL, 0);
    OK(clFinalizeCommandBufferKHR_(buffer));
    cl_mutable_dispatch_arg_khr good = {1, sizeof ten, &ten}, bad = {1, 3, &ten}, none = {2, 4, &ten};
    cl_mutable_dispatch_config_khr configs[2] = {{.command = first, .num_args = 1, .arg_list = &good},
                                                 {.command = second, .num_args = 1, .arg_list = &bad}};
    GIVES(CL_INVALID_ARG_SIZE, update(buffer, 2, configs));
    configs[1].arg_list = &none;
    GIVES(CL_INVALID_ARG_INDEX, update(buffer, 2, configs));
    run_buffer(buffer);
    assert_int_equal(int_at(a, 0), 1);
    assert_int_equal(int_at(b, 0), 1);
    configs[1].arg_list = &good;
    OK(update(buffer, 2, configs));
    run_buffer(buffer);
    assert_int_equal(int_at(a, 0), 11);
    assert_int_equal(int_at(b, 0), 11);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseKernel(add));
}

TEST(configurations_of_one_launch_add_up) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem a = zeros(64), b = zeros(64);
    cl_int one = 1, ten = 10, twenty = 20;
    OK(clSetKernelArg(add, 0, sizeof a, &a));
    OK(clSetKernelArg(add, 1, sizeof one, &one));
    cl_mutable_command_khr launch = record_launch(buffer, add, 64, NULL, 0);
    OK(clFinalizeCommandBufferKHR_(buffer));
    cl_mutable_dispatch_arg_khr args[3] = {
        {1, sizeof ten, &ten}, {0, sizeof b, &b}, {1, sizeof twenty, &twenty}};
    cl_mutable_dispatch_config_khr configs[3];
    for (int i = 0; i < 3; i++)
        configs[i] = (cl_mutable_dispatch_config_khr){.command = launch, .num_args = 1, .arg_list = &args[i]};
    OK(update(buffer, 3, configs));
    run_buffer(buffer);
    assert_int_equal(int_at(a, 0), 0);
    assert_int_equal(int_at(b, 0), 20);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseKernel(add));
}

TEST(arguments_may_be_set_after_finalizing) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem mem = zeros(64);
    cl_int ten = 10;
    size_t n = 64;
    OK(clSetKernelArg(add, 1, sizeof ten, &ten));
    GIVES(CL_INVALID_KERNEL_ARGS,
          clCommandNDRangeKernelKHR_(buffer, NULL, NULL, add, 1, NULL, &n, NULL, 0, NULL, NULL, NULL));
    cl_mutable_command_khr launch = record_launch(buffer, add, 64, NULL, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR);
    OK(clFinalizeCommandBufferKHR_(buffer));
    assert_int_equal(state_of(buffer), CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
    GIVES(CL_INVALID_OPERATION, clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
    OK(set(buffer, launch, 0, sizeof mem, &mem));
    assert_int_equal(state_of(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    run_buffer(buffer);
    assert_int_equal(int_at(mem, 0), 10);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(add));
}

TEST(an_update_keeps_to_what_was_recorded_as_changeable) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_kernel sizes = kernel_of(add_source, "sizes");
    cl_mem mem = zeros(4);
    size_t local = 8, uneven = 60, global = 128;
    cl_mutable_dispatch_exec_info_khr info = {CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL};
    cl_mutable_dispatch_arg_khr arg = {0, sizeof mem, &mem};
    OK(clSetKernelArg(sizes, 0, sizeof mem, &mem));
    cl_mutable_command_khr launch =
        record_launch(buffer, sizes, 64, &local, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR);
    GIVES(CL_INVALID_OPERATION, update(buffer, 1, &(cl_mutable_dispatch_config_khr){.command = launch}));
    OK(clFinalizeCommandBufferKHR_(buffer));
#define REFUSED(code, ...)                                                                                   \
    GIVES(code, update(buffer, 1, &(cl_mutable_dispatch_config_khr){.command = launch, __VA_ARGS__}))
    REFUSED(CL_INVALID_OPERATION, .work_dim = 2);
    REFUSED(CL_INVALID_OPERATION, .global_work_offset = &global);
    REFUSED(CL_INVALID_OPERATION, .local_work_size = &local);
    REFUSED(CL_INVALID_OPERATION, .num_args = 1, .arg_list = &arg);
    REFUSED(CL_INVALID_OPERATION, .num_exec_infos = 1, .exec_info_list = &info);
    REFUSED(CL_INVALID_VALUE, .arg_list = &arg);
    REFUSED(CL_INVALID_VALUE, .exec_info_list = &info);
    cl_int code =
        update(buffer, 1, &(cl_mutable_dispatch_config_khr){.command = launch, .global_work_size = &uneven});
    assert_true(code == CL_INVALID_OPERATION || code == CL_INVALID_WORK_GROUP_SIZE);
    OK(update(buffer, 1, &(cl_mutable_dispatch_config_khr){.command = launch, .global_work_size = &global}));
    run_buffer(buffer);
    assert_int_equal(int_at(mem, 0), 128);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(sizes));
}

TEST(updates_check_their_arguments) {
    cl_command_buffer_khr fixed = recorder(1, &cl.queue, 0),
                          buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_kernel add = kernel_of(add_source, "add");
    cl_mem mem = zeros(64);
    cl_int one = 1;
    cl_command_buffer_update_type_khr type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR, wrong = 17;
    OK(clSetKernelArg(add, 0, sizeof mem, &mem));
    OK(clSetKernelArg(add, 1, sizeof one, &one));
    cl_mutable_command_khr of_fixed = record_launch(fixed, add, 64, NULL, 0),
                           launch = record_launch(buffer, add, 64, NULL, 0);
    OK(clFinalizeCommandBufferKHR_(fixed));
    OK(clFinalizeCommandBufferKHR_(buffer));
    cl_mutable_dispatch_config_khr config = {.command = launch};
    const void *list[] = {&config}, *null[] = {NULL};
    GIVES(CL_INVALID_OPERATION, clUpdateMutableCommandsKHR_(fixed, 1, &type, list));
    GIVES(CL_INVALID_COMMAND_BUFFER_KHR, clUpdateMutableCommandsKHR_(NULL, 1, &type, list));
    GIVES(CL_INVALID_VALUE, clUpdateMutableCommandsKHR_(buffer, 1, NULL, list));
    GIVES(CL_INVALID_VALUE, clUpdateMutableCommandsKHR_(buffer, 1, &type, NULL));
    GIVES(CL_INVALID_VALUE, clUpdateMutableCommandsKHR_(buffer, 0, &type, list));
    GIVES(CL_INVALID_VALUE, clUpdateMutableCommandsKHR_(buffer, 1, &wrong, list));
    GIVES(CL_INVALID_VALUE, clUpdateMutableCommandsKHR_(buffer, 1, &type, null));
    OK(clUpdateMutableCommandsKHR_(buffer, 0, NULL, NULL));
    OK(clUpdateMutableCommandsKHR_(buffer, 1, &type, list));
    config.command = of_fixed;
    GIVES(CL_INVALID_MUTABLE_COMMAND_KHR, clUpdateMutableCommandsKHR_(buffer, 1, &type, list));
    config.command = NULL;
    GIVES(CL_INVALID_MUTABLE_COMMAND_KHR, clUpdateMutableCommandsKHR_(buffer, 1, &type, list));
    config.command = (cl_mutable_command_khr)buffer;
    GIVES(CL_INVALID_MUTABLE_COMMAND_KHR, clUpdateMutableCommandsKHR_(buffer, 1, &type, list));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseCommandBufferKHR_(fixed));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(add));
}

TEST(an_assertion_about_the_work_groups_wants_a_local_size) {
    (void)clReleaseCommandBufferKHR_(recorder(1, &cl.queue, 0));
    cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR,
                                               CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
                                               CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
    cl_command_properties_khr own[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR,
                                       CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
    cl_command_buffer_khr buffer = MADE(clCreateCommandBufferKHR_(1, &cl.queue, list, &error)),
                          plain = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_kernel sizes = kernel_of(add_source, "sizes");
    cl_mem mem = zeros(4);
    size_t n = 64, local = 8;
    OK(clSetKernelArg(sizes, 0, sizeof mem, &mem));
    GIVES(CL_INVALID_VALUE,
          clCommandNDRangeKernelKHR_(buffer, NULL, NULL, sizes, 1, NULL, &n, NULL, 0, NULL, NULL, NULL));
    GIVES(CL_INVALID_VALUE,
          clCommandNDRangeKernelKHR_(plain, NULL, own, sizes, 1, NULL, &n, NULL, 0, NULL, NULL, NULL));
    OK(clCommandNDRangeKernelKHR_(plain, NULL, own, sizes, 1, NULL, &n, &local, 0, NULL, NULL, NULL));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseCommandBufferKHR_(plain));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(sizes));
}

TEST(a_recorded_launch_tells_of_itself) {
    cl_command_buffer_khr buffer = recorder(1, &cl.queue, CL_COMMAND_BUFFER_MUTABLE_KHR), its_buffer;
    cl_kernel sizes = kernel_of(add_source, "sizes"), its_kernel;
    cl_mem mem = zeros(4);
    cl_command_properties_khr list[3];
    cl_command_queue queue;
    cl_command_type type;
    cl_uint dim;
    size_t size, local = 77;
    OK(clSetKernelArg(sizes, 0, sizeof mem, &mem));
    cl_mutable_command_khr launch = record_launch(buffer, sizes, 64, NULL, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR);
#define ASK(name, place) OK(clGetMutableCommandInfoKHR_(launch, name, sizeof place, &place, &size))
    ASK(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, queue);
    assert_ptr_equal(queue, cl.queue);
    ASK(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, its_buffer);
    assert_ptr_equal(its_buffer, buffer);
    ASK(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, type);
    assert_int_equal(type, CL_COMMAND_NDRANGE_KERNEL);
    ASK(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, list);
    assert_int_equal(size, sizeof list);
    assert_int_equal(list[1], CL_MUTABLE_DISPATCH_ARGUMENTS_KHR);
    ASK(CL_MUTABLE_DISPATCH_KERNEL_KHR, its_kernel);
    assert_ptr_equal(its_kernel, sizes);
    ASK(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, dim);
    assert_int_equal(dim, 1);
    ASK(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, local);
    assert_int_equal(local, 0); /* none was given */
    GIVES(CL_INVALID_VALUE, clGetMutableCommandInfoKHR_(launch, CL_QUEUE_CONTEXT, sizeof dim, &dim, NULL));
    GIVES(CL_INVALID_VALUE,
          clGetMutableCommandInfoKHR_(launch, CL_MUTABLE_DISPATCH_KERNEL_KHR, 1, &its_kernel, NULL));
    GIVES(CL_INVALID_MUTABLE_COMMAND_KHR,
          clGetMutableCommandInfoKHR_(NULL, CL_MUTABLE_DISPATCH_KERNEL_KHR, 8, &its_kernel, NULL));
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(sizes));
}

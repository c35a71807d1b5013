/* Kernels that enqueue kernels: children run with what they captured, in the order that flags and events ask for; a
 * parent ends after its children, with their errors; queues on the device answer queries and refuse what hosts do.
 */
#include "api.h"

#define OUT_OF_ORDER (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE)

static cl_command_queue device_queue(cl_command_queue_properties more, cl_uint size) {
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, OUT_OF_ORDER | more, size ? CL_QUEUE_SIZE : 0,
                                        size, 0};
    return MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, properties, &error));
}

/* Runs kernel `k` of the source with work-groups of one work-item, arguments (global int *, queue_t), the ints being of the
 * size given. */
static cl_int run_groups_on(const char *source, const char *options, cl_command_queue queue, size_t groups,
                            size_t n, cl_int *ints) {
    cl_program program = build(source, options);
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, n * sizeof *ints, ints);
    cl_event event;
    size_t one = 1;
    cl_int status;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof queue, &queue));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &groups, &one, 0, NULL, &event));
    cl_int code = clWaitForEvents(1, &event);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    assert_true((code == CL_SUCCESS) == (status == CL_COMPLETE));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, n * sizeof *ints, ints, 0, NULL, NULL));
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    return status;
}

static cl_int run_on(const char *source, const char *options, cl_command_queue queue, size_t n,
                     cl_int *ints) {
    return run_groups_on(source, options, queue, 1, n, ints);
}

#define KERNEL(body) "kernel void k(global int *out, queue_t q) {" body "}"
#define CL3          "-cl-std=CL3.0"

TEST(children_see_what_the_parent_captured) {
    cl_command_queue queue = device_queue(0, 0);
    cl_int out[8] = {0};
    OK(run_on("typedef struct { char c; long l; float4 f; } S;" KERNEL(
                  "S s = {1, 2, (float4)(3, 4, 5, 6)}; int x = 7; long8 v = (long8)(8);"
                  "for (int i = 0; i < 4; i++)"
                  "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),"
                  "        ^{ out[i] = i * 1000 + s.c + s.l * 10 + (int)s.f.w * 100 + x + v.s7; });"
                  "x = 0; s.l = 0; v = 0;"),
              CL3, queue, 8, out));
    for (int i = 0; i < 4; i++)
        assert_int_equal(out[i], i * 1000 + 1 + 20 + 600 + 7 + 8);
    OK(clReleaseCommandQueue(queue));
}

TEST(children_have_local_memory_of_the_sizes_given) {
    cl_command_queue queue = device_queue(0, 0);
    cl_int out[66] = {0};
    OK(run_on(KERNEL("uint n = 64 * sizeof(int);"
                     "out[65] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64, 64),"
                     "    ^(local void *a, local void *b) {"
                     "        local int *x = a, *y = b; int l = get_local_id(0);"
                     "        x[l] = l; y[l] = 2 * l; barrier(CLK_LOCAL_MEM_FENCE);"
                     "        out[l] = x[63 - l] + y[(l + 1) % 64];"
                     "    }, n, 2 * n);"),
              CL3, queue, 66, out));
    for (int i = 0; i < 64; i++)
        assert_int_equal(out[i], 63 - i + 2 * ((i + 1) % 64));
    assert_int_equal(out[65], 0);
    OK(clReleaseCommandQueue(queue));
}

TEST(a_chain_of_events_keeps_its_order) {
    cl_command_queue queue = device_queue(0, 0);
    cl_int out[130] = {0};
    OK(run_on(KERNEL("clk_event_t last = create_user_event(), next; clk_event_t first = last;"
                     "for (int i = 0; i < 128; i++) {"
                     "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &last, &next,"
                     "        ^{ out[i] = out[128]++; });"
                     "    if (i) release_event(last);"
                     "    last = next;"
                     "}"
                     "release_event(last);"
                     "out[129] = out[0] == 0 && is_valid_event(first);"
                     "set_user_event_status(first, CL_COMPLETE); release_event(first);"),
              CL3, queue, 130, out));
    for (int i = 0; i < 128; i++)
        assert_int_equal(out[i], i);
    assert_int_equal(out[129], 1);
    OK(clReleaseCommandQueue(queue));
}

TEST(a_marker_waits_for_all_of_its_events) {
    cl_command_queue queue = device_queue(0, 0);
    cl_int out[20] = {0};
    OK(run_on(KERNEL("clk_event_t all[16], marker;"
                     "for (int i = 0; i < 16; i++)"
                     "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &all[i],"
                     "        ^{ out[i] = 1; });"
                     "out[17] = enqueue_marker(q, 16, all, &marker);"
                     "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &marker, NULL,"
                     "    ^{ for (int i = 0; i < 16; i++) out[16] += out[i]; });"
                     "for (int i = 0; i < 16; i++) release_event(all[i]);"
                     "retain_event(marker); release_event(marker); release_event(marker);"),
              CL3, queue, 20, out));
    assert_int_equal(out[16], 16);
    assert_int_equal(out[17], 0);
    OK(clReleaseCommandQueue(queue));
}

TEST(children_that_wait_for_the_kernel_see_all_it_wrote) {
    static const char *const flags[] = {"CLK_ENQUEUE_FLAGS_WAIT_KERNEL", "CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP"};
    cl_command_queue queue = device_queue(0, 0);
    for (size_t f = 0; f < COUNT(flags); f++) {
        cl_int out[2] = {0};
        char source[800];
        snprintf(source, sizeof source,
                 KERNEL("enqueue_kernel(q, %s, ndrange_1D(1), ^{ out[1] = out[0]; });"
                        "for (int i = 0; i < 100000; i++) ((volatile global int *)out)[0]++;"),
                 flags[f]);
        OK(run_on(source, CL3, queue, 2, out));
        assert_int_equal(out[1], 100000);
    }
    OK(clReleaseCommandQueue(queue));
}

/* The second work-group waits for what the first one enqueued, for so long as the test may take. */
TEST(children_that_wait_for_the_work_group_run_beside_others) {
    if (!fresh("children_that_wait_for_the_work_group_run_beside_others", NULL, "WEIR_CU=4"))
        return;
    cl_command_queue queue = device_queue(0, 0);
    cl_int out[4] = {0};
    OK(run_groups_on(KERNEL("volatile global atomic_int *seen = (volatile global atomic_int *)(out + 1);"
                            "if (get_group_id(0) == 0) {"
                            "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1),"
                            "                   ^{ atomic_fetch_add(seen, out[0]); });"
                            "    for (int i = 0; i < 100000; i++) ((volatile global int *)out)[0]++;"
                            "} else {"
                            "    for (long i = 0; i < 1L << 35 && !out[2]; i++)"
                            "        out[2] = atomic_load_explicit(seen, memory_order_relaxed,"
                            "                                      memory_scope_device);"
                            "}"),
                     CL3, queue, 2, 4, out));
    assert_int_equal(out[2], 100000);
    OK(clReleaseCommandQueue(queue));
}

/* A tree of kernels that enqueue themselves, from all work-items. */
TEST(kernels_enqueue_kernels_to_any_depth) {
    cl_command_queue queue = device_queue(0, 0);
    cl_int out[2] = {0};
    OK(run_on("void grow(global int *out, queue_t q, int depth);"
              "void grow(global int *out, queue_t q, int depth) {"
              "    atomic_inc(out);"
              "    if (depth > 0 && enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(3, 3),"
              "                                    ^{ grow(out, q, depth - 1); }))"
              "        atomic_inc(out + 1);"
              "}" KERNEL("grow(out, q, 6);"),
              CL3, queue, 2, out));
    assert_int_equal(out[0], 1 + 3 + 9 + 27 + 81 + 243 + 729);
    assert_int_equal(out[1], 0);
    OK(clReleaseCommandQueue(queue));
}

TEST(a_parent_ends_with_the_error_of_its_child) {
    cl_command_queue queue = device_queue(0, 0);
    cl_int out[2] = {0};
    assert_true(run_on(KERNEL("clk_event_t user = create_user_event();"
                              "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, NULL,"
                              "    ^{ out[0] = 1; });"
                              "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[1] = 1; });"
                              "set_user_event_status(user, -7); release_event(user);"),
                       CL3, queue, 2, out) < 0);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 1);
    still_works();
    OK(clReleaseCommandQueue(queue));
}

/* Without -g there is one code for all failures. */
TEST(failures_tell_why_in_programs_built_with_g) {
    static const char source[] =
        KERNEL("queue_t none = *(queue_t *)&(ulong){0}; clk_event_t bad = *(clk_event_t *)&(ulong){0}, e;"
               "ndrange_t good = ndrange_1D(4), wrong = ndrange_1D(4, 100000);"
               "int zero = 0;"
               "out[7] = enqueue_kernel(q, 0, ndrange_1D(0), ^{ });"
               "out[0] = enqueue_kernel(q, 0, wrong, ^{ });"
               "out[1] = enqueue_kernel(q, 0, good, 1, &bad, NULL, ^{ });"
               "out[2] = enqueue_kernel(q, 0, good, ^(local void *p) { }, zero);"
               "out[3] = enqueue_kernel(q, 0, good, ^(local void *p) { }, 1 << 30);"
               "out[4] = enqueue_marker(q, 0, NULL, &e);"
               "int4 big[4]; big[0] = out[9];"
               "for (int i = 0; i < 1000 && !out[5]; i++)"
               "    out[5] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, good, ^{ atomic_add(out + 8, "
               "big[0].x); });"
               "out[6] = enqueue_kernel(none, 0, good, ^{ });");
    static const cl_int wanted[] = {-160, -57, -51, -5, -57, -161, -102, 0};
    cl_command_queue queue = device_queue(0, 20000);
    cl_int out[10] = {0};
    OK(run_on(source, "-cl-std=CL3.0 -g", queue, 10, out));
    for (int i = 0; i < 8; i++)
        assert_int_equal(out[i], wanted[i]);
    memset(out, 0, sizeof out);
    OK(run_on(source, CL3, queue, 10, out));
    for (int i = 0; i < 8; i++)
        assert_int_equal(out[i], wanted[i] ? -101 : 0);
    OK(clReleaseCommandQueue(queue));
}

TEST(a_full_queue_has_room_again_when_children_have_ended) {
    cl_command_queue queue = device_queue(0, 20000);
    cl_int out[4] = {0};
    for (int round = 0; round < 3; round++) {
        out[0] = out[1] = 0;
        OK(run_on(KERNEL("while (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1),"
                         "    ^{ atomic_inc(out); }) == CLK_SUCCESS) out[1]++;"),
                  CL3, queue, 4, out));
        assert_true(out[1] > 0 && out[1] < 100);
        assert_int_equal(out[0], out[1]);
    }
    OK(clReleaseCommandQueue(queue));
}

TEST(profiling_is_captured_before_those_who_wait_run) {
    cl_command_queue queue = device_queue(CL_QUEUE_PROFILING_ENABLE, 0);
    cl_int out[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    OK(run_on(KERNEL("clk_event_t e;"
                     "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &e, ^{"
                     "    for (int i = 0; i < 10000; i++) ((volatile global int *)out)[7]++; });"
                     "capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, out);"
                     "enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e, NULL, ^{"
                     "    global long *t = (global long *)out; out[4] = t[0] > 0 && t[1] >= t[0]; });"
                     "release_event(e);"),
              CL3, queue, 8, out));
    assert_int_equal(out[4], 1);
    OK(clReleaseCommandQueue(queue));
}

TEST(kernels_ask_what_hosts_ask) {
    cl_command_queue queue = device_queue(0, 0);
    cl_int out[8] = {0};
    size_t most;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    OK(run_on(KERNEL("void (^b)(void) = ^{ out[7] = get_sub_group_size(); };"
                     "out[0] = get_kernel_work_group_size(b);"
                     "out[1] = get_kernel_preferred_work_group_size_multiple(b);"
                     "out[2] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(256, 64), b);"
                     "out[3] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(256, 64), b);"
                     "out[4] = get_kernel_work_group_size(^(local void *p) { out[6] = 1; });"),
              CL3, queue, 8, out));
    assert_int_equal(out[0], most);
    assert_int_equal(out[4], most);
    assert_true(out[1] > 0 && out[2] > 0);
    assert_int_equal(out[2] * out[3], 64);
    OK(clReleaseCommandQueue(queue));
}

TEST(blocks_are_no_kernels_of_the_application) {
    cl_program program = build(KERNEL("enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[0] = 1; });"), CL3);
    char names[64];
    size_t n;
    cl_uint count;
    OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    assert_string_equal(names, "k");
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    OK(clCreateKernelsInProgram(program, 0, NULL, &count));
    assert_int_equal(count, 1);
    REFUSES(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "__k_block_invoke_kernel", &error));
    OK(clReleaseProgram(program));
}

/* Both units have a static function of one name, and so blocks of one name. */
TEST(blocks_of_linked_units_are_told_apart) {
    static const char *const sources[] = {
        "static void f(global int *out, queue_t q) { enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[0] = 1; }); }"
        "void g(global int *out, queue_t q);" KERNEL("f(out, q); g(out, q);"),
        "static void f(global int *out, queue_t q) { enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[1] = 2; }); }"
        "void g(global int *out, queue_t q) { f(out, q); }"};
    cl_program units[2];
    for (int i = 0; i < 2; i++) {
        units[i] = program_of(sources[i]);
        OK(clCompileProgram(units[i], 1, &cl.device, CL3, 0, NULL, NULL, NULL, NULL));
    }
    cl_program program = MADE(clLinkProgram(cl.context, 1, &cl.device, NULL, 2, units, NULL, NULL, &error));
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_command_queue queue = device_queue(0, 0);
    cl_int out[2] = {0};
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof out, out);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof queue, &queue));
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    assert_true(out[0] == 1 && out[1] == 2);
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    for (int i = 0; i < 2; i++)
        OK(clReleaseProgram(units[i]));
}

TEST(a_binary_has_its_blocks) {
    cl_program program = build(KERNEL("enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[0] = 5; });"), CL3);
    size_t size;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    OK(clReleaseProgram(program));
    program = MADE(clCreateProgramWithBinary(cl.context, 1, &cl.device, &size, (const unsigned char **)&bytes,
                                             NULL, &error));
    OK(clBuildProgram(program, 1, &cl.device, NULL, NULL, NULL));
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_command_queue queue = device_queue(0, 0);
    cl_int out = 0;
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof out, &out);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof queue, &queue));
    OK(run_1d(kernel, 1, 1));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof out, &out, 0, NULL, NULL));
    assert_int_equal(out, 5);
    free(bytes);
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* ---- queues ---- */

static cl_command_queue default_of(cl_command_queue queue) {
    cl_command_queue found;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof found, &found, NULL));
    return found;
}

TEST(a_device_has_one_default_queue_which_can_be_replaced) {
    cl_uint refs;
    assert_null(default_of(cl.queue));
    cl_command_queue first = device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, 0);
    cl_command_queue again = device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, 0), other = device_queue(0, 0);
    assert_ptr_equal(first, again);
    assert_ptr_equal(default_of(cl.queue), first);
    OK(clGetCommandQueueInfo(first, CL_QUEUE_REFERENCE_COUNT, sizeof refs, &refs, NULL));
    assert_int_equal(refs, 2);
    OK(clReleaseCommandQueue(again));
    OK(clSetDefaultDeviceCommandQueue(cl.context, cl.device, other));
    assert_ptr_equal(default_of(first), other);
    GIVES(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(cl.context, cl.device, cl.queue));
    GIVES(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(cl.context, cl.device, NULL));
    GIVES(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(cl.context, NULL, other));
    GIVES(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(NULL, cl.device, other));
    cl_int out[2] = {0};
    OK(run_on(KERNEL("enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[0] = 3; });"), CL3, first,
              2, out));
    assert_int_equal(out[0], 3);
    OK(clReleaseCommandQueue(other));
    assert_null(default_of(cl.queue));
    OK(run_on(KERNEL("out[1] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ out[0] = 4; });"),
              CL3, first, 2, out));
    assert_int_equal(out[0], 3);
    assert_int_equal(out[1], -101);
    OK(clReleaseCommandQueue(first));
}

TEST(queues_on_the_device_have_a_size_and_take_no_commands_of_the_host) {
    cl_command_queue queue = device_queue(0, 65536);
    cl_uint size, preferred, most;
    cl_mem mem = buffer_of(0, 4, NULL);
    cl_int word = 0;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, sizeof preferred, &preferred,
                       NULL));
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof most, &most, NULL));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    assert_int_equal(size, 65536);
    GIVES(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(cl.queue, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    GIVES(CL_INVALID_COMMAND_QUEUE, clFinish(queue));
    GIVES(CL_INVALID_COMMAND_QUEUE, clFlush(queue));
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &word, 0, NULL, NULL));
    GIVES(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
    OK(clReleaseCommandQueue(queue));
    queue = device_queue(0, 0);
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    assert_int_equal(size, preferred);
    OK(clReleaseCommandQueue(queue));
    cl_queue_properties large[] = {CL_QUEUE_PROPERTIES, OUT_OF_ORDER, CL_QUEUE_SIZE, (cl_ulong)most + 1, 0};
    cl_queue_properties in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
    cl_queue_properties of_host[] = {CL_QUEUE_PROPERTIES, 0, CL_QUEUE_SIZE, 65536, 0};
    REFUSES(CL_INVALID_QUEUE_PROPERTIES,
            clCreateCommandQueueWithProperties(cl.context, cl.device, large, &error));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(cl.context, cl.device, in_order, &error));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(cl.context, cl.device, of_host, &error));
    OK(clReleaseMemObject(mem));
}

TEST(arguments_for_queues_take_queues_on_the_device) {
    cl_program program = build("kernel void k(queue_t q) { }", CL3);
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_command_queue queue = device_queue(0, 0), none = NULL;
    cl_mem mem = buffer_of(0, 4, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof queue, &queue));
    GIVES(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof cl.queue, &cl.queue));
    GIVES(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof none, &none));
    GIVES(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof none, NULL));
    GIVES(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof mem, &mem));
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &queue));
    OK(run_1d(kernel, 1, 1));
    OK(clReleaseMemObject(mem));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* The queue is released while the kernel that has it waits. */
TEST(a_queue_lives_as_long_as_commands_that_have_it) {
    cl_program program = build(KERNEL("enqueue_kernel(q, 0, ndrange_1D(1), ^{ out[0] = 9; });"), CL3);
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_command_queue queue = device_queue(0, 0);
    cl_event user = MADE(clCreateUserEvent(cl.context, &error));
    cl_int out = 0;
    size_t one = 1;
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof out, &out);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof queue, &queue));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &one, NULL, 1, &user, NULL));
    OK(clReleaseCommandQueue(queue));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof out, &out, 0, NULL, NULL));
    assert_int_equal(out, 9);
    OK(clReleaseEvent(user));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

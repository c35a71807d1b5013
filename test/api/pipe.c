/* Pipes: packets come out once and in the order in which they were written or reserved, whatever the work-items,
 * work-groups and commands that write and read them; full and empty pipes say so; wrong calls are refused.
 */
#include "api.h"

static const char source[] =
    "kernel void put(write_only pipe int p, global int *status, int first) {\n"
    "    int x = first + get_global_id(0);\n"
    "    status[get_global_id(0)] = write_pipe(p, &x);\n"
    "}\n"
    "kernel void get(read_only pipe int p, global int *status, global int *out) {\n"
    "    int x = -77;\n"
    "    status[get_global_id(0)] = read_pipe(p, &x);\n"
    "    out[get_global_id(0)] = x;\n"
    "}\n"
    "kernel void counts(read_only pipe int p, global int *out) {\n"
    "    out[0] = get_pipe_num_packets(p);\n"
    "    out[1] = get_pipe_max_packets(p);\n"
    "}\n"
    /* Later reservations are committed first, and written from their end. */
    "kernel void put_backwards(write_only pipe int p, global int *ok) {\n"
    "    reserve_id_t id[4];\n"
    "    for (int i = 0; i < 4; i++)\n"
    "        id[i] = reserve_write_pipe(p, i + 1);\n"
    "    reserve_id_t none = reserve_write_pipe(p, 3);\n"
    "    ok[0] = !is_valid_reserve_id(none);\n"
    "    for (int i = 3, x = 9; i >= 0; i--) {\n"
    "        ok[0] &= is_valid_reserve_id(id[i]);\n"
    "        for (int j = i; j >= 0; j--, x--)\n"
    "            ok[0] &= write_pipe(p, id[i], j, &x) == 0;\n"
    "        commit_write_pipe(p, id[i]);\n"
    "    }\n"
    "}\n"
    "kernel void get_groupwise(read_only pipe int p, global int *out) {\n"
    "    reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0));\n"
    "    int x = -1;\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        read_pipe(p, id, get_local_size(0) - 1 - get_local_id(0), &x);\n"
    "        work_group_commit_read_pipe(p, id);\n"
    "    }\n"
    "    out[get_global_id(0)] = x;\n"
    "}\n"
    "kernel void put_groupwise(write_only pipe int p) {\n"
    "    reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));\n"
    "    int x = get_global_id(0);\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        write_pipe(p, id, get_local_id(0), &x);\n"
    "        work_group_commit_write_pipe(p, id);\n"
    "    }\n"
    "}\n"
    "kernel void put_subgroupwise(write_only pipe int p) {\n"
    "    reserve_id_t id = sub_group_reserve_write_pipe(p, get_sub_group_size());\n"
    "    int x = get_global_id(0);\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        write_pipe(p, id, get_sub_group_local_id(), &x);\n"
    "        sub_group_commit_write_pipe(p, id);\n"
    "    }\n"
    "}\n"
    /* Everything that can be got, as often as it takes. */
    "kernel void drain(read_only pipe int p, global atomic_int *seen, global atomic_int *left) {\n"
    "    int x;\n"
    "    for (int tries = 0; tries < 1 << 20 && atomic_load(left) > 0; tries++)\n"
    "        if (!read_pipe(p, &x)) {\n"
    "            atomic_fetch_add(&seen[x], 1);\n"
    "            atomic_fetch_sub(left, 1);\n"
    "        }\n"
    "}\n"
    "typedef struct { char c; int i[2]; short s; } T;\n"
    "kernel void put_struct(write_only pipe T p) {\n"
    "    T t = {get_global_id(0), {get_global_id(0) * 3, -1}, 7};\n"
    "    write_pipe(p, &t);\n"
    "}\n"
    "kernel void get_struct(read_only pipe T p, global int *out) {\n"
    "    T t;\n"
    "    int failed = read_pipe(p, &t);\n"
    "    out[get_global_id(0)] = failed ? -1 : t.c * 3 == t.i[0] && t.i[1] == -1 && t.s == 7 ? t.c : -2;\n"
    "}\n"
    "kernel void put_char3(write_only pipe char3 p) {\n"
    "    char3 c = (char3)(1, 2, 3);\n"
    "    write_pipe(p, &c);\n"
    "}\n"
    "kernel void get_char3(read_only pipe char3 p, global int *out) {\n"
    "    char3 c;\n"
    "    out[get_global_id(0)] = read_pipe(p, &c) ? -1 : c.x * 100 + c.y * 10 + c.z;\n"
    "}\n";

static cl_program program(void) {
    static cl_program made;
    if (!made)
        made = build(source, "-cl-std=CL3.0");
    return made;
}

static cl_kernel kernel_with(const char *name, unsigned n, cl_mem *args) {
    cl_kernel kernel = MADE(clCreateKernel(program(), name, &error));
    for (unsigned i = 0; i < n; i++)
        OK(clSetKernelArg(kernel, i, sizeof *args, &args[i]));
    return kernel;
}

static void run_with(const char *name, size_t global, size_t local, unsigned n, cl_mem *args) {
    cl_kernel kernel = kernel_with(name, n, args);
    OK(run_1d(kernel, global, local));
    OK(clReleaseKernel(kernel));
}

static cl_mem pipe_of(cl_uint size, cl_uint n) {
    return MADE(clCreatePipe(cl.context, 0, size, n, NULL, &error));
}

static cl_mem ints_of(size_t n) {
    cl_mem mem = buffer_of(0, 4 * n, NULL);
    cl_int zero = 0;
    OK(clEnqueueFillBuffer(cl.queue, mem, &zero, 4, 0, 4 * n, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    return mem;
}

static void read_ints(cl_mem mem, size_t n, cl_int *out) {
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4 * n, out, 0, NULL, NULL));
}

static void release(unsigned n, cl_mem *mems) {
    for (unsigned i = 0; i < n; i++)
        OK(clReleaseMemObject(mems[i]));
}

static void put(cl_mem pipe, cl_mem status, cl_int first, size_t n, size_t local) {
    cl_kernel kernel = kernel_with("put", 2, (cl_mem[]){pipe, status});
    OK(clSetKernelArg(kernel, 2, sizeof first, &first));
    OK(run_1d(kernel, n, local));
    OK(clReleaseKernel(kernel));
}

TEST(packets_of_one_work_group_come_out_in_order_round_after_round) {
    cl_mem mems[] = {pipe_of(4, 100), ints_of(96), ints_of(96)};
    cl_int status[96], out[96];
    for (int round = 0; round < 5; round++) {
        put(mems[0], mems[1], round * 1000, 96, 96);
        run_with("get", 96, 96, 3, mems);
        read_ints(mems[1], 96, status);
        read_ints(mems[2], 96, out);
        for (int i = 0; i < 96; i++) {
            assert_int_equal(status[i], 0);
            assert_int_equal(out[i], round * 1000 + i);
        }
    }
    release(3, mems);
}

TEST(a_full_pipe_takes_no_more_and_an_empty_one_gives_none) {
    cl_mem mems[] = {pipe_of(4, 10), ints_of(64), ints_of(64)};
    cl_int status[64], out[64], counts[2];
    put(mems[0], mems[1], 0, 64, 64);
    read_ints(mems[1], 64, status);
    for (int i = 0; i < 64; i++)
        assert_true(i < 10 ? status[i] == 0 : status[i] < 0);
    run_with("counts", 1, 1, 2, (cl_mem[]){mems[0], mems[2]});
    read_ints(mems[2], 2, counts);
    assert_int_equal(counts[0], 10);
    assert_int_equal(counts[1], 10);
    run_with("get", 64, 64, 3, mems);
    read_ints(mems[1], 64, status);
    read_ints(mems[2], 64, out);
    for (int i = 0; i < 64; i++) {
        assert_true(i < 10 ? status[i] == 0 : status[i] < 0);
        assert_int_equal(out[i], i < 10 ? i : -77);
    }
    release(3, mems);
}

TEST(a_pipe_of_one_packet_holds_one) {
    cl_mem mems[] = {pipe_of(4, 1), ints_of(4), ints_of(4)};
    cl_int status[4], out[4];
    for (int round = 0; round < 3; round++) {
        put(mems[0], mems[1], round, 4, 4);
        read_ints(mems[1], 4, status);
        assert_true(status[0] == 0 && status[1] < 0 && status[2] < 0 && status[3] < 0);
        run_with("get", 4, 4, 3, mems);
        read_ints(mems[2], 4, out);
        assert_true(out[0] == round && out[1] == -77);
    }
    release(3, mems);
}

TEST(reservations_keep_their_order_however_they_are_committed) {
    cl_mem mems[] = {pipe_of(4, 12), ints_of(12), ints_of(12)};
    cl_int ok, out[12];
    for (int round = 0; round < 4; round++) {
        run_with("put_backwards", 1, 1, 2, mems);
        read_ints(mems[1], 1, &ok);
        assert_int_equal(ok, 1);
        run_with("get", 12, 12, 3, mems);
        read_ints(mems[2], 12, out);
        for (int i = 0; i < 12; i++)
            assert_int_equal(out[i], i < 10 ? i : -77);
    }
    release(3, mems);
}

TEST(work_groups_reserve_as_one) {
    enum { GROUPS = 37, LOCAL = 24, N = GROUPS * LOCAL };
    cl_mem mems[] = {pipe_of(4, N), ints_of(N)};
    cl_int out[N];
    run_with("put_groupwise", N, LOCAL, 1, mems);
    run_with("get_groupwise", N, LOCAL, 2, mems);
    read_ints(mems[1], N, out);
    bool seen[GROUPS] = {false};
    for (int g = 0; g < GROUPS; g++) { /* each took another group's packets, backwards */
        int from = out[g * LOCAL + LOCAL - 1] / LOCAL;
        assert_true(from >= 0 && from < GROUPS && !seen[from]);
        seen[from] = true;
        for (int i = 0; i < LOCAL; i++)
            assert_int_equal(out[g * LOCAL + i], from * LOCAL + LOCAL - 1 - i);
    }
    release(2, mems);
}

TEST(a_work_group_that_asks_for_too_much_gets_nothing) {
    cl_mem mems[] = {pipe_of(4, 16), ints_of(32)};
    cl_int out[32];
    run_with("put_groupwise", 16, 16, 1, mems);
    run_with("get_groupwise", 32, 32, 2, mems);
    read_ints(mems[1], 32, out);
    for (int i = 0; i < 32; i++)
        assert_int_equal(out[i], -1);
    run_with("get_groupwise", 16, 16, 2, mems);
    read_ints(mems[1], 16, out);
    for (int i = 0; i < 16; i++)
        assert_int_equal(out[i], 15 - i);
    release(2, mems);
}

TEST(sub_groups_reserve_as_one) {
    enum { N = 1000, LOCAL = 50 };
    cl_mem mems[] = {pipe_of(4, N), ints_of(N), ints_of(N)};
    cl_int out[N];
    bool seen[N] = {false};
    run_with("put_subgroupwise", N, LOCAL, 1, mems);
    run_with("get", N, LOCAL, 3, mems);
    read_ints(mems[2], N, out);
    for (int i = 0; i < N; i++) {
        assert_true(out[i] >= 0 && out[i] < N && !seen[out[i]]);
        seen[out[i]] = true;
    }
    release(3, mems);
}

/* Writers and readers run at once, on a pipe much smaller than what goes through it; readers that give up before all is
 * there are sent again. */
TEST(commands_that_run_at_once_lose_no_packet) {
    enum { N = 20000, ROUND = 1000 };
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queue =
        MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, properties, &error));
    cl_mem mems[] = {pipe_of(4, ROUND), ints_of(N), ints_of(1), ints_of(ROUND)};
    cl_kernel drain = kernel_with("drain", 3, mems);
    cl_kernel put = kernel_with("put", 2, (cl_mem[]){mems[0], mems[3]});
    cl_int left, status[ROUND], seen[N];
    size_t n = ROUND, readers = 8, one = 1;
    for (cl_int first = 0; first < N; first += ROUND) {
        left = ROUND;
        OK(clEnqueueWriteBuffer(queue, mems[2], CL_TRUE, 0, 4, &left, 0, NULL, NULL));
        OK(clSetKernelArg(put, 2, sizeof first, &first));
        OK(clEnqueueNDRangeKernel(queue, put, 1, NULL, &n, NULL, 0, NULL, NULL));
        for (; left > 0; read_ints(mems[2], 1, &left)) {
            OK(clEnqueueNDRangeKernel(queue, drain, 1, NULL, &readers, &one, 0, NULL, NULL));
            OK(clFinish(queue));
        }
        assert_int_equal(left, 0);
        read_ints(mems[3], ROUND, status);
        for (int i = 0; i < ROUND; i++)
            assert_int_equal(status[i], 0);
    }
    read_ints(mems[1], N, seen);
    for (int i = 0; i < N; i++)
        assert_int_equal(seen[i], 1);
    OK(clReleaseKernel(drain));
    OK(clReleaseKernel(put));
    release(4, mems);
    OK(clReleaseCommandQueue(queue));
}

TEST(packets_have_any_type) {
    cl_mem structs[] = {pipe_of(16, 100), ints_of(100)}, chars[] = {pipe_of(4, 3), ints_of(3)};
    cl_int out[100];
    run_with("put_struct", 100, 50, 1, structs);
    run_with("get_struct", 100, 100, 2, structs);
    read_ints(structs[1], 100, out);
    bool seen[100] = {false};
    for (int i = 0; i < 100; i++) {
        assert_true(out[i] >= 0 && !seen[out[i]]);
        seen[out[i]] = true;
    }
    run_with("put_char3", 3, 3, 1, chars);
    run_with("get_char3", 3, 3, 2, chars);
    read_ints(chars[1], 3, out);
    for (int i = 0; i < 3; i++)
        assert_int_equal(out[i], 123);
    release(2, structs);
    release(2, chars);
}

TEST(queries_tell_what_a_pipe_was_made_with) {
    cl_mem pipe = MADE(clCreatePipe(cl.context, CL_MEM_HOST_NO_ACCESS, 12, 345, NULL, &error));
    cl_uint value;
    size_t size;
    cl_mem_flags flags;
    OK(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof value, &value, NULL));
    assert_int_equal(value, 12);
    OK(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof value, &value, NULL));
    assert_int_equal(value, 345);
    OK(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, NULL, &size));
    assert_int_equal(size, 0);
    OK(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof value, &value, NULL));
    assert_int_equal(value, CL_MEM_OBJECT_PIPE);
    OK(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    assert_int_equal(flags, CL_MEM_HOST_NO_ACCESS);
    GIVES(CL_INVALID_VALUE, clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, 1, &value, NULL));
    GIVES(CL_INVALID_VALUE, clGetPipeInfo(pipe, CL_MEM_TYPE, sizeof value, &value, NULL));
    OK(clReleaseMemObject(pipe));
}

TEST(wrong_pipes_are_refused) {
    cl_uint most;
    cl_mem buffer = ints_of(4), pipe = pipe_of(4, 4);
    cl_pipe_properties properties[] = {0};
    cl_int word = 0;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof most, &most, NULL));
    REFUSES(CL_INVALID_CONTEXT, clCreatePipe(NULL, 0, 4, 4, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreatePipe(cl.context, CL_MEM_READ_ONLY, 4, 4, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreatePipe(cl.context, CL_MEM_HOST_READ_ONLY, 4, 4, NULL, &error));
    REFUSES(CL_INVALID_VALUE, clCreatePipe(cl.context, 0, 4, 4, properties, &error));
    REFUSES(CL_INVALID_PIPE_SIZE, clCreatePipe(cl.context, 0, 0, 4, NULL, &error));
    REFUSES(CL_INVALID_PIPE_SIZE, clCreatePipe(cl.context, 0, most + 1, 4, NULL, &error));
    REFUSES(CL_INVALID_PIPE_SIZE, clCreatePipe(cl.context, 0, 4, 0, NULL, &error));
    REFUSES(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreatePipe(cl.context, 0, most, CL_UINT_MAX, NULL, &error));
    GIVES(CL_INVALID_MEM_OBJECT, clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, sizeof most, &most, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(cl.queue, pipe, CL_TRUE, 0, 4, &word, 0, NULL, NULL));
    GIVES(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(cl.queue, pipe, &word, 0, NULL, NULL));
    cl_kernel kernel = MADE(clCreateKernel(program(), "put", &error));
    GIVES(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    GIVES(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof buffer, NULL));
    GIVES(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &pipe));
    GIVES(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 1, sizeof pipe, &pipe));
    OK(clReleaseKernel(kernel));
    release(2, (cl_mem[]){buffer, pipe});
}

/* The checker on commands: two that touch the same bytes, one of them writing, are reported if there is no order between
 * them, and never if there is one.
 */
#include "check.h"

#define N 256
#define SOURCE                                                                                               \
    "kernel void put(global int *p) { p[get_global_id(0)] = 1 + get_global_id(0); }\n"                       \
    "kernel void put2(global int *p) { p[get_global_id(0)] = 2; }\n"                                         \
    "kernel void upper(global int *p) { p[128 + get_global_id(0)] = 3; }\n"                                  \
    "kernel void get(global int *p, global int *q) { q[get_global_id(0)] = p[get_global_id(0)]; }\n"         \
    "kernel void bump(global int *p) { p[get_global_id(0)] += 1; }\n"                                        \
    "kernel void bump7(global int *p) { p[get_global_id(0) * 7 % 256] += 1; }\n"                             \
    "kernel void first(global int *p, global int *q) { q[get_global_id(0)] = p[0]; }\n"                      \
    "kernel void firsts(global int *p) { int x = p[0]; if (get_global_id(0) == 9) p[0] = x + 1; }\n"

#define OUT_OF_ORDER CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE

static cl_mem ints(void) {
    return buffer_of(CL_MEM_READ_WRITE, N * sizeof(cl_int), NULL);
}

static cl_kernel getter(cl_mem from, cl_mem to) {
    cl_kernel get = kernel_on(SOURCE, "get", from);
    OK(clSetKernelArg(get, 1, sizeof to, &to));
    return get;
}

/* ---- kernels ---- */

TEST(kernels_on_two_queues_that_write_the_same_bytes_race) {
    if (!checked(__func__,
                 "inter-command-race|kernel put, the 1st command of queue 1|kernel put2, the 1st command of "
                 "queue 2|argument p[|writes|wait for the earlier"))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    launch(other, kernel_on(SOURCE, "put2", mem), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(a_kernel_that_reads_races_with_one_that_writes) {
    if (!checked(__func__, "inter-command-race|kernel put, the 2nd command of queue 1|kernel get"))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints(), out = ints(), third = ints();
    launch(cl.queue, kernel_on(SOURCE, "put", third), N, 0, NULL, NULL);
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    launch(other, getter(mem, out), N, 0, NULL, NULL);
    OK(clFinish(other));
    OK(clFinish(cl.queue));
}

TEST(kernels_race_also_after_many_commands) {
    if (!checked(__func__, "inter-command-race|kernel put, |kernel put2, "))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    cl_kernel put = kernel_on(SOURCE, "put", mem);
    for (int i = 0; i < 100; i++) {
        launch(cl.queue, put, N, 0, NULL, NULL);
        OK(clFinish(cl.queue));
    }
    launch(other, kernel_on(SOURCE, "put2", mem), N, 0, NULL, NULL);
    launch(cl.queue, put, N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(a_buffer_that_is_read_and_written_by_two_arguments_is_one) {
    static const char shift[] = "kernel void shift(global const int *p, global int *q) {\n"
                                "    size_t g = get_global_id(0);\n"
                                "    q[g] = p[(g + 1) % 256];\n"
                                "}\n";
    if (!checked(__func__, "+race|kernel\":\"shift|reads|writes"))
        return;
    cl_mem mem = ints();
    cl_kernel kernel = kernel_on(shift, "shift", mem);
    OK(clSetKernelArg(kernel, 1, sizeof mem, &mem));
    launch(cl.queue, kernel, N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
}

static void without_cache(void) {
    name_report();
    setenv("WEIR_CACHE_DIR", "", 1);
}

TEST(findings_at_one_place_of_two_sources_without_files_are_two) {
    if (!checked_after(without_cache, __func__, "+argument p[0]|argument p[1]"))
        return;
    cl_mem mem = ints();
    launch(cl.queue, kernel_on("kernel void k(global int *p) { p[0] = get_global_id(0); }", "k", mem), N, 0,
           NULL, NULL);
    launch(cl.queue, kernel_on("kernel void k(global int *p) { p[1] = get_global_id(0); }", "k", mem), N, 0,
           NULL, NULL);
    OK(clFinish(cl.queue));
}

/* A kernel that reads an element first, as another command has, and then writes it. */
static void reads_and_then_updates(const char *reader, const char *updater, bool ordered) {
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints(), out = ints();
    cl_kernel get = kernel_on(SOURCE, reader, mem);
    OK(clSetKernelArg(get, 1, sizeof out, &out));
    cl_event event;
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    launch(cl.queue, get, N, 0, NULL, &event);
    OK(clFlush(cl.queue));
    usleep(50000); /* the updates come last */
    launch(other, kernel_on(SOURCE, updater, mem), N, ordered, ordered ? &event : NULL, NULL);
    OK(clFinish(other));
    OK(clFinish(cl.queue));
}

TEST(a_kernel_that_updates_races_with_one_that_has_read) {
    if (checked(__func__, "+inter-command-race|kernel bump, |kernel get, |argument p[|reads|writes"))
        reads_and_then_updates("get", "bump", false);
}

TEST(a_kernel_that_updates_in_another_order_races_with_one_that_has_read) {
    if (checked(__func__, "+inter-command-race|kernel bump7, |kernel get, |argument p["))
        reads_and_then_updates("get", "bump7", false);
}

TEST(a_kernel_that_updates_races_with_one_all_of_which_has_read_it) {
    if (checked(__func__, "+inter-command-race|kernel bump, |kernel first, |argument p[0]"))
        reads_and_then_updates("first", "bump", false);
}

TEST(a_kernel_all_of_which_reads_and_one_updates_races_with_one_that_has_read) {
    if (checked(__func__, "+inter-command-race|kernel firsts, |kernel get, |argument p[0]"))
        reads_and_then_updates("get", "firsts", false);
}

TEST(kernels_that_update_after_one_that_has_read_are_fine) {
    if (!checked(__func__, NULL))
        return;
    reads_and_then_updates("get", "bump", true);
    reads_and_then_updates("get", "bump7", true);
    reads_and_then_updates("first", "bump", true);
}

/* Three kernels read, and another one that waits for some of them writes; before that it may read what
 * the last of them has written. */
static void is_written_after_readers(cl_uint nwait, const unsigned *wait, bool looks_first) {
    static const char write[] = "kernel void write(global int *p, global const int *q) {\n"
                                "    int x = q[get_global_id(0)];\n"
                                "    p[get_global_id(0)] = x | 2;\n" /* never 1, which is there */
                                "}\n";
    cl_command_queue queue = queue_of(OUT_OF_ORDER);
    cl_mem mem = ints(), out[3] = {ints(), ints(), ints()};
    cl_event ends[3], list[3];
    OK(clEnqueueFillBuffer(queue, mem, &(cl_int){1}, 4, 0, N * 4, 0, NULL, NULL));
    OK(clFinish(queue));
    for (unsigned i = 0; i < 3; i++) {
        launch(queue, getter(mem, out[i]), N, 0, NULL, &ends[i]);
        OK(clFlush(queue));
        usleep(30000); /* each has read: of those that read at the same moment one may be lost */
    }
    for (cl_uint i = 0; i < nwait; i++)
        list[i] = ends[wait[i]];
    cl_kernel kernel = kernel_on(write, "write", mem);
    cl_mem from = looks_first ? out[2] : ints();
    OK(clSetKernelArg(kernel, 1, sizeof from, &from));
    launch(queue, kernel, N, nwait, list, NULL);
    OK(clFinish(queue));
}

TEST(a_kernel_that_waits_for_the_last_readers_races_with_the_first) {
    if (checked(__func__,
                "+inter-command-race|kernel write, the 5th command of|kernel get, the 2nd command of"))
        is_written_after_readers(2, (unsigned[]){1, 2}, false);
}

TEST(a_kernel_that_knows_the_last_reader_races_with_the_others) {
    if (checked(__func__,
                "+inter-command-race|kernel write, the 5th command of|kernel get, the 3rd command of"))
        is_written_after_readers(2, (unsigned[]){0, 2}, true);
}

TEST(a_kernel_that_waits_for_all_readers_is_fine) {
    if (!checked(__func__, NULL))
        return;
    is_written_after_readers(3, (unsigned[]){0, 1, 2}, false);
    is_written_after_readers(3, (unsigned[]){0, 1, 2}, true);
}

TEST(kernels_that_read_the_same_bytes_are_fine) {
    if (!checked(__func__, NULL))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    launch(cl.queue, getter(mem, ints()), N, 0, NULL, NULL);
    launch(other, getter(mem, ints()), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(kernels_that_write_other_bytes_of_a_buffer_are_fine) {
    if (!checked(__func__, NULL))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    launch(cl.queue, kernel_on(SOURCE, "put", mem), 128, 0, NULL, NULL);
    launch(other, kernel_on(SOURCE, "upper", mem), 128, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(a_wait_list_is_an_order) {
    if (!checked(__func__, NULL))
        return;
    cl_command_queue other = queue_of(0), third = queue_of(OUT_OF_ORDER);
    cl_mem mem = ints();
    cl_event events[2];
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, &events[0]);
    launch(other, kernel_on(SOURCE, "put2", mem), N, 1, events, &events[1]);
    launch(third, kernel_on(SOURCE, "put", mem), N, 1, events + 1, NULL);
    OK(clFinish(third));
}

TEST(an_in_order_queue_is_an_order) {
    if (!checked(__func__, NULL))
        return;
    cl_mem mem = ints();
    cl_kernel put = kernel_on(SOURCE, "put", mem), put2 = kernel_on(SOURCE, "put2", mem);
    for (int i = 0; i < 3000; i++)
        launch(cl.queue, i % 2 ? put : put2, N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
}

TEST(an_out_of_order_queue_is_none) {
    if (!checked(__func__, "inter-command-race|the 1st command of queue 2|the 2nd command of queue 2"))
        return;
    cl_command_queue queue = queue_of(OUT_OF_ORDER);
    cl_mem mem = ints();
    launch(queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    launch(queue, kernel_on(SOURCE, "put2", mem), N, 0, NULL, NULL);
    OK(clFinish(queue));
}

TEST(barriers_and_markers_are_an_order) {
    if (!checked(__func__, NULL))
        return;
    cl_command_queue queue = queue_of(OUT_OF_ORDER), other = queue_of(0);
    cl_mem mem = ints();
    cl_event marker;
    launch(queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    launch(queue, kernel_on(SOURCE, "put2", mem), N, 0, NULL, NULL);
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
    OK(clEnqueueMarkerWithWaitList(other, 1, &marker, NULL));
    launch(other, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    OK(clFinish(other));
}

TEST(a_marker_orders_nothing_after_it_out_of_order) {
    if (!checked(__func__, "inter-command-race|the 3rd command of queue 2"))
        return;
    cl_command_queue queue = queue_of(OUT_OF_ORDER);
    cl_mem mem = ints();
    launch(queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
    launch(queue, kernel_on(SOURCE, "put2", mem), N, 0, NULL, NULL);
    OK(clFinish(queue));
}

/* ---- the host ---- */

TEST(a_wait_of_the_host_is_an_order) {
    if (!checked(__func__, NULL))
        return;
    cl_command_queue other = queue_of(0), third = queue_of(OUT_OF_ORDER);
    cl_mem mem = ints();
    cl_kernel put = kernel_on(SOURCE, "put", mem), put2 = kernel_on(SOURCE, "put2", mem);
    cl_event event;
    launch(cl.queue, put, N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    launch(other, put2, N, 0, NULL, &event);
    OK(clWaitForEvents(1, &event));
    launch(cl.queue, put, N, 0, NULL, NULL);
    cl_int value, status = 1;
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    launch(third, put2, N, 0, NULL, &event);
    while (status != CL_COMPLETE)
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    launch(cl.queue, put, N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
}

TEST(a_command_that_has_ended_unseen_is_not_ordered) {
    if (!checked(__func__, "inter-command-race"))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    cl_kernel put = kernel_on(SOURCE, "put", mem), put2 = kernel_on(SOURCE, "put2", mem);
    launch(cl.queue, put, N, 0, NULL, NULL);
    OK(clFlush(cl.queue));
    usleep(200000);
    launch(other, put2, N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(a_user_event_orders_what_the_host_has_seen) {
    if (!checked(__func__, NULL))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    cl_kernel put = kernel_on(SOURCE, "put", mem), put2 = kernel_on(SOURCE, "put2", mem);
    cl_event user = MADE(clCreateUserEvent(cl.context, &error));
    launch(other, put2, N, 1, &user, NULL);
    launch(cl.queue, put, N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clFinish(other));
}

TEST(a_user_event_alone_orders_nothing) {
    if (!checked(__func__, "inter-command-race|the 1st command of queue 2"))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    cl_kernel put = kernel_on(SOURCE, "put", mem), put2 = kernel_on(SOURCE, "put2", mem);
    cl_event user = MADE(clCreateUserEvent(cl.context, &error));
    launch(other, put2, N, 1, &user, NULL);
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    launch(cl.queue, put, N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

static struct {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_event done;
} later;

static void CL_CALLBACK go_on(cl_event event, cl_int status, void *user) {
    launch(later.queue, later.kernel, N, 0, NULL, NULL);
    OK(clSetUserEventStatus(later.done, CL_COMPLETE));
}

TEST(a_callback_is_an_order) {
    if (!checked(__func__, NULL))
        return;
    cl_mem mem = ints();
    cl_event event;
    later.queue = queue_of(0);
    later.kernel = kernel_on(SOURCE, "put2", mem);
    later.done = MADE(clCreateUserEvent(cl.context, &error));
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, &event);
    OK(clSetEventCallback(event, CL_COMPLETE, go_on, NULL));
    OK(clFlush(cl.queue));
    OK(clWaitForEvents(1, &later.done));
    OK(clFinish(later.queue));
}

/* ---- reads, writes, copies, fills ----
 * The message begins with the command that runs last, which may be either: what it says of the other is left open. */

TEST(a_write_races_with_a_kernel_on_another_queue) {
    if (!checked(__func__,
                 "inter-command-race|clEnqueueWriteBuffer, the 1st command of queue 2|kernel put, the 1st "
                 "command of queue 1|512"))
        return;
    static cl_int host[N];
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    OK(clEnqueueWriteBuffer(other, mem, CL_FALSE, 512, 64, host, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(a_kernel_that_updates_races_with_a_read_before_it) {
    if (!checked(__func__, "+inter-command-race|clEnqueueReadBuffer, the 1st command of queue 1 reads|kernel "
                           "bump, the 1st command of queue 2"))
        return;
    static cl_int host[N];
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 512, 64, host, 0, NULL, NULL));
    OK(clFlush(cl.queue));
    usleep(50000);
    launch(other, kernel_on(SOURCE, "bump", mem), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(a_kernel_races_with_a_read_before_it) {
    if (!checked(__func__,
                 "inter-command-race|clEnqueueReadBuffer, the 1st command of queue 1 reads|kernel put, the "
                 "1st command of queue 2"))
        return;
    static cl_int host[N];
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_FALSE, 512, 64, host, 0, NULL, NULL));
    launch(other, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

/* The kernels run while a long read is looked at, and write its first byte after other times each; they read it before. */
TEST(a_read_races_with_a_kernel_that_writes_meanwhile) {
    enum { BYTES = 16 << 20, KERNELS = 3 };
#define LATE(n)                                                                                              \
    "kernel void late" #n "(global uint *p) {\n"                                                             \
    "    uint x = get_global_id(0) + 1;\n"                                                                   \
    "    for (uint i = 0; i < 1 << (23 + " #n "); i++) x = x * x + i;\n"                                     \
    "    p[0] += x;\n"                                                                                       \
    "}\n"
    static const char source[] = LATE(0) LATE(1) LATE(2);
    if (!checked(__func__, "+inter-command-race|kernel late0,|kernel late1,|kernel late2,"))
        return;
    static char host[BYTES];
    cl_command_queue other = queue_of(0);
    for (int i = 0; i < KERNELS; i++) {
        char name[] = {'l', 'a', 't', 'e', (char)('0' + i), 0};
        cl_mem mem = buffer_of(CL_MEM_READ_WRITE, BYTES, NULL);
        launch(cl.queue, kernel_on(source, name, mem), 1, 0, NULL, NULL);
        OK(clFlush(cl.queue));
        usleep(500); /* it begins; to see it in its event would be an order if it has ended */
        OK(clEnqueueReadBuffer(other, mem, CL_TRUE, 0, BYTES, host, 0, NULL, NULL));
        OK(clFinish(cl.queue));
        OK(clReleaseMemObject(mem));
    }
}

TEST(copies_of_overlapping_bytes_race) {
    if (!checked(__func__, "inter-command-race|clEnqueueCopyBuffer, the 1st command of queue 1 writes|"
                           "clEnqueueFillBuffer, the 1st command of queue 2 writes|byte 192"))
        return;
    static const cl_int zero;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints(), from = ints();
    OK(clEnqueueCopyBuffer(cl.queue, from, mem, 0, 128, 128, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(other, mem, &zero, sizeof zero, 192, 128, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(transfers_of_bytes_side_by_side_are_fine) {
    if (!checked(__func__, NULL))
        return;
    static cl_char host[N * 4];
    static const size_t left[3] = {0, 0, 0}, right[3] = {16, 0, 0}, zero[3], region[3] = {16, 32, 1};
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    OK(clEnqueueWriteBuffer(cl.queue, mem, CL_FALSE, 0, 129, host, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(other, mem, CL_FALSE, 129, 127, host, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clFinish(other));
    OK(clEnqueueWriteBufferRect(cl.queue, mem, CL_FALSE, left, zero, region, 32, 0, 16, 0, host, 0, NULL,
                                NULL));
    OK(clEnqueueWriteBufferRect(other, mem, CL_FALSE, right, zero, region, 32, 0, 16, 0, host, 0, NULL,
                                NULL));
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(rows_of_rectangles_that_meet_race) {
    if (!checked(__func__, "inter-command-race|clEnqueueWriteBufferRect|byte 28 "))
        return;
    static cl_char host[N * 4];
    static const size_t left[3] = {0, 0, 0}, right[3] = {28, 0, 0}, zero[3], region[3] = {16, 8, 1};
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    OK(clEnqueueWriteBufferRect(cl.queue, mem, CL_FALSE, left, zero, (size_t[]){32, 8, 1}, 64, 0, 32, 0, host,
                                0, NULL, NULL));
    OK(clEnqueueWriteBufferRect(other, mem, CL_FALSE, right, zero, region, 64, 0, 16, 0, host, 0, NULL,
                                NULL));
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

/* ---- sub-buffers, images, maps ---- */

TEST(sub_buffers_that_overlap_are_the_same_bytes) {
    if (!checked(__func__, "inter-command-race|kernel put|kernel put2"))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    cl_buffer_region low = {0, 512}, high = {256, 512};
    cl_mem a = MADE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &error));
    cl_mem b = MADE(clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &error));
    launch(cl.queue, kernel_on(SOURCE, "put", a), 128, 0, NULL, NULL);
    launch(other, kernel_on(SOURCE, "put2", b), 128, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(image_commands_meet_by_their_texels) {
    if (!checked(__func__,
                 "inter-command-race|clEnqueueFillImage, the 1st command of queue 2|clEnqueueWriteImage, the "
                 "2nd command of queue 1"))
        return;
    static cl_char host[64 * 64 * 4];
    static const size_t zero[3], half[3] = {32, 0, 0}, part[3] = {31, 0, 0}, region[3] = {32, 64, 1};
    cl_command_queue other = queue_of(0);
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    cl_mem image = MADE(clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error));
    OK(clEnqueueWriteImage(cl.queue, image, CL_FALSE, zero, region, 0, 0, host, 0, NULL, NULL));
    OK(clEnqueueWriteImage(cl.queue, image, CL_FALSE, part, (size_t[]){8, 8, 1}, 0, 0, host, 0, NULL, NULL));
    OK(clEnqueueFillImage(other, image, (cl_uint[4]){0}, half, region, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(a_kernel_that_writes_what_the_host_has_mapped_races) {
    if (!checked(__func__, "inter-command-race|clEnqueueMapBuffer, the 1st command of queue 1 lets the host "
                           "read|kernel put, the 2nd "
                           "command of queue 1|unmap the memory before"))
        return;
    cl_mem mem = ints();
    void *p = MADE(clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &error));
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clEnqueueUnmapMemObject(cl.queue, mem, p, 0, NULL, NULL));
    OK(clFinish(cl.queue));
}

TEST(a_kernel_after_the_unmap_is_fine) {
    if (!checked(__func__, NULL))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    cl_event event;
    cl_kernel put = kernel_on(SOURCE, "put", mem), get = getter(mem, ints());
    void *p = MADE(clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &error));
    OK(clEnqueueUnmapMemObject(cl.queue, mem, p, 0, NULL, &event));
    launch(cl.queue, put, N, 0, NULL, NULL);
    p = MADE(clEnqueueMapBuffer(cl.queue, mem, CL_FALSE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &error));
    OK(clFinish(cl.queue));
    launch(other, get, N, 0, NULL, NULL);
    OK(clEnqueueUnmapMemObject(other, mem, p, 0, NULL, NULL));
    launch(other, put, N, 0, NULL, NULL);
    OK(clFinish(other));
}

TEST(a_kernel_that_doesnt_wait_for_the_unmap_races) {
    if (!checked(__func__, "inter-command-race|clEnqueueMapBuffer, the 1st command of queue 1 lets the host "
                           "write|kernel get"))
        return;
    cl_command_queue other = queue_of(0);
    cl_mem mem = ints();
    cl_kernel get = getter(mem, ints());
    void *p = MADE(clEnqueueMapBuffer(cl.queue, mem, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL, NULL, &error));
    OK(clEnqueueUnmapMemObject(cl.queue, mem, p, 0, NULL, NULL));
    launch(other, get, N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    OK(clFinish(other));
}

TEST(mapped_memory_is_a_place_to_copy_from) {
    if (!checked(__func__, NULL))
        return;
    cl_mem staging = buffer_of(CL_MEM_ALLOC_HOST_PTR, N * sizeof(cl_int), NULL), mem = ints();
    void *p = MADE(clEnqueueMapBuffer(cl.queue, staging, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                      N * sizeof(cl_int), 0, NULL, NULL, &error));
    OK(clEnqueueWriteBuffer(cl.queue, mem, CL_FALSE, 0, N * sizeof(cl_int), p, 0, NULL, NULL));
    launch(cl.queue, kernel_on(SOURCE, "put", mem), N, 0, NULL, NULL);
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, N * sizeof(cl_int), p, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(cl.queue, staging, p, 0, NULL, NULL));
    OK(clFinish(cl.queue));
}

/* ---- shared virtual memory ---- */

TEST(copies_of_shared_virtual_memory_meet_kernels) {
    if (!checked(__func__, "inter-command-race|clEnqueueSVMMemcpy, the 1st command of queue 2|kernel "
                           "put|128"))
        return;
    static cl_int host[N];
    cl_command_queue other = queue_of(0);
    cl_int *p = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, N * sizeof *p, 0);
    cl_kernel put = kernel_of(SOURCE, "put");
    OK(clSetKernelArgSVMPointer(put, 0, p));
    launch(cl.queue, put, N, 0, NULL, NULL);
    OK(clEnqueueSVMMemcpy(other, CL_FALSE, p + 32, host, 64, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clFinish(other));
    clSVMFree(cl.context, p);
}

TEST(a_flag_that_the_host_waits_for_may_be_an_order) {
    if (!checked(__func__, NULL))
        return;
    static const char source[] = "kernel void k(global int *p, global atomic_int *flag) {"
                                 "    p[0] = 7;"
                                 "    atomic_store_explicit(flag, 1, memory_order_release,"
                                 "                          memory_scope_all_svm_devices);"
                                 "}";
    cl_command_queue other = queue_of(0);
    cl_svm_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    cl_int *p = clSVMAlloc(cl.context, flags, 2 * sizeof *p, 0);
    cl_kernel k = MADE(clCreateKernel(build(source, "-cl-std=CL3.0"), "k", &error)),
              put = kernel_of(SOURCE, "put");
    memset(p, 0, 2 * sizeof *p);
    OK(clSetKernelArgSVMPointer(k, 0, p));
    OK(clSetKernelArgSVMPointer(k, 1, p + 1));
    OK(clSetKernelArgSVMPointer(put, 0, p));
    launch(cl.queue, k, 1, 0, NULL, NULL);
    OK(clFlush(cl.queue));
    while (!__atomic_load_n(&p[1], __ATOMIC_ACQUIRE))
        usleep(1000);
    launch(other, put, 1, 0, NULL, NULL);
    OK(clFinish(other));
    OK(clFinish(cl.queue));
    clSVMFree(cl.context, p);
}

TEST(coarse_memory_belongs_to_the_host_until_it_is_unmapped) {
    if (!checked(
            __func__,
            "inter-command-race|clEnqueueSVMMap, the 1st command of queue 1 lets the host write|kernel put"))
        return;
    cl_int *p = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, N * sizeof *p, 0);
    cl_kernel put = kernel_of(SOURCE, "put");
    OK(clSetKernelArgSVMPointer(put, 0, p));
    OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, p, 64, 0, NULL, NULL));
    launch(cl.queue, put, N, 0, NULL, NULL);
    OK(clEnqueueSVMUnmap(cl.queue, p, 0, NULL, NULL));
    launch(cl.queue, put, N, 0, NULL, NULL);
    OK(clFinish(cl.queue));
    clSVMFree(cl.context, p);
}

TEST(fine_grained_memory_may_be_used_while_it_is_mapped) {
    if (!checked(__func__, NULL))
        return;
    cl_int *p = clSVMAlloc(cl.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, N * sizeof *p, 0);
    cl_kernel put = kernel_of(SOURCE, "put");
    OK(clSetKernelArgSVMPointer(put, 0, p));
    OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, p, 64, 0, NULL, NULL));
    launch(cl.queue, put, N, 0, NULL, NULL);
    OK(clEnqueueSVMUnmap(cl.queue, p, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    clSVMFree(cl.context, p);
}

TEST(coarse_memory_that_is_mapped_is_not_filled) {
    if (!checked(__func__, "inter-command-race|clEnqueueSVMMemFill, the 1st command of queue 1 writes|"
                           "clEnqueueSVMMap, the 1st command of queue 2 lets the host write"))
        return;
    cl_int *p = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, N * sizeof *p, 0), zero = 0;
    cl_command_queue other = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &error));
    OK(clEnqueueSVMMemFill(cl.queue, p, &zero, sizeof zero, 64, 0, NULL, NULL));
    OK(clEnqueueSVMMap(other, CL_TRUE, CL_MAP_WRITE, p, 64, 0, NULL, NULL));
    OK(clEnqueueSVMUnmap(other, p, 0, NULL, NULL));
    OK(clFinish(other));
    OK(clFinish(cl.queue));
    OK(clReleaseCommandQueue(other));
    clSVMFree(cl.context, p);
}

/* What the host has written by a map lies open for all kernels that may run beside; it doesn't hide what came after it. */
TEST(a_write_after_a_map_is_remembered_while_others_run) {
    if (!checked(__func__,
                 "inter-command-race|clEnqueueSVMMemcpy, the 1st command of queue 4 reads|kernel put, "))
        return;
    cl_command_queue queues[] = {queue_of(0), queue_of(0), queue_of(0)};
    cl_int *p = clSVMAlloc(cl.context, CL_MEM_READ_WRITE, N * sizeof *p, 0), back[64];
    cl_kernel put = kernel_of(SOURCE, "put"), upper = kernel_of(SOURCE, "upper");
    cl_event list[2];
    OK(clSetKernelArgSVMPointer(put, 0, p));
    OK(clSetKernelArgSVMPointer(upper, 0, p));
    OK(clEnqueueSVMMap(cl.queue, CL_TRUE, CL_MAP_WRITE, p, sizeof back, 0, NULL, NULL));
    memset(p, 7, sizeof back);
    OK(clEnqueueSVMUnmap(cl.queue, p, 0, NULL, &list[0]));
    launch(queues[0], put, 64, 1, list, NULL);
    OK(clFlush(queues[0]));
    usleep(20000); /* it has run, but nobody knows */
    launch(queues[1], upper, 64, 0, NULL, &list[1]);
    OK(clEnqueueSVMMemcpy(queues[2], CL_TRUE, back, p, sizeof back, 2, list, NULL));
    OK(clFinish(queues[0]));
    clSVMFree(cl.context, p);
}

/* What the runtime and the compiler tell each other: requests, answers, metadata, frames, descriptors. What
 * was cut short or damaged on the way is refused, never believed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>
#include "base.h"

static struct arg_meta args[] = {
    {.name = "p", .type_name = "int*", .kind = ARG_GLOBAL, .size = 8, .align = 8},
    {.name = "n", .type_name = "int", .offset = 8, .size = 4, .align = 4},
};
static struct kernel_meta kernel = {.name = "k",
                                    .attributes = "",
                                    .nargs = 2,
                                    .args = args,
                                    .args_bytes = 16,
                                    .reqd_local = {1, 2, 3},
                                    .local_bytes = 77};
static const struct answer answer = {.cacheable = 1,
                                     .log = "a log",
                                     .output = (unsigned char *)"xyz",
                                     .output_size = 3,
                                     .meta = {.nkernels = 1, .kernels = &kernel, .globals_bytes = 5}};

static void answers_survive_the_way(void **state) {
    struct buf b = {0};
    struct answer a;
    protocol_write_answer(&b, &answer);
    assert_true(protocol_read_answer(b.data, b.size, &a));
    assert_string_equal(a.log, "a log");
    assert_int_equal(a.output_size, 3);
    assert_memory_equal(a.output, "xyz", 3);
    assert_int_equal(a.meta.globals_bytes, 5);
    assert_string_equal(a.meta.kernels[0].args[1].name, "n");
    assert_int_equal(a.meta.kernels[0].reqd_local[2], 3);
    assert_int_equal(a.meta.kernels[0].local_bytes, 77);
    answer_free(&a);
    buf_free(&b);
}

static void cut_or_damaged_answers_are_refused(void **state) {
    struct buf b = {0};
    struct answer a;
    protocol_write_answer(&b, &answer);
    for (size_t n = 0; n < b.size; n++)
        assert_false(protocol_read_answer(b.data, n, &a));
    for (size_t i = 0; i < b.size; i++)
        for (int v = 0; v < 256; v += 5) {
            unsigned char right = b.data[i];
            b.data[i] = (unsigned char)v; /* may read as another answer, must not crash */
            if (protocol_read_answer(b.data, b.size, &a))
                answer_free(&a);
            b.data[i] = right;
        }
    buf_free(&b);
}

static void an_argument_outside_its_block_is_refused(void **state) {
    struct buf b = {0};
    struct answer a;
    kernel.args_bytes = 11;
    protocol_write_answer(&b, &answer);
    kernel.args_bytes = 16;
    assert_false(protocol_read_answer(b.data, b.size, &a));
    buf_free(&b);
}

static void requests_survive_the_way(void **state) {
    struct blob inputs[] = {{"int x;", 6, "x.h"}, {"BC", 2, NULL}};
    struct request r = {.kind = REQUEST_COMPILE,
                        .options = "-DA",
                        .source = {"src", 3, NULL},
                        .inputs = inputs,
                        .ninputs = 2,
                        .local_size = {4, 5, 6},
                        .timeout_ms = 9,
                        .cwd = "/here"};
    struct request got;
    struct buf b = {0}, other = {0};
    size_t key, other_key;
    protocol_write_request(&b, &r, &key);
    assert_true(protocol_read_request(b.data, b.size, &got));
    assert_string_equal(got.options, "-DA");
    assert_string_equal(got.inputs[0].name, "x.h");
    assert_null(got.inputs[1].name);
    assert_memory_equal(got.source.data, "src", 3);
    assert_int_equal(got.local_size[2], 6);
    assert_int_equal(got.timeout_ms, 9);
    assert_string_equal(got.cwd, "/here");
    free((char *)got.inputs[0].name);
    free((char *)got.options);
    free((char *)got.kernel);
    free((char *)got.cwd);
    free(got.inputs);
    for (size_t n = 0; n < b.size; n++)
        assert_false(protocol_read_request(b.data, n, &got));
    r.timeout_ms = 10; /* is no part of the key */
    r.cwd = "/there";
    protocol_write_request(&other, &r, &other_key);
    assert_int_equal(key, other_key);
    assert_memory_equal(b.data, other.data, key);
    buf_free(&b);
    buf_free(&other);
}

static void hashes_do_not_depend_on_portions(void **state) {
    struct hash whole, bytes;
    char a[33], b[33], text[97];
    hash_init(&whole);
    hash_init(&bytes);
    for (int i = 0; i < 1000; i++) {
        memset(text, i, sizeof text);
        hash_bytes(&whole, text, (size_t)i % 97);
        for (int j = 0; j < i % 97; j++)
            hash_bytes(&bytes, text + j, 1);
    }
    hash_hex(&whole, a);
    hash_hex(&bytes, b);
    assert_string_equal(a, b);
    hash_bytes(&whole, "", 1); /* a zero byte counts */
    hash_hex(&whole, a);
    assert_string_not_equal(a, b);
}

static void frames_pass_sockets_and_pipes(void **state) {
    int ends[2];
    struct buf b = {0};
    for (int use_pipe = 0; use_pipe < 2; use_pipe++) {
        assert_int_equal(use_pipe ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        assert_true(frame_send(ends[1], "abc", 3, 100));
        assert_true(frame_receive(ends[0], &b, 10, 100));
        assert_int_equal(b.size, 3);
        assert_memory_equal(b.data, "abc", 3);
        assert_false(frame_receive(ends[0], &b, 10, 20));
        assert_int_equal(errno, ETIMEDOUT);
        assert_true(frame_send(ends[1], "abcd", 4, 100));
        assert_false(frame_receive(ends[0], &b, 3, 100));
        assert_int_equal(errno, EMSGSIZE);
        close(ends[1]);
        close(ends[0]);
    }
    buf_free(&b);
}

static void a_vanished_peer_is_no_signal(void **state) {
    int ends[2];
    struct buf b = {0};
    char *big = calloc(1, 9000000);
    for (int use_pipe = 0; use_pipe < 2; use_pipe++) {
        assert_int_equal(use_pipe ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        assert_false(frame_send(ends[1], big, 9000000, 50));
        assert_int_equal(errno, ETIMEDOUT);
        close(ends[0]);
        assert_false(frame_send(ends[1], "x", 1, 0));
        assert_int_equal(errno, EPIPE);
        close(ends[1]);
    }
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    close(ends[0]);
    assert_false(frame_receive(ends[1], &b, 10, 100));
    assert_int_equal(errno, 0);
    assert_int_equal(frame_receive_fd(ends[1]), -1);
    assert_int_equal(errno, 0);
    close(ends[1]);
    free(big);
}

static void descriptors_pass_sockets(void **state) {
    int ends[2], pipes[2];
    char c = 0;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(pipe(pipes), 0);
    assert_true(frame_send_fd(ends[0], pipes[1]));
    int fd = frame_receive_fd(ends[1]);
    assert_true(fd >= 0 && fd != pipes[1]);
    assert_int_equal(write(fd, "x", 1), 1);
    assert_int_equal(read(pipes[0], &c, 1), 1);
    assert_int_equal(c, 'x');
    close(fd);
    for (int i = 0; i < 2; i++) {
        close(ends[i]);
        close(pipes[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_survive_the_way),
        cmocka_unit_test(cut_or_damaged_answers_are_refused),
        cmocka_unit_test(an_argument_outside_its_block_is_refused),
        cmocka_unit_test(requests_survive_the_way),
        cmocka_unit_test(hashes_do_not_depend_on_portions),
        cmocka_unit_test(frames_pass_sockets_and_pipes),
        cmocka_unit_test(a_vanished_peer_is_no_signal),
        cmocka_unit_test(descriptors_pass_sockets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}

/* Messages over sockets and pipes. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include "unit.h"

static int ends[2];

static void make_pair(void) {
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
}

static void close_pair(void) {
    close(ends[0]);
    close(ends[1]);
}

TEST(frames_arrive_as_they_were_sent) {
    struct buf got = {0};
    make_pair();
    assert_true(frame_send(ends[0], "hello", 5, 0));
    assert_true(frame_send(ends[0], "", 0, 0));
    assert_true(frame_send(ends[0], "again", 5, 1000));
    assert_true(frame_receive(ends[1], &got, 100, 0));
    assert_int_equal(got.size, 5);
    assert_memory_equal(got.data, "hello", 5);
    got.size = 0;
    assert_true(frame_receive(ends[1], &got, 100, 1000));
    assert_int_equal(got.size, 0);
    assert_true(frame_receive(ends[1], &got, 100, 1000));
    assert_memory_equal(got.data, "again", 5);
    buf_free(&got);
    close_pair();
}

enum { LARGE = 8 << 20 };

static void *send_large(void *arg) {
    char *bytes = malloc(LARGE);
    for (size_t i = 0; i < LARGE; i++)
        bytes[i] = (char)(i * 31 >> 4);
    bool done = frame_send(ends[0], bytes, LARGE, 20000);
    free(bytes);
    return (void *)(intptr_t)done;
}

TEST(a_frame_larger_than_the_sockets_buffer_arrives_whole) {
    struct buf got = {0};
    pthread_t thread;
    void *sent;
    make_pair();
    pthread_create(&thread, NULL, send_large, NULL);
    assert_true(frame_receive(ends[1], &got, LARGE, 20000));
    pthread_join(thread, &sent);
    assert_non_null(sent);
    assert_int_equal(got.size, LARGE);
    for (size_t i = 0; i < LARGE; i++)
        assert_int_equal((char)got.data[i], (char)(i * 31 >> 4));
    buf_free(&got);
    close_pair();
}

TEST(a_clean_end_is_told_from_a_torn_frame) {
    struct buf got = {0};
    make_pair();
    close(ends[0]);
    errno = 99;
    assert_false(frame_receive(ends[1], &got, 100, 1000));
    assert_int_equal(errno, 0);
    close(ends[1]);
    for (size_t cut = 1; cut < 8 + 5; cut++) {
        unsigned char bytes[13] = {5, 0, 0, 0, 0, 0, 0, 0, 'h', 'e', 'l', 'l', 'o'};
        make_pair();
        assert_int_equal(write(ends[0], bytes, cut), cut);
        close(ends[0]);
        got.size = 0;
        assert_false(frame_receive(ends[1], &got, 100, 1000));
        assert_int_not_equal(errno, 0);
        close(ends[1]);
    }
    buf_free(&got);
}

TEST(a_frame_beyond_the_limit_is_refused_without_memory) {
    static const unsigned char lengths[][8] = {
        {101}, {0, 0, 0, 0, 0, 0, 0, 0x80}, {255, 255, 255, 255, 255, 255, 255, 255}};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct buf got = {0};
        make_pair();
        assert_int_equal(write(ends[0], lengths[i], 8), 8);
        assert_false(frame_receive(ends[1], &got, 100, 1000));
        assert_true(got.cap < 1 << 20);
        buf_free(&got);
        close_pair();
    }
}

TEST(a_silent_peer_times_out) {
    struct buf got = {0};
    make_pair();
    uint64_t start = time_ns();
    assert_false(frame_receive(ends[1], &got, 100, 50));
    assert_int_equal(errno, ETIMEDOUT);
    assert_true(time_ns() - start >= 45000000u);
    char *bytes = calloc(1, LARGE);
    assert_false(frame_send(ends[0], bytes, LARGE, 50));
    assert_int_equal(errno, ETIMEDOUT);
    free(bytes);
    buf_free(&got);
    close_pair();
}

/* A process with the default action for SIGPIPE would end here. */
TEST(a_closed_peer_raises_no_signal) {
    make_pair();
    close(ends[1]);
    assert_false(frame_send(ends[0], "hello", 5, 1000));
    assert_int_not_equal(errno, 0);
    close(ends[0]);
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_false(frame_send(ends[1], "hello", 5, 1000));
    close(ends[1]);
}

TEST(frames_pass_through_pipes) {
    struct buf got = {0};
    assert_int_equal(pipe(ends), 0);
    assert_true(frame_send(ends[1], "pipe", 4, 1000));
    assert_true(frame_receive(ends[0], &got, 100, 1000));
    assert_memory_equal(got.data, "pipe", 4);
    buf_free(&got);
    close_pair();
}

TEST(descriptors_are_handed_over_close_on_exec) {
    make_pair();
    int file = open("/dev/null", O_RDONLY);
    assert_true(frame_send_fd(ends[0], file));
    int got = frame_receive_fd(ends[1]);
    assert_true(got >= 0 && got != file);
    struct stat a, b;
    assert_int_equal(fstat(file, &a) | fstat(got, &b), 0);
    assert_true(a.st_rdev == b.st_rdev);
    assert_true(fcntl(got, F_GETFD) & FD_CLOEXEC);
    close(got);
    close(file);
    close(ends[0]);
    errno = 99;
    assert_int_equal(frame_receive_fd(ends[1]), -1);
    assert_int_equal(errno, 0);
    close(ends[1]);
}

TEST(a_byte_without_a_descriptor_is_an_error) {
    make_pair();
    assert_int_equal(write(ends[0], "x", 1), 1);
    assert_int_equal(frame_receive_fd(ends[1]), -1);
    assert_int_not_equal(errno, 0);
    close_pair();
}

/* Processes whose main thread has ended: what other threads still do is done, and then the process ends, whatever threads Weir has. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include "hosts.h"

/* LeakSanitizer asks this at the end: what cmocka has is lost with the main thread. */
static int has_no_main_thread;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return has_no_main_thread;
}

/* Runs `main_part` in a process of its own, whose main thread then ends alone. What that process writes to its pipe is
 * waited for; then, if asked for, it gets a signal. Its wait status, or -1 if it never ends. */
static int status_after_pthread_exit(void (*main_part)(int pipe), int signal_number) {
    int ends[2], status = -1;
    char byte;
    OK(pipe(ends));
    pid_t pid = fork(), got = 0;
    if (!pid) {
        has_no_main_thread = 1;
        main_part(ends[1]);
        pthread_exit(NULL);
    }
    close(ends[1]);
    while (read(ends[0], &byte, 1) == 1 && byte != '!')
        continue;
    close(ends[0]);
    if (signal_number)
        kill(pid, signal_number);
    for (int i = 0; i < 6000 && !got; i++) {
        got = waitpid(pid, &status, WNOHANG);
        usleep(10000);
    }
    if (!got) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    return got == pid ? status : -1;
}

static void *build_and_run(void *arg) {
    OK(build_new(5));
    return NULL;
}

static void run_and_end(int pipe) {
    build_and_run(NULL);
    write(pipe, "!", 1);
}

/* Another thread goes on after the main one, and works with what that one has made. */
static void *run_later(void *pipe) {
    usleep(50000);
    build_and_run(NULL);
    return NULL;
}

static void leave_a_thread_and_end(int pipe) {
    pthread_t thread;
    build_and_run(NULL);
    pthread_create(&thread, NULL, run_later, NULL);
    pthread_detach(thread);
    write(pipe, "!", 1);
}

TEST(a_process_ends_after_its_main_thread_has_ended) {
    if (!THREADS_AFTER_FORK || !fresh(__func__, NULL, NULL))
        return;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(status_after_pthread_exit(run_and_end, 0), 0);
        assert_int_equal(status_after_pthread_exit(leave_a_thread_and_end, 0), 0);
    }
}

static void CL_CALLBACK run_for_ever(void *arg) {
    int pipe;
    memcpy(&pipe, arg, sizeof pipe);
    write(pipe, "!", 1);
    for (;;)
        pause();
}

static void run_for_ever_and_end(int pipe) {
    OK(clEnqueueNativeKernel(cl.queue, run_for_ever, &pipe, sizeof pipe, 0, NULL, NULL, 0, NULL, NULL));
    OK(clFlush(cl.queue));
}

TEST(a_process_whose_main_thread_has_ended_takes_signals) {
    if (THREADS_AFTER_FORK && fresh(__func__, NULL, NULL))
        assert_int_equal(status_after_pthread_exit(run_for_ever_and_end, SIGTERM), SIGTERM);
}

/* The assignment that has the variable name files in a folder, which is there in the parent alone. */
static const char *files_of(const char *variable, char folder[]) {
    static char text[100];
    if (!getenv("WEIR_TEST_CHILD"))
        assert_non_null(mkdtemp(folder));
    snprintf(text, sizeof text, "%s=%s/%%p", variable, folder);
    return text;
}

/* How many of them end as they should; removes them. */
static int whole_files(const char *folder, const char *end) {
    char command[200];
    int n = 0;
    snprintf(command, sizeof command, "for f in %s/*; do tail -n 1 \"$f\" | grep -c '%s'; done; rm -r %s",
             folder, end, folder);
    FILE *lines = popen(command, "r");
    for (char line[20]; fgets(line, sizeof line, lines);)
        n += atoi(line);
    assert_int_equal(pclose(lines), 0);
    return n;
}

/* Neither who writes the trace, nor who waits for signals, nor who collects samples, keeps the process. */
static void end_after_the_main_thread(const char *test, const char *variable, const char *end, int files) {
    char folder[] = "/tmp/weir-filesXXXXXX";
    if (!THREADS_AFTER_FORK)
        return;
    if (fresh(test, NULL, files_of(variable, folder))) {
        assert_int_equal(status_after_pthread_exit(run_and_end, 0), 0);
        assert_int_equal(status_after_pthread_exit(leave_a_thread_and_end, 0), 0);
    } else if (is_weir()) {
        assert_int_equal(whole_files(folder, end), files);
    }
}

TEST(a_traced_process_ends_after_its_main_thread_has_ended) {
    end_after_the_main_thread(__func__, "WEIR_TRACE", "^],", 3); /* one is the parent's */
}

TEST(a_profiled_process_ends_after_its_main_thread_has_ended) {
    end_after_the_main_thread(__func__, "WEIR_PROFILE", "}$", 2);
}

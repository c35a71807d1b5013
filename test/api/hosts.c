/* Hosts with odd habits: they ignore or reap children, fork, close descriptors, block or flood with signals,
 * have small stacks or few descriptors, a locale, a way of rounding or rights of their own. Builds and launches work for
 * all of them.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include "hosts.h"

static void ignore_children(void) {
    signal(SIGCHLD, SIG_IGN);
}

TEST(a_host_that_ignores_sigchld_builds) {
    if (fresh(__func__, ignore_children, NULL))
        for (int i = 0; i < 3; i++)
            OK(build_new(i + 1));
}

static int reaped, stop;
static void *reap(void *arg) {
    while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST)) {
        int status;
        if (waitpid(-1, &status, WNOHANG) > 0)
            reaped++;
        sched_yield();
    }
    return NULL;
}

TEST(a_host_that_waits_for_any_child_sees_none_of_ours) {
    if (!fresh(__func__, NULL, NULL))
        return;
    pthread_t thread;
    pthread_create(&thread, NULL, reap, NULL);
    for (int i = 0; i < 5; i++)
        OK(build_new(i + 1));
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    if (is_weir())
        assert_int_equal(reaped, 0);
}

/* Sends a signal to this process's compiler servers, which inherited its environment. The least number of one; 0: there is
 * none. */
static int signal_servers(int number) {
    int least = 0;
    char wanted[64], path[300], name[300], text[65536];
    snprintf(wanted, sizeof wanted, "WEIR_TEST_CHILD=%s", getenv("WEIR_TEST_CHILD"));
    DIR *dir = opendir("/proc");
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        snprintf(path, sizeof path, "/proc/%s/exe", entry->d_name);
        ssize_t n = readlink(path, name, sizeof name - 1);
        name[n < 0 ? 0 : n] = 0;
        if (!strstr(name, "/weirc"))
            continue;
        snprintf(path, sizeof path, "/proc/%s/environ", entry->d_name);
        int fd = open(path, O_RDONLY);
        n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
        close(fd);
        for (char *at = text; n > 0 && at < text + n; at += strlen(at) + 1)
            if (!strcmp(at, wanted))
                if (!kill(atoi(entry->d_name), number) && (!least || atoi(entry->d_name) < least))
                    least = atoi(entry->d_name);
    }
    if (dir)
        closedir(dir);
    return least;
}

static void adopt_orphans(void) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* As a container's first process does, too. */
TEST(a_host_that_adopts_orphans_has_no_children_of_ours) {
    if (!fresh(__func__, adopt_orphans, NULL) || !is_weir())
        return;
    for (int i = 0; i < 3; i++) {
        OK(build_new(i + 1));
        errno = 0;
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        assert_int_equal(errno, ECHILD);
        signal_servers(SIGKILL);
    }
}

static volatile sig_atomic_t children;
static void count_child(int number) {
    children++;
}

TEST(a_host_gets_no_sigchld_of_ours) {
    if (!fresh(__func__, NULL, NULL))
        return;
    signal(SIGCHLD, count_child);
    OK(build_new(1));
    if (is_weir())
        assert_int_equal(children, 0);
}

TEST(a_forked_child_can_exit_and_the_parent_goes_on) {
    if (!fresh(__func__, NULL, NULL))
        return;
    OK(build_new(1));
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        if (!pid) {
            if (i == 0)
                _exit(0);
            exit(0); /* runs destructors of libraries, which must leave the parent's compiler alone */
        }
        int status = -1;
        assert_int_equal(waitpid(pid, &status, 0), pid);
        OK(build_new(i + 2));
    }
}

/* After a fork the child's queues are dead, but asking for a build must give an answer, and must not mix with
 * what the parent asks. */
TEST(a_forked_child_that_builds_does_not_disturb_its_parent) {
    if (!fresh(__func__, NULL, NULL) || !is_weir())
        return;
    OK(build_new(1));
    pid_t pid = fork();
    if (!pid) {
        alarm(60);
        for (int i = 0; i < 3; i++) {
            cl_program program = program_of(i ? "kernel void a() {}" : "kernel void b() {} // other");
            clBuildProgram(program, 0, NULL, "", NULL, NULL);
            clReleaseProgram(program);
        }
        _exit(0);
    }
    for (int i = 0; i < 5; i++)
        OK(build_new(i + 2));
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* Waits as long as it must, without a thread to lend: the runtime's own ones have to run the command. */
static void wait_for_workers(cl_event event) {
    while (event_status(event) > CL_COMPLETE)
        usleep(1000);
    OK(clReleaseEvent(event));
}

/* A worker that is in the middle of a kernel is none of the child's: not what it has to print, nor anything else that is half
 * done. */
TEST(a_child_that_is_forked_while_a_kernel_runs_prints_its_own_texts_alone) {
    if (!THREADS_AFTER_FORK || !fresh(__func__, NULL, "WEIR_CU=1") || !is_weir())
        return;
    volatile cl_int *flags = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cl_mem mem = buffer_of(CL_MEM_USE_HOST_PTR, 4096, (void *)flags);
    cl_kernel waits = kernel_of("kernel void k(global volatile int *p) { printf(\"parent\\n\");"
                                " p[0] = 1; while (!p[1]); }",
                                "k");
    cl_kernel prints = kernel_of("kernel void k() { printf(\"child\\n\"); }", "k");
    const size_t one = 1;
    cl_event event;
    char text[100] = "";
    int ends[2], status = -1;
    OK(pipe(ends));
    OK(clSetKernelArg(waits, 0, sizeof mem, &mem));
    OK(clEnqueueNDRangeKernel(cl.queue, waits, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFlush(cl.queue));
    while (!flags[0])
        usleep(1000);
    fflush(stdout);
    pid_t pid = fork();
    if (!pid) {
        alarm(60);
        dup2(ends[1], 1);
        cl_command_queue queue = queue_with(cl.device, 0);
        OK(clEnqueueNDRangeKernel(queue, prints, 1, NULL, &one, NULL, 0, NULL, &event));
        OK(clFlush(queue));
        wait_for_workers(event);
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    assert_string_equal(text, "child\n");
    flags[1] = 1;
    OK(clFinish(cl.queue));
    OK(clReleaseKernel(waits));
    OK(clReleaseKernel(prints));
    OK(clReleaseMemObject(mem));
}

/* What the parent's thread was in the middle of at the fork ends in the child with an error, and what is enqueued behind it
 * runs. */
TEST(a_child_that_is_forked_while_a_kernel_runs_uses_its_parents_queue) {
    if (!THREADS_AFTER_FORK || !fresh(__func__, NULL, "WEIR_CU=2") || !is_weir())
        return;
    volatile cl_int *flags = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cl_mem mem = buffer_of(CL_MEM_USE_HOST_PTR, 4096, (void *)flags);
    cl_kernel waits =
        kernel_of("kernel void k(global volatile int *p) { p[0] = 1; while (!p[1]); p[3]++; }", "k");
    cl_kernel writes = kernel_of("kernel void k(global volatile int *p) { p[2] = 5; }", "k");
    const size_t one = 1;
    cl_event first;
    int status = -1;
    OK(clSetKernelArg(waits, 0, sizeof mem, &mem));
    OK(clSetKernelArg(writes, 0, sizeof mem, &mem));
    OK(clEnqueueNDRangeKernel(cl.queue, waits, 1, NULL, &one, NULL, 0, NULL, &first));
    OK(clFlush(cl.queue));
    while (!flags[0])
        usleep(1000);
    pid_t pid = fork();
    if (!pid) {
        alarm(60);
        OK(clEnqueueNDRangeKernel(cl.queue, writes, 1, NULL, &one, NULL, 0, NULL, NULL));
        clFinish(cl.queue);
        assert_int_equal(flags[2], 5);
        assert_true(event_status(first) < 0);
        GIVES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &first));
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    flags[1] = 1;
    OK(clWaitForEvents(1, &first));
    assert_int_equal(flags[3], 1);
    OK(clReleaseEvent(first));
    OK(clReleaseKernel(waits));
    OK(clReleaseKernel(writes));
    OK(clReleaseMemObject(mem));
}

static const cl_device_partition_property by_cache[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                        CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0};

static bool partitions(void) {
    cl_device_id parts[64];
    cl_uint n = 0;
    if (clCreateSubDevices(cl.device, by_cache, COUNT(parts), parts, &n))
        return false;
    for (cl_uint i = 0; i < n; i++)
        OK(clReleaseDevice(parts[i]));
    return true;
}

static void *partition_until_stop(void *arg) {
    while (!__atomic_load_n(&stop, __ATOMIC_SEQ_CST))
        partitions();
    return NULL;
}

TEST(a_child_that_is_forked_while_a_device_is_partitioned_partitions_it) {
    if (!fresh(__func__, NULL, NULL) || !is_weir() || !partitions())
        return;
    pthread_t thread;
    OK(pthread_create(&thread, NULL, partition_until_stop, NULL));
    for (int i = 0; i < 200; i++) {
        int status = -1;
        pid_t pid = fork();
        if (!pid) {
            alarm(20);
            _exit(!partitions());
        }
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_int_equal(status, 0);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    OK(pthread_join(thread, NULL));
}

/* setenv() frees what it replaces, so no thread of ours may look at the environment when the host is out of our calls. */
TEST(the_environment_is_read_in_calls_alone) {
    if (!THREADS_AFTER_FORK || !fresh(__func__, NULL, NULL) || !is_weir())
        return;
    pid_t pid = fork(); /* the child starts a compiler of its own */
    if (!pid) {
        alarm(60);
        size_t page = 4096;
        char **own = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
             **all = environ;
        for (size_t i = 0; all[i] && i + 1 < page / sizeof *own; i++)
            own[i] = all[i];
        environ = own;
        cl_context context = MADE(clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error));
        mprotect(own, page, PROT_NONE);
        usleep(200000);
        environ = all;
        cl_program program =
            MADE(clCreateProgramWithSource(context, 1, &(const char *){"kernel void k() {}"}, NULL, &error));
        _exit(clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS);
    }
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

TEST(a_host_that_closes_every_descriptor_builds) {
    if (!fresh(__func__, NULL, NULL))
        return;
    OK(build_new(1));
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    OK(build_new(2));
}

TEST(descriptors_that_the_host_reuses_are_left_alone) {
    if (!fresh(__func__, NULL, NULL))
        return;
    OK(build_new(1));
    char path[] = "/tmp/weir-reuseXXXXXX";
    int first = mkstemp(path);
    unlink(path);
    for (int fd = 3; fd < 256; fd++)
        if (fd != first)
            dup2(first, fd);
    OK(build_new(2));
    struct stat st;
    OK(fstat(first, &st));
    assert_int_equal(st.st_size, 0);
    for (int fd = 3; fd < 256; fd++)
        assert_true(fcntl(fd, F_GETFD) >= 0);
}

static void close_standard(void) {
    for (int fd = 0; fd < 3; fd++)
        close(fd);
}

TEST(a_host_without_standard_descriptors_builds) {
    if (fresh(__func__, close_standard, NULL))
        OK(build_new(1));
}

static void close_inherited(void) {
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
}

TEST(building_leaks_no_descriptors_to_the_host) {
    if (!fresh(__func__, close_inherited, NULL))
        return;
    int before = 0, after = 0;
    OK(build_new(1));
    for (int fd = 0; fd < 1024; fd++)
        before += fcntl(fd, F_GETFD) >= 0;
    for (int i = 0; i < 5; i++)
        OK(build_new(i));
    for (int fd = 0; fd < 1024; fd++)
        after += fcntl(fd, F_GETFD) >= 0;
    assert_int_equal(before, after);
    for (int fd = 3; is_weir() && fd < 1024; fd++) { /* what stays open must not reach the host's children */
        int flags = fcntl(fd, F_GETFD);
        assert_true(flags < 0 || flags & FD_CLOEXEC);
    }
}

TEST(a_host_out_of_descriptors_gets_an_error_and_recovers) {
    if (!fresh(__func__, NULL, NULL) || !is_weir())
        return;
    struct rlimit limit, old;
    OK(getrlimit(RLIMIT_NOFILE, &old));
    limit = (struct rlimit){4, old.rlim_max};
    OK(setrlimit(RLIMIT_NOFILE, &limit));
    build_new(1);
    build_new(2);
    OK(setrlimit(RLIMIT_NOFILE, &old));
    OK(build_new(3));
}

static void block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGALRM);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

TEST(a_host_that_blocks_signals_builds) {
    if (fresh(__func__, block_signals, NULL))
        OK(build_new(1));
}

static void nothing(int number) {
}

TEST(a_host_flooded_with_signals_builds_and_runs) {
    if (!fresh(__func__, NULL, NULL))
        return;
    struct sigaction action = {.sa_handler = nothing}; /* no SA_RESTART: every wait is interrupted */
    sigaction(SIGVTALRM, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    struct itimerval often = {{0, 2000}, {0, 2000}}, off = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 3; i++)
        OK(build_new(i + 1));
    setitimer(ITIMER_REAL, &off, NULL);
}

TEST(a_host_in_a_deleted_directory_builds) {
    if (!fresh(__func__, NULL, NULL))
        return;
    char dir[] = "/tmp/weir-goneXXXXXX";
    assert_non_null(mkdtemp(dir));
    OK(chdir(dir));
    OK(rmdir(dir));
    OK(build_new(1));
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SMALL_STACK = 256 << 10 };
#else
enum { SMALL_STACK = 32 << 10 };
#endif
static void *build_on_small_stack(void *arg) {
    *(cl_int *)arg = build_new(5);
    return NULL;
}

TEST(a_thread_with_a_small_stack_builds_and_runs) {
    if (!fresh(__func__, NULL, NULL))
        return;
    cl_int code = 77;
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, SMALL_STACK);
    assert_int_equal(pthread_create(&thread, &attributes, build_on_small_stack, &code), 0);
    pthread_join(thread, NULL);
    assert_int_equal(code, CL_SUCCESS);
}

TEST(a_killed_compiler_comes_back) {
    if (!fresh(__func__, NULL, NULL) || !is_weir())
        return;
    for (int i = 0; i < 3; i++) {
        OK(build_new(i + 1));
        signal_servers(SIGKILL);
    }
    OK(build_new(9));
}

/* Somebody stops the server for a moment, a debugger perhaps: it is the same one afterwards. */
static void *go_on_later(void *arg) {
    usleep(1400000);
    signal_servers(SIGCONT);
    return arg;
}

TEST(a_server_that_was_stopped_for_a_moment_is_not_given_up) {
    if (!fresh(__func__, NULL, NULL) || !is_weir())
        return;
    OK(build_new(1));
    pthread_t thread;
    int server = signal_servers(SIGSTOP);
    assert_true(server > 0);
    pthread_create(&thread, NULL, go_on_later, NULL);
    OK(build_new(2));
    pthread_join(thread, NULL);
    assert_int_equal(signal_servers(SIGCONT), server);
}

static void *keep_building(void *arg) {
    for (int i = 0; i < 10; i++) { /* each gives an answer; a build cut short may be an error */
        const char *source = "kernel void k(global int *p) { *p = 3; }";
        char options[64];
        cl_int code;
        snprintf(options, sizeof options, "-DUNIQUE=%d%ld%d", (int)getpid(), (long)(intptr_t)arg, i);
        cl_program program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &code);
        clBuildProgram(program, 0, NULL, options, NULL, NULL);
        clReleaseProgram(program);
    }
    return NULL;
}

TEST(a_compiler_killed_during_builds_hangs_nobody) {
    if (!fresh(__func__, NULL, NULL) || !is_weir())
        return;
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, keep_building, (void *)i);
    for (int i = 0; i < 5; i++) {
        usleep(50000);
        signal_servers(SIGKILL);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    OK(build_new(1));
}

TEST(a_missing_compiler_is_an_error_with_a_reason) {
    if (!fresh(__func__, NULL, "WEIR_COMPILER=/nowhere/weirc") || !is_weir())
        return;
    cl_program program = program_of("kernel void never_seen_before() {}");
    cl_int code = clBuildProgram(program, 0, NULL, "-DNOCACHE=__LINE__", NULL, NULL);
    assert_true(code == CL_BUILD_PROGRAM_FAILURE || code == CL_COMPILER_NOT_AVAILABLE);
    char *text = log_of(program);
    assert_non_null(strstr(text, "/nowhere/weirc"));
    free(text);
    OK(clReleaseProgram(program));
}

TEST(printf_without_a_reader_does_not_kill_the_host) {
    if (!fresh(__func__, NULL, NULL))
        return;
    cl_kernel kernel = kernel_of("kernel void k() { printf(\"%d\\n\", (int)get_global_id(0)); }", "k");
    int ends[2], old = dup(1);
    OK(pipe(ends));
    close(ends[0]);
    fflush(stdout);
    dup2(ends[1], 1);
    close(ends[1]);
    signal(SIGPIPE, SIG_IGN);
    OK(run_1d(kernel, 64, 8));
    fflush(stdout);
    dup2(old, 1);
    OK(clReleaseKernel(kernel));
}

static volatile sig_atomic_t faults;
static sigjmp_buf behind_the_fault;
static void count_fault(int number) {
    faults++;
    siglongjmp(behind_the_fault, 1);
}

static void CL_CALLBACK fault(void *arg) {
    if (!sigsetjmp(behind_the_fault, 1))
        raise(SIGSEGV);
}

/* As in any thread: a handler of the application's is called for what a worker does wrong. */
TEST(a_handler_of_the_application_sees_faults_of_workers) {
    if (!fresh(__func__, NULL, NULL))
        return;
    signal(SIGSEGV, count_fault);
    for (int i = 0; i < 20; i++) {
        cl_event event;
        cl_int status = CL_QUEUED;
        OK(clEnqueueNativeKernel(cl.queue, fault, NULL, 0, 0, NULL, NULL, 0, NULL, &event));
        OK(clFlush(cl.queue));
        while (status > CL_COMPLETE) /* not by clFinish, in which this thread might run it */
            OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        OK(clReleaseEvent(event));
    }
    assert_int_equal(faults, 20);
}

/* ---- what a host sets for itself ---- */

/* What the command writes on standard output. */
static const char *printed(cl_kernel kernel) {
    static char text[4096];
    char path[] = "/tmp/weir-printedXXXXXX";
    int file = mkstemp(path), out = dup(STDOUT_FILENO);
    unlink(path);
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    OK(run_1d(kernel, 1, 1));
    OK(clFinish(cl.queue));
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    ssize_t n = pread(file, text, sizeof text - 1, 0);
    close(file);
    close(out);
    text[n < 0 ? 0 : n] = 0;
    return text;
}

/* Makes a locale in which numbers have a comma, and takes it. */
static bool take_commas(void) {
    char folder[] = "/tmp/weir-localeXXXXXX", command[600];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cd %s && printf 'LC_NUMERIC\\ndecimal_point \",\"\\nthousands_sep \"\"\\ngrouping -1\\n"
             "END LC_NUMERIC\\n' >source && localedef -c -i ./source ./comma >/dev/null 2>&1",
             folder);
    int made = system(command);
    setenv("LOCPATH", folder, 1);
    bool is_taken = setlocale(LC_NUMERIC, "comma") != NULL;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return !system(command) && made >= 0 && is_taken;
}

TEST(printf_of_kernels_has_points_in_any_locale) {
    if (!fresh(__func__, NULL, NULL))
        return;
    if (!take_commas())
        skip();
    char ours[16];
    snprintf(ours, sizeof ours, "%.1f", 1.5);
    assert_string_equal(ours, "1,5");
    cl_kernel kernel =
        kernel_of("kernel void k() { printf(\"%.1f %g %v2f\", 1.5f, 0.25f, (float2)(1.5f, 2.5f)); }", "k");
    assert_string_equal(printed(kernel), "1.5 0.25 1.500000,2.500000");
    OK(clReleaseKernel(kernel));
}

/* Its way of rounding is its own: kernels, their texts and colours know one alone. */
TEST(the_hosts_rounding_changes_nothing_and_stays) {
    static const int ways[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    if (!fresh(__func__, NULL, NULL))
        return;
    cl_kernel kernel = kernel_of("kernel void k(global float *p) {\n"
                                 "    p[0] = p[1] / 3;\n"
                                 "    p[2] = rint(p[3]);\n"
                                 "    p[4] = p[5] * 0.5f;\n"
                                 "    printf(\"%.0f %.1f\", p[3], p[6]);\n"
                                 "}\n",
                                 "k");
    cl_image_format format = {CL_R, CL_UNORM_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
    cl_mem image = MADE(clCreateImage(cl.context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        float in[7] = {0, 1, 0, 2.5f, 0, 0x1p-126f, 0.25f}, out[7];
        unsigned char texel = 0;
        cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof in, in);
        OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        fesetround(ways[i]);
        unsigned sse = __builtin_ia32_stmxcsr() | 0x8040; /* denormals are zeros, too */
        __builtin_ia32_ldmxcsr(sse);
        const char *text = printed(kernel);
        OK(clEnqueueFillImage(cl.queue, image, (float[]){0.5f, 0, 0, 0}, (size_t[]){0, 0, 0},
                              (size_t[]){1, 1, 1}, 0, NULL, NULL));
        OK(clEnqueueReadImage(cl.queue, image, CL_TRUE, (size_t[]){0, 0, 0}, (size_t[]){1, 1, 1}, 0, 0,
                              &texel, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
        bool stays = fegetround() == ways[i] && (__builtin_ia32_stmxcsr() & ~0x3fu) == (sse & ~0x3fu);
        __builtin_ia32_ldmxcsr(0x1f80);
        fesetround(FE_TONEAREST);
        assert_true(stays);
        assert_string_equal(text, "2 0.2");
        assert_int_equal(texel, 128);
        assert_true(out[0] == 0x1.555556p-2f && out[2] == 2 && out[4] == 0x1p-127f);
        OK(clReleaseMemObject(mem));
    }
    OK(clReleaseMemObject(image));
    OK(clReleaseKernel(kernel));
}

/* What all calls of the list do, with exceptions that raise signals; the kernels themselves have all of them. */
static void call_with_exceptions(void) {
    enum { N = 4096 };
    static float in[N], out[N];
    for (int i = 0; i < N; i++)
        in[i] = 0x1.234567p-100f * (float)i;
    int all = FE_INEXACT | FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW;
    feclearexcept(FE_ALL_EXCEPT);
    assert_true(feenableexcept(all) >= 0);
    OK(build_new(1));
    cl_program program = build("kernel void k(global float *p) {\n"
                               "    size_t i = get_global_id(0);\n"
                               "    float x = p[i];\n"
                               "    p[i] = (i & 1 ? 1 / (x - x) : sqrt(-1 - x)) + x * x * 0x1p-140f;\n"
                               "    if (i == 0) printf(\"%.1f\", 1.26f);\n"
                               "}\n",
                               "");
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof in, in);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (int i = 0; i < 20; i++) /* what it took is known after the first one */
        OK(run_1d(kernel, N, 64));
    const cl_sampler_properties list[] = {CL_SAMPLER_LOD_MAX_KHR, 0x3e99999a, 0};
    OK(clReleaseSampler(MADE(clCreateSamplerWithProperties(cl.context, list, &error))));
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    assert_int_equal(fegetexcept(), all);
    fedisableexcept(FE_ALL_EXCEPT);
    assert_int_equal(fetestexcept(FE_ALL_EXCEPT), 0);
    assert_true(out[1] != out[1] || out[1] > 1);
}

TEST(a_host_whose_exceptions_raise_signals_gets_none_of_ours) {
    if (fresh(__func__, NULL, "WEIR_LOG=debug"))
        call_with_exceptions();
}

TEST(a_host_whose_exceptions_raise_signals_runs_kernels_itself) {
    if (fresh(__func__, NULL, "WEIR_CU=1"))
        call_with_exceptions();
}

static void CL_CALLBACK flush_denormals(cl_event event, cl_int status, void *arg) {
    __builtin_ia32_ldmxcsr(0xffc0);
}

/* The worker that a callback ran on helps with later commands of others. */
TEST(what_a_callback_does_to_its_threads_rounding_changes_no_kernel) {
    if (!fresh(__func__, NULL, "WEIR_CU=4"))
        return;
    enum { N = 64, ROUNDS = 20 };
    cl_kernel kernel = kernel_of("kernel void k(global float *p, int n) {\n"
                                 "    float x = p[get_global_id(0)];\n"
                                 "    for (int i = 0; i < n; i++)\n"
                                 "        x = x * 0.5f + x * 0.5f;\n"
                                 "    p[get_global_id(0)] = x;\n"
                                 "}\n",
                                 "k");
    float values[N];
    for (int i = 0; i < N; i++)
        values[i] = 0x1p-127f;
    cl_mem mem = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof values, values);
    size_t n = N, one = 1;
    cl_int turns = 100000;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clSetKernelArg(kernel, 1, sizeof turns, &turns));
    for (int i = 0; i < ROUNDS; i++) {
        cl_event event;
        OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &n, &one, 0, NULL, &event));
        OK(clSetEventCallback(event, CL_COMPLETE, flush_denormals, NULL));
        OK(clFlush(cl.queue));
        wait_for_workers(event);
    }
    OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (int i = 0; i < N; i++)
        assert_true(values[i] == 0x1p-127f);
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
}

TEST(a_host_whose_files_may_not_grow_gets_an_error_and_recovers) {
    if (!fresh(__func__, NULL, NULL) || !is_weir())
        return;
    struct rlimit limit, old;
    OK(build_new(1));
    OK(getrlimit(RLIMIT_FSIZE, &old));
    limit = (struct rlimit){100, old.rlim_max};
    OK(setrlimit(RLIMIT_FSIZE, &limit));
    cl_program program = program_of("kernel void unwritten(global int *p) { *p = 4; }");
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL)); /* the cache doesn't take it */
    cl_kernel kernel = MADE(clCreateKernel(program, "unwritten", &error));
    cl_mem mem = buffer_of(0, 4, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    GIVES(CL_INVALID_PROGRAM_EXECUTABLE, run_1d(kernel, 1, 1)); /* nor does any file take the code */
    OK(setrlimit(RLIMIT_FSIZE, &old));
    OK(build_new(2));
    OK(clReleaseMemObject(mem));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* As in a program that runs with its file's owner's rights, or has given its own up for a while. */
static void take_two_ids(void) {
    if (setresuid(65534, 0, 0))
        _exit(77);
}

TEST(a_host_with_rights_that_its_user_lacks_builds) {
    if (geteuid())
        skip();
    if (fresh(__func__, take_two_ids, NULL))
        OK(build_new(1));
}

/* session.c: see session.h. */
#include "session.h"

enum { HANGS_AFTER = 300 }; /* seconds */

unsigned long number_from(const char *name, unsigned long otherwise) {
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 0) : otherwise;
}

unsigned long runs_asked(unsigned long all, unsigned long quick) {
    return number_from("FUZZ_COUNT", getenv("WEIR_TEST_QUICK") ? quick : all);
}

/* ---- random numbers ---- */

uint64_t random_state;

uint64_t random_bits(void) { /* splitmix64 */
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

uint32_t below(uint32_t n) {
    return (uint32_t)(random_bits() >> 16) % n;
}

bool one_in(uint32_t n) {
    return !below(n);
}

uint64_t odd_number(void) {
    static const uint64_t numbers[] = {0,   1,    2,    3,    4,    7,     8,     15,
                                       16,  63,   64,   100,  127,  128,   129,   255,
                                       256, 1000, 4095, 4096, 4097, 65535, 65536, 1 << 20};
    uint64_t n = numbers[below(COUNT(numbers))];
    switch (below(8)) {
    case 0:
        return ~n;
    case 1:
        return (UINT64_C(1) << below(64)) + n;
    case 2:
        return (UINT64_C(1) << below(64)) - n;
    case 3:
        return random_bits();
    default:
        return n;
    }
}

/* ---- child processes ---- */

static struct progress alone;
struct progress *progress = &alone;
static unsigned children;
static volatile sig_atomic_t is_out_of_time;

static void on_term(int number) {
    is_out_of_time = 1;
}

unsigned child_number(void) {
    return children;
}

/* Waits for the child, and ends it where it hangs, or the time is up. */
static int watch(pid_t child) {
    struct progress before = *progress;
    int status, quiet = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        usleep(20000);
        struct progress now = *progress;
        quiet = memcmp(&before, &now, sizeof now) ? 0 : quiet + 1;
        before = now;
        if (is_out_of_time)
            kill(child, SIGTERM);
        if (quiet > HANGS_AFTER * 50) {
            printf("hangs\n");
            kill(child, SIGABRT);
            quiet = 0;
        }
    }
    return status;
}

int child_run(int (*run)(void *), void *arg) {
    if (is_out_of_time)
        return 0;
    children++;
    if (getenv("FUZZ_IN_PROCESS"))
        return run(arg);
    if (progress == &alone) {
        progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (progress == MAP_FAILED)
            abort();
    }
    fflush(stdout);
    signal(SIGTERM, on_term);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (!child) {
        signal(SIGTERM, SIG_DFL);
        int code = run(arg);
        fflush(stdout);
        exit(code);
    }
    int status = watch(child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) { /* timeout tells the child, too */
        is_out_of_time = 1;
        return 0;
    }
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- fuzzers of the API ---- */

bool failed_run;

void wrong(const char *what, long value) {
    printf("%s (%ld)\n", what, value);
    failed_run = true;
}

struct runs {
    uint64_t first, count;
    void (*setup)(void), (*run)(void), (*finish)(void);
};

static int do_runs(void *arg) {
    const struct runs *r = arg;
    if (r->setup)
        r->setup();
    for (uint64_t seed = r->first; seed < r->first + r->count && !failed_run; seed++) {
        random_state = seed * 0x2545f4914f6cdd1d;
        progress->seed = seed;
        r->run();
        progress->runs += !failed_run;
    }
    if (r->finish && !failed_run)
        r->finish();
    return failed_run;
}

int session(int argc, char **argv, unsigned long count, void (*setup)(void), void (*run)(void),
            void (*finish)(void)) {
    struct runs r = {
        .first = argc > 2 ? strtoull(argv[2], NULL, 10) : number_from("FUZZ_SEED", 1),
        .count = argc > 1 ? strtoul(argv[1], NULL, 10) : number_from("FUZZ_COUNT", count),
        .setup = setup,
        .run = run,
        .finish = finish,
    };
    int end = child_run(do_runs, &r);
    if (end)
        printf("%s 1 %llu: %s %d\n", argv[0], (unsigned long long)progress->seed,
               end < 0 ? "signal" : "exit code", end < 0 ? -end : end);
    printf("%llu runs, seeds from %llu\n", (unsigned long long)progress->runs, (unsigned long long)r.first);
    return end != 0;
}

/* bench.c: measures OpenCL implementations side by side. Each test runs on each implementation in a process of
 * its own; they take turns, block by block, so that what disturbs the machine disturbs all alike.
 *
 * In: implementations (ICD files, with environment variables if wanted); the first is what others are compared
 * with. Out: a table of medians and ratios, JSON, a chart. Exit code 1 if the first one failed a test. */
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ROUNDS = 101, SETUP_MS = 60000, BLOCK_MS = 30000 };

struct peer {
    enum mode mode;
    char spec[400]; /* [NAME=VALUE ]...FILE.icd */
    pid_t pid;      /* 0: not running */
    int requests, answers;
};
static struct peer peers[MAX_PEERS];
static struct results results;
static unsigned rounds = 7;
static double block_seconds = 0.1;
static char workspace[] = "/tmp/weir-bench-XXXXXX";
static const char *const self = "/proc/self/exe";

/* ---- processes ------------------------------------------------------------------------------------------- */

static void set_environment(const struct peer *peer, const char *cache) {
    static const char *const variables[] = {"WEIR_CACHE_DIR", "POCL_CACHE_DIR", "XDG_CACHE_HOME",
                                            "cl_cache_dir"};
    char path[PATH_MAX], spec[sizeof peer->spec], *rest = spec;
    snprintf(path, sizeof path, "%s/%d-%s", workspace, (int)(peer - peers), cache);
    mkdir(path, 0700);
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++)
        setenv(variables[i], path, 1);
    strcpy(spec, peer->spec);
    for (char *word; (word = strsep(&rest, " "));)
        if (strchr(word, '='))
            putenv(strdup(word));
        else if (*word)
            setenv("OCL_ICD_VENDORS", realpath(word, path) ? path : word, 1);
}

/* Starts the measuring process of a test; its standard input and output are pipes. */
static bool peer_start(struct peer *peer, const char *test, const char *cache) {
    int to[2], from[2];
    char mode[8], length[16];
    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
        return false;
    snprintf(mode, sizeof mode, "%d", peer->mode);
    snprintf(length, sizeof length, "%g", block_seconds);
    fflush(NULL);
    peer->pid = fork();
    if (peer->pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        set_environment(peer, cache);
        dup2(to[0], 0);
        dup2(from[1], 1);
        if (!getenv("BENCH_VERBOSE"))
            dup2(null, 2);
        execl(self, self, is_processor_time ? "--cpu-worker" : "--worker", test, mode, length, NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    peer->requests = to[1], peer->answers = from[0];
    return peer->pid > 0;
}

/* Ends the process; true if it had been killed by a signal of its own. */
static bool peer_stop(struct peer *peer, bool force) {
    int state = 0;
    if (!peer->pid)
        return false;
    close(peer->requests);
    kill(peer->pid, force ? SIGKILL : SIGCONT);
    waitpid(peer->pid, &state, 0);
    close(peer->answers);
    peer->pid = 0;
    return !force && WIFSIGNALED(state);
}

/* Reads one line. OK, CRASH at the end of the stream, HANG when the time is up. */
static enum status read_line(int fd, char *line, size_t size, int limit_ms) {
    size_t n = 0;
    struct pollfd poll_fd = {fd, POLLIN, 0};
    while (n + 1 < size) {
        int ready = poll(&poll_fd, 1, limit_ms);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return HANG;
        if (read(fd, line + n, 1) != 1)
            return CRASH;
        if (line[n++] == '\n')
            break;
    }
    line[n ? n - 1 : 0] = 0;
    return OK;
}

/* ---- one test -------------------------------------------------------------------------------------------- */

static void fail(struct peer *peer, struct result *result, enum status status, const char *reason) {
    result->status = status;
    snprintf(result->reason, sizeof result->reason, "%s", reason);
    bool signalled = peer_stop(peer, status != CRASH);
    if (status == CRASH && !signalled)
        snprintf(result->reason, sizeof result->reason, "%s; its process ended by itself", reason);
}

/* Reads the worker's first line: "STATUS reason|bytes|flops". */
static void read_status(unsigned test, struct peer *peer, struct result *result) {
    char line[512], word[16], reason[400] = "";
    double bytes = 0, flops = 0;
    enum status status = read_line(peer->answers, line, sizeof line, SETUP_MS);
    if (status != OK) {
        fail(peer, result, status, "while setting up or in the first run");
        return;
    }
    if (sscanf(line, "%15[A-Z] %399[^|]|%lf|%lf", word, reason, &bytes, &flops) != 4)
        sscanf(line, "%15[A-Z] |%lf|%lf", word, &bytes, &flops);
    for (status = OK; status < STATUSES && strcmp(word, status_names[status]); status++)
        ;
    if (status != OK) {
        fail(peer, result, status < STATUSES ? status : ERROR, reason);
        return;
    }
    if (bytes > 0)
        results.bytes[test] = bytes;
    if (flops > 0)
        results.flops[test] = flops;
    result->status = OK;
}

static double read_block(unsigned test, struct peer *peer, struct result *result) {
    char line[512];
    enum status status = read_line(peer->answers, line, sizeof line, BLOCK_MS);
    if (status != OK)
        fail(peer, result, status, "while measuring");
    else if (strchr("WSE", line[0]))
        fail(peer, result, line[0] == 'W' ? WRONG : ERROR, line);
    else
        return atof(line);
    return -1;
}

/* A process that isn't measured is stopped: threads that spin for work would disturb the others. */
static double running_block(unsigned test, struct peer *peer, struct result *result) {
    kill(peer->pid, SIGCONT);
    if (write(peer->requests, "\n", 1) != 1) {
        fail(peer, result, CRASH, "between measurements");
        return -1;
    }
    double value = read_block(test, peer, result);
    if (peer->pid)
        kill(peer->pid, SIGSTOP);
    return value;
}

static double fresh_block(unsigned test, struct peer *peer, struct result *result, const char *cache) {
    if (!peer_start(peer, results.tests[test], cache))
        return -1;
    read_status(test, peer, result);
    if (result->status != OK)
        return -1;
    double value = read_block(test, peer, result);
    peer_stop(peer, false);
    return value;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarize(struct result *result, double *blocks, unsigned n) {
    qsort(blocks, n, sizeof *blocks, by_value);
    result->seconds = blocks[is_processor_time ? 0 : n / 2];
    result->low = blocks[n / 4];
    result->high = blocks[3 * n / 4];
}

static void progress(const char *test, unsigned round, unsigned p) {
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s, round %u of %u, %s", test, round, rounds, results.labels[p]);
}

static void measure(unsigned index, const struct test *test) {
    static double blocks[MAX_PEERS][MAX_ROUNDS];
    struct result *of = results.of[index];
    for (unsigned p = 0; p < results.npeers; p++) {
        progress(test->name, 0, p);
        if (test->process == NEW_PROCESS_CACHED || peers[p].mode != OPENCL)
            of[p].status = OK;
        if (test->process == NEW_PROCESS_CACHED)
            fresh_block(index, &peers[p], &of[p], "cached"); /* fills the cache */
        else if (test->process == IN_PROCESS && peer_start(&peers[p], test->name, "cache"))
            read_status(index, &peers[p], &of[p]);
        if (peers[p].pid)
            kill(peers[p].pid, SIGSTOP);
    }
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned p = 0; p < results.npeers; p++) {
            char cache[24];
            if (of[p].status != OK)
                continue;
            progress(test->name, round + 1, p);
            snprintf(cache, sizeof cache, test->process == NEW_PROCESS_CACHED ? "cached" : "cold%u", round);
            if (test->process != IN_PROCESS)
                blocks[p][round] = fresh_block(index, &peers[p], &of[p], cache);
            else
                blocks[p][round] = running_block(index, &peers[p], &of[p]);
        }
    for (unsigned p = 0; p < results.npeers; p++) {
        peer_stop(&peers[p], false);
        if (of[p].status == OK)
            summarize(&of[p], blocks[p], rounds);
    }
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

/* ---- the run --------------------------------------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *status, int flag, struct FTW *ftw) {
    return remove(path);
}

static void describe_machine(void) {
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(results.machine, sizeof results.machine, "unknown processor");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %100[^\n\"\\]", results.machine) == 1)
            break;
    if (f)
        fclose(f);
    size_t n = strlen(results.machine);
    snprintf(results.machine + n, sizeof results.machine - n, ", %u threads", machine_threads());
    results.bandwidth = machine_bandwidth();
    results.peak = machine_flops();
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    results.cache = cache > 0 ? (double)cache : 0;
}

/* Asks each implementation for its names. One that isn't there is left out; false if it is the first. */
static bool find_peers(void) {
    unsigned n = 0;
    for (unsigned p = 0; p < results.npeers; p++) {
        char line[256] = "";
        peers[n] = peers[p];
        if (peers[p].mode != OPENCL) {
            snprintf(line, sizeof line, "hand-written C with %s", peers[p].mode == AVX2 ? "AVX2" : "AVX-512");
        } else {
            if (!peer_start(&peers[n], "?", "cache") ||
                read_line(peers[n].answers, line, sizeof line, SETUP_MS) != OK || strncmp(line, "name ", 5))
                line[0] = 0;
            peer_stop(&peers[n], true);
            if (!line[0]) {
                fprintf(stderr, "bench: no OpenCL implementation answers at %s: left out\n", peers[p].spec);
                if (p == 0)
                    return false;
                continue;
            }
            memmove(line, line + 5, strlen(line + 5) + 1);
        }
        snprintf(results.peers[n], sizeof results.peers[n], "%.120s", line);
        memmove(results.labels[n], results.labels[p], sizeof results.labels[n]);
        n++;
    }
    results.npeers = n;
    return n > 0;
}

/* The ICD file's bare name, then the variables, without those that only find libraries. */
static void label_spec(char *label, const char *spec) {
    char words[sizeof peers->spec], *rest = words, variables[40] = "";
    size_t size = sizeof results.labels[0], n = 0;
    snprintf(words, sizeof words, "%s", spec);
    for (char *word; (word = strsep(&rest, " "));)
        if (!strchr(word, '=')) {
            const char *slash = strrchr(word, '/');
            const char *file = slash ? slash + 1 : word;
            snprintf(label, size, "%.30s", file);
            label[strcspn(label, ".")] = 0;
        } else if (strncmp(word, "LD_", 3) && n < sizeof variables) {
            n += (size_t)snprintf(variables + n, sizeof variables - n, " %s", word);
        }
    strncat(label, variables, size - strlen(label) - 1);
}

static void add_peer(const char *spec, enum mode mode) {
    if (results.npeers == MAX_PEERS)
        return;
    struct peer *peer = &peers[results.npeers];
    char *label = results.labels[results.npeers++];
    peer->mode = mode;
    snprintf(peer->spec, sizeof peer->spec, "%s", spec);
    if (mode != OPENCL) {
        strcpy(label, mode == AVX2 ? "limit-avx2" : "limit-avx512");
        return;
    }
    label_spec(label, spec);
}

static bool selected(const struct test *test, const char *only, bool quick) {
    char names[1000], *rest = names;
    if (!only)
        return !quick || test->quick;
    snprintf(names, sizeof names, "%s", only);
    for (char *word; (word = strsep(&rest, ","));)
        if (*word && !strncmp(test->name, word, strlen(word)))
            return true;
    return false;
}

static int run_all(const char *only, bool quick, const char *json, const char *chart) {
    const struct test *test;
    bool ok = true;
    if (!mkdtemp(workspace)) {
        fprintf(stderr, "bench: cannot make a directory under /tmp: %s\n", strerror(errno));
        return 1;
    }
    signal(SIGPIPE, SIG_IGN);
    if (find_peers()) {
        describe_machine();
        results.rounds = rounds;
        results_head(&results);
        for (unsigned i = 0; (test = test_at(i)); i++) {
            if (!selected(test, only, quick) || results.ntests == MAX_TESTS)
                continue;
            unsigned t = results.ntests++;
            snprintf(results.tests[t], sizeof results.tests[t], "%s", test->name);
            measure(t, test);
            results_row(&results, t);
            ok &= results.of[t][0].status == OK || results.of[t][0].status == SKIP;
        }
        results_summary(&results);
    } else {
        ok = false;
    }
    nftw(workspace, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (json && !results_write(&results, json)) {
        fprintf(stderr, "bench: cannot write %s: %s\n", json, strerror(errno));
        ok = false;
    }
    if (chart && !chart_write(&results, chart)) {
        fprintf(stderr, "bench: cannot write %s: %s\n", chart, strerror(errno));
        ok = false;
    }
    return !ok;
}

static int list_tests(void) {
    const struct test *test;
    for (unsigned i = 0; (test = test_at(i)); i++)
        printf("%s%s\n", test->name, test->quick ? " (quick)" : "");
    return 0;
}

static int usage(FILE *to, int code) {
    fprintf(
        to,
        "Usage: bench [options] '[NAME=VALUE ]...FILE.icd'...\n"
        "       bench --compare A.json B.json\n\n"
        "Measures OpenCL implementations side by side, each test in a process of its own, on each one.\n"
        "Variables before an ICD file's name are set for that implementation. The first is what the others\n"
        "are compared with: a ratio above 1 says that it is faster.\n\n"
        "  --icd SPEC     the same as SPEC\n"
        "  --limit        also hand-written vector code, for the tests that have it\n"
        "  --only A,B     tests whose names begin so\n"
        "  --quick        the short list of tests, 3 rounds\n"
        "  --rounds N     blocks of each implementation (7)\n"
        "  --block S      seconds of a block (0.1)\n"
        "  --cpu          processor time, the least of all samples: for machines that do other things, too;\n"
        "                 for one thread, WEIR_CU=1, as threads that look for work count\n"
        "  --json FILE, --chart FILE.svg\n"
        "  --list         the tests' names\n");
    return code;
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"icd", 1, NULL, 'i'},
                                            {"limit", 0, NULL, 'l'},
                                            {"only", 1, NULL, 'o'},
                                            {"quick", 0, NULL, 'q'},
                                            {"rounds", 1, NULL, 'r'},
                                            {"block", 1, NULL, 'b'},
                                            {"json", 1, NULL, 'j'},
                                            {"chart", 1, NULL, 'c'},
                                            {"list", 0, NULL, 'L'},
                                            {"compare", 0, NULL, 'C'},
                                            {"cpu", 0, NULL, 'p'},
                                            {"help", 0, NULL, 'h'},
                                            {0}};
    const char *json = NULL, *chart = NULL, *only = NULL;
    bool quick = false, limit = false;
    is_processor_time = argc == 5 && !strcmp(argv[1], "--cpu-worker");
    if (is_processor_time || (argc == 5 && !strcmp(argv[1], "--worker")))
        return worker_main(argv[2], atoi(argv[3]), atof(argv[4]));
    if (argc == 4 && !strcmp(argv[1], "--compare"))
        return results_compare(argv[2], argv[3]);
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) >= 0;)
        switch (option) {
        case 'i':
            add_peer(optarg, OPENCL);
            break;
        case 'l':
            limit = true;
            break;
        case 'o':
            only = optarg;
            break;
        case 'q':
            quick = true, rounds = 3, block_seconds = 0.05;
            break;
        case 'r':
            rounds = (unsigned)atoi(optarg);
            break;
        case 'b':
            block_seconds = atof(optarg);
            break;
        case 'j':
            json = optarg;
            break;
        case 'c':
            chart = optarg;
            break;
        case 'p':
            is_processor_time = true;
            break;
        case 'L':
            return list_tests();
        default:
            return usage(option == 'h' ? stdout : stderr, option == 'h' ? 0 : 2);
        }
    for (; optind < argc; optind++)
        add_peer(argv[optind], OPENCL);
    if (!results.npeers || rounds < 1 || rounds > MAX_ROUNDS)
        return usage(stderr, 2);
    for (enum mode mode = AVX2; limit && mode <= AVX512; mode++)
        if (limit_has(mode))
            add_peer("", mode);
    return run_all(only, quick, json, chart);
}

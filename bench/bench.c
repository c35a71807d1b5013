/* bench.c: measures OpenCL implementations side by side. Each runs in a process of its own, found through
 * the ICD loader; they take turns, block by block, so that what disturbs the machine disturbs all alike.
 *
 * In: --icd FILE once for each implementation; the first is what the others are compared with.
 * Out: a table of medians and ratios, and JSON. Exit code 1 if anything failed. */
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PEERS = 8, MAX_ROUNDS = 101, MAX_ROWS = 64, TIMEOUT_MS = 180000 };

struct peer {
    const char *icd;
    char name[128], version[128], device[128];
    pid_t pid; /* 0: not running */
    FILE *requests;
    int answers;
    double blocks[MAX_ROWS][MAX_ROUNDS]; /* seconds; negative: failed */
    double medians[MAX_ROWS];
};
static struct peer peers[MAX_PEERS];
static int npeers, rounds = 5;
static char workspace[] = "/tmp/weir-bench-XXXXXX";
static const char *self;

/* ---- the measuring process ------------------------------------------------------------------------------- */

static int serve(void) {
    struct host host;
    host_open(&host, NULL);
    printf("%s|%s|%s\n", host.platform_name, host.platform_version, host.device_name);
    fflush(stdout);
    unsigned row;
    while (scanf("%u", &row) == 1 && row < nrows) {
        printf("%.9e\n", row_block(&host, &rows[row]));
        fflush(stdout);
    }
    return 0;
}

static int build_once(void) {
    struct host host;
    host_open_bare(&host, NULL);
    printf("%.9e\n", row_build(&host, 0));
    return 0;
}

/* ---- processes --------------------------------------------------------------------------------------------- */

static void set_cache(const struct peer *peer, const char *kind) {
    static const char *const variables[] = {"WEIR_CACHE_DIR", "POCL_CACHE_DIR", "XDG_CACHE_HOME"};
    char path[200];
    snprintf(path, sizeof path, "%s/%d-%s", workspace, (int)(peer - peers), kind);
    mkdir(path, 0700);
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++)
        setenv(variables[i], path, 1);
}

/* Starts this program with `mode` for a peer, its standard input and output being pipes. */
static pid_t start(const struct peer *peer, const char *mode, const char *cache, int *in, int *out) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
        return -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        setenv("OCL_ICD_VENDORS", peer->icd, 1);
        set_cache(peer, cache);
        dup2(to[0], 0);
        dup2(from[1], 1);
        execl(self, self, mode, NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    *in = to[1], *out = from[0];
    return pid;
}

/* Reads one line; false at the end of the stream or when the time is up. */
static bool read_line(int fd, char *line, size_t size) {
    size_t n = 0;
    struct pollfd poll_fd = {fd, POLLIN, 0};
    while (n + 1 < size) {
        if (poll(&poll_fd, 1, TIMEOUT_MS) <= 0 || read(fd, line + n, 1) != 1)
            return false;
        if (line[n++] == '\n')
            break;
    }
    line[n ? n - 1 : 0] = 0;
    return true;
}

static void peer_stop(struct peer *peer) {
    if (!peer->pid)
        return;
    kill(peer->pid, SIGKILL);
    waitpid(peer->pid, NULL, 0);
    fclose(peer->requests);
    close(peer->answers);
    peer->pid = 0;
}

static bool peer_start(struct peer *peer) {
    int in;
    char line[512];
    peer->pid = start(peer, "--serve", "serve", &in, &peer->answers);
    peer->requests = fdopen(in, "w");
    if (peer->pid > 0 && read_line(peer->answers, line, sizeof line) &&
        sscanf(line, "%127[^|]|%127[^|]|%127[^\n]", peer->name, peer->version, peer->device) == 3)
        return true;
    fprintf(stderr, "bench: no OpenCL implementation answers at %s\n", peer->icd);
    peer_stop(peer);
    return false;
}

/* ---- measuring ----------------------------------------------------------------------------------------------- */

static double in_new_process(struct peer *peer, const struct row *row, int round) {
    char cache[32], line[64] = "";
    snprintf(cache, sizeof cache, row->kind == ROW_COLD ? "cold%d" : "cached", round);
    int in, out;
    pid_t pid = start(peer, "--build", cache, &in, &out);
    bool ok = pid > 0 && read_line(out, line, sizeof line);
    if (pid > 0 && !ok)
        kill(pid, SIGKILL);
    close(in);
    close(out);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return ok ? atof(line) : -1;
}

static double measure(struct peer *peer, unsigned row, int round) {
    char line[64];
    if (rows[row].kind == ROW_COLD || rows[row].kind == ROW_CACHED)
        return in_new_process(peer, &rows[row], round);
    if (!peer->pid && !peer_start(peer))
        return -1;
    fprintf(peer->requests, "%u\n", row);
    fflush(peer->requests);
    if (read_line(peer->answers, line, sizeof line))
        return atof(line);
    peer_stop(peer);
    return -1;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values) { /* a failed round fails the row */
    double sorted[MAX_ROUNDS];
    memcpy(sorted, values, rounds * sizeof *values);
    qsort(sorted, rounds, sizeof *sorted, by_value);
    return sorted[0] < 0 ? -1 : sorted[rounds / 2];
}

static bool measure_row(unsigned row) {
    bool ok = true;
    for (int p = 0; rows[row].kind == ROW_CACHED && p < npeers; p++)
        measure(&peers[p], row, 0); /* fills the cache */
    for (int round = 0; round < rounds; round++)
        for (int p = 0; p < npeers; p++) {
            if (isatty(STDERR_FILENO))
                fprintf(stderr, "\r\033[K%s, round %d of %d, %s", rows[row].name, round + 1, rounds,
                        peers[p].icd);
            peers[p].blocks[row][round] = measure(&peers[p], row, round);
        }
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    for (int p = 0; p < npeers; p++) {
        peers[p].medians[row] = median(peers[p].blocks[row]);
        ok &= peers[p].medians[row] >= 0;
    }
    return ok;
}

/* ---- results -------------------------------------------------------------------------------------------------- */

static void print_time(double seconds) {
    if (seconds < 0)
        printf(" %14s", "failed");
    else if (seconds < 1e-3)
        printf(" %11.3f us", seconds * 1e6);
    else
        printf(" %11.3f ms", seconds * 1e3);
}

static void print_head(void) {
    for (int p = 0; p < npeers; p++)
        printf("%c  %s, %s, on %s\n", 'A' + p, peers[p].name, peers[p].version, peers[p].device);
    printf("\n%-42s", "median of block medians");
    for (int p = 0; p < npeers; p++)
        printf(" %14c", 'A' + p);
    for (int p = 1; p < npeers; p++)
        printf("     %c/A", 'A' + p);
    puts("");
}

static void print_row(unsigned row) {
    printf("%-42s", rows[row].name);
    for (int p = 0; p < npeers; p++)
        print_time(peers[p].medians[row]);
    for (int p = 1; p < npeers; p++)
        if (peers[p].medians[row] >= 0 && peers[0].medians[row] > 0)
            printf(" %7.2f", peers[p].medians[row] / peers[0].medians[row]);
        else
            printf(" %7s", "-");
    puts("");
    fflush(stdout);
}

static bool write_json(const char *path) {
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(f, "{\n  \"rounds\": %d,\n  \"implementations\": [", rounds);
    for (int p = 0; p < npeers; p++)
        fprintf(f, "%s\n    {\"name\": \"%s\", \"version\": \"%s\", \"device\": \"%s\"}", p ? "," : "",
                peers[p].name, peers[p].version, peers[p].device);
    fprintf(f, "\n  ],\n  \"rows\": [");
    for (unsigned row = 0; row < nrows; row++) {
        fprintf(f, "%s\n    {\"name\": \"%s\", \"seconds\": [", row ? "," : "", rows[row].name);
        for (int p = 0; p < npeers; p++)
            if (peers[p].medians[row] < 0)
                fprintf(f, "%snull", p ? ", " : "");
            else
                fprintf(f, "%s%.9g", p ? ", " : "", peers[p].medians[row]);
        fprintf(f, "]}");
    }
    fprintf(f, "\n  ]\n}\n");
    return fclose(f) == 0;
}

static int remove_entry(const char *path, const struct stat *status, int flag, struct FTW *ftw) {
    return remove(path);
}

static int usage(FILE *to, int code) {
    fprintf(to,
            "Usage: bench --icd FILE.icd [--icd FILE.icd]... [--rounds N] [--json FILE]\n\n"
            "Measures OpenCL implementations side by side, each in its own process.\n"
            "The first one is what the others are compared with: a ratio above 1 says that it is faster.\n");
    return code;
}

static int compare(const char *json) {
    bool ok = true;
    if (!mkdtemp(workspace)) {
        fprintf(stderr, "bench: cannot make a directory under /tmp: %s\n", strerror(errno));
        return 1;
    }
    signal(SIGPIPE, SIG_IGN);
    for (int p = 0; p < npeers; p++)
        ok &= peer_start(&peers[p]);
    bool has_all = ok;
    if (has_all)
        print_head();
    for (unsigned row = 0; has_all && row < nrows; row++) {
        ok &= measure_row(row);
        print_row(row);
    }
    for (int p = 0; p < npeers; p++)
        peer_stop(&peers[p]);
    nftw(workspace, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    if (has_all && json && !write_json(json)) {
        fprintf(stderr, "bench: cannot write %s: %s\n", json, strerror(errno));
        return 1;
    }
    return !ok;
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"icd", required_argument, NULL, 'i'},
                                            {"rounds", required_argument, NULL, 'r'},
                                            {"json", required_argument, NULL, 'j'},
                                            {"help", no_argument, NULL, 'h'},
                                            {"serve", no_argument, NULL, 's'},
                                            {"build", no_argument, NULL, 'b'},
                                            {0}};
    const char *json = NULL;
    self = "/proc/self/exe";
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) >= 0;)
        switch (option) {
        case 'i':
            if (npeers < MAX_PEERS)
                peers[npeers++].icd = optarg;
            break;
        case 'r':
            rounds = atoi(optarg);
            break;
        case 'j':
            json = optarg;
            break;
        case 's':
            return serve();
        case 'b':
            return build_once();
        default:
            return usage(option == 'h' ? stdout : stderr, option == 'h' ? 0 : 2);
        }
    if (!npeers || optind < argc || rounds < 1 || rounds > MAX_ROUNDS)
        return usage(stderr, 2);
    return compare(json);
}

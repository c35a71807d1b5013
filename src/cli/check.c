/* check.c: `weir check`: runs a kernel, or a whole program with all that it starts, under the checker.
 *
 * In: a command line as for `weir run`, or after `--` a program's. Out: what the checker says, on standard error as it
 * comes; at the end a line with the findings by kind. The exit code is 1 if there are any, else the program's. */
#include "cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KINDS_MOST = 16 };

struct kinds { /* of findings, in the order in which they came */
    char *names[KINDS_MOST];
    unsigned counts[KINDS_MOST], n, all;
};

static void count(struct kinds *k, const char *name, size_t length) {
    unsigned i = 0;
    k->all++;
    while (i < k->n && (strncmp(k->names[i], name, length) || k->names[i][length]))
        i++;
    if (i == KINDS_MOST)
        return;
    if (i == k->n) {
        k->names[k->n++] = must_printf("%.*s", (int)length, name);
    }
    k->counts[i]++;
}

/* Lines {"kind":"NAME",...} from byte `from` on. */
static void read_report(const char *path, size_t from, struct kinds *kinds) {
    static const char key[] = "{\"kind\":\"";
    struct buf text = {0};
    if (!read_file(path, &text) && errno != ENOENT)
        die(EXIT_FAULT, "cannot read %s: %s", path, strerror(errno));
    const char *all = text.data ? buf_cstr(&text) : "";
    for (const char *line = from < text.size ? all + from : ""; *line; line = strchr(line, '\n') + 1) {
        if (!strncmp(line, key, sizeof key - 1))
            count(kinds, line + sizeof key - 1, strcspn(line + sizeof key - 1, "\""));
        if (!strchr(line, '\n'))
            break;
    }
    buf_free(&text);
}

static size_t size_of(const char *path) {
    struct buf text = {0};
    size_t size = read_file(path, &text) ? text.size : 0;
    buf_free(&text);
    return size;
}

/* Runs it to its end; its exit code as shells have it. */
static int run_program(char **argv) {
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        die(EXIT_FAULT, "cannot start %s: %s", argv[0], strerror(errno));
    if (!pid) {
        execvp(argv[0], argv);
        fprintf(stderr, "weir: cannot start %s: %s\n", argv[0], strerror(errno));
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            die(EXIT_FAULT, "cannot wait for %s: %s", argv[0], strerror(errno));
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* `weir run` with the same arguments. */
static char **own_run(int argc, char **argv) {
    char **command = must_alloc(((size_t)argc + 3) * sizeof *command);
    char *folder = self_directory();
    command[0] = must_printf("%s/weir", folder);
    command[1] = "run";
    for (int i = 1; i < argc; i++)
        command[i + 1] = argv[i];
    free(folder);
    return command;
}

static int check_entry(int argc, char **argv) {
    char own[] = "/tmp/weir-check.XXXXXX", *report = getenv("WEIR_CHECK_REPORT");
    bool is_program = argc > 1 && !strcmp(argv[1], "--"), is_own = !report || !*report;
    if (argc < 2 || (is_program && argc < 3))
        die(EXIT_USAGE, "check: a file and a kernel, or -- and a program");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        fputs(command_check.help, stdout);
        return EXIT_DONE;
    }
    if (is_own) {
        int fd = mkstemp(own);
        if (fd < 0)
            die(EXIT_FAULT, "cannot make a file in /tmp: %s", strerror(errno));
        close(fd);
        report = own;
    }
    size_t before = size_of(report);
    setenv("WEIR_CHECK", "1", 1);
    setenv("WEIR_CHECK_REPORT", report, 1);
    target_point_loader();
    char **command = is_program ? argv + 2 : own_run(argc, argv);
    int code = run_program(command);
    struct kinds kinds = {0};
    read_report(report, before, &kinds);
    if (is_own)
        unlink(own);
    for (unsigned i = 0; i < kinds.n; i++) {
        fprintf(stderr, "%s%u %s", i ? ", " : "weir check found: ", kinds.counts[i], kinds.names[i]);
        free(kinds.names[i]);
    }
    fputs(kinds.n ? "\n" : "weir check found nothing\n", stderr);
    if (!is_program) {
        free(command[0]);
        free(command);
    }
    return kinds.all ? EXIT_FAULT : code;
}

static const char help[] =
    "Usage: weir check FILE KERNEL --global N[,N[,N]] [OPTION]...    as weir run\n"
    "       weir check -- PROGRAM [ARGUMENT]...\n\n"
    "Runs a kernel, or a program with all that it starts, under the checker: divergent barriers, data "
    "races,\n"
    "fence flags that are missing, accesses out of bounds, with their source lines (docs/checker.md).\n"
    "Exits with 1 if there are findings, else with the program's code. WEIR_CHECK_REPORT=FILE keeps them as\n"
    "JSON lines.\n\n"
    "Example:\n"
    "  weir check sum.cl sum --global 1024 --local 64 --arg iota --arg out\n";

const struct command command_check = {"check", "finds races and divergent barriers while a kernel runs",
                                      check_entry, help, NULL};

/* main.c: entry of `weir`: finds the command, and the helpers that all commands share.
 * In: the command line. Out: the command's exit code. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const struct command *const commands[] = {&command_info,   &command_run,   &command_compile,
                                                 &command_check,  &command_cache, &command_trace,
                                                 &command_doctor, &command_bench};
enum { NCOMMANDS = sizeof commands / sizeof *commands };

static const char *running; /* the command whose --help a usage error points to */

void die(enum exit_code code, const char *format, ...) {
    va_list args;
    fflush(stdout);
    fputs("weir: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    if (code == EXIT_USAGE)
        fprintf(stderr, "Try `weir %s--help`.\n", running ? running : "");
    fflush(NULL);
    temporary_remove();
    _exit(code); /* not through exit(): worker threads may be running */
}

/* The exit code, unless what was printed reaches nobody. */
static int end(int code) {
    if ((fflush(stdout) || ferror(stdout)) && errno != EPIPE) /* head has what it wants */
        die(EXIT_FAULT, "cannot write the output: %s", strerror(errno));
    return code;
}

/* Columns of the terminal that standard output is; 0: it is none. */
static size_t terminal_columns(void) {
    const char *asked = getenv("COLUMNS");
    struct winsize size;
    if (!isatty(STDOUT_FILENO))
        return 0;
    if (asked && atoi(asked) > 0)
        return (size_t)atoi(asked);
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

/* Where lines that go on with this one begin: below it, or its second column, as an option's text, if half of the room is left. */
static size_t hanging_indent(const char *line, size_t length, size_t columns) {
    size_t first = strspn(line, " "), second = first;
    while (second + 1 < length && (line[second] != ' ' || line[second + 1] != ' '))
        second++;
    second += strspn(line + second, " ");
    size_t indent = first && second < length ? second : first;
    return indent <= columns / 2 ? indent : 4;
}

/* The last space up to `most`, but behind `least`; else the next one, or the line's end. */
static size_t line_break(const char *line, size_t least, size_t most, size_t length) {
    size_t at = most;
    while (at > least && line[at] != ' ')
        at--;
    for (at = at > least ? at : most; at < length && line[at] != ' ';)
        at++;
    return at;
}

/* Prints the text with lines that are no longer than the terminal, as far as their words are. */
static void print_folded(const char *text) {
    size_t columns = terminal_columns();
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        size_t begin = 0, indent = 0, hanging = hanging_indent(text, length, columns);
        while (columns > hanging && length - begin + indent > columns) {
            size_t end = line_break(text, begin + hanging - indent, begin + columns - indent, length);
            printf("%*s%.*s\n", (int)indent, "", (int)(end - begin), text + begin);
            begin = end + strspn(text + end, " ");
            indent = hanging;
        }
        if (begin < length || !length)
            printf("%*s%.*s\n", (int)indent, "", (int)(length - begin), text + begin);
    }
}

int help_print(const struct command *command) {
    print_folded(command->help);
    if (command->more_help)
        print_folded(command->more_help);
    return EXIT_DONE;
}

/* "; did you mean ...?", or nothing where no word is near. */
static char *question(const struct meant *m, const char *dashes) {
    return m->word ? must_printf("; did you mean %s%s?", dashes, m->word) : must_printf("%s", "");
}

static _Noreturn void die_of_option(const struct command *command, const char *typed,
                                    const struct option *options) {
    struct meant m = {.typed = typed + strspn(typed, "-")};
    for (const struct option *o = options; o->name; o++)
        meant_try(&m, o->name);
    die(EXIT_USAGE, "%s: unknown option %s%s", command->name, typed, question(&m, "--"));
}

int next_option(const struct command *command, int argc, char **argv, const struct option *options) {
    opterr = 0;
    bool has_output = false;
    for (const struct option *o = options; o->name; o++)
        has_output |= o->val == 'o';
    int option = getopt_long(argc, argv, has_output ? ":ho:" : ":h", options, NULL);
    if (option == 'h')
        exit(end(help_print(command)));
    if (option == ':')
        die(EXIT_USAGE, "%s: option %s wants a value", command->name, argv[optind - 1]);
    if (option == '?')
        die_of_option(command, argv[optind - 1], options);
    return option;
}

void *must_alloc(size_t n) {
    void *p = calloc(1, n ? n : 1);
    if (!p)
        die(EXIT_FAULT, "out of memory (%zu bytes)", n);
    return p;
}

char *must_printf(const char *format, ...) {
    char *text;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    if (n < 0)
        die(EXIT_FAULT, "out of memory");
    return text;
}

bool parse_uint(const char *text, uint64_t *value) {
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, text[1] == 'x' ? 16 : 10);
    return !errno && !*end;
}

bool parse_sizes(const char *text, size_t sizes[3], unsigned *dim) {
    char *copy = must_printf("%s", text), *at = copy, *part;
    bool ok = true;
    *dim = 0;
    while (ok && (part = strsep(&at, ",")) != NULL) {
        uint64_t n;
        ok = *dim < 3 && parse_uint(part, &n);
        if (ok)
            sizes[(*dim)++] = n;
    }
    free(copy);
    return ok;
}

bool read_file(const char *path, struct buf *out) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    char block[65536];
    ssize_t n;
    while ((n = read(fd, block, sizeof block)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            buf_bytes(out, block, n);
    int error = n < 0 ? errno : out->failed ? ENOMEM : 0;
    close(fd);
    errno = error;
    return !error;
}

static _Noreturn void die_of_output(const char *path, enum output_kind kind) {
    struct buf why = {0};
    output_error(&why, path, kind, errno);
    die(EXIT_FAULT, "%s", buf_cstr(&why));
}

void check_output(const char *path, enum output_kind kind) {
    if (!output_may_open(path, kind))
        die_of_output(path, kind);
}

void write_output(const char *path, enum output_kind kind, const struct buf *text) {
    if (!output_write(path, kind, text))
        die_of_output(path, kind);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, size_t n) {
    qsort(values, n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

char *self_directory(void) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = 0;
    return must_printf("%s", slash ? path : ".");
}

static int help(FILE *to) {
    fputs("Weir, OpenCL for CPUs.\n\nUsage: weir COMMAND [OPTION]...\n\nCommands:\n", to);
    for (int i = 0; i < NCOMMANDS; i++)
        fprintf(to, "  %-10s%s\n", commands[i]->name, commands[i]->summary);
    fputs("  help      this text, or with a COMMAND its options\n\n"
          "`weir COMMAND --help` says more. `weir --version` prints the version.\n"
          "Exit codes: 0 done, 1 the program or the machine failed, 2 wrong usage.\n",
          to);
    return to == stdout ? EXIT_DONE : EXIT_USAGE;
}

static const struct command *find(const char *name) {
    for (int i = 0; i < NCOMMANDS; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

static _Noreturn void die_of_command(const char *typed) {
    struct meant m = {.typed = typed};
    for (int i = 0; i < NCOMMANDS; i++)
        meant_try(&m, commands[i]->name);
    die(EXIT_USAGE, "no command '%s'%s", typed, question(&m, ""));
}

int main(int argc, char **argv) {
    if (argc < 2)
        return help(stderr);
    const char *name = argv[1];
    if (!strcmp(name, "--version") || !strcmp(name, "-V"))
        return puts("weir " WEIR_VERSION), end(EXIT_DONE);
    bool wants_help = !strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h");
    if (wants_help && (argc == 2 || (argc == 3 && !strcmp(argv[2], "--help"))))
        return end(help(stdout));
    const struct command *command = find(wants_help ? argv[2] : name);
    if (!command)
        die_of_command(wants_help ? argv[2] : name);
    if (wants_help)
        return end(help_print(command));
    if (command != &command_cache) /* the others have libweir or weirc say it */
        env_quiet();
    running = must_printf("%s ", command->name);
    return end(command->run(argc - 1, argv + 1));
}

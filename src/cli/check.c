/* check.c: `weir check`: runs a kernel, or a whole program with all that it starts, under the checker.
 *
 * In: a command line as for `weir run`, or after `--` a program's. Out: what the checker says, on standard error as it
 * comes; at the end the findings by kind, suppressions that nothing needed, and if asked for a SARIF log. The exit code is
 * 0 if there is nothing, 1 if there are findings, 2 if nothing could be checked; else the program's own, if it failed. */
#define _GNU_SOURCE
#include "cli.h"
#include "finding.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_FINDINGS = 1, EXIT_UNCHECKED = 2 };

/* Options of its own; the others are those of `weir run`. */
static const struct own_option {
    const char *name, *env; /* env: what the checker reads it from */
} own_options[] = {
    {"--suppress", "WEIR_CHECK_SUPPRESS"},
    {"--report", "WEIR_CHECK_REPORT"},
    {"--deadlock", "WEIR_CHECK_DEADLOCK"},
};

struct check {
    bool is_program; /* the command line has `--` */
    char **command;  /* to run */
    bool wants_sarif;
    const char *sarif;         /* a file; NULL: standard output */
    const char *report, *copy; /* copy: NULL, or the user's file, which isn't a regular one */
    const char *notes;
    size_t before;         /* bytes of the report that were there */
    struct json *findings; /* a list */
    unsigned nfindings, nkernels;
    struct suppressions rules;
    bool *used; /* by rule */
    struct checked_run run;
};

/* The checker could not run. */
static _Noreturn __attribute__((format(printf, 1, 2))) void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("weir: ", stderr);
    vfprintf(stderr, format, args);
    fputs("\n", stderr);
    va_end(args);
    exit(EXIT_UNCHECKED);
}

/* ---- the command line ---- */

/* How to take what programs leave open: added to WEIR_CHECK_OPTIONS. */
static bool take_reading(const char *a) {
    static const char *const names[] = {"--strict-scope", "--strict-writes", "--lockstep"};
    const char *set = getenv("WEIR_CHECK_OPTIONS");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        size_t n = strlen(names[k]);
        bool has_number = k == 2 && !strncmp(a, "--lockstep=", 11);
        if (strcmp(a, names[k]) && !has_number)
            continue;
        if (has_number && (strspn(a + n + 1, "0123456789") != strlen(a + n + 1) || atol(a + n + 1) < 2 ||
                           atol(a + n + 1) > CHECK_LOCKSTEP_MOST))
            die(EXIT_USAGE, "check: %s: a number of work-items from 2 to %d", a, CHECK_LOCKSTEP_MOST);
        char *text = must_printf("%s%s%s", set ? set : "", set && *set ? "," : "", a + 2);
        setenv("WEIR_CHECK_OPTIONS", text, 1);
        free(text);
        return true;
    }
    return false;
}

/* Takes one of its own options at argv[*i]. */
static bool take_option(struct check *c, int argc, char **argv, int *i) {
    const char *a = argv[*i];
    if (take_reading(a))
        return true;
    if (!strcmp(a, "--sarif") || !strncmp(a, "--sarif=", 8)) {
        c->wants_sarif = true;
        c->sarif = a[7] ? a + 8 : NULL;
        if (c->sarif && !*c->sarif)
            die(EXIT_USAGE, "check: option --sarif= wants a file");
        return true;
    }
    for (size_t k = 0; k < sizeof own_options / sizeof *own_options; k++) {
        size_t n = strlen(own_options[k].name);
        if (strncmp(a, own_options[k].name, n) || (a[n] && a[n] != '='))
            continue;
        const char *value = a[n] ? a + n + 1 : *i + 1 < argc ? argv[++*i] : NULL;
        if (!value || !*value || (!a[n] && !strcmp(value, "--")))
            die(EXIT_USAGE, "check: option %s wants a value", own_options[k].name);
        uint64_t ms;
        if (!strcmp(own_options[k].name, "--deadlock") && (!parse_uint(value, &ms) || ms > 86400000))
            die(EXIT_USAGE, "check: --deadlock wants milliseconds, 0 to 86400000, not '%s'", value);
        setenv(own_options[k].env, value, 1);
        return true;
    }
    return false;
}

static void read_command_line(struct check *c, int argc, char **argv) {
    struct buf words = {0};
    char *folder = self_directory();
    int n = 0;
    c->command = must_alloc(((size_t)argc + 3) * sizeof *c->command);
    c->command[n++] = must_printf("%s/weir", folder);
    c->command[n++] = "run";
    free(folder);
    for (int i = 1; i < argc && !c->is_program; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            exit(help_print(&command_check));
        }
        if (!strcmp(argv[i], "--")) {
            c->is_program = true;
            if (n > 2)
                die(EXIT_USAGE, "check: '%s' before --, where only its own options may be", c->command[2]);
            c->command = argv + i + 1;
            n = argc - i - 1;
        } else if (!take_option(c, argc, argv, &i)) {
            if (n == 2 && argv[i][0] == '-')
                die(EXIT_USAGE, "check: unknown option %s", argv[i]);
            c->command[n++] = argv[i];
        }
    }
    if (n < (c->is_program ? 1 : 4))
        die(EXIT_USAGE, "check wants FILE, KERNEL and --global, or -- and a program");
    for (int i = 0; i < argc; i++)
        buf_printf(&words, "%s%s", i ? " " : "weir ", argv[i]);
    c->run.command = buf_cstr(&words);
}

static void wrong_rule(void *user, unsigned line, const char *what) {
    if (line)
        fprintf(stderr, "weir: %s:%u: %s\n", (const char *)user, line, what);
    else
        fprintf(stderr, "weir: cannot read %s: %s\n", (const char *)user, what);
}

/* ---- files ---- */

static size_t size_of(const char *path) {
    struct stat info;
    return stat(path, &info) ? 0 : (size_t)info.st_size;
}

static _Noreturn void fail_of_output(const char *path, enum output_kind kind) {
    struct buf why = {0};
    output_error(&why, path, kind, errno);
    fail("%s", buf_cstr(&why));
}

/* With room for what the program writes there: who finds none would see a program that did nothing. Where a file system can't
 * keep room, that shows later. */
static void make_file(const char *path, enum output_kind kind) {
    enum { ROOM = 1 << 16 };
    int fd = output_open(path, kind, OUTPUT_APPEND);
    if (fd < 0 || (fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)size_of(path), ROOM) && errno != EOPNOTSUPP &&
                   errno != ENODEV && errno != ENOSYS))
        fail_of_output(path, kind);
    close(fd);
}

/* The user's file if findings can be read back from it; else one of its own, which is copied there at the end. */
static void choose_files(struct check *c) {
    struct stat info;
    char why[PATH_MAX + 200];
    const char *asked = getenv("WEIR_CHECK_REPORT");
    asked = asked && *asked ? must_printf("%s", asked) : NULL; /* setenv changes it */
    if (!temporary_make(why, sizeof why))
        fail("%s", why);
    c->report = asked;
    bool takes_it = asked && (stat(asked, &info) || S_ISREG(info.st_mode));
    c->report = takes_it ? asked : temporary_path("findings");
    c->copy = takes_it ? NULL : asked;
    make_file(c->report, OUTPUT_FINDINGS);
    if (c->sarif && !output_may_open(c->sarif, OUTPUT_SARIF))
        fail_of_output(c->sarif, OUTPUT_SARIF);
    c->notes = temporary_path("notes");
    make_file(c->notes, OUTPUT_NOTES);
    c->before = size_of(c->report);
    setenv("WEIR_CHECK", "1", 1);
    setenv("WEIR_CHECK_NOTES", c->notes, 1);
    setenv("WEIR_CHECK_REPORT", c->report, 1);
}

static const char *read_all(const char *path, struct buf *text) {
    if (!read_file(path, text))
        fail("cannot read %s: %s", path, strerror(errno));
    return text->size ? buf_cstr(text) : "";
}

static void place_key(struct buf *key, const struct json *place) {
    const char *file = json_text(place, "file");
    const struct json *stack = json_field(place, "stack");
    buf_printf(key, "%s:%llu:%llu ", *file ? file : json_text(place, "who"),
               (unsigned long long)json_number(place, "line"),
               (unsigned long long)json_number(place, "column"));
    for (const struct json *call = stack ? stack->first : NULL; call; call = call->next)
        place_key(key, call);
}

/* What processes that run the same kernels have in common. */
static bool is_same(const struct json *x, const struct json *y) {
    static const char *const sides[2][2] = {{"a", "b"}, {"b", "a"}};
    bool same = false;
    if (strcmp(json_text(x, "kind"), json_text(y, "kind")) ||
        strcmp(json_text(x, "kernel"), json_text(y, "kernel")))
        return false;
    if (!*json_text(json_field(x, "a"), "file"))
        return !strcmp(json_text(x, "message"), json_text(y, "message"));
    for (int order = 0; order < 2; order++) {
        struct buf first = {0}, second = {0};
        place_key(&first, json_field(x, "a"));
        place_key(&first, json_field(x, "b"));
        place_key(&second, json_field(y, sides[order][0]));
        place_key(&second, json_field(y, sides[order][1]));
        same |= first.size == second.size && !memcmp(first.data, second.data, first.size);
        buf_free(&first);
        buf_free(&second);
    }
    return same;
}

/* True: the list has it already, and now its count. */
static bool joins(struct json *findings, const struct json *finding) {
    struct json *f = findings;
    while (f && !is_same(f, finding))
        f = f->next;
    struct json *count = f ? (struct json *)json_field(f, "count") : NULL;
    if (count)
        count->number += (double)json_number(finding, "count");
    return f;
}

static void read_findings(struct check *c) {
    struct buf text = {0};
    const char *all = read_all(c->report, &text);
    struct json **last = &c->findings;
    for (const char *line = all + (c->before < text.size ? c->before : text.size); *line;) {
        size_t n = strcspn(line, "\n");
        struct json *finding = json_read(line, n);
        if (finding && joins(c->findings, finding)) {
            json_free(finding);
        } else if (finding) {
            *last = finding;
            last = &finding->next;
            c->nfindings++;
        } else if (n) {
            fprintf(stderr, "weir check: a line of the report was not written to its end\n");
        }
        line += n + (line[n] == '\n');
    }
    FILE *f = c->copy ? fopen(c->copy, "ae") : NULL;
    if (c->copy && (!f || fputs(all, f) < 0 || fclose(f)))
        fprintf(stderr, "weir: cannot write %s: %s\n", c->copy, strerror(errno));
    buf_free(&text);
}

static bool is_new_line(const char *all, const char *line, size_t n) {
    const char *at = all;
    while (at < line && (strcspn(at, "\n") != n || memcmp(at, line, n)))
        at += strcspn(at, "\n") + 1;
    return at == line;
}

static void read_notes(struct check *c) {
    struct buf text = {0};
    const char *all = read_all(c->notes, &text);
    size_t head = strlen(output_head(OUTPUT_NOTES));
    for (const char *line = all; *line;) {
        size_t n = strcspn(line, "\n");
        const char *note = n < head ? "" : line + head;
        if (!strncmp(note, "kernel ", 7))
            c->nkernels += is_new_line(all, line, n);
        for (size_t i = 0; i < c->rules.n && !strncmp(note, "rule ", 5); i++)
            if (strtoul(note + 5, NULL, 10) == c->rules.at[i].line)
                c->used[i] = true;
        line += n + (line[n] == '\n');
    }
    c->run.was_checked = c->nkernels > 0;
    buf_free(&text);
}

/* ---- the program ---- */

static void run_program(struct check *c) {
    bool is_quiet = c->wants_sarif && !c->sarif; /* the log has standard output for itself */
    int error = program_run(c->command, is_quiet, &c->run.code, &c->run.signal);
    if (error)
        fail("cannot start %s: %s", c->command[0], strerror(error));
}

/* ---- the end ---- */

static void show_kinds(const struct check *c) {
    bool any = false;
    for (int kind = 0; kind < FINDING_KINDS_COUNT; kind++) {
        unsigned n = 0;
        for (const struct json *f = c->findings; f; f = f->next)
            n += !strcmp(json_text(f, "kind"), finding_words[kind].name);
        if (n)
            fprintf(stderr, "%s%u %s", any ? ", " : "weir check found: ", n, finding_words[kind].name);
        any |= n;
    }
    if (any)
        fputs("\n", stderr);
    else if (c->nkernels)
        fprintf(stderr, "weir check found nothing in %u kernel%s\n", c->nkernels,
                c->nkernels == 1 ? "" : "s");
    else if (c->is_program)
        fprintf(stderr, "weir check: the program ran no kernel on Weir%s\n",
                c->run.code || c->run.signal ? "" : target_unused());
    else
        fprintf(stderr, "weir check: no kernel ran, so nothing was checked\n");
}

static void show_summary(const struct check *c) {
    const char *name = c->is_program ? c->command[0] : "weir run";
    for (size_t i = 0; i < c->rules.n; i++)
        if (!c->used[i])
            fprintf(stderr, "weir check: %s:%u: nothing to suppress: %s\n", getenv("WEIR_CHECK_SUPPRESS"),
                    c->rules.at[i].line, c->rules.at[i].text);
    if (c->run.signal)
        fprintf(stderr, "weir check: %s was killed by signal %d (%s)\n", name, c->run.signal,
                strsignal(c->run.signal));
    else if (c->run.code)
        fprintf(stderr, "weir check: %s ended with %d\n", name, c->run.code);
    show_kinds(c);
}

static void write_sarif(const struct check *c) {
    struct buf log = {0};
    sarif_write(&log, c->findings, &c->run);
    if (c->sarif && !output_write(c->sarif, OUTPUT_SARIF, &log))
        fail_of_output(c->sarif, OUTPUT_SARIF);
    if (!c->sarif && (log.failed || fwrite(log.data, 1, log.size, stdout) != log.size || fflush(stdout)))
        fail("cannot write the SARIF log: %s", strerror(errno));
    buf_free(&log);
}

static int exit_code(const struct check *c) {
    if (c->findings)
        return EXIT_FINDINGS;
    if (!c->run.was_checked)
        return EXIT_UNCHECKED;
    return c->run.code && !c->is_program ? EXIT_UNCHECKED : c->run.code;
}

static int check_entry(int argc, char **argv) {
    struct check c = {0};
    read_command_line(&c, argc, argv);
    char *rules = getenv("WEIR_CHECK_SUPPRESS");
    if (rules && *rules && !suppress_read(&c.rules, rules, wrong_rule, rules))
        return EXIT_UNCHECKED;
    c.used = must_alloc((c.rules.n + 1) * sizeof *c.used);
    choose_files(&c);
    target_point_loader();
    run_program(&c);
    read_findings(&c);
    read_notes(&c);
    show_summary(&c);
    if (c.wants_sarif)
        write_sarif(&c);
    return exit_code(&c);
}

static const char help[] =
    "Usage: weir check [OPTION]... FILE KERNEL --global N[,N[,N]] ...    as weir run\n"
    "       weir check [OPTION]... -- PROGRAM [ARGUMENT]...\n\n"
    "Runs a kernel, or a program and all that it starts, under the checker. It finds divergent barriers, "
    "data\n"
    "races, missing fence flags and out-of-bounds accesses, with their source lines (docs/checker.md).\n\n"
    "  --sarif[=FILE]       writes a SARIF 2.1.0 log; without a file, to standard output\n"
    "  --report FILE        appends a line of JSON for each finding (WEIR_CHECK_REPORT)\n"
    "  --suppress FILE      a file of known findings that are not reported (WEIR_CHECK_SUPPRESS)\n"
    "  --deadlock MS        time without progress that counts as a deadlock (WEIR_CHECK_DEADLOCK)\n"
    "  --strict-scope       mem_fence reaches only its own work-group\n"
    "  --strict-writes      two stores of the same value are a race, too\n"
    "  --lockstep[=N]       the work-items of a sub-group, or N in a row, run in step\n"
    "                       (these three: WEIR_CHECK_OPTIONS)\n\n"
    "Exits with 0 if nothing was found, 1 if something was, 2 if nothing could be checked. A program that\n"
    "fails without findings keeps its own exit code.\n\n"
    "Example:\n"
    "  weir check sum.cl sum --global 1024 --local 64 --arg iota --arg out\n";

const struct command command_check = {"check", "finds races and divergent barriers while a kernel runs",
                                      check_entry, help, NULL};

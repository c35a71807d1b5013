/* profile.c: `weir run --profile`, and profiles for the page of `weir trace --html`.
 *
 * In: a file of WEIR_PROFILE: a line of JSON about the samples, and one for each kernel object with its lines and report.
 * Out: the listing of a kernel with its lines' shares of the time. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_samples(const void *a, const void *b) {
    uint64_t x = json_number(*(struct json *const *)a, "samples"),
             y = json_number(*(struct json *const *)b, "samples");
    return (x < y) - (x > y);
}

bool profile_read(struct profile *p, const char *path) {
    struct buf text = {0};
    char *line = read_file(path, &text) ? buf_cstr(&text) : NULL, *end;
    size_t lines = 0;
    *p = (struct profile){0};
    for (size_t i = 0; line && i < text.size; i++)
        lines += line[i] == '\n';
    p->kernels = must_alloc(lines * sizeof *p->kernels);
    for (; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        struct json *j = json_read(line, (size_t)(end - line));
        if (j && !p->about)
            p->about = j;
        else if (j)
            p->kernels[p->nkernels++] = j;
    }
    buf_free(&text);
    if (p->nkernels)
        qsort(p->kernels, p->nkernels, sizeof *p->kernels, by_samples);
    return p->about;
}

void profile_free(struct profile *p) {
    for (size_t i = 0; i < p->nkernels; i++)
        json_free(p->kernels[i]);
    free(p->kernels);
    json_free(p->about);
}

/* A kernel may have several objects: for full work-groups, and for smaller ones at the edges. Those without time are few
 * words' worth. */
static void show(const struct profile *p, const char *file, const char *kernel) {
    uint64_t all = json_number(p->about, "samples"), lost = json_number(p->about, "lost");
    double elsewhere = (double)json_number(p->about, "elsewhere");
    struct buf text = {0};
    printf("\nprofile: %llu samples of %llu threads by %s", (unsigned long long)all,
           (unsigned long long)json_number(p->about, "threads"), json_text(p->about, "method"));
    if (elsewhere && all)
        printf("; %.1f%% of them between kernels' code", 100 * elsewhere / (double)all);
    puts("");
    if (lost)
        printf("%llu samples more were lost\n", (unsigned long long)lost);
    if (all < 100)
        printf("%s: --repeat N runs it longer\n",
               all ? "so few tell little" : "the kernel ran for too short a time");
    for (size_t i = 0; i < p->nkernels; i++) {
        const struct json *k = p->kernels[i], *report = json_field(k, "report");
        if (strcmp(json_text(k, "kernel"), kernel) || (i && !json_number(k, "samples")))
            continue;
        struct listing *l = listing_new(report && !report->is_null ? report : k, k, file);
        buf_printf(&text, "\n");
        listing_text(&text, l, wants_colour(STDOUT_FILENO));
        listing_free(l);
    }
    fwrite(text.data, 1, text.size, stdout);
    buf_free(&text);
}

int profile_run(char **argv, const char *by, const char *file, const char *kernel, const char *platform) {
    int code = 0, signaled = 0;
    size_t n = 0;
    if (platform && strcasecmp(platform, "weir"))
        die(EXIT_USAGE, "--profile shows Weir's own code: it takes no --platform");
    char *path = temporary_path("profile");
    while (argv[n])
        n++;
    char **command = must_alloc((n + 2) * sizeof *command);
    command[0] = must_printf("/proc/self/exe");
    for (size_t i = 0; i < n; i++)
        command[i + 1] = argv[i];
    setenv("WEIR_PROFILE", path, 1);
    if (*by)
        setenv("WEIR_PROFILE_BY", by, 1);
    int error = program_run(command, false, &code, &signaled);
    struct profile profile;
    bool is_there = !error && profile_read(&profile, path);
    free(path);
    if (error)
        die(EXIT_FAULT, "cannot start weir once more: %s", strerror(error));
    if (signaled)
        fprintf(stderr, "weir: the kernel was ended by signal %d (%s)\n", signaled, strsignal(signaled));
    if (is_there && (!code || signaled)) {
        show(&profile, file, kernel);
        profile_free(&profile);
    } else if (!code) {
        die(EXIT_FAULT, "there is no profile: no kernel ran on Weir");
    }
    return code;
}

/* results.c: the table, the results' file and the comparison of two of them.
 * The file is JSON, one result on each line, which is all that results_read knows how to read. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_time(const struct result *result) {
    double s = result->seconds;
    if (result->status != OK)
        printf(" %12s", status_names[result->status]);
    else
        printf(s < 1e-3 ? " %9.2f us" : " %9.2f ms", s < 1e-3 ? s * 1e6 : s * 1e3);
}

void results_head(const struct results *r) {
    printf("%s; %.1f GB/s, %.0f Gflop/s measured\n", r->machine, r->bandwidth * 1e-9, r->peak * 1e-9);
    for (unsigned p = 0; p < r->npeers; p++)
        printf("%c  %s: %s\n", 'A' + p, r->labels[p], r->peers[p]);
    printf("\n%-24s", "median of block medians");
    for (unsigned p = 0; p < r->npeers; p++)
        printf(" %12c", 'A' + p);
    for (unsigned p = 1; p < r->npeers; p++)
        printf("     %c/A", 'A' + p);
    puts("  A/bound");
    fflush(stdout);
}

/* Neither bound says much of work that fits the caches and does little with each byte. */
double results_bound(const struct results *r, unsigned t) {
    bool is_large = r->bytes[t] > r->cache && r->bandwidth > 0;
    bool is_dense = r->flops[t] > 8 * r->bytes[t] && r->peak > 0;
    double memory = is_large ? r->bytes[t] / r->bandwidth : 0;
    double arithmetic = is_dense ? r->flops[t] / r->peak : 0;
    return memory > arithmetic ? memory : arithmetic;
}

void results_row(const struct results *r, unsigned t) {
    const struct result *of = r->of[t];
    double bound = results_bound(r, t);
    printf("%-24s", r->tests[t]);
    for (unsigned p = 0; p < r->npeers; p++)
        print_time(&of[p]);
    for (unsigned p = 1; p < r->npeers; p++)
        if (of[p].status == OK && of[0].status == OK)
            printf(" %7.2f", of[p].seconds / of[0].seconds);
        else
            printf(" %7s", "-");
    if (bound > 0 && of[0].status == OK)
        printf(" %8.2f", of[0].seconds / bound);
    puts("");
    fflush(stdout);
}

void results_summary(const struct results *r) {
    puts("\nratio to A: geometric mean, tests");
    for (unsigned p = 1; p < r->npeers; p++) {
        double logs = 0;
        unsigned n = 0;
        for (unsigned t = 0; t < r->ntests; t++)
            if (r->of[t][p].status == OK && r->of[t][0].status == OK)
                logs += log(r->of[t][p].seconds / r->of[t][0].seconds), n++;
        if (n)
            printf("%c  %7.2f  %3u  %s\n", 'A' + p, exp(logs / n), n, r->labels[p]);
    }
    for (unsigned t = 0; t < r->ntests; t++)
        for (unsigned p = 0; p < r->npeers; p++)
            if (r->of[t][p].status != OK && (p == 0 || r->of[t][p].status != SKIP))
                printf("%s %s on %s: %s\n", status_names[r->of[t][p].status], r->tests[t], r->labels[p],
                       r->of[t][p].reason);
}

/* ---- the file -------------------------------------------------------------------------------------------- */

static void write_result(FILE *f, const struct results *r, unsigned t, unsigned p) {
    const struct result *of = &r->of[t][p];
    fprintf(f, "    {\"test\": \"%s\", \"on\": \"%s\", \"status\": \"%s\", ", r->tests[t], r->labels[p],
            status_names[of->status]);
    if (of->status == OK)
        fprintf(f, "\"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g, ", of->seconds, of->low, of->high);
    else
        fprintf(f, "\"reason\": \"%s\", ", of->reason);
    fprintf(f, "\"bytes\": %.9g, \"flops\": %.9g}", r->bytes[t], r->flops[t]);
}

bool results_write(const struct results *r, const char *path) {
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(f, "{\n  \"machine\": \"%s\",\n  \"bandwidth\": %.6g,\n  \"peak\": %.6g,\n  \"rounds\": %u,\n",
            r->machine, r->bandwidth, r->peak, r->rounds);
    fprintf(f, "  \"implementations\": [\n");
    for (unsigned p = 0; p < r->npeers; p++)
        fprintf(f, "    {\"label\": \"%s\", \"name\": \"%s\"}%s\n", r->labels[p], r->peers[p],
                p + 1 < r->npeers ? "," : "");
    fprintf(f, "  ],\n  \"results\": [\n");
    for (unsigned t = 0; t < r->ntests; t++)
        for (unsigned p = 0; p < r->npeers; p++) {
            write_result(f, r, t, p);
            fputs(t + 1 < r->ntests || p + 1 < r->npeers ? ",\n" : "\n", f);
        }
    fprintf(f, "  ]\n}\n");
    return fclose(f) == 0;
}

/* Copies the string or number of a key on this line; false where it has none. */
static bool field(const char *line, const char *key, char *to, size_t size) {
    char quoted[40];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(line, quoted);
    if (!at)
        return false;
    at += strlen(quoted);
    bool is_string = *at == '"';
    at += is_string;
    snprintf(to, size, "%.*s", (int)strcspn(at, is_string ? "\"" : ",}\n"), at);
    return true;
}

static double number(const char *line, const char *key) {
    char text[40] = "";
    return field(line, key, text, sizeof text) ? atof(text) : 0;
}

/* The index of a name in a list, added where it is new and there is room; else -1. */
static int intern(char *list, size_t width, unsigned *n, unsigned max, const char *name) {
    for (unsigned i = 0; i < *n; i++)
        if (!strcmp(list + i * width, name))
            return (int)i;
    if (*n == max)
        return -1;
    snprintf(list + *n * width, width, "%s", name);
    return (int)(*n)++;
}

static void read_result(struct results *r, const char *line) {
    char test[48], on[48], status[16];
    if (!field(line, "test", test, sizeof test) || !field(line, "on", on, sizeof on) ||
        !field(line, "status", status, sizeof status))
        return;
    int t = intern(r->tests[0], sizeof r->tests[0], &r->ntests, MAX_TESTS, test);
    int p = intern(r->labels[0], sizeof r->labels[0], &r->npeers, MAX_PEERS, on);
    if (t < 0 || p < 0)
        return;
    struct result *of = &r->of[t][p];
    for (of->status = OK; of->status < HANG && strcmp(status, status_names[of->status]); of->status++)
        ;
    of->seconds = number(line, "seconds");
    of->low = number(line, "low");
    of->high = number(line, "high");
    field(line, "reason", of->reason, sizeof of->reason);
    r->bytes[t] = number(line, "bytes");
    r->flops[t] = number(line, "flops");
}

bool results_read(struct results *r, const char *path) {
    char line[2048];
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    memset(r, 0, sizeof *r);
    while (fgets(line, sizeof line, f)) {
        if (!strncmp(line, "  \"bandwidth\"", 13))
            r->bandwidth = number(line, "bandwidth");
        else if (!strncmp(line, "  \"peak\"", 8))
            r->peak = number(line, "peak");
        else if (!strncmp(line, "  \"machine\"", 11))
            field(line, "machine", r->machine, sizeof r->machine);
        else
            read_result(r, line);
    }
    fclose(f);
    return r->ntests > 0;
}

/* ---- comparison ------------------------------------------------------------------------------------------ */

static const struct result *find(const struct results *r, const char *test, const char *on) {
    for (unsigned t = 0; t < r->ntests; t++)
        for (unsigned p = 0; p < r->npeers && !strcmp(r->tests[t], test); p++)
            if (!strcmp(r->labels[p], on))
                return &r->of[t][p];
    return NULL;
}

/* Prints one line; false if what was OK no longer is. */
static bool compare_one(const char *test, const char *on, const struct result *a, const struct result *b) {
    const char *mark = "";
    printf("%-24s %-24s", test, on);
    print_time(a);
    print_time(b);
    if (a->status == OK && b->status == OK) {
        if (b->low > a->high)
            mark = "  slower";
        else if (b->high < a->low)
            mark = "  faster";
        printf(" %7.2f%s", a->seconds / b->seconds, mark);
    }
    puts("");
    return a->status != OK || b->status == OK;
}

int results_compare(const char *before, const char *after) {
    static struct results a, b;
    bool ok = true;
    const char *const paths[] = {before, after};
    for (int i = 0; i < 2; i++)
        if (!results_read(i ? &b : &a, paths[i])) {
            fprintf(stderr, "bench: no results in %s\n", paths[i]);
            return 2;
        }
    printf("A  %s\nB  %s\nslower, faster: the middle halves of the blocks don't overlap\n\n%-24s %-24s %12s "
           "%12s     A/B\n",
           before, after, "test", "on", "A", "B");
    for (unsigned p = 0; p < a.npeers; p++) {
        double logs = 0;
        unsigned n = 0;
        for (unsigned t = 0; t < a.ntests; t++) {
            const struct result *x = &a.of[t][p], *y = find(&b, a.tests[t], a.labels[p]);
            if (!y)
                continue;
            ok &= compare_one(a.tests[t], a.labels[p], x, y);
            if (x->status == OK && y->status == OK)
                logs += log(x->seconds / y->seconds), n++;
        }
        if (n)
            printf("%s: geometric mean of A/B over %u tests: %.3f\n\n", a.labels[p], n, exp(logs / n));
    }
    return !ok;
}

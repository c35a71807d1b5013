/* races.c: random kernels, right and wrong ones (test/harness/fuzz/races/races.h), under the checker, which has to tell
 * what a simulation finds wrong with them, and nothing else; the right ones without the checker, too, whose results have to
 * be the simulation's.
 *
 * In: FUZZ_SEED (first seed, default 1), FUZZ_COUNT (kernels, default 60, 10 with WEIR_TEST_QUICK), FUZZ_FAILURES (before
 * it gives up; default 1), FUZZ_REDUCE=0 (no shortening). Out: exit code 1 and the source of kernels of which something
 * else is told, shortened while it is. Each kernel runs at one width of packs in turn, compiled for the work-group's size
 * and for any. Each configuration has a process of its own, whose death is a failure of the kernel that it ran. */
#include "device.h"
#include "findings.h"
#include "races.h"
#include "session.h"

static const char *const widths[] = {NULL, "1", "4", "8", "32"};
static const char *const kinds[WRONGS] = {"data-race", "inter-group-race", "out-of-bounds",
                                          "uninitialized-read", "missing-fence"};
enum { RIGHT, WRONG, FOUND };

struct trial {
    const struct races *r;
    bool is_checked;
    char found[200];
};

/* ---- findings ---- */

static void tell(char *text, size_t room, unsigned wrongs) {
    size_t n = 0;
    for (unsigned k = 0; k <= WRONGS; k++)
        if (wrongs >> k & 1)
            n += (size_t)snprintf(text + n, room - n, " %s", k < WRONGS ? kinds[k] : "something else");
    if (!wrongs)
        snprintf(text, room, " nothing");
}

/* Where an access is beyond, the launch ends; where work-items race, nobody knows what is unwritten, and of two accesses that one
 * is in no order with, before a barrier and behind it, the later one may be told of alone. */
static bool is_told(const struct truth *t, unsigned found) {
    enum { RACES = DATA_RACE | NO_FENCE };
    unsigned may = t->perhaps | (t->perhaps & RACES ? UNWRITTEN : 0), must = t->wrongs;
    must &= must & RACES ? ~(unsigned)(UNWRITTEN | RACES) : ~0u;
    if (t->wrongs & BEYOND)
        return !(found & ~may) && found;
    return !(found & ~may) && !(must & ~found) && (found & RACES || !(t->wrongs & RACES));
}

/* ---- a kernel ---- */

static bool launch(const struct races *r, uint32_t *sums) {
    static const uint32_t zeros[MOST_ITEMS * MOST_GROUPS + MOST_SIZE];
    static unsigned launches;
    char name
        [20]; /* another one each time: what is found at the same place of the same kernel again is counted, and not told */
    snprintf(name, sizeof name, "k%u", ++launches);
    cl_program program = program_new(races_emit(r, name), "-cl-std=CL3.0 -w", false);
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = program ? clCreateKernel(program, name, &error) : NULL;
    if (!kernel)
        return false;
    unsigned bytes = elements_of[r->element].bytes * r->members;
    size_t global[] = {r->global, r->local[1]}, local[] = {r->local[0], r->local[1]},
           offset[] = {r->argument, 0};
    cl_mem out = buffer_new(sizeof(uint32_t) * MOST_ITEMS * MOST_GROUPS, zeros),
           m = buffer_new(r->size[IN_GLOBAL] * bytes, zeros);
    cl_ulong argument = r->argument;
    must(clSetKernelArg(kernel, 0, sizeof out, &out), "clSetKernelArg");
    must(clSetKernelArg(kernel, 1, sizeof m, &m), "clSetKernelArg");
    must(clSetKernelArg(kernel, 2, *r->type == 's' ? 8 : 4, &argument), "clSetKernelArg");
    if (r->is_argument)
        must(clSetKernelArg(kernel, 3, r->size[IN_LOCAL] * bytes, NULL), "clSetKernelArg");
    error = clEnqueueNDRangeKernel(cl.queue, kernel, 2, offset, global, local, 0, NULL, NULL);
    must(clFinish(cl.queue), "clFinish");
    must(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, sizeof(uint32_t) * MOST_ITEMS * MOST_GROUPS, sums, 0,
                             NULL, NULL),
         "clEnqueueReadBuffer");
    clReleaseMemObject(out);
    clReleaseMemObject(m);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return !error;
}

/* Whether something else than the truth is told, or computed. */
static bool fails(void *arg) {
    struct trial *t = arg;
    struct truth truth;
    uint32_t sums[MOST_ITEMS * MOST_GROUPS];
    progress->beats++;
    races_simulate(t->r, &truth);
    if (truth.is_long || (!truth.wrongs && truth.perhaps) || (truth.wrongs && !t->is_checked))
        return false;
    off_t before = findings_size();
    if (!launch(t->r, sums)) {
        snprintf(t->found, sizeof t->found, "it doesn't run");
        return true;
    }
    unsigned found = t->is_checked ? findings_since(before, kinds, WRONGS) : 0;
    if (!is_told(&truth, found) && t->is_checked) {
        char want[80], got[80];
        tell(want, sizeof want, truth.wrongs);
        tell(got, sizeof got, found);
        snprintf(t->found, sizeof t->found, "the checker tells of%s; there is%s", got, want);
        return true;
    }
    for (unsigned i = 0; i < t->r->global * t->r->local[1] && !truth.wrongs; i++)
        if (sums[i] != truth.sums[i]) {
            snprintf(t->found, sizeof t->found, "out[%u] is %u, expected %u", i, sums[i], truth.sums[i]);
            return true;
        }
    return false;
}

static void show(unsigned long seed, const char *configuration, struct races *r, struct trial *t) {
    const char *reduces = getenv("FUZZ_REDUCE");
    if (!reduces || strcmp(reduces, "0"))
        races_reduce(r, fails, t);
    fails(t);
    printf("FUZZ_SEED=%lu, %s, global size %u,%u, local size %u,%u, offset and argument %u, %u and %u "
           "elements: %s\n%s",
           seed, configuration, r->global, r->local[1], r->local[0], r->local[1], r->argument, r->size[0],
           r->size[1], t->found, races_emit(r, "k"));
}

/* ---- configurations ---- */

struct configuration {
    unsigned width;
    bool is_checked, is_generic;
};

static int run_configuration(void *arg) {
    const struct configuration *c = arg;
    char name[80];
    unsigned long first = number_from("FUZZ_SEED", 1), count = runs_asked(60, 10), failures = 0;
    snprintf(name, sizeof name, "%s%s%s%s", c->is_checked ? "WEIR_CHECK=1 " : "",
             c->is_generic ? "WEIR_SPECIALIZE=0 " : "", widths[c->width] ? "WEIR_WIDTH=" : "any width",
             widths[c->width] ? widths[c->width] : "");
    if (widths[c->width])
        setenv("WEIR_WIDTH", widths[c->width], 1);
    setenv("WEIR_SPECIALIZE", c->is_generic ? "0" : "1", 1);
    setenv("WEIR_CU", "1", 1); /* two groups that access at the same moment aren't always seen */
    if (c->is_checked)
        findings_collect();
    device_open();
    for (unsigned long seed = first; seed < first + count && failures < number_from("FUZZ_FAILURES", 1);
         seed++) {
        struct races r;
        struct truth truth;
        if (seed % COUNT(widths) != c->width)
            continue;
        progress->seed = seed;
        races_make(seed, &r);
        races_simulate(&r, &truth);
        struct trial t = {.r = &r, .is_checked = c->is_checked};
        bool wrong = fails(&t);
        progress->count[truth.wrongs ? WRONG : RIGHT] += c->is_checked || !truth.wrongs;
        progress->count[FOUND] += truth.wrongs && c->is_checked && !wrong;
        progress->runs++;
        if (wrong)
            show(seed, name, &r, &t);
        failures += wrong;
        fflush(stdout);
    }
    races_forget();
    device_close();
    return failures > 0;
}

int main(void) {
    bool failed = false;
    setenv("WEIR_COMPILE_RETRY", "0", 0); /* slower code may not hide the compiler's mistakes */
    findings_begin();
    for (unsigned n = 0; n < 3 * COUNT(widths); n++) {
        struct configuration c = {n % COUNT(widths), n < 2 * COUNT(widths),
                                  n >= COUNT(widths) && n < 2 * COUNT(widths)};
        int end = child_run(run_configuration, &c);
        if (end < 0)
            printf("FUZZ_SEED=%lu: signal %d\n", (unsigned long)progress->seed, -end);
        failed |= end != 0;
    }
    findings_end();
    const volatile uint64_t *n = progress->count;
    printf("%lu right kernels ran, and %lu wrong ones under the checker, of which %lu were found\n",
           (unsigned long)n[RIGHT], (unsigned long)n[WRONG], (unsigned long)n[FOUND]);
    return failed;
}

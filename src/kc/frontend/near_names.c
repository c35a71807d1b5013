/* near_names.c: the name of OpenCL C's that a misspelt one was meant to be. clang declares built-in functions when it
 * meets their names, so its own search for similar names doesn't know them, nor does it look at macros.
 *
 * In: a name that clang doesn't know, and whether it is called. Out: the nearest one of the library's functions and
 * of as_TYPE, or of constants and words of the language; none where all are too far away, which depends on the
 * length. Capital letters and underscores count little: getGlobalID is near get_global_id.
 */
#include "frontend.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64, FAR = 99, MOST_EDITS = 2 };

/* What isn't called. Of these clang has macros, and it doesn't look at keywords of OpenCL C. */
static const char *const words[] = {"kernel",
                                    "__kernel",
                                    "global",
                                    "__global",
                                    "local",
                                    "__local",
                                    "constant",
                                    "__constant",
                                    "private",
                                    "__private",
                                    "generic",
                                    "__generic",
                                    "read_only",
                                    "__read_only",
                                    "write_only",
                                    "__write_only",
                                    "read_write",
                                    "__read_write",
                                    "CLK_LOCAL_MEM_FENCE",
                                    "CLK_GLOBAL_MEM_FENCE",
                                    "CLK_IMAGE_MEM_FENCE",
                                    "CLK_NORMALIZED_COORDS_TRUE",
                                    "CLK_NORMALIZED_COORDS_FALSE",
                                    "CLK_ADDRESS_NONE",
                                    "CLK_ADDRESS_CLAMP",
                                    "CLK_ADDRESS_CLAMP_TO_EDGE",
                                    "CLK_ADDRESS_REPEAT",
                                    "CLK_ADDRESS_MIRRORED_REPEAT",
                                    "CLK_FILTER_NEAREST",
                                    "CLK_FILTER_LINEAR",
                                    "CLK_NULL_EVENT",
                                    "CLK_NULL_QUEUE",
                                    "CLK_NULL_RESERVE_ID",
                                    "CLK_ENQUEUE_FLAGS_NO_WAIT",
                                    "CLK_ENQUEUE_FLAGS_WAIT_KERNEL",
                                    "CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP",
                                    "ATOMIC_VAR_INIT",
                                    "ATOMIC_FLAG_INIT",
                                    "INFINITY",
                                    "NAN",
                                    "HUGE_VAL",
                                    "HUGE_VALF",
                                    "MAXFLOAT",
                                    "FLT_MAX",
                                    "FLT_MIN",
                                    "FLT_EPSILON",
                                    "DBL_MAX",
                                    "DBL_MIN",
                                    "DBL_EPSILON",
                                    "HALF_MAX",
                                    "HALF_MIN",
                                    "HALF_EPSILON",
                                    "CHAR_BIT",
                                    "CHAR_MAX",
                                    "CHAR_MIN",
                                    "SCHAR_MAX",
                                    "SCHAR_MIN",
                                    "UCHAR_MAX",
                                    "SHRT_MAX",
                                    "SHRT_MIN",
                                    "USHRT_MAX",
                                    "INT_MAX",
                                    "INT_MIN",
                                    "UINT_MAX",
                                    "LONG_MAX",
                                    "LONG_MIN",
                                    "ULONG_MAX",
                                    "M_E",
                                    "M_LOG2E",
                                    "M_LOG10E",
                                    "M_LN2",
                                    "M_LN10",
                                    "M_PI",
                                    "M_PI_2",
                                    "M_PI_4",
                                    "M_1_PI",
                                    "M_2_PI",
                                    "M_2_SQRTPI",
                                    "M_SQRT2",
                                    "M_SQRT1_2",
                                    "M_E_F",
                                    "M_LOG2E_F",
                                    "M_LOG10E_F",
                                    "M_LN2_F",
                                    "M_LN10_F",
                                    "M_PI_F",
                                    "M_PI_2_F",
                                    "M_PI_4_F",
                                    "M_1_PI_F",
                                    "M_2_PI_F",
                                    "M_2_SQRTPI_F",
                                    "M_SQRT2_F",
                                    "M_SQRT1_2_F"};
/* Functions that clang expands. */
static const char *const expanded[] = {"read_pipe",
                                       "write_pipe",
                                       "reserve_read_pipe",
                                       "reserve_write_pipe",
                                       "commit_read_pipe",
                                       "commit_write_pipe",
                                       "work_group_reserve_read_pipe",
                                       "work_group_reserve_write_pipe",
                                       "work_group_commit_read_pipe",
                                       "work_group_commit_write_pipe",
                                       "sub_group_reserve_read_pipe",
                                       "sub_group_reserve_write_pipe",
                                       "sub_group_commit_read_pipe",
                                       "sub_group_commit_write_pipe",
                                       "get_pipe_num_packets",
                                       "get_pipe_max_packets",
                                       "enqueue_kernel",
                                       "get_kernel_work_group_size",
                                       "get_kernel_preferred_work_group_size_multiple",
                                       "get_kernel_max_sub_group_size_for_ndrange",
                                       "get_kernel_sub_group_count_for_ndrange",
                                       "to_global",
                                       "to_local",
                                       "to_private"};
static const char *const types[] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                    "long", "ulong", "half",  "float",  "double"};
static const char *const sizes[] = {"", "2", "3", "4", "8", "16"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

struct search {
    const char *wanted;  /* as it is spelt */
    char plain[LONGEST]; /* without underscores and capital letters */
    size_t n, limit;     /* of plain; how far away names may be */
    size_t best;         /* distance of the nearest one so far, times two if it is spelt otherwise */
    char *near;
};

static size_t make_plain(const char *name, char plain[LONGEST]) {
    size_t n = 0;
    for (; *name && n < LONGEST - 1; name++)
        if (*name != '_')
            plain[n++] = (char)tolower((unsigned char)*name);
    plain[n] = 0;
    return n;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Letters that are left out, put in, replaced or exchanged with the next one. In a short word a letter that is
 * replaced makes too many others: it counts twice. */
static size_t distance(const char *a, size_t n, const char *b, size_t m) {
    size_t rows[3][LONGEST], replaced = n > 3 ? 1 : 2;
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++)
        last[j] = j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(last[j], row[j - 1]) + 1;
            row[j] = least(row[j], last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : replaced));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[m];
}

static void look_at(struct search *s, const char *name) {
    char plain[LONGEST];
    size_t n = make_plain(name, plain), whole = strlen(s->wanted);
    if (!strncmp(name, s->wanted, whole) && name[whole] == '_') /* work_group_reduce: of what? */
        return;
    if (n > s->n + s->limit || s->n > n + s->limit)
        return;
    size_t edits = distance(s->plain, s->n, plain, n);
    size_t far = edits > s->limit ? FAR : 2 * edits + (strlen(name) != strlen(s->wanted));
    if (!strcmp(name, s->wanted)) /* known, but not in this program's language */
        far = 0;
    else if (!far)
        far = 1;
    if (far < s->best) {
        s->best = far;
        snprintf(s->near, NEAR_NAME, "%s", name);
    }
}

/* The library's names have lengths and types of arguments around them: _Z3absi. */
static void look_at_functions(struct search *s) {
    const char *mangled;
    char name[LONGEST], previous[LONGEST] = "";
    for (uint32_t i = 0; (mangled = library_name(i)); i++) {
        int at = 0, length = 0;
        if (sscanf(mangled, "_Z%d%n", &length, &at) != 1 || !at || length <= 0 || length >= LONGEST ||
            (size_t)length > strlen(mangled + at) || mangled[at] == '_')
            continue;
        snprintf(name, sizeof name, "%.*s", length, mangled + at);
        if (strcmp(name, previous))
            look_at(s, name);
        memcpy(previous, name, sizeof previous);
    }
    for (size_t i = 0; i < COUNT(types) * COUNT(sizes); i++) {
        snprintf(name, sizeof name, "as_%s%s", types[i / COUNT(sizes)], sizes[i % COUNT(sizes)]);
        look_at(s, name);
    }
    for (size_t i = 0; i < COUNT(expanded); i++)
        look_at(s, expanded[i]);
}

bool near_name(const char *wanted, bool called, char near[NEAR_NAME]) {
    struct search s = {.wanted = wanted, .best = FAR, .near = near};
    *near = 0;
    s.n = make_plain(wanted, s.plain);
    s.limit = least((s.n + 2) / 4, MOST_EDITS);
    if (s.n < 3 || strlen(wanted) >= LONGEST)
        return false;
    if (called)
        look_at_functions(&s);
    else
        for (size_t i = 0; i < COUNT(words); i++)
            look_at(&s, words[i]);
    return s.best && s.best < FAR;
}

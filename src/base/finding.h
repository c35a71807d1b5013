/* finding.h: the kinds of errors that the checker tells apart, once for all: what it reports (src/check), what the command
 * line says of them (src/cli). A row here needs a section in docs/checker.md and an example in examples/racy. */
#ifndef WEIR_FINDING_H
#define WEIR_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The enumerator (FINDING_...), the name, what it is in a line, and more: what goes wrong, and what to do. */
#define FINDING_KINDS(X)                                                                                     \
    X(BARRIER_DIVERGENCE, "barrier-divergence",                                                              \
      "Not all work-items of a work-group come to the same barrier",                                         \
      "All work-items of a work-group must come to the same barrier or collective function, by the same "    \
      "calls and in the same iteration of the loops around it. Move the barrier out of the branch or loop "  \
      "that only some of them take, and don't return before it.")                                            \
    X(BARRIER_FLAGS, "barrier-flags-mismatch", "Work-items come to one barrier with different flags",        \
      "The memory fence flags of a barrier must be the same for all work-items of the group. Pass a "        \
      "constant.")                                                                                           \
    X(BARRIER_SCOPE, "barrier-scope-mismatch", "Work-items come to one barrier with different scopes",       \
      "The memory scope of a barrier must be the same for all work-items of the group. Pass a constant.")    \
    X(SUBGROUP_DIVERGENCE, "sub-group-divergence",                                                           \
      "Not all work-items of a sub-group come to the same barrier or function of it",                        \
      "All work-items of a sub-group must come to the same sub_group_barrier or function of sub-groups "     \
      "that isn't a non-uniform one. Call it outside the branch, with a neutral value for those that have "  \
      "none.")                                                                                               \
    X(DEADLOCK, "deadlock", "Work-items or work-groups wait for each other for ever",                        \
      "Those that wait may keep from running what they wait for. Wait for nobody who waits for you, give "   \
      "back each lock on every way, and wait for no work-group that may not have begun.")                    \
    X(DATA_RACE, "data-race",                                                                                \
      "Two work-items of a work-group access the same bytes without an order, and one writes",               \
      "Between two barriers the work-items of a group run in no order. Put a barrier between the two "       \
      "accesses, let one work-item do it, or make both accesses atomic.")                                    \
    X(MISSING_FENCE, "missing-fence", "The barrier between two accesses doesn't order that memory",          \
      "A barrier orders the memory that its flags name: CLK_LOCAL_MEM_FENCE local memory, "                  \
      "CLK_GLOBAL_MEM_FENCE global memory. Add the flag.")                                                   \
    X(INTER_GROUP_RACE, "inter-group-race",                                                                  \
      "Work-groups of a launch access the same bytes without an order, and one writes",                      \
      "Work-groups of one launch run in no order, and no barrier spans them. Let each one write its own "    \
      "part, split the kernel in two, or use atomics.")                                                      \
    X(INTER_COMMAND_RACE, "inter-command-race",                                                              \
      "Two commands access the same bytes without an order, and one writes",                                 \
      "Commands of two queues, or of one that is out of order, run in any order. Let the later one wait "    \
      "for the event of the earlier one, or the host before it enqueues the later one.")                     \
    X(OUT_OF_BOUNDS, "out-of-bounds", "An access beyond the end or before the start of its memory",          \
      "Check the index against the size, or make the buffer or array larger. Global sizes that were "        \
      "rounded "                                                                                             \
      "up need an `if (i < n)`.")                                                                            \
    X(MISALIGNED, "misaligned-access",                                                                       \
      "An access at an address that isn't a multiple of what its type needs",                                \
      "Types of 2, 4, 8, ... bytes must lie at multiples of that. Use vloadN and vstoreN, or bytes.")        \
    X(NULL, "null-access", "An access through a null pointer, or close to it",                               \
      "A buffer argument may be NULL. Set the argument, or test the pointer.")                               \
    X(UNINITIALIZED, "uninitialized-read",                                                                   \
      "Local memory is read that no work-item of the group has written",                                     \
      "Local memory begins with any contents. Write what is read later, and put a barrier after it.")        \
    X(ABSENT_LANE, "absent-lane", "A value is used that a shuffle got from a work-item that isn't there",    \
      "What a shuffle gets is undefined if the lane that it names is beyond the sub-group's size, or its "   \
      "work-item doesn't call it with the others. Compare the lane with get_sub_group_size() before the "    \
      "value is used, and call shuffles outside the branches.")                                              \
    X(USE_AFTER_FREE, "use-after-free", "Memory is used after it was freed, or freed while it may be used",  \
      "Free memory when the host knows that all commands that use it have ended: wait for them, or free it " \
      "by a command.")

enum finding_kind {
#define X(id, name, summary, help) FINDING_##id,
    FINDING_KINDS(X)
#undef X
        FINDING_KINDS_COUNT
};
struct finding_words {
    const char *name, *summary, *help;
};
extern const struct finding_words finding_words[FINDING_KINDS_COUNT];
int finding_kind_of(const char *name, size_t n); /* -1: there is none */

/* ---- suppress.c: findings that nobody wants to see ---- */

struct finding_place { /* one that a finding names */
    const char *file;
    unsigned line;
};
struct suppression {
    unsigned line;       /* in the file of rules */
    char *text;          /* the rule as it stands there */
    int kind;            /* -1: any */
    char *kernel, *file; /* patterns; NULL: any */
    unsigned at_line;    /* 0: any */
};
struct suppressions {
    struct suppression *at;
    size_t n;
};
/* Reads a file of rules, those that are right. False: there are errors, each was told; line 0: of the whole file. */
typedef void suppress_error(void *user, unsigned line, const char *what);
bool suppress_read(struct suppressions *, const char *path, suppress_error *, void *user);
bool suppress_meets(const struct suppression *, enum finding_kind, const char *kernel,
                    const struct finding_place *, size_t n);
/* Whether a line of the program has a comment `weir: allow KIND, KIND ...` with this one. */
bool suppress_allows(const char *text, enum finding_kind);

#endif

/* races.h: random kernels on local and global memory, right and wrong ones, shared by what makes (make.c), writes (emit.c)
 * and simulates (simulate.c) them.
 *
 * A kernel has one or two tiles in local memory and one in global memory. Work-items read and write their elements, or several in a
 * row as a vector, at places computed of ids,
 * counters of loops and an argument, under conditions of the same, with barriers between, in the shapes that programs have:
 * halving steps, tiles in turn, parts of a group. Elements may be structs, of which each access has one of two members. Barriers,
 * of the group or of its sub-groups, stand where all of a group come by. Nothing that is read from memory decides where one
 * goes, so a simulation of all accesses says what is wrong with the kernel, whatever order work-items run in. */
#ifndef WEIR_FUZZ_RACES_H
#define WEIR_FUZZ_RACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of all names but the group's id (of a dimension) the value is one of the work-item. */
enum name { N_L, N_X, N_Y, N_GROUP, N_ARG, N_COUNTER, NAMES = N_COUNTER + 16 };
struct term {   /* of unsigned 32-bit numbers */
    char op[3]; /* "" : a number, or a name */
    bool is_name;
    uint32_t n;
    const struct term *a, *b;
};

enum { TILES = 3, IN_LOCAL = 0, IN_GLOBAL = 1, IN_OTHER = 2 };
enum step_kind {
    S_STORE,
    S_UPDATE,
    S_LOAD,
    S_ADD, /* atomically */
    S_BARRIER,
    S_IF,
    S_FOR
};
struct step {
    enum step_kind kind;
    bool gone; /* left out, to shorten the kernel */
    unsigned tile,
        n; /* n: of stores, a number of its own; of loops, the counter; of barriers, FENCE_LOCAL and FENCE_GLOBAL */
    unsigned width;               /* of S_STORE and S_LOAD: elements in a row */
    unsigned member, from_member; /* of the element, of S_UPDATE that of the one it reads */
    bool is_of_subgroup;          /* S_BARRIER */
    const struct term *at,
        *from; /* place, and of S_UPDATE the one it reads; condition; loops: first value, */
    const struct term *while_, *then; /* whether it goes on, the next value */
    bool is_bool;                     /* the condition is kept in a variable */
    struct step *kid[2], *next;
};

enum { FENCE_LOCAL = 1, FENCE_GLOBAL = 2 };
enum { MOST_ITEMS = 64, MOST_GROUPS = 4, MOST_SIZE = 1 << 10 };
struct races {
    unsigned local[2], global, element,
        size[TILES]; /* size[1]: of all groups; size[2]: 0: no such tile; global: work-items in the first dimension */
    unsigned members;  /* of an element: 2, of a struct; else 1 */
    unsigned subgroup; /* the size of sub-groups, which have barriers; 0: none has */
    uint32_t argument;
    bool is_argument; /* the local tile */
    const char *type; /* of ids */
    struct step *body;
};

/* What a launch does wrong, a bit for each. */
enum { DATA_RACE = 1, GROUP_RACE = 2, BEYOND = 4, UNWRITTEN = 8, NO_FENCE = 16, WRONGS = 5 };
struct truth {
    unsigned wrongs, perhaps; /* perhaps: by stores of what is there already, which nobody has to tell */
    bool is_long;
    uint32_t sums[MOST_ITEMS * MOST_GROUPS];
};

extern const struct element {
    const char *name;
    unsigned bytes;
} elements_of[3];

void races_make(uint64_t seed, struct races *);
void races_forget(void);
/* Valid until the next call. */
const char *races_emit(const struct races *, const char *name);
void races_simulate(const struct races *, struct truth *);
/* Leaves out what it can while fails() says that it still does. */
void races_reduce(struct races *, bool (*fails)(void *), void *arg);

#endif

/* kernels.h: random kernels as OpenCL C text, run on the device and, compiled by clang for the host, by fibers.
 *
 * A kernel's statements are nodes of text, so that what fails is shortened by leaving nodes out. Statements run by the whole
 * group together may hold barriers: their conditions are made of values that all of a group share. What work-items share is
 * written between two barriers, at places that are one work-item's, and read by anybody from the second one on. So the result is
 * the same in any order. */
#ifndef WEIR_FUZZ_KERNELS_H
#define WEIR_FUZZ_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PALETTE = 4,      /* types of a program; the first one is uint */
    MOST_ITEMS = 128, /* of a group */
    MOST_GLOBAL = 160,
    INPUT = 64,      /* elements of each type that a kernel reads */
    OWN = 4,         /* elements of each type in global memory that are one work-item's */
    RESULTS = 20,    /* behind them, what its variables hold at the end */
    COUNTERS = 4,    /* cells that all work-items add to */
    ELEMENT = 8 * 16 /* bytes of the largest type */
};

struct type {
    uint8_t base, n; /* index in base_types; elements: 1, 2, 3, 4, 8 or 16 */
};
enum kind { UNSIGNED, SIGNED, FLOATING };
struct base_type {
    const char *name, *same_bits; /* the unsigned integer of this size */
    uint8_t size, kind;
};
extern const struct base_type base_types[];

struct node {
    const char *open, *close; /* text before and after the kids */
    struct node *kid, *next;
    bool off, fixed; /* left out; never left out */
};

struct image_kind {
    uint32_t type, order;      /* of a channel, of channels: cl.h's numbers */
    unsigned row, kept, shape; /* in formats.c */
    bool has_layers;           /* one for each group; else rows */
    bool plain;                /* texels are the uint4 that the kernel wrote */
};

struct kernel_program {
    struct type palette[PALETTE];
    struct image_kind image;
    struct node *text;
    uint32_t dims;
    bool subgroups, apart; /* sub-groups' barriers; elements of a work-item's own lie apart */
    const char *options;
    uint32_t global[3], local[3], offset[3], argument;
};

/* program.c. Divides the global size evenly unless `nonuniform`. */
void kernels_generate(uint64_t seed, bool nonuniform, struct kernel_program *);

/* text.c. All text, nodes and places last until the next program is made. */
void kernels_forget(uint64_t seed);
uint32_t kernels_roll(uint32_t n);
__attribute__((format(printf, 1, 2))) char *text_of(const char *format, ...);
struct node *node_new(const char *open, const char *close);
struct node *node_fixed(const char *text);
void node_add(struct node *to, struct node *kid); /* behind its other kids */
const char *node_text(const struct node *);       /* valid until the next call */

/* types.c */
struct type uint_type(void);
const char *type_name(struct type);
unsigned type_size(struct type);       /* bytes; a vector of 3 has room for 4 */
const char *fit_function(struct type); /* fit(x): x if it is small, so that no sum overflows */

/* expr.c: where values are. `text` may have a %s for an index. */
struct place {
    struct type type;
    const char *text;
    bool uniform, written,
        shared; /* all of a group have it; may be assigned; others write it between barriers */
};
struct places {
    struct place place[300];
    unsigned n;
};
void place_add(struct places *, struct type, const char *text, bool uniform, bool written, bool shared);
struct view { /* what an expression may use */
    const struct places *places;
    const struct kernel_program *program;
    bool uniform, own; /* only what all have; only what no other work-item writes */
};
const char *random_expression(const struct view *, struct type, int level);
const char *random_place(const struct view *, struct type, bool written); /* NULL: there is none */
/* `a op b` without overflow of signed numbers. */
const char *wrapped(struct type, const char *a, char op, const char *b);

/* make.c: statements. */
struct frame { /* where a statement is made */
    struct places *places;
    const char *exchange[PALETTE], *global_exchange[PALETTE]; /* arrays of the group; NULL: none here */
    int level;
    bool uniform;           /* the whole group is here: barriers allowed */
    bool breaks, continues; /* a loop of these work-items is around */
    bool own;               /* others write shared places now */
    bool kernel;            /* in the kernel itself, not in a helper */
    const char *atomic;     /* the operation on `counter` that is allowed here */
    const char *returned;   /* what a return gives; NULL: none allowed */
};
extern struct making { /* the program that is being made */
    struct kernel_program *program;
    unsigned statements_left, counters_used, labels_used; /* statements that nest; of this function; of all */
} making;
enum { COUNTERS_OF_LOOPS = 24 };
struct node *random_block(struct frame, unsigned length);
const char *barrier_text(bool global);

/* formats.c */
void roll_image(struct kernel_program *);
const char *image_macros(const struct kernel_program *); /* for the device */
const char *kept_macro(const struct kernel_program *);   /* for the host */
void add_half_places(struct places *);
struct node *random_half_store(const struct frame *, const char *(*value)(const struct frame *, struct type),
                               const char *number); /* NULL: not here */

/* patterns.c. NULL: nothing of that kind is possible here. */
struct node *random_pattern(const struct frame *, const char *uniform_number); /* with barriers */
struct node *random_row(const struct frame *, const char *number);
struct node *random_fence(void);

/* host_group.c: runs a kernel that clang compiled for the host (on_host.h). */
struct host_launch {
    uint32_t dims, global[3], local[3], offset[3], subgroup; /* subgroup: lanes */
    bool required;                                           /* by the kernel: so many */
    void (*call)(void *);                                    /* the kernel with its arguments */
    void *arg;
};
void host_run(const struct host_launch *);

#endif

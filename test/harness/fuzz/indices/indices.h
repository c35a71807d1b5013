/* indices.h: random kernels whose work-items read and write memory at computed places, shared by what makes (make.c),
 * writes (emit.c), interprets (interpret.c) and runs (test/fuzz/indices.c) them.
 *
 * A kernel has two tiles of local memory and two buffers, a value x for each work-item that gathers what it reads, and
 * statements: loads and stores at index expressions, under conditions, in loops, with barriers between. A statement is
 * kept if the interpreter finds that nothing in it is undefined for any work-item that runs it: no overflow of signed
 * numbers, no index out of range, no race. So its result is the only one, and compilers may rely on all that. */
#ifndef WEIR_FUZZ_INDICES_H
#define WEIR_FUZZ_INDICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum integer { INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, INTEGERS };

/* What an expression can name; each has a type of integers, and a value for each work-item. */
enum place {
    P_L,
    P_LY,
    P_LINEAR, /* in the group */
    P_G,
    P_GY,
    P_GLOBAL, /* in the NDRange */
    P_GROUP,
    P_SIZE,               /* of a row of the group */
    P_ARG,                /* two arguments */
    P_OFFSET = P_ARG + 2, /* of the work-item, out of a buffer */
    P_I,                  /* two variables for indices */
    P_J = P_I + 2,        /* counters of loops in loops */
    P_X = P_J + 2,
    PLACES
};

enum index_kind { I_CONSTANT, I_PLACE, I_BINARY, I_CAST, I_CHOICE, I_MIN, I_MAX, I_CLAMP, I_MUL24, I_ROTATE };
struct index {
    enum index_kind kind;
    enum integer type; /* of the value; of calls and casts: what operands are converted to */
    char op[3];
    int64_t n; /* constant, or enum place */
    struct index *a, *b, *c;
};

enum memory { M_A, M_B, M_IN, M_OUT, MEMORIES }; /* the first two are local, the third is only read */
enum action_kind { A_LOAD, A_STORE, A_SET, A_BARRIER, A_IF, A_FOR };
enum loop { DOUBLES, HALVES, COUNTS };
struct action {
    enum action_kind kind;
    unsigned n, depth;        /* enum memory, variable, enum loop */
    struct index *at, *value; /* index, what is stored or set; condition; bound and increment of loops */
    struct action *kid[2], *next;
};

struct elements { /* of memory */
    const char *name;
    unsigned size;
};
extern const struct elements elements_of[];

enum { MOST_ITEMS = 1024, MOST_GROUPS = 6, LARGEST = 4096, MOST_ELEMENTS = 8 };
struct indices {
    unsigned dims, local[2], groups[2], offset[2];
    enum integer types[PLACES];
    int64_t args[2];
    unsigned element[MEMORIES], size[MEMORIES]; /* number in elements_of, how many */
    bool tiles_are_arguments;
    struct action *body;
};

/* The seed's kernel. It is valid until the next call of indices_forget. */
void indices_make(uint64_t seed, struct indices *);
void indices_forget(void);
/* Puts the kernel, for source_text. */
void indices_emit(const struct indices *, const char *name);
extern const char indices_head[]; /* what the source of all kernels begins with */

struct outcome {
    uint32_t x[MOST_ITEMS], tiles[2 * MOST_GROUPS * LARGEST], out[LARGEST]; /* by group: A, then B */
};
/* False: something is undefined. */
bool indices_interpret(const struct indices *, struct outcome *);
/* The same statement by statement: runs those of the list after what has run, or none if something in them is undefined. */
struct machine *indices_begin(const struct indices *);
bool indices_try(struct machine *, const struct action *);
void indices_end(struct machine *);
/* The type of an operand by itself, and of an operation's result. */
enum integer indices_promoted(enum integer);
enum integer indices_common(enum integer, enum integer);
/* The initial content of memory, and each work-item's offset. */
uint32_t indices_initial(enum memory, unsigned i);
int32_t indices_offset(unsigned item);
/* As the element lies in memory, and what a load of it gives; `bytes` has room for 16. */
void indices_encode(unsigned element, uint32_t value, unsigned char *bytes);
uint32_t indices_read(unsigned element, uint32_t value);
/* Makes the kernel smaller while fails() says that it still does. */
void indices_reduce(struct indices *, bool (*fails)(void *), void *arg);

#endif

/* program.h: random programs as trees, shared by what makes (generate.c), writes (emit.c), interprets (interpret.c) and
 * shortens (reduce.c) them.
 *
 * A program is a kernel, two helpers that hold barriers, and two that don't. Every work-item has variables v, uniform
 * variables u, private arrays a and b, and places of its own in global memory (m: apart by GLOBAL, bytes: next to
 * each other) and local memory (own). Statements marked `uniform` run for the whole group in lockstep: their
 * conditions are uniform by construction, and only they may hold barriers. All else runs item by item. All that
 * items share (atomic cells) commutes. So the interpreter's result is the only one. */
#ifndef WEIR_FUZZ_PROGRAM_H
#define WEIR_FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VARIABLES = 6,
    UNIFORMS = 3,
    ARRAY = 8,
    LOOPS = 10,
    HELPERS = 2,
    MAX_GROUP = 256,
    GLOBAL = 300,
    INPUTS = 256,
    OPS = 5,             /* of atomics; each has 4 cells of its own */
    CELLS = OPS * 4 + 2, /* then the sum of tickets, and the next ticket */
};

enum expr_kind {
    E_CONSTANT,
    E_V,
    E_U,
    E_LOOP,     /* counter of loop n */
    E_NAME,     /* enum name */
    E_A,        /* a[A & 7] */
    E_POINTER,  /* (A & 1 ? a : b)[B & 7] */
    E_VOLATILE, /* a volatile variable */
    E_INPUT,    /* in[A & 255]; also of constant memory if n */
    E_MEMORY,   /* m[(A & 7) * GLOBAL + id]; volatile if n */
    E_BYTE,     /* bytes[id * 8 + (A & 7)] */
    E_OWN,      /* own[l * 2 + (A & 1)] */
    E_BINARY,
    E_CHOICE,   /* A & 1 ? B : C */
    E_FUNCTION, /* functions[n](A, B) */
};
enum name { NAME_N, NAME_GROUP, NAME_ARG, NAME_L, NAME_LX, NAME_LY, NAME_ID, NAME_GX, NAMES };
#define UNIFORM_NAMES 3
struct expr {
    enum expr_kind kind;
    uint32_t n;
    char op;
    struct expr *a, *b, *c;
};

enum stmt_kind {
    S_SET,
    S_SET_UNIFORM,
    S_SET_ARRAY,
    S_SET_POINTER,
    S_SET_VOLATILE,
    S_SET_MEMORY,
    S_SET_BYTE,
    S_SET_OWN,
    S_ATOMIC,
    S_TICKET,
    S_EXCHANGE,
    S_BROADCAST,
    S_BARRIER,
    S_COUNT,
    S_IF,
    S_LOOP,
    S_WHILE,
    S_DO,
    S_GUARDED,
    S_SWITCH,
    S_BREAK,
    S_CONTINUE,
    S_RETURN,
    S_CALL,      /* a helper with barriers */
    S_CALL_ITEM, /* one without */
    S_BLOCK,
};
struct stmt {
    enum stmt_kind kind;
    bool uniform;
    uint32_t n, k, depth; /* variable or operation; distance, flags; loop's depth */
    struct expr *e, *f;
    struct stmt *kid[4]; /* bodies; S_BLOCK: the first of its statements, which `next` links */
    struct stmt *next;
};

/* A mistake in a program: the barrier in the middle of a statement that shares memory. */
enum fault { FAULT_NONE, FAULT_NO_BARRIER, FAULT_NO_FLAG };
struct program {
    const struct stmt *faulty;
    enum fault fault;
    struct stmt *helpers[HELPERS], *items[HELPERS], *body, *tail;
    uint32_t dims;
    bool offset; /* launched with a global offset */
};
/* How it is launched; all but `local` and `argument` follow from the program. */
struct shape {
    uint32_t global[3], local[3], offset[3], argument;
};

/* functions.c: pure functions of two numbers, in OpenCL C and in C */
struct function {
    const char *name, *text;
    uint32_t (*run)(uint32_t, uint32_t);
};
extern const struct function functions[];
extern const uint32_t nfunctions;

/* generate.c. `roll` continues the seed's random numbers. */
void generate(uint64_t seed, struct program *);
uint32_t roll(uint32_t n);
/* A random shape that divides the global size if it must. */
void shape_roll(const struct program *, bool must_divide, struct shape *);

/* One of the statements in which work-items share memory with a barrier between; NULL: the program has none. */
const struct stmt *shares_roll(const struct program *);

/* emit.c: the program as OpenCL C; valid until the next call */
const char *emit_program(const struct program *);

/* interpret.c: out[GLOBAL] and cells[CELLS] after a launch */
uint32_t input_at(uint32_t i);
void interpret(const struct program *, const struct shape *, uint32_t *out, uint32_t *cells);
/* Whether the last run came to program->faulty where work-items access what others write. */
extern bool interpret_fault_matters;

/* reduce.c: makes the program smaller while fails() says that it still does. */
void reduce(struct program *, bool (*fails)(void *), void *arg);

#endif

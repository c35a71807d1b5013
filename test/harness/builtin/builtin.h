/* builtin.h: how every built-in function that a program can name is called and compared with a reference.
 *
 * declared.c reads the declarations of clang's header, with the extensions that the device advertises. A test program has
 * a table of families, one for each name (or names that begin alike): the values that arguments take, and the function
 * that checks what a call gave. call.c generates a kernel for each declaration of the family's names, whatever its vector
 * form, runs it with work-items in packs of one and of the default width (forms of vectors in one of both, by turns), and
 * hands the results over. */
#ifndef WEIR_TEST_BUILTIN_H
#define WEIR_TEST_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- declared.c: what is declared ---- */

enum type { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, HALF, VOID, OTHER };
enum space { PRIVATE, GLOBAL, LOCAL, CONSTANT };
struct param {
    enum type type;
    unsigned width;       /* 1: a scalar */
    bool pointer, atomic; /* atomic: of the type, a flag as int; so is bool */
    enum space space; /* of a pointer's target; PRIVATE: any but constant, if there are generic pointers */
};
struct declared {
    char name[64], text[320]; /* the whole declaration */
    struct param result, params[8];
    unsigned nparams;
};
extern const char *const type_names[]; /* by enum type */
extern const unsigned type_sizes[];
static inline bool is_real(enum type t) {
    return t == FLOAT || t == DOUBLE || t == HALF;
}
static inline bool is_signed(enum type t) {
    return t == CHAR || t == SHORT || t == INT || t == LONG;
}
/* The declarations in OpenCL C of this version ("CL3.0"). The list lives as long as the process. */
size_t declared_read(const char *standard, const struct declared **);

/* ---- call.c: calls ---- */

enum {
    PLACES = 3072,  /* elements of each argument */
    GROUP = 64,     /* work-items of a group */
    SCRATCH = 16384 /* bytes of local memory; outputs have as many more than they need */
};

/* What a call was given and gave: arrays of PLACES elements. Work-item i of a vector form of width n has its element j at
 * i + j * PLACES / n; where an argument is a scalar beside vectors it is element i. Of pointers it is what they point to. */
struct call {
    const struct declared *declared;
    const struct family *family;
    unsigned width, items; /* the widest of arguments and result; how many work-items make the call */
    size_t turn;           /* counts declarations, so that what one call can't try all of takes turns */
    void *params[8];
    void *result;
    bool is_output[8];               /* what the function writes through a pointer */
    size_t in[8], out[8], result_at; /* in kernels: where `in` and `out` have the arrays */
};
/* An element as a number. */
int64_t integer_at(enum type, const void *array, size_t place);
double real_at(enum type, const void *array, size_t place);

struct family {
    const char *name; /* a trailing * stands for any rest */
    /* Fills an argument with values: `index` is the parameter's. There is room for twice as many. */
    void (*values)(const struct declared *, unsigned index, enum type, void *array);
    /* Whether the result at this place is right; if not it may say what it should be. */
    bool (*check)(const struct call *, size_t place, char why[160]);
    const void *data; /* the family's own: a function of plain C, a bound */
    unsigned cost;    /* of one call of the scalar form, in instructions, roughly */
    unsigned inputs;  /* the pointers that the function reads from, as bits: theirs are values, too */
    /* Writes the code of the call, where arguments and results of types as above won't do: in a kernel with the arguments
     * `in`, `out`, `con` (`in` again, as constant memory) and `scratch` (SCRATCH bytes of local memory), and the variables
     * `g` and `l`, the work-item's ids. NULL: call.c does. */
    void (*emit)(FILE *, const struct call *);
};
/* For emit: the type's name; the address space to try a pointer's target in; code that stores a variable of such a type. */
const char *spelled(struct param, char text[32]);
enum space call_space(const struct call *, unsigned param);
void emit_stores(FILE *, const struct call *, struct param, const char *variable, size_t offset);
/* Runs all declarations of the families with packs of one and of the default width, and with more build options.
 * Returns what main returns. `only`: leaves out declarations for which it is false; may be NULL. */
int builtin_main(int argc, char **argv, const struct family *, size_t n, const char *options,
                 bool (*only)(const struct declared *));

/* ---- values.c: what arguments are tried with ---- */

void random_seed(uint64_t);
uint64_t random_bits(void);
double random_between(double, double);
void real_put(enum type, void *array, size_t place, double);
/* Of a type of reals: the last place of 1, the largest number, the smallest one that isn't subnormal. */
double unit(enum type), largest(enum type), least_normal(enum type);
double half_value(unsigned bits);
/* The bits of the half number that x is rounded to as the name's _rte, _rtz, _rtp or _rtn says; without, to the nearest. */
unsigned half_of(double x, const char *name);
double
between_halves(void); /* a half number, a tie between two, or what is next to one or anywhere between */
void integer_put(enum type, void *array, size_t place, int64_t);
void values_any(const struct declared *, unsigned index, enum type, void *array); /* edges and random bits */

/* ---- mathematical.c: mathematical functions against MPFR ---- */

enum math_forms {
    FORMS_ALL,
    FORMS_FEW,
    FORMS_POINTERS,
    FORMS_ONE
}; /* few: vectors of 4; pointers to named spaces; one: scalars of one half number, which is any */
/* Calls functions of the type in programs with these build options, which say what results are open: arguments that they
 * exclude, signs of zeros. Returns what main returns. */
int math_main(int argc, char **argv, enum type, enum math_forms, const char *options);

#endif

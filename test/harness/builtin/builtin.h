/* builtin.h: how every built-in function that a program can name is called and compared with a reference.
 *
 * declared.c reads the declarations of clang's header, with the extensions that the device advertises. A test program has
 * a table of families, one for each name (or names that begin alike): the values that arguments take, and the function
 * that checks what a call gave. call.c generates a kernel for each declaration of the family's names, whatever its vector
 * form, runs it with work-items in packs of one and of the default width, and hands the results over. */
#ifndef WEIR_TEST_BUILTIN_H
#define WEIR_TEST_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- declared.c: what is declared ---- */

enum type { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, HALF, VOID, OTHER };
enum space { PRIVATE, GLOBAL, LOCAL, CONSTANT };
struct param {
    enum type type;
    unsigned width; /* 1: a scalar */
    bool pointer;
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
    return t == FLOAT || t == DOUBLE;
}
static inline bool is_signed(enum type t) {
    return t == CHAR || t == SHORT || t == INT || t == LONG;
}
/* The declarations in OpenCL C of this version ("CL3.0"). The list lives as long as the process. */
size_t declared_read(const char *standard, const struct declared **);

/* ---- call.c: calls ---- */

enum { PLACES = 3072 }; /* elements of each argument */

/* What a call was given and gave: arrays of PLACES elements. Work-item i of a vector form of width n has its element j at
 * i + j * PLACES / n; where an argument is a scalar beside vectors it is element i. Of pointers it is what they point to. */
struct call {
    const struct declared *declared;
    const struct family *family;
    unsigned width; /* the widest of arguments and result */
    void *params[8];
    void *result;
    bool is_output[8]; /* what the function wrote through a pointer */
};
/* An element as a number. */
int64_t integer_at(enum type, const void *array, size_t place);
double real_at(enum type, const void *array, size_t place);

struct family {
    const char *name; /* a trailing * stands for any rest */
    /* Fills an argument with values: `index` is the parameter's. */
    void (*values)(const struct declared *, unsigned index, enum type, void *array);
    /* Whether the result at this place is right; if not it may say what it should be. */
    bool (*check)(const struct call *, size_t place, char why[160]);
    const void *data; /* the family's own: a function of plain C, a bound */
    unsigned cost;    /* of one call of the scalar form, in instructions, roughly */
};
/* Runs all declarations of the families with packs of one and of the default width, and with more build options.
 * Returns what main returns. `only`: leaves out declarations for which it is false; may be NULL. */
int builtin_main(int argc, char **argv, const struct family *, size_t n, const char *options,
                 bool (*only)(const struct declared *));

/* ---- values.c: what arguments are tried with ---- */

void random_seed(uint64_t);
uint64_t random_bits(void);
double random_between(double, double);
void real_put(enum type, void *array, size_t place, double);
void integer_put(enum type, void *array, size_t place, int64_t);
void values_any(const struct declared *, unsigned index, enum type, void *array); /* edges and random bits */

/* ---- mathematical.c: mathematical functions against MPFR ---- */

/* Calls all functions of the type in programs with these build options. Returns what main returns. */
int math_main(int argc, char **argv, enum type, const char *options);

#endif

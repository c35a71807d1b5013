/* harness.h: what the kernel test runner's parts offer each other: expressions, test cases, runs. */
#ifndef WEIR_TEST_HARNESS_H
#define WEIR_TEST_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- expr.c: C-like expressions over the index i, the launch's sizes and the arrays of a case -------------- */

/* A number as the expressions have them: 64-bit integers that wrap, or doubles. */
struct number {
    bool real;
    int64_t i;
    double d;
};
struct number number_int(int64_t);
struct number number_real(double);
double number_as_real(struct number);

/* Element types of buffers and values, by their names in OpenCL C. */
struct type {
    const char *name;
    unsigned size;
    bool is_signed, is_real;
};
const struct type *type_find(const char *name, size_t length); /* NULL: no such type */
struct number type_load(const struct type *, const void *at);
void type_store(const struct type *, void *at, struct number);

/* What names stand for while an expression is evaluated. */
enum variable {
    VAR_I,
    VAR_L,
    VAR_LX,
    VAR_LY,
    VAR_LZ,
    VAR_G,
    VAR_GX,
    VAR_GY,
    VAR_GZ,
    VAR_N,
    VAR_F,
    VAR_S,
    VAR_BOUND,
    VAR_COUNT = 20
};
struct array {
    const char *name;
    const struct type *type;
    size_t count;
    const void *data;
};
struct scope {
    struct number variables[VAR_COUNT]; /* from VAR_BOUND on: bound by sum, minof, maxof */
    const struct array *arrays;         /* initial contents of the case's buffers */
    size_t narrays;
};
struct expr;
/* Parses one expression up to `end`, a comma outside parentheses, or a closing bracket; moves *at after it.
 * NULL: malformed, with *error set. The tree lives as long as the process. */
struct expr *expr_parse(const char **at, const char **error);
struct number expr_eval(const struct expr *, struct scope *);

/* ---- testcase.c: the header comment of a kernel test ---------------------------------------------------------- */

enum { MAX_ITEMS = 64 };
enum arg_class { CLASS_BUFFER, CLASS_SVM, CLASS_LOCAL, CLASS_VALUE, CLASS_STRUCT, CLASS_NULL };
struct item_list { /* expressions: one for all elements (`each`), or one per element */
    struct expr *items[MAX_ITEMS];
    const struct type *types[MAX_ITEMS]; /* structs: each member's type */
    size_t n;
    bool each;
};
struct test_arg {
    enum arg_class class;
    char name[48];
    const struct type *type;
    unsigned width;        /* values: vector length */
    struct expr *count;    /* elements; local memory: bytes */
    struct item_list init; /* none: bytes 0xa5 */
};
struct expectation {
    size_t arg;
    struct item_list values;
};
struct shape {
    size_t size[3];
    bool none; /* NULL local size */
};
struct testcase {
    const char *path;
    char *source;
    bool is_assembly, unvalidated; /* of SPIR-V, for spirv-as */
    char options[512];
    char no_spirv[128];   /* why clang's SPIR-V of it can't be used */
    char kernels[16][64]; /* launched in this order, each with the same arguments */
    size_t nkernels;
    char reference[64]; /* kernel that computes the expectation as a single work-item */
    unsigned dim;
    size_t global[3], offset[3];
    struct shape shapes[48];
    size_t nshapes;
    struct test_arg args[MAX_ITEMS];
    size_t nargs;
    struct expectation expects[16];
    size_t nexpects;
    char *print;          /* expected standard output of one launch sequence, or NULL */
    bool print_unordered; /* lines in any order */
    char build_error[256];
    char needs[256]; /* device features without which the case is skipped */
    char set[128];   /* NAME=VALUE for the environment, or "" */
    char finds[256]; /* what the checker says of it; "" if it isn't asked */
    bool races;      /* the checker finds errors, which aren't what is tested */
    bool illegal;    /* an invalid program: only has to finish */
    unsigned char *module; /* SPIR-V that the device gets instead of the source; NULL: none */
    size_t module_size;
};
/* Reads and checks a case; exits with a message when its header is malformed. */
struct testcase *testcase_read(const char *path);

/* ---- findings.c ---- */

/* Whether the checker's report from `seen` on has all that the case wants. */
bool findings_are_all(const struct testcase *, const char *report, long seen);
/* Whether the checker's report (WEIR_CHECK_REPORT), from *seen on, has just what the case says, if that isn't that it
 * races; else it prints the difference. *seen is the report's end then. */
bool findings_compare(const struct testcase *, const char *label, const char *report, long *seen);

#endif

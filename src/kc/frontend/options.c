/* options.c: build options of the specification to arguments of clang.
 *
 * In: the options string of clBuildProgram, clCompileProgram or clLinkProgram (API specification, "Compiler
 * Options" and "Linker Options"). Out: clang's arguments and what the compiler itself must know. Only what
 * the tables name gets through: no option makes clang read or write files other than included ones.
 */
#include "frontend.h"

#include <ctype.h>
#include <string.h>

enum { COMPILING = 1, LINKING = 2, BOTH = 3 };

#define FIELD(name) offsetof(struct options, name)
#define NO_FIELD    SIZE_MAX

static const struct option {
    const char *name;
    int where;
    const char *clang; /* NULL: clang need not know */
    size_t field;      /* of struct options: set to true */
} flags[] = {
    {"-cl-single-precision-constant", COMPILING, "-cl-single-precision-constant", NO_FIELD},
    {"-cl-denorms-are-zero", BOTH, NULL, FIELD(denorms_are_zero)}, /* a hint: denormals cost nothing here */
    {"-cl-fp32-correctly-rounded-divide-sqrt", COMPILING, "-cl-fp32-correctly-rounded-divide-sqrt", NO_FIELD},
    {"-cl-opt-disable", COMPILING, NULL, FIELD(optimize_none)},
    {"-cl-strict-aliasing", COMPILING, NULL, FIELD(strict_aliasing)},
    {"-cl-uniform-work-group-size", COMPILING, "-cl-uniform-work-group-size", FIELD(uniform_groups)},
    {"-cl-no-subgroup-ifp", BOTH, NULL, FIELD(no_progress)},
    {"-cl-mad-enable", COMPILING, "-cl-mad-enable", FIELD(mad)},
    {"-cl-no-signed-zeros", BOTH, "-cl-no-signed-zeros", FIELD(no_signed_zeros)},
    {"-cl-unsafe-math-optimizations", BOTH, "-cl-unsafe-math-optimizations", FIELD(unsafe_math)},
    {"-cl-finite-math-only", BOTH, "-cl-finite-math-only", FIELD(finite_math)},
    {"-cl-fast-relaxed-math", BOTH, "-cl-fast-relaxed-math", FIELD(fast_math)},
    {"-cl-kernel-arg-info", COMPILING, NULL, FIELD(arg_info)}, /* always kept */
    {"-w", COMPILING, "-w", NO_FIELD},
    {"-Werror", COMPILING, "-Werror", FIELD(warnings_are_errors)},
    {"-g", COMPILING, NULL, FIELD(debug)}, /* line tables are always there */
    {"-weir-check", BOTH, NULL, FIELD(check)},
    {"-create-library", LINKING, NULL, FIELD(create_library)},
    {"-enable-link-options", LINKING, NULL, FIELD(enable_link_options)},
};

static const struct standard {
    const char *name;
    unsigned version;
} standards[] = {
    {"CL1.0", 100}, {"CL1.1", 110}, {"CL1.2", 120},    {"CL2.0", 200},     {"CL3.0", 300},
    {"CL3.1", 310}, {"CLC++", 300}, {"CLC++1.0", 300}, {"CLC++2021", 300},
};

/* What clang 14 and earlier warned of and clang 22 refuses: programs in use have it. */
static const char *const lenient[] = {"-Wno-error=implicit-int",
                                      "-Wno-error=incompatible-pointer-types",
                                      "-Wno-error=incompatible-function-pointer-types",
                                      "-Wno-error=parentheses", /* a < b < c */
                                      "-Wno-error=initializer-overrides",
                                      "-Wno-error=invalid-gnu-asm-cast"};

/* Where the argument that begins at `s` ends: at white space outside of quotes. */
static const char *argument_end(const char *s) {
    for (bool quoted = false; *s && (quoted || !isspace((unsigned char)*s)); s++) {
        if (*s == '"')
            quoted = !quoted;
        else if (*s == '\\' && (s[1] == '"' || s[1] == '\\' || s[1] == ' '))
            s++;
    }
    return s;
}

/* Cuts the next argument off `*text`: split at white space, double quotes group, a backslash takes a quote,
 * a blank or a backslash literally. NULL at the end. */
static char *next_argument(struct job *job, const char **text) {
    const char *s = *text;
    while (isspace((unsigned char)*s))
        s++;
    if (!*s)
        return NULL;
    const char *end = argument_end(s);
    char *argument = job_alloc((size_t)(end - s) + 1), *to = argument;
    bool quoted = false;
    for (; s < end; s++) {
        if (*s == '"') {
            quoted = !quoted;
            continue;
        }
        if (*s == '\\' && (s[1] == '"' || s[1] == '\\' || s[1] == ' '))
            s++;
        *to++ = *s;
    }
    if (quoted)
        job_fail(job, ANSWER_INVALID_OPTIONS, "missing '\"' in build options");
    *text = s;
    return argument;
}

static void add(struct options *options, const char *argument) {
    size_t n = options->nclang;
    if (n == 0 || (n >= 32 && (n & (n - 1)) == 0)) { /* full: twice as many */
        char **grown = job_alloc((n ? 2 * n + 1 : 33) * sizeof *grown);
        if (n)
            memcpy(grown, options->clang, n * sizeof *grown);
        options->clang = grown;
    }
    options->clang[options->nclang++] = (char *)argument;
}

static bool take_flag(struct options *options, const char *argument, int where) {
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!(flags[i].where & where) || strcmp(argument, flags[i].name))
            continue;
        if (flags[i].clang && where == COMPILING)
            add(options, flags[i].clang);
        if (flags[i].field != NO_FIELD)
            *(bool *)((char *)options + flags[i].field) = true;
        return true;
    }
    return false;
}

static bool take_standard(struct options *options, const char *argument) {
    if (strncmp(argument, "-cl-std=", 8))
        return false;
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++) {
        if (strcmp(argument + 8, standards[i].name))
            continue;
        options->cl_version = standards[i].version;
        options->cxx = !strncmp(standards[i].name, "CLC++", 5);
        add(options, standards[i].version == 310 ? "-cl-std=CL3.0" : argument); /* clang has no 3.1 */
        return true;
    }
    return false;
}

/* -D and -I, their value attached or in the next argument. */
static bool take_value(struct job *job, struct options *options, const char *argument, const char **text) {
    if (argument[0] != '-' || (argument[1] != 'D' && argument[1] != 'I'))
        return false;
    const char *value = argument[2] ? argument + 2 : next_argument(job, text);
    if (!value || !*value)
        job_fail(job, ANSWER_INVALID_OPTIONS, "build option '%s' lacks its value", argument);
    if (argument[1] == 'D' && !isalpha((unsigned char)*value) && *value != '_')
        job_fail(job, ANSWER_INVALID_OPTIONS, "build option '-D %s' doesn't name a macro", value);
    options->has_includes |= argument[1] == 'I';
    add(options, job_printf("-%c%s", argument[1], value)); /* attached: clang would expand a lone "@file" */
    return true;
}

/* The option that was meant; NULL: nobody knows. */
static const char *meant(const char *argument, int where) {
    struct meant m = {.typed = argument};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].where & where)
            meant_try(&m, flags[i].name);
    return m.word;
}

static const char *standard_names(void) {
    const char *names = "";
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
        names = job_printf("%s%s%s", names, i ? ", " : "", standards[i].name);
    return names;
}

static _Noreturn void refuse(struct job *job, const char *argument, bool linking) {
    const char *kind = linking ? "link" : "build", *wanted = meant(argument, linking ? LINKING : COMPILING);
    if (wanted)
        job_fail(job, ANSWER_INVALID_OPTIONS, "invalid %s option '%s'; did you mean '%s'?", kind, argument,
                 wanted);
    if (!linking && !strncmp(argument, "-cl-std", 7))
        job_fail(job, ANSWER_INVALID_OPTIONS, "invalid build option '%s'; -cl-std= takes one of %s", argument,
                 standard_names());
    if (*argument != '-')
        job_fail(job, ANSWER_INVALID_OPTIONS,
                 "'%s' in the %s options is no option; a value with a blank needs quotes: -D \"NAME=1 2\"",
                 argument, kind);
    job_fail(job, ANSWER_INVALID_OPTIONS, "invalid %s option '%s'; leave it out: OpenCL knows %s", kind,
             argument,
             linking ? "-create-library, -enable-link-options and some of -cl-..."
                     : "-D, -I, -w, -Werror, -g and those of its own that begin with -cl-");
}

struct options *options_parse(struct job *job, const char *text, bool linking) {
    struct options *options = job_alloc(sizeof *options);
    options->cl_version = 0;
    text = text ? text : "";
    for (const char *argument; (argument = next_argument(job, &text));) {
        if (take_flag(options, argument, linking ? LINKING : COMPILING))
            continue;
        if (!linking && (take_standard(options, argument) || take_value(job, options, argument, &text)))
            continue;
        refuse(job, argument, linking);
    }
    if (options->enable_link_options && !options->create_library)
        job_fail(job, ANSWER_INVALID_OPTIONS, "'-enable-link-options' needs '-create-library'");
    if (!options->cl_version) { /* the highest 1.x version, says the specification */
        options->cl_version = 120;
        add(options, "-cl-std=CL1.2");
    }
    options->fast_math |= options->unsafe_math && options->finite_math;
    options->unsafe_math |= options->fast_math;
    options->mad |= options->unsafe_math;
    options->uniform_groups |= options->cl_version < 200;
    add(options, options->mad ? "-ffp-contract=fast" : "-ffp-contract=on");
    for (size_t i = 0; i < sizeof lenient / sizeof *lenient && !options->warnings_are_errors; i++)
        add(options, lenient[i]);
    if (!options->strict_aliasing) /* programs that pun types through pointers are many */
        add(options, "-relaxed-aliasing");
    return options;
}

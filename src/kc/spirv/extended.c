/* extended.c: OpExtInst: OpenCL.std's instructions as calls of OpenCL C's functions. Debug information of other sets is
 * passed over. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

/* Number, function, operands: f or s a number (signed), u unsigned, z a size_t, i an int, p a pointer to the result's type,
 * q to int, N a number of components in the name (v also by what is stored), R a rounding mode in the name. Upper case P and C of
 * vectors' elements, H to halves. A leading '=': it depends on its operands alone. */
#define EXTENDED(X)                                                                                                                                         \
    MATH(X, 0, acos)                                                                                                                                        \
    MATH(X, 1, acosh)                                                                                                                                       \
    MATH(X, 2, acospi)                                                                                                                                      \
    MATH(X, 3, asin) MATH(X, 4, asinh) MATH(X, 5, asinpi) MATH(X, 6, atan) MATH2(X, 7, atan2) MATH(                                                         \
        X, 8, atanh) MATH(X, 9, atanpi) MATH2(X, 10, atan2pi) MATH(X, 11, cbrt) MATH(X, 12, ceil)                                                           \
        MATH2(X, 13, copysign) MATH(X, 14, cos) MATH(X, 15, cosh) MATH(X, 16, cospi) MATH(X, 17, erfc)                                                      \
            MATH(X, 18, erf) MATH(X, 19, exp) MATH(X, 20, exp2) MATH(X, 21, exp10) MATH(X, 22, expm1) MATH(                                                 \
                X, 23, fabs) MATH2(X, 24, fdim) MATH(X, 25, floor) MATH3(X, 26, fma) MATH2(X, 27, fmax)                                                     \
                MATH2(X, 28, fmin) MATH2(X, 29, fmod) X(30, "fract", "sp") X(31, "frexp", "sq") MATH2(                                                      \
                    X, 32, hypot) MATH(X, 33, ilogb) X(34, "ldexp", "=si") MATH(X, 35, lgamma) X(36,                                                        \
                                                                                                 "lgamma_r", "sq")                                          \
                    MATH(X, 37, log) MATH(X, 38, log2) MATH(X, 39, log10) MATH(X, 40, log1p) MATH(X, 41, logb) MATH3(                                       \
                        X, 42, mad) MATH2(X, 43, maxmag)                                                                                                    \
                        MATH2(X, 44, minmag) X(45, "modf", "sp") X(46, "nan", "=u") MATH2(X, 47, nextafter) MATH2(X, 48, pow) X(                            \
                            49,                                                                                                                             \
                            "pown",                                                                                                                         \
                            "=si") MATH2(X, 50,                                                                                                             \
                                         powr) MATH2(X, 51, remainder)                                                                                      \
                            X(52, "remquo", "ssq") MATH(X, 53, rint) X(54, "rootn", "=si") MATH(X, 55, round) MATH(                                         \
                                X, 56, rsqrt) MATH(X, 57, sin) X(58, "sincos", "sp")                                                                        \
                                MATH(X, 59, sinh) MATH(X, 60, sinpi) MATH(X, 61, sqrt) MATH(X, 62, tan) MATH(                                               \
                                    X, 63, tanh) MATH(X, 64,                                                                                                \
                                                      tanpi) MATH(X, 65, tgamma)                                                                            \
                                    MATH(X, 66, trunc) MATH(X, 67, half_cos) MATH2(X, 68, half_divide) MATH(X, 69, half_exp) MATH(                          \
                                        X, 70, half_exp2) MATH(X, 71, half_exp10) MATH(X, 72, half_log)                                                     \
                                        MATH(X, 73, half_log2) MATH(X, 74, half_log10) MATH2(X, 75, half_powr) MATH(X, 76, half_recip) MATH(                \
                                            X, 77, half_rsqrt) MATH(X, 78, half_sin)                                                                        \
                                            MATH(X, 79, half_sqrt) MATH(X, 80, half_tan) MATH(X, 81, native_cos) MATH2(X, 82, native_divide) MATH(          \
                                                X, 83, native_exp) MATH(X, 84, native_exp2)                                                                 \
                                                MATH(X, 85, native_exp10) MATH(X, 86, native_log) MATH(X, 87, native_log2) MATH(X, 88, native_log10) MATH2( \
                                                    X, 89, native_powr) MATH(X, 90, native_recip)                                                           \
                                                    MATH(X, 91, native_rsqrt) MATH(X, 92, native_sin) MATH(                                                 \
                                                        X, 93,                                                                                              \
                                                        native_sqrt) MATH(X, 94,                                                                            \
                                                                          native_tan) MATH3(X, 95, clamp)                                                   \
                                                        MATH(X, 96, degrees) MATH2(X, 97, max) MATH2(X, 98, min) MATH3(                                     \
                                                            X, 99,                                                                                          \
                                                            mix) MATH(X,                                                                                    \
                                                                      100, radians) MATH2(X, 101, step)                                                     \
                                                            MATH3(X, 102, smoothstep) MATH(X, 103, sign) MATH2(X, 104, cross) MATH2(                        \
                                                                X, 105,                                                                                     \
                                                                distance) MATH(X, 106,                                                                      \
                                                                               length) MATH(X, 107, normalize)                                              \
                                                                MATH2(X, 108, fast_distance) MATH(X, 109, fast_length) MATH(X, 110, fast_normalize) X(      \
                                                                    141,                                                                                    \
                                                                    "abs", "=s") X(142, "abs_diff",                                                         \
                                                                                   "=ss") X(143, "add_sat", "=ss")                                          \
                                                                    X(144, "add_sat", "=uu") X(                                                             \
                                                                        145, "hadd",                                                                        \
                                                                        "=ss") X(146, "hadd",                                                               \
                                                                                 "=uu") X(147, "rhadd", "=ss")                                              \
                                                                        X(148, "rhadd", "=uu") X(149, "clamp", "=sss") X(150, "clamp", "=uuu") X(           \
                                                                            151, "clz",                                                                     \
                                                                            "=u") X(152, "ctz", "=u")                                                       \
                                                                            X(153, "mad_hi", "=sss") X(154, "mad_sat", "=uuu") X(                           \
                                                                                155, "mad_sat",                                                             \
                                                                                "=sss") X(156, "max", "=ss")                                                \
                                                                                X(157, "max", "=uu") X(158, "min", "=ss") X(                                \
                                                                                    159, "min",                                                             \
                                                                                    "=uu") X(160, "mul_hi",                                                 \
                                                                                             "=ss") X(161, "rotate", "=uu")                                 \
                                                                                    X(162, "sub_sat", "=ss") X(                                             \
                                                                                        163, "sub_sat",                                                     \
                                                                                        "=uu") X(164, "upsample",                                           \
                                                                                                 "=uu") X(165, "upsample", "=su")                           \
                                                                                        X(166, "popcount", "=u") X(                                         \
                                                                                            167, "mad24",                                                   \
                                                                                            "=sss") X(168, "mad24", "=uuu")                                 \
                                                                                            X(169, "mul24", "=ss") X(                                       \
                                                                                                170,                                                        \
                                                                                                "mul24",                                                    \
                                                                                                "=uu") X(171,                                               \
                                                                                                         "v"                                                \
                                                                                                         "l"                                                \
                                                                                                         "o"                                                \
                                                                                                         "a"                                                \
                                                                                                         "d",                                               \
                                                                                                         "z"                                                \
                                                                                                         "c"                                                \
                                                                                                         "N") X(172, "vstore", "szpN")                      \
                                                                                                X(173, "vload_half", "zh") X(                               \
                                                                                                    174,                                                    \
                                                                                                    "vload_"                                                \
                                                                                                    "half",                                                 \
                                                                                                    "zhN") X(175, "vstore_half",                            \
                                                                                                             "szH") X(176, "vstore_half", "szHR")           \
                                                                                                    X(177, "vstore_half", "szHN") X(                        \
                                                                                                        178,                                                \
                                                                                                        "vs"                                                \
                                                                                                        "to"                                                \
                                                                                                        "re"                                                \
                                                                                                        "_h"                                                \
                                                                                                        "al"                                                \
                                                                                                        "f",                                                \
                                                                                                        "sz"                                                \
                                                                                                        "HN"                                                \
                                                                                                        "R") X(179,                                         \
                                                                                                               "vloada_"                                    \
                                                                                                               "half",                                      \
                                                                                                               "zhN")                                       \
                                                                                                        X(180,                                              \
                                                                                                          "v"                                               \
                                                                                                          "s"                                               \
                                                                                                          "t"                                               \
                                                                                                          "o"                                               \
                                                                                                          "r"                                               \
                                                                                                          "e"                                               \
                                                                                                          "a"                                               \
                                                                                                          "_"                                               \
                                                                                                          "h"                                               \
                                                                                                          "a"                                               \
                                                                                                          "l"                                               \
                                                                                                          "f",                                              \
                                                                                                          "s"                                               \
                                                                                                          "z"                                               \
                                                                                                          "H"                                               \
                                                                                                          "N") X(181,                                       \
                                                                                                                 "vstorea_"                                 \
                                                                                                                 "half",                                    \
                                                                                                                 "szHNR")                                   \
                                                                                                            X(182,                                          \
                                                                                                              "s"                                           \
                                                                                                              "h"                                           \
                                                                                                              "u"                                           \
                                                                                                              "f"                                           \
                                                                                                              "f"                                           \
                                                                                                              "l"                                           \
                                                                                                              "e",                                          \
                                                                                                              "="                                           \
                                                                                                              "s"                                           \
                                                                                                              "u") X(183,                                   \
                                                                                                                     "shuffle2",                            \
                                                                                                                     "=ssu") X(185,                         \
                                                                                                                               "prefet"                     \
                                                                                                                               "ch",                        \
                                                                                                                               "cz")                        \
                                                                                                                X(186,                                      \
                                                                                                                  "bi"                                      \
                                                                                                                  "ts"                                      \
                                                                                                                  "el"                                      \
                                                                                                                  "ec"                                      \
                                                                                                                  "t",                                      \
                                                                                                                  "=s"                                      \
                                                                                                                  "s"                                       \
                                                                                                                  "s") X(187,                               \
                                                                                                                         "select",                          \
                                                                                                                         "=ssu")                            \
                                                                                                                    X(201,                                  \
                                                                                                                      "abs",                                \
                                                                                                                      "=u") X(202,                          \
                                                                                                                              "abs_diff",                   \
                                                                                                                              "=uu")                        \
                                                                                                                        X(203,                              \
                                                                                                                          "mul_hi",                         \
                                                                                                                          "=uu")                            \
                                                                                                                            X(204,                          \
                                                                                                                              "mad_hi",                     \
                                                                                                                              "=uuu")
#define MATH(X, number, name)  X(number, #name, "=s")
#define MATH2(X, number, name) X(number, #name, "=ss")
#define MATH3(X, number, name) X(number, #name, "=sss")

enum { PRINTF = 184 };

static const struct {
    uint32_t number;
    const char *name, *operands;
} instructions[] = {
#define ROW(number, name, operands) {number, name, operands},
    EXTENDED(ROW)
#undef ROW
};

/* What a pointer operand points to, or its elements if that is a vector. */
static LLVMTypeRef pointee(struct reader *r, uint32_t number) {
    const struct id *id = reader_id(r, number);
    reader_value(r, number);
    reader_pointee(r, id->type_id);
    return reader_type(r, reader_type_id(r, id->type_id)->at[1]);
}

static struct argument number_argument(struct reader *r, const struct instruction *in, uint32_t k,
                                       char letter) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(r->llvm);
    LLVMValueRef value = reader_operand(r, in, k);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!reader_is_int(type) && !reader_is_float(type))
        reader_fail(r, "operand %u is no number", k - 1);
    if (letter == 'z') {
        if (!reader_is_int(type) || reader_lanes(type) != 1)
            reader_fail(r, "operand %u is no integer", k - 1);
        value = LLVMBuildIntCast2(r->builder, value, i64, 0, "");
    }
    return (struct argument){.value = value, .letter = letter == 'u' || letter == 'z' ? 'u' : 's'};
}

static struct argument pointer_argument(struct reader *r, const struct instruction *in, uint32_t k,
                                        char letter) {
    LLVMTypeRef type = pointee(r, in->at[k]);
    bool is_const = letter == 'c' || letter == 'h';
    if (letter == 'h' || letter == 'H')
        type = LLVMHalfTypeInContext(r->llvm);
    return (struct argument){
        .value = reader_value(r, in->at[k]), .letter = is_const ? 'c' : 'p', .pointee = type};
}

/* The last character of a name is decided by operands that are numbers, or by what is stored. */
static const char *full_name(struct reader *r, const struct instruction *in, const char *name,
                             const char *operands, uint32_t *k, const struct argument *args) {
    static const char *const roundings[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    for (const char *o = operands; *o; o++) {
        if (*o == 'N') {
            bool stores = *operands == 's';
            unsigned n = stores ? reader_lanes(LLVMTypeOf(args[0].value)) : *k < in->n ? in->at[(*k)++] : 0;
            if (n != 2 && n != 3 && n != 4 && n != 8 && n != 16)
                reader_fail(r, "vectors have 2, 3, 4, 8 or 16 components, not %u", n);
            name = job_printf("%s%u", name, n);
        } else if (*o == 'R') {
            uint32_t mode = *k < in->n ? in->at[(*k)++] : UINT32_MAX;
            if (mode > ROUNDING_RTN)
                reader_fail(r, "there is no such rounding mode");
            name = job_printf("%s%s", name, roundings[mode]);
        }
    }
    return name;
}

static void call(struct reader *r, const struct instruction *in, const char *name, const char *operands) {
    unsigned flags = *operands == '=' ? CALL_PURE : 0, n = 0;
    struct argument args[4];
    uint32_t k = 2;
    operands += flags ? 1 : 0;
    for (const char *o = operands; *o; o++) {
        if (*o == 'N' || *o == 'R')
            continue;
        bool is_pointer = strchr("pqchH", *o);
        if (k >= in->n)
            reader_fail(r, "%s: operand %u is missing", name, k - 1);
        args[n++] = is_pointer ? pointer_argument(r, in, k, *o) : number_argument(r, in, k, *o);
        k++;
    }
    const char *full = full_name(r, in, name, operands, &k, args);
    if (k != in->n)
        reader_fail(r, "%s: there are %u operands too many", name, in->n - k);
    LLVMTypeRef type = reader_type_id(r, in->type)->op == OpTypeVoid ? reader_type_id(r, in->type)->type
                                                                     : reader_type(r, in->type);
    LLVMValueRef value = builtin_call(r, full, type, args, n, flags);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        reader_define(r, in, ID_GROUP);
    else
        reader_result(r, in, value);
}

static void call_printf(struct reader *r, const struct instruction *in) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(r->llvm),
                format = LLVMPointerTypeInContext(r->llvm, AS_CONSTANT);
    LLVMTypeRef type = LLVMFunctionType(i32, &format, 1, 1);
    LLVMValueRef *args = job_alloc((in->n + 1) * sizeof *args);
    if (in->n < 3 || reader_type(r, in->type) != i32)
        reader_fail(r, "printf takes a format and gives an integer of 32 bits");
    for (uint32_t k = 2; k < in->n; k++)
        args[k - 2] = reader_operand(r, in, k);
    if (reader_is_pointer(LLVMTypeOf(args[0])) && LLVMTypeOf(args[0]) != format) /* an extension */
        args[0] = LLVMBuildAddrSpaceCast(r->builder, args[0], format, "");
    if (LLVMTypeOf(args[0]) != format)
        reader_fail(r, "printf: the format is no pointer");
    LLVMValueRef f = LLVMGetNamedFunction(r->module, "printf");
    if (!f)
        f = LLVMAddFunction(r->module, "printf", type);
    if (LLVMGlobalGetValueType(f) != type)
        reader_fail(r, "the module has a function 'printf' of its own");
    reader_result(r, in, LLVMBuildCall2(r->builder, type, f, args, in->n - 2, ""));
}

void read_extended(struct reader *r, const struct instruction *in) {
    const struct id *set = reader_id(r, in->at[0]);
    if (set->kind != ID_IMPORT)
        reader_fail(r, "id %u is no set of instructions", in->at[0]);
    if (strcmp(set->name, "OpenCL.std")) { /* says nothing that has to be done */
        reader_define(r, in, ID_GROUP);
        return;
    }
    if (!r->block)
        reader_fail(r, "it is outside of blocks");
    if (in->at[1] == PRINTF) {
        call_printf(r, in);
        return;
    }
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        if (instructions[i].number == in->at[1]) {
            call(r, in, instructions[i].name, instructions[i].operands);
            return;
        }
    reader_fail(r, "OpenCL.std has no instruction %u", in->at[1]);
}

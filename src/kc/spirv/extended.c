/* extended.c: OpExtInst: OpenCL.std's instructions as calls of OpenCL C's functions. Debug information of other sets is
 * passed over. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

/* Number, function, operands: s a number (signed), u unsigned, z a size_t, i an int, p a pointer to what is written, q one to
 * ints, c one to what is only read, h and H these to halves, N a number of components in the name (where a vector is stored, its
 * own), R a rounding mode in the name. A leading '=': the result depends on the operands alone. */
// clang-format off
static const struct {
    uint32_t number;
    const char *name, *operands;
} instructions[] = {
    {0, "acos", "=s"}, {1, "acosh", "=s"}, {2, "acospi", "=s"}, {3, "asin", "=s"}, {4, "asinh", "=s"},
    {5, "asinpi", "=s"}, {6, "atan", "=s"}, {7, "atan2", "=ss"}, {8, "atanh", "=s"}, {9, "atanpi", "=s"},
    {10, "atan2pi", "=ss"}, {11, "cbrt", "=s"}, {12, "ceil", "=s"}, {13, "copysign", "=ss"},
    {14, "cos", "=s"}, {15, "cosh", "=s"}, {16, "cospi", "=s"}, {17, "erfc", "=s"}, {18, "erf", "=s"},
    {19, "exp", "=s"}, {20, "exp2", "=s"}, {21, "exp10", "=s"}, {22, "expm1", "=s"}, {23, "fabs", "=s"},
    {24, "fdim", "=ss"}, {25, "floor", "=s"}, {26, "fma", "=sss"}, {27, "fmax", "=ss"}, {28, "fmin", "=ss"},
    {29, "fmod", "=ss"}, {30, "fract", "sp"}, {31, "frexp", "sq"}, {32, "hypot", "=ss"},
    {33, "ilogb", "=s"}, {34, "ldexp", "=si"}, {35, "lgamma", "=s"}, {36, "lgamma_r", "sq"},
    {37, "log", "=s"}, {38, "log2", "=s"}, {39, "log10", "=s"}, {40, "log1p", "=s"}, {41, "logb", "=s"},
    {42, "mad", "=sss"}, {43, "maxmag", "=ss"}, {44, "minmag", "=ss"}, {45, "modf", "sp"},
    {46, "nan", "=u"}, {47, "nextafter", "=ss"}, {48, "pow", "=ss"}, {49, "pown", "=si"},
    {50, "powr", "=ss"}, {51, "remainder", "=ss"}, {52, "remquo", "ssq"}, {53, "rint", "=s"},
    {54, "rootn", "=si"}, {55, "round", "=s"}, {56, "rsqrt", "=s"}, {57, "sin", "=s"}, {58, "sincos", "sp"},
    {59, "sinh", "=s"}, {60, "sinpi", "=s"}, {61, "sqrt", "=s"}, {62, "tan", "=s"}, {63, "tanh", "=s"},
    {64, "tanpi", "=s"}, {65, "tgamma", "=s"}, {66, "trunc", "=s"}, {67, "half_cos", "=s"},
    {68, "half_divide", "=ss"}, {69, "half_exp", "=s"}, {70, "half_exp2", "=s"}, {71, "half_exp10", "=s"},
    {72, "half_log", "=s"}, {73, "half_log2", "=s"}, {74, "half_log10", "=s"}, {75, "half_powr", "=ss"},
    {76, "half_recip", "=s"}, {77, "half_rsqrt", "=s"}, {78, "half_sin", "=s"}, {79, "half_sqrt", "=s"},
    {80, "half_tan", "=s"}, {81, "native_cos", "=s"}, {82, "native_divide", "=ss"},
    {83, "native_exp", "=s"}, {84, "native_exp2", "=s"}, {85, "native_exp10", "=s"},
    {86, "native_log", "=s"}, {87, "native_log2", "=s"}, {88, "native_log10", "=s"},
    {89, "native_powr", "=ss"}, {90, "native_recip", "=s"}, {91, "native_rsqrt", "=s"},
    {92, "native_sin", "=s"}, {93, "native_sqrt", "=s"}, {94, "native_tan", "=s"}, {95, "clamp", "=sss"},
    {96, "degrees", "=s"}, {97, "max", "=ss"}, {98, "min", "=ss"}, {99, "mix", "=sss"},
    {100, "radians", "=s"}, {101, "step", "=ss"}, {102, "smoothstep", "=sss"}, {103, "sign", "=s"},
    {104, "cross", "=ss"}, {105, "distance", "=ss"}, {106, "length", "=s"}, {107, "normalize", "=s"},
    {108, "fast_distance", "=ss"}, {109, "fast_length", "=s"}, {110, "fast_normalize", "=s"},
    {141, "abs", "=s"}, {142, "abs_diff", "=ss"}, {143, "add_sat", "=ss"}, {144, "add_sat", "=uu"},
    {145, "hadd", "=ss"}, {146, "hadd", "=uu"}, {147, "rhadd", "=ss"}, {148, "rhadd", "=uu"},
    {149, "clamp", "=sss"}, {150, "clamp", "=uuu"}, {151, "clz", "=u"}, {152, "ctz", "=u"},
    {153, "mad_hi", "=sss"}, {154, "mad_sat", "=uuu"}, {155, "mad_sat", "=sss"}, {156, "max", "=ss"},
    {157, "max", "=uu"}, {158, "min", "=ss"}, {159, "min", "=uu"}, {160, "mul_hi", "=ss"},
    {161, "rotate", "=uu"}, {162, "sub_sat", "=ss"}, {163, "sub_sat", "=uu"}, {164, "upsample", "=uu"},
    {165, "upsample", "=su"}, {166, "popcount", "=u"}, {167, "mad24", "=sss"}, {168, "mad24", "=uuu"},
    {169, "mul24", "=ss"}, {170, "mul24", "=uu"}, {171, "vload", "zcN"}, {172, "vstore", "szpN"},
    {173, "vload_half", "zh"}, {174, "vload_half", "zhN"}, {175, "vstore_half", "szH"},
    {176, "vstore_half", "szHR"}, {177, "vstore_half", "szHN"}, {178, "vstore_half", "szHNR"},
    {179, "vloada_half", "zhN"}, {180, "vstorea_half", "szHN"}, {181, "vstorea_half", "szHNR"},
    {182, "shuffle", "=su"}, {183, "shuffle2", "=ssu"}, {185, "prefetch", "cz"}, {186, "bitselect", "=sss"},
    {187, "select", "=ssu"}, {201, "abs", "=u"}, {202, "abs_diff", "=uu"}, {203, "mul_hi", "=uu"},
    {204, "mad_hi", "=uuu"},
};
// clang-format on

enum { PRINTF = 184 };

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
        reader_fail(r, "operand %u is not a number", k - 1);
    if (letter == 'z') {
        if (!reader_is_int(type) || reader_lanes(type) != 1)
            reader_fail(r, "operand %u is not an integer", k - 1);
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
        reader_fail(r, "printf: the format is not a pointer");
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
        reader_fail(r, "id %u is not a set of instructions", in->at[0]);
    if (strcmp(set->name, "OpenCL.std")) { /* says nothing that has to be done */
        reader_define(r, in, ID_GROUP);
        if (debug_is_set(set->name))
            debug_read(r, in);
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

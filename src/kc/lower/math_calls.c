/* math_calls.c: mathematical functions are the ones that suit the program and the processor.
 *
 * In: k->module before the built-in library is linked. Out: the same, where calls of some functions are of others of the library.
 * - A sine or cosine that may be approximate (`afn`, by -cl-fast-relaxed-math or -cl-unsafe-math-optimizations) is one of
 *   lib/cl/native_sine.cl. They are off by 2^-22, and OpenCL C 7.4 allows 2^-11 then, from -pi to pi.
 *     %y = call fast float @_Z3sinf(float %x)         becomes     %y = call fast float @_Z10native_sinf(float %x)
 * - Exponentials of doubles read a table of sixteen where vectors hold it in two registers (lib/cl/exp_double.cl).
 *     %y = call double @_Z3expd(double %x)            becomes     %y = call double @_Z16__weir_table_expd(double %x)
 * - Logarithms have a number's mantissa and exponent from the processor where it tells them (lib/cl/log.cl): __weir_parts_log and so on.
 * What it can't do: relaxed tangents, which are far off near their poles so; exponentials, as native ones below 2^-125.5 are 0;
 * logarithms and powers. */
#include "lower.h"
#include <stdio.h>
#include <string.h>

static bool may_be_approximate(const struct kernel *k, LLVMValueRef call) {
    (void)k;
    return LLVMGetFastMathFlags(call) & LLVMFastMathApproxFunc;
}

static bool has_scales(const struct kernel *k, LLVMValueRef call) {
    (void)call;
    return k->target->scales;
}

static const struct choice {
    const char *function, *other;
    char type;
    bool (*is_other)(const struct kernel *k, LLVMValueRef call);
} choices[] = {
    {"sin", "native_sin", 'f', may_be_approximate},   {"cos", "native_cos", 'f', may_be_approximate},
    {"exp", "__weir_table_exp", 'd', has_scales},     {"exp2", "__weir_table_exp2", 'd', has_scales},
    {"exp10", "__weir_table_exp10", 'd', has_scales}, {"log", "__weir_parts_log", 'f', has_scales},
    {"log2", "__weir_parts_log2", 'f', has_scales},   {"log10", "__weir_parts_log10", 'f', has_scales},
    {"log", "__weir_parts_log", 'd', has_scales},     {"log2", "__weir_parts_log2", 'd', has_scales},
    {"log10", "__weir_parts_log10", 'd', has_scales},
};

static void choose(struct kernel *k, const struct choice *c, LLVMValueRef function, const char *name) {
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMValueRef to = LLVMGetNamedFunction(k->module, name);
    for (LLVMUseRef next, u = LLVMGetFirstUse(function); u; u = next) {
        LLVMValueRef call = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function || !c->is_other(k, call)) {
            continue;
        }
        if (!to) {
            to = LLVMAddFunction(k->module, name, type);
            LLVMSetFunctionCallConv(to, LLVMGetFunctionCallConv(function));
        }
        LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, to);
    }
}

void math_calls_pass(struct kernel *k) {
    static const char *const vectors[] = {"", "Dv2_", "Dv3_", "Dv4_", "Dv8_", "Dv16_"};
    char name[32], other[48];
    for (const struct choice *c = choices; c < choices + sizeof choices / sizeof *choices; c++) {
        for (unsigned v = 0; v < sizeof vectors / sizeof *vectors; v++) {
            snprintf(name, sizeof name, "_Z%zu%s%s%c", strlen(c->function), c->function, vectors[v], c->type);
            snprintf(other, sizeof other, "_Z%zu%s%s%c", strlen(c->other), c->other, vectors[v], c->type);
            LLVMValueRef function = LLVMGetNamedFunction(k->module, name);
            if (function && LLVMIsDeclaration(function)) {
                choose(k, c, function, other);
            }
        }
    }
}

/* relaxed_calls.c: sines and cosines are native_ ones where programs ask for relaxed mathematics.
 *
 * In: k->module before the built-in library is linked. Out: the same; a call that may be approximate (`afn`, by
 * -cl-fast-relaxed-math or -cl-unsafe-math-optimizations) is one of lib/cl/native_sine.cl. They are off by 2^-22, and OpenCL C 7.4
 * allows 2^-11 then, from -pi to pi.
 *     %y = call fast float @_Z3sinf(float %x)         becomes     %y = call fast float @_Z10native_sinf(float %x)
 * What it can't do: tangents, which are far off near their poles so; exponentials, as native ones below 2^-125.5 are 0;
 * logarithms and powers. */
#include "lower.h"
#include <stdio.h>
#include <string.h>

static const char *const relaxed[] = {"sin", "cos"};
static const char *const types[] = {"f", "Dv2_f", "Dv3_f", "Dv4_f", "Dv8_f", "Dv16_f"};

static void relax(struct kernel *k, LLVMValueRef function, const char *native) {
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMValueRef to = LLVMGetNamedFunction(k->module, native);
    for (LLVMUseRef next, u = LLVMGetFirstUse(function); u; u = next) {
        LLVMValueRef call = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != function ||
            !(LLVMGetFastMathFlags(call) & LLVMFastMathApproxFunc)) {
            continue;
        }
        if (!to) {
            to = LLVMAddFunction(k->module, native, type);
            LLVMSetFunctionCallConv(to, LLVMGetFunctionCallConv(function));
        }
        LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, to);
    }
}

void relaxed_calls_pass(struct kernel *k) {
    char exact[32], native[32];
    for (unsigned f = 0; f < sizeof relaxed / sizeof *relaxed; f++) {
        for (unsigned t = 0; t < sizeof types / sizeof *types; t++) {
            size_t n = strlen(relaxed[f]);
            snprintf(exact, sizeof exact, "_Z%zu%s%s", n, relaxed[f], types[t]);
            snprintf(native, sizeof native, "_Z%zunative_%s%s", n + strlen("native_"), relaxed[f], types[t]);
            LLVMValueRef function = LLVMGetNamedFunction(k->module, exact);
            if (function && LLVMIsDeclaration(function)) {
                relax(k, function, native);
            }
        }
    }
}

/* to_spirv_ready.c: what LLVM 22's back end for SPIR-V gets wrong, written otherwise.
 *
 * In: a program's IR as clang makes it for SPIR-V, without optimization. Out: the same with
 *   - variables that are never pointed to as values: the types of parameters are guessed from what is done with them;
 *   - alignments of at most 64 bytes: it writes 128 as a signed byte;
 *   - barriers as SPIR-V's own, with their execution scope: of those without local memory it writes the memory scope twice,
 *     and flags that are no constant it forgets;
 *   - conversions between integers without saturation, and by another name: it takes numbers without a sign for such with
 *     one, and the other way round. */
#include "frontend.h"
#include "ir.h"
#include "spirv_sync.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ALIGNED = 64 };

static void limit_alignment(LLVMValueRef v) {
    if (LLVMGetAlignment(v) > MOST_ALIGNED)
        LLVMSetAlignment(v, MOST_ALIGNED);
}

/* A built-in function of that mangled name. */
static LLVMValueRef builtin(LLVMModuleRef module, const char *name, LLVMTypeRef type) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    LLVMValueRef f = LLVMGetNamedFunction(module, name);
    if (!f) {
        f = LLVMAddFunction(module, name, type);
        LLVMSetFunctionCallConv(f, LLVMSPIRFUNCCallConv);
        ir_attribute(c, f, "convergent", 0);
        ir_attribute(c, f, "nounwind", 0);
    }
    return f;
}

/* ---- barriers ------------------------------------------------------------------------------------------------------ */

/* SPIR-V's constant for one of OpenCL C, or -1. */
static int64_t scope_of(LLVMValueRef scope) {
    static const enum scope scopes[] = {SCOPE_INVOCATION, SCOPE_WORKGROUP, SCOPE_DEVICE, SCOPE_CROSS_DEVICE,
                                        SCOPE_SUBGROUP};
    uint64_t n = LLVMIsAConstantInt(scope) ? LLVMConstIntGetZExtValue(scope) : UINT64_MAX;
    return n < sizeof scopes / sizeof *scopes ? (int64_t)scopes[n] : -1;
}

static void own_barrier(LLVMModuleRef module, LLVMValueRef call, uint32_t execution) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    LLVMValueRef flags = LLVMGetOperand(call, 0);
    int64_t scope = LLVMGetNumArgOperands(call) > 1 ? scope_of(LLVMGetOperand(call, 1)) : SCOPE_WORKGROUP;
    if (scope < 0)
        return; /* which SPIR-V has no barrier for */
    uint64_t bits =
        LLVMIsAConstantInt(flags) ? LLVMConstIntGetZExtValue(flags) : UINT64_MAX; /* or more than asked for */
    uint32_t semantics = SEMANTICS_ACQUIRE_RELEASE | (bits & WEIR_FENCE_LOCAL ? SEMANTICS_WORKGROUP : 0) |
                         (bits & WEIR_FENCE_GLOBAL ? SEMANTICS_CROSS_WORKGROUP : 0) |
                         (bits & WEIR_FENCE_IMAGE ? SEMANTICS_IMAGE : 0);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c), types[] = {i32, i32, i32},
                type = LLVMFunctionType(LLVMVoidTypeInContext(c), types, 3, false);
    LLVMValueRef f = builtin(module, "_Z22__spirv_ControlBarrieriii", type);
    LLVMValueRef args[] = {ir_const32(c, execution), ir_const32(c, (uint32_t)scope),
                           ir_const32(c, semantics)};
    LLVMBuilderRef b = ir_before(call);
    LLVMValueRef barrier = LLVMBuildCall2(b, type, f, args, 3, "");
    LLVMSetInstructionCallConv(barrier, LLVMSPIRFUNCCallConv);
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(call);
}

/* ---- conversions --------------------------------------------------------------------------------------------------- */

/* convert_T(U), T and U integers. */
struct conversion {
    bool from_unsigned, to_unsigned, saturates;
    unsigned bits;    /* of T */
    const char *type; /* T's name, without a 'u', "char4" */
    int length;
    const char *from; /* U, mangled */
};

/* Bits of an integer type of OpenCL C that the text begins with, behind which it is set; 0: it is another one. */
static unsigned integer_bits(const char **text) {
    static const char *const names[] = {"char", "short", "int", "long"};
    for (unsigned i = 0; i < 4; i++) {
        if (!strncmp(*text, names[i], strlen(names[i]))) {
            *text += strlen(names[i]);
            return 8u << i;
        }
    }
    return 0;
}

/* Whether the function is one of them, maybe with a rounding mode: "_Z16convert_uint_sath", "_Z17convert_char4_rtzDv4_s". */
static bool is_conversion(const char *name, struct conversion *c) {
    char *at;
    unsigned long length = strncmp(name, "_Z", 2) ? 0 : strtoul(name + 2, &at, 10);
    if (!length || strncmp(at, "convert_", 8) || strlen(at) < length)
        return false;
    c->from = at + length;
    char from = name[strlen(name) - 1];
    c->from_unsigned = strchr("htjm", from);
    at += 8;
    c->to_unsigned = *at == 'u';
    c->type = at += c->to_unsigned;
    c->bits = integer_bits((const char **)&at);
    at += strspn(at, "0123456789");
    c->length = (int)(at - c->type);
    c->saturates = !strncmp(at, "_sat", 4);
    return c->bits && strchr("htjmcasil", from) && !strstr(c->from, "Dh");
}

static LLVMValueRef limited(LLVMBuilderRef b, LLVMValueRef x, LLVMIntPredicate holds, uint64_t limit) {
    LLVMValueRef most = ir_number(LLVMTypeOf(x), limit);
    return LLVMBuildSelect(b, LLVMBuildICmp(b, holds, x, most, ""), x, most, "");
}

static LLVMValueRef saturated(LLVMBuilderRef b, LLVMValueRef x, const struct conversion *c, unsigned from) {
    unsigned digits = c->bits - !c->to_unsigned, has = from - !c->from_unsigned; /* without the sign */
    if (digits < has)
        x = limited(b, x, c->from_unsigned ? LLVMIntULT : LLVMIntSLT, (UINT64_C(1) << digits) - 1);
    if (!c->from_unsigned && c->to_unsigned)
        x = limited(b, x, LLVMIntSGT, 0);
    else if (!c->from_unsigned && digits < has)
        x = limited(b, x, LLVMIntSGT, UINT64_MAX << digits);
    return x;
}

/* A call of the function that the back end makes the right instruction of: it goes by the sign of what the function gives, and
 * the wrong way round. */
static LLVMValueRef converted(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef x, LLVMTypeRef to,
                              const struct conversion *c) {
    char name[64];
    LLVMTypeRef from = LLVMTypeOf(x), type = LLVMFunctionType(to, &from, 1, false);
    snprintf(name, sizeof name, "_Z%zuconvert_%s%.*s%s", strlen("convert_") + !c->from_unsigned + c->length,
             c->from_unsigned ? "" : "u", c->length, c->type, c->from);
    LLVMValueRef call = LLVMBuildCall2(b, type, builtin(module, name, type), &x, 1, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    return call;
}

static void convert(LLVMModuleRef module, LLVMValueRef call, const struct conversion *c) {
    LLVMValueRef x = LLVMGetOperand(call, 0);
    LLVMTypeRef type = LLVMTypeOf(x), to = LLVMTypeOf(call);
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMBuilderRef b = ir_before(call);
    if (c->saturates)
        x = saturated(b, x, c, LLVMGetIntTypeWidth(is_vector ? LLVMGetElementType(type) : type));
    LLVMReplaceAllUsesWith(call, type == to ? x : converted(module, b, x, to, c));
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(call);
}

/* -------------------------------------------------------------------------------------------------------------------- */

static void ready_call(LLVMModuleRef module, LLVMValueRef call) {
    LLVMValueRef f = ir_callee(call);
    size_t length;
    const char *name = f ? LLVMGetValueName2(f, &length) : "";
    struct conversion conversion;
    if (!strcmp(name, "_Z18work_group_barrierj12memory_scope"))
        own_barrier(module, call, SCOPE_WORKGROUP);
    else if ((!strcmp(name, "_Z7barrierj") || !strcmp(name, "_Z18work_group_barrierj")) &&
             !LLVMIsAConstantInt(LLVMGetOperand(call, 0)))
        own_barrier(module, call, SCOPE_WORKGROUP); /* of which the back end forgets the flags */
    else if (!strcmp(name, "_Z17sub_group_barrierj12memory_scope"))
        own_barrier(module, call, SCOPE_SUBGROUP);
    else if (is_conversion(name, &conversion))
        convert(module, call, &conversion);
}

static void ready_instruction(LLVMModuleRef module, LLVMValueRef i) {
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAllocaInst(i))
        limit_alignment(i);
    else if (LLVMIsACallInst(i))
        ready_call(module, i);
}

void to_spirv_ready(struct job *job, LLVMModuleRef module) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    job_check(job, LLVMRunPasses(module, "function(mem2reg)", NULL, options), "mem2reg");
    LLVMDisposePassBuilderOptions(options);
    for (LLVMValueRef v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
        limit_alignment(v);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
                next = LLVMGetNextInstruction(i);
                ready_instruction(module, i);
            }
        }
    }
}

/* expand_globals.c: globals that become addresses computed at run time.
 *
 * In: a function, and the globals. Out: the function, whose constant expressions and aggregates over them are instructions. */
#include "ir.h"

bool ir_refers(LLVMValueRef v, const struct ptrmap *globals) {
    uintptr_t ignored;
    if (!LLVMIsAConstant(v) || LLVMIsAFunction(v)) {
        return false;
    }
    if (LLVMIsAGlobalValue(v)) {
        return ptrmap_get(globals, v, &ignored);
    }
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (ir_refers(LLVMGetOperand(v, (unsigned)i), globals)) {
            return true;
        }
    }
    return false;
}

struct expansion {
    const struct ptrmap *globals;
    LLVMValueRef (*replace)(void *, LLVMBuilderRef, uintptr_t);
    void *arg;
    LLVMValueRef *bad;
};

static LLVMValueRef expand(const struct expansion *, LLVMBuilderRef, LLVMValueRef);

static LLVMValueRef expand_aggregate(const struct expansion *e, LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef result = LLVMGetPoison(type);
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        LLVMValueRef part = expand(e, b, LLVMGetOperand(v, (unsigned)i));
        LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(LLVMGetTypeContext(type)), (unsigned)i, 0);
        result = is_vector ? LLVMBuildInsertElement(b, result, part, at, "")
                           : LLVMBuildInsertValue(b, result, part, (unsigned)i, "");
    }
    return result;
}

static LLVMValueRef expand_expression(const struct expansion *e, LLVMBuilderRef b, LLVMValueRef v) {
    LLVMOpcode op = LLVMGetConstOpcode(v);
    int n = LLVMGetNumOperands(v);
    LLVMValueRef *operands = job_alloc(((size_t)n + 1) * sizeof(LLVMValueRef));
    for (int i = 0; i < n; i++) {
        operands[i] = expand(e, b, LLVMGetOperand(v, (unsigned)i));
    }
    switch (op) {
    case LLVMGetElementPtr:
        return LLVMBuildGEP2(b, LLVMGetGEPSourceElementType(v), operands[0], operands + 1, (unsigned)n - 1,
                             "");
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMTrunc:
        return LLVMBuildCast(b, op, operands[0], LLVMTypeOf(v), "");
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor:
        return LLVMBuildBinOp(b, op, operands[0], operands[1], "");
    default:
        *e->bad = v;
        return v;
    }
}

static LLVMValueRef expand(const struct expansion *e, LLVMBuilderRef b, LLVMValueRef v) {
    uintptr_t index;
    if (LLVMIsAGlobalValue(v)) {
        LLVMValueRef place = ptrmap_get(e->globals, v, &index) ? e->replace(e->arg, b, index) : v;
        return LLVMTypeOf(place) == LLVMTypeOf(v) ? place
                                                  : LLVMBuildAddrSpaceCast(b, place, LLVMTypeOf(v), "");
    }
    if (!ir_refers(v, e->globals)) {
        return v;
    }
    return LLVMIsAConstantExpr(v) ? expand_expression(e, b, v) : expand_aggregate(e, b, v);
}

LLVMValueRef ir_expand(LLVMBuilderRef b, LLVMValueRef constant, const struct ptrmap *globals,
                       LLVMValueRef (*replace)(void *, LLVMBuilderRef, uintptr_t), void *arg,
                       LLVMValueRef *bad) {
    struct expansion e = {globals, replace, arg, bad};
    return expand(&e, b, constant);
}

/* A PHI's operand must be built at the end of the block that it comes from. */
static void expand_phi(const struct expansion *e, LLVMValueRef phi) {
    bool affected = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        affected |= ir_refers(LLVMGetIncomingValue(phi, i), e->globals);
    }
    if (!affected) {
        return;
    }
    struct ptrmap done = {0}; /* several edges from one block carry one value */
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (ir_refers(v, e->globals)) {
            uintptr_t known;
            if (!ptrmap_get(&done, from, &known)) {
                LLVMBuilderRef b = ir_before(LLVMGetBasicBlockTerminator(from));
                known = (uintptr_t)expand(e, b, v);
                ptrmap_set(&done, from, known);
                LLVMDisposeBuilder(b);
            }
            LLVMSetOperand(phi, i, (LLVMValueRef)known);
        }
    }
}

bool ir_expand_globals(LLVMValueRef function, const struct ptrmap *globals,
                       LLVMValueRef (*replace)(void *, LLVMBuilderRef, uintptr_t), void *arg,
                       LLVMValueRef *bad) {
    struct expansion e = {globals, replace, arg, bad};
    *bad = NULL;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAPHINode(i)) {
                expand_phi(&e, i);
                continue;
            }
            for (int k = 0; k < LLVMGetNumOperands(i); k++) {
                LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);
                if (v && ir_refers(v, globals)) {
                    LLVMBuilderRef b = ir_before(i);
                    LLVMSetOperand(i, (unsigned)k, expand(&e, b, v));
                    LLVMDisposeBuilder(b);
                }
            }
        }
    }
    return !*bad;
}

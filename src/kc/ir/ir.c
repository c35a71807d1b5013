/* ir.c: what the passes need of the IR and LLVM's C API lacks: splitting blocks, telling calls apart,
 * expanding constant expressions over globals that become addresses computed at run time. */
#include "ir.h"
#include <limits.h>
#include <string.h>

LLVMValueRef ir_callee(LLVMValueRef call) {
    LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    return callee && LLVMIsAFunction(callee) ? callee : NULL;
}

static bool has_more_than(unsigned most, LLVMModuleRef module) {
    unsigned n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (++n > most) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool ir_is_long(LLVMModuleRef module) {
    return has_more_than(20000, module);
}

bool ir_is_huge(LLVMModuleRef module) {
    return has_more_than(150000, module);
}

LLVMValueRef ir_address(LLVMValueRef i) {
    if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i)) {
        return LLVMGetOperand(i, 0);
    }
    return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

LLVMTypeRef ir_access_type(LLVMValueRef i) {
    return LLVMTypeOf(LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i);
}

bool ir_is_plain(LLVMValueRef i) {
    return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && !LLVMGetVolatile(i) &&
           LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

bool ir_is_action(LLVMValueRef i) {
    return LLVMIsACallInst(i) ? !ir_is_marker(i) && !ir_has_no_effect(i)
                              : LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

bool ir_may_write(LLVMValueRef i) {
    return ir_is_action(i) || LLVMIsAStoreInst(i) || (LLVMIsALoadInst(i) && !ir_is_plain(i));
}

bool ir_is_index(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    return kind == LLVMPointerTypeKind || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

bool ir_is_division(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

LLVMIntPredicate ir_swapped(LLVMIntPredicate op) {
    static const unsigned char of[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT, LLVMIntULE, LLVMIntUGT,
                                       LLVMIntUGE, LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
    return (LLVMIntPredicate)of[op - LLVMIntEQ];
}

LLVMIntPredicate ir_opposite(LLVMIntPredicate p) {
    static const LLVMIntPredicate of[] = {[LLVMIntEQ] = LLVMIntNE,   [LLVMIntNE] = LLVMIntEQ,
                                          [LLVMIntUGT] = LLVMIntULE, [LLVMIntULE] = LLVMIntUGT,
                                          [LLVMIntUGE] = LLVMIntULT, [LLVMIntULT] = LLVMIntUGE,
                                          [LLVMIntSGT] = LLVMIntSLE, [LLVMIntSLE] = LLVMIntSGT,
                                          [LLVMIntSGE] = LLVMIntSLT, [LLVMIntSLT] = LLVMIntSGE};
    return of[p];
}

bool ir_divides(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (ir_is_division(i) && !LLVMIsConstant(LLVMGetOperand(i, 1))) {
                return true;
            }
        }
    }
    return false;
}

void ir_drop_flags(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMTrunc:
        LLVMSetNSW(i, 0);
        LLVMSetNUW(i, 0);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        LLVMSetExact(i, 0);
        break;
    case LLVMOr:
        LLVMSetIsDisjoint(i, 0);
        break;
    case LLVMZExt:
    case LLVMUIToFP:
        LLVMSetNNeg(i, 0);
        break;
    case LLVMICmp:
        LLVMSetICmpSameSign(i, 0);
        break;
    case LLVMGetElementPtr:
        LLVMGEPSetNoWrapFlags(i, 0);
        break;
    default:
        if (LLVMCanValueUseFastMathFlags(i)) {
            LLVMSetFastMathFlags(i, LLVMGetFastMathFlags(i) & ~(LLVMFastMathNoNaNs | LLVMFastMathNoInfs));
        }
        break;
    }
}

bool ir_is_limit(LLVMValueRef i) {
    return ir_is_intrinsic(i, "llvm.smin.") || ir_is_intrinsic(i, "llvm.smax.") ||
           ir_is_intrinsic(i, "llvm.umin.") || ir_is_intrinsic(i, "llvm.umax.");
}

LLVMValueRef ir_after_phis(LLVMValueRef from) {
    while (LLVMIsAPHINode(from)) {
        from = LLVMGetNextInstruction(from);
    }
    return from;
}

LLVMValueRef ir_incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingBlock(phi, i) == from) {
            return LLVMGetIncomingValue(phi, i);
        }
    }
    return NULL;
}

LLVMValueRef ir_counts_by(LLVMValueRef next, LLVMValueRef v) {
    bool adds = LLVMIsABinaryOperator(next) && LLVMGetInstructionOpcode(next) == LLVMAdd &&
                LLVMGetOperand(next, 0) == v;
    return adds ? LLVMIsAConstantInt(LLVMGetOperand(next, 1)) : NULL;
}

bool ir_is_address_arithmetic(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
        return true;
    default:
        return ir_is_limit(i);
    }
}

bool ir_is_call_to(LLVMValueRef instruction, const char *name) {
    LLVMValueRef callee = ir_callee(instruction);
    size_t n;
    return callee && !strcmp(LLVMGetValueName2(callee, &n), name);
}

bool ir_has_barrier(LLVMBasicBlockRef b) {
    LLVMValueRef i = LLVMGetFirstInstruction(b);
    while (i && !ir_is_call_to(i, "__weir_barrier")) {
        i = LLVMGetNextInstruction(i);
    }
    return i;
}

bool ir_is_intrinsic(LLVMValueRef call, const char *prefix) {
    LLVMValueRef callee = ir_callee(call);
    size_t n;
    return callee && !strncmp(LLVMGetValueName2(callee, &n), prefix, strlen(prefix));
}

bool ir_is_marker(LLVMValueRef i) {
    return ir_is_intrinsic(i, "llvm.lifetime.") || ir_is_intrinsic(i, "llvm.dbg.") ||
           ir_is_intrinsic(i, "llvm.experimental.noalias.scope.decl");
}

unsigned ir_length(LLVMBasicBlockRef block) {
    unsigned n = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        n++;
    }
    return n;
}

unsigned ir_function_length(LLVMValueRef function) {
    unsigned n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        n += ir_length(b);
    }
    return n;
}

LLVMBasicBlockRef ir_only_predecessor(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use) ? LLVMGetInstructionParent(LLVMGetUser(use)) : NULL;
}

bool ir_has_no_effect(LLVMValueRef call) {
    LLVMValueRef f = ir_callee(call);
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory =
        f ? LLVMGetEnumAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, kind) : NULL;
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

LLVMBasicBlockRef ir_block(LLVMValueRef function, const char *name) {
    return LLVMAppendBasicBlockInContext(LLVMGetTypeContext(LLVMTypeOf(function)), function, name);
}

LLVMBuilderRef ir_before(LLVMValueRef instruction) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));
    LLVMPositionBuilderBefore(b, instruction);
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    if (location) {
        LLVMSetCurrentDebugLocation2(b, location);
    }
    return b;
}

LLVMBuilderRef ir_at_end(LLVMBasicBlockRef block) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(block)));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(b, block);
    return b;
}

LLVMBuilderRef ir_at_entry(LLVMValueRef function) {
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(at)) {
        at = LLVMGetNextInstruction(at);
    }
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(at)));
    LLVMPositionBuilderBefore(b, at);
    return b;
}

void ir_lead(LLVMValueRef end, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        if (LLVMGetSuccessor(end, s) == from) {
            LLVMSetSuccessor(end, s, to);
        }
    }
}

void ir_come_from(LLVMBasicBlockRef block, LLVMBasicBlockRef old, LLVMBasicBlockRef new) {
    for (LLVMValueRef next, phi = LLVMGetFirstInstruction(block); phi && LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        bool affected = false;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            affected |= LLVMGetIncomingBlock(phi, i) == old;
        }
        if (!affected) {
            continue;
        }
        LLVMBuilderRef b = ir_before(phi);
        LLVMValueRef fresh = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef v = LLVMGetIncomingValue(phi, i);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
            from = from == old ? new : from;
            LLVMAddIncoming(fresh, &v, &from, 1);
        }
        LLVMReplaceAllUsesWith(phi, fresh);
        LLVMInstructionEraseFromParent(phi);
        LLVMDisposeBuilder(b);
    }
}

LLVMBasicBlockRef ir_split_before(LLVMValueRef first, const char *name) {
    LLVMBasicBlockRef old = LLVMGetInstructionParent(first);
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(old)));
    LLVMBasicBlockRef new = LLVMCreateBasicBlockInContext(context, name);
    LLVMInsertExistingBasicBlockAfterInsertBlock(ir_at_end(old), new);
    /* PHIs of the successors name the block that holds the terminator: the new one from now on. Branches to
     * `old` must stay, so only PHI operands are rebuilt. */
    LLVMValueRef end = LLVMGetBasicBlockTerminator(old);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        ir_come_from(LLVMGetSuccessor(end, s), old, new);
    }
    LLVMBuilderRef b = ir_at_end(new);
    for (LLVMValueRef next, i = first; i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(b, i);
    }
    LLVMDisposeBuilder(b);
    return new;
}

bool ir_is_op(LLVMValueRef v, LLVMOpcode opcode) {
    return (LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == opcode) ||
           (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == opcode);
}

unsigned ir_gep_steps(LLVMTargetDataRef layout, LLVMValueRef gep, struct gep_step steps[GEP_STEPS]) {
    unsigned n = (unsigned)LLVMGetNumOperands(gep) - 1;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned i = 0; n <= GEP_STEPS && i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i + 1);
        if (i && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            steps[i] = (struct gep_step){NULL, LLVMOffsetOfElement(layout, type, field)};
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        type = i ? LLVMGetElementType(type) : type;
        steps[i] = (struct gep_step){index, LLVMABISizeOfType(layout, type)};
    }
    return n <= GEP_STEPS ? n : 0;
}

LLVMValueRef ir_const32(LLVMContextRef c, uint32_t v) {
    return LLVMConstInt(LLVMInt32TypeInContext(c), v, 0);
}

LLVMValueRef ir_const64(LLVMContextRef context, uint64_t value) {
    return LLVMConstInt(LLVMInt64TypeInContext(context), value, 0);
}

LLVMValueRef ir_repeat(LLVMTypeRef type, LLVMValueRef element) {
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
        return element;
    }
    unsigned n = LLVMGetVectorSize(type);
    LLVMValueRef *all = job_alloc(n * sizeof *all);
    for (unsigned i = 0; i < n; i++) {
        all[i] = element;
    }
    return LLVMConstVector(all, n);
}

LLVMValueRef ir_number(LLVMTypeRef type, uint64_t n) {
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    return ir_repeat(type, LLVMConstInt(is_vector ? LLVMGetElementType(type) : type, n, 0));
}

LLVMValueRef ir_intrinsic(LLVMBuilderRef b, const char *name, LLVMTypeRef *overloads, unsigned noverloads,
                          LLVMValueRef *args, unsigned nargs) {
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(module, id, overloads, noverloads);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, nargs, "");
}

LLVMValueRef ir_splat(LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef scalar) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
    LLVMValueRef one = LLVMBuildInsertElement(b, LLVMGetPoison(type), scalar, LLVMConstInt(i32, 0, 0), ""),
                 firsts = LLVMConstNull(LLVMVectorType(i32, LLVMGetVectorSize(type)));
    return LLVMBuildShuffleVector(b, one, LLVMGetPoison(type), firsts, "");
}

bool ir_is_splat(LLVMValueRef v) {
    bool is = LLVMIsAShuffleVectorInst(v);
    for (unsigned i = 0; is && i < LLVMGetNumMaskElements(v); i++) {
        is = LLVMGetMaskValue(v, i) == 0;
    }
    return is;
}

LLVMValueRef ir_splat_of(LLVMValueRef v) {
    LLVMValueRef insert = ir_is_splat(v) ? LLVMGetOperand(v, 0) : NULL;
    bool is_first = insert && LLVMIsAInsertElementInst(insert) && LLVMIsNull(LLVMGetOperand(insert, 2));
    return is_first ? LLVMGetOperand(insert, 1) : NULL;
}

LLVMValueRef ir_piece(LLVMBuilderRef b, LLVMValueRef x, unsigned first, unsigned n) {
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(x));
    unsigned size = LLVMGetVectorSize(LLVMTypeOf(x));
    if (n == size) {
        return x;
    }
    LLVMValueRef *order = job_alloc(n * sizeof *order);
    for (unsigned i = 0; i < n; i++) {
        order[i] =
            first + i < size ? ir_const32(llvm, first + i) : LLVMGetPoison(LLVMInt32TypeInContext(llvm));
    }
    return LLVMBuildShuffleVector(b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(order, n), "");
}

LLVMValueRef ir_by_registers(LLVMBuilderRef b, LLVMValueRef *vectors, unsigned nvectors, unsigned most,
                             LLVMValueRef (*one)(void *, LLVMValueRef *pieces), void *arg) {
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(vectors[0]));
    LLVMValueRef all = NULL, *pieces = job_alloc(nvectors * sizeof *pieces);
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(vectors[0]));
    for (unsigned size, at = 0; at < n; at += size) {
        for (size = 4; size < most && size < n - at;) {
            size *= 2;
        }
        for (unsigned v = 0; v < nvectors; v++) {
            pieces[v] = ir_piece(b, vectors[v], at, size);
        }
        LLVMValueRef result = ir_piece(b, one(arg, pieces), 0, n);
        if (all) { /* shuffles of constants; LLVM makes subregisters of them */
            LLVMValueRef *order = job_alloc(n * sizeof *order);
            for (unsigned i = 0; i < n; i++) {
                order[i] = ir_const32(llvm, i < at ? i : n + i - at);
            }
            result = LLVMBuildShuffleVector(b, all, result, LLVMConstVector(order, n), "");
        }
        all = result;
    }
    return all;
}

LLVMValueRef ir_strip_offsets(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p) || LLVMIsAAddrSpaceCastInst(p)) {
        p = LLVMGetOperand(p, 0);
    }
    return p;
}

LLVMValueRef ir_offset(LLVMBuilderRef b, LLVMValueRef base, LLVMValueRef bytes, const char *name) {
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(base)));
    return LLVMBuildInBoundsGEP2(b, byte, base, &bytes, 1, name);
}

LLVMValueRef ir_bytes_of(LLVMBuilderRef b, LLVMValueRef number, uint64_t size) {
    LLVMTypeRef type = LLVMTypeOf(number), i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(type));
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef wide = is_vector ? LLVMVectorType(i64, LLVMGetVectorSize(type)) : i64;
    LLVMValueRef extended = LLVMBuildIntCast2(b, number, wide, true, "");
    return size == 1 ? extended : LLVMBuildMul(b, extended, ir_number(wide, size), "");
}

void ir_attribute(LLVMContextRef context, LLVMValueRef function, const char *name, uint64_t value) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, (unsigned)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, value));
}

void ir_remove_attribute(LLVMValueRef function, unsigned index, const char *name) {
    LLVMRemoveEnumAttributeAtIndex(function, index, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

void ir_copy_attributes(LLVMValueRef from, LLVMValueRef to, unsigned index) {
    bool of_call = LLVMIsACallInst(from);
    unsigned n =
        of_call ? LLVMGetCallSiteAttributeCount(from, index) : LLVMGetAttributeCountAtIndex(from, index);
    LLVMAttributeRef *attributes = job_alloc((n + 1) * sizeof *attributes);
    (of_call ? LLVMGetCallSiteAttributes : LLVMGetAttributesAtIndex)(from, index, attributes);
    for (unsigned i = 0; i < n; i++) {
        (LLVMIsACallInst(to) ? LLVMAddCallSiteAttribute : LLVMAddAttributeAtIndex)(to, index, attributes[i]);
    }
}

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

bool ir_calls_function(LLVMBasicBlockRef block) {
    bool found = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !found; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
        found = callee && !LLVMIsDeclaration(callee);
    }
    return found;
}

void ir_expect(LLVMValueRef branch) {
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(LLVMGetCondition(branch)));
    LLVMTypeRef i32 = LLVMInt32TypeInContext(llvm);
    LLVMMetadataRef weights[] = {LLVMMDStringInContext2(llvm, "branch_weights", 14),
                                 LLVMValueAsMetadata(LLVMConstInt(i32, 100, 0)),
                                 LLVMValueAsMetadata(LLVMConstInt(i32, 1, 0))};
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(llvm, "prof", 4),
                    LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, weights, 3)));
}

unsigned ir_expected(LLVMValueRef end) {
    enum { MUCH = 100 };
    LLVMValueRef node = LLVMGetMetadata(
                     end, LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(end)), "prof", 4)),
                 parts[3];
    if (!LLVMIsABranchInst(end) || !node || LLVMGetMDNodeNumOperands(node) != 3) {
        return UINT_MAX;
    }
    LLVMGetMDNodeOperands(node, parts);
    if (!LLVMIsAConstantInt(parts[1]) || !LLVMIsAConstantInt(parts[2])) {
        return UINT_MAX;
    }
    uint64_t first = LLVMConstIntGetZExtValue(parts[1]), second = LLVMConstIntGetZExtValue(parts[2]);
    return first / MUCH >= second ? 0 : second / MUCH >= first ? 1 : UINT_MAX;
}

uint64_t ir_align_up(uint64_t n, uint64_t align) {
    return (n + align - 1) / align * align;
}

uint32_t ir_variable_align(LLVMTargetDataRef layout, LLVMValueRef g, uint32_t least) {
    uint32_t given = LLVMGetAlignment(g), natural = LLVMABIAlignmentOfType(layout, LLVMGlobalGetValueType(g));
    uint32_t align = given > natural ? given : natural;
    return align > least ? align : least;
}

/* A node that refers to itself and so is equal to no other, as loops and alias scopes need. */
LLVMMetadataRef ir_distinct(LLVMContextRef c, LLVMMetadataRef *rest, size_t n) {
    LLVMMetadataRef parts[8] = {LLVMTemporaryMDNode(c, NULL, 0)};
    for (size_t i = 0; i < n; i++) {
        parts[1 + i] = rest[i];
    }
    LLVMMetadataRef self = LLVMMDNodeInContext2(c, parts, n + 1);
    LLVMValueRef node = LLVMMetadataAsValue(c, self);
    LLVMReplaceMDNodeOperandWith(node, 0, self);
    return LLVMValueAsMetadata(node);
}

void ir_add_to_list(LLVMValueRef i, const char *kind, LLVMMetadataRef more) {
    enum { MOST = 64 };
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(i));
    unsigned id = LLVMGetMDKindIDInContext(c, kind, (unsigned)strlen(kind));
    LLVMValueRef lists[] = {LLVMGetMetadata(i, id), LLVMMetadataAsValue(c, more)}, parts[MOST];
    LLVMMetadataRef all[2 * MOST];
    size_t n = 0;
    for (unsigned l = 0; l < 2; l++) {
        unsigned length = lists[l] ? (unsigned)LLVMGetMDNodeNumOperands(lists[l]) : 0;
        if (length > MOST) {
            return;
        }
        if (length) {
            LLVMGetMDNodeOperands(lists[l], parts);
        }
        for (unsigned p = 0; p < length; p++) {
            all[n++] = LLVMValueAsMetadata(parts[p]);
        }
    }
    LLVMSetMetadata(i, id, LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, all, n)));
}

void ir_add_lists_of(LLVMValueRef i, LLVMValueRef other) {
    static const char *const kinds[] = {"alias.scope", "noalias"};
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(i));
    for (unsigned k = 0; k < 2; k++) {
        unsigned id = LLVMGetMDKindIDInContext(c, kinds[k], (unsigned)strlen(kinds[k]));
        LLVMValueRef list = LLVMGetMetadata(other, id);
        if (list) {
            ir_add_to_list(i, kinds[k], LLVMValueAsMetadata(list));
        }
    }
}

LLVMMetadataRef ir_loop_property(LLVMContextRef c, const char *word, unsigned number) {
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(c, word, strlen(word)),
                               LLVMValueAsMetadata(ir_const32(c, number))};
    return LLVMMDNodeInContext2(c, parts, number ? 2 : 1);
}

void ir_set_loop_property(LLVMContextRef c, LLVMValueRef branch, LLVMMetadataRef property) {
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9),
                    LLVMMetadataAsValue(c, ir_distinct(c, &property, 1)));
}

/* Whether a property begins with the name. */
static bool names(LLVMValueRef property, const char *name) {
    LLVMValueRef parts[8];
    unsigned length;
    if (!property || LLVMGetMDString(property, &length) || LLVMGetMDNodeNumOperands(property) > 8) {
        return false;
    }
    LLVMGetMDNodeOperands(property, parts);
    const char *s = LLVMGetMDNodeNumOperands(property) ? LLVMGetMDString(parts[0], &length) : NULL;
    return s && length >= strlen(name) && !memcmp(s, name, strlen(name));
}

bool ir_has_loop_property(LLVMContextRef c, LLVMValueRef branch, const char *name) {
    LLVMValueRef loop = LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9));
    unsigned n = loop ? (unsigned)LLVMGetMDNodeNumOperands(loop) : 0;
    LLVMValueRef *properties = job_alloc((n + 1) * sizeof(LLVMValueRef));
    if (loop) {
        LLVMGetMDNodeOperands(loop, properties);
    }
    for (unsigned i = 1; i < n; i++) {
        if (names(properties[i], name)) {
            return true;
        }
    }
    return false;
}

void ir_add_loop_property(LLVMContextRef c, LLVMValueRef branch, LLVMMetadataRef property) {
    enum { MOST = 7 }; /* as ir_distinct takes */
    LLVMValueRef loop = LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9)), old[1 + MOST];
    LLVMMetadataRef all[MOST];
    unsigned n = loop ? (unsigned)LLVMGetMDNodeNumOperands(loop) : 1;
    if (n > MOST) {
        return;
    }
    if (loop) {
        LLVMGetMDNodeOperands(loop, old);
    }
    for (unsigned i = 1; i < n; i++) {
        all[i - 1] = LLVMValueAsMetadata(old[i]);
    }
    all[n - 1] = property;
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9),
                    LLVMMetadataAsValue(c, ir_distinct(c, all, n)));
}

LLVMModuleRef ir_read(struct job *job, struct blob ir) {
    LLVMModuleRef module = NULL;
    if (ir.size >= 4 && !memcmp(ir.data, "BC\xc0\xde", 4)) {
        LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(ir.data, ir.size, "program", 0);
        if (LLVMParseBitcodeInContext2(job->llvm, buffer, &module))
            job_fail(job, ANSWER_COMPILER_FAILED, "the program's IR is damaged");
        LLVMDisposeMemoryBuffer(buffer);
        return module;
    }
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(ir.data, ir.size, "program");
    if (LLVMParseIRInContext(job->llvm, buffer, &module, &message))
        job_fail(job, ANSWER_COMPILER_FAILED, "the program is no IR: %s", message);
    return module;
}

/* A module's variable, and how it was to be seen. */
struct seen {
    const char *name;
    LLVMLinkage linkage;
};

/* The linker takes what is external, and of the rest what that needs: of functions, the one. Variables all stay, in their
 * order, which decides where they lie. */
static struct seen *choose(LLVMModuleRef module, LLVMValueRef wanted, size_t *n) {
    *n = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        ++*n;
    struct seen *variables = job_alloc(*n * sizeof *variables), *to = variables;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        size_t length;
        *to++ = (struct seen){job_strdup(LLVMGetValueName2(g, &length)), LLVMGetLinkage(g)};
        if (!LLVMIsDeclaration(g))
            LLVMSetLinkage(g, LLVMExternalLinkage);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && f != wanted)
            LLVMSetLinkage(f, LLVMInternalLinkage);
    return variables;
}

LLVMModuleRef ir_read_function(struct job *job, struct blob ir, const char *name) {
    LLVMModuleRef lazy, module;
    if (ir.size < 4 || memcmp(ir.data, "BC\xc0\xde", 4))
        return ir_read(job, ir);
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(ir.data, ir.size, "program", 0);
    if (LLVMGetBitcodeModuleInContext2(job->llvm, buffer, &lazy))
        job_fail(job, ANSWER_COMPILER_FAILED, "the program's IR is damaged");
    LLVMValueRef wanted = LLVMGetNamedFunction(lazy, name);
    if (!wanted || LLVMIsDeclaration(wanted)) {
        LLVMDisposeModule(lazy);
        return ir_read(job, ir);
    }
    size_t n, length;
    struct seen *variables = choose(lazy, wanted, &n);
    module = LLVMModuleCreateWithNameInContext("program", job->llvm);
    LLVMSetTarget(module, LLVMGetTarget(lazy));
    LLVMSetDataLayout(module, LLVMGetDataLayoutStr(lazy));
    const char *source = LLVMGetSourceFileName(lazy, &length);
    LLVMSetSourceFileName(module, source, length);
    if (LLVMLinkModules2(module, lazy))
        job_fail(job, ANSWER_COMPILER_FAILED, "the program's IR is damaged");
    for (size_t i = 0; i < n; i++) {
        LLVMValueRef g = LLVMGetNamedGlobal(module, variables[i].name);
        if (g && !LLVMIsDeclaration(g))
            LLVMSetLinkage(g, variables[i].linkage);
    }
    return module;
}

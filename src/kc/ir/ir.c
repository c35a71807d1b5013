/* ir.c: what the passes ask of instructions and blocks, and LLVM's C API lacks: telling calls and accesses apart, splitting blocks,
 * steps of addresses, attributes. */
#include "ir.h"
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

LLVMValueRef ir_unextended(LLVMValueRef v) {
    while (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v)) {
        v = LLVMGetOperand(v, 0);
    }
    return v;
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
    LLVMBasicBlockRef new = ir_block(LLVMGetBasicBlockParent(old), name);
    LLVMMoveBasicBlockAfter(new, old);
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

bool ir_calls_function(LLVMBasicBlockRef block) {
    bool found = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !found; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
        found = callee && !LLVMIsDeclaration(callee);
    }
    return found;
}

uint64_t ir_align_up(uint64_t n, uint64_t align) {
    return (n + align - 1) / align * align;
}

uint32_t ir_variable_align(LLVMTargetDataRef layout, LLVMValueRef g, uint32_t least) {
    uint32_t given = LLVMGetAlignment(g), natural = LLVMABIAlignmentOfType(layout, LLVMGlobalGetValueType(g));
    uint32_t align = given > natural ? given : natural;
    return align > least ? align : least;
}

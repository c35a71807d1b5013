/* known_spaces.c: generic pointers that surely point to one kind of memory are pointers to that memory.
 *
 * Needs pointers in registers. Gives loads, stores and atomics whose generic pointer is computed of pointers to one address space
 * alone the same place there, so that what looks at address spaces next, the checker's questions, needs no cast in between. With
 * OpenCL C 3.0 vloadn and vstoren take generic pointers, and so do most helpers of a program:
 *     %q = addrspacecast ptr addrspace(3) %t to ptr
 *     %p = getelementptr i32, ptr %q, i64 %i          %p.of = getelementptr i32, ptr addrspace(3) %t, i64 %i
 *     %x = load <2 x i32>, ptr %p                     %x = load <2 x i32>, ptr addrspace(3) %p.of
 * What it can't do: pointers to private memory, from memory, or chosen from several kinds. */
#include "lower.h"

enum { MOST_STEPS = 256 }; /* that a pointer is computed in */

struct spaces {
    struct kernel *k;
    LLVMBuilderRef b;
    struct ptrmap known; /* generic pointer -> the same in its address space */
};

static bool is_generic(LLVMValueRef p) {
    return LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_PRIVATE;
}

/* What generic pointers it is computed of; false: it isn't known of what. */
static bool sources_of(LLVMValueRef p, struct list *sources) {
    if (ir_is_op(p, LLVMGetElementPtr)) {
        list_add(sources, LLVMGetOperand(p, 0));
    } else if (LLVMIsAPHINode(p)) {
        for (unsigned i = 0; i < LLVMCountIncoming(p); i++) {
            list_add(sources, LLVMGetIncomingValue(p, i));
        }
    } else if (LLVMIsASelectInst(p)) {
        list_add(sources, LLVMGetOperand(p, 1));
        list_add(sources, LLVMGetOperand(p, 2));
    } else {
        return false;
    }
    return true;
}

/* The one address space that p is surely of; AS_PRIVATE: none. */
static unsigned space_of(LLVMValueRef p) {
    struct list work = {0};
    struct ptrmap seen = {0};
    unsigned space = AS_PRIVATE, steps = 0;
    list_add(&work, p);
    while (work.n) {
        LLVMValueRef v = work.at[--work.n];
        if (ptrmap_at(&seen, v, 0)) {
            continue;
        }
        ptrmap_set(&seen, v, 1);
        if (ir_is_op(v, LLVMAddrSpaceCast)) {
            unsigned from = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(v, 0)));
            if (space != AS_PRIVATE && space != from) {
                return AS_PRIVATE;
            }
            space = from;
        } else if (++steps > MOST_STEPS || !sources_of(v, &work)) {
            return AS_PRIVATE;
        }
    }
    return space;
}

static void build_before(struct spaces *s, LLVMValueRef i) {
    LLVMPositionBuilderBefore(s->b, i);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(i));
}

static LLVMValueRef in_space(struct spaces *s, LLVMValueRef p, LLVMTypeRef type);

static LLVMValueRef step_in_space(struct spaces *s, LLVMValueRef gep, LLVMTypeRef type) {
    unsigned n = (unsigned)LLVMGetNumIndices(gep);
    LLVMValueRef base = in_space(s, LLVMGetOperand(gep, 0), type), *index = job_alloc(n * sizeof *index);
    for (unsigned i = 0; i < n; i++) {
        index[i] = LLVMGetOperand(gep, i + 1);
    }
    LLVMTypeRef element = LLVMGetGEPSourceElementType(gep);
    if (!LLVMIsAInstruction(gep)) {
        return LLVMConstGEP2(element, base, index, n);
    }
    build_before(s, gep);
    return LLVMBuildGEPWithNoWrapFlags(s->b, element, base, index, n, "", LLVMGEPGetNoWrapFlags(gep));
}

/* p, which space_of says is of the type's address space, there. */
static LLVMValueRef in_space(struct spaces *s, LLVMValueRef p, LLVMTypeRef type) {
    LLVMValueRef there = (LLVMValueRef)ptrmap_at(&s->known, p, 0);
    if (there) {
        return there;
    }
    if (ir_is_op(p, LLVMAddrSpaceCast)) {
        there = LLVMGetOperand(p, 0);
    } else if (ir_is_op(p, LLVMGetElementPtr)) {
        there = step_in_space(s, p, type);
    } else if (LLVMIsAPHINode(p)) {
        build_before(s, p);
        there = LLVMBuildPhi(s->b, type, "");
        ptrmap_set(&s->known, p, (uintptr_t)there); /* it may come back to itself */
        for (unsigned i = 0; i < LLVMCountIncoming(p); i++) {
            LLVMValueRef from = in_space(s, LLVMGetIncomingValue(p, i), type);
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(p, i);
            LLVMAddIncoming(there, &from, &block, 1);
        }
    } else {
        LLVMValueRef x = in_space(s, LLVMGetOperand(p, 1), type), y = in_space(s, LLVMGetOperand(p, 2), type);
        build_before(s, p);
        there = LLVMBuildSelect(s->b, LLVMGetOperand(p, 0), x, y, "");
    }
    ptrmap_set(&s->known, p, (uintptr_t)there);
    return there;
}

void known_spaces(struct kernel *k) {
    struct spaces s = {.k = k, .b = LLVMCreateBuilderInContext(k->llvm)};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef p = ir_address(i);
            unsigned space = p && is_generic(p) ? space_of(p) : AS_PRIVATE;
            if (space != AS_PRIVATE) {
                LLVMSetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0,
                               in_space(&s, p, LLVMPointerTypeInContext(k->llvm, space)));
            }
        }
    }
    LLVMDisposeBuilder(s.b);
}

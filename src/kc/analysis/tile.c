/* tile.c: what accesses a local variable.
 *
 * Needs regions in loops, or without. In: the variable's address. Out: the loads and stores at addresses that are computed
 * from it, also by vectors of addresses. Objects that are marked share no memory (analysis/objects.c): if the address goes
 * nowhere else, into no call, PHI, comparison or memory, these are all that ever see the variable, as one thread runs the
 * whole work-group. */
#include "tile.h"
#include "analysis.h"

static bool is_masked_access(LLVMValueRef i) {
    return ir_is_intrinsic(i, "llvm.masked.load.") || ir_is_intrinsic(i, "llvm.masked.store.") ||
           ir_is_intrinsic(i, "llvm.masked.gather.") || ir_is_intrinsic(i, "llvm.masked.scatter.");
}

bool tile_is_store(LLVMValueRef access) {
    return LLVMGetTypeKind(LLVMTypeOf(access)) == LLVMVoidTypeKind;
}

LLVMValueRef tile_address(LLVMValueRef access) {
    return LLVMGetOperand(access, tile_is_store(access) ? 1 : 0);
}

LLVMTypeRef tile_type(LLVMValueRef access) {
    return LLVMTypeOf(tile_is_store(access) ? LLVMGetOperand(access, 0) : access);
}

LLVMValueRef tile_mask(LLVMValueRef access) {
    return LLVMIsACallInst(access) ? LLVMGetOperand(access, tile_is_store(access) ? 2 : 1) : NULL;
}

/* Whether the user of the address `p` is an access at it, and does nothing else with it. */
static bool is_access(LLVMValueRef user, LLVMValueRef p) {
    bool is = ir_is_plain(user) || (LLVMIsACallInst(user) && is_masked_access(user));
    return is && tile_address(user) == p && !(tile_is_store(user) && LLVMGetOperand(user, 0) == p);
}

bool tile_find(LLVMValueRef root, struct tile *t) {
    struct list pointers = {0};
    *t = (struct tile){.root = root};
    list_add(&pointers, root);
    for (size_t i = 0; i < pointers.n; i++) {
        LLVMValueRef p = pointers.at[i];
        for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (LLVMIsAGetElementPtrInst(user)) {
                list_add(&pointers, user);
            } else if (is_access(user, p)) {
                list_add(&t->accesses, user);
            } else {
                return false;
            }
        }
    }
    return true;
}

static bool is_local_address(LLVMValueRef i) {
    return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(i)) == AS_LOCAL;
}

/* Whether the address leads to that of a marked object, and nowhere else. */
static bool leads_to_mark(LLVMValueRef p) {
    for (; LLVMIsAGetElementPtrInst(p); p = LLVMGetUser(LLVMGetFirstUse(p))) {
        LLVMUseRef use = LLVMGetFirstUse(p);
        if (!use || LLVMGetNextUse(use)) {
            return false;
        }
    }
    return LLVMIsAAddrSpaceCastInst(p) && is_local_address(p) && object_own_mark(p);
}

/* Whether all of the work-group's local memory is accessed by marked addresses alone. Where casts to the generic address
 * space and back have become nothing, an access is at what the mark's own address was made of. */
static bool all_are_marked(struct kernel *k) {
    _Static_assert(WORKER_FIELD(local) == 0, "loads from the worker's address are of its local memory's");
    LLVMUseRef u = LLVMGetFirstUse(LLVMGetParam(k->run, RUN_WORKER));
    for (; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef local = LLVMGetUser(u);
        LLVMUseRef of = LLVMIsALoadInst(local) ? LLVMGetFirstUse(local) : NULL;
        for (; of; of = LLVMGetNextUse(of)) {
            if (!leads_to_mark(LLVMGetUser(of))) {
                return false;
            }
        }
    }
    return true;
}

struct list tile_roots(struct kernel *k) {
    struct list marked = {0}, roots = {0};
    struct ptrmap times = {0}; /* mark -> on how many instructions */
    if (!all_are_marked(k)) {
        return roots;
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef mark = is_local_address(i) ? object_own_mark(i) : NULL;
            if (mark) {
                list_add(&marked, i);
                ptrmap_set(&times, mark, ptrmap_at(&times, mark, 0) + 1);
            }
        }
    }
    for (size_t n = 0; n < marked.n; n++) {
        if (ptrmap_at(&times, object_own_mark(marked.at[n]), 0) == 1) {
            list_add(&roots, marked.at[n]);
        }
    }
    return roots;
}

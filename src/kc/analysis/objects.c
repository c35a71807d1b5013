/* objects.c: which variable or buffer a pointer is into.
 *
 * Objects that share no memory carry a mark on the instruction that makes their address: local variables, the kernel's
 * arguments that are pointers to local memory, and those that are pointers to global memory, if the launch's buffers are
 * known not to overlap (REQUEST_APART). Checked kernels have no marks: there an index may be out of bounds.
 *     %s = addrspacecast ptr %local to ptr addrspace(3), !weir.object !7
 *     %p = getelementptr float, ptr addrspace(3) %s, i64 %i            into !7
 * What it can't do: pointers that come from memory or from integers, and PHIs of several objects; these may be into any. */
#include "analysis.h"

enum { MOST_GLOBAL = 12, MOST_LOCAL = 20, GLOBAL = (1 << MOST_GLOBAL) - 1 };
#define LOCAL (~(uint32_t)GLOBAL)

static unsigned mark_kind(LLVMValueRef value) {
    return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(value)), "weir.object", 11);
}

void object_mark(struct kernel *k, LLVMValueRef address) {
    bool is_local = LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == AS_LOCAL;
    if ((is_local || k->job->request->width & REQUEST_APART) && !k->checked && LLVMIsAInstruction(address)) {
        LLVMSetMetadata(address, mark_kind(address),
                        LLVMMetadataAsValue(k->llvm, ir_distinct(k->llvm, NULL, 0)));
    }
}

LLVMValueRef object_own_mark(LLVMValueRef p) {
    return LLVMIsAInstruction(p) ? LLVMGetMetadata(p, mark_kind(p)) : NULL;
}

/* `seen`: PHIs on the way, whose own value may be anything that the others are. */
static bool find(LLVMValueRef p, LLVMValueRef *seen, unsigned n, LLVMValueRef *object) {
    enum { MOST = 4 };
    LLVMValueRef mark = object_own_mark(p);
    while (!mark && (LLVMIsAGetElementPtrInst(p) || LLVMIsAAddrSpaceCastInst(p))) {
        p = LLVMGetOperand(p, 0);
        mark = object_own_mark(p);
    }
    for (unsigned i = 0; i < n; i++) {
        if (seen[i] == p) {
            return true;
        }
    }
    if (mark && (!*object || *object == mark)) {
        *object = mark;
        return true;
    }
    bool is = !mark && LLVMIsAPHINode(p) && n < MOST;
    if (is) {
        seen[n] = p;
    }
    for (unsigned i = 0; is && i < LLVMCountIncoming(p); i++) {
        is = find(LLVMGetIncomingValue(p, i), seen, n + 1, object);
    }
    return is;
}

LLVMValueRef object_of(LLVMValueRef pointer) {
    LLVMValueRef seen[4], object = NULL;
    return find(pointer, seen, 0, &object) ? object : NULL;
}

/* The object's own bit; those for which there is none left share the first one of their memory. */
static uint32_t bit_of(struct objects *o, LLVMValueRef object, bool is_local) {
    uintptr_t bit;
    if (!ptrmap_get(&o->bits, object, &bit)) {
        unsigned *n = is_local ? &o->local : &o->global, most = is_local ? MOST_LOCAL : MOST_GLOBAL;
        *n += *n + 1 < most;
        bit = (uintptr_t)1 << ((is_local ? MOST_GLOBAL : 0) + (*n + 1 < most ? *n : 0));
        ptrmap_set(&o->bits, object, bit);
    }
    return (uint32_t)bit;
}

uint32_t objects_at(struct objects *o, LLVMValueRef pointer) {
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    if (space != AS_LOCAL && space != AS_GLOBAL) {
        return space == AS_CONSTANT ? 0 : OBJECTS_ALL;
    }
    LLVMValueRef object = object_of(pointer);
    if (object) {
        return bit_of(o, object, space == AS_LOCAL);
    }
    return space == AS_LOCAL ? LOCAL : GLOBAL;
}

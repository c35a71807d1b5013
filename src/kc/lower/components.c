/* components.c: a store to some components of a vector in memory writes those alone.
 *
 * In: k->run with all inlined, and as clang has made it: it reads the whole vector, puts the components in and writes the
 * whole vector back. Out: stores of these components, and no read. Work-items may write different components of one vector at
 * the same time, and in a pack they do: the last one's vector would stay. Private variables are left as they are.
 *
 *     %v = load <4 x i32>, ptr addrspace(3) %p
 *     %w = insertelement <4 x i32> %v, i32 %x, i64 1
 *     store <4 x i32> %w, ptr addrspace(3) %p
 *  becomes
 *     %q = getelementptr i8, ptr addrspace(3) %p, i64 4
 *     store i32 %x, ptr addrspace(3) %q
 */
#include "lower.h"

enum { MOST = 16 };

/* Where a component of a vector comes from; vector NULL: nowhere, or from the memory itself. */
struct source {
    LLVMValueRef vector, scalar; /* the lane-th of a vector; or a scalar */
    unsigned lane;
};

struct vector_store {
    LLVMValueRef store, address, value, read; /* read: the vector that was there, or NULL */
    unsigned n;
    struct source from[MOST];
};

/* A load of what the store overwrites, and nothing between them writes. */
static bool is_read_of(const struct vector_store *s, LLVMValueRef v) {
    if (!LLVMIsALoadInst(v) || LLVMGetOperand(v, 0) != s->address || LLVMTypeOf(v) != LLVMTypeOf(s->value) ||
        LLVMGetOrdering(v) != LLVMAtomicOrderingNotAtomic ||
        LLVMGetInstructionParent(v) != LLVMGetInstructionParent(s->store)) {
        return false;
    }
    LLVMValueRef i = LLVMGetNextInstruction(v);
    while (i && i != s->store && !LLVMIsAStoreInst(i) && !LLVMIsACallInst(i) && !LLVMIsAAtomicRMWInst(i) &&
           !LLVMIsAAtomicCmpXchgInst(i) && !LLVMIsAFenceInst(i)) {
        i = LLVMGetNextInstruction(i);
    }
    return i == s->store;
}

static struct source source_of(struct vector_store *s, LLVMValueRef v, unsigned lane) {
    for (;;) {
        LLVMValueRef index = LLVMIsAInsertElementInst(v) ? LLVMGetOperand(v, 2) : NULL;
        if (index && LLVMIsAConstantInt(index)) {
            if (LLVMConstIntGetZExtValue(index) == lane) {
                return (struct source){.scalar = LLVMGetOperand(v, 1)};
            }
            v = LLVMGetOperand(v, 0);
        } else if (LLVMIsAShuffleVectorInst(v)) {
            int from = LLVMGetMaskValue(v, lane);
            int first = (int)LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(v, 0)));
            if (from == LLVMGetUndefMaskElem()) {
                return (struct source){0};
            }
            v = LLVMGetOperand(v, from < first ? 0 : 1);
            lane = (unsigned)(from < first ? from : from - first);
        } else if (is_read_of(s, v)) {
            s->read = v;
            return (struct source){.vector = v, .lane = lane};
        } else {
            return (struct source){.vector = v, .lane = lane};
        }
    }
}

static bool stays(const struct vector_store *s, unsigned lane) {
    const struct source *from = &s->from[lane];
    return (!from->vector && !from->scalar) || (from->vector == s->read && from->lane == lane);
}

/* False: all of the vector is new. */
static bool find_components(struct vector_store *s, LLVMValueRef store) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) > MOST ||
        LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic || private_base(LLVMGetOperand(store, 1))) {
        return false;
    }
    *s = (struct vector_store){.store = store,
                               .address = LLVMGetOperand(store, 1),
                               .value = LLVMGetOperand(store, 0),
                               .n = LLVMGetVectorSize(type)};
    for (unsigned lane = 0; lane < s->n; lane++) {
        s->from[lane] = source_of(s, s->value, lane);
    }
    return s->read;
}

static LLVMValueRef component(LLVMBuilderRef b, LLVMContextRef c, const struct source *from) {
    return from->scalar ? from->scalar
                        : LLVMBuildExtractElement(b, from->vector, ir_const32(c, from->lane), "");
}

static void store_at(LLVMBuilderRef b, const struct vector_store *s, LLVMValueRef value, LLVMValueRef offset,
                     unsigned align) {
    LLVMValueRef store = LLVMBuildStore(b, value, ir_offset(b, s->address, offset, ""));
    LLVMSetAlignment(store, align);
    LLVMSetVolatile(store, LLVMGetVolatile(s->store));
}

/* Components side by side, 1, 2, 4 or 8 of them, in one store. */
static void store_components(LLVMBuilderRef b, LLVMContextRef c, const struct vector_store *s,
                             unsigned bytes) {
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(s->value));
    unsigned align = LLVMGetAlignment(s->store);
    for (unsigned lane = 0, n; lane < s->n; lane += n) {
        n = 1;
        if (stays(s, lane)) {
            continue;
        }
        unsigned end = lane;
        while (end < s->n && !stays(s, end)) {
            end++;
        }
        while (n * 2 <= end - lane) {
            n *= 2;
        }
        LLVMValueRef value =
            n > 1 ? LLVMGetPoison(LLVMVectorType(element, n)) : component(b, c, &s->from[lane]);
        for (unsigned i = 0; i < n && n > 1; i++) {
            value =
                LLVMBuildInsertElement(b, value, component(b, c, &s->from[lane + i]), ir_const32(c, i), "");
        }
        unsigned offset = lane * bytes, known = offset ? offset & -offset : align;
        store_at(b, s, value, ir_const64(c, offset), known < align ? known : align);
    }
}

/* v[i] = x: the place is known when it runs. */
static bool store_indexed(LLVMBuilderRef b, LLVMContextRef c, LLVMValueRef store, unsigned bytes) {
    struct vector_store s = {
        .store = store, .address = LLVMGetOperand(store, 1), .value = LLVMGetOperand(store, 0)};
    if (!LLVMIsAInsertElementInst(s.value) || LLVMIsAConstantInt(LLVMGetOperand(s.value, 2)) ||
        private_base(s.address) || !is_read_of(&s, LLVMGetOperand(s.value, 0))) {
        return false;
    }
    LLVMValueRef index = LLVMBuildZExtOrBitCast(b, LLVMGetOperand(s.value, 2), LLVMInt64TypeInContext(c), "");
    store_at(b, &s, LLVMGetOperand(s.value, 1), LLVMBuildMul(b, index, ir_const64(c, bytes), ""), bytes);
    return true;
}

/* What nobody needs any more of the vector's value. */
static void drop(LLVMValueRef v) {
    bool is_part = LLVMIsAInsertElementInst(v) || LLVMIsAShuffleVectorInst(v) || LLVMIsALoadInst(v);
    if (!is_part || LLVMGetFirstUse(v)) {
        return;
    }
    LLVMValueRef of[] = {LLVMGetOperand(v, 0), LLVMIsALoadInst(v) ? NULL : LLVMGetOperand(v, 1)};
    LLVMInstructionEraseFromParent(v);
    for (unsigned i = 0; i < 2; i++) {
        if (of[i] && (i == 0 || of[i] != of[0])) {
            drop(of[i]);
        }
    }
}

static void narrow(struct kernel *k, LLVMTargetDataRef layout, LLVMBuilderRef b, LLVMValueRef store) {
    LLVMValueRef value = LLVMGetOperand(store, 0);
    LLVMTypeRef type = LLVMTypeOf(value);
    struct vector_store s;
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
        return;
    }
    unsigned bytes = (unsigned)LLVMABISizeOfType(layout, LLVMGetElementType(type));
    if (LLVMSizeOfTypeInBits(layout, LLVMGetElementType(type)) != bytes * 8) {
        return;
    }
    LLVMPositionBuilderBefore(b, store);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(store));
    if (find_components(&s, store)) {
        store_components(b, k->llvm, &s, bytes);
    } else if (!store_indexed(b, k->llvm, store, bytes)) {
        return;
    }
    LLVMInstructionEraseFromParent(store);
    drop(value);
}

void components_pass(struct kernel *k) {
    struct list stores = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAStoreInst(i)) {
                list_add(&stores, i);
            }
        }
    }
    LLVMBuilderRef b = LLVMCreateBuilderInContext(k->llvm);
    for (size_t n = 0; n < stores.n; n++) {
        narrow(k, LLVMGetModuleDataLayout(k->module), b, stores.at[n]);
    }
    LLVMDisposeBuilder(b);
}

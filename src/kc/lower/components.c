/* components.c: a store to some components of a vector in memory writes those alone, and so reads what reads some of them for
 * it; in a checked kernel every read of some.
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
 *
 * Of what clang reads for a component the others are mostly nobody's concern but the checker's, to whom they would be a race.
 * But a vector that is read where components of it have just been written waits for all of these writes; and LLVM keeps what a
 * loop adds to a place in a register where it reads and writes the same bytes: `sum[i].x += ...` reads as it writes.
 */
#include "lower.h"
#include <string.h>

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

/* How many lanes from this one on are in the set, or the most of them that are a power of two; 0: it isn't. */
static unsigned run_at(uint32_t set, unsigned lane) {
    unsigned n = set >> lane & 1;
    while (n && n < MOST && (set >> lane & ((1u << 2 * n) - 1)) == (1u << 2 * n) - 1) {
        n *= 2;
    }
    return n;
}

/* Of a component at this offset in a vector at a multiple of `align`. */
static unsigned alignment_at(unsigned offset, unsigned align) {
    return offset && (offset & -offset) < align ? offset & -offset : align;
}

/* Components side by side, 1, 2, 4 or 8 of them, in one store. */
static void store_components(LLVMBuilderRef b, LLVMContextRef c, const struct vector_store *s,
                             unsigned bytes) {
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(s->value));
    uint32_t set = 0;
    for (unsigned lane = 0; lane < s->n; lane++) {
        set |= (uint32_t)!stays(s, lane) << lane;
    }
    for (unsigned lane = 0, n; lane < s->n; lane += n ? n : 1) {
        n = run_at(set, lane);
        if (!n) {
            continue;
        }
        LLVMValueRef value =
            n > 1 ? LLVMGetPoison(LLVMVectorType(element, n)) : component(b, c, &s->from[lane]);
        for (unsigned i = 0; i < n && n > 1; i++) {
            value =
                LLVMBuildInsertElement(b, value, component(b, c, &s->from[lane + i]), ir_const32(c, i), "");
        }
        unsigned offset = lane * bytes;
        store_at(b, s, value, ir_const64(c, offset), alignment_at(offset, LLVMGetAlignment(s->store)));
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

/* Adds the store's address to those whose vectors aren't written whole. */
static void narrow(struct kernel *k, LLVMBuilderRef b, LLVMValueRef store, struct ptrmap *in_part) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->module);
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
        ptrmap_set(in_part, s.address, 1);
    } else if (!store_indexed(b, k->llvm, store, bytes)) {
        return;
    }
    LLVMInstructionEraseFromParent(store);
    drop(value);
}

/* ---- reads ---- */

/* Components of the vector that are used: a bit for each. */
static uint32_t used_lanes(LLVMValueRef v) {
    unsigned size = LLVMGetVectorSize(LLVMTypeOf(v));
    uint32_t set = 0, all = (1u << size) - 1;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAExtractElementInst(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 1))) {
            set |= 1u << LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1));
        } else if (LLVMIsAShuffleVectorInst(user) && LLVMGetNumMaskElements(user) <= MOST) {
            uint32_t wanted = used_lanes(user);
            for (unsigned n = 0; n < LLVMGetNumMaskElements(user); n++) {
                int from = LLVMGetMaskValue(user, n);
                bool is_of_v = from >= 0 && LLVMGetOperand(user, (unsigned)from / size) == v;
                set |= wanted >> n & 1 && is_of_v ? 1u << (unsigned)from % size : 0;
            }
        } else {
            return all;
        }
    }
    return set & all;
}

/* One of three components, which clang reads with the padding behind it. */
static bool is_whole_triple(LLVMValueRef load, uint32_t set) {
    size_t length;
    return set == 7 && !strncmp(LLVMGetValueName2(load, &length), "loadVec", strlen("loadVec"));
}

static void read_components(LLVMBuilderRef b, LLVMContextRef c, LLVMValueRef load, uint32_t set,
                            unsigned bytes) {
    LLVMValueRef p = LLVMGetOperand(load, 0), whole = LLVMGetPoison(LLVMTypeOf(load));
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(load));
    unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(load));
    for (unsigned lane = 0, n; lane < lanes; lane += n ? n : 1) {
        n = run_at(set, lane);
        if (!n) {
            continue;
        }
        LLVMTypeRef type = n > 1 ? LLVMVectorType(element, n) : element;
        LLVMValueRef part = LLVMBuildLoad2(b, type, ir_offset(b, p, ir_const64(c, lane * bytes), ""), "");
        LLVMSetAlignment(part, alignment_at(lane * bytes, LLVMGetAlignment(load)));
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef one = n > 1 ? LLVMBuildExtractElement(b, part, ir_const32(c, i), "") : part;
            whole = LLVMBuildInsertElement(b, whole, one, ir_const32(c, lane + i), "");
        }
    }
    LLVMReplaceAllUsesWith(load, whole);
    LLVMInstructionEraseFromParent(load);
}

static void narrow_read(struct kernel *k, LLVMBuilderRef b, LLVMValueRef load) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->module);
    LLVMTypeRef type = LLVMTypeOf(load);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) > MOST || !ir_is_plain(load) ||
        private_base(LLVMGetOperand(load, 0))) {
        return;
    }
    unsigned bytes = (unsigned)LLVMABISizeOfType(layout, LLVMGetElementType(type));
    uint32_t set = used_lanes(load), all = (1u << LLVMGetVectorSize(type)) - 1;
    if (set && set != all && !is_whole_triple(load, set) &&
        LLVMSizeOfTypeInBits(layout, LLVMGetElementType(type)) == bytes * 8) {
        LLVMPositionBuilderBefore(b, load);
        LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(load));
        read_components(b, k->llvm, load, set, bytes);
    }
}

/* ---- the pass ---- */

static struct list all_of(LLVMValueRef function, LLVMOpcode opcode) {
    struct list found = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetInstructionOpcode(i) == opcode) {
                list_add(&found, i);
            }
        }
    }
    return found;
}

void components_pass(struct kernel *k) {
    struct ptrmap in_part = {0};
    struct list stores = all_of(k->run, LLVMStore);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(k->llvm);
    for (size_t n = 0; n < stores.n; n++) {
        narrow(k, b, stores.at[n], &in_part);
    }
    struct list loads = k->checked || in_part.used ? all_of(k->run, LLVMLoad) : (struct list){0};
    for (size_t n = 0; n < loads.n; n++) {
        if (k->checked || ptrmap_at(&in_part, LLVMGetOperand(loads.at[n], 0), 0)) {
            narrow_read(k, b, loads.at[n]);
        }
    }
    LLVMDisposeBuilder(b);
}

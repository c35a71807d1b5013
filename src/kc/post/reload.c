/* reload.c: scalars of memory that fill vectors are read again where they are used, if registers are short.
 *
 * Needs the optimized module. LLVM moves what stays the same out of loops over packs, without regard to how much that is: of
 * a tile that all packs multiply by, hundreds of vectors, each of which the code generator then writes to the stack and
 * reads back. Gives the module with as many of them as there are too many read right before each use: one instruction
 * there, or none where an operand may be an element of memory. Nothing may write that memory in between: which accesses
 * are apart is known from their alias scopes (wg/memory_facts.c). The places are blocks where more vectors live than there
 * are registers.
 *     %s = load float, ptr %tile                   (before the loop)
 *     %v = <16 x float> splat(%s)
 *     %f = fma(%a, %v, %sum)                       (in the loop)
 * becomes the same with all three in the loop. */
#include "post.h"
#include <stdlib.h>
#include <string.h>

enum {
    SPARE = 2
}; /* registers that the code generator needs for what isn't seen here: constants, addresses */

/* Loads of one place in the alias scopes, and the blocks that write where they may read. */
struct memory {
    LLVMValueRef scope, noalias;
    uint64_t *written;
};

struct reload {
    struct kernel *k;
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    struct list splats; /* candidates */
    struct ptrmap chosen;
    struct live live;
    unsigned scope_kind, noalias_kind;
    struct list memories;
};

static bool is_vector(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

/* The load of the scalar that fills all of the vector, or NULL. */
static LLVMValueRef load_of(LLVMValueRef splat) {
    LLVMValueRef load = ir_splat_of(splat);
    return load && LLVMIsALoadInst(load) && ir_is_plain(load) ? load : NULL;
}

/* Whether it is used in another block, and nowhere at the end of one. */
static bool is_candidate(LLVMValueRef splat) {
    bool elsewhere = false;
    for (LLVMUseRef u = LLVMGetFirstUse(splat); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAPHINode(user)) {
            return false;
        }
        elsewhere |= LLVMGetInstructionParent(user) != LLVMGetInstructionParent(splat);
    }
    return elsewhere && load_of(splat);
}

/* ---- whether memory is written in between ---- */

static bool has(LLVMValueRef *nodes, unsigned n, LLVMValueRef node) {
    while (n && nodes[n - 1] != node) {
        n--;
    }
    return n;
}

static LLVMValueRef *operands_of(LLVMValueRef i, unsigned kind, unsigned *n) {
    LLVMValueRef node = LLVMGetMetadata(i, kind), *all = NULL;
    *n = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
    if (*n) {
        all = job_alloc(*n * sizeof *all);
        LLVMGetMDNodeOperands(node, all);
    }
    return all;
}

static LLVMValueRef domain_of(LLVMValueRef scope) {
    LLVMValueRef operands[3];
    unsigned n = (unsigned)LLVMGetMDNodeNumOperands(scope);
    if (n < 2 || n > 3) {
        return NULL;
    }
    LLVMGetMDNodeOperands(scope, operands);
    return operands[1];
}

/* Whether, of some domain, all scopes of `a` are among those that `b` is said to be apart from. */
static bool is_outside(struct reload *r, LLVMValueRef a, LLVMValueRef b) {
    unsigned nscopes, napart;
    LLVMValueRef *scopes = operands_of(a, r->scope_kind, &nscopes);
    LLVMValueRef *apart = operands_of(b, r->noalias_kind, &napart);
    for (unsigned i = 0; i < nscopes; i++) {
        LLVMValueRef domain = domain_of(scopes[i]);
        bool all = domain;
        for (unsigned j = 0; j < nscopes && all; j++) {
            all = domain_of(scopes[j]) != domain || has(apart, napart, scopes[j]);
        }
        if (all) {
            return true;
        }
    }
    return false;
}

static bool may_write(struct reload *r, LLVMValueRef i, LLVMValueRef load) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        if (ir_has_no_effect(i) || ir_is_marker(i) || ir_is_intrinsic(i, "llvm.assume") ||
            ir_is_intrinsic(i, "llvm.masked.load.") || ir_is_intrinsic(i, "llvm.masked.gather.")) {
            return false;
        }
        break;
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMInvoke:
    case LLVMCallBr:
        break;
    default:
        return false;
    }
    return !is_outside(r, i, load) && !is_outside(r, load, i);
}

static bool writes(struct reload *r, LLVMValueRef first, LLVMValueRef end, LLVMValueRef load) {
    for (LLVMValueRef i = first; i && i != end; i = LLVMGetNextInstruction(i)) {
        if (may_write(r, i, load)) {
            return true;
        }
    }
    return false;
}

/* The blocks that may write what the load reads, as bits. */
static const uint64_t *written_for(struct reload *r, LLVMValueRef load) {
    LLVMValueRef scope = LLVMGetMetadata(load, r->scope_kind),
                 noalias = LLVMGetMetadata(load, r->noalias_kind);
    for (size_t i = 0; i < r->memories.n; i++) {
        struct memory *m = r->memories.at[i];
        if (m->scope == scope && m->noalias == noalias) {
            return m->written;
        }
    }
    struct memory *m = job_alloc(sizeof *m);
    *m = (struct memory){scope, noalias, job_alloc((r->cfg->n / 64 + 1) * sizeof *m->written)};
    for (unsigned n = 0; n < r->cfg->n; n++) {
        if (writes(r, LLVMGetFirstInstruction(r->blocks[n]), NULL, load)) {
            bit_add(m->written, n);
        }
    }
    list_add(&r->memories, m);
    return m->written;
}

/* Whether the load gives the same before `user`: nothing writes there in the blocks on the ways from the one to the other,
 * after the load in its own, and before the user in that one's. */
static bool same_at(struct reload *r, LLVMValueRef load, LLVMValueRef user) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(load), to = LLVMGetInstructionParent(user);
    if (from == to) {
        return !writes(r, load, user, load);
    }
    if (writes(r, load, NULL, load) || writes(r, LLVMGetFirstInstruction(to), user, load)) {
        return false;
    }
    const uint64_t *written = written_for(r, load);
    uint64_t *seen = job_alloc((r->cfg->n / 64 + 1) * sizeof *seen);
    struct list work = {0};
    list_add(&work, to);
    while (work.n) {
        unsigned at = (unsigned)ptrmap_at(&r->index, work.at[--work.n], 0);
        for (unsigned p = 0; p < r->cfg->npred[at]; p++) {
            unsigned before = r->cfg->pred[at][p];
            if (r->blocks[before] == from || bit_at(seen, before)) {
                continue;
            }
            if (bit_at(written, before)) {
                return false;
            }
            bit_add(seen, before);
            list_add(&work, r->blocks[before]);
        }
    }
    return true;
}

static bool same_at_all_uses(struct reload *r, LLVMValueRef splat) {
    LLVMValueRef load = load_of(splat);
    for (LLVMUseRef u = LLVMGetFirstUse(splat); u; u = LLVMGetNextUse(u)) {
        if (!same_at(r, load, LLVMGetUser(u))) {
            return false;
        }
    }
    return true;
}

/* ---- where registers are short ---- */

static unsigned registers_of(struct reload *r, LLVMValueRef v) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(r->k->module);
    uint64_t bits = LLVMSizeOfTypeInBits(layout, LLVMTypeOf(v)), lanes = LLVMGetVectorSize(LLVMTypeOf(v));
    return bits == lanes ? 0 : (unsigned)target_registers(r->k->target, bits); /* bits: a mask */
}

/* The registers that vectors take where most of them live in the block, which has `live` at its end. */
static unsigned most_in(struct reload *r, LLVMBasicBlockRef block, const uint64_t *out) {
    size_t words = r->live.values.n / 64 + 1;
    uint64_t *live = job_alloc(words * sizeof *live);
    unsigned now = 0, most;
    memcpy(live, out, words * sizeof *live);
    for (unsigned v = 0; v < r->live.values.n; v++) {
        now += bit_at(live, v) ? registers_of(r, r->live.values.at[v]) : 0;
    }
    most = now;
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i && !LLVMIsAPHINode(i);
         i = LLVMGetPreviousInstruction(i)) {
        unsigned self = (unsigned)ptrmap_at(&r->live.number, i, 0);
        if (self && bit_at(live, self - 1)) {
            now -= registers_of(r, i);
            live[(self - 1) / 64] &= ~(UINT64_C(1) << ((self - 1) % 64));
        }
        for (int o = 0; o < LLVMGetNumOperands(i); o++) {
            unsigned v = (unsigned)ptrmap_at(&r->live.number, LLVMGetOperand(i, (unsigned)o), 0);
            if (v && !bit_at(live, v - 1)) {
                now += registers_of(r, LLVMGetOperand(i, (unsigned)o));
                bit_add(live, v - 1);
            }
        }
        most = now > most ? now : most;
    }
    return most;
}

static bool lives_into(struct reload *r, LLVMValueRef splat, LLVMBasicBlockRef block) {
    unsigned number = (unsigned)ptrmap_at(&r->live.number, splat, 0) - 1;
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    return LLVMGetInstructionParent(splat) != block && live_across(&r->live, number, first);
}

/* Chooses, of the candidates that live into the block, as many as there are too many. */
static void choose_in(struct reload *r, unsigned node) {
    unsigned registers = r->k->target->vector_registers - SPARE;
    unsigned most = most_in(r, r->blocks[node], r->live.out[node]);
    for (size_t i = 0; i < r->splats.n && most > registers; i++) {
        LLVMValueRef splat = r->splats.at[i];
        if (lives_into(r, splat, r->blocks[node]) && same_at_all_uses(r, splat)) {
            unsigned n = registers_of(r, splat);
            ptrmap_set(&r->chosen, splat, 1);
            most -= n < most ? n : most;
        }
    }
}

static void read_again(LLVMValueRef splat) {
    LLVMValueRef insert = LLVMGetOperand(splat, 0), load = load_of(splat);
    for (LLVMUseRef u = LLVMGetFirstUse(splat); u; u = LLVMGetFirstUse(splat)) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMBuilderRef b = ir_before(user);
        LLVMValueRef l = LLVMInstructionClone(load), i = LLVMInstructionClone(insert),
                     s = LLVMInstructionClone(splat);
        LLVMInsertIntoBuilderWithName(b, l, "again");
        LLVMInsertIntoBuilderWithName(b, i, "");
        LLVMInsertIntoBuilderWithName(b, s, "");
        LLVMSetOperand(i, 1, l);
        LLVMSetOperand(s, 0, i);
        for (int o = 0; o < LLVMGetNumOperands(user); o++) {
            if (LLVMGetOperand(user, (unsigned)o) == splat) {
                LLVMSetOperand(user, (unsigned)o, s);
            }
        }
        LLVMDisposeBuilder(b);
    }
    LLVMInstructionEraseFromParent(splat);
    if (!LLVMGetFirstUse(insert)) {
        LLVMInstructionEraseFromParent(insert);
    }
    if (!LLVMGetFirstUse(load)) {
        LLVMInstructionEraseFromParent(load);
    }
}

void reload_pass(struct kernel *k) {
    struct reload *r = job_alloc(sizeof *r);
    r->k = k;
    r->scope_kind = LLVMGetMDKindIDInContext(k->llvm, "alias.scope", 11);
    r->noalias_kind = LLVMGetMDKindIDInContext(k->llvm, "noalias", 7);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAShuffleVectorInst(i) && is_candidate(i)) {
                list_add(&r->splats, i);
            }
        }
    }
    if (!r->splats.n || !k->optimize) {
        return;
    }
    r->cfg = cfg_of(k->run, &r->index, &r->blocks);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (is_vector(i)) {
                live_number(&r->live, i);
            }
        }
    }
    live_find(&r->live, r->cfg, &r->index);
    for (unsigned n = 0; n < r->cfg->n; n++) {
        choose_in(r, n);
    }
    for (size_t i = 0; i < r->splats.n; i++) {
        if (ptrmap_at(&r->chosen, r->splats.at[i], 0)) {
            read_again(r->splats.at[i]);
        }
    }
}

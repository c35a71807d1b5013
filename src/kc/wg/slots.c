/* slots.c: takes the values of k->run apart into variables, so that regions can be cut out of it.
 *
 * slots_demote needs k->run with uniformity known and each barrier alone in its block; gives the form that
 * slots.h describes at struct slot. Cheap functions of ids, parameters and uniform values are recomputed where
 * they are used instead (rematerialization: Briggs, Cooper and Torczon, 1992): they never need room in the context.
 * slots_liveness: backward data flow over bit sets, once for all variables. As values are in memory already, liveness on
 * SSA (Boissinot et al., "Fast Liveness Checking for SSA-Form Programs", 2008) would have nothing to ask. For the
 * program's own variables any use reads and only llvm.lifetime.start ends what came before.
 *     a:  %v = load i32, ptr addrspace(1) %p                  store i32 %v, ptr %v.slot
 *         call void @__weir_barrier(...)             becomes  call void @__weir_barrier(...)     %v.slot lives here
 *         %w = add i32 %v, %id                                %1 = load i32, ptr %v.slot; %id again; add i32 %1, %id
 * What it can't do: part an array whose elements live at different times, or see that a store through an address
 * overwrites all of a variable. */
#include "report.h"
#include "slots.h"
#include <string.h>

struct slot *slots_of_access(const struct slots *s, LLVMValueRef i) {
    LLVMValueRef p = LLVMIsALoadInst(i)    ? LLVMGetOperand(i, 0)
                     : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
                                           : NULL;
    uintptr_t at;
    return p && LLVMIsAAllocaInst(p) && ptrmap_get(&s->by_var, p, &at) ? &s->at[at] : NULL;
}

struct demotion {
    struct kernel *k;
    const struct uniform *u;
    struct uniform *pack; /* NULL at width 1 */
    struct list vars;     /* demoted allocas */
    struct ptrmap like;   /* alloca -> struct slot with the facts about its value */
    LLVMBuilderRef entry; /* where allocas go; NULL: the entry isn't apart yet, and runs for each work-item */
};

/* ---- recomputing ---- */

/* At most so many instructions, and for a condition, which is a byte per work-item in the context, so many: of ids within
 * bounds packs then know by scalars for which lanes it holds (vector/condition.c). */
enum { REMAT_NODES = 12, REMAT_CONDITION = 24 };

/* The least or the greatest of two integers: what keeps an index inside its range. */
static bool is_cheap_opcode(LLVMValueRef i) {
    return ir_is_address_arithmetic(i) || LLVMIsAICmpInst(i) || LLVMIsASelectInst(i) ||
           intrinsic_id(i, NULL) || subgroup_is_place(i);
}

/* Operands that a copy has copies of. */
static int operands_of(LLVMValueRef i) {
    return ir_is_limit(i) ? 2 : LLVMIsACallInst(i) ? 0 : LLVMGetNumOperands(i);
}

/* A scalar that reads the same wherever it may be used. Work-items may leave a loop at different times: then a
 * uniform value of the loop is not what it was for each of them. */
static bool is_steady(const struct demotion *d, LLVMValueRef v) {
    return uniform_is(d->u, v) && !ptrmap_at(&d->u->parted, LLVMGetInstructionParent(v), 0);
}

/* Computed once per work-group (regions.c): at hand wherever it may be used. */
static bool is_at_hand(const struct demotion *d, LLVMValueRef v) {
    return !LLVMIsAInstruction(v) || LLVMIsAAllocaInst(v) ||
           (d->entry && LLVMGetInstructionParent(v) == LLVMGetEntryBasicBlock(d->k->run));
}

/* Counts the instructions that recomputing `v` takes into *nodes; false when it can't or shouldn't be. */
static bool is_within(const struct demotion *d, LLVMValueRef v, unsigned most, unsigned *nodes) {
    if (is_at_hand(d, v)) {
        return true;
    }
    if (!is_cheap_opcode(v)) {
        return *nodes > 0 && is_steady(d, v); /* a leaf, read from its own scalar slot */
    }
    if (++*nodes > most) {
        return false;
    }
    int n = operands_of(v);
    for (int i = 0; i < n; i++) {
        if (!is_within(d, LLVMGetOperand(v, (unsigned)i), most, nodes)) {
            return false;
        }
    }
    return true;
}

static bool is_recomputable(const struct demotion *d, LLVMValueRef v) {
    bool is_condition = LLVMTypeOf(v) == LLVMInt1TypeInContext(d->k->llvm);
    unsigned nodes = 0;
    return is_within(d, v, is_condition ? REMAT_CONDITION : REMAT_NODES, &nodes);
}

static bool is_address_step(LLVMValueRef v) {
    return LLVMIsAGetElementPtrInst(v) || LLVMIsAZExtInst(v) || LLVMIsASExtInst(v);
}

bool slots_would_keep(struct kernel *k, const struct uniform *u, LLVMValueRef v) {
    struct demotion d = {.k = k, .u = u};
    return !uniform_is(u, v) && !is_recomputable(&d, v);
}

/* Whether the value, which work-items of several rows came to on one way, is a number or an address that is affine in each
 * row. */
static bool is_of_rows(const struct uniform *pack, LLVMValueRef v, int64_t *stride) {
    return pack->row && ir_is_index(v) && !ptrmap_at(&pack->joins, v, 0) &&
           uniform_stride(pack->row, v, stride);
}

/* A number that varies and reads right wherever it may be used: after a loop that work-items leave at different times, one that
 * went up evenly in it doesn't any more. */
static bool is_settled(const struct demotion *d, LLVMValueRef v) {
    int64_t stride;
    bool is_affine = d->pack && (uniform_stride(d->pack, v, &stride) || is_of_rows(d->pack, v, &stride));
    return !is_affine || !ptrmap_at(&d->u->parted, LLVMGetInstructionParent(v), 0);
}

/* Whether all that the address steps after `v` start from is steady but for one value, which *varying counts, and for numbers of
 * the pack, as a row's, that are computed again. An address that `stays` in the loops that it is computed in reads there what
 * they have in the same round. */
static bool has_one_index(const struct demotion *d, LLVMValueRef v, bool stays, unsigned *varying) {
    if (is_at_hand(d, v)) {
        return true;
    }
    if (d->pack && uniform_is(d->pack, v) && is_recomputable(d, v)) {
        return true;
    }
    if (!is_address_step(v)) {
        bool is_right = stays || (uniform_is(d->u, v) ? is_steady(d, v) : is_settled(d, v));
        *varying += !uniform_is(d->u, v);
        return is_right && *varying <= 1;
    }
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        if (!has_one_index(d, LLVMGetOperand(v, (unsigned)i), stays, varying)) {
            return false;
        }
    }
    return true;
}

/* Whether a copy of a value has its own copy of `v`: all that is cheap if it is `whole`, else the steps of an address and
 * what is recomputed by itself, which may be a copy already. */
static bool is_copied(const struct demotion *d, LLVMValueRef v, bool whole) {
    return whole ? is_cheap_opcode(v) : is_address_step(v) || is_recomputable(d, v);
}

/* Copies `v` and what it comes from; what is known of packs learns of the copies what it knows of the originals. */
static LLVMValueRef recompute(struct demotion *d, LLVMBuilderRef b, LLVMValueRef v, bool whole) {
    if (is_at_hand(d, v) || !is_copied(d, v, whole)) {
        return v;
    }
    LLVMValueRef copy = LLVMInstructionClone(v);
    int n = operands_of(v);
    for (int i = 0; i < n; i++) {
        LLVMSetOperand(copy, (unsigned)i, recompute(d, b, LLVMGetOperand(v, (unsigned)i), whole));
    }
    LLVMInsertIntoBuilderWithName(b, copy, "");
    if (d->pack) {
        uniform_learn(d->pack, copy, v);
    }
    return copy;
}

/* ---- demoting ---- */

struct use {
    LLVMValueRef user;
    unsigned operand;
    LLVMBasicBlockRef at; /* where the value is needed: the incoming block for a PHI */
};

/* Uses of `v` outside its own block. */
static unsigned outside_uses(LLVMValueRef v, struct use **out) {
    LLVMBasicBlockRef home = LLVMGetInstructionParent(v);
    unsigned n = 0, cap = 0;
    struct ptrmap seen = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        uintptr_t ignored;
        bool is_phi = LLVMIsAPHINode(user);
        if ((!is_phi && LLVMGetInstructionParent(user) == home) || ptrmap_get(&seen, user, &ignored)) {
            continue;
        }
        ptrmap_set(&seen, user, 1);
        for (int i = 0; i < LLVMGetNumOperands(user); i++) {
            LLVMBasicBlockRef at =
                is_phi ? LLVMGetIncomingBlock(user, (unsigned)i) : LLVMGetInstructionParent(user);
            if (LLVMGetOperand(user, (unsigned)i) != v || at == home) {
                continue;
            }
            if (n == cap) {
                struct use *grown = job_alloc((cap = cap ? cap * 2 : 8) * sizeof *grown);
                if (n) {
                    memcpy(grown, *out, n * sizeof *grown);
                }
                *out = grown;
            }
            (*out)[n++] = (struct use){user, (unsigned)i, at};
        }
    }
    return n;
}

static LLVMBuilderRef before_use(const struct use *use) {
    bool is_phi = LLVMIsAPHINode(use->user);
    return ir_before(is_phi ? LLVMGetBasicBlockTerminator(use->at) : use->user);
}

/* A variable for the value (or PHI) `v`. */
static LLVMValueRef new_var(struct demotion *d, LLVMValueRef v, const char *name) {
    LLVMValueRef var = LLVMBuildAlloca(d->entry, LLVMTypeOf(v), name);
    struct slot *like = job_alloc(sizeof *like);
    like->uniform = uniform_is(d->u, v);
    like->is_affine = d->pack && uniform_stride(d->pack, v, &like->stride);
    like->of_memory = d->pack && ptrmap_at(&d->pack->chosen, v, 0);
    like->of_rows = d->pack && !like->is_affine && is_of_rows(d->pack, v, &like->stride);
    ptrmap_set(&d->like, var, (uintptr_t)like);
    list_add(&d->vars, var);
    report_value(d->k, var, v);
    return var;
}

static LLVMBuilderRef after_definition(LLVMValueRef v) {
    return ir_before(ir_after_phis(LLVMGetNextInstruction(v)));
}

/* Copies a cheap value to where it is used in other blocks. Uniform values keep one scalar, addresses of private
 * variables never get a slot: the variable would seem to escape. Of an address elsewhere its index is kept, which is
 * shorter, and from which memory_access.c can tell whether a pack's elements lie in a row. */
static void recompute_value(struct demotion *d, LLVMValueRef v) {
    unsigned varying = 0;
    bool whole = is_recomputable(d, v);
    bool stays = !ptrmap_at(&d->u->joins, v, 0);
    bool is_address = LLVMIsAGetElementPtrInst(v) && has_one_index(d, v, stays, &varying);
    if ((uniform_is(d->u, v) && !private_base(v)) || (!whole && !is_address)) {
        return;
    }
    struct use *uses = NULL;
    unsigned n = outside_uses(v, &uses);
    for (unsigned i = 0; i < n; i++) {
        LLVMBuilderRef b = before_use(&uses[i]);
        LLVMSetOperand(uses[i].user, uses[i].operand, recompute(d, b, v, whole));
        LLVMDisposeBuilder(b);
    }
}

/* Reads what the variable holds of `v`, and disposes of the builder. */
static LLVMValueRef load_of(struct demotion *d, LLVMBuilderRef b, LLVMValueRef var, LLVMValueRef v) {
    LLVMValueRef load = LLVMBuildLoad2(b, LLVMTypeOf(v), var, "");
    LLVMDisposeBuilder(b);
    if (d->pack) {
        uniform_learn(d->pack, load, v);
    }
    return load;
}

static void demote_value(struct demotion *d, LLVMValueRef v) {
    struct use *uses = NULL;
    unsigned n = outside_uses(v, &uses);
    if (!n) {
        return;
    }
    size_t length;
    LLVMValueRef var = new_var(d, v, LLVMGetValueName2(v, &length));
    LLVMBuilderRef b = after_definition(v);
    LLVMBuildStore(b, v, var);
    LLVMDisposeBuilder(b);
    for (unsigned i = 0; i < n; i++) {
        LLVMSetOperand(uses[i].user, uses[i].operand, load_of(d, before_use(&uses[i]), var, v));
    }
}

/* A PHI becomes a variable that is only written at the ends of its predecessors and only read in its place. */
static void demote_phi(struct demotion *d, LLVMValueRef phi) {
    LLVMValueRef var = new_var(d, phi, "phi");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBuilderRef b = ir_before(LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i)));
        LLVMBuildStore(b, LLVMGetIncomingValue(phi, i), var);
        LLVMDisposeBuilder(b);
    }
    LLVMValueRef load = load_of(d, after_definition(phi), var, phi);
    LLVMReplaceAllUsesWith(phi, load);
    LLVMInstructionEraseFromParent(phi);
}

/* Loads that replace PHIs must read before their block's other code stores: keep PHI order, first in block. */
static void demote_phis(struct demotion *d, LLVMBasicBlockRef block) {
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        demote_phi(d, i);
    }
}

/* ---- interleaved arrays ---- */

/* Whether all accesses through `p` are of elements of *bytes (0: not known yet) at multiples of it. */
static bool is_regular(LLVMTargetDataRef layout, LLVMValueRef p, uint64_t *bytes) {
    struct gep_step steps[GEP_STEPS];
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) {
            LLVMTypeRef type = ir_access_type(user);
            if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == p) { /* the address itself: who knows */
                return false;
            }
            if (LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
                !(LLVMGetVectorSize(type) & (LLVMGetVectorSize(type) - 1))) {
                type = LLVMGetElementType(type);
            }
            uint64_t size = private_is_element(type) ? LLVMABISizeOfType(layout, type) : 0;
            *bytes = *bytes ? *bytes : size;
            if (!size || size != *bytes || LLVMGetVolatile(user)) {
                return false;
            }
        } else if (LLVMIsAGetElementPtrInst(user)) {
            unsigned n = ir_gep_steps(layout, user, steps);
            for (unsigned i = 0; i < n; i++) {
                uint64_t step = steps[i].bytes;
                if (steps[i].index && LLVMIsAConstantInt(steps[i].index)) {
                    step *= LLVMConstIntGetZExtValue(steps[i].index);
                }
                if (*bytes && step % *bytes) {
                    return false;
                }
            }
            if (!n || !is_regular(layout, user, bytes)) {
                return false;
            }
        } else if (!ir_is_intrinsic(user, "llvm.lifetime.")) {
            return false;
        }
    }
    return true;
}

/* Bytes of the elements in which a private array can be interleaved, or 0: then each lane's array is in one piece. */
static uint64_t grain_of(LLVMTargetDataRef layout, LLVMValueRef var) {
    uint64_t bytes = 0; /* the first round finds it, the second holds all steps against it */
    return is_regular(layout, var, &bytes) && is_regular(layout, var, &bytes) ? bytes : 0;
}

static void add_slot(struct kernel *k, struct slots *s, LLVMValueRef var, const struct slot *like) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->module);
    ptrmap_set(&s->by_var, var, s->n);
    s->at[s->n] = *like;
    s->at[s->n].var = var;
    s->at[s->n].type = LLVMGetAllocatedType(var);
    s->at[s->n].escapes = like->is_array && (k->shown || private_escapes(var));
    s->at[s->n].bytes = private_size(layout, var);
    s->at[s->n].align = like->is_array ? private_align(layout, var) : 1;
    s->at[s->n].grain = like->is_array && k->width > 1 ? grain_of(layout, var) : 0;
    s->n++;
}

void slots_demote(struct kernel *k, const struct uniform *u, struct uniform *pack, struct slots *s) {
    struct demotion d = {.k = k, .u = u, .pack = pack, .entry = ir_at_entry(k->run)};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(k->run);
    struct list arrays = {0}, values = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAAllocaInst(i)) {
                list_add(&arrays, i);
            } else if (block != entry) { /* the entry's code runs once per group, and stays where it is */
                list_add(&values, i);
            }
        }
    }
    for (size_t i = values.n; i-- > 0;) { /* users first: what they recompute is then used here no more */
        recompute_value(&d, values.at[i]);
    }
    for (size_t i = 0; i < values.n; i++) {
        demote_value(&d, values.at[i]);
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        demote_phis(&d, block);
    }
    LLVMDisposeBuilder(d.entry);
    s->at = job_alloc((arrays.n + d.vars.n + 1) * sizeof *s->at);
    for (size_t i = 0; i < arrays.n; i++) {
        add_slot(k, s, arrays.at[i], &(struct slot){.is_array = true});
    }
    for (size_t i = 0; i < d.vars.n; i++) {
        add_slot(k, s, d.vars.at[i], (struct slot *)ptrmap_at(&d.like, d.vars.at[i], 0));
    }
}

/* ---- liveness ---- */

struct effect { /* of one block on the slots */
    uint64_t *reads, *kills, *touches;
};

static void block_effect(const struct slots *s, LLVMBasicBlockRef block, struct effect *e) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        struct slot *direct = slots_of_access(s, i);
        if (direct && !direct->is_array) {
            unsigned at = (unsigned)(direct - s->at);
            if (LLVMIsAStoreInst(i)) {
                bit_add(e->touches, at);
                bit_add(e->kills, at);
            } else if (!bit_at(e->kills, at)) {
                bit_add(e->reads, at);
            }
            continue;
        }
        for (int n = 0; n < LLVMGetNumOperands(i); n++) {
            LLVMValueRef p = LLVMGetOperand(i, (unsigned)n);
            LLVMValueRef var =
                p && LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind ? private_base(p) : NULL;
            uintptr_t at;
            if (!var || !ptrmap_get(&s->by_var, var, &at) || LLVMIsAGetElementPtrInst(i) ||
                ir_is_intrinsic(i, "llvm.lifetime.end")) {
                continue;
            }
            if (ir_is_intrinsic(i, "llvm.lifetime.start")) {
                bit_add(e->kills, (unsigned)at);
            } else {
                bit_add(e->touches, (unsigned)at);
                if (!bit_at(e->kills, (unsigned)at)) {
                    bit_add(e->reads, (unsigned)at);
                }
            }
        }
    }
}

void slots_liveness(struct kernel *k, struct slots *s, const struct graph *cfg, const struct ptrmap *index,
                    LLVMBasicBlockRef *blocks) {
    unsigned words = s->n / 64 + 1;
    struct effect *effects = job_alloc(cfg->n * sizeof *effects);
    s->live_in = job_alloc(cfg->n * sizeof *s->live_in);
    s->touched_in = job_alloc(cfg->n * sizeof *s->touched_in);
    for (unsigned n = 0; n < cfg->n; n++) {
        uint64_t *sets = job_alloc(5 * words * sizeof *sets);
        effects[n] = (struct effect){sets, sets + words, sets + 2 * words};
        s->live_in[n] = sets + 3 * words;
        s->touched_in[n] = sets + 4 * words;
        block_effect(s, blocks[n], &effects[n]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned r = 0; r < cfg->n; r++) {
            unsigned n = cfg->n - 1 - r;
            for (unsigned w = 0; w < words; w++) {
                uint64_t live = 0, touched = s->touched_in[r][w] | effects[r].touches[w];
                for (unsigned e = 0; e < cfg->nsucc[n]; e++) {
                    live |= s->live_in[cfg->succ[n][e]][w];
                }
                live = (live & ~effects[n].kills[w]) | effects[n].reads[w];
                changed |= live != s->live_in[n][w];
                s->live_in[n][w] = live;
                for (unsigned e = 0; e < cfg->nsucc[r]; e++) {
                    uint64_t *to = &s->touched_in[cfg->succ[r][e]][w];
                    changed |= (*to | touched) != *to;
                    *to |= touched;
                }
            }
        }
    }
}

/* fission.c: loops that carry more vectors from one iteration to the next than the processor has registers.
 *
 * In: a kernel of packs, its values in SSA form. Out: the same, and a loop of one block without side effects whose
 * carried vectors would spill runs several times, each time for some of them: sums of a register-blocked product, say.
 * What they share, counters and loads, is done again: memory doesn't change meanwhile. Vectors that depend on each
 * other stay together; nothing is done where the repeated work is more than the spills. */
#include "post.h"
#include <string.h>

enum { MOST_CARRIED = 256, OTHERS = 4 }; /* OTHERS: registers for what an iteration computes, at least */

struct carried {
    struct kernel *k;
    LLVMBasicBlockRef body, entry;  /* entry: what comes before the body */
    LLVMValueRef phi[MOST_CARRIED]; /* vectors that the loop carries */
    unsigned registers[MOST_CARRIED], group[MOST_CARRIED], parent[MOST_CARRIED], n;
    unsigned ngroups;
    struct ptrmap place;  /* instruction of the body -> its position */
    unsigned length;      /* of the body */
    struct ptrmap number; /* PHI -> its index */
    struct ptrmap owner;  /* value that a group has to give -> the group */
};

static unsigned registers_of(struct kernel *k, LLVMValueRef v) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->module);
    return (unsigned)target_registers(k->target, LLVMSizeOfTypeInBits(layout, LLVMTypeOf(v)));
}

static bool is_vector(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

/* Whether running the instruction again, or more often, changes nothing. */
static bool is_repeatable(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return ir_is_plain(i);
    case LLVMCall:
        return ir_has_no_effect(i) || ir_is_intrinsic(i, "llvm.masked.load.") ||
               ir_is_intrinsic(i, "llvm.masked.gather.");
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMInvoke:
    case LLVMAlloca:
        return false;
    default:
        return true;
    }
}

/* Fills in the loop that is this block alone, entered from one place; false: it isn't one that can run again. */
static bool find_loop(struct carried *c, LLVMBasicBlockRef body) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(body);
    if (LLVMGetInstructionOpcode(end) != LLVMBr || !LLVMIsConditional(end) ||
        (LLVMGetSuccessor(end, 0) == body) == (LLVMGetSuccessor(end, 1) == body)) {
        return false;
    }
    c->body = body;
    for (LLVMValueRef i = LLVMGetFirstInstruction(body); i != end; i = LLVMGetNextInstruction(i)) {
        ptrmap_set(&c->place, i, ++c->length);
        if (!is_repeatable(i)) {
            return false;
        }
        if (!LLVMIsAPHINode(i)) {
            continue;
        }
        if (LLVMCountIncoming(i) != 2 || (is_vector(i) && c->n == MOST_CARRIED)) {
            return false;
        }
        c->entry = LLVMGetIncomingBlock(i, LLVMGetIncomingBlock(i, 0) == body);
        if (is_vector(i)) {
            c->registers[c->n] = registers_of(c->k, i);
            c->parent[c->n] = c->n;
            ptrmap_set(&c->number, i, c->n);
            c->phi[c->n++] = i;
        }
    }
    return c->n > 1;
}

static LLVMValueRef next_of(const struct carried *c, LLVMValueRef phi) {
    return LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == c->body ? 0 : 1);
}

static void close_over_value(const struct carried *c, struct ptrmap *closure, struct list *order,
                             LLVMValueRef v) {
    uintptr_t known;
    if (LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == c->body && !ptrmap_get(closure, v, &known)) {
        ptrmap_set(closure, v, 1);
        list_add(order, v);
    }
}

/* Adds to `closure`, and to `order`, what of the loop the value is computed from, around the loop too. */
static void close_over(const struct carried *c, struct ptrmap *closure, struct list *order, LLVMValueRef v) {
    size_t i = order->n;
    for (close_over_value(c, closure, order, v); i < order->n; i++) {
        LLVMValueRef member = order->at[i];
        if (LLVMIsAPHINode(member)) {
            close_over_value(c, closure, order, next_of(c, member));
            continue;
        }
        for (int o = 0; o < LLVMGetNumOperands(member); o++) {
            close_over_value(c, closure, order, LLVMGetOperand(member, (unsigned)o));
        }
    }
}

static unsigned root(struct carried *c, unsigned i) {
    while (c->parent[i] != i) {
        i = c->parent[i] = c->parent[c->parent[i]];
    }
    return i;
}

/* Joins the carried vectors that the value needs; the first one's number, or UINT32_MAX if it needs none. */
static unsigned join(struct carried *c, LLVMValueRef v) {
    struct ptrmap closure = {0};
    struct list order = {0};
    unsigned first = UINT32_MAX;
    close_over(c, &closure, &order, v);
    for (size_t i = 0; i < order.n; i++) {
        uintptr_t number;
        if (!ptrmap_get(&c->number, order.at[i], &number)) {
            continue;
        }
        first = first == UINT32_MAX ? (unsigned)number : first;
        c->parent[root(c, (unsigned)number)] = root(c, first);
    }
    return first;
}

static bool is_used_outside(const struct carried *c, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        if (LLVMGetInstructionParent(LLVMGetUser(u)) != c->body) {
            return true;
        }
    }
    return false;
}

/* Joins vectors that depend on each other; whether the iterations, and what else the loop carries, depend on none. */
static bool join_dependent(struct carried *c) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->body);
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->body); i != end; i = LLVMGetNextInstruction(i)) {
        unsigned needs = LLVMIsAPHINode(i) || is_used_outside(c, i) ? join(c, i) : UINT32_MAX;
        if (LLVMIsAPHINode(i) && !is_vector(i) && needs != UINT32_MAX) {
            return false;
        }
    }
    return join(c, LLVMGetCondition(end)) == UINT32_MAX;
}

/* Deals the vectors out to groups of at most `room` registers, in their order. */
static void deal(struct carried *c, unsigned room) {
    unsigned used = 0;
    c->ngroups = 0;
    memset(c->group, 0xff, sizeof c->group);
    for (unsigned i = 0; i < c->n; i++) {
        if (c->group[i] != UINT32_MAX) {
            continue;
        }
        unsigned size = 0;
        for (unsigned m = i; m < c->n; m++) {
            size += root(c, m) == root(c, i) ? c->registers[m] : 0;
        }
        if (!c->ngroups || used + size > room) {
            c->ngroups++;
            used = 0;
        }
        used += size;
        for (unsigned m = i; m < c->n; m++) {
            c->group[m] = root(c, m) == root(c, i) ? c->ngroups - 1 : c->group[m];
        }
    }
}

/* Tells each group what it has to give: its vectors, and what is used after the loop; the rest is the last one's. */
static void own(struct carried *c) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->body);
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->body); i != end; i = LLVMGetNextInstruction(i)) {
        uintptr_t number;
        bool is_vector = ptrmap_get(&c->number, i, &number);
        if (is_vector || is_used_outside(c, i)) {
            unsigned needs = is_vector ? (unsigned)number : join(c, i);
            ptrmap_set(&c->owner, i, needs == UINT32_MAX ? c->ngroups - 1 : c->group[needs]);
        }
    }
}

/* What the loop of one group computes. */
static void members(struct carried *c, unsigned group, struct ptrmap *closure, struct list *order) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->body);
    close_over(c, closure, order, LLVMGetCondition(end));
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->body); i != end; i = LLVMGetNextInstruction(i)) {
        if (ptrmap_at(&c->owner, i, UINT32_MAX) == group) {
            close_over(c, closure, order, i);
        }
    }
}

/* Where in the loop of a group the value is used last, and how often; 0: as what a PHI carries. */
static unsigned last_use(const struct carried *c, const struct ptrmap *closure, LLVMValueRef v,
                         unsigned *uses) {
    unsigned last = 0;
    *uses = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        unsigned place = LLVMIsAPHINode(user) ? 0 : (unsigned)ptrmap_at(&c->place, user, 0);
        *uses += ptrmap_at(closure, user, 0) != 0;
        last = place > last && ptrmap_at(closure, user, 0) ? place : last;
    }
    return last;
}

/* Registers that the loop of a group takes: for what it carries, and the most that its other vectors take at a time. One
 * that is loaded for a single use is an operand in memory. */
static unsigned demand(struct carried *c, unsigned group) {
    struct ptrmap closure = {0};
    struct list order = {0};
    int *change = job_alloc((c->length + 2) * sizeof *change), live = 0, most = 0;
    members(c, group, &closure, &order);
    for (size_t n = 0; n < order.n; n++) {
        LLVMValueRef v = order.at[n];
        int registers = is_vector(v) ? (int)registers_of(c->k, v) : 0;
        if (LLVMIsAPHINode(v)) {
            live += registers;
            continue;
        }
        unsigned uses, last = last_use(c, &closure, v, &uses), from = (unsigned)ptrmap_at(&c->place, v, 0);
        if (registers && last > from && (uses > 1 || !LLVMIsALoadInst(v))) {
            change[from] += registers;
            change[last] -= registers;
        }
    }
    for (unsigned place = 0; place <= c->length; place++) {
        live += change[place];
        most = live > most ? live : most;
    }
    return (unsigned)most;
}

/* Instructions of the list that cost something: addresses and splats are folded into others. */
static unsigned cost(const struct list *order) {
    unsigned n = 0;
    for (size_t i = 0; i < order->n; i++) {
        LLVMValueRef v = order->at[i];
        n += LLVMIsALoadInst(v) || LLVMIsACallInst(v) || LLVMIsABinaryOperator(v) || LLVMIsASelectInst(v);
    }
    return n;
}

static bool pays(struct carried *c, unsigned spilled) {
    unsigned repeated = 0;
    struct list all = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->body); i; i = LLVMGetNextInstruction(i)) {
        list_add(&all, i);
    }
    for (unsigned g = 0; g < c->ngroups; g++) {
        struct ptrmap closure = {0};
        struct list order = {0};
        members(c, g, &closure, &order);
        repeated += cost(&order);
    }
    return c->ngroups > 1 && repeated < cost(&all) + 2 * spilled;
}

/* Copies the instructions of `closure` to the end of the block, PHIs without what comes in. */
static void copy_members(struct carried *c, LLVMBasicBlockRef block, const struct ptrmap *closure,
                         struct ptrmap *map) {
    LLVMBuilderRef b = ir_at_end(block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->body);
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->body); i; i = LLVMGetNextInstruction(i)) {
        bool is_phi = LLVMIsAPHINode(i);
        if (i != end && !ptrmap_at(closure, i, 0)) {
            continue;
        }
        LLVMValueRef copy = is_phi ? LLVMBuildPhi(b, LLVMTypeOf(i), "carried") : LLVMInstructionClone(i);
        for (int o = 0; !is_phi && o < LLVMGetNumOperands(i); o++) {
            uintptr_t mapped;
            if (ptrmap_get(map, LLVMGetOperand(i, (unsigned)o), &mapped)) {
                LLVMSetOperand(copy, (unsigned)o, (LLVMValueRef)mapped);
            }
        }
        if (!is_phi) {
            LLVMInsertIntoBuilderWithName(b, copy, "");
        }
        ptrmap_set(map, i, (uintptr_t)copy);
    }
    LLVMDisposeBuilder(b);
}

static void replace_outside(const struct carried *c, LLVMValueRef old, LLVMValueRef value) {
    for (LLVMUseRef next, u = LLVMGetFirstUse(old); u; u = next) {
        LLVMValueRef user = LLVMGetUser(u);
        next = LLVMGetNextUse(u);
        for (int o = 0; LLVMGetInstructionParent(user) != c->body && o < LLVMGetNumOperands(user); o++) {
            if (LLVMGetOperand(user, (unsigned)o) == old) {
                LLVMSetOperand(user, (unsigned)o, value);
            }
        }
        while (next && LLVMGetUser(next) == user) { /* its operands are done */
            next = LLVMGetNextUse(next);
        }
    }
}

/* ---- values from and to the context: loaded and stored around the loop of their group, or they would spill ---- */

static bool touches_memory(LLVMValueRef i) {
    return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) ||
           LLVMIsAAtomicCmpXchgInst(i) || (LLVMIsACallInst(i) && !ir_has_no_effect(i));
}

static bool is_of_context(const struct carried *c, LLVMValueRef i) {
    unsigned scope = LLVMGetMDKindIDInContext(c->k->llvm, "alias.scope", 11);
    return touches_memory(i) && LLVMGetMetadata(i, scope) == c->k->context_scope;
}

/* Moves the instruction, and with `from` what of that block it is computed from, to the end of another block. */
static void move(LLVMValueRef i, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    for (int o = 0; from && o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)o);
        if (LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == from) {
            move(v, from, to);
        }
    }
    LLVMBuilderRef b = ir_before(LLVMGetBasicBlockTerminator(to));
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilderWithName(b, i, "");
    LLVMDisposeBuilder(b);
}

static LLVMValueRef first_of(const struct carried *c, LLVMValueRef phi) {
    return LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == c->body);
}

/* Loads right before all loops of what only a PHI of the group uses. */
static void sink_loads(struct carried *c, unsigned group, LLVMBasicBlockRef to) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->entry); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAStoreInst(i) && is_of_context(c, i)) {
            return;
        }
    }
    for (unsigned i = 0; i < c->n; i++) {
        LLVMValueRef load = first_of(c, c->phi[i]);
        LLVMUseRef use = LLVMIsALoadInst(load) ? LLVMGetFirstUse(load) : NULL;
        if (c->group[i] == group && use && !LLVMGetNextUse(use) &&
            LLVMGetInstructionParent(load) == c->entry && is_of_context(c, load)) {
            move(load, NULL, to);
        }
    }
}

/* The constant in an address of the context, by which places there differ; UINT64_MAX: there is none. */
static uint64_t place_in_context(LLVMValueRef p) {
    uint64_t place = UINT64_MAX;
    for (; LLVMIsAGetElementPtrInst(p); p = LLVMGetOperand(p, 0)) {
        LLVMValueRef index = LLVMGetOperand(p, 1);
        place = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : place;
    }
    return place;
}

/* Whether the place that is stored to is loaded for this group or one after it. */
static bool is_wanted(struct carried *c, unsigned group, LLVMValueRef store) {
    uint64_t place = place_in_context(LLVMGetOperand(store, 1));
    for (unsigned i = 0; i < c->n; i++) {
        LLVMValueRef from = first_of(c, c->phi[i]);
        if (c->group[i] >= group && LLVMIsALoadInst(from) && is_of_context(c, from) &&
            place_in_context(LLVMGetOperand(from, 0)) == place) {
            return true;
        }
    }
    return place == UINT64_MAX;
}

/* Stores after all loops of what the loop `from` gives. */
static void hoist_stores(struct carried *c, LLVMBasicBlockRef from, unsigned group, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->body), next;
    LLVMBasicBlockRef exit = LLVMGetSuccessor(end, LLVMGetSuccessor(end, 0) == c->body);
    bool is_shared = LLVMGetNextUse(LLVMGetFirstUse(LLVMBasicBlockAsValue(exit))) != NULL;
    if (is_shared || LLVMIsAPHINode(LLVMGetFirstInstruction(exit))) {
        return;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(exit); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (touches_memory(i) && !(LLVMIsAStoreInst(i) && is_of_context(c, i))) {
            return;
        }
        LLVMValueRef value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : NULL;
        if (value && LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == from &&
            !is_wanted(c, group, i)) {
            move(i, exit, to);
        }
    }
}

/* The block goes on at `to` instead of the loop that is split. */
static void lead_to(const struct carried *c, LLVMBasicBlockRef block, LLVMBasicBlockRef to) {
    ir_lead(LLVMGetBasicBlockTerminator(block), c->body, to);
}

/* A block for what the loop of the group needs, after that of the group before. */
static LLVMBasicBlockRef enter_group(struct carried *c, unsigned group, LLVMBasicBlockRef before) {
    LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(c->k->llvm, c->body, "enter");
    LLVMBuilderRef b = ir_at_end(block);
    LLVMBuildBr(b, c->body);
    LLVMDisposeBuilder(b);
    lead_to(c, before, block);
    if (group) {
        hoist_stores(c, before, group, block);
    }
    sink_loads(c, group, block);
    return block;
}

/* The group's own loop after the block `before`, whose way into the old loop it takes. */
static LLVMBasicBlockRef emit_group(struct carried *c, unsigned group, LLVMBasicBlockRef before) {
    struct ptrmap closure = {0}, map = {0};
    struct list order = {0};
    members(c, group, &closure, &order);
    LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(c->k->llvm, c->body, "part");
    copy_members(c, block, &closure, &map);
    for (size_t n = 0; n < order.n; n++) {
        LLVMValueRef old = order.at[n], copy = (LLVMValueRef)ptrmap_at(&map, old, 0);
        if (LLVMIsAPHINode(old)) {
            LLVMValueRef next = next_of(c, old), values[] = {first_of(c, old), next};
            values[1] = (LLVMValueRef)ptrmap_at(&map, next, (uintptr_t)next);
            LLVMAddIncoming(copy, values, (LLVMBasicBlockRef[]){before, block}, 2);
        }
        if (ptrmap_at(&c->owner, old, UINT32_MAX) == group) {
            replace_outside(c, old, copy);
        }
    }
    LLVMValueRef leave = LLVMGetBasicBlockTerminator(block);
    bool exit = LLVMGetSuccessor(leave, 0) == c->body;
    LLVMSetSuccessor(leave, !exit, block);
    if (group + 1 < c->ngroups) {
        LLVMSetSuccessor(leave, exit, c->body); /* until the next group takes it */
    }
    lead_to(c, before, block);
    LLVMSetMetadata(leave, LLVMGetMDKindIDInContext(c->k->llvm, "llvm.loop", 9), NULL);
    return block;
}

/* Deals vectors out to as few groups as there may be without spills, evenly. */
static void split(struct carried *c, unsigned carried, unsigned registers) {
    unsigned room = registers - OTHERS, most = registers + 1;
    for (; room > 1 && most > registers; room--) {
        most = 0;
        deal(c, room);
        unsigned even = (carried + c->ngroups - 1) / c->ngroups;
        room = even < room ? even : room;
        deal(c, room);
        own(c);
        for (unsigned g = 0; g < c->ngroups; g++) {
            unsigned need = demand(c, g);
            most = need > most ? need : most;
        }
    }
}

static void split_loop(struct kernel *k, LLVMBasicBlockRef body, unsigned registers) {
    struct carried *c = job_alloc(sizeof *c);
    unsigned pressure = OTHERS;
    c->k = k;
    bool is_loop = find_loop(c, body);
    for (unsigned i = 0; i < c->n; i++) {
        pressure += c->registers[i];
    }
    if (!is_loop || pressure <= registers || !join_dependent(c)) {
        return;
    }
    split(c, pressure - OTHERS, registers);
    if (!pays(c, pressure - registers)) {
        return;
    }
    LLVMBasicBlockRef last = c->entry;
    for (unsigned g = 0; g < c->ngroups; g++) {
        last = emit_group(c, g, enter_group(c, g, last));
    }
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(body), LLVMBasicBlockAsValue(last));
    while (LLVMGetFirstInstruction(body)) {
        LLVMValueRef i = LLVMGetLastInstruction(body);
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) {
            LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
        }
        LLVMInstructionEraseFromParent(i);
    }
    LLVMDeleteBasicBlock(body);
}

void fission_pass(struct kernel *k) {
    unsigned registers = k->target->vector_registers;
    for (LLVMBasicBlockRef next, b = LLVMGetFirstBasicBlock(k->run); b && k->optimize; b = next) {
        next = LLVMGetNextBasicBlock(b);
        split_loop(k, b, registers);
    }
}

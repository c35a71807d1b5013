/* deal.c: elements that a pack has in a row are dealt out to its lanes one by one.
 *
 * Work-items that have some adjacent elements each, as float4s or blocks of a matrix product, need them taken apart: a
 * vector for each element's number, by shuffles wherever they are read. Where all lanes do the same with each of their
 * elements, it doesn't matter which lane does it: then lane l of W has elements l, W + l, 2 * W + l ... of the pack's row,
 * and each of them is a contiguous load. (Of data that processors share these are the block and the cyclic distribution.)
 * Of packs of 4:
 *     %t = load <2 x float>, ptr addrspace(3) %p      %p: stride 8
 *     %x0 = extractelement %t, 0                      lanes have elements 0 2 4 6
 *     %x1 = extractelement %t, 1                      1 3 5 7
 *     %s0 = phi float [ 0.0, ... ], [ %n0, ... ]
 *     %s1 = phi float [ 0.0, ... ], [ %n1, ... ]
 *     %n0 = fmuladd %u, %x0, %s0                      %u: the same for the pack
 *     %n1 = fmuladd %u, %x1, %s1
 *   becomes
 *     %y0 = load float, ptr addrspace(3) (%p - 4 * lane)        0 1 2 3
 *     %y1 = load float, ptr addrspace(3) (%p - 4 * lane + 16)   4 5 6 7
 * and the same sums of these. What else is done with a value, after the loop mostly, gets the work-items' own from
 * __weir_sub_items. Values that belong together are a *hand*; which ones do is found from those that are read or stored, as
 * in superword-level parallelism (Larsen and Amarasinghe, "Exploiting Superword Level Parallelism with Multimedia
 * Instruction Sets", 2000).
 *
 * Needs what packs share, after tuples.c, and all lanes of the pack on. */
#include "vector.h"
#include <string.h>

enum { MOST = 16 };
enum kind { READ, WRITE, PHI, OPERATION };

struct hand {
    enum kind kind;
    unsigned n;
    LLVMValueRef access; /* READ, WRITE */
    LLVMValueRef values[MOST];
    LLVMValueRef dealt[MOST];
    unsigned number, root; /* hands that are linked have one root */
    bool bad, done;
    double gain; /* of a root: shuffles that are saved, in all runs */
};

struct dealing {
    struct wg *wg;
    struct list hands;
    struct ptrmap member; /* value -> number of its hand * MOST + place in it */
    struct ptrmap order;  /* instruction -> its number in its block */
};

static struct hand *hand_of(const struct dealing *d, LLVMValueRef v, unsigned *place) {
    uintptr_t known;
    if (!ptrmap_get(&d->member, v, &known)) {
        return NULL;
    }
    *place = (unsigned)(known % MOST);
    return d->hands.at[known / MOST];
}

static unsigned node_of(const struct dealing *d, LLVMValueRef i) {
    return (unsigned)ptrmap_at(&d->wg->index, LLVMGetInstructionParent(i), 0);
}

/* ---- hands ---- */

static unsigned root_of(const struct dealing *d, const struct hand *h) {
    unsigned at = h->number;
    for (const struct hand *up = h; up->root != at; up = d->hands.at[at]) {
        at = up->root;
    }
    return at;
}

static void link_hands(struct dealing *d, struct hand *x, const struct hand *y) {
    ((struct hand *)d->hands.at[root_of(d, x)])->root = root_of(d, y);
}

static struct hand *add_hand(struct dealing *d, enum kind kind, LLVMValueRef access,
                             const LLVMValueRef *values, unsigned n) {
    struct hand *h = job_alloc(sizeof *h);
    h->kind = kind;
    h->access = access;
    h->n = n;
    h->number = h->root = (unsigned)d->hands.n;
    memcpy(h->values, values, n * sizeof *values);
    for (unsigned i = 0; i < n && kind != WRITE; i++) {
        ptrmap_set(&d->member, values[i], (uintptr_t)h->number * MOST + i);
    }
    if (kind == WRITE) {
        ptrmap_set(&d->member, access, (uintptr_t)h->number * MOST);
    }
    list_add(&d->hands, h);
    return h;
}

/* What may be done with any element in any lane. */
static bool is_elementwise(LLVMValueRef i) {
    static const char *const functions[] = {"llvm.fma.",  "llvm.fmuladd.", "llvm.minnum.", "llvm.maxnum.",
                                            "llvm.fabs.", "llvm.sqrt.",    "llvm.smin.",   "llvm.smax.",
                                            "llvm.umin.", "llvm.umax."};
    for (size_t f = 0; LLVMIsACallInst(i) && f < sizeof functions / sizeof *functions; f++) {
        if (ir_is_intrinsic(i, functions[f])) {
            return true;
        }
    }
    bool is_plain = LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMGetInstructionOpcode(i) == LLVMFNeg;
    return is_plain && !ir_is_division(i) && private_is_element(LLVMTypeOf(i)) &&
           private_is_element(LLVMTypeOf(LLVMGetOperand(i, 0)));
}

static int operands_of(LLVMValueRef i) {
    if (LLVMIsAPHINode(i)) {
        return (int)LLVMCountIncoming(i);
    }
    return LLVMIsACallInst(i) ? (int)LLVMGetNumArgOperands(i) : LLVMGetNumOperands(i);
}

static LLVMValueRef operand_of(LLVMValueRef i, int o) {
    return LLVMIsAPHINode(i) ? LLVMGetIncomingValue(i, (unsigned)o) : LLVMGetOperand(i, (unsigned)o);
}

/* Whether what they promise of their results is the same, but for what deal_operation takes back. */
static bool are_as_exact(LLVMValueRef x, LLVMValueRef y) {
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(x)), "fpmath", 6);
    bool is_fast = LLVMCanValueUseFastMathFlags(x);
    return LLVMGetMetadata(x, kind) == LLVMGetMetadata(y, kind) &&
           (!is_fast || LLVMGetFastMathFlags(x) == LLVMGetFastMathFlags(y));
}

/* Whether two instructions do the same with their operands, in one block. */
static bool are_alike(LLVMValueRef x, LLVMValueRef y) {
    if (x == y || LLVMGetInstructionOpcode(x) != LLVMGetInstructionOpcode(y) ||
        LLVMTypeOf(x) != LLVMTypeOf(y) || LLVMGetInstructionParent(x) != LLVMGetInstructionParent(y) ||
        operands_of(x) != operands_of(y) || (LLVMIsACallInst(x) && ir_callee(x) != ir_callee(y))) {
        return false;
    }
    for (int o = 0; o < operands_of(x); o++) {
        if (LLVMTypeOf(operand_of(x, o)) != LLVMTypeOf(operand_of(y, o)) ||
            (LLVMIsAPHINode(x) &&
             LLVMGetIncomingBlock(x, (unsigned)o) != LLVMGetIncomingBlock(y, (unsigned)o))) {
            return false;
        }
    }
    return are_as_exact(x, y);
}

/* Whether operands of two instructions may be of one hand: the n-th and the first value of one, or one that the pack shares. */
static bool may_belong(const struct dealing *d, LLVMValueRef first, LLVMValueRef x, unsigned n) {
    unsigned place = 0, first_place = 0;
    const struct hand *of = hand_of(d, first, &first_place), *h = hand_of(d, x, &place);
    if (uniform_is(d->wg->pack, first)) {
        return x == first;
    }
    return of == h && (!h || (first_place == 0 && place == n)) && LLVMIsAInstruction(first) &&
           LLVMIsAInstruction(x) && (h || are_alike(first, x));
}

/* The instruction that does with `v` what `like` does with the first value of v's hand; NULL: there is none, or several. */
static LLVMValueRef partner(const struct dealing *d, LLVMValueRef like, LLVMValueRef v, unsigned n) {
    LLVMValueRef found = NULL;
    unsigned place;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        bool fits = i != found && !hand_of(d, i, &place) && are_alike(like, i);
        for (int o = 0; fits && o < operands_of(like); o++) {
            fits = may_belong(d, operand_of(like, o), operand_of(i, o), n);
        }
        if (fits && found) {
            return NULL;
        }
        found = fits ? i : found;
    }
    return found;
}

/* Hands of what is done with those that there are. */
static void find_users(struct dealing *d, const struct hand *h) {
    unsigned place;
    for (LLVMUseRef u = LLVMGetFirstUse(h->values[0]); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef values[MOST] = {LLVMGetUser(u)};
        bool is_phi = LLVMIsAPHINode(values[0]);
        unsigned n = 1;
        if (hand_of(d, values[0], &place) || !(is_phi || is_elementwise(values[0]))) {
            continue;
        }
        for (; n < h->n && (values[n] = partner(d, values[0], h->values[n], n)); n++) {
        }
        if (n == h->n) {
            add_hand(d, is_phi ? PHI : OPERATION, NULL, values, n);
        }
    }
}

/* The hand with these values, which there may not be yet; NULL: they are none. */
static struct hand *hand_with(struct dealing *d, const LLVMValueRef *values, unsigned n) {
    unsigned place;
    struct hand *h = hand_of(d, values[0], &place);
    if (h) {
        return h->n == n && !memcmp(h->values, values, n * sizeof *values) ? h : NULL;
    }
    if (!LLVMIsAInstruction(values[0]) || !(LLVMIsAPHINode(values[0]) || is_elementwise(values[0]))) {
        return NULL;
    }
    for (unsigned i = 1; i < n; i++) {
        for (unsigned other = 0; other < i; other++) {
            if (!LLVMIsAInstruction(values[i]) || !are_alike(values[other], values[i]) ||
                hand_of(d, values[i], &place)) {
                return NULL;
            }
        }
    }
    return add_hand(d, LLVMIsAPHINode(values[0]) ? PHI : OPERATION, NULL, values, n);
}

/* The hand of an operand; *shared: the pack shares it. */
static struct hand *operand_hand(struct dealing *d, const struct hand *h, int o, bool *shared) {
    LLVMValueRef values[MOST];
    *shared = h->kind != WRITE && uniform_is(d->wg->pack, operand_of(h->values[0], o));
    for (unsigned i = 0; i < h->n; i++) {
        values[i] = h->kind == WRITE ? h->values[i] : operand_of(h->values[i], o);
        *shared &= values[i] == values[0];
    }
    return *shared ? NULL : hand_with(d, values, h->n);
}

static int operands_of_hand(const struct hand *h) {
    return h->kind == READ ? 0 : h->kind == WRITE ? 1 : operands_of(h->values[0]);
}

/* ---- accesses ---- */

/* Whether all lanes run the block. */
static bool runs_whole(const struct dealing *d, LLVMValueRef i) {
    return !d->wg->masked[node_of(d, i)];
}

/* A load or store of vectors that are one row for the pack. */
static bool is_row(const struct dealing *d, LLVMValueRef i, LLVMTypeRef type) {
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || LLVMGetVectorSize(type) > MOST ||
        !private_is_element(LLVMGetElementType(type)) ||
        LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind || !runs_whole(d, i) ||
        !ir_is_plain(i)) {
        return false;
    }
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(d->wg->k->module);
    int64_t stride, bytes = (int64_t)LLVMABISizeOfType(layout, LLVMGetElementType(type));
    unsigned n = LLVMGetVectorSize(type);
    LLVMValueRef at = ir_address(i);
    return !(n & (n - 1)) && LLVMGetPointerAddressSpace(LLVMTypeOf(at)) != AS_PRIVATE &&
           uniform_stride(d->wg->pack, at, &stride) && stride == bytes * n;
}

static void find_read(struct dealing *d, LLVMValueRef load) {
    LLVMValueRef parts[MOST] = {NULL};
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(load)), found = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u), at = LLVMIsAExtractElementInst(i) ? LLVMGetOperand(i, 1) : NULL;
        uint64_t place = at && LLVMIsAConstantInt(at) ? LLVMConstIntGetZExtValue(at) : MOST;
        if (place >= n || parts[place]) {
            return;
        }
        parts[place] = i;
        found++;
    }
    if (found == n) {
        add_hand(d, READ, load, parts, n);
    }
}

static void find_write(struct dealing *d, LLVMValueRef store) {
    LLVMValueRef parts[MOST] = {NULL}, v = LLVMGetOperand(store, 0);
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(v)), found = 0;
    for (; LLVMIsAInsertElementInst(v); v = LLVMGetOperand(v, 0)) {
        LLVMValueRef at = LLVMIsAConstantInt(LLVMGetOperand(v, 2));
        uint64_t place = at ? LLVMConstIntGetZExtValue(at) : MOST;
        if (place >= n || parts[place] || LLVMGetNextUse(LLVMGetFirstUse(v))) {
            return;
        }
        parts[place] = LLVMGetOperand(v, 1);
        found++;
    }
    if (found == n) {
        add_hand(d, WRITE, store, parts, n);
    }
}

static void find_accesses(struct dealing *d, bool writes) {
    for (unsigned node = 0; node < d->wg->cfg->n; node++) {
        unsigned order = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(d->wg->blocks[node]); i;
             i = LLVMGetNextInstruction(i)) {
            ptrmap_set(&d->order, i, ++order);
            if (!writes && LLVMIsALoadInst(i) && is_row(d, i, LLVMTypeOf(i))) {
                find_read(d, i);
            } else if (writes && LLVMIsAStoreInst(i) && is_row(d, i, LLVMTypeOf(LLVMGetOperand(i, 0)))) {
                find_write(d, i);
            }
        }
    }
}

/* ---- which hands are dealt ---- */

/* The member that comes last in their block. */
static LLVMValueRef last_of(const struct dealing *d, const struct hand *h) {
    LLVMValueRef last = h->values[0];
    for (unsigned i = 1; i < h->n; i++) {
        last = ptrmap_at(&d->order, h->values[i], 0) > ptrmap_at(&d->order, last, 0) ? h->values[i] : last;
    }
    return last;
}

/* Whether the use is by a hand that is dealt, or makes the vector that one stores. */
static bool is_dealt_use(const struct dealing *d, LLVMValueRef user) {
    unsigned place;
    const struct hand *h = hand_of(d, user, &place);
    for (LLVMValueRef v = user; !h && LLVMIsAInsertElementInst(v); v = LLVMGetUser(LLVMGetFirstUse(v))) {
        uintptr_t number;
        if (!LLVMGetFirstUse(v) || LLVMGetNextUse(LLVMGetFirstUse(v))) {
            return false;
        }
        bool is_stored = ptrmap_get(&d->member, LLVMGetUser(LLVMGetFirstUse(v)), &number);
        h = is_stored ? d->hands.at[number / MOST] : NULL;
    }
    return h && !h->bad;
}

/* Whether somebody else uses a value; *early: before the last of them is computed. */
static bool escapes(const struct dealing *d, const struct hand *h, bool *early) {
    bool found = false;
    LLVMValueRef last = last_of(d, h);
    *early = false;
    for (unsigned i = 0; i < h->n; i++) {
        for (LLVMUseRef u = LLVMGetFirstUse(h->values[i]); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            if (is_dealt_use(d, user)) {
                continue;
            }
            found = true;
            *early |= !LLVMIsAPHINode(user) &&
                      LLVMGetInstructionParent(user) == LLVMGetInstructionParent(last) &&
                      ptrmap_at(&d->order, user, 0) < ptrmap_at(&d->order, last, 0);
        }
    }
    return found;
}

static bool holds(struct dealing *d, struct hand *h) {
    uintptr_t ignored;
    bool early;
    for (int o = 0; o < operands_of_hand(h); o++) {
        bool shared;
        struct hand *of = operand_hand(d, h, o, &shared);
        if (!shared && (!of || of->bad)) {
            return false;
        }
    }
    if (h->kind == READ || h->kind == WRITE) {
        return true;
    }
    for (unsigned i = 0; i < h->n; i++) {
        if (ptrmap_get(&d->wg->pack->joins, h->values[i], &ignored)) {
            return false;
        }
    }
    return runs_whole(d, h->values[0]) && !(escapes(d, h, &early) && early);
}

static void find_bad(struct dealing *d) {
    for (bool changed = true; changed;) {
        size_t before = d->hands.n;
        changed = false;
        for (size_t n = 0; n < d->hands.n; n++) { /* which may become more */
            struct hand *h = d->hands.at[n];
            if (!h->bad && !holds(d, h)) {
                h->bad = changed = true;
            }
        }
        changed |= d->hands.n > before;
    }
}

/* Shuffles that taking apart or putting together takes where the instruction is, in all runs. */
static double shuffles_of(const struct dealing *d, const struct hand *h, LLVMValueRef at) {
    uint64_t runs = UINT64_C(1) << width_log_runs(d->wg, node_of(d, at));
    return (double)(h->n * (unsigned)__builtin_ctz(h->n) * runs);
}

static void weigh(struct dealing *d) {
    for (size_t n = 0; n < d->hands.n; n++) {
        struct hand *h = d->hands.at[n];
        for (int o = 0; !h->bad && o < operands_of_hand(h); o++) {
            bool shared;
            struct hand *of = operand_hand(d, h, o, &shared);
            if (of) {
                link_hands(d, h, of);
            }
        }
    }
    for (size_t n = 0; n < d->hands.n; n++) {
        struct hand *h = d->hands.at[n];
        struct hand *root = d->hands.at[root_of(d, h)];
        bool early, is_read = h->kind == READ, escape = !h->bad && h->kind != WRITE && escapes(d, h, &early);
        if (h->bad || (is_read && escape)) {
            continue;
        }
        if (is_read || h->kind == WRITE) {
            root->gain += shuffles_of(d, h, h->access);
        } else if (escape) {
            root->gain -= shuffles_of(d, h, h->values[0]);
        }
    }
    for (size_t n = 0; n < d->hands.n; n++) {
        struct hand *h = d->hands.at[n];
        h->bad |= ((struct hand *)d->hands.at[root_of(d, h)])->gain <= 0;
    }
}

/* ---- dealing ---- */

/* A pack operation without effects, by its name after __weir_sub_. */
static LLVMValueRef call_op(struct dealing *d, LLVMBuilderRef b, const char *name, LLVMTypeRef result,
                            LLVMValueRef *args, unsigned n) {
    struct kernel *k = d->wg->k;
    const char *full = job_printf("__weir_sub_%s", name);
    LLVMTypeRef of = n ? LLVMTypeOf(args[0]) : NULL, type = LLVMFunctionType(result, &of, n, 0);
    LLVMValueRef f = LLVMGetNamedFunction(k->module, full);
    if (!f) {
        f = LLVMAddFunction(k->module, full, type);
        intrinsic_declare_subgroup(k, f);
    }
    return LLVMBuildCall2(b, type, f, args, n, "");
}

/* Where lane 0's element number part * W lies, and the other lanes' after it. */
static LLVMValueRef part_address(struct dealing *d, LLVMBuilderRef b, const struct hand *h, unsigned part) {
    LLVMContextRef c = d->wg->k->llvm;
    bool writes = h->kind == WRITE;
    LLVMTypeRef type = LLVMTypeOf(writes ? LLVMGetOperand(h->access, 0) : h->access),
                i64 = LLVMInt64TypeInContext(c);
    uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(d->wg->k->module), LLVMGetElementType(type));
    LLVMValueRef lane = LLVMBuildZExt(b, call_op(d, b, "lane", LLVMInt32TypeInContext(c), NULL, 0), i64, ""),
                 back = LLVMBuildMul(b, lane, ir_const64(c, UINT64_C(0) - (h->n - 1) * bytes), ""),
                 at = ir_offset(b, LLVMGetOperand(h->access, writes ? 1 : 0), back, "");
    return ir_offset(b, at, ir_const64(c, (uint64_t)part * d->wg->k->width * bytes), "");
}

static void deal(struct dealing *d, struct hand *h);

static LLVMValueRef dealt_operand(struct dealing *d, struct hand *h, int o, unsigned part) {
    bool shared;
    struct hand *of = operand_hand(d, h, o, &shared);
    if (shared) {
        return operand_of(h->values[0], o);
    }
    deal(d, of);
    return of->dealt[part];
}

static LLVMValueRef deal_access(struct dealing *d, LLVMBuilderRef b, struct hand *h, unsigned part) {
    bool writes = h->kind == WRITE;
    LLVMTypeRef element = LLVMTypeOf(h->values[0]);
    unsigned given = LLVMGetAlignment(h->access),
             own = (unsigned)LLVMABISizeOfType(LLVMGetModuleDataLayout(d->wg->k->module), element);
    LLVMValueRef value = writes ? dealt_operand(d, h, 0, part) : NULL;
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(h->access));
    LLVMValueRef at = part_address(d, b, h, part),
                 access = writes ? LLVMBuildStore(b, value, at) : LLVMBuildLoad2(b, element, at, "");
    LLVMSetAlignment(access, given < own ? given : own);
    ir_add_lists_of(access, h->access);
    return access;
}

static LLVMValueRef deal_operation(struct dealing *d, LLVMBuilderRef b, struct hand *h, unsigned part) {
    LLVMValueRef copy = LLVMInstructionClone(h->values[0]);
    if (!LLVMCanValueUseFastMathFlags(copy)) { /* those are the same for all */
        ir_drop_flags(copy);
    }
    for (int o = 0; o < operands_of_hand(h); o++) {
        LLVMSetOperand(copy, (unsigned)o, dealt_operand(d, h, o, part));
    }
    LLVMInsertIntoBuilderWithName(b, copy, "");
    return copy;
}

/* What lanes have instead; PHIs without what comes in. */
static void deal(struct dealing *d, struct hand *h) {
    if (h->done) {
        return;
    }
    h->done = true;
    LLVMValueRef before = h->kind == READ || h->kind == WRITE ? h->access
                          : h->kind == PHI                    ? h->values[0]
                                                              : last_of(d, h);
    LLVMBuilderRef b = ir_before(before);
    for (unsigned part = 0; part < h->n; part++) {
        h->dealt[part] = h->kind == PHI         ? LLVMBuildPhi(b, LLVMTypeOf(before), "")
                         : h->kind == OPERATION ? deal_operation(d, b, h, part)
                                                : deal_access(d, b, h, part);
    }
    LLVMDisposeBuilder(b);
}

static void fill_phis(struct dealing *d, struct hand *h) {
    for (unsigned part = 0; part < h->n; part++) {
        for (int o = 0; o < operands_of_hand(h); o++) {
            LLVMValueRef in = dealt_operand(d, h, o, part);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(h->values[0], (unsigned)o);
            LLVMAddIncoming(h->dealt[part], &in, &from, 1);
        }
    }
}

static LLVMValueRef after(LLVMValueRef i) {
    return ir_after_phis(LLVMGetNextInstruction(i));
}

/* Others than those who deal get the work-items' own. */
static void give_items(struct dealing *d, struct hand *h) {
    LLVMContextRef c = d->wg->k->llvm;
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(h->values[0]), h->n);
    LLVMBuilderRef b = ir_before(after(last_of(d, h)));
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(h->values[0]));
    LLVMValueRef all = LLVMGetPoison(type);
    for (unsigned part = 0; part < h->n; part++) {
        all = LLVMBuildInsertElement(b, all, h->dealt[part], ir_const64(c, part), "");
    }
    LLVMTypeRef element = LLVMTypeOf(h->values[0]);
    const char *name = job_printf("items_%u_%u_%llu", h->n, (unsigned)LLVMGetTypeKind(element),
                                  LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(d->wg->k->module), element));
    all = call_op(d, b, name, type, &all, 1);
    for (unsigned i = 0; i < h->n; i++) {
        LLVMValueRef own = LLVMBuildExtractElement(b, all, ir_const64(c, i), "");
        for (LLVMUseRef next, u = LLVMGetFirstUse(h->values[i]); u; u = next) {
            LLVMValueRef user = LLVMGetUser(u);
            next = LLVMGetNextUse(u);
            for (int o = 0; !is_dealt_use(d, user) && o < LLVMGetNumOperands(user); o++) {
                if (LLVMGetOperand(user, (unsigned)o) == h->values[i]) {
                    LLVMSetOperand(user, (unsigned)o, own);
                }
            }
            while (next && LLVMGetUser(next) == user) { /* its operands are done */
                next = LLVMGetNextUse(next);
            }
        }
    }
    LLVMDisposeBuilder(b);
}

static void erase(LLVMValueRef i) {
    LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
    LLVMInstructionEraseFromParent(i);
}

/* The store, and the instructions that put its vector together. */
static void erase_write(LLVMValueRef store) {
    LLVMValueRef v = LLVMGetOperand(store, 0);
    LLVMInstructionEraseFromParent(store);
    for (LLVMValueRef next; LLVMIsAInsertElementInst(v); v = next) {
        next = LLVMGetOperand(v, 0);
        LLVMInstructionEraseFromParent(v);
    }
}

static void erase_hands(struct dealing *d) {
    for (size_t n = d->hands.n; n-- > 0;) {
        struct hand *h = d->hands.at[n];
        if (!h->bad && h->kind == WRITE) {
            erase_write(h->access);
        }
    }
    for (size_t n = 0; n < d->hands.n; n++) {
        struct hand *h = d->hands.at[n];
        for (unsigned i = 0; !h->bad && (h->kind == PHI || h->kind == OPERATION) && i < h->n; i++) {
            erase(h->values[i]);
        }
    }
    for (size_t n = 0; n < d->hands.n; n++) {
        struct hand *h = d->hands.at[n];
        for (unsigned i = 0; !h->bad && h->kind == READ && i < h->n; i++) {
            if (!LLVMGetFirstUse(h->values[i])) {
                LLVMInstructionEraseFromParent(h->values[i]);
            }
        }
        if (!h->bad && h->kind == READ && !LLVMGetFirstUse(h->access)) {
            LLVMInstructionEraseFromParent(h->access);
        }
    }
}

static bool deal_hands(struct dealing *d) {
    bool found = false, early;
    for (size_t n = 0; n < d->hands.n; n++) {
        struct hand *h = d->hands.at[n];
        if (!h->bad) {
            found = true;
            deal(d, h);
        }
    }
    for (size_t n = 0; n < d->hands.n; n++) {
        struct hand *h = d->hands.at[n];
        if (!h->bad && h->kind == PHI) {
            fill_phis(d, h);
        }
    }
    for (size_t n = 0; n < d->hands.n; n++) {
        struct hand *h = d->hands.at[n];
        if (!h->bad && (h->kind == PHI || h->kind == OPERATION) && escapes(d, h, &early)) {
            give_items(d, h);
        }
    }
    erase_hands(d);
    return found;
}

/* Whether all lanes of packs run where lanes don't part. */
static bool are_full(const struct wg *wg) {
    const struct kernel *k = wg->k;
    return !k->checked && !k->shown && k->rows == 1 && !wg->any_guard && !wg->nyields && k->local_size[0] &&
           k->local_size[0] % k->width == 0;
}

bool deal_elements(struct wg *wg) {
    struct dealing d = {.wg = wg};
    if (!are_full(wg)) {
        return false;
    }
    find_accesses(&d, false);
    if (!d.hands.n) {
        return false;
    }
    find_accesses(&d, true);
    for (size_t n = 0; n < d.hands.n; n++) { /* which become more */
        struct hand *h = d.hands.at[n];
        bool shared;
        for (int o = 0; o < operands_of_hand(h); o++) {
            operand_hand(&d, h, o, &shared);
        }
        if (h->kind != WRITE) {
            find_users(&d, h);
        }
    }
    find_bad(&d);
    weigh(&d);
    return deal_hands(&d);
}

/* cycles.c: what the instructions of a block take of a pack, or of a work-item alone.
 *
 * In: a block, the uniformity of packs. Out: cycles, of each instruction its share of the processor's units (struct target has what
 * differs between processors): of a gather or scatter as much for each lane, of a branch what guessing wrong costs a work-item,
 * and masks a pack; of what doesn't fit in registers the way to memory and back. */
#include "cost.h"

enum { DEPTH = 6 };

/* What a processor does in halves takes half a register less. */
double cycles_registers(const struct cost *c, LLVMTypeRef type) {
    const struct target *t = c->wg->k->target;
    const double HALF = 0.6;
    bool is_half = t->has_halves && target_registers_of(t, c->layout, type, 2 * c->width) == 1;
    return is_half ? HALF : (double)target_registers_of(t, c->layout, type, c->width);
}

static unsigned rows_of(const struct cost *c) {
    return c->width > 1 ? c->wg->k->rows : 1;
}

bool cycles_is_vector(const struct cost *c, LLVMValueRef i) {
    int64_t stride;
    return c->width > 1 && !uniform_is(c->wg->pack, i) && !uniform_is_even(c->wg->pack, i, &stride);
}

/* Of a pack of several rows: each is accessed by itself, and its part is put into a vector or taken from one, unless it fills
 * registers of its own: of 16 bytes in one instruction. */
static double cycles_of_rows(const struct cost *c, LLVMTypeRef type, int64_t stride, int64_t bytes) {
    enum { AT_ONCE = 16 };
    uint32_t row = c->width / rows_of(c);
    double registers = cycles_registers(c, type);
    unsigned to_line = row * (uint64_t)bytes == AT_ONCE ? 1 : 2;
    bool fills = (uint64_t)row * (uint64_t)bytes * 8 >= c->wg->k->target->vector_bits;
    return (stride && stride != bytes ? (double)c->width
            : fills                   ? registers
                                      : (double)rows_of(c)) +
           (fills ? 0 : to_line * (rows_of(c) - 1) * (registers < 1 ? 1 : registers));
}

/* Whether most packs share the value, as the quotient of an id by no less than a pack, and it is computed in the block: of what
 * others keep only vectors are known. */
static bool is_mostly_shared(const struct cost *c, LLVMValueRef v, LLVMBasicBlockRef block, unsigned depth) {
    if (uniform_is(c->wg->pack, v)) {
        return true;
    }
    bool may = depth && LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == block &&
               (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || ir_is_limit(v)),
         is = may;
    LLVMOpcode op = may ? LLVMGetInstructionOpcode(v) : LLVMRet;
    LLVMValueRef by = op == LLVMUDiv || op == LLVMSDiv ? LLVMGetOperand(v, 1) : NULL;
    if (by && LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) >= c->width) {
        return true;
    }
    for (int n = 0; is && n < LLVMGetNumOperands(v) - (LLVMIsACallInst(v) != NULL); n++) {
        is = is_mostly_shared(c, LLVMGetOperand(v, (unsigned)n), block, depth - 1);
    }
    return is;
}

/* Whether lanes' places are rows of a length that only the run tells: each access is to W lines of the cache, or pages. */
static bool is_by_rows(const struct cost *c, LLVMValueRef v, LLVMBasicBlockRef block, unsigned depth) {
    bool is_sum = LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsAGetElementPtrInst(v),
         found = false;
    int64_t stride;
    if (!depth || !is_sum || uniform_stride(c->wg->pack, v, &stride)) {
        return false;
    }
    bool is_product = LLVMGetInstructionOpcode(v) == LLVMMul && !LLVMIsConstant(LLVMGetOperand(v, 1));
    for (int n = 0; !found && n < LLVMGetNumOperands(v); n++) {
        LLVMValueRef x = LLVMGetOperand(v, (unsigned)n);
        found = is_product ? uniform_is(c->wg->pack, x) : is_by_rows(c, x, block, depth - 1);
    }
    return found && !(is_product && is_mostly_shared(c, v, block, DEPTH));
}

/* Whether the value depends on one that changes with the rounds of the loop that begins with the block. */
static bool is_by_round(LLVMValueRef v, LLVMBasicBlockRef first, unsigned depth) {
    if (LLVMIsAPHINode(v)) {
        return LLVMGetInstructionParent(v) == first;
    }
    bool is = false, may = depth && (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v));
    for (int n = 0; may && !is && n < LLVMGetNumOperands(v); n++) {
        is = is_by_round(LLVMGetOperand(v, (unsigned)n), first, depth - 1);
    }
    return is;
}

/* Whether a place so many of `bytes` on is in another row, a few lines or more on. */
static bool is_far(LLVMValueRef step, uint64_t bytes) {
    enum { ROW = 512 };
    int64_t n = LLVMIsAConstantInt(step) ? LLVMConstIntGetSExtValue(step) : INT32_MAX;
    return (uint64_t)(n < 0 ? -n : n) * bytes >= ROW;
}

/* Whether what the value adds to an address, in units of `bytes`, makes each round of the loop access another row. */
static bool goes_by_rows(const struct cost *c, LLVMValueRef v, uint64_t bytes, LLVMBasicBlockRef first,
                         unsigned depth) {
    bool is = false;
    if (LLVMIsAPHINode(v) && LLVMGetInstructionParent(v) == first) {
        for (unsigned i = 0; !is && i < LLVMCountIncoming(v); i++) {
            LLVMValueRef next = LLVMGetIncomingValue(v, i);
            is = ir_is_op(next, LLVMAdd) &&
                 ((LLVMGetOperand(next, 0) == v && is_far(LLVMGetOperand(next, 1), bytes)) ||
                  (LLVMGetOperand(next, 1) == v && is_far(LLVMGetOperand(next, 0), bytes)));
        }
        return is;
    }
    if (ir_is_op(v, LLVMMul) && is_far(LLVMGetOperand(v, 1), bytes)) {
        return is_by_round(v, first, depth);
    }
    if (ir_is_op(v, LLVMShl) && LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
        return depth &&
               goes_by_rows(c, LLVMGetOperand(v, 0),
                            bytes << (LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) & 31), first, depth - 1);
    }
    bool is_gep = LLVMIsAGetElementPtrInst(v) != NULL,
         may = depth && (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || is_gep);
    for (int n = 0; may && !is && n < LLVMGetNumOperands(v); n++) {
        uint64_t of = is_gep && n == 1 ? LLVMABISizeOfType(c->layout, LLVMGetGEPSourceElementType(v)) : bytes;
        is = goes_by_rows(c, LLVMGetOperand(v, (unsigned)n), of, first, depth - 1);
    }
    return is;
}

/* The first one of the loop; NULL: it has none. */
static LLVMValueRef barrier_of(const struct cost *c, unsigned span) {
    LLVMValueRef i = NULL;
    for (unsigned at = c->whole->spans[span].first; !i && at <= c->whole->spans[span].last; at++) {
        i = LLVMGetFirstInstruction(c->wg->blocks[c->whole->order[at]]);
        while (i && !ir_is_call_to(i, "__weir_barrier")) {
            i = LLVMGetNextInstruction(i);
        }
    }
    return i;
}

bool cycles_has_barrier(const struct cost *c, unsigned span) {
    return barrier_of(c, span) != NULL;
}

bool cycles_has_cut(const struct cost *c, unsigned span) {
    LLVMValueRef barrier = barrier_of(c, span);
    return barrier && kernel_is_cut(barrier);
}

/* What accesses wait for lines of the cache, where a loop goes on in another row each round: other packs, or work-items alone, access
 * the rest of a line after all rows, when it has long been replaced (but where rows are fewer than lines in a set of the cache, as of a
 * filter's window); and what lies ahead in so many rows nobody fetches, but the lines next to one that has been asked for. Between
 * barriers all packs access one row after the other. After a cut (group_rounds.c) that takes another turn of the loop over packs. */
static double cycles_of_lines(const struct cost *c, LLVMValueRef access, unsigned span) {
    enum { LINE = 64, ALONE = 8, FIRST = 14, EACH = 2, FEW = 7, TURN = 16 };
    LLVMBasicBlockRef first = c->wg->blocks[c->whole->order[c->whole->spans[span].first]];
    uint64_t element = LLVMABISizeOfType(c->layout, ir_access_type(access));
    enum shape shape = shape_of(c->wg, access, (int64_t)element);
    bool is = !c->never_fetches && wg_kind(access) == MEMORY_GLOBAL && shape != SHAPE_ONE &&
              goes_by_rows(c, ir_address(access), 1, first, DEPTH);
    LLVMValueRef barrier = is ? barrier_of(c, span) : NULL;
    if (barrier) {
        return c->width > 1 && shape < SHAPE_APART && kernel_is_cut(barrier) ? TURN : 0;
    }
    double known = is && !c->fetches_all ? frequency_known_rounds(c, span) : 0;
    is &= known == 0 || known > FEW;
    double lines = (double)((element * c->width + LINE - 1) / LINE);
    if (!is || c->width == 1) {
        return is ? ALONE : 0;
    }
    return shape < SHAPE_APART        ? FIRST * rows_of(c) + EACH * lines
           : LLVMIsAStoreInst(access) ? ALONE * lines
                                      : 0;
}

/* Whether what is read is only written elsewhere in its block: then weave.c takes no OpenCL vector apart. */
static bool is_copied(const struct cost *c, LLVMValueRef access) {
    LLVMValueRef value = LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, 0);
    bool is = !c->wg->k->target->has_mask_registers && LLVMIsALoadInst(value);
    for (LLVMUseRef u = is ? LLVMGetFirstUse(value) : NULL; u && is; u = LLVMGetNextUse(u)) {
        LLVMValueRef store = LLVMGetUser(u);
        is = LLVMIsAStoreInst(store) && LLVMGetOperand(store, 0) == value &&
             LLVMGetInstructionParent(store) == LLVMGetInstructionParent(value);
    }
    return is;
}

/* What a pack's load waits for that is partly what the block has just stored, one or a few elements off: that has to be in the cache
 * first. */
static double cycles_of_overlap(const struct cost *c, LLVMValueRef load) {
    const double WAIT = 20;
    int64_t bytes = (int64_t)LLVMABISizeOfType(c->layout, LLVMTypeOf(load)), stride;
    bool is_row = uniform_stride(c->wg->pack, LLVMGetOperand(load, 0), &stride) && stride == bytes;
    return c->width > 1 && is_row && near_is_stored(c->wg->k, load, bytes * c->width) ? WAIT : 0;
}

/* For each lane, of which `lanes` are on in the mean: without mask registers the addresses of those that are off are chosen first, and
 * so nothing that was read lane by lane stays in general registers. */
static double cycles_of_gather(const struct cost *c, LLVMValueRef load, bool masked, double lanes) {
    const double MOST = 0.9, CHOSEN = 2;
    const struct target *t = c->wg->k->target;
    bool chooses =
        masked && !t->has_mask_registers && lanes < MOST * c->width && wg_kind(load) != MEMORY_LOCAL;
    return t->gather * (chooses ? CHOSEN : 1);
}

/* `lanes`: those that are on, in the mean. */
static double cycles_of_access(const struct cost *c, LLVMValueRef i, bool masked, bool is_inner,
                               double lanes) {
    const struct target *t = c->wg->k->target;
    bool is_load = LLVMIsALoadInst(i);
    double gather = is_load ? cycles_of_gather(c, i, masked, lanes) : t->scatter;
    /* A lane's part of a transposition, a line of its own, a look for rows, a lane's counter. */
    const double PIECE = 0.35, LINE = 3, LOOK = 3, COUNTER = 2, PIECES = 1.25;
    uintptr_t parts;
    LLVMTypeRef type = LLVMTypeOf(is_load ? i : LLVMGetOperand(i, 0));
    int64_t bytes = (int64_t)LLVMABISizeOfType(c->layout, type);
    LLVMValueRef at = LLVMGetOperand(i, is_load ? 0 : 1);
    int64_t stride;
    enum shape shape = shape_of(c->wg, i, bytes);
    double line = shape == SHAPE_REMOTE && wg_kind(i) == MEMORY_GLOBAL && !is_inner ? LINE : 0;
    if (c->width == 1) {
        return (is_load ? 0.4 : 0.6) + line;
    }
    if (counters_are(c->wg, i)) {
        return is_load ? 0 : COUNTER * c->width;
    }
    if (rows_of(c) > 1 && !uniform_stride(c->wg->pack, at, &stride) &&
        uniform_stride(c->wg->pack->row, at, &stride)) {
        return cycles_of_rows(c, type, stride, bytes);
    }
    if (ptrmap_get(&c->parts, i, &parts)) {
        return parts ? PIECE * c->width * (bytes > 4 ? 2 : 1) : 0;
    }
    if (is_inner && wg_kind(i) != MEMORY_LOCAL && is_by_rows(c, at, LLVMGetInstructionParent(i), DEPTH)) {
        return c->width * (LINE + gather);
    }
    bool by_lane = bytes < 4 || !private_is_element(type) || kernel_is_volatile(i) ||
                   LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    double look = uniform_stride(c->wg->pack, at, &stride) ? 0 : LOOK;
    switch (shape) {
    case SHAPE_ONE:
        return 1;
    case SHAPE_ROW:
        if (LLVMGetTypeKind(type) == LLVMVectorTypeKind && is_copied(c, i)) {
            return look + cycles_registers(c, type);
        }
        if (LLVMGetTypeKind(type) == LLVMVectorTypeKind && bytes > (int64_t)sizeof(uint64_t)) {
            return look +
                   2 * cycles_registers(c, type) * (double)target_registers(t, 32 * (uint64_t)c->width);
        }
        if (LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
            c->width > target_lanes(t)) { /* permuted, and widened */
            return look + 2 * LLVMGetVectorSize(type) * (double)target_registers(t, 32 * (uint64_t)c->width);
        }
        return look + cycles_registers(c, type) * (masked && !t->has_mask_registers ? 2 : 1);
    case SHAPE_LOOKED:
        return 2 * LOOK + cycles_registers(c, type);
    case SHAPE_PIECES: { /* what is read is joined, what is written taken apart */
        double pieces = PIECES * shape_pieces(c->wg, at, bytes), registers = cycles_registers(c, type);
        return pieces > registers ? pieces : registers;
    }
    case SHAPE_NEAR: /* shuffles of all that may hold some: as many for each register of the lanes */
        return 3.5 * cycles_registers(c, type) * (double)target_registers(t, 32 * (uint64_t)c->width);
    case SHAPE_APART:
    case SHAPE_REMOTE:
        return line * c->width + c->width * (is_load                                ? 1
                                             : masked && wg_kind(i) != MEMORY_LOCAL ? t->scatter
                                                                                    : 1.3);
    default:
        return c->width * (!by_lane ? gather : is_load ? 1.5 : 2.5);
    }
}

/* In a pack each lane that is on takes its operands from vectors, and puts its result back. Those of local memory are plain
 * accesses; some of others are mostly no more than a read (post/idle_atomics.c), each in a round of a loop over lanes. */
static double cycles_of_atomic(const struct cost *c, LLVMValueRef i, double lanes) {
    enum { READ = 4, READ_BY_LANE = 12, LOCKED = 20 };
    double lane = c->width > 1 && LLVMGetFirstUse(i) ? 6 : 2;
    double there = !kernel_may_idle(i) ? LOCKED : c->width > 1 ? READ_BY_LANE : READ;
    return (wg_kind(i) == MEMORY_LOCAL ? lane : there) * lanes;
}

/* What runs lane by lane. */
static bool stays_call(LLVMValueRef call) {
    bool is_short = (ir_is_intrinsic(call, "llvm.") && ir_has_no_effect(call)) || kernel_is_pack_call(call);
    return !is_short && !ir_is_intrinsic(call, "llvm.assume") && !ir_is_marker(call) &&
           !intrinsic_id(call, NULL) && !subgroup_is_op(call) && !ir_is_call_to(call, "__weir_barrier");
}

bool cycles_has_call(const struct cost *c) {
    bool has = false;
    for (unsigned n = 0; !has && n < c->wg->cfg->n; n++) {
        LLVMValueRef i = LLVMGetFirstInstruction(c->wg->blocks[n]);
        for (; !has && i; i = LLVMGetNextInstruction(i)) {
            has = LLVMIsACallInst(i) && cycles_is_vector(c, i) && stays_call(i);
        }
    }
    return has;
}

static double cycles_of_call(const struct cost *c, LLVMValueRef call, double lanes) {
    enum { CALL = 20, COLLECTIVE = 10 };
    if (stays_call(call)) {
        return CALL * lanes;
    }
    if (ir_is_marker(call) || intrinsic_id(call, NULL) || ir_is_call_to(call, "__weir_barrier")) {
        return 0;
    }
    if (subgroup_op_of(call) == SUBGROUP_TOTAL) { /* kept by lane, or what a scan has anyway */
        return (LLVMGetFirstUse(call) ? 2 : c->wg->k->target->vector_op) *
               cycles_registers(c, LLVMTypeOf(LLVMGetOperand(call, 1)));
    }
    if (subgroup_is_op(call)) {
        return COLLECTIVE * cycles_registers(c, LLVMTypeOf(call));
    }
    if (ir_is_intrinsic(call, "llvm.sqrt.")) {
        return cycles_is_vector(c, call) ? 12 * cycles_registers(c, LLVMTypeOf(call)) : 5;
    }
    return cycles_is_vector(c, call) ? c->wg->k->target->vector_op * cycles_registers(c, LLVMTypeOf(call))
                                     : 0.3;
}

static double cycles_of_division(const struct cost *c, LLVMValueRef i) {
    bool by_constant = LLVMIsConstant(LLVMGetOperand(i, 1));
    bool is_long = LLVMSizeOfTypeInBits(c->layout, LLVMTypeOf(i)) > 32;
    if (!cycles_is_vector(c, i)) {
        return by_constant ? 1.5 : is_long ? 10 : 6;
    }
    double each = by_constant ? 4 * c->wg->k->target->vector_op : is_long ? 30 : 24;
    return each * cycles_registers(c, LLVMTypeOf(i));
}

/* `span`: the innermost loop, if it has no others in it; `lanes`: those that are on, in the mean, of a pack that hasn't left a loop;
 * `late`: how many more rounds it goes around than a work-item. */
static double cycles_of(const struct cost *c, LLVMValueRef i, bool masked, unsigned span, double lanes,
                        double late) {
    int64_t stride;
    bool is_wide = cycles_is_vector(c, i), is_shared = uniform_is(c->wg->pack, i);
    bool is_by_row = rows_of(c) > 1 && !is_shared && uniform_is_even(c->wg->pack, i, &stride);
    double each = is_wide                      ? c->wg->k->target->vector_op
                  : c->width == 1 && is_shared ? 0.1
                  : is_by_row                  ? 0.2 * rows_of(c)
                                               : 0.2;
    if (ir_is_division(i)) {
        return cycles_of_division(c, i);
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
    case LLVMGetElementPtr:
    case LLVMBr:
    case LLVMRet:
    case LLVMTrunc:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return 0;
    case LLVMZExt:
    case LLVMSExt:
        return is_wide ? each : 0.1;
    case LLVMPHI:
        return is_wide && masked ? each * cycles_registers(c, LLVMTypeOf(i)) : 0;
    case LLVMLoad:
        return cycles_of_access(c, i, masked, span != NONE, lanes / late) + cycles_of_overlap(c, i) +
               (span == NONE ? 0 : cycles_of_lines(c, i, span));
    case LLVMStore:
        return cycles_of_access(c, i, masked, span != NONE, lanes / late) +
               (span == NONE ? 0 : cycles_of_lines(c, i, span));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return cycles_of_atomic(c, i, lanes);
    case LLVMCall:
        return cycles_of_call(c, i, lanes);
    case LLVMFDiv:
        return is_wide ? 10 * cycles_registers(c, LLVMTypeOf(i)) : 4;
    default:
        return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind ? each
               : is_wide                                          ? each * cycles_registers(c, LLVMTypeOf(i))
                                                                  : each;
    }
}

/* What the values of the block before, in the same loop, take of registers. */
static unsigned pressure_before(const struct cost *c, unsigned node) {
    const struct graph *cfg = c->wg->cfg;
    unsigned most = 0;
    for (unsigned i = 0; i < cfg->npred[node]; i++) {
        unsigned from = cfg->pred[node][i];
        bool is_before = c->whole->innermost[from] == c->whole->innermost[node] &&
                         c->whole->place[from] < c->whole->place[node] && c->share[from] >= c->share[node] &&
                         c->pressure[from] > most;
        most = is_before ? c->pressure[from] : most;
    }
    return most;
}

/* Registers that sums and the like take, which the loop's rounds hand on: of each step in the block that comes when as many other steps
 * as there are registers have been made since the last one of its sum.
 *     a += v * w[0]; b += v * w[1]; a += u * w[2]; b += u * w[3];     one register: four steps */
static double steps_of_sums(const struct cost *c, unsigned node, unsigned span, unsigned registers) {
    LLVMBasicBlockRef first = c->wg->blocks[c->whole->order[c->whole->spans[span].first]];
    struct ptrmap sums = {0}; /* value -> registers of all steps until it, plus 2; of a PHI 1 */
    double steps = 0, all = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(first); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        ptrmap_set(&sums, i, cycles_is_vector(c, i));
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
        uintptr_t before = 0;
        bool may = LLVMIsABinaryOperator(i) || ir_is_intrinsic(i, "llvm.f") || ir_is_intrinsic(i, "llvm.m");
        for (int o = 0; may && !before && o < LLVMGetNumOperands(i); o++) {
            before = ptrmap_at(&sums, LLVMGetOperand(i, (unsigned)o), 0);
        }
        if (before) {
            double own = cycles_registers(c, LLVMTypeOf(i));
            all += own;
            steps += before == 1 || all - (double)(before - 2) >= registers ? own : 0;
            ptrmap_set(&sums, i, (uintptr_t)all + 2);
        }
    }
    return steps;
}

/* What doesn't fit in registers is written once and read again, at most at each use; what the block before has written is there. Sums
 * that a block goes on with in turns are written and read at each step; without mask registers, what all lanes share takes a register,
 * too. */
static double cycles_of_spills(const struct cost *c, unsigned node, unsigned span, double sum) {
    const double EACH = 1.5, READ = 0.5;
    unsigned room = c->wg->k->target->vector_registers, now = c->width > 1 ? c->pressure[node] : 0,
             shared = !c->wg->k->target->has_mask_registers;
    if (now <= room) {
        return 0;
    }
    unsigned before = pressure_before(c, node);
    before = before < room ? room : before > now ? now : before;
    double spills = EACH * (now - before) + READ * (before - room),
           steps = span == NONE
                       ? 0
                       : EACH * steps_of_sums(c, node, span, room - shared) * (now - room + shared) / now;
    spills = spills > steps ? spills : steps;
    return spills < sum ? spills : sum;
}

/* Whether lanes choose in the block: in a search a work-item alone does so by a branch, as LLVM takes selects for branches where
 * what they choose is what the next round waits for. */
static bool chooses(const struct cost *c, unsigned node) {
    bool found = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
        found |= LLVMIsASelectInst(i) && !uniform_is(c->wg->pack, LLVMGetOperand(i, 0));
    }
    return found;
}

/* Whether the same lanes of each pack go either way, as at `l & 2`: the mask is a constant. */
static bool is_known(const struct cost *c, unsigned node) {
    LLVMValueRef condition = frequency_condition(frequency_end(c, node));
    return LLVMIsAICmpInst(condition) && LLVMIsConstant(LLVMGetOperand(condition, 1)) &&
           uniform_offsets(c->wg->pack, LLVMGetOperand(condition, 0));
}

/* Whether hardly ever a lane goes one of the ways, as to a function's slow path: most packs only look whether one does. */
static bool is_rare(const struct cost *c, unsigned node) {
    const double RARE = 0.001; /* as frequency.c has calls that weren't inlined */
    const struct graph *cfg = c->wg->cfg;
    bool found = false;
    for (unsigned i = 0; i < cfg->nsucc[node]; i++) {
        found |= c->whole->innermost[cfg->succ[node][i]] == c->whole->innermost[node] &&
                 c->share[cfg->succ[node][i]] <= RARE * c->share[node];
    }
    return found;
}

/* Cycles of a block, with the branch at its end. */
double cycles_of_block(const struct cost *c, unsigned node, unsigned span) {
    bool searches = span != NONE && frequency_is_search(c, span);
    const double MASKS = 3, FEW_MASKS = 1, GUESSED_WRONG = searches ? 9 : 4;
    bool masked = c->width > 1 && c->wg->masked[node];
    double sum = masked ? 1 : 0, runs = frequency_of(c, node, span, c->share[node], false),
           lanes = runs > 0 && c->share[node] < runs ? c->width * c->share[node] / runs : c->width;
    bool is_inner = span != NONE;
    double late = is_inner && masked ? frequency_lateness(c, span) : 1;
    for (unsigned s = 0; s < c->whole->nspans; s++) {
        is_inner &= c->whole->spans[s].parent != span;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
        sum += cycles_of(c, i, masked, is_inner ? span : NONE, lanes, late);
    }
    sum += cycles_of_spills(c, node, span, sum);
    sum += c->width == 1 && searches && chooses(c, node) ? GUESSED_WRONG : 0;
    if (!frequency_condition(frequency_end(c, node))) {
        return sum;
    }
    if (!frequency_parts(c, node) || (frequency_is_by_range(c, node) && rows_of(c) == 1)) {
        return sum + (frequency_parts(c, node) ? 0.3 : 0.1);
    }
    return sum + (c->width > 1 ? (is_known(c, node) || is_rare(c, node) ? FEW_MASKS : MASKS)
                  : frequency_leaves(c, span, node) ? 16 / frequency_rounds(c, span)
                                                    : GUESSED_WRONG * frequency_unsure(c, span, node));
}

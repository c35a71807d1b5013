/* joined_atomics.c: an atomic that all lanes of a pack do at one place, as one.
 *
 * In: an atomic whose address the pack shares: an exchange, a compare-and-exchange of integers, or an atomicrmw of integers whose
 * operands can be joined in any grouping. Out: one atomic with what the lanes that are on give together, of the same order
 * and scope; a lane's result is what was there and what the lanes before it gave. This is as if the pack's work-items came
 * one right after the other: one of the orders in which other threads may see them, whatever they ask for. An atomic costs a
 * thread some 20 cycles and takes the cache line from the others, and a counter or a flag of a whole launch is the most common
 * of all. Sums of floats are left out: their order shows. */
#include "report.h"
#include "vector.h"

/* The operation as subgroup_ops.c names it, or NULL. A difference takes the sum away. */
static const char *operation_of(LLVMAtomicRMWBinOp op) {
    switch (op) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
        return "add";
    case LLVMAtomicRMWBinOpAnd:
        return "and";
    case LLVMAtomicRMWBinOpOr:
        return "or";
    case LLVMAtomicRMWBinOpXor:
        return "xor";
    case LLVMAtomicRMWBinOpMax:
        return "smax";
    case LLVMAtomicRMWBinOpMin:
        return "smin";
    case LLVMAtomicRMWBinOpUMax:
        return "umax";
    case LLVMAtomicRMWBinOpUMin:
        return "umin";
    default:
        return NULL;
    }
}

/* What the lanes that are on give together where all give the same. */
static LLVMValueRef total_of_equal(struct vec *v, LLVMAtomicRMWBinOp op, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (op != LLVMAtomicRMWBinOpAdd && op != LLVMAtomicRMWBinOpSub && op != LLVMAtomicRMWBinOpXor) {
        return value;
    }
    LLVMValueRef count = LLVMConstInt(type, v->width, 0);
    if (v->mask) {
        LLVMValueRef bits = vec_bits(v, v->mask);
        LLVMTypeRef number = LLVMTypeOf(bits);
        LLVMValueRef ones = vec_intrinsic(v, "llvm.ctpop", &number, 1, &bits, 1);
        count = LLVMBuildIntCast2(v->b, ones, type, 0, "");
    }
    if (op == LLVMAtomicRMWBinOpXor) {
        count = LLVMBuildAnd(v->b, count, LLVMConstInt(type, 1, 0), "");
    }
    return LLVMBuildMul(v->b, value, count, "");
}

/* All lanes' atomics at one address. */
static void join(struct vec *v, LLVMValueRef rmw, const char *operation, LLVMValueRef at) {
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(rmw);
    LLVMTypeRef type = LLVMTypeOf(rmw);
    const struct wide *given = wide_of(v, LLVMGetOperand(rmw, 1));
    LLVMValueRef each = wide_vector(v, given, type);
    LLVMValueRef total = given->form == FORM_UNIFORM ? total_of_equal(v, op, given->value)
                                                     : subgroup_total(v, operation, each);
    LLVMValueRef one = LLVMInstructionClone(rmw);
    LLVMSetOperand(one, 0, at);
    LLVMSetOperand(one, 1, total);
    LLVMInsertIntoBuilderWithName(v->b, one, "");
    if (LLVMGetFirstUse(rmw)) {
        each = op == LLVMAtomicRMWBinOpSub ? LLVMBuildNeg(v->b, each, "") : each;
        LLVMValueRef before = subgroup_after_lanes_before(v, operation, each, one);
        wide_set(v, rmw, wide_new(FORM_VECTOR, before, 0));
    }
}

/* All lanes' exchanges at one address: it gets the last lane's value, and each lane that of the lane before. */
static void join_exchanges(struct vec *v, LLVMValueRef rmw, LLVMValueRef at) {
    LLVMValueRef each = wide_vector(v, wide_of(v, LLVMGetOperand(rmw, 1)), LLVMTypeOf(rmw));
    LLVMValueRef one = LLVMInstructionClone(rmw);
    LLVMSetOperand(one, 0, at);
    LLVMSetOperand(one, 1, LLVMBuildExtractElement(v->b, each, vec_last(v, v->mask), ""));
    LLVMInsertIntoBuilderWithName(v->b, one, "");
    if (LLVMGetFirstUse(rmw)) {
        wide_set(v, rmw, wide_new(FORM_VECTOR, subgroup_of_lane_before(v, each, one), 0));
    }
}

/* What lanes' compare-and-exchanges see and do when they come one after the other to where `seen` is. A turn for each that finds
 * what it expects: the lanes up to it have seen the same. */
struct turns {
    LLVMBasicBlockRef done;
    LLVMValueRef there;     /* what is there after them */
    LLVMValueRef seen, won; /* vectors: what each lane has seen, and whether it has put its own there */
};

static struct turns take_turns(struct vec *v, LLVMValueRef exchange, LLVMValueRef seen) {
    LLVMTypeRef type = LLVMTypeOf(seen), wide = vec_type(v, type), i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMTypeRef lanes = vec_type(v, LLVMInt1TypeInContext(v->llvm));
    LLVMValueRef expected = wide_vector(v, wide_of(v, LLVMGetOperand(exchange, 1)), type),
                 desired = wide_vector(v, wide_of(v, LLVMGetOperand(exchange, 2)), type);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(v->b), turn = ir_block(v->k->run, "exchange.turn"),
                      win = ir_block(v->k->run, "exchange.win"), done = ir_block(v->k->run, "exchange.done");
    LLVMBuildBr(v->b, turn);
    LLVMPositionBuilderAtEnd(v->b, turn);
    LLVMValueRef there = LLVMBuildPhi(v->b, type, "there"), left = LLVMBuildPhi(v->b, lanes, "left"),
                 all = LLVMBuildPhi(v->b, wide, "all.seen"), won = LLVMBuildPhi(v->b, lanes, "won");
    LLVMValueRef now = wide_splat(v, there), all_now = LLVMBuildSelect(v->b, left, now, all, "");
    LLVMValueRef hit = vec_defined(v, LLVMBuildICmp(v->b, LLVMIntEQ, expected, now, ""));
    hit = vec_and(v, left, hit);
    LLVMBuildCondBr(v->b, vec_any(v, hit), win, done);

    LLVMPositionBuilderAtEnd(v->b, win);
    LLVMValueRef first = vec_first(v, hit), all_first = wide_splat(v, first), ramp = wide_ramp(v, i32, 1);
    LLVMValueRef next = LLVMBuildExtractElement(v->b, desired, first, "");
    LLVMValueRef is_behind = LLVMBuildICmp(v->b, LLVMIntUGT, ramp, all_first, "");
    LLVMValueRef is_first = LLVMBuildICmp(v->b, LLVMIntEQ, ramp, all_first, "");
    LLVMValueRef rest = vec_and(v, left, is_behind), more = LLVMBuildOr(v->b, won, is_first, "");
    LLVMBuildBr(v->b, turn);
    LLVMBasicBlockRef ways[] = {before, win};
    LLVMAddIncoming(there, (LLVMValueRef[]){seen, next}, ways, 2);
    LLVMAddIncoming(left, (LLVMValueRef[]){vec_full(v, v->mask), rest}, ways, 2);
    LLVMAddIncoming(all, (LLVMValueRef[]){LLVMGetPoison(wide), all_now}, ways, 2);
    LLVMAddIncoming(won, (LLVMValueRef[]){LLVMConstNull(lanes), more}, ways, 2);
    LLVMPositionBuilderAtEnd(v->b, done);
    return (struct turns){done, there, all_now, won};
}

/* The value at the address before the exchange: any that may be there, for the exchange asks again. */
static LLVMValueRef look(struct vec *v, LLVMValueRef exchange, LLVMValueRef at) {
    LLVMValueRef load = LLVMBuildLoad2(v->b, LLVMTypeOf(LLVMGetOperand(exchange, 1)), at, "");
    LLVMSetOrdering(load, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(load, LLVMGetAlignment(exchange));
    LLVMSetVolatile(load, LLVMGetVolatile(exchange));
    return load;
}

/* All lanes' compare-and-exchanges at one address: where it still has what they were computed for, it gets what they leave
 * there, which may be the same. */
static void join_compares(struct vec *v, LLVMValueRef exchange, LLVMValueRef at) {
    LLVMValueRef first = look(v, exchange, at);
    LLVMTypeRef type = LLVMTypeOf(first);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(v->b), again = ir_block(v->k->run, "exchange"),
                      next = ir_block(v->k->run, "exchange.next");
    LLVMBuildBr(v->b, again);
    LLVMPositionBuilderAtEnd(v->b, again);
    LLVMValueRef seen = LLVMBuildPhi(v->b, type, "seen");
    struct turns t = take_turns(v, exchange, seen);
    LLVMValueRef one = LLVMInstructionClone(exchange);
    LLVMSetOperand(one, 0, at);
    LLVMSetOperand(one, 1, seen);
    LLVMSetOperand(one, 2, t.there);
    LLVMInsertIntoBuilderWithName(v->b, one, "");
    LLVMValueRef found = LLVMBuildExtractValue(v->b, one, 0, "");
    LLVMBuildCondBr(v->b, LLVMBuildExtractValue(v->b, one, 1, ""), next, again);
    LLVMAddIncoming(seen, (LLVMValueRef[]){first, found}, (LLVMBasicBlockRef[]){before, t.done}, 2);
    LLVMPositionBuilderAtEnd(v->b, next);

    struct wide *pairs = wide_new(FORM_LANES, NULL, 0);
    pairs->lanes = job_alloc(v->width * sizeof *pairs->lanes);
    for (unsigned lane = 0; lane < v->width; lane++) {
        LLVMValueRef number = ir_const32(v->llvm, lane), pair = LLVMGetPoison(LLVMTypeOf(exchange));
        pair = LLVMBuildInsertValue(v->b, pair, LLVMBuildExtractElement(v->b, t.seen, number, ""), 0, "");
        pair = LLVMBuildInsertValue(v->b, pair, LLVMBuildExtractElement(v->b, t.won, number, ""), 1, "");
        pairs->lanes[lane] = pair;
    }
    wide_set(v, exchange, pairs);
}

/* i1: the lanes that are on have one address, that of lane `first`. */
static LLVMValueRef is_one_place(struct vec *v, LLVMValueRef address, LLVMValueRef first) {
    LLVMValueRef part = address;
    for (LLVMValueRef from = address; from; from = lane_loop_source(v, from)) {
        part = wide_of(v, from)->form == FORM_VECTOR ? from : part;
    }
    part = wide_of(v, part)->value;
    LLVMValueRef same = wide_splat(v, LLVMBuildExtractElement(v->b, part, first, ""));
    LLVMValueRef differ = LLVMBuildICmp(v->b, LLVMIntNE, part, same, "");
    return LLVMBuildNot(v->b, vec_any(v, vec_and(v, v->mask, vec_defined(v, differ))), "one.place");
}

/* At the address that the pack shares. False: it isn't such an atomic. */
static bool join_shared(struct vec *v, LLVMValueRef atomic, const char *operation, LLVMValueRef at) {
    bool is_rmw = LLVMIsAAtomicRMWInst(atomic);
    LLVMTypeRef type = is_rmw ? LLVMTypeOf(atomic) : LLVMTypeOf(LLVMGetOperand(atomic, 1));
    if (!private_is_element(type)) {
        return false;
    }
    if (operation) {
        join(v, atomic, operation, at);
    } else if (is_rmw && LLVMGetAtomicRMWBinOp(atomic) == LLVMAtomicRMWBinOpXchg) {
        join_exchanges(v, atomic, at);
    } else if (!is_rmw && LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
        join_compares(v, atomic, at);
    } else {
        return false;
    }
    report_joined(v->k, atomic, type);
    return true;
}

bool joined_atomic_widen(struct vec *v, LLVMValueRef rmw) {
    const char *operation = LLVMIsAAtomicRMWInst(rmw) ? operation_of(LLVMGetAtomicRMWBinOp(rmw)) : NULL;
    LLVMValueRef address = LLVMGetOperand(rmw, 0);
    const struct wide *at = wide_of(v, address);
    if (at->form == FORM_UNIFORM) {
        return join_shared(v, rmw, operation, at->value);
    }
    if (!operation || !private_is_element(LLVMTypeOf(rmw))) {
        return false;
    }
    bool is_counter = LLVMIsAtomicSingleThread(rmw); /* counters.c: each lane has one of its own */
    if (at->form != FORM_VECTOR || LLVMGetFirstUse(rmw) || is_counter) {
        return false;
    }
    LLVMValueRef first = vec_first(v, v->mask);
    LLVMBasicBlockRef joined = ir_block(v->k->run, "joined"), apart = ir_block(v->k->run, "apart"),
                      next = ir_block(v->k->run, "joined.next");
    LLVMBuildCondBr(v->b, is_one_place(v, address, first), joined, apart);
    LLVMPositionBuilderAtEnd(v->b, joined);
    join(v, rmw, operation, LLVMBuildExtractElement(v->b, at->value, first, ""));
    LLVMBuildBr(v->b, next);
    LLVMPositionBuilderAtEnd(v->b, apart);
    widen_by_lane(v, rmw, true);
    LLVMBuildBr(v->b, next);
    LLVMPositionBuilderAtEnd(v->b, next);
    return true;
}

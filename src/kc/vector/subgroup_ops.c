/* subgroup_ops.c: what the work-items of a sub-group, the lanes of a pack, compute together.
 *
 * In: calls of the intrinsics __weir_sub_* (include/abi.h), convergent until regions are formed. Out: instructions on
 * vectors under the mask of the active lanes: shuffles are permutes, reductions LLVM's vector reductions with the
 * operation's identity where lanes are off, scans and clusters log W steps of shuffles, ballots the mask's bits.
 * A pack of one work-item answers at once. */
#include "lower.h"
#include "vector.h"
#include <math.h>
#include <string.h>

/* Operations by what follows in the intrinsic's name: as in llvm.vector.reduce.NAME. */
static const struct op {
    const char *name;
    LLVMOpcode opcode;     /* 0: an intrinsic */
    const char *intrinsic; /* of two operands */
} ops[] = {
    {"add", LLVMAdd, NULL},     {"mul", LLVMMul, NULL},   {"and", LLVMAnd, NULL},
    {"or", LLVMOr, NULL},       {"xor", LLVMXor, NULL},   {"smin", 0, "llvm.smin"},
    {"smax", 0, "llvm.smax"},   {"umin", 0, "llvm.umin"}, {"umax", 0, "llvm.umax"},
    {"fadd", LLVMFAdd, NULL},   {"fmul", LLVMFMul, NULL}, {"fmin", 0, "llvm.minnum"},
    {"fmax", 0, "llvm.maxnum"},
};

static const struct op *op_named(const char *name) {
    size_t n = strcspn(name, "_");
    const struct op *op = ops;
    while (strncmp(name, op->name, n) || op->name[n]) { /* the library names no other */
        op++;
    }
    return op;
}

static const struct op *op_of(LLVMValueRef call) {
    return op_named(subgroup_operation_of(call));
}

/* ---- operations ---- */

static LLVMValueRef identity_of(const struct op *op, LLVMTypeRef type) {
    if (op->name[0] == 'f') {
        bool is_min = !strcmp(op->name, "fmin"), is_max = !strcmp(op->name, "fmax");
        return LLVMConstReal(type, is_min ? INFINITY : is_max ? -INFINITY : op->opcode == LLVMFMul);
    }
    uint64_t sign = UINT64_C(1) << (LLVMGetIntTypeWidth(type) - 1);
    if (!strcmp(op->name, "and") || !strcmp(op->name, "umin")) {
        return LLVMConstAllOnes(type);
    }
    return LLVMConstInt(type,
                        !strcmp(op->name, "smin")   ? sign - 1
                        : !strcmp(op->name, "smax") ? sign
                                                    : op->opcode == LLVMMul,
                        0);
}

static LLVMValueRef combine(struct kernel *k, LLVMBuilderRef b, const struct op *op, LLVMValueRef x,
                            LLVMValueRef y) {
    LLVMValueRef args[] = {x, y};
    return op->opcode ? LLVMBuildBinOp(b, op->opcode, x, y, "")
                      : ir_intrinsic(b, op->intrinsic, &(LLVMTypeRef){LLVMTypeOf(x)}, 1, args, 2);
}

/* Joins `part` into the work-group's accumulator: no other work-item's access may pass this one, so it stays out of
 * what LLVM is told of independent work-items. */
static LLVMValueRef add_to_total(struct kernel *k, LLVMBuilderRef b, const struct op *op, LLVMValueRef at,
                                 LLVMValueRef part, LLVMValueRef is_first) {
    LLVMTypeRef type = LLVMTypeOf(part);
    LLVMValueRef first = LLVMBuildIsNotNull(b, is_first, "");
    LLVMValueRef old = LLVMBuildLoad2(b, type, at, "");
    old = LLVMBuildSelect(b, first, identity_of(op, type), old, "");
    LLVMBuildStore(b, combine(k, b, op, old, part), at);
    return old;
}

/* ---- a pack of one ---- */

LLVMValueRef subgroup_alone(struct wg *wg, LLVMValueRef call, LLVMValueRef *args) {
    switch (subgroup_op_of(call)) {
    case SUBGROUP_BASE:
        return LLVMBuildTrunc(wg->b, wg->loops.local_id[0], LLVMTypeOf(call), "");
    case SUBGROUP_LANE:
        return LLVMConstNull(LLVMTypeOf(call));
    case SUBGROUP_BARRIER:
        fence_emit(wg->b, args[0], ir_const64(wg->k->llvm, 4), args[1]);
        return NULL;
    case SUBGROUP_BALLOT: {
        LLVMValueRef is_set = LLVMBuildIsNotNull(wg->b, args[0], "");
        return LLVMBuildZExt(wg->b, is_set, LLVMTypeOf(call), "");
    }
    case SUBGROUP_BEFORE:
        return identity_of(op_of(call), LLVMTypeOf(call));
    case SUBGROUP_TOTAL:
        return add_to_total(wg->k, wg->b, op_of(call), args[0], args[1], args[2]);
    default:
        return args[0];
    }
}

/* ---- packs ---- */

static LLVMTypeRef int32(struct vec *v) {
    return LLVMInt32TypeInContext(v->llvm);
}

static LLVMValueRef vector_of(struct vec *v, LLVMValueRef original) {
    return wide_vector(v, wide_of(v, original), LLVMTypeOf(original));
}

static LLVMValueRef splat_of(struct vec *v, LLVMValueRef scalar) {
    return wide_vector(v, wide_new(FORM_UNIFORM, scalar, 0), LLVMTypeOf(scalar));
}

/* The vector with the operation's identity where lanes are off. */
static LLVMValueRef active(struct vec *v, const struct op *op, LLVMValueRef x) {
    LLVMValueRef none = splat_of(v, identity_of(op, LLVMGetElementType(LLVMTypeOf(x))));
    return v->mask ? LLVMBuildSelect(v->b, v->mask, x, none, "") : x;
}

static LLVMValueRef reduce(struct vec *v, const struct op *op, LLVMValueRef x) {
    LLVMTypeRef wide = LLVMTypeOf(x), type = LLVMGetElementType(wide);
    LLVMValueRef args[2] = {active(v, op, x)}, result;
    char name[32];
    strcpy(name, "llvm.vector.reduce.");
    strcat(name, op->name);
    if (op->opcode == LLVMFAdd || op->opcode == LLVMFMul) {
        args[1] = args[0];
        args[0] = op->opcode == LLVMFAdd ? LLVMConstReal(type, -0.0) : LLVMConstReal(type, 1);
        result = ir_intrinsic(v->b, name, &(LLVMTypeRef){wide}, 1, args, 2);
        LLVMSetFastMathFlags(result, LLVMFastMathAllowReassoc);
        return result;
    }
    return ir_intrinsic(v->b, name, &(LLVMTypeRef){wide}, 1, args, 1);
}

/* Each lane has what the lane before it had, the first one that of `first`, a vector. */
static LLVMValueRef shifted(struct vec *v, LLVMValueRef x, LLVMValueRef first) {
    unsigned order[64];
    for (unsigned i = 0; i < v->width; i++) {
        order[i] = i ? i - 1 : v->width;
    }
    return vec_shuffle(v, x, first, order, v->width);
}

/* Each lane's value joined with those of the lanes before it; `shift`: without its own. */
static LLVMValueRef scan(struct vec *v, const struct op *op, LLVMValueRef x, bool shift) {
    LLVMValueRef sum = active(v, op, x);
    LLVMValueRef none = splat_of(v, identity_of(op, LLVMGetElementType(LLVMTypeOf(x))));
    unsigned order[64];
    for (unsigned step = 1; step < v->width; step *= 2) {
        for (unsigned i = 0; i < v->width; i++) {
            order[i] = i < step ? v->width : i - step;
        }
        sum = combine(v->k, v->b, op, vec_shuffle(v, sum, none, order, v->width), sum);
    }
    return shift ? shifted(v, sum, none) : sum;
}

/* Each lane's value joined with those of the lanes whose number differs in the bits below `size`, a power of 2. */
static LLVMValueRef cluster(struct vec *v, const struct op *op, LLVMValueRef x, LLVMValueRef size) {
    LLVMValueRef sum = active(v, op, x);
    unsigned order[64];
    for (unsigned step = 1; step < v->width; step *= 2) {
        for (unsigned i = 0; i < v->width; i++) {
            order[i] = i ^ step;
        }
        LLVMValueRef other = vec_shuffle(v, sum, NULL, order, v->width);
        LLVMValueRef larger =
            LLVMBuildICmp(v->b, LLVMIntUGT, size, LLVMConstInt(LLVMTypeOf(size), step, 0), "");
        sum = LLVMBuildSelect(v->b, larger, combine(v->k, v->b, op, sum, other), sum, "");
    }
    return sum;
}

/* Numbers of lanes, made to lie inside the pack: any number reads some lane. */
static LLVMValueRef wrapped(struct vec *v, LLVMValueRef index, bool is_vector) {
    LLVMTypeRef type = LLVMTypeOf(index);
    LLVMValueRef last = LLVMConstInt(is_vector ? LLVMGetElementType(type) : type, v->width - 1, 0);
    return LLVMBuildAnd(v->b, index, is_vector ? splat_of(v, last) : last, "");
}

/* Element by element, in the form that LLVM makes one instruction of where x fills at most one register. */
static LLVMValueRef pick(struct vec *v, LLVMValueRef x, LLVMValueRef index) {
    LLVMValueRef result = LLVMGetPoison(LLVMTypeOf(x));
    for (unsigned i = 0, n = LLVMGetVectorSize(LLVMTypeOf(x)); i < n; i++) {
        LLVMValueRef lane = LLVMConstInt(int32(v), i, 0);
        LLVMValueRef from = LLVMBuildExtractElement(v->b, index, lane, "");
        result = LLVMBuildInsertElement(v->b, result, LLVMBuildExtractElement(v->b, x, from, ""), lane, "");
    }
    return result;
}

/* x fills two registers: each half of the result picks from both and chooses. */
static LLVMValueRef pick_from_halves(struct vec *v, LLVMValueRef x, LLVMValueRef index) {
    unsigned n = v->width / 2, order[64];
    LLVMValueRef low = vec_some(v, x, 0, n), high = vec_some(v, x, n, n), halves[2];
    LLVMTypeRef number = LLVMGetElementType(LLVMTypeOf(index));
    LLVMValueRef rest[64], size[64];
    for (unsigned i = 0; i < n; i++) {
        rest[i] = LLVMConstInt(number, n - 1, 0);
        size[i] = LLVMConstInt(number, n, 0);
    }
    for (unsigned h = 0; h < 2; h++) {
        LLVMValueRef all = vec_some(v, index, h * n, n);
        LLVMValueRef inside = LLVMBuildAnd(v->b, all, LLVMConstVector(rest, n), "");
        LLVMValueRef is_low = LLVMBuildICmp(v->b, LLVMIntULT, all, LLVMConstVector(size, n), "");
        halves[h] = LLVMBuildSelect(v->b, is_low, pick(v, low, inside), pick(v, high, inside), "");
    }
    for (unsigned i = 0; i < v->width; i++) {
        order[i] = i;
    }
    return vec_shuffle(v, halves[0], halves[1], order, v->width);
}

/* x fills more registers than picking and choosing is worth. */
static LLVMValueRef pick_from_memory(struct vec *v, LLVMValueRef x, LLVMValueRef index) {
    LLVMTypeRef wide = LLVMTypeOf(x), element = LLVMGetElementType(wide);
    LLVMValueRef var = vec_variable(v, wide, "shuffled");
    LLVMBuildStore(v->b, x, var);
    LLVMValueRef at = LLVMBuildGEP2(v->b, element, var, &index, 1, "");
    LLVMTypeRef overloads[] = {wide, LLVMTypeOf(at)};
    LLVMValueRef args[] = {at, vec_full(v, NULL), LLVMGetPoison(wide)};
    return vec_intrinsic(v, "llvm.masked.gather", overloads, 2, args, 3);
}

/* A permute that isn't known before; of integers, for of half numbers LLVM doesn't make one instruction. */
static LLVMValueRef permute_by(struct vec *v, LLVMValueRef x, LLVMValueRef index) {
    LLVMTypeRef type = LLVMTypeOf(x), element = LLVMGetElementType(type);
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(v->k->module), element);
    unsigned registers = bits * v->width / v->k->target->vector_bits;
    LLVMTypeRef number = vec_type(v, LLVMIntTypeInContext(v->llvm, bits));
    bool is_half = LLVMGetTypeKind(element) == LLVMHalfTypeKind;
    index = LLVMBuildIntCast2(v->b, index, number, 0, "");
    x = is_half ? LLVMBuildBitCast(v->b, x, number, "") : x;
    x = registers <= 1   ? pick(v, x, index)
        : registers == 2 ? pick_from_halves(v, x, index)
                         : pick_from_memory(v, x, index);
    return is_half ? LLVMBuildBitCast(v->b, x, type, "") : x;
}

static struct wide *shuffle(struct vec *v, LLVMValueRef original, LLVMValueRef from) {
    struct wide *x = wide_of(v, original), *index = wide_of(v, from);
    if (x->form == FORM_UNIFORM) {
        return x;
    }
    LLVMValueRef values = vector_of(v, original);
    if (index->form == FORM_UNIFORM) {
        LLVMValueRef lane = wrapped(v, index->value, false);
        return wide_new(FORM_UNIFORM, LLVMBuildExtractElement(v->b, values, lane, ""), 0);
    }
    LLVMValueRef lanes = wrapped(v, vector_of(v, from), true);
    if (!LLVMIsConstant(lanes)) {
        return wide_new(FORM_VECTOR, permute_by(v, values, lanes), 0);
    }
    unsigned order[64];
    for (unsigned i = 0; i < v->width; i++) {
        LLVMValueRef lane = LLVMGetAggregateElement(lanes, i);
        order[i] = lane && LLVMIsAConstantInt(lane) ? (unsigned)LLVMConstIntGetZExtValue(lane) : i;
    }
    return wide_new(FORM_VECTOR, vec_shuffle(v, values, NULL, order, v->width), 0);
}

LLVMValueRef subgroup_total(struct vec *v, const char *operation, LLVMValueRef x) {
    return reduce(v, op_named(operation), x);
}

LLVMValueRef subgroup_identity(const char *operation, LLVMTypeRef type) {
    return identity_of(op_named(operation), type);
}

LLVMValueRef subgroup_joined(struct vec *v, const char *operation, LLVMValueRef x, LLVMValueRef y) {
    return combine(v->k, v->b, op_named(operation), x, y);
}

LLVMValueRef subgroup_after_lanes_before(struct vec *v, const char *operation, LLVMValueRef x,
                                         LLVMValueRef first) {
    const struct op *op = op_named(operation);
    return combine(v->k, v->b, op, wide_splat(v, first), scan(v, op, x, true));
}

LLVMValueRef subgroup_of_lane_before(struct vec *v, LLVMValueRef x, LLVMValueRef first) {
    LLVMValueRef firsts = wide_splat(v, first);
    if (!v->mask) {
        return shifted(v, x, firsts);
    }
    LLVMValueRef before = scan(v, op_named("smax"), wide_ramp(v, int32(v), 1), true);
    LLVMValueRef is_first = LLVMBuildICmp(v->b, LLVMIntSLT, before, splat_of(v, LLVMConstNull(int32(v))), "");
    return LLVMBuildSelect(v->b, is_first, firsts, permute_by(v, x, wrapped(v, before, true)), "");
}

static LLVMValueRef ballot(struct vec *v, LLVMValueRef call) {
    LLVMValueRef set = LLVMBuildIsNotNull(v->b, vector_of(v, LLVMGetOperand(call, 0)), "");
    set = vec_and(v, v->mask, vec_defined(v, set));
    LLVMTypeRef bits = LLVMIntTypeInContext(v->llvm, v->width);
    return LLVMBuildIntCast2(v->b, LLVMBuildBitCast(v->b, set, bits, ""), LLVMTypeOf(call), 0, "ballot");
}

static struct wide *first(struct vec *v, LLVMValueRef original) {
    struct wide *x = wide_of(v, original);
    if (x->form == FORM_UNIFORM) {
        return x;
    }
    LLVMValueRef lane = vec_first(v, v->mask);
    return wide_new(FORM_UNIFORM, LLVMBuildExtractElement(v->b, vector_of(v, original), lane, ""), 0);
}

/* Where the total so far is asked for, the same scan gives each lane's and the pack's. */
static struct wide *total(struct vec *v, LLVMValueRef call) {
    const struct op *op = op_of(call);
    LLVMValueRef x = vector_of(v, LLVMGetOperand(call, 1));
    LLVMValueRef at = first(v, LLVMGetOperand(call, 0))->value,
                 is_first = first(v, LLVMGetOperand(call, 2))->value;
    if (totals_join(v, call, active(v, op, x), at)) {
        return wide_new(FORM_UNIFORM, LLVMGetPoison(LLVMTypeOf(call)), 0);
    }
    LLVMValueRef last = LLVMConstInt(int32(v), v->width - 1, 0);
    LLVMValueRef part = LLVMGetFirstUse(call) ? LLVMBuildExtractElement(v->b, scan(v, op, x, false), last, "")
                                              : reduce(v, op, x);
    return wide_new(FORM_UNIFORM, add_to_total(v->k, v->b, op, at, part, is_first), 0);
}

/* Lane l has elements l, W + l ... of the pack's n * W, and gets those from n * l on. */
static struct wide *items(struct vec *v, LLVMValueRef dealt) {
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(dealt));
    LLVMValueRef *parts = job_alloc(n * sizeof *parts);
    memcpy(parts, wide_to_parts(v, wide_of(v, dealt), LLVMTypeOf(dealt)), n * sizeof *parts);
    weave_apart(v, weave_joined(v, parts, n, v->width), parts, n);
    return wide_parts(parts, n);
}

static struct wide *widen(struct vec *v, LLVMValueRef call, enum subgroup_op kind) {
    LLVMValueRef x = kind > SUBGROUP_BARRIER ? LLVMGetOperand(call, 0) : NULL;
    switch (kind) {
    case SUBGROUP_BASE:
        return wide_new(FORM_UNIFORM, LLVMBuildTrunc(v->b, v->wg->loops.local_id[0], int32(v), ""), 0);
    case SUBGROUP_LANE:
        return wide_new(FORM_AFFINE, LLVMConstNull(int32(v)), 1);
    case SUBGROUP_BALLOT:
        return wide_new(FORM_UNIFORM, ballot(v, call), 0);
    case SUBGROUP_SHUFFLE:
        return shuffle(v, x, LLVMGetOperand(call, 1));
    case SUBGROUP_FIRST:
        return first(v, x);
    case SUBGROUP_REDUCE:
        return wide_new(FORM_UNIFORM, reduce(v, op_of(call), vector_of(v, x)), 0);
    case SUBGROUP_SCAN:
    case SUBGROUP_BEFORE:
        return wide_new(FORM_VECTOR, scan(v, op_of(call), vector_of(v, x), kind == SUBGROUP_BEFORE), 0);
    case SUBGROUP_ITEMS:
        return items(v, x);
    case SUBGROUP_CLUSTER:
        return wide_new(FORM_VECTOR,
                        cluster(v, op_of(call), vector_of(v, x), first(v, LLVMGetOperand(call, 1))->value),
                        0);
    default:
        return total(v, call);
    }
}

void subgroup_widen(struct vec *v, LLVMValueRef call) {
    enum subgroup_op kind = subgroup_op_of(call);
    if (kind == SUBGROUP_BARRIER) { /* the lanes are in step: only memory has to be */
        LLVMValueRef flags = first(v, LLVMGetOperand(call, 0))->value,
                     scope = first(v, LLVMGetOperand(call, 1))->value;
        fence_emit(v->b, flags, ir_const64(v->llvm, 4), scope);
        return;
    }
    wide_set(v, call, widen(v, call, kind));
}

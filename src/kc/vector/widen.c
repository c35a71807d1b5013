/* widen.c: one instruction of a work-item to the same for a pack.
 *
 * In: an instruction whose operands have been widened. Out: its struct wide. Uniform operands give one scalar
 * instruction, affine ones another; what has a vector form gets it; the rest runs lane by lane, under the mask where
 * it has effects. Flags that make poison (nsw, inbounds) only hold for active lanes: vectors drop them, and so do
 * affine values where lane 0 may be off. */
#include "report.h"
#include "vector.h"
#include <assert.h>
#include <string.h>

struct wide *wide_new(enum form form, LLVMValueRef value, int64_t stride) {
    struct wide *w = job_alloc(sizeof *w);
    *w = (struct wide){
        .form = form == FORM_AFFINE && !stride ? FORM_UNIFORM : form, .value = value, .stride = stride};
    return w;
}

struct wide *wide_parts(LLVMValueRef *parts, unsigned n) {
    struct wide *w = wide_new(FORM_PARTS, NULL, 0);
    w->lanes = parts;
    w->n = n;
    return w;
}

void wide_set(struct vec *v, LLVMValueRef original, struct wide *w) {
    ptrmap_set(&v->values, original, (uintptr_t)w);
}

struct wide *wide_of(struct vec *v, LLVMValueRef original) {
    uintptr_t known;
    if (!ptrmap_get(&v->values, original, &known)) {
        return wide_new(FORM_UNIFORM, original, 0);
    }
    return v->in_row ? rows_part(v, (struct wide *)known) : (struct wide *)known;
}

LLVMValueRef wide_ramp(struct vec *v, LLVMTypeRef element, int64_t stride) {
    LLVMValueRef parts[64];
    for (unsigned i = 0; i < v->width; i++) {
        parts[i] = LLVMConstInt(element, (uint64_t)(stride * (int64_t)i), 1);
    }
    return LLVMConstVector(parts, v->width);
}

LLVMValueRef wide_splat(struct vec *v, LLVMValueRef scalar) {
    LLVMTypeRef type = vec_type(v, LLVMTypeOf(scalar));
    return LLVMIsConstant(scalar) ? ir_repeat(type, scalar) : ir_splat(v->b, type, scalar);
}

LLVMValueRef wide_vector(struct vec *v, const struct wide *w, LLVMTypeRef element) {
    LLVMValueRef result;
    switch (w->form) {
    case FORM_UNIFORM:
        return wide_splat(v, w->value);
    case FORM_AFFINE:
        if (LLVMGetTypeKind(element) == LLVMPointerTypeKind) {
            LLVMValueRef lanes = wide_ramp(v, LLVMInt64TypeInContext(v->llvm), w->stride);
            return LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->llvm), w->value, &lanes, 1, "");
        }
        return LLVMBuildAdd(v->b, wide_splat(v, w->value), wide_ramp(v, element, w->stride), "");
    case FORM_ROWS:
        return rows_vector(v, w, element);
    case FORM_LANES:
        result = LLVMGetPoison(vec_type(v, element));
        for (unsigned i = 0; i < v->width; i++) {
            result = LLVMBuildInsertElement(v->b, result, w->lanes[i], ir_const32(v->llvm, i), "");
        }
        return result;
    default:
        return w->value;
    }
}

static LLVMValueRef lane_of_parts(struct vec *v, const struct wide *w, unsigned lane) {
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(w->lanes[0]));
    LLVMValueRef result = LLVMGetPoison(LLVMVectorType(element, w->n));
    for (unsigned i = 0; i < w->n; i++) {
        LLVMValueRef part = LLVMBuildExtractElement(v->b, w->lanes[i], ir_const32(v->llvm, lane), "");
        result = LLVMBuildInsertElement(v->b, result, part, ir_const32(v->llvm, i), "");
    }
    return result;
}

LLVMValueRef wide_lane(struct vec *v, const struct wide *w, unsigned lane) {
    switch (w->form) {
    case FORM_UNIFORM:
        return w->value;
    case FORM_AFFINE:
        if (LLVMGetTypeKind(LLVMTypeOf(w->value)) == LLVMPointerTypeKind) {
            return ir_offset(v->b, w->value, ir_const64(v->llvm, (uint64_t)(w->stride * (int64_t)lane)), "");
        }
        return LLVMBuildAdd(v->b, w->value,
                            LLVMConstInt(LLVMTypeOf(w->value), (uint64_t)(w->stride * (int64_t)lane), 1), "");
    case FORM_ROWS:
        return rows_lane(v, w, lane);
    case FORM_LANES:
        return w->lanes[lane];
    case FORM_PARTS:
        return lane_of_parts(v, w, lane);
    default:
        return LLVMBuildExtractElement(v->b, w->value, ir_const32(v->llvm, lane), "");
    }
}

/* ---- lane by lane ---- */

static LLVMValueRef clone_for_lane(struct vec *v, LLVMValueRef i, unsigned lane) {
    int n = LLVMGetNumOperands(i);
    LLVMValueRef *operands = job_alloc(((size_t)n + 1) * sizeof(LLVMValueRef));
    for (int o = 0; o < n; o++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)o);
        operands[o] = LLVMValueIsBasicBlock(operand) ? operand : wide_lane(v, wide_of(v, operand), lane);
    }
    LLVMValueRef copy = LLVMInstructionClone(i);
    for (int o = 0; o < n; o++) {
        if (operands[o] != LLVMGetOperand(i, (unsigned)o)) {
            LLVMSetOperand(copy, (unsigned)o, operands[o]);
        }
    }
    LLVMInsertIntoBuilderWithName(v->b, copy, "");
    return copy;
}

void widen_by_lane(struct vec *v, LLVMValueRef i, bool ordered) {
    report_serial(v->k, i);
    if (lane_loop_widen(v, i)) {
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(i);
    bool has_value = LLVMGetTypeKind(type) != LLVMVoidTypeKind;
    struct wide *w = wide_new(FORM_LANES, NULL, 0);
    w->lanes = job_alloc(v->width * sizeof *w->lanes);
    for (unsigned lane = 0; lane < v->width; lane++) {
        if (!ordered || !v->mask) {
            w->lanes[lane] = clone_for_lane(v, i, lane);
            continue;
        }
        LLVMBasicBlockRef on = ir_block(v->k->run, "lane");
        LLVMBasicBlockRef next = ir_block(v->k->run, "lane.next");
        LLVMValueRef bit = LLVMBuildExtractElement(v->b, v->mask, ir_const32(v->llvm, lane), "");
        LLVMBasicBlockRef ways[] = {LLVMGetInsertBlock(v->b), on};
        LLVMBuildCondBr(v->b, bit, on, next);
        LLVMPositionBuilderAtEnd(v->b, on);
        LLVMValueRef values[] = {has_value ? LLVMGetPoison(type) : NULL, clone_for_lane(v, i, lane)};
        LLVMBuildBr(v->b, next);
        LLVMPositionBuilderAtEnd(v->b, next);
        if (has_value) {
            w->lanes[lane] = LLVMBuildPhi(v->b, type, "lane");
            LLVMAddIncoming(w->lanes[lane], values, ways, 2);
        }
    }
    if (has_value && vec_fits(type)) {
        w = wide_new(FORM_VECTOR, wide_vector(v, w, type), 0);
    }
    if (has_value) {
        wide_set(v, i, w);
    }
}

/* ---- scalars ---- */

static bool all_uniform(struct vec *v, LLVMValueRef i) {
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        if (!LLVMValueIsBasicBlock(operand) && wide_of(v, operand)->form != FORM_UNIFORM) {
            return false;
        }
    }
    return true;
}

/* Of a value that is a scalar, or also has one. */
static LLVMValueRef lane_zero(const struct wide *w) {
    return w->at ? w->first : w->value;
}

/* The instruction on lane 0's operands; a constant where they are. */
static LLVMValueRef on_lane_zero(struct vec *v, LLVMValueRef i) {
    if (LLVMIsABinaryOperator(i)) {
        LLVMValueRef x = lane_zero(wide_of(v, LLVMGetOperand(i, 0))),
                     y = lane_zero(wide_of(v, LLVMGetOperand(i, 1)));
        if (LLVMIsAConstantInt(x) && LLVMIsAConstantInt(y)) {
            return LLVMBuildBinOp(v->b, LLVMGetInstructionOpcode(i), x, y, "");
        }
    }
    LLVMValueRef copy = LLVMInstructionClone(i);
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        uintptr_t known;
        if (ptrmap_get(&v->values, operand, &known)) {
            LLVMSetOperand(copy, (unsigned)n, lane_zero(wide_of(v, operand)));
        }
    }
    LLVMInsertIntoBuilderWithName(v->b, copy, "");
    return copy;
}

/* `original`, affine and without a wrap in any active lane, as a wider integer of lane 0. Lane 0 itself may be off and
 * wrap: so it is the operands that are extended, or the first active lane. */
static LLVMValueRef extended(struct vec *v, LLVMValueRef original, LLVMTypeRef type, bool is_signed,
                             unsigned depth) {
    const struct wide *w = wide_of(v, original);
    LLVMOpcode ext = is_signed ? LLVMSExt : LLVMZExt;
    if (w->form == FORM_UNIFORM) {
        return LLVMBuildCast(v->b, ext, w->value, type, "");
    }
    if (intrinsic_id(original, NULL)) {
        return wg_item_id(v->wg, original, type);
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(original);
    if (depth && (op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl ||
                  (op == LLVMOr && LLVMGetIsDisjoint(original)))) {
        LLVMValueRef x = extended(v, LLVMGetOperand(original, 0), type, is_signed, depth - 1);
        LLVMValueRef y = extended(v, LLVMGetOperand(original, 1), type, is_signed, depth - 1);
        return LLVMBuildBinOp(v->b, op == LLVMOr ? LLVMAdd : op, x, y, "");
    }
    if (v->mask == v->row || w->at) { /* lane 0 is on, or in range as all lanes are */
        return LLVMBuildCast(v->b, ext, lane_zero(w), type, "");
    }
    LLVMValueRef first = LLVMBuildIntCast2(v->b, vec_first(v, v->mask), type, 0, "");
    LLVMValueRef before = LLVMBuildMul(v->b, first, LLVMConstInt(type, (uint64_t)w->stride, 1), "");
    LLVMValueRef lane =
        LLVMBuildAdd(v->b, w->value, LLVMBuildTrunc(v->b, before, LLVMTypeOf(w->value), ""), "");
    return LLVMBuildSub(v->b, LLVMBuildCast(v->b, ext, lane, type, ""), before, "");
}

static inline bool is_scalar(struct vec *v, LLVMValueRef original) {
    enum form form = wide_of(v, original)->form;
    return form == FORM_UNIFORM || form == FORM_AFFINE;
}

/* What lane 0 has of a value whose operands are scalars, or also have one. */
static LLVMValueRef first_lane(struct vec *v, LLVMValueRef i, bool varies) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (intrinsic_id(i, NULL)) {
        return wg_item_id(v->wg, i, LLVMTypeOf(i));
    }
    if (op == LLVMOr && LLVMGetIsDisjoint(i)) { /* only where lanes are on */
        return LLVMBuildAdd(v->b, lane_zero(wide_of(v, LLVMGetOperand(i, 0))),
                            lane_zero(wide_of(v, LLVMGetOperand(i, 1))), "");
    }
    if (op == LLVMZExt || op == LLVMSExt) {
        bool is_signed, extends = uniform_extends(v->wg->pack, i, &is_signed);
        if (varies && !extends) { /* lane 0 is on the same side of a wrap as all others are */
            assert(lane_alignment_extends(v->wg->pack, i) && "extended, but lanes may wrap around before");
            return LLVMBuildCast(v->b, op, lane_zero(wide_of(v, LLVMGetOperand(i, 0))), LLVMTypeOf(i), "");
        }
        return extended(v, LLVMGetOperand(i, 0), LLVMTypeOf(i), is_signed, 8);
    }
    LLVMValueRef result = on_lane_zero(v, i);
    if (v->mask && LLVMIsAInstruction(result)) {
        ir_drop_flags(result);
    }
    return result;
}

static bool has_first_lane(struct vec *v, LLVMValueRef original) {
    return is_scalar(v, original) || wide_of(v, original)->at;
}

static bool all_have_first_lanes(struct vec *v, LLVMValueRef i) {
    bool all = true;
    for (int o = 0; !LLVMIsACallInst(i) && o < LLVMGetNumOperands(i); o++) {
        all &= has_first_lane(v, LLVMGetOperand(i, (unsigned)o));
    }
    return all;
}

static void widen_affine(struct vec *v, LLVMValueRef i, int64_t stride) {
    assert(all_have_first_lanes(v, i) && "affine, of something that isn't");
    wide_set(v, i, wide_new(FORM_AFFINE, first_lane(v, i, stride), stride));
}

/* A vector whose lanes' differences are known has a scalar, too: what of both isn't used LLVM drops. */
static void add_first_lane(struct vec *v, LLVMValueRef i, struct wide *w) {
    const int64_t *at = uniform_offsets(v->wg->pack, i);
    for (int o = 0; at && o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)o);
        at = has_first_lane(v, operand) ? at : NULL; /* what a slot keeps is a vector alone */
    }
    if (at && lane_alignment_stays(v->wg->pack, i)) { /* of a copy less may be known than of the original */
        w->first = first_lane(v, i, 1);
        w->at = at;
    }
}

/* ---- vectors ---- */

static LLVMValueRef operand_vector(struct vec *v, LLVMValueRef i, unsigned n) {
    LLVMValueRef operand = LLVMGetOperand(i, n);
    return wide_vector(v, wide_of(v, operand), LLVMTypeOf(operand));
}

static LLVMValueRef widen_select(struct vec *v, LLVMValueRef i) {
    const struct wide *condition = wide_of(v, LLVMGetOperand(i, 0));
    LLVMValueRef c = condition->form == FORM_UNIFORM
                         ? condition->value
                         : wide_vector(v, condition, LLVMTypeOf(LLVMGetOperand(i, 0)));
    return LLVMBuildSelect(v->b, c, operand_vector(v, i, 1), operand_vector(v, i, 2), "");
}

static LLVMValueRef widen_gep(struct vec *v, LLVMValueRef i) {
    unsigned n = (unsigned)LLVMGetNumOperands(i);
    LLVMValueRef *operands = job_alloc(n * sizeof *operands);
    for (unsigned o = 0; o < n; o++) {
        const struct wide *w = wide_of(v, LLVMGetOperand(i, o));
        operands[o] = w->form == FORM_UNIFORM ? w->value : operand_vector(v, i, o);
    }
    return LLVMBuildGEP2(v->b, LLVMGetGEPSourceElementType(i), operands[0], operands + 1, n - 1, "");
}

bool wide_is_interleaved(struct vec *v, LLVMValueRef p) {
    LLVMValueRef var = private_base(p);
    uintptr_t at;
    return var && ptrmap_get(&v->wg->slots.by_var, var, &at) && v->wg->slots.at[at].grain;
}

/* An address into an interleaved private array: every step is W times as far. */
static void widen_interleaved(struct vec *v, LLVMValueRef gep) {
    struct gep_step steps[GEP_STEPS];
    unsigned n = ir_gep_steps(LLVMGetModuleDataLayout(v->k->module), gep, steps);
    const struct wide *base = wide_of(v, LLVMGetOperand(gep, 0));
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm), i8 = LLVMInt8TypeInContext(v->llvm);
    LLVMValueRef scalar = ir_const64(v->llvm, 0), vector = NULL;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef bytes = ir_const64(v->llvm, steps[i].bytes * v->width);
        const struct wide *w = steps[i].index ? wide_of(v, steps[i].index) : wide_new(FORM_UNIFORM, bytes, 0);
        if (!steps[i].index) {
            scalar = LLVMBuildAdd(v->b, scalar, bytes, "");
        } else if (w->form == FORM_UNIFORM) {
            LLVMValueRef index = LLVMBuildIntCast2(v->b, w->value, i64, 1, "");
            scalar = LLVMBuildAdd(v->b, scalar, LLVMBuildMul(v->b, index, bytes, ""), "");
        } else {
            LLVMValueRef index = wide_vector(v, w, LLVMTypeOf(steps[i].index));
            index = LLVMBuildIntCast2(v->b, index, vec_type(v, i64), 1, "");
            index = LLVMBuildMul(v->b, index, wide_splat(v, bytes), "");
            vector = vector ? LLVMBuildAdd(v->b, vector, index, "") : index;
        }
    }
    if (base->form == FORM_AFFINE && !vector) {
        wide_set(v, gep, wide_new(FORM_AFFINE, ir_offset(v->b, base->value, scalar, ""), base->stride));
        return;
    }
    LLVMValueRef offsets =
        vector ? LLVMBuildAdd(v->b, vector, wide_splat(v, scalar), "") : wide_splat(v, scalar);
    LLVMValueRef from = wide_vector(v, base, LLVMTypeOf(LLVMGetOperand(gep, 0)));
    wide_set(v, gep, wide_new(FORM_VECTOR, LLVMBuildGEP2(v->b, i8, from, &offsets, 1, ""), 0));
}

/* Intrinsics that work on vectors of their type; some operands stay scalar immediates. */
static const struct {
    const char *name;
    unsigned immediate; /* operand that stays scalar, or 0 */
    unsigned
        overload; /* operand whose type is a second overload, or 0; RESULT: the result's and operand 0's */
} vector_intrinsics[] = {
#define RESULT 99
    {"llvm.fma.", 0, 0},
    {"llvm.fmuladd.", 0, 0},
    {"llvm.sqrt.", 0, 0},
    {"llvm.fabs.", 0, 0},
    {"llvm.floor.", 0, 0},
    {"llvm.ceil.", 0, 0},
    {"llvm.trunc.", 0, 0},
    {"llvm.rint.", 0, 0},
    {"llvm.nearbyint.", 0, 0},
    {"llvm.round.", 0, 0},
    {"llvm.roundeven.", 0, 0},
    {"llvm.minnum.", 0, 0},
    {"llvm.maxnum.", 0, 0},
    {"llvm.minimum.", 0, 0},
    {"llvm.maximum.", 0, 0},
    {"llvm.minimumnum.", 0, 0},
    {"llvm.maximumnum.", 0, 0},
    {"llvm.copysign.", 0, 0},
    {"llvm.canonicalize.", 0, 0},
    {"llvm.ctpop.", 0, 0},
    {"llvm.ctlz.", 1, 0},
    {"llvm.cttz.", 1, 0},
    {"llvm.abs.", 1, 0},
    {"llvm.smin.", 0, 0},
    {"llvm.smax.", 0, 0},
    {"llvm.umin.", 0, 0},
    {"llvm.umax.", 0, 0},
    {"llvm.fshl.", 0, 0},
    {"llvm.fshr.", 0, 0},
    {"llvm.bswap.", 0, 0},
    {"llvm.bitreverse.", 0, 0},
    {"llvm.sadd.sat.", 0, 0},
    {"llvm.uadd.sat.", 0, 0},
    {"llvm.ssub.sat.", 0, 0},
    {"llvm.usub.sat.", 0, 0},
    {"llvm.is.fpclass.", 1, 0},
    {"llvm.ldexp.", 0, 1},
    {"llvm.fptosi.sat.", 0, RESULT},
    {"llvm.fptoui.sat.", 0, RESULT},
};

static bool widen_intrinsic(struct vec *v, LLVMValueRef call) {
    size_t length, which = 0, count = sizeof vector_intrinsics / sizeof *vector_intrinsics;
    const char *name = ir_callee(call) ? LLVMGetValueName2(ir_callee(call), &length) : "";
    while (which < count &&
           strncmp(name, vector_intrinsics[which].name, strlen(vector_intrinsics[which].name))) {
        which++;
    }
    if (which == count || !vec_fits(LLVMTypeOf(call))) {
        return false;
    }
    LLVMValueRef args[4];
    unsigned n = LLVMGetNumArgOperands(call), noverloads = 1, second = vector_intrinsics[which].overload;
    for (unsigned i = 0; i < n && i < 4; i++) {
        bool immediate = i && i == vector_intrinsics[which].immediate;
        args[i] = immediate ? LLVMGetOperand(call, i) : operand_vector(v, call, i);
    }
    LLVMTypeRef overloads[2] = {LLVMTypeOf(args[0])};
    if (second == RESULT) {
        overloads[noverloads++] = overloads[0];
        overloads[0] = vec_type(v, LLVMTypeOf(call));
    } else if (second) {
        overloads[noverloads++] = LLVMTypeOf(args[second]);
    }
    unsigned id = LLVMGetIntrinsicID(ir_callee(call));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(v->k->module, id, overloads, noverloads);
    LLVMValueRef result = LLVMBuildCall2(v->b, LLVMGlobalGetValueType(f), f, args, n, "");
    if (LLVMCanValueUseFastMathFlags(call)) {
        LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(call));
    }
    wide_set(v, call, wide_new(FORM_VECTOR, result, 0));
    return true;
}

/* The same of vectors, for post/dot.c and number_parts.c. */
static LLVMValueRef widen_pack_call(struct vec *v, LLVMValueRef call) {
    unsigned operands = LLVMGetNumArgOperands(call);
    LLVMTypeRef vector = vec_type(v, LLVMTypeOf(call)),
                type = LLVMFunctionType(vector, (LLVMTypeRef[]){vector, vector}, operands, 0);
    LLVMValueRef args[2];
    for (unsigned i = 0; i < operands; i++) {
        args[i] = operand_vector(v, call, i);
    }
    size_t n;
    char *name = job_printf("%s.%u", LLVMGetValueName2(ir_callee(call), &n), v->width);
    LLVMValueRef f = LLVMGetNamedFunction(v->k->module, name);
    if (!f) {
        f = LLVMAddFunction(v->k->module, name, type);
        intrinsic_declare_query(v->k, f, 0);
    }
    return LLVMBuildCall2(v->b, type, f, args, operands, "");
}

static void widen_call(struct vec *v, LLVMValueRef call) {
    if (ir_has_no_effect(call) && all_uniform(v, call)) {
        wide_set(v, call, wide_new(FORM_UNIFORM, on_lane_zero(v, call), 0));
    } else if (kernel_is_pack_call(call)) {
        wide_set(v, call, wide_new(FORM_VECTOR, widen_pack_call(v, call), 0));
    } else if (rows_widen(v, call, first_lane)) {
        return;
    } else if (!ir_is_intrinsic(call, "llvm.assume") && !widen_intrinsic(v, call)) {
        widen_by_lane(v, call, !ir_has_no_effect(call) || !ir_is_intrinsic(call, "llvm."));
    }
}

/* ---- OpenCL vectors ---- */

/* False: not with a constant index into something that has parts. */
static bool widen_extract(struct vec *v, LLVMValueRef i) {
    const struct wide *w = wide_of(v, LLVMGetOperand(i, 0));
    LLVMValueRef at = LLVMGetOperand(i, 1);
    if (w->form != FORM_PARTS || !LLVMIsAConstantInt(at) || LLVMConstIntGetZExtValue(at) >= w->n) {
        return false;
    }
    wide_set(v, i, wide_new(FORM_VECTOR, w->lanes[LLVMConstIntGetZExtValue(at)], 0));
    return true;
}

LLVMValueRef *wide_to_parts(struct vec *v, const struct wide *w, LLVMTypeRef vector) {
    unsigned n = LLVMGetVectorSize(vector);
    LLVMValueRef *parts = job_alloc(n * sizeof *parts);
    for (unsigned p = 0; p < n; p++) {
        if (w->form == FORM_PARTS) {
            parts[p] = w->lanes[p];
        } else if (w->form == FORM_UNIFORM) {
            parts[p] = wide_splat(v, LLVMBuildExtractElement(v->b, w->value, ir_const32(v->llvm, p), ""));
        } else {
            parts[p] = LLVMGetPoison(vec_type(v, LLVMGetElementType(vector)));
            for (unsigned i = 0; i < v->width; i++) {
                LLVMValueRef part = LLVMBuildExtractElement(v->b, w->lanes[i], ir_const32(v->llvm, p), "");
                parts[p] = LLVMBuildInsertElement(v->b, parts[p], part, ir_const32(v->llvm, i), "");
            }
        }
    }
    return parts;
}

static bool widen_insert(struct vec *v, LLVMValueRef i) {
    const struct wide *part = wide_of(v, LLVMGetOperand(i, 1));
    LLVMValueRef at = LLVMGetOperand(i, 2);
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(i));
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(i));
    if (!vec_fits(element) || !LLVMIsAConstantInt(at) || LLVMConstIntGetZExtValue(at) >= n) {
        return false;
    }
    LLVMValueRef *parts = job_alloc(n * sizeof *parts);
    memcpy(parts, wide_to_parts(v, wide_of(v, LLVMGetOperand(i, 0)), LLVMTypeOf(i)), n * sizeof *parts);
    parts[LLVMConstIntGetZExtValue(at)] = wide_vector(v, part, element);
    wide_set(v, i, wide_parts(parts, n));
    return true;
}

static LLVMValueRef widen_compare(struct vec *v, LLVMValueRef i) {
    LLVMValueRef result = compare_steps(v, i);
    return result ? result
                  : LLVMBuildICmp(v->b, LLVMGetICmpPredicate(i), operand_vector(v, i, 0),
                                  operand_vector(v, i, 1), "");
}

static LLVMValueRef widen_pure(struct vec *v, LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    switch (op) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return division_widen(v, i);
    case LLVMICmp:
        return widen_compare(v, i);
    case LLVMFCmp:
        return LLVMBuildFCmp(v->b, LLVMGetFCmpPredicate(i), operand_vector(v, i, 0), operand_vector(v, i, 1),
                             "");
    case LLVMSelect:
        return widen_select(v, i);
    case LLVMGetElementPtr:
        return widen_gep(v, i);
    case LLVMFNeg:
        return LLVMBuildFNeg(v->b, operand_vector(v, i, 0), "");
    case LLVMFreeze:
        return LLVMBuildFreeze(v->b, operand_vector(v, i, 0), "");
    default:
        if (op == LLVMUIToFP && LLVMGetNNeg(i)) { /* the signed conversion is an instruction, too */
            op = LLVMSIToFP;
        }
        if (LLVMIsACastInst(i)) {
            return LLVMBuildCast(v->b, op, operand_vector(v, i, 0), vec_type(v, LLVMTypeOf(i)), "");
        }
        return LLVMIsABinaryOperator(i)
                   ? LLVMBuildBinOp(v->b, op, operand_vector(v, i, 0), operand_vector(v, i, 1), "")
                   : NULL;
    }
}

static bool operands_fit(LLVMValueRef i) {
    bool fit = vec_fits(LLVMTypeOf(i));
    for (int n = 0; n < LLVMGetNumOperands(i); n++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)n);
        fit &= LLVMValueIsBasicBlock(operand) || vec_fits(LLVMTypeOf(operand));
    }
    return fit;
}

/* How far off a division or root may be, for post/reciprocals.c. */
static void keep_allowed_error(struct vec *v, LLVMValueRef i, LLVMValueRef wide) {
    unsigned kind = LLVMGetMDKindIDInContext(v->llvm, "fpmath", 6);
    LLVMValueRef error = LLVMGetMetadata(i, kind);
    if (error && LLVMIsAInstruction(wide)) {
        LLVMSetMetadata(wide, kind, error);
    }
}

/* The value's vector. */
static void widen_lanes(struct vec *v, LLVMValueRef i) {
    LLVMValueRef result = operands_fit(i) ? widen_pure(v, i) : NULL;
    if (!result) { /* divisions may trap in lanes that are off */
        widen_by_lane(v, i, ir_is_division(i));
        return;
    }
    if (LLVMIsAInstruction(result) && LLVMCanValueUseFastMathFlags(i) &&
        LLVMCanValueUseFastMathFlags(result)) {
        LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(i));
    }
    keep_allowed_error(v, i, result);
    struct wide *w = wide_new(FORM_VECTOR, result, 0);
    if (LLVMIsAICmpInst(i)) {
        compare_bounds(v, i, w);
    }
    add_first_lane(v, i, w);
    wide_set(v, i, w);
}

/* What is affine of a vector, of which slots keep no first lane: by the first lane that is on. */
static void widen_affine_of_vector(struct vec *v, LLVMValueRef i, int64_t stride) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm), type = LLVMTypeOf(i);
    bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    widen_lanes(v, i);
    LLVMValueRef first = v->mask == v->row ? ir_const32(v->llvm, 0) : vec_first(v, v->mask);
    LLVMValueRef lane = LLVMBuildExtractElement(v->b, wide_vector(v, wide_of(v, i), type), first, "");
    LLVMTypeRef number = is_pointer ? i64 : type;
    LLVMValueRef back = LLVMBuildMul(v->b, LLVMBuildIntCast2(v->b, first, number, 0, ""),
                                     LLVMConstInt(number, -(uint64_t)stride, 1), "");
    lane = is_pointer ? ir_offset(v->b, lane, back, "") : LLVMBuildAdd(v->b, lane, back, "");
    wide_set(v, i, wide_new(FORM_AFFINE, lane, stride));
}

void widen_instruction(struct vec *v, LLVMValueRef i) {
    int64_t stride;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        access_load(v, i);
        return;
    case LLVMStore:
        access_store(v, i);
        return;
    case LLVMFence:
        on_lane_zero(v, i);
        return;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        if (!joined_atomic_widen(v, i)) {
            widen_by_lane(v, i, true);
        }
        return;
    case LLVMGetElementPtr:
        if (wide_is_interleaved(v, i)) {
            widen_interleaved(v, i);
            return;
        }
        break;
    case LLVMCall:
        if (subgroup_is_op(i)) {
            subgroup_widen(v, i);
        } else if (checks_is(i)) {
            checks_widen(v, i);
        } else if (intrinsic_id(i, NULL) && !rows_widen(v, i, first_lane)) {
            bool found = uniform_stride(v->wg->pack, i, &stride);
            widen_affine(v, i, found ? stride : 0);
        } else if (!intrinsic_id(i, NULL)) {
            widen_call(v, i);
        }
        return;
    default:
        break;
    }
    if (all_uniform(v, i)) {
        wide_set(v, i, wide_new(FORM_UNIFORM, on_lane_zero(v, i), 0));
    } else if (rows_widen(v, i, first_lane)) {
        return;
    } else if ((LLVMIsAExtractElementInst(i) && widen_extract(v, i)) ||
               (LLVMIsAInsertElementInst(i) && widen_insert(v, i)) || weave_bitcast(v, i)) {
        return;
    } else if (!uniform_stride(v->wg->pack, i, &stride)) {
        widen_lanes(v, i);
    } else if (all_have_first_lanes(v, i)) {
        widen_affine(v, i, stride);
    } else {
        widen_affine_of_vector(v, i, stride);
    }
}

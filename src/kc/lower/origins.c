/* origins.c: the origin of each value that may be undefined (definedness.c): 0, or what it comes from, for each element.
 *
 * Needs struct defining's sites and variables. Gives the instructions that compute an origin: of what is computed, from the
 * operands'; of loads of local memory, by the checker's cells; of private variables, from memory beside them. */
#include "definedness.h"

/* ---- shapes ---- */

/* Elements that have an origin each: of a vector; 0: the value has one. */
unsigned origin_shape(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return LLVMGetVectorSize(type);
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return 0;
    case LLVMStructTypeKind: /* of an exchange: what was there, and whether it was expected */
        return LLVMCountStructElementTypes(type) == 2 && !origin_shape(LLVMStructGetTypeAtIndex(type, 0))
                   ? 0
                   : NO_SHAPE;
    default:
        return NO_SHAPE;
    }
}

static LLVMTypeRef origin_type(struct defining *d, unsigned shape) {
    return shape ? LLVMVectorType(d->i32, shape) : d->i32;
}

/* ---- origins ---- */

LLVMValueRef origin_none(struct defining *d, unsigned shape) {
    return LLVMConstNull(origin_type(d, shape));
}

LLVMValueRef origin_of(struct defining *d, LLVMValueRef v) {
    return (LLVMValueRef)ptrmap_at(&d->origin, v, (uintptr_t)origin_none(d, origin_shape(LLVMTypeOf(v))));
}

bool origin_is_none(LLVMValueRef origin) {
    return LLVMIsConstant(origin) && LLVMIsNull(origin);
}

/* Undefined if one of them is. */
static LLVMValueRef either(struct defining *d, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef args[] = {x, y};
    if (origin_is_none(x) || x == y) {
        return y;
    }
    return origin_is_none(y) ? x
                             : ir_intrinsic(d->in->b, "llvm.umax", &(LLVMTypeRef){LLVMTypeOf(x)}, 1, args, 2);
}

/* Undefined if both are. */
static LLVMValueRef both(struct defining *d, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef args[] = {x, y};
    return origin_is_none(x) || origin_is_none(y)
               ? LLVMConstNull(LLVMTypeOf(x))
               : ir_intrinsic(d->in->b, "llvm.umin", &(LLVMTypeRef){LLVMTypeOf(x)}, 1, args, 2);
}

/* Of a vector of origins one: if any of them is undefined, or only if all are. */
LLVMValueRef origin_reduced(struct defining *d, LLVMValueRef origins, bool all) {
    if (LLVMGetTypeKind(LLVMTypeOf(origins)) != LLVMVectorTypeKind) {
        return origins;
    }
    LLVMValueRef one = NULL;
    for (unsigned n = 0; n < LLVMGetVectorSize(LLVMTypeOf(origins)); n++) {
        LLVMValueRef e = LLVMBuildExtractElement(d->in->b, origins, ir_const32(d->llvm, n), "");
        one = !one ? e : all ? both(d, one, e) : either(d, one, e);
    }
    return one;
}

LLVMValueRef origin_splat(struct defining *d, LLVMValueRef one, unsigned shape) {
    LLVMValueRef v = shape ? origin_none(d, shape) : one;
    for (unsigned n = 0; n < shape; n++) {
        v = LLVMBuildInsertElement(d->in->b, v, one, ir_const32(d->llvm, n), "");
    }
    return v;
}

/* `origin` where v, the other operand, isn't `nothing`, a value that throws the first one away. */
static LLVMValueRef unless(struct defining *d, LLVMValueRef origin, LLVMValueRef v, LLVMValueRef nothing) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    kind = kind == LLVMVectorTypeKind ? LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(v))) : kind;
    if (origin_is_none(origin) || (LLVMIsConstant(v) && v != nothing)) {
        return origin;
    }
    LLVMValueRef gone = kind == LLVMIntegerTypeKind ? LLVMBuildICmp(d->in->b, LLVMIntEQ, v, nothing, "")
                                                    : LLVMBuildFCmp(d->in->b, LLVMRealOEQ, v, nothing, "");
    gone = LLVMBuildAnd(
        d->in->b, gone,
        LLVMBuildICmp(d->in->b, LLVMIntEQ, origin_of(d, v), LLVMConstNull(LLVMTypeOf(origin)), ""), "");
    return LLVMBuildSelect(d->in->b, gone, LLVMConstNull(LLVMTypeOf(origin)), origin, "");
}

static LLVMValueRef masked(struct defining *d, LLVMValueRef x, LLVMValueRef y, LLVMValueRef nothing) {
    return either(d, unless(d, origin_of(d, x), y, nothing), unless(d, origin_of(d, y), x, nothing));
}

/* Whether v is a part of a word, moved to its place there. */
static bool is_part(LLVMValueRef v) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMShl;
}

static LLVMValueRef of_binary(struct defining *d, LLVMValueRef i) {
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMMul:
    case LLVMFMul:
    case LLVMAnd:
        return masked(d, x, y, LLVMConstNull(type));
    case LLVMSub:
    case LLVMXor:
        if (x == y) {
            return origin_none(d, origin_shape(type));
        }
        break;
    case LLVMOr:
        if (!is_part(x) && !is_part(y)) {
            return masked(d, x, y, LLVMConstAllOnes(type));
        }
        return both(d, origin_of(d, x), origin_of(d, y));
    case LLVMAdd:
        if (is_part(x) || is_part(y)) {
            return both(d, origin_of(d, x), origin_of(d, y));
        }
        break;
    default:
        break;
    }
    return either(d, origin_of(d, x), origin_of(d, y));
}

static LLVMValueRef of_shuffle(struct defining *d, LLVMValueRef i) {
    unsigned n = LLVMGetNumMaskElements(i);
    LLVMValueRef *mask = job_alloc(n * sizeof *mask);
    for (unsigned e = 0; e < n; e++) {
        int from = LLVMGetMaskValue(i, e);
        mask[e] = ir_const32(d->llvm, from < 0 ? 0 : (uint32_t)from);
    }
    LLVMValueRef v = LLVMBuildShuffleVector(d->in->b, origin_of(d, LLVMGetOperand(i, 0)),
                                            origin_of(d, LLVMGetOperand(i, 1)), LLVMConstVector(mask, n), "");
    for (unsigned e = 0; e < n; e++) {
        if (LLVMGetMaskValue(i, e) < 0) {
            v = LLVMBuildInsertElement(d->in->b, v, LLVMConstNull(d->i32), ir_const32(d->llvm, e), "");
        }
    }
    return v;
}

static LLVMValueRef of_call(struct defining *d, LLVMValueRef i) {
    unsigned shape = origin_shape(LLVMTypeOf(i)), n = LLVMGetNumArgOperands(i);
    LLVMValueRef sum = origin_none(d, shape);
    if (ir_is_intrinsic(i, "llvm.fma.") || ir_is_intrinsic(i, "llvm.fmuladd.")) {
        sum = masked(d, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMConstNull(LLVMTypeOf(i)));
        return either(d, sum, origin_of(d, LLVMGetOperand(i, 2)));
    }
    for (unsigned a = 0; a < n; a++) {
        LLVMValueRef o = origin_of(d, LLVMGetOperand(i, a));
        if (!origin_is_none(o)) {
            o = origin_shape(LLVMTypeOf(LLVMGetOperand(i, a))) == shape
                    ? o
                    : origin_splat(d, origin_reduced(d, o, false), shape);
            sum = either(d, sum, o);
        }
    }
    return sum;
}

static LLVMValueRef of_select(struct defining *d, LLVMValueRef i) {
    LLVMValueRef c = LLVMGetOperand(i, 0), o = origin_of(d, c);
    unsigned shape = origin_shape(LLVMTypeOf(i));
    LLVMValueRef chosen = LLVMBuildSelect(d->in->b, c, origin_of(d, LLVMGetOperand(i, 1)),
                                          origin_of(d, LLVMGetOperand(i, 2)), "");
    return origin_is_none(o)
               ? chosen
               : either(d, chosen, origin_shape(LLVMTypeOf(c)) == shape ? o : origin_splat(d, o, shape));
}

static LLVMValueRef of_cast(struct defining *d, LLVMValueRef i) {
    LLVMValueRef o = origin_of(d, LLVMGetOperand(i, 0));
    unsigned shape = origin_shape(LLVMTypeOf(i));
    return origin_shape(LLVMTypeOf(LLVMGetOperand(i, 0))) == shape
               ? o
               : origin_splat(d, origin_reduced(d, o, true), shape);
}

static LLVMValueRef of_address(struct defining *d, LLVMValueRef gep) {
    LLVMValueRef sum = origin_none(d, 0);
    for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(gep); n++) {
        sum = either(d, sum, origin_of(d, LLVMGetOperand(gep, n)));
    }
    return sum;
}

/* By the same function of the origins: the greatest of those that it joins. */
static LLVMValueRef of_lanes(struct defining *d, LLVMValueRef i) {
    static const char *const functions[] = {
        [SUBGROUP_SHUFFLE] = "__weir_check_shuffled", [SUBGROUP_FIRST] = "__weir_check_first",
        [SUBGROUP_REDUCE] = "__weir_check_reduced",   [SUBGROUP_SCAN] = "__weir_check_scanned",
        [SUBGROUP_BEFORE] = "__weir_check_before",    [SUBGROUP_CLUSTER] = "__weir_check_clustered",
        [SUBGROUP_TOTAL] = "__weir_check_total"};
    enum subgroup_op op = subgroup_op_of(i);
    bool is_total = op == SUBGROUP_TOTAL; /* which begins anew each time */
    unsigned n = op == SUBGROUP_SHUFFLE || op == SUBGROUP_CLUSTER || is_total ? 2 : 1;
    LLVMValueRef args[] = {origin_of(d, LLVMGetOperand(i, is_total)),
                           n > 1 ? LLVMGetOperand(i, 1 + is_total) : NULL};
    LLVMValueRef o = origin_is_none(args[0]) && !is_total
                         ? args[0]
                         : instrument_value(d->in, functions[op], d->i32, args, n);
    if (op != SUBGROUP_SHUFFLE) {
        return o;
    }
    LLVMValueRef which[] = {args[1], (LLVMValueRef)ptrmap_at(&d->sites, i, 0)};
    if (which[1]) {
        o = either(d, o, instrument_value(d->in, "__weir_check_absent", d->i32, which, 2));
    }
    return either(d, o, origin_of(d, args[1]));
}

LLVMValueRef origin_computed(struct defining *d, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
        list_add(&d->phis, i);
        return LLVMBuildPhi(d->in->b, origin_type(d, origin_shape(LLVMTypeOf(i))), "origin");
    case LLVMSelect:
        return of_select(d, i);
    case LLVMExtractElement:
        return LLVMBuildExtractElement(d->in->b, origin_of(d, LLVMGetOperand(i, 0)), LLVMGetOperand(i, 1),
                                       "");
    case LLVMInsertElement:
        return LLVMBuildInsertElement(d->in->b, origin_of(d, LLVMGetOperand(i, 0)),
                                      origin_of(d, LLVMGetOperand(i, 1)), LLVMGetOperand(i, 2), "");
    case LLVMShuffleVector:
        return of_shuffle(d, i);
    case LLVMICmp:
    case LLVMFCmp:
        return either(d, origin_of(d, LLVMGetOperand(i, 0)), origin_of(d, LLVMGetOperand(i, 1)));
    case LLVMFNeg:
    case LLVMFreeze:
    case LLVMExtractValue:
        return origin_of(d, LLVMGetOperand(i, 0));
    case LLVMGetElementPtr:
        return of_address(d, i);
    case LLVMCall:
        return definedness_joins_lanes(i) ? of_lanes(d, i) : of_call(d, i);
    default:
        return LLVMIsACastInst(i) ? of_cast(d, i) : of_binary(d, i);
    }
}

/* ---- memory ---- */

LLVMValueRef origin_address(struct defining *d, LLVMValueRef p, uint64_t offset) {
    LLVMValueRef a = LLVMBuildPtrToInt(d->in->b, p, LLVMInt64TypeInContext(d->llvm), "");
    return offset ? LLVMBuildAdd(d->in->b, a, ir_const64(d->llvm, offset), "") : a;
}

/* Origins of the cells at p, as many as `bytes` need, asked for in pieces as large as check.cl has them; aligned: p lies at
 * a cell's start, or is reported. */
static void origins_of_cells(struct defining *d, LLVMValueRef p, LLVMValueRef site, uint64_t bytes,
                             bool aligned, LLVMValueRef *cells) {
    for (uint64_t at = 0; at < bytes;) {
        uint64_t piece = aligned ? 16 : 4; /* larger ones lie at a cell's start */
        while (piece > 4 && piece > bytes - at) {
            piece /= 2;
        }
        LLVMValueRef args[] = {origin_address(d, p, at), site, ir_const32(d->llvm, d->taints)};
        const char *name =
            aligned ? job_printf("__weir_check_origin_%u", (unsigned)piece) : "__weir_check_origin_any";
        LLVMValueRef v =
            instrument_value(d->in, name, origin_type(d, piece == 4 ? 0 : (unsigned)(piece / 4)), args, 3);
        for (uint64_t n = 0; n < piece / 4; n++) {
            cells[at / 4 + n] =
                piece == 4 ? v : LLVMBuildExtractElement(d->in->b, v, ir_const32(d->llvm, (uint32_t)n), "");
        }
        at += piece;
    }
}

/* The origin of the cell of p's byte `offset`, below 4: p's own or the next, for p may lie anywhere. */
static LLVMValueRef in_cell_or_next(struct defining *d, LLVMValueRef p, uint64_t offset, LLVMValueRef own,
                                    LLVMValueRef next) {
    LLVMValueRef last = ir_const64(d->llvm, 3),
                 start = LLVMBuildAnd(d->in->b, origin_address(d, p, 0), last, "");
    LLVMValueRef goes_on = LLVMBuildICmp(d->in->b, LLVMIntUGT, start, ir_const64(d->llvm, 3 - offset), "");
    return LLVMBuildSelect(d->in->b, goes_on, next, own, "");
}

LLVMTypeRef origin_accessed_type(LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, 0) : type;
}

/* Of a load of local memory, before it: an element is undefined if nobody has written any of its cells. */
LLVMValueRef origin_loaded(struct defining *d, LLVMValueRef i) {
    LLVMTypeRef type = origin_accessed_type(i);
    unsigned shape = origin_shape(type);
    uint64_t bytes = LLVMStoreSizeOfType(d->in->layout, type), each = shape ? bytes / shape : bytes;
    LLVMValueRef *cells = job_alloc((bytes / 4 + 3) * sizeof *cells), p = ir_address(i),
                 v = origin_none(d, shape);
    LLVMValueRef site = (LLVMValueRef)ptrmap_at(&d->sites, i, 0);
    bool is_plain = LLVMIsALoadInst(i) && bytes >= 4; /* whose alignment is looked at */
    bool goes_on = each < 4 && shape && LLVMGetAlignment(i) < (bytes < 4 ? bytes : 4);
    origins_of_cells(d, p, site, goes_on ? bytes + 4 : bytes, is_plain && LLVMGetAlignment(i) >= 4, cells);
    for (unsigned e = 0; e < (shape ? shape : 1); e++) {
        LLVMValueRef one = cells[e * each / 4];
        if (goes_on) {
            one = in_cell_or_next(d, p, e * each % 4, one, cells[e * each / 4 + 1]);
        }
        for (uint64_t c = e * each / 4 + 1; c < (e * each + each) / 4; c++) {
            one = both(d, one, cells[c]);
        }
        v = shape ? LLVMBuildInsertElement(d->in->b, v, one, ir_const32(d->llvm, e), "") : one;
    }
    return v;
}

/* Where the origin of the byte at p lies, of a private variable. */
static LLVMValueRef place_of(struct defining *d, const struct variable *v, LLVMValueRef p) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(d->llvm);
    LLVMValueRef offset = ir_const64(d->llvm, 0);
    for (; !LLVMIsAAllocaInst(p); p = LLVMGetOperand(p, 0)) {
        struct gep_step steps[GEP_STEPS];
        unsigned n = LLVMIsAGetElementPtrInst(p) ? ir_gep_steps(d->in->layout, p, steps) : 0;
        for (unsigned s = 0; s < n; s++) {
            LLVMValueRef by = ir_const64(d->llvm, steps[s].bytes / v->granule);
            if (steps[s].index && LLVMIsAConstantInt(steps[s].index)) {
                int64_t bytes = (int64_t)steps[s].bytes * LLVMConstIntGetSExtValue(steps[s].index);
                by = ir_const64(d->llvm, (uint64_t)(bytes / (int64_t)v->granule));
            } else if (steps[s].index) {
                by = LLVMBuildMul(d->in->b, LLVMBuildIntCast2(d->in->b, steps[s].index, i64, 1, ""), by, "");
            }
            offset = LLVMBuildAdd(d->in->b, offset, by, "");
        }
    }
    return LLVMBuildGEP2(d->in->b, d->i32, v->origins, &offset, 1, "");
}

static LLVMValueRef after(struct defining *d, LLVMValueRef place, uint64_t n) {
    LLVMValueRef index = ir_const64(d->llvm, n);
    return n ? LLVMBuildGEP2(d->in->b, d->i32, place, &index, 1, "") : place;
}

const struct variable *origin_variable(struct defining *d, LLVMValueRef p) {
    LLVMValueRef var = private_base(p);
    return var ? (const struct variable *)ptrmap_at(&d->variables, var, 0) : NULL;
}

/* How many origins each element of the type has in the variable. */
static uint64_t places_each(struct defining *d, const struct variable *v, LLVMTypeRef type) {
    unsigned shape = origin_shape(type);
    uint64_t n = LLVMStoreSizeOfType(d->in->layout, type) / (shape ? shape : 1) / v->granule;
    return n ? n : 1;
}

LLVMValueRef origin_of_variable(struct defining *d, const struct variable *var, LLVMValueRef load) {
    unsigned shape = origin_shape(LLVMTypeOf(load));
    uint64_t each = places_each(d, var, LLVMTypeOf(load));
    LLVMValueRef place = place_of(d, var, LLVMGetOperand(load, 0)), v = origin_none(d, shape);
    for (unsigned e = 0; e < (shape ? shape : 1); e++) {
        LLVMValueRef one = NULL;
        for (uint64_t n = 0; n < each; n++) {
            LLVMValueRef part = LLVMBuildLoad2(d->in->b, d->i32, after(d, place, e * each + n), "");
            one = one ? both(d, one, part) : part;
        }
        v = shape ? LLVMBuildInsertElement(d->in->b, v, one, ir_const32(d->llvm, e), "") : one;
    }
    return v;
}

void origin_store(struct defining *d, const struct variable *var, LLVMValueRef store) {
    LLVMValueRef value = LLVMGetOperand(store, 0), origin = origin_of(d, value);
    unsigned shape = origin_shape(LLVMTypeOf(value));
    uint64_t each = places_each(d, var, LLVMTypeOf(value));
    LLVMValueRef place = place_of(d, var, LLVMGetOperand(store, 1));
    for (unsigned e = 0; e < (shape ? shape : 1); e++) {
        LLVMValueRef one =
            shape ? LLVMBuildExtractElement(d->in->b, origin, ir_const32(d->llvm, e), "") : origin;
        for (uint64_t n = 0; n < each; n++) {
            LLVMBuildStore(d->in->b, one, after(d, place, e * each + n));
        }
    }
}

/* A variable that is filled or copied to: its contents are taken to be defined. */
void origin_forget(struct defining *d, LLVMValueRef call) {
    const struct variable *v = origin_variable(d, LLVMGetOperand(call, 0));
    if (v) {
        LLVMTypeRef i64 = LLVMInt64TypeInContext(d->llvm);
        LLVMValueRef bytes = LLVMBuildZExtOrBitCast(d->in->b, LLVMGetOperand(call, 2), i64, "");
        bytes = LLVMBuildMul(d->in->b, bytes, ir_const64(d->llvm, 4 / v->granule), "");
        LLVMBuildMemSet(d->in->b, place_of(d, v, LLVMGetOperand(call, 0)),
                        LLVMConstNull(LLVMInt8TypeInContext(d->llvm)), bytes, 4);
    }
}

/* definedness.c: which values come from local memory that nobody has written, and where they matter (uninitialized-read).
 * Nobody's, too, is what a sub-group's shuffle gets from a work-item that isn't there (absent-lane).
 *
 * Needs a kernel whose accesses of memory are still the program's own (instrument.c calls this before it adds checks).
 * Gives: beside each value that may stem from a load of local memory its *origin*, an i32 for each element: 0 if it is
 * defined, else the site of the load and the cell that nobody has written, or of the shuffle and the lane, as
 * lib/cl/check.cl makes it. Origins follow values through arithmetic, PHIs, private variables and, by what these do,
 * functions of sub-groups and work-groups, as MemorySanitizer's do (Stepanov and Serebryany, 2015):
 *
 *     %x = load i32, ptr addrspace(3) %p           %x.o = call i32 @__weir_check_origin_4(i64 %a, i32 7)
 *     %y = add i32 %x, 1                           %y.o = %x.o
 *     %z = select i1 %in, i32 %y, i32 0            %z.o = select i1 %in, i32 %y.o, i32 0
 *     store i32 %z, ptr addrspace(1) %q            call void @__weir_check_used(i32 %z.o, i32 8, i32 STORED)
 *
 * A value is used where a branch or an address depends on it and where it is stored to global memory or printed. All doubt is to the
 * side of silence: what a zero multiplies or masks is gone; a word joined from parts is undefined if all of them are;
 * branches within built-in functions don't count, nor does what goes through votes or pointers to private memory. An
 * undefined value that is stored to local memory leaves it unwritten. */
#include "frontend.h"
#include "instrument.h"
#include "lower.h"
#include <string.h>

enum { LARGEST_VARIABLE = 16384 }; /* bytes of a private variable whose contents are followed */

struct variable {            /* in private memory */
    LLVMValueRef origins;    /* an array of i32 */
    uint64_t granule, bytes; /* bytes for each of them, 1 to 4; of the variable */
};

struct defining {
    struct instrumenting *in;
    LLVMContextRef llvm;
    LLVMTypeRef i32;
    struct ptrmap may;       /* values that may be undefined -> 1 */
    struct ptrmap origin;    /* of those that have been reached -> its value */
    struct ptrmap variables; /* alloca that may hold such values -> struct variable */
    struct ptrmap sites;     /* what such values stem from -> the number of its site, an LLVMValueRef */
    struct list work, phis;
    bool taints; /* one of those is stored to local memory, so that reads ask for such stores, too */
};

/* ---- shapes ---- */

enum { NO_SHAPE = ~0u };

/* Elements that have an origin each: of a vector; 0: the value has one. */
static unsigned shape_of(LLVMTypeRef type) {
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
        return LLVMCountStructElementTypes(type) == 2 && !shape_of(LLVMStructGetTypeAtIndex(type, 0))
                   ? 0
                   : NO_SHAPE;
    default:
        return NO_SHAPE;
    }
}

static LLVMTypeRef origin_type(struct defining *d, unsigned shape) {
    return shape ? LLVMVectorType(d->i32, shape) : d->i32;
}

/* ---- which values may be undefined ---- */

static bool is_arithmetic_call(LLVMValueRef i) {
    if (!ir_is_intrinsic(i, "llvm.") || ir_is_intrinsic(i, "llvm.mem") ||
        ir_is_intrinsic(i, "llvm.lifetime.") || ir_is_marker(i) || shape_of(LLVMTypeOf(i)) == NO_SHAPE) {
        return false;
    }
    for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++) {
        unsigned shape = shape_of(LLVMTypeOf(LLVMGetOperand(i, n)));
        if (shape && shape != shape_of(LLVMTypeOf(i)) && shape_of(LLVMTypeOf(i))) {
            return false;
        }
    }
    return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind;
}

/* Joins its value to a work-group's total, as its functions do (lib/cl/collective.cl). One that is and-ed or or-ed may be
 * gone. */
static bool joins_total(LLVMValueRef i) {
    return subgroup_op_of(i) == SUBGROUP_TOTAL && !ir_is_intrinsic(i, "__weir_sub_total_and_") &&
           !ir_is_intrinsic(i, "__weir_sub_total_or_");
}

/* A function of sub-groups that makes a value of the same type of work-items' values. */
static bool joins_lanes(LLVMValueRef i) {
    enum subgroup_op op = subgroup_op_of(i);
    return joins_total(i) || op == SUBGROUP_SHUFFLE || op == SUBGROUP_FIRST || op == SUBGROUP_REDUCE ||
           op == SUBGROUP_SCAN || op == SUBGROUP_BEFORE || op == SUBGROUP_CLUSTER;
}

/* Whether the instruction's value is computed from its operands' and nothing else. */
static bool is_computed(LLVMValueRef i) {
    if (shape_of(LLVMTypeOf(i)) == NO_SHAPE) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMSelect:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFNeg:
    case LLVMFreeze:
    case LLVMExtractValue:
        return true;
    case LLVMGetElementPtr:
        return !shape_of(LLVMTypeOf(i));
    case LLVMCall:
        return is_arithmetic_call(i) || joins_lanes(i);
    default:
        return LLVMIsACastInst(i) || LLVMIsABinaryOperator(i);
    }
}

static void add(struct defining *d, LLVMValueRef v) {
    if (!ptrmap_at(&d->may, v, 0)) {
        ptrmap_set(&d->may, v, 1);
        list_add(&d->work, v);
    }
}

/* What is loaded from the address or any computed from it. */
static void add_loads(struct defining *d, LLVMValueRef p) {
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user) && shape_of(LLVMTypeOf(user)) != NO_SHAPE) {
            add(d, user);
        } else if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user)) {
            add_loads(d, user);
        }
    }
}

/* The smallest access of the variable in bytes, at most 4; 0: one that isn't followed. */
static uint64_t granule_of(struct defining *d, LLVMValueRef p) {
    uint64_t least = 4;
    for (LLVMUseRef u = LLVMGetFirstUse(p); u && least; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        uint64_t here = 4;
        if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) {
            LLVMTypeRef type = ir_access_type(user);
            uint64_t n = shape_of(type) == NO_SHAPE ? 0 : LLVMStoreSizeOfType(d->in->layout, type);
            n = n && shape_of(type) ? LLVMStoreSizeOfType(d->in->layout, LLVMGetElementType(type)) : n;
            here = n & -n;
        } else if (LLVMIsAGetElementPtrInst(user)) {
            struct gep_step steps[GEP_STEPS];
            unsigned count = ir_gep_steps(d->in->layout, user, steps);
            here = count ? granule_of(d, user) : 0;
            for (unsigned s = 0; s < count;
                 s++) { /* a constant step tells of its bytes, others of their factor */
                bool fixed = steps[s].index && LLVMIsAConstantInt(steps[s].index);
                uint64_t n =
                    fixed ? steps[s].bytes * LLVMConstIntGetZExtValue(steps[s].index) : steps[s].bytes;
                here = n && (n & -n) < here ? n & -n : here;
            }
        } else if (LLVMIsAAddrSpaceCastInst(user)) {
            here = granule_of(d, user);
        }
        least = here < least ? here : least;
    }
    return least;
}

/* A variable that an undefined value is stored to. */
static void add_variable(struct defining *d, LLVMValueRef var) {
    uint64_t bytes = private_size(d->in->layout, var), granule;
    uintptr_t known;
    if (ptrmap_get(&d->variables, var, &known)) {
        return;
    }
    struct variable *v = NULL;
    if (bytes <= LARGEST_VARIABLE && !private_escapes(var) && (granule = granule_of(d, var))) {
        v = job_alloc(sizeof *v);
        v->granule = granule;
        v->bytes = bytes;
        LLVMBuilderRef b = ir_at_entry(d->in->k->run);
        LLVMTypeRef type = LLVMArrayType2(d->i32, (bytes + granule - 1) / granule);
        v->origins = LLVMBuildAlloca(b, type, "origins");
        LLVMBuildMemSet(b, v->origins, LLVMConstNull(LLVMInt8TypeInContext(d->llvm)),
                        ir_const64(d->llvm, LLVMABISizeOfType(d->in->layout, type)), 4);
        LLVMDisposeBuilder(b);
        add_loads(d, var);
    }
    ptrmap_set(&d->variables, var, (uintptr_t)v);
}

/* Local memory in which the functions of work-groups hand values on. */
static bool is_meeting_place(LLVMValueRef p) {
    return ir_is_call_to(p, "__weir_scratch");
}

static void follow(struct defining *d) {
    while (d->work.n) {
        LLVMValueRef v = d->work.at[--d->work.n];
        for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u), place = joins_total(user) ? LLVMGetOperand(user, 0) : NULL;
            if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v) {
                place = LLVMGetOperand(user, 1);
            }
            if (place && private_base(place)) {
                add_variable(d, private_base(place));
            } else if (place && is_meeting_place(place)) {
                add_loads(d, place);
            }
            if (is_computed(user)) {
                add(d, user);
            }
        }
    }
}

static bool is_local(LLVMValueRef p) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_LOCAL;
}

/* Whether somebody else tells of the shuffle's lane if it isn't there: it is a broadcast's. */
static bool is_broadcast(LLVMValueRef shuffle) {
    for (LLVMValueRef i = LLVMGetPreviousInstruction(shuffle); i; i = LLVMGetPreviousInstruction(i)) {
        if (ir_is_call_to(i, "__weir_mark_broadcast") && LLVMGetOperand(i, 0) == LLVMGetOperand(shuffle, 1)) {
            return true;
        }
    }
    return false;
}

/* An exchange's value has whether it was expected besides. */
static LLVMTypeRef accessed_type(LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i);
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, 0) : type;
}

static bool is_source(struct defining *d, LLVMValueRef i) {
    if (subgroup_op_of(i) == SUBGROUP_SHUFFLE) {
        return !is_broadcast(i);
    }
    LLVMValueRef p = LLVMIsAStoreInst(i) ? NULL : ir_address(i);
    return p && is_local(p) && shape_of(LLVMTypeOf(i)) != NO_SHAPE && instrument_is_shared(d->in, p) &&
           !ptrmap_at(&d->in->covered, i, 0);
}

/* Sites of these come before all others' (instrument_pass), as there is little room for them in an origin: the last one stands
 * for others, too, if there would be more. */
static void add_source(struct defining *d, LLVMValueRef i) {
    static const unsigned most = WEIR_ORIGIN_SITES - 1;
    bool is_load = subgroup_op_of(i) != SUBGROUP_SHUFFLE;
    uint32_t bytes = is_load ? (uint32_t)LLVMStoreSizeOfType(d->in->layout, accessed_type(i)) : 0;
    LLVMValueRef site =
        d->in->k->sites.n > most ? ir_const32(d->llvm, most)
        : is_load ? instrument_site(d->in, i, WEIR_SITE_READ, bytes, instrument_object(d->in, ir_address(i)))
                  : instrument_site(d->in, i, WEIR_SITE_LANE, 0, 0);
    ptrmap_set(&d->sites, i, (uintptr_t)site);
    add(d, i);
}

/* ---- origins ---- */

static LLVMValueRef none(struct defining *d, unsigned shape) {
    return LLVMConstNull(origin_type(d, shape));
}

static LLVMValueRef origin_of(struct defining *d, LLVMValueRef v) {
    return (LLVMValueRef)ptrmap_at(&d->origin, v, (uintptr_t)none(d, shape_of(LLVMTypeOf(v))));
}

static bool is_none(LLVMValueRef origin) {
    return LLVMIsConstant(origin) && LLVMIsNull(origin);
}

/* Undefined if one of them is. */
static LLVMValueRef either(struct defining *d, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef args[] = {x, y};
    if (is_none(x) || x == y) {
        return y;
    }
    return is_none(y) ? x : ir_intrinsic(d->in->b, "llvm.umax", &(LLVMTypeRef){LLVMTypeOf(x)}, 1, args, 2);
}

/* Undefined if both are. */
static LLVMValueRef both(struct defining *d, LLVMValueRef x, LLVMValueRef y) {
    LLVMValueRef args[] = {x, y};
    return is_none(x) || is_none(y)
               ? LLVMConstNull(LLVMTypeOf(x))
               : ir_intrinsic(d->in->b, "llvm.umin", &(LLVMTypeRef){LLVMTypeOf(x)}, 1, args, 2);
}

/* Of a vector of origins one: if any of them is undefined, or only if all are. */
static LLVMValueRef reduced(struct defining *d, LLVMValueRef origins, bool all) {
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

static LLVMValueRef splat(struct defining *d, LLVMValueRef one, unsigned shape) {
    LLVMValueRef v = shape ? none(d, shape) : one;
    for (unsigned n = 0; n < shape; n++) {
        v = LLVMBuildInsertElement(d->in->b, v, one, ir_const32(d->llvm, n), "");
    }
    return v;
}

/* `origin` where v, the other operand, isn't `nothing`, a value that throws the first one away. */
static LLVMValueRef unless(struct defining *d, LLVMValueRef origin, LLVMValueRef v, LLVMValueRef nothing) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
    kind = kind == LLVMVectorTypeKind ? LLVMGetTypeKind(LLVMGetElementType(LLVMTypeOf(v))) : kind;
    if (is_none(origin) || (LLVMIsConstant(v) && v != nothing)) {
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
            return none(d, shape_of(type));
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
    unsigned shape = shape_of(LLVMTypeOf(i)), n = LLVMGetNumArgOperands(i);
    LLVMValueRef sum = none(d, shape);
    if (ir_is_intrinsic(i, "llvm.fma.") || ir_is_intrinsic(i, "llvm.fmuladd.")) {
        sum = masked(d, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMConstNull(LLVMTypeOf(i)));
        return either(d, sum, origin_of(d, LLVMGetOperand(i, 2)));
    }
    for (unsigned a = 0; a < n; a++) {
        LLVMValueRef o = origin_of(d, LLVMGetOperand(i, a));
        if (!is_none(o)) {
            o = shape_of(LLVMTypeOf(LLVMGetOperand(i, a))) == shape ? o
                                                                    : splat(d, reduced(d, o, false), shape);
            sum = either(d, sum, o);
        }
    }
    return sum;
}

static LLVMValueRef of_select(struct defining *d, LLVMValueRef i) {
    LLVMValueRef c = LLVMGetOperand(i, 0), o = origin_of(d, c);
    unsigned shape = shape_of(LLVMTypeOf(i));
    LLVMValueRef chosen = LLVMBuildSelect(d->in->b, c, origin_of(d, LLVMGetOperand(i, 1)),
                                          origin_of(d, LLVMGetOperand(i, 2)), "");
    return is_none(o) ? chosen : either(d, chosen, shape_of(LLVMTypeOf(c)) == shape ? o : splat(d, o, shape));
}

static LLVMValueRef of_cast(struct defining *d, LLVMValueRef i) {
    LLVMValueRef o = origin_of(d, LLVMGetOperand(i, 0));
    unsigned shape = shape_of(LLVMTypeOf(i));
    return shape_of(LLVMTypeOf(LLVMGetOperand(i, 0))) == shape ? o : splat(d, reduced(d, o, true), shape);
}

static LLVMValueRef of_address(struct defining *d, LLVMValueRef gep) {
    LLVMValueRef sum = none(d, 0);
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
    LLVMValueRef o =
        is_none(args[0]) && !is_total ? args[0] : instrument_value(d->in, functions[op], d->i32, args, n);
    if (op != SUBGROUP_SHUFFLE) {
        return o;
    }
    if (is_source(d, i)) {
        LLVMValueRef which[] = {args[1], (LLVMValueRef)ptrmap_at(&d->sites, i, 0)};
        o = either(d, o, instrument_value(d->in, "__weir_check_absent", d->i32, which, 2));
    }
    return either(d, o, origin_of(d, args[1]));
}

static LLVMValueRef of_computed(struct defining *d, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
        list_add(&d->phis, i);
        return LLVMBuildPhi(d->in->b, origin_type(d, shape_of(LLVMTypeOf(i))), "origin");
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
        return joins_lanes(i) ? of_lanes(d, i) : of_call(d, i);
    default:
        return LLVMIsACastInst(i) ? of_cast(d, i) : of_binary(d, i);
    }
}

/* ---- memory ---- */

static LLVMValueRef address(struct defining *d, LLVMValueRef p, uint64_t offset) {
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
        LLVMValueRef args[] = {address(d, p, at), site, ir_const32(d->llvm, d->taints)};
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
    LLVMValueRef last = ir_const64(d->llvm, 3), start = LLVMBuildAnd(d->in->b, address(d, p, 0), last, "");
    LLVMValueRef goes_on = LLVMBuildICmp(d->in->b, LLVMIntUGT, start, ir_const64(d->llvm, 3 - offset), "");
    return LLVMBuildSelect(d->in->b, goes_on, next, own, "");
}

/* Of a load of local memory, before it: an element is undefined if nobody has written any of its cells. */
static LLVMValueRef of_source(struct defining *d, LLVMValueRef i) {
    LLVMTypeRef type = accessed_type(i);
    unsigned shape = shape_of(type);
    uint64_t bytes = LLVMStoreSizeOfType(d->in->layout, type), each = shape ? bytes / shape : bytes;
    LLVMValueRef *cells = job_alloc((bytes / 4 + 3) * sizeof *cells), p = ir_address(i), v = none(d, shape);
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

static const struct variable *variable_at(struct defining *d, LLVMValueRef p) {
    LLVMValueRef var = private_base(p);
    return var ? (const struct variable *)ptrmap_at(&d->variables, var, 0) : NULL;
}

/* How many origins each element of the type has in the variable. */
static uint64_t places_each(struct defining *d, const struct variable *v, LLVMTypeRef type) {
    unsigned shape = shape_of(type);
    uint64_t n = LLVMStoreSizeOfType(d->in->layout, type) / (shape ? shape : 1) / v->granule;
    return n ? n : 1;
}

static LLVMValueRef of_variable(struct defining *d, const struct variable *var, LLVMValueRef load) {
    unsigned shape = shape_of(LLVMTypeOf(load));
    uint64_t each = places_each(d, var, LLVMTypeOf(load));
    LLVMValueRef place = place_of(d, var, LLVMGetOperand(load, 0)), v = none(d, shape);
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

static void store_to_variable(struct defining *d, const struct variable *var, LLVMValueRef store) {
    LLVMValueRef value = LLVMGetOperand(store, 0), origin = origin_of(d, value);
    unsigned shape = shape_of(LLVMTypeOf(value));
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
static void forget_variable(struct defining *d, LLVMValueRef call) {
    const struct variable *v = variable_at(d, LLVMGetOperand(call, 0));
    if (v) {
        LLVMTypeRef i64 = LLVMInt64TypeInContext(d->llvm);
        LLVMValueRef bytes = LLVMBuildZExtOrBitCast(d->in->b, LLVMGetOperand(call, 2), i64, "");
        bytes = LLVMBuildMul(d->in->b, bytes, ir_const64(d->llvm, 4 / v->granule), "");
        LLVMBuildMemSet(d->in->b, place_of(d, v, LLVMGetOperand(call, 0)),
                        LLVMConstNull(LLVMInt8TypeInContext(d->llvm)), bytes, 4);
    }
}

/* ---- uses ---- */

bool instrument_is_library(struct kernel *k, LLVMValueRef i) {
    return LLVMGetMetadata(i, LLVMGetMDKindIDInContext(k->llvm, MARK_LIBRARY, strlen(MARK_LIBRARY))) != NULL;
}

static void use(struct defining *d, LLVMValueRef at, LLVMValueRef origin, uint32_t how) {
    origin = reduced(d, origin, false);
    if (!is_none(origin)) {
        LLVMValueRef site = instrument_site(d->in, at, WEIR_SITE_USE, 0, 0);
        LLVMValueRef args[] = {origin, site, ir_const32(d->llvm, how)};
        instrument_call(d->in, "__weir_check_used", args, 3);
    }
}

/* After a store to local memory of a value that may be undefined: of each element that has cells of its own, or, if all are, of
 * the whole. */
static void unwrite(struct defining *d, LLVMValueRef i, LLVMValueRef value) {
    LLVMValueRef origin = origin_of(d, value), p = ir_address(i);
    unsigned shape = shape_of(LLVMTypeOf(value));
    uint64_t bytes = LLVMStoreSizeOfType(d->in->layout, LLVMTypeOf(value)),
             each = shape ? LLVMABISizeOfType(d->in->layout, LLVMGetElementType(LLVMTypeOf(value))) : bytes;
    if (is_none(origin)) {
        return;
    }
    instrument_before(d->in, LLVMGetNextInstruction(i));
    bool is_apart = shape && each % 4 == 0;
    LLVMValueRef site = instrument_site(d->in, i, WEIR_SITE_WRITE, 0, instrument_object(d->in, p));
    for (unsigned e = 0; e < (is_apart ? shape : 1); e++) {
        LLVMValueRef one = is_apart ? LLVMBuildExtractElement(d->in->b, origin, ir_const32(d->llvm, e), "")
                                    : reduced(d, origin, true);
        if (!is_none(one)) {
            LLVMValueRef args[] = {one, address(d, p, e * each), ir_const64(d->llvm, is_apart ? each : bytes),
                                   site};
            instrument_call(d->in, "__weir_check_unwrite", args, 4);
        }
    }
}

static void use_stored(struct defining *d, LLVMValueRef i, LLVMValueRef value) {
    LLVMValueRef p = ir_address(i);
    const struct variable *v = variable_at(d, p);
    if (v) {
        store_to_variable(d, v, i);
    } else if (is_meeting_place(p) && ptrmap_at(&d->may, value, 0)) {
        LLVMValueRef origin = origin_of(d, value);
        instrument_call(d->in, "__weir_check_left", &origin, 1);
    } else if (is_local(p)) {
        unwrite(d, i, value);
    } else if (!private_base(p) && instrument_is_shared(d->in, p)) {
        use(d, i, origin_of(d, value), WEIR_USE_STORES);
    }
}

/* Of a value that may be a copy made of one that comes later. */
static LLVMValueRef origin_here(void *user, LLVMValueRef v) {
    struct defining *d = user;
    bool is_new =
        LLVMIsAInstruction(v) && is_computed(v) && !ptrmap_at(&d->origin, v, 0) && !ptrmap_at(&d->may, v, 0);
    if (is_new) {
        ptrmap_set(&d->origin, v, (uintptr_t)of_computed(d, v));
    }
    return reduced(d, origin_of(d, v), false);
}

static void use_condition(struct defining *d, LLVMValueRef branch) {
    LLVMValueRef origin = origin_of(d, LLVMGetCondition(branch)), settled;
    if (!is_none(origin) && (settled = short_circuit(d->in, branch, origin_here, d))) {
        origin = LLVMBuildSelect(d->in->b, settled, none(d, 0), origin, "");
    }
    use(d, branch, origin, WEIR_USE_BRANCHES);
}

static void use_operands(struct defining *d, LLVMValueRef i) {
    bool own = !instrument_is_library(d->in->k, i);
    LLVMValueRef p = ir_address(i);
    if (p && (own || instrument_is_shared(d->in, p))) {
        use(d, i, origin_of(d, p), WEIR_USE_ADDRESSES);
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr:
        if (own && LLVMIsConditional(i)) {
            use_condition(d, i);
        }
        break;
    case LLVMSwitch:
        if (own) {
            use(d, i, origin_of(d, LLVMGetOperand(i, 0)), WEIR_USE_BRANCHES);
        }
        break;
    case LLVMStore:
        use_stored(d, i, LLVMGetOperand(i, 0));
        break;
    case LLVMAtomicRMW:
        use_stored(d, i, LLVMGetOperand(i, 1));
        break;
    case LLVMAtomicCmpXchg:
        use_stored(d, i, LLVMGetOperand(i, 2));
        break;
    case LLVMCall:
        if (ir_is_intrinsic(i, "llvm.mem")) {
            forget_variable(d, i);
        }
        for (unsigned a = 0; ir_is_call_to(i, "printf") && a < LLVMGetNumArgOperands(i); a++) {
            use(d, i, origin_of(d, LLVMGetOperand(i, a)), WEIR_USE_PRINTS);
        }
        break;
    default:
        break;
    }
}

/* ---- the whole ---- */

static void reach(struct defining *d, LLVMValueRef i) {
    bool may = ptrmap_at(&d->may, i, 0);
    if (!may) {
        instrument_before(d->in, i);
        use_operands(d, i);
        return;
    }
    const struct variable *v = LLVMIsALoadInst(i) ? variable_at(d, LLVMGetOperand(i, 0)) : NULL;
    instrument_before(d->in, i); /* PHIs of a block stay together: its origin comes before it */
    if (!LLVMIsAPHINode(i)) {
        use_operands(d, i);
        instrument_before(d->in, i);
    }
    LLVMValueRef p = ir_address(i), o;
    if (v) {
        o = of_variable(d, v, i);
    } else if (p && is_meeting_place(p)) {
        o = splat(d, instrument_value(d->in, "__weir_check_met", d->i32, NULL, 0), shape_of(LLVMTypeOf(i)));
    } else {
        o = p && is_source(d, i) ? of_source(d, i) : of_computed(d, i);
    }
    ptrmap_set(&d->origin, i, (uintptr_t)o);
}

static void fill_phis(struct defining *d) {
    for (size_t n = 0; n < d->phis.n; n++) {
        LLVMValueRef phi = d->phis.at[n], o = origin_of(d, phi);
        for (unsigned e = 0; e < LLVMCountIncoming(phi); e++) {
            LLVMValueRef from = origin_of(d, LLVMGetIncomingValue(phi, e));
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, e);
            LLVMAddIncoming(o, &from, &block, 1);
        }
    }
}

static void find_taints(struct defining *d, const unsigned *order, unsigned n) {
    while (n-- > 0) {
        LLVMValueRef i = LLVMGetFirstInstruction(d->in->blocks[order[n]]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef stored = LLVMIsAStoreInst(i)           ? LLVMGetOperand(i, 0)
                                  : LLVMIsAAtomicRMWInst(i)     ? LLVMGetOperand(i, 1)
                                  : LLVMIsAAtomicCmpXchgInst(i) ? LLVMGetOperand(i, 2)
                                                                : NULL;
            d->taints |= stored && is_local(ir_address(i)) && !is_meeting_place(ir_address(i)) &&
                         ptrmap_at(&d->may, stored, 0);
        }
    }
}

void definedness_insert(struct instrumenting *in) {
    struct defining d = {.in = in, .llvm = in->k->llvm, .i32 = LLVMInt32TypeInContext(in->k->llvm)};
    unsigned count,
        *order = graph_order(in->cfg, &count); /* in which each comes after those that dominate it */
    for (unsigned n = 0; n < count; n++) {
        LLVMValueRef i = LLVMGetFirstInstruction(in->blocks[order[n]]);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (is_source(&d, i)) {
                add_source(&d, i);
            }
        }
    }
    follow(&d);
    find_taints(&d, order, count);
    for (unsigned n = 0; d.may.used && n < count; n++) {
        LLVMValueRef next, i = LLVMGetFirstInstruction(in->blocks[order[n]]);
        for (; i; i = next) {
            next = LLVMGetNextInstruction(i);
            reach(&d, i);
        }
    }
    fill_phis(&d);
}

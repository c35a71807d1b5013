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
#include "definedness.h"
#include <string.h>

enum { LARGEST_VARIABLE = 16384 }; /* bytes of a private variable whose contents are followed */

/* ---- which values may be undefined ---- */

static bool is_arithmetic_call(LLVMValueRef i) {
    if (!ir_is_intrinsic(i, "llvm.") || ir_is_intrinsic(i, "llvm.mem") ||
        ir_is_intrinsic(i, "llvm.lifetime.") || ir_is_marker(i) || origin_shape(LLVMTypeOf(i)) == NO_SHAPE) {
        return false;
    }
    for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++) {
        unsigned shape = origin_shape(LLVMTypeOf(LLVMGetOperand(i, n)));
        if (shape && shape != origin_shape(LLVMTypeOf(i)) && origin_shape(LLVMTypeOf(i))) {
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
bool definedness_joins_lanes(LLVMValueRef i) {
    enum subgroup_op op = subgroup_op_of(i);
    return joins_total(i) || op == SUBGROUP_SHUFFLE || op == SUBGROUP_FIRST || op == SUBGROUP_REDUCE ||
           op == SUBGROUP_SCAN || op == SUBGROUP_BEFORE || op == SUBGROUP_CLUSTER;
}

/* Whether the instruction's value is computed from its operands' and nothing else. */
static bool is_computed(LLVMValueRef i) {
    if (origin_shape(LLVMTypeOf(i)) == NO_SHAPE) {
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
        return !origin_shape(LLVMTypeOf(i));
    case LLVMCall:
        return is_arithmetic_call(i) || definedness_joins_lanes(i);
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
        if (LLVMIsALoadInst(user) && origin_shape(LLVMTypeOf(user)) != NO_SHAPE) {
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
            uint64_t n = origin_shape(type) == NO_SHAPE ? 0 : LLVMStoreSizeOfType(d->in->layout, type);
            n = n && origin_shape(type) ? LLVMStoreSizeOfType(d->in->layout, LLVMGetElementType(type)) : n;
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

static bool is_source(struct defining *d, LLVMValueRef i) {
    if (subgroup_op_of(i) == SUBGROUP_SHUFFLE) {
        return !is_broadcast(i);
    }
    LLVMValueRef p = LLVMIsAStoreInst(i) ? NULL : ir_address(i);
    return p && is_local(p) && origin_shape(LLVMTypeOf(i)) != NO_SHAPE && instrument_is_shared(d->in, p) &&
           !ptrmap_at(&d->in->covered, i, 0);
}

/* Sites of these come before all others' (instrument_pass), as there is little room for them in an origin: the last one stands
 * for others, too, if there would be more. */
static void add_source(struct defining *d, LLVMValueRef i) {
    static const unsigned most = WEIR_ORIGIN_SITES - 1;
    bool is_load = subgroup_op_of(i) != SUBGROUP_SHUFFLE;
    uint32_t bytes = is_load ? (uint32_t)LLVMStoreSizeOfType(d->in->layout, origin_accessed_type(i)) : 0;
    LLVMValueRef site = d->in->k->sites.n > most ? ir_const32(d->llvm, most)
                        : is_load ? instrument_access_site(d->in, i, WEIR_SITE_READ, bytes, ir_address(i))
                                  : instrument_site(d->in, i, WEIR_SITE_LANE, 0, 0);
    ptrmap_set(&d->sites, i, (uintptr_t)site);
    add(d, i);
}

/* ---- uses ---- */

bool instrument_is_library(struct kernel *k, LLVMValueRef i) {
    return LLVMGetMetadata(i, LLVMGetMDKindIDInContext(k->llvm, MARK_LIBRARY, strlen(MARK_LIBRARY))) != NULL;
}

static void use(struct defining *d, LLVMValueRef at, LLVMValueRef origin, uint32_t how) {
    origin = origin_reduced(d, origin, false);
    if (!origin_is_none(origin)) {
        LLVMValueRef site = instrument_site(d->in, at, WEIR_SITE_USE, 0, 0);
        LLVMValueRef args[] = {origin, site, ir_const32(d->llvm, how)};
        instrument_call(d->in, "__weir_check_used", args, 3);
    }
}

/* After a store to local memory of a value that may be undefined: of each element that has cells of its own, or, if all are, of
 * the whole. */
static void unwrite(struct defining *d, LLVMValueRef i, LLVMValueRef value) {
    LLVMValueRef origin = origin_of(d, value), p = ir_address(i);
    unsigned shape = origin_shape(LLVMTypeOf(value));
    uint64_t bytes = LLVMStoreSizeOfType(d->in->layout, LLVMTypeOf(value)),
             each = shape ? LLVMABISizeOfType(d->in->layout, LLVMGetElementType(LLVMTypeOf(value))) : bytes;
    if (origin_is_none(origin)) {
        return;
    }
    instrument_before(d->in, LLVMGetNextInstruction(i));
    bool is_apart = shape && each % 4 == 0;
    LLVMValueRef site = instrument_access_site(d->in, i, WEIR_SITE_WRITE, 0, p);
    for (unsigned e = 0; e < (is_apart ? shape : 1); e++) {
        LLVMValueRef one = is_apart ? LLVMBuildExtractElement(d->in->b, origin, ir_const32(d->llvm, e), "")
                                    : origin_reduced(d, origin, true);
        if (!origin_is_none(one)) {
            LLVMValueRef args[] = {one, origin_address(d, p, e * each),
                                   ir_const64(d->llvm, is_apart ? each : bytes), site};
            instrument_call(d->in, "__weir_check_unwrite", args, 4);
        }
    }
}

static void use_stored(struct defining *d, LLVMValueRef i, LLVMValueRef value) {
    LLVMValueRef p = ir_address(i);
    const struct variable *v = origin_variable(d, p);
    if (v) {
        origin_store(d, v, i);
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
        ptrmap_set(&d->origin, v, (uintptr_t)origin_computed(d, v));
    }
    return origin_reduced(d, origin_of(d, v), false);
}

static void use_condition(struct defining *d, LLVMValueRef branch) {
    LLVMValueRef origin = origin_of(d, LLVMGetCondition(branch)), settled;
    if (!origin_is_none(origin) && (settled = short_circuit(d->in, branch, origin_here, d))) {
        origin = LLVMBuildSelect(d->in->b, settled, origin_none(d, 0), origin, "");
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
            origin_forget(d, i);
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
    const struct variable *v = LLVMIsALoadInst(i) ? origin_variable(d, LLVMGetOperand(i, 0)) : NULL;
    instrument_before(d->in, i); /* PHIs of a block stay together: its origin comes before it */
    if (!LLVMIsAPHINode(i)) {
        use_operands(d, i);
        instrument_before(d->in, i);
    }
    LLVMValueRef p = ir_address(i), o;
    if (v) {
        o = origin_of_variable(d, v, i);
    } else if (p && is_meeting_place(p)) {
        o = origin_splat(d, instrument_value(d->in, "__weir_check_met", d->i32, NULL, 0),
                         origin_shape(LLVMTypeOf(i)));
    } else {
        o = p && is_source(d, i) ? origin_loaded(d, i) : origin_computed(d, i);
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
            bool changes = LLVMIsAAtomicCmpXchgInst(i) ||
                           (LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) != LLVMAtomicRMWBinOpXchg);
            d->taints |= stored && is_local(ir_address(i)) && !is_meeting_place(ir_address(i)) &&
                         (changes || ptrmap_at(&d->may, stored, 0));
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

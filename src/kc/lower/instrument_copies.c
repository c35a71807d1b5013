/* instrument_copies.c: what a checked kernel asks before it copies or fills memory (struct assignments, initializers).
 *
 * Where the code tells the type of what is copied, each member is checked as an access of its own, with its value, so that
 * work-items that all assign the same struct do no harm (docs/checker.md), and no word is said of the padding between members,
 * which has no value. The copy itself stays, as a union may keep a value there:
 *
 *     call void @llvm.memcpy(ptr addrspace(3) @s, ptr %t, i64 8, i1 false)                 struct { char c; int i; }
 *  becomes
 *     %c = load i8, ptr %t
 *     call void @__weir_check_access(i64 %s, i32 7, i32 1, i32 1, i64 %c.bits, i64 0)
 *     %i = load i32, ptr %t.4
 *     call void @__weir_check_access(i64 %s.4, i32 8, i32 1, i32 4, i64 %i.bits, i64 0)
 *     call void @llvm.memcpy(...)
 *
 * Others, of any length, are checked by a loop over their bytes, without values. */
#include "instrument.h"

enum { MOST_MEMBERS = 64 };

struct member {
    LLVMTypeRef type;
    uint64_t offset, bytes;
};

struct members {
    LLVMTargetDataRef layout;
    struct member at[MOST_MEMBERS];
    unsigned n;
};

/* Adds the numbers, vectors and pointers that a value of the type at the offset consists of; false: there are too many. */
static bool add_members(struct members *m, LLVMTypeRef type, uint64_t offset) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool fits = true;
    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type) && fits; i++) {
            fits = add_members(m, LLVMStructGetTypeAtIndex(type, i),
                               offset + LLVMOffsetOfElement(m->layout, type, i));
        }
    } else if (kind == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t n = LLVMGetArrayLength2(type), each = LLVMABISizeOfType(m->layout, element);
        fits = n <= MOST_MEMBERS;
        for (uint64_t i = 0; i < n && fits; i++) {
            fits = add_members(m, element, offset + i * each);
        }
    } else {
        fits = m->n < MOST_MEMBERS;
        if (fits) {
            m->at[m->n++] = (struct member){type, offset, LLVMStoreSizeOfType(m->layout, type)};
        }
    }
    return fits;
}

/* The type that a GEP's pointer leads to. */
static LLVMTypeRef stepped_type(LLVMValueRef gep) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        type =
            is_struct
                ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gep, i)))
                : LLVMGetElementType(type);
    }
    return type;
}

/* The type of `bytes` bytes that the pointer leads to, as far as the code names it; else NULL. */
static LLVMTypeRef copied_type(LLVMTargetDataRef layout, LLVMValueRef p, uint64_t bytes) {
    while (ir_is_op(p, LLVMAddrSpaceCast) || LLVMIsABitCastInst(p)) {
        p = LLVMGetOperand(p, 0);
    }
    LLVMTypeRef type = LLVMIsAAllocaInst(p)             ? LLVMGetAllocatedType(p)
                       : LLVMIsAGlobalVariable(p)       ? LLVMGlobalGetValueType(p)
                       : ir_is_op(p, LLVMGetElementPtr) ? stepped_type(p)
                                                        : NULL;
    while (type && LLVMABISizeOfType(layout, type) != bytes) {
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        bool has_first = kind == LLVMStructTypeKind && LLVMCountStructElementTypes(type);
        type = kind == LLVMArrayTypeKind ? LLVMGetElementType(type)
               : has_first               ? LLVMStructGetTypeAtIndex(type, 0)
                                         : NULL;
    }
    return type;
}

/* What the call copies or fills, by members; false: it isn't known. */
static bool find_members(struct members *m, LLVMValueRef call, bool copies) {
    LLVMValueRef length = LLVMGetOperand(call, 2);
    bool is_volatile = !LLVMIsNull(LLVMGetOperand(call, 3));
    if (!LLVMIsAConstantInt(length) || is_volatile) {
        return false;
    }
    uint64_t bytes = LLVMConstIntGetZExtValue(length);
    LLVMTypeRef type = copied_type(m->layout, LLVMGetOperand(call, 0), bytes);
    if (!type && copies) {
        type = copied_type(m->layout, LLVMGetOperand(call, 1), bytes);
    }
    return type && add_members(m, type, 0);
}

/* A number of so many bytes that are all the same. */
static LLVMValueRef filled(struct instrumenting *in, LLVMValueRef byte, uint64_t bytes) {
    LLVMTypeRef type = LLVMIntTypeInContext(in->k->llvm, (unsigned)(bytes * 8));
    LLVMValueRef ones = LLVMConstIntOfArbitraryPrecision(
        type, 2, (uint64_t[]){UINT64_C(0x0101010101010101), UINT64_C(0x0101010101010101)});
    return LLVMBuildMul(in->b, LLVMBuildZExtOrBitCast(in->b, byte, type, ""), ones, "");
}

static LLVMValueRef member_address(struct instrumenting *in, LLVMValueRef p, const struct member *m) {
    LLVMValueRef offset = ir_const64(in->k->llvm, m->offset);
    return LLVMBuildGEP2(in->b, LLVMInt8TypeInContext(in->k->llvm), p, &offset, 1, "");
}

/* Of all members at `p`, which the call writes, or reads. */
static void check_members(struct instrumenting *in, LLVMValueRef call, const struct members *m,
                          LLVMValueRef p, bool writes, bool copies) {
    LLVMValueRef from = LLVMGetOperand(call, 1), site = NULL;
    uint32_t what = writes ? WEIR_SITE_WRITE : WEIR_SITE_READ, object = instrument_object(in, p);
    for (unsigned i = 0; i < m->n; i++) {
        const struct member *one = &m->at[i];
        LLVMValueRef value = NULL;
        if (!i || one->bytes != one[-1].bytes) {
            site = instrument_site(in, call, what, (uint32_t)one->bytes, object);
        }
        if (writes && copies) {
            value = LLVMBuildLoad2(in->b, one->type, member_address(in, from, one), "");
            LLVMSetAlignment(value, 1);
        } else if (writes) {
            value = filled(in, from, one->bytes);
        }
        instrument_pieces(in, what, member_address(in, p, one), site, one->bytes, value);
    }
}

void instrument_copy(struct instrumenting *in, LLVMValueRef call, bool copies) {
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1),
                 bytes = LLVMGetOperand(call, 2);
    struct members members = {.layout = in->layout};
    bool is_known = find_members(&members, call, copies);
    instrument_before(in, call);
    for (unsigned writes = 0; writes < 2; writes++) {
        LLVMValueRef p = writes ? to : from;
        if ((!writes && !copies) || !instrument_is_shared(in, p)) {
            continue;
        }
        if (is_known) {
            check_members(in, call, &members, p, writes, copies);
        } else {
            uint32_t what = writes ? WEIR_SITE_WRITE : WEIR_SITE_READ;
            LLVMValueRef site = instrument_site(in, call, what, 0, instrument_object(in, p));
            instrument_range(in, p, site, what, bytes);
        }
    }
}

/* instrument_copies.c: what a checked kernel asks before it copies or fills memory (struct assignments, initializers).
 *
 * Where the code tells the type of what is copied, its members are checked as stores and loads are, with their values, so that
 * work-items that all assign the same struct do no harm (docs/checker.md); members without a gap between them at once, up to 16
 * bytes. No word is said of the padding between members, which has no value. The copy itself stays, as a union may keep a value
 * there:
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

#include <string.h>

enum { MOST_BYTES = 1024 };

struct copied {
    LLVMTargetDataRef layout;
    uint64_t bytes;
    bool is_member[MOST_BYTES]; /* not padding */
};

/* Marks the bytes of numbers, vectors and pointers that a value of the type at the offset consists of. */
static void mark_members(struct copied *c, LLVMTypeRef type, uint64_t offset) {
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            mark_members(c, LLVMStructGetTypeAtIndex(type, i),
                         offset + LLVMOffsetOfElement(c->layout, type, i));
        }
    } else if (kind == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t each = LLVMABISizeOfType(c->layout, element);
        for (uint64_t i = 0; i < LLVMGetArrayLength2(type) && each; i++) {
            mark_members(c, element, offset + i * each);
        }
    } else {
        memset(c->is_member + offset, true, LLVMStoreSizeOfType(c->layout, type));
    }
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

/* What the call copies or fills; false: it isn't known. */
static bool find_copied(struct copied *c, LLVMValueRef call, bool copies) {
    LLVMValueRef length = LLVMGetOperand(call, 2);
    bool is_volatile = !LLVMIsNull(LLVMGetOperand(call, 3));
    if (!LLVMIsAConstantInt(length) || is_volatile || LLVMConstIntGetZExtValue(length) > MOST_BYTES) {
        return false;
    }
    c->bytes = LLVMConstIntGetZExtValue(length);
    LLVMTypeRef type = copied_type(c->layout, LLVMGetOperand(call, 0), c->bytes);
    if (!type && copies) {
        type = copied_type(c->layout, LLVMGetOperand(call, 1), c->bytes);
    }
    if (type) {
        mark_members(c, type, 0);
    }
    return type;
}

/* How many bytes of members to check at once from the offset on; 0: padding is there. */
static uint64_t piece_at(const struct copied *c, uint64_t offset) {
    uint64_t n = 0;
    while (n < LARGEST_PIECE && offset + n < c->bytes && c->is_member[offset + n]) {
        n++;
    }
    return instrument_piece(n);
}

/* A number of so many bytes, or two. */
static LLVMTypeRef piece_type(struct instrumenting *in, uint64_t bytes) {
    LLVMTypeRef number = LLVMIntTypeInContext(in->k->llvm, (unsigned)(bytes < 8 ? bytes : 8) * 8);
    return bytes > 8 ? LLVMVectorType(number, (unsigned)bytes / 8) : number;
}

/* The piece that a fill stores: bytes that are all the same. */
static LLVMValueRef filled(struct instrumenting *in, LLVMValueRef byte, uint64_t bytes) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(in->k->llvm), type = piece_type(in, bytes);
    LLVMValueRef word = LLVMBuildMul(in->b, LLVMBuildZExt(in->b, byte, i64, ""),
                                     ir_const64(in->k->llvm, UINT64_C(0x0101010101010101)), "");
    return bytes > 8 ? ir_splat(in->b, type, word) : LLVMBuildTrunc(in->b, word, type, "");
}

static LLVMValueRef byte_address(struct instrumenting *in, LLVMValueRef p, uint64_t offset) {
    LLVMValueRef index = ir_const64(in->k->llvm, offset);
    return LLVMBuildGEP2(in->b, LLVMInt8TypeInContext(in->k->llvm), p, &index, 1, "");
}

/* Of all members at `p`, which the call writes, or reads. */
static void check_members(struct instrumenting *in, LLVMValueRef call, const struct copied *c, LLVMValueRef p,
                          bool writes, bool copies) {
    LLVMValueRef from = LLVMGetOperand(call, 1), site = NULL;
    uint32_t what = writes ? WEIR_SITE_WRITE : WEIR_SITE_READ;
    for (uint64_t at = 0, piece, last = 0; at < c->bytes; at += piece ? piece : 1) {
        LLVMValueRef value = NULL;
        piece = piece_at(c, at);
        if (!piece) {
            continue;
        }
        if (piece != last) {
            site = instrument_access_site(in, call, what, (uint32_t)piece, p);
            last = piece;
        }
        if (writes && copies) {
            value = LLVMBuildLoad2(in->b, piece_type(in, piece), byte_address(in, from, at), "");
            LLVMSetAlignment(value, 1);
        } else if (writes) {
            value = filled(in, from, piece);
        }
        instrument_pieces(in, what, byte_address(in, p, at), site, piece, value);
    }
}

void instrument_copy(struct instrumenting *in, LLVMValueRef call, bool copies) {
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1),
                 bytes = LLVMGetOperand(call, 2);
    struct copied copied = {.layout = in->layout};
    bool is_known = find_copied(&copied, call, copies);
    instrument_before(in, call);
    for (unsigned writes = 0; writes < 2; writes++) {
        LLVMValueRef p = writes ? to : from;
        if ((!writes && !copies) || !instrument_is_shared(in, p)) {
            continue;
        }
        if (is_known) {
            check_members(in, call, &copied, p, writes, copies);
        } else {
            uint32_t what = writes ? WEIR_SITE_WRITE : WEIR_SITE_READ;
            LLVMValueRef site = instrument_access_site(in, call, what, 0, p);
            instrument_range(in, p, site, what, bytes);
        }
    }
}

/* memory.c: loads, stores, copies, and addresses. */
#include "reader.h"

#include "opcodes.h"

/* ---- operands of an access -------------------------------------------------------------------------------------------- */

struct access {
    bool is_volatile, nontemporal;
    unsigned align; /* 0: the type's own */
};

static struct access access_operands(struct reader *r, const struct instruction *in, uint32_t k) {
    struct access a = {0};
    if (k >= in->n)
        return a;
    uint32_t mask = in->at[k++];
    a.is_volatile = mask & MEMORY_VOLATILE;
    a.nontemporal = mask & MEMORY_NONTEMPORAL;
    if (mask & MEMORY_ALIGNED) {
        if (k >= in->n)
            reader_fail(r, "the alignment is missing");
        a.align = reader_check_alignment(r, in->at[k]);
        a.align = a.align ? a.align : 1; /* 0 is how translators write that nothing is known of it */
    }
    return a;
}

static LLVMTypeRef pointee(struct reader *r, uint32_t pointer_id) {
    const struct id *id = reader_id(r, pointer_id);
    reader_pointee(r, id->type_id);
    return reader_type(r, reader_type_id(r, id->type_id)->at[1]);
}

static void set_access(struct reader *r, LLVMValueRef value, const struct access *a, LLVMTypeRef type) {
    LLVMSetAlignment(value, a->align ? a->align : reader_align(r, type));
    LLVMSetVolatile(value, a->is_volatile);
    if (a->nontemporal) {
        LLVMMetadataRef one = LLVMValueAsMetadata(ir_const32(r->llvm, 1));
        LLVMSetMetadata(value, LLVMGetMDKindIDInContext(r->llvm, "nontemporal", 11),
                        LLVMMetadataAsValue(r->llvm, LLVMMDNodeInContext2(r->llvm, &one, 1)));
    }
}

void read_load(struct reader *r, const struct instruction *in) {
    LLVMValueRef pointer = reader_operand(r, in, 0);
    LLVMTypeRef type = pointee(r, in->at[0]);
    struct access a = access_operands(r, in, 1);
    reader_check_value(r, in->type);
    LLVMValueRef value = LLVMBuildLoad2(r->builder, type, pointer, "");
    set_access(r, value, &a, type);
    reader_result(r, in, value);
}

void read_store(struct reader *r, const struct instruction *in) {
    LLVMValueRef pointer = reader_operand(r, in, 0);
    LLVMTypeRef type = pointee(r, in->at[0]);
    struct access a = access_operands(r, in, 2);
    reader_check_value(r, reader_type_id(r, reader_id(r, in->at[0])->type_id)->at[1]);
    LLVMValueRef store = LLVMBuildStore(r->builder, reader_typed(r, in, 1, type), pointer);
    set_access(r, store, &a, type);
}

void read_copy_memory(struct reader *r, const struct instruction *in) {
    bool sized = in->op->code == OpCopyMemorySized;
    LLVMValueRef to = reader_operand(r, in, 0), from = reader_operand(r, in, 1), size;
    LLVMTypeRef type = pointee(r, in->at[0]);
    pointee(r, in->at[1]);
    struct access a = access_operands(r, in, sized ? 3 : 2);
    unsigned align = a.align ? a.align : sized ? 1 : reader_align(r, type);
    if (sized) {
        size = reader_operand(r, in, 2);
        if (!reader_is_int(LLVMTypeOf(size)) || reader_lanes(LLVMTypeOf(size)) != 1)
            reader_fail(r, "the size is not an integer");
        size = LLVMBuildIntCast2(r->builder, size, LLVMInt64TypeInContext(r->llvm), 0, "");
    } else {
        size = ir_const64(r->llvm, LLVMABISizeOfType(r->layout, type));
    }
    LLVMBuildMemCpy(r->builder, to, align, from, align, size);
}

/* ---- addresses ------------------------------------------------------------------------------------------------------------ */

void read_access_chain(struct reader *r, const struct instruction *in) {
    enum { MOST = 70 };
    bool has_element = in->op->number & ELEMENT;
    LLVMValueRef base = reader_operand(r, in, 0), indices[MOST];
    const struct id *id = reader_id(r, in->at[0]);
    uint32_t type_id = (reader_pointee(r, id->type_id), reader_type_id(r, id->type_id)->at[1]), n = 0;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(r->llvm), source = reader_type(r, type_id);
    if (in->n > MOST - 2)
        reader_fail(r, "it has %u indices; at most %d are supported", in->n - 1, MOST - 3);
    if (!has_element)
        indices[n++] = LLVMConstNull(i64);
    for (uint32_t k = 1; k < in->n; k++) {
        LLVMValueRef index = reader_operand(r, in, k);
        if (!reader_is_int(LLVMTypeOf(index)) || reader_lanes(LLVMTypeOf(index)) != 1)
            reader_fail(r, "operand %u is not an integer", k + 1);
        indices[n] = LLVMBuildIntCast2(r->builder, index, i64, 1, "");
        if (n++ == 0) /* whole elements of what the pointer points to */
            continue;
        const struct id *type = reader_type_id(r, type_id);
        if (type->op == OpTypeStruct) {
            uint64_t m = LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : UINT64_MAX;
            if (m >= type->n)
                reader_fail(r, "operand %u is not a member of type %u", k + 1, type_id);
            indices[n - 1] = ir_const32(r->llvm, (uint32_t)m);
            type_id = type->at[m];
        } else if (type->op == OpTypeArray || type->op == OpTypeVector) {
            type_id = type->at[0];
        } else {
            reader_fail(r, "type %u has no members", type_id);
        }
    }
    const struct id *result = reader_type_id(r, in->type);
    reader_pointee(r, in->type);
    if (reader_type(r, result->at[1]) != reader_type(r, type_id))
        reader_fail(r, "the result points to type %u, not %u", result->at[1], type_id);
    LLVMValueRef address = in->op->number & IN_BOUNDS
                               ? LLVMBuildInBoundsGEP2(r->builder, source, base, indices, n, "")
                               : LLVMBuildGEP2(r->builder, source, base, indices, n, "");
    reader_result(r, in, address);
}

void read_compare_pointers(struct reader *r, const struct instruction *in) {
    LLVMValueRef a = reader_operand(r, in, 0), b = reader_typed(r, in, 1, LLVMTypeOf(a));
    if (!reader_is_pointer(LLVMTypeOf(a)))
        reader_fail(r, "the operands are no pointers");
    reader_result(r, in, LLVMBuildICmp(r->builder, (LLVMIntPredicate)in->op->number, a, b, ""));
}

void read_pointer_difference(struct reader *r, const struct instruction *in) {
    LLVMValueRef a = reader_operand(r, in, 0), b = reader_typed(r, in, 1, LLVMTypeOf(a));
    LLVMTypeRef i64 = LLVMInt64TypeInContext(r->llvm), type = reader_type(r, in->type);
    if (!reader_is_pointer(LLVMTypeOf(a)) || !reader_is_int(type) || reader_lanes(type) != 1)
        reader_fail(r, "it takes pointers and gives an integer");
    uint64_t size = LLVMABISizeOfType(r->layout, pointee(r, in->at[0]));
    LLVMValueRef bytes = LLVMBuildSub(r->builder, LLVMBuildPtrToInt(r->builder, a, i64, ""),
                                      LLVMBuildPtrToInt(r->builder, b, i64, ""), "");
    LLVMValueRef count = LLVMBuildSDiv(r->builder, bytes, ir_const64(r->llvm, size ? size : 1), "");
    reader_result(r, in, LLVMBuildIntCast2(r->builder, count, type, 1, ""));
}

/* Bytes of what the operand points to; its value doesn't matter. */
void read_size_of(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = reader_type(r, in->type);
    reader_operand(r, in, 0);
    if (!reader_is_int(type) || reader_lanes(type) != 1)
        reader_fail(r, "it gives an integer");
    reader_result(r, in, ir_number(type, LLVMABISizeOfType(r->layout, pointee(r, in->at[0]))));
}

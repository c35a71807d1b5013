/* pipe.c: pipes: packets and reservations, by the functions of OpenCL C, and pipes that a module has itself.
 *
 * OpConstantPipeStorage is a variable of the program: a struct weir_pipe (abi.h), its turns and its packets, which begin as
 * rt/memory/pipe.c makes them. The value of type OpTypePipeStorage, as that of type OpTypePipe, is its address. */
#include "reader.h"

#include "opcodes.h"

#include <stddef.h>
#include <string.h>

/* Their functions take the operands as they are, pointers as generic ones; those of groups come after the scope. */
void read_pipe(struct reader *r, const struct instruction *in) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(r->llvm), i1 = LLVMInt1TypeInContext(r->llvm);
    LLVMTypeRef generic = LLVMPointerTypeInContext(r->llvm, AS_PRIVATE);
    uint32_t k = in->op->number;
    LLVMValueRef args[8];
    unsigned n = 0;
    const struct id *pipe = reader_id(r, in->at[k]);
    reader_value(r, in->at[k]);
    if (reader_type_id(r, pipe->type_id)->op != OpTypePipe)
        reader_fail(r, "id %u is not a pipe", in->at[k]);
    const char *name = in->op->text;
    if (k) {
        uint64_t scope = reader_constant(r, in->at[0]);
        if (scope != SCOPE_WORKGROUP && scope != SCOPE_SUBGROUP)
            reader_fail(r, "scope %llu is not supported", (unsigned long long)scope);
        name = job_printf("__%s_%s", scope == SCOPE_WORKGROUP ? "work_group" : "sub_group", name);
    } else if (strstr(name, "_packets")) {
        name = job_printf("%s_%s", name, reader_type_id(r, pipe->type_id)->at[0] == 1 ? "wo" : "ro");
    }
    for (; k < in->n; k++) {
        LLVMValueRef value = reader_operand(r, in, k);
        LLVMTypeRef type = LLVMTypeOf(value);
        if (n && reader_is_pointer(type) && type != generic)
            value = LLVMBuildAddrSpaceCast(r->builder, value, generic, "");
        else if (reader_is_int(type) && reader_lanes(type) == 1)
            value = LLVMBuildIntCast2(r->builder, value, i32, 0, "");
        else if (!reader_is_pointer(type))
            reader_fail(r, "operand %u is not an integer or pointer", k + 1);
        args[n++] = value;
    }
    if (!in->result) {
        builtin_call_plain(r, name, LLVMVoidTypeInContext(r->llvm), args, n, 0);
        return;
    }
    LLVMTypeRef type = reader_type(r, in->type);
    LLVMValueRef value = builtin_call_plain(r, name, type == i1 ? i32 : type, args, n, 0);
    reader_result(r, in, type == i1 ? builtin_to_bool(r, value) : value);
}

void read_valid_reserve_id(struct reader *r, const struct instruction *in) {
    LLVMValueRef id = reader_typed(r, in, 0, LLVMPointerTypeInContext(r->llvm, AS_PRIVATE));
    reader_result(r, in, LLVMBuildIsNotNull(r->builder, id, ""));
}

/* ---- storage -------------------------------------------------------------------------------------------------------- */

enum { LINE = 128 }; /* bytes; what different threads write lies apart by them */

static LLVMTypeRef bytes_type(struct reader *r, uint64_t n) {
    return LLVMArrayType2(LLVMInt8TypeInContext(r->llvm), n);
}

/* The variable: head, turns, packets. Only the head isn't 0. */
static LLVMValueRef storage(struct reader *r, uint32_t packet, uint32_t align, uint32_t capacity) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(r->llvm), i64 = LLVMInt64TypeInContext(r->llvm);
    LLVMTypeRef address = LLVMPointerTypeInContext(r->llvm, AS_GLOBAL);
    uint64_t head = sizeof(struct weir_pipe), written = offsetof(struct weir_pipe, padding),
             turns = ir_align_up(head, LINE), packets = ir_align_up(turns + 8ull * capacity, LINE),
             size = (uint64_t)packet * capacity;
    LLVMTypeRef parts[] = {i32,
                           i32,
                           address,
                           address,
                           bytes_type(r, turns - written),
                           LLVMArrayType2(i64, capacity),
                           bytes_type(r, packets - turns - 8ull * capacity),
                           bytes_type(r, size)};
    enum { PARTS = sizeof parts / sizeof *parts };
    LLVMTypeRef type = LLVMStructTypeInContext(r->llvm, parts, PARTS, 1);
    LLVMValueRef variable = LLVMAddGlobalInAddressSpace(r->module, type, "pipe", AS_GLOBAL), values[PARTS];
    for (unsigned i = 0; i < PARTS; i++)
        values[i] = LLVMConstNull(parts[i]);
    LLVMValueRef at[] = {ir_const64(r->llvm, turns), ir_const64(r->llvm, packets)};
    values[0] = ir_const32(r->llvm, packet);
    values[1] = ir_const32(r->llvm, capacity);
    for (unsigned i = 0; i < 2; i++)
        values[2 + i] = LLVMConstGEP2(LLVMInt8TypeInContext(r->llvm), variable, &at[i], 1);
    LLVMSetInitializer(variable, LLVMConstStructInContext(r->llvm, values, PARTS, 1));
    LLVMSetLinkage(variable, LLVMInternalLinkage);
    LLVMSetAlignment(variable, align > LINE ? align : LINE);
    return variable;
}

void read_pipe_storage(struct reader *r, const struct instruction *in) {
    uint32_t packet = in->at[0], align = in->at[1] ? in->at[1] : 1, capacity = in->at[2];
    if (reader_type_id(r, in->type)->op != OpTypePipeStorage)
        reader_fail(r, "type %u is not a storage of a pipe", in->type);
    if (!packet || !capacity || packet > WEIR_MAX_GLOBALS / capacity)
        reader_fail(r, "a pipe of %u packets of %u bytes; a program's variables may have %d bytes", capacity,
                    packet, WEIR_MAX_GLOBALS);
    if (align & (align - 1) || align > 4096)
        reader_fail(r, "an alignment of %u is not a power of two up to 4096", align);
    reader_result(r, in, storage(r, packet, align, capacity));
}

void read_pipe_of_storage(struct reader *r, const struct instruction *in) {
    LLVMValueRef value = reader_operand(r, in, 0);
    if (reader_type_id(r, reader_id(r, in->at[0])->type_id)->op != OpTypePipeStorage ||
        reader_type_id(r, in->type)->op != OpTypePipe)
        reader_fail(r, "it makes a pipe of a pipe's storage");
    reader_result(r, in, value);
}

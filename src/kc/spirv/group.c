/* group.c: what the work-items of a work-group or sub-group compute together, and asynchronous copies. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

/* ---- operands ------------------------------------------------------------------------------------------------------------ */

static const char *scope_name(struct reader *r, uint32_t id) {
    uint64_t scope = reader_constant(r, id);
    if (scope != SCOPE_WORKGROUP && scope != SCOPE_SUBGROUP)
        reader_fail(r, "its scope has to be Workgroup (2) or Subgroup (3), not %llu",
                    (unsigned long long)scope);
    return scope == SCOPE_WORKGROUP ? "work_group" : "sub_group";
}

static void need_subgroup(struct reader *r, uint32_t id) {
    if (strcmp(scope_name(r, id), "sub_group"))
        reader_fail(r, "its scope has to be Subgroup (3)");
}

static LLVMValueRef integer(struct reader *r, const struct instruction *in, uint32_t k, LLVMTypeRef type,
                            bool is_signed) {
    LLVMValueRef value = reader_operand(r, in, k);
    if (!reader_is_int(LLVMTypeOf(value)) || reader_lanes(LLVMTypeOf(value)) != 1)
        reader_fail(r, "operand %u is not an integer", k + 1);
    return LLVMBuildIntCast2(r->builder, value, type, is_signed, "");
}

/* Calls `name`, whose operands from `k` on the letters tell: v a value, b a bool as an int, u a uint, s an int, 4 a ballot. The
 * result is made a bool where the instruction's is one. */
static void call_lanes(struct reader *r, const struct instruction *in, uint32_t k, const char *name,
                       const char *letters) {
    struct argument args[4];
    unsigned n = 0;
    LLVMTypeRef type = reader_type(r, in->type), i32 = LLVMInt32TypeInContext(r->llvm);
    LLVMTypeRef ballot = LLVMVectorType(i32, 4);
    for (; letters[n]; n++, k++) {
        char letter = letters[n];
        LLVMValueRef value = letter == 'v'   ? reader_operand(r, in, k)
                             : letter == 'b' ? builtin_to_int(r, reader_operand(r, in, k))
                             : letter == '4' ? reader_typed(r, in, k, ballot)
                                             : integer(r, in, k, i32, letter == 's');
        if (letter == 'v' && reader_is_bool(LLVMTypeOf(value)))
            value = builtin_to_int(r, value);
        LLVMTypeRef given = LLVMTypeOf(value);
        if (!reader_is_int(given) && !reader_is_float(given))
            reader_fail(r, "operand %u is not a number", k + 1);
        args[n] = (struct argument){.value = value, .letter = letter == 'u' || letter == '4' ? 'u' : 's'};
    }
    bool gives_bool = reader_is_bool(type);
    LLVMTypeRef called = gives_bool ? reader_like(i32, type) : type;
    LLVMValueRef value = builtin_call(r, name, called, args, n, 0);
    reader_result(r, in, gives_bool ? builtin_to_bool(r, value) : value);
}

/* "name(letters)" */
static const char *split(const char *text, const char **letters) {
    size_t n = strcspn(text, "(");
    *letters = job_printf("%.*s", (int)strcspn(text + n + 1, ")"), text + n + 1);
    return job_printf("%.*s", (int)n, text);
}

/* ---- instructions ---------------------------------------------------------------------------------------- */

void read_lanes(struct reader *r, const struct instruction *in) {
    const char *letters, *name = split(in->op->text, &letters);
    need_subgroup(r, in->at[0]);
    call_lanes(r, in, 1, job_printf("sub_group_%s", name), letters);
}

void read_subgroup(struct reader *r, const struct instruction *in) {
    const char *letters, *name = split(in->op->text, &letters);
    call_lanes(r, in, 0, name, letters);
}

void read_vote(struct reader *r, const struct instruction *in) {
    call_lanes(r, in, 1, job_printf("%s_%s", scope_name(r, in->at[0]), in->op->text), "b");
}

void read_rotate(struct reader *r, const struct instruction *in) {
    bool clustered = in->n > 3;
    need_subgroup(r, in->at[0]);
    call_lanes(r, in, 1, clustered ? "sub_group_clustered_rotate" : "sub_group_rotate",
               clustered ? "vsu" : "vs");
}

void read_ballot_count(struct reader *r, const struct instruction *in) {
    static const char *const names[] = {"sub_group_ballot_bit_count", "sub_group_ballot_inclusive_scan",
                                        "sub_group_ballot_exclusive_scan"};
    need_subgroup(r, in->at[0]);
    if (in->at[1] > GROUP_EXCLUSIVE)
        reader_fail(r, "there is no group operation %u here", in->at[1]);
    call_lanes(r, in, 2, names[in->at[1]], "4");
}

/* The place of the work-item whose value is sent: a number in a sub-group, one to three in a work-group. */
void read_group_broadcast(struct reader *r, const struct instruction *in) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(r->llvm), i32 = LLVMInt32TypeInContext(r->llvm);
    const char *scope = scope_name(r, in->at[0]);
    LLVMValueRef place = reader_operand(r, in, 2), value = reader_operand(r, in, 1);
    LLVMTypeRef from = LLVMTypeOf(value);
    unsigned n = reader_lanes(LLVMTypeOf(place));
    if (!reader_is_int(LLVMTypeOf(place)) || n > 3)
        reader_fail(r, "operand 3 is not a local id");
    bool is_bool = reader_is_bool(from), in_subgroup = !strcmp(scope, "sub_group");
    if (is_bool)
        value = builtin_to_int(r, value);
    if (!reader_is_int(LLVMTypeOf(value)) && !reader_is_float(LLVMTypeOf(value)))
        reader_fail(r, "operand 2 is not a number");
    unsigned lanes = reader_lanes(from);
    LLVMValueRef whole = LLVMGetUndef(LLVMTypeOf(value));
    struct argument args[4];
    for (unsigned d = 0; d < n; d++) {
        LLVMValueRef one =
            n == 1 ? place : LLVMBuildExtractElement(r->builder, place, ir_const32(r->llvm, d), "");
        one = LLVMBuildIntCast2(r->builder, one, in_subgroup ? i32 : i64, 0, "");
        args[1 + d] = (struct argument){.value = one, .letter = 'u'};
    }
    for (unsigned i = 0; i < lanes; i++) { /* work-groups send scalars */
        LLVMValueRef index = ir_const32(r->llvm, i);
        args[0].letter = 's';
        args[0].value = lanes > 1 ? LLVMBuildExtractElement(r->builder, value, index, "") : value;
        LLVMValueRef sent =
            builtin_call(r, job_printf("%s_broadcast", scope), LLVMTypeOf(args[0].value), args, 1 + n, 0);
        whole = lanes > 1 ? LLVMBuildInsertElement(r->builder, whole, sent, index, "") : sent;
    }
    reader_result(r, in, is_bool ? builtin_to_bool(r, whole) : whole);
}

/* Reductions and scans. Non-uniform ones, of those that call together, are the same for uniform calls. */
void read_group(struct reader *r, const struct instruction *in) {
    static const char *const operations[] = {"reduce", "scan_inclusive", "scan_exclusive",
                                             "clustered_reduce"};
    bool non_uniform = in->op->code >= OpGroupNonUniformIAdd && in->op->code <= OpGroupNonUniformLogicalXor;
    const char *scope = scope_name(r, in->at[0]), *op = in->op->text;
    uint32_t operation = in->at[1];
    if (operation > (non_uniform ? GROUP_CLUSTERED : GROUP_EXCLUSIVE))
        reader_fail(r, "there is no group operation %u here", operation);
    if (non_uniform)
        need_subgroup(r, in->at[0]);
    bool clustered = operation == GROUP_CLUSTERED;
    bool is_new = in->op->code >= OpGroupIMulKHR || non_uniform;
    const char *prefix = clustered                                                ? ""
                         : non_uniform || (is_new && !strcmp(scope, "sub_group")) ? "non_uniform_"
                                                                                  : "";
    struct argument args[2] = {
        {.value = reader_operand(r, in, 2), .letter = in->op->number == 'u' ? 'u' : 's'}};
    LLVMTypeRef type = reader_type(r, in->type), i32 = LLVMInt32TypeInContext(r->llvm);
    if (LLVMTypeOf(args[0].value) != type || reader_lanes(type) != 1)
        reader_fail(r, "the operand is not a scalar of the result's type");
    bool is_bool = reader_is_bool(type);
    if (!is_bool && !reader_is_int(type) && !reader_is_float(type))
        reader_fail(r, "the operand is not a number");
    if (is_bool)
        args[0].value = builtin_to_int(r, args[0].value);
    unsigned n = 1;
    if (clustered)
        args[n++] = (struct argument){.value = integer(r, in, 3, i32, false), .letter = 'u'};
    LLVMValueRef value = builtin_call(r, job_printf("%s_%s%s_%s", scope, prefix, operations[operation], op),
                                      is_bool ? i32 : type, args, n, 0);
    reader_result(r, in, is_bool ? builtin_to_bool(r, value) : value);
}

/* ---- blocks of a sub-group (SPV_INTEL_subgroups) --------------------------------------------------------- */

static const char *block_suffix(struct reader *r, LLVMTypeRef type) {
    static const char *const kinds[] = {"_uc", "_us", "", "_ul"};
    if (!reader_is_int(type))
        reader_fail(r, "blocks are of integers");
    unsigned bits = LLVMGetIntTypeWidth(reader_scalar(type)), lanes = reader_lanes(type);
    const char *kind = kinds[bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3];
    return lanes > 1 ? job_printf("%s%u", kind, lanes) : kind;
}

static struct argument block_pointer(struct reader *r, const struct instruction *in, LLVMTypeRef type,
                                     bool is_const) {
    const struct id *id = reader_id(r, in->at[0]);
    struct argument a = {
        .value = reader_operand(r, in, 0), .letter = is_const ? 'C' : 'P', .pointee = reader_scalar(type)};
    reader_pointee(r, id->type_id);
    return a;
}

void read_block_read(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = reader_type(r, in->type);
    struct argument a = block_pointer(r, in, type, true);
    reader_result(
        r, in,
        builtin_call(r, job_printf("intel_sub_group_block_read%s", block_suffix(r, type)), type, &a, 1, 0));
}

void read_block_write(struct reader *r, const struct instruction *in) {
    LLVMValueRef value = reader_operand(r, in, 1);
    struct argument args[] = {block_pointer(r, in, LLVMTypeOf(value), false),
                              {.value = value, .letter = 'u'}};
    builtin_call(r, job_printf("intel_sub_group_block_write%s", block_suffix(r, LLVMTypeOf(value))),
                 LLVMVoidTypeInContext(r->llvm), args, 2, 0);
}

/* The same of an image: its texels' row at a place, counted in bytes. */
void read_image_block(struct reader *r, const struct instruction *in) {
    bool writes = !in->result;
    LLVMTypeRef type = writes ? LLVMTypeOf(reader_operand(r, in, 2)) : reader_type(r, in->type);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(r->llvm), none = LLVMVoidTypeInContext(r->llvm);
    struct argument args[] = {
        {.value = reader_operand(r, in, 0), .letter = 'i', .type_id = reader_id(r, in->at[0])->type_id},
        {.value = reader_typed(r, in, 1, LLVMVectorType(i32, 2)), .letter = 's'},
        {.letter = 'u'}};
    if (reader_type_id(r, args[0].type_id)->op != OpTypeImage)
        reader_fail(r, "operand 1 is not an image");
    const char *name = job_printf("intel_sub_group_block_%s%s", in->op->text, block_suffix(r, type));
    if (writes) {
        args[2].value = reader_operand(r, in, 2);
        builtin_call(r, name, none, args, 3, 0);
        return;
    }
    reader_result(r, in, builtin_call(r, name, type, args, 2, 0));
}

/* ---- asynchronous copies --------------------------------------------------------------------------------- */

void read_async_copy(struct reader *r, const struct instruction *in) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(r->llvm), event = LLVMPointerTypeInContext(r->llvm, AS_PRIVATE);
    const struct id *to = reader_id(r, in->at[1]);
    LLVMValueRef count = integer(r, in, 3, i64, false), stride = integer(r, in, 4, i64, false);
    LLVMValueRef destination = reader_operand(r, in, 1), source = reader_operand(r, in, 2);
    if (strcmp(scope_name(r, in->at[0]), "work_group"))
        reader_fail(r, "copies are of work-groups");
    reader_pointee(r, to->type_id);
    reader_pointee(r, reader_id(r, in->at[2])->type_id);
    LLVMTypeRef element = reader_type(r, reader_type_id(r, to->type_id)->at[1]);
    while (LLVMGetTypeKind(element) ==
           LLVMArrayTypeKind) /* clang 22 has pointers to the array that is copied */
        element = LLVMGetElementType(element);
    bool is_one = LLVMIsAConstantInt(stride) && LLVMConstIntGetZExtValue(stride) == 1;
    struct argument args[] = {{.value = destination, .letter = 'p', .pointee = element},
                              {.value = source, .letter = 'c', .pointee = element},
                              {.value = count, .letter = 'u'},
                              {.value = stride, .letter = 'u'},
                              {.value = reader_typed(r, in, 5, event), .letter = 'v'}};
    if (is_one)
        args[3] = args[4];
    reader_result(r, in,
                  builtin_call(r, is_one ? "async_work_group_copy" : "async_work_group_strided_copy", event,
                               args, is_one ? 4 : 5, 0));
}

void read_wait_events(struct reader *r, const struct instruction *in) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(r->llvm),
                generic = LLVMPointerTypeInContext(r->llvm, AS_PRIVATE);
    struct argument args[] = {{.value = integer(r, in, 1, i32, false), .letter = 's'},
                              {.value = reader_operand(r, in, 2), .letter = 'w'}};
    if (LLVMTypeOf(args[1].value) != generic)
        args[1].value = reader_is_pointer(LLVMTypeOf(args[1].value))
                            ? LLVMBuildAddrSpaceCast(r->builder, args[1].value, generic, "")
                            : reader_typed(r, in, 2, generic);
    builtin_call(r, "wait_group_events", LLVMVoidTypeInContext(r->llvm), args, 2, 0);
}

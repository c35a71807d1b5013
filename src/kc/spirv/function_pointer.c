/* function_pointer.c: pointers to functions (SPV_INTEL_function_pointers).
 *
 * Constants come before the functions that they point to. So a pointer is the address of a variable that stands for the
 * function until all of the module has been read. What is called through pointers is decided when the program is linked
 * (frontend/indirect_calls.c). */
#include "reader.h"

struct pending {
    LLVMValueRef variable;
    struct instruction in;
};

static void constant(struct reader *r, const struct instruction *in) {
    struct pending *p = job_alloc(sizeof *p);
    LLVMTypeRef type = reader_type(r, in->type);
    if (!reader_is_pointer(type) || LLVMGetPointerAddressSpace(type) != AS_PRIVATE)
        reader_fail(r, "its type is not a pointer to a function");
    for (size_t i = 0; i < r->function_pointers.n; i++) { /* equal pointers are the same */
        struct pending *other = r->function_pointers.at[i];
        if (other->in.at[0] == in->at[0]) {
            reader_result(r, in, other->variable);
            return;
        }
    }
    p->in = *in;
    p->variable = LLVMAddGlobal(r->module, LLVMInt8TypeInContext(r->llvm), "function");
    list_add(&r->function_pointers, p);
    reader_result(r, in, p->variable);
}

/* What the pointer's type says of the function is what arguments and result have. */
static void call(struct reader *r, const struct instruction *in) {
    if (!in->n)
        reader_fail(r, "it has no function");
    LLVMValueRef function = reader_typed(r, in, 0, LLVMPointerTypeInContext(r->llvm, AS_PRIVATE));
    const struct id *result = reader_type_id(r, in->type);
    LLVMValueRef *args = job_alloc(in->n * sizeof *args);
    LLVMTypeRef *types = job_alloc(in->n * sizeof *types);
    for (unsigned i = 1; i < in->n; i++) {
        args[i - 1] = reader_operand(r, in, i);
        types[i - 1] = LLVMTypeOf(args[i - 1]);
    }
    LLVMTypeRef type = LLVMFunctionType(result->type, types, in->n - 1, 0);
    reader_called(r, in, LLVMBuildCall2(r->builder, type, function, args, in->n - 1, ""));
}

void read_function_pointer(struct reader *r, const struct instruction *in) {
    if (in->op->number)
        call(r, in);
    else
        constant(r, in);
}

void reader_finish_function_pointers(struct reader *r) {
    for (size_t i = 0; i < r->function_pointers.n; i++) {
        struct pending *p = r->function_pointers.at[i];
        r->current = &p->in;
        const struct id *id = reader_id(r, p->in.at[0]);
        if (id->kind != ID_FUNCTION)
            reader_fail(r, "id %u is not a function", p->in.at[0]);
        if (LLVMGetFunctionCallConv(id->value) == LLVMPTXKernelCallConv)
            reader_fail(r, "a kernel can't be called");
        LLVMReplaceAllUsesWith(p->variable, id->value);
        LLVMDeleteGlobal(p->variable);
    }
    r->current = NULL;
}

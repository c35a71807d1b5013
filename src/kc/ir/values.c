/* values.c: constants, splats and pieces of vectors, intrinsics by their names.
 *
 * In: types, numbers and vectors. Out: constants, or instructions where the builder is. */
#include "ir.h"
#include <string.h>

LLVMValueRef ir_const32(LLVMContextRef c, uint32_t v) {
    return LLVMConstInt(LLVMInt32TypeInContext(c), v, 0);
}

LLVMValueRef ir_const64(LLVMContextRef context, uint64_t value) {
    return LLVMConstInt(LLVMInt64TypeInContext(context), value, 0);
}

LLVMValueRef ir_repeat(LLVMTypeRef type, LLVMValueRef element) {
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
        return element;
    }
    unsigned n = LLVMGetVectorSize(type);
    LLVMValueRef *all = job_alloc(n * sizeof *all);
    for (unsigned i = 0; i < n; i++) {
        all[i] = element;
    }
    return LLVMConstVector(all, n);
}

LLVMValueRef ir_number(LLVMTypeRef type, uint64_t n) {
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    return ir_repeat(type, LLVMConstInt(is_vector ? LLVMGetElementType(type) : type, n, 0));
}

LLVMValueRef ir_intrinsic(LLVMBuilderRef b, const char *name, LLVMTypeRef *overloads, unsigned noverloads,
                          LLVMValueRef *args, unsigned nargs) {
    LLVMModuleRef module = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(module, id, overloads, noverloads);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, nargs, "");
}

LLVMValueRef ir_splat(LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef scalar) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
    LLVMValueRef one = LLVMBuildInsertElement(b, LLVMGetPoison(type), scalar, LLVMConstInt(i32, 0, 0), ""),
                 firsts = LLVMConstNull(LLVMVectorType(i32, LLVMGetVectorSize(type)));
    return LLVMBuildShuffleVector(b, one, LLVMGetPoison(type), firsts, "");
}

bool ir_is_splat(LLVMValueRef v) {
    bool is = LLVMIsAShuffleVectorInst(v);
    for (unsigned i = 0; is && i < LLVMGetNumMaskElements(v); i++) {
        is = LLVMGetMaskValue(v, i) == 0;
    }
    return is;
}

LLVMValueRef ir_splat_of(LLVMValueRef v) {
    LLVMValueRef insert = ir_is_splat(v) ? LLVMGetOperand(v, 0) : NULL;
    bool is_first = insert && LLVMIsAInsertElementInst(insert) && LLVMIsNull(LLVMGetOperand(insert, 2));
    return is_first ? LLVMGetOperand(insert, 1) : NULL;
}

LLVMValueRef ir_piece(LLVMBuilderRef b, LLVMValueRef x, unsigned first, unsigned n) {
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(x));
    unsigned size = LLVMGetVectorSize(LLVMTypeOf(x));
    if (n == size) {
        return x;
    }
    LLVMValueRef *order = job_alloc(n * sizeof *order);
    for (unsigned i = 0; i < n; i++) {
        order[i] =
            first + i < size ? ir_const32(llvm, first + i) : LLVMGetPoison(LLVMInt32TypeInContext(llvm));
    }
    return LLVMBuildShuffleVector(b, x, LLVMGetPoison(LLVMTypeOf(x)), LLVMConstVector(order, n), "");
}

LLVMValueRef ir_by_registers(LLVMBuilderRef b, LLVMValueRef *vectors, unsigned nvectors, unsigned most,
                             LLVMValueRef (*one)(void *, LLVMValueRef *pieces), void *arg) {
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(vectors[0]));
    LLVMValueRef all = NULL, *pieces = job_alloc(nvectors * sizeof *pieces);
    unsigned n = LLVMGetVectorSize(LLVMTypeOf(vectors[0]));
    for (unsigned size, at = 0; at < n; at += size) {
        for (size = 4; size < most && size < n - at;) {
            size *= 2;
        }
        for (unsigned v = 0; v < nvectors; v++) {
            pieces[v] = ir_piece(b, vectors[v], at, size);
        }
        LLVMValueRef result = ir_piece(b, one(arg, pieces), 0, n);
        if (all) { /* shuffles of constants; LLVM makes subregisters of them */
            LLVMValueRef *order = job_alloc(n * sizeof *order);
            for (unsigned i = 0; i < n; i++) {
                order[i] = ir_const32(llvm, i < at ? i : n + i - at);
            }
            result = LLVMBuildShuffleVector(b, all, result, LLVMConstVector(order, n), "");
        }
        all = result;
    }
    return all;
}

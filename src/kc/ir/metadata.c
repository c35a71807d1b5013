/* metadata.c: what branches, loops and accesses have as metadata: which way is likely, properties, alias scopes.
 *
 * In: instructions. Out: the same with nodes that LLVM's passes read. */
#include "ir.h"
#include <limits.h>
#include <string.h>

void ir_expect(LLVMValueRef branch) {
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(LLVMGetCondition(branch)));
    LLVMTypeRef i32 = LLVMInt32TypeInContext(llvm);
    LLVMMetadataRef weights[] = {LLVMMDStringInContext2(llvm, "branch_weights", 14),
                                 LLVMValueAsMetadata(LLVMConstInt(i32, 100, 0)),
                                 LLVMValueAsMetadata(LLVMConstInt(i32, 1, 0))};
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(llvm, "prof", 4),
                    LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, weights, 3)));
}

unsigned ir_expected(LLVMValueRef end) {
    enum { MUCH = 100 };
    LLVMValueRef node = LLVMGetMetadata(
                     end, LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(end)), "prof", 4)),
                 parts[3];
    if (!LLVMIsABranchInst(end) || !node || LLVMGetMDNodeNumOperands(node) != 3) {
        return UINT_MAX;
    }
    LLVMGetMDNodeOperands(node, parts);
    if (!LLVMIsAConstantInt(parts[1]) || !LLVMIsAConstantInt(parts[2])) {
        return UINT_MAX;
    }
    uint64_t first = LLVMConstIntGetZExtValue(parts[1]), second = LLVMConstIntGetZExtValue(parts[2]);
    return first / MUCH >= second ? 0 : second / MUCH >= first ? 1 : UINT_MAX;
}

/* A node that refers to itself and so is equal to no other, as loops and alias scopes need. */
LLVMMetadataRef ir_distinct(LLVMContextRef c, LLVMMetadataRef *rest, size_t n) {
    LLVMMetadataRef parts[8] = {LLVMTemporaryMDNode(c, NULL, 0)};
    for (size_t i = 0; i < n; i++) {
        parts[1 + i] = rest[i];
    }
    LLVMMetadataRef self = LLVMMDNodeInContext2(c, parts, n + 1);
    LLVMValueRef node = LLVMMetadataAsValue(c, self);
    LLVMReplaceMDNodeOperandWith(node, 0, self);
    return LLVMValueAsMetadata(node);
}

void ir_add_to_list(LLVMValueRef i, const char *kind, LLVMMetadataRef more) {
    enum { MOST = 64 };
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(i));
    unsigned id = LLVMGetMDKindIDInContext(c, kind, (unsigned)strlen(kind));
    LLVMValueRef lists[] = {LLVMGetMetadata(i, id), LLVMMetadataAsValue(c, more)}, parts[MOST];
    LLVMMetadataRef all[2 * MOST];
    size_t n = 0;
    for (unsigned l = 0; l < 2; l++) {
        unsigned length = lists[l] ? (unsigned)LLVMGetMDNodeNumOperands(lists[l]) : 0;
        if (length > MOST) {
            return;
        }
        if (length) {
            LLVMGetMDNodeOperands(lists[l], parts);
        }
        for (unsigned p = 0; p < length; p++) {
            all[n++] = LLVMValueAsMetadata(parts[p]);
        }
    }
    LLVMSetMetadata(i, id, LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, all, n)));
}

void ir_add_lists_of(LLVMValueRef i, LLVMValueRef other) {
    static const char *const kinds[] = {"alias.scope", "noalias"};
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(i));
    for (unsigned k = 0; k < 2; k++) {
        unsigned id = LLVMGetMDKindIDInContext(c, kinds[k], (unsigned)strlen(kinds[k]));
        LLVMValueRef list = LLVMGetMetadata(other, id);
        if (list) {
            ir_add_to_list(i, kinds[k], LLVMValueAsMetadata(list));
        }
    }
}

LLVMMetadataRef ir_loop_property(LLVMContextRef c, const char *word, unsigned number) {
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(c, word, strlen(word)),
                               LLVMValueAsMetadata(ir_const32(c, number))};
    return LLVMMDNodeInContext2(c, parts, number ? 2 : 1);
}

void ir_set_loop_property(LLVMContextRef c, LLVMValueRef branch, LLVMMetadataRef property) {
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9),
                    LLVMMetadataAsValue(c, ir_distinct(c, &property, 1)));
}

/* Whether a property begins with the name. */
static bool names(LLVMValueRef property, const char *name) {
    LLVMValueRef parts[8];
    unsigned length;
    if (!property || LLVMGetMDString(property, &length) || LLVMGetMDNodeNumOperands(property) > 8) {
        return false;
    }
    LLVMGetMDNodeOperands(property, parts);
    const char *s = LLVMGetMDNodeNumOperands(property) ? LLVMGetMDString(parts[0], &length) : NULL;
    return s && length >= strlen(name) && !memcmp(s, name, strlen(name));
}

bool ir_has_loop_property(LLVMContextRef c, LLVMValueRef branch, const char *name) {
    LLVMValueRef loop = LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9));
    unsigned n = loop ? (unsigned)LLVMGetMDNodeNumOperands(loop) : 0;
    LLVMValueRef *properties = job_alloc((n + 1) * sizeof(LLVMValueRef));
    if (loop) {
        LLVMGetMDNodeOperands(loop, properties);
    }
    for (unsigned i = 1; i < n; i++) {
        if (names(properties[i], name)) {
            return true;
        }
    }
    return false;
}

void ir_add_loop_property(LLVMContextRef c, LLVMValueRef branch, LLVMMetadataRef property) {
    enum { MOST = 7 }; /* as ir_distinct takes */
    LLVMValueRef loop = LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9)), old[1 + MOST];
    LLVMMetadataRef all[MOST];
    unsigned n = loop ? (unsigned)LLVMGetMDNodeNumOperands(loop) : 1;
    if (n > MOST) {
        return;
    }
    if (loop) {
        LLVMGetMDNodeOperands(loop, old);
    }
    for (unsigned i = 1; i < n; i++) {
        all[i - 1] = LLVMValueAsMetadata(old[i]);
    }
    all[n - 1] = property;
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(c, "llvm.loop", 9),
                    LLVMMetadataAsValue(c, ir_distinct(c, all, n)));
}

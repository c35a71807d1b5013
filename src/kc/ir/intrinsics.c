/* intrinsics.c: tells the intrinsics of abi.h apart while they stand in the IR as calls.
 *
 * In: calls in k->run. Out: which intrinsic, and what LLVM may assume of it. The library calls them, lowering replaces
 * those with one value for the work-group, and regions replace what is left: ids, barriers, sub-group operations. */
#include "kernel.h"
#include <string.h>

#define SUBGROUP_PREFIX "__weir_sub_"

/* memory(inaccessiblemem: readwrite), and memory(read, inaccessiblemem: readwrite) */
enum { INACCESSIBLE_MEMORY = 3 << 2, AND_READS_ALL = INACCESSIBLE_MEMORY | 1 | 1 << 4 | 1 << 6 };

enum id intrinsic_id(LLVMValueRef v, unsigned *dim) {
    bool is_local = ir_is_intrinsic(v, "__weir_local_id_"),
         is_id = is_local || ir_is_intrinsic(v, "__weir_global_id_");
    if (is_id && dim) {
        size_t n;
        const char *name = LLVMGetValueName2(ir_callee(v), &n);
        *dim = (unsigned)(name[n - 1] - '0');
    }
    if (!is_id) {
        return ID_NONE;
    }
    return is_local ? ID_LOCAL : ID_GLOBAL;
}

/* ---- sub-groups ---- */

static const char *const ops[] = {"base", "lane",   "barrier", "ballot", "shuffle", "first", "reduce",
                                  "scan", "before", "cluster", "items",  "total",   "stay"};

static bool is_word(const char *at, const char *word) {
    size_t n = strlen(word);
    return !strncmp(at, word, n) && (!at[n] || at[n] == '_');
}

/* The kind that a name after the prefix begins with. */
static enum subgroup_op op_named(const char *suffix) {
    unsigned op = 0;
    while (op < SUBGROUP_NONE && !is_word(suffix, ops[op])) {
        op++;
    }
    return op;
}

static const char *suffix_of(const char *name) {
    return strncmp(name, SUBGROUP_PREFIX, sizeof SUBGROUP_PREFIX - 1) ? NULL
                                                                      : name + sizeof SUBGROUP_PREFIX - 1;
}

enum subgroup_op subgroup_op_of(LLVMValueRef i) {
    LLVMValueRef f = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
    size_t n;
    const char *suffix = f ? suffix_of(LLVMGetValueName2(f, &n)) : NULL;
    return suffix ? op_named(suffix) : SUBGROUP_NONE;
}

const char *subgroup_operation_of(LLVMValueRef call) {
    size_t n;
    return strchr(suffix_of(LLVMGetValueName2(ir_callee(call), &n)), '_') + 1;
}

bool subgroup_is_op(LLVMValueRef i) {
    return subgroup_op_of(i) != SUBGROUP_NONE;
}

bool subgroup_is_place(LLVMValueRef i) {
    enum subgroup_op op = subgroup_op_of(i);
    return op == SUBGROUP_BASE || op == SUBGROUP_LANE;
}

bool subgroup_is_lane_id(LLVMValueRef i) {
    return subgroup_op_of(i) == SUBGROUP_LANE;
}

/* Its condition is a call of __weir_sub_stay, or what that has become. */
static bool never_takes(LLVMValueRef branch, unsigned way) {
    if (way || LLVMGetNumSuccessors(branch) != 2) {
        return false;
    }
    LLVMValueRef c = LLVMGetOperand(branch, 0);
    c = LLVMIsAFreezeInst(c) ? LLVMGetOperand(c, 0) : c;
    return subgroup_op_of(c) == SUBGROUP_STAY || (LLVMIsAConstantInt(c) && LLVMIsNull(c));
}

struct graph *cfg_taken(struct graph *all, LLVMBasicBlockRef *blocks) {
    struct graph *g = graph_new(all->n);
    bool differs = false;
    for (unsigned n = 0; n < g->n; n++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(blocks[n]);
        for (unsigned s = 0; s < all->nsucc[n]; s++) {
            if (never_takes(end, s)) {
                differs = true;
            } else {
                graph_edge(g, n, all->succ[n][s]);
            }
        }
    }
    return differs ? g : all;
}

/* ---- what LLVM may assume of calls that stand until regions are formed ---- */

void intrinsic_declare_barrier(struct kernel *k, LLVMValueRef f) {
    static const char *const attributes[] = {"convergent", "noduplicate", "nounwind"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        ir_attribute(k->llvm, f, attributes[i], 0);
    }
}

void intrinsic_declare_query(struct kernel *k, LLVMValueRef f, uint64_t limit) {
    static const char *const pure[] = {"nounwind", "willreturn", "speculatable", "nosync", "nofree"};
    ir_remove_attribute(f, (unsigned)LLVMAttributeFunctionIndex, "convergent");
    ir_attribute(k->llvm, f, "memory", 0);
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++) {
        ir_attribute(k->llvm, f, pure[i], 0);
    }
    if (!LLVMCountParams(f)) { /* an id: no pass need guard against it, by copies that hide what it is */
        unsigned kind = LLVMGetEnumAttributeKindForName("noundef", 7);
        LLVMAddAttributeAtIndex(f, LLVMAttributeReturnIndex, LLVMCreateEnumAttribute(k->llvm, kind, 0));
    }
    if (limit) {
        unsigned kind = LLVMGetEnumAttributeKindForName("range", 5);
        unsigned bits = LLVMGetIntTypeWidth(LLVMGetReturnType(LLVMGlobalGetValueType(f)));
        LLVMAttributeRef range =
            LLVMCreateConstantRangeAttribute(k->llvm, kind, bits, (uint64_t[]){0}, &limit);
        LLVMAddAttributeAtIndex(f, LLVMAttributeReturnIndex, range);
    }
}

bool intrinsic_is_check(LLVMValueRef call) {
    return ir_is_intrinsic(call, "__weir_check_") || ir_is_intrinsic(call, "_Z17__weir_lane_check");
}

/* Whether a store is of what is there already is asked of memory: earlier ones stay before it. */
void intrinsic_declare_check(struct kernel *k, LLVMValueRef f) {
    ir_attribute(k->llvm, f, "nounwind", 0);
    ir_attribute(k->llvm, f, "memory", AND_READS_ALL);
}

void intrinsic_declare_subgroup(struct kernel *k, LLVMValueRef f) {
    size_t n;
    enum subgroup_op op = op_named(suffix_of(LLVMGetValueName2(f, &n)));
    if (op == SUBGROUP_BASE || op == SUBGROUP_LANE) {
        uint64_t row = k->local_size[0] ? k->local_size[0] : WEIR_MAX_ITEMS;
        intrinsic_declare_query(k, f, op == SUBGROUP_LANE ? k->width : row);
        return;
    }
    ir_attribute(k->llvm, f, "convergent", 0); /* the lanes that call together are part of the question */
    ir_attribute(k->llvm, f, "nounwind", 0);
    if (op == SUBGROUP_STAY) {
        ir_attribute(k->llvm, f, "memory", INACCESSIBLE_MEMORY);
        ir_attribute(k->llvm, f, "willreturn", 0);
    } else if (op != SUBGROUP_BARRIER && op != SUBGROUP_TOTAL) {
        ir_attribute(k->llvm, f, "memory", 0);
        ir_attribute(k->llvm, f, "willreturn", 0);
    }
}

void intrinsic_lower(struct kernel *k, const char *prefix,
                     void (*lower)(struct kernel *, LLVMValueRef call, const char *kind)) {
    for (LLVMValueRef next, f = LLVMGetFirstFunction(k->module); f; f = next) {
        next = LLVMGetNextFunction(f);
        size_t n;
        const char *name = LLVMGetValueName2(f, &n);
        if (strncmp(name, prefix, strlen(prefix))) {
            continue;
        }
        for (LLVMUseRef use; (use = LLVMGetFirstUse(f));) {
            lower(k, LLVMGetUser(use), name + strlen(prefix));
        }
        LLVMDeleteFunction(f);
    }
}

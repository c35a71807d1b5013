/* kept_vectors.c: what OpenCL vectors save work-items that run one by one.
 *
 * In: k->run before its OpenCL vectors become scalars, as packs need them. Out: k->kept_share, about how long a work-item alone takes
 * if it keeps its vectors, by how long it takes with scalars; 0: it has none. width.c goes by that: where work-items run one by
 * one and this is clearly less, the passes begin anew (job.c).
 *     short16 v = a[i]; b[i] = v * v;     one product, not 16, and nothing is taken apart
 * What it can't do: tell what LLVM joins to vectors again, and how often ways are taken. */
#include "width.h"

/* Cycles of a work-item, each instruction its share of the processor's units, with vectors and with scalars. */
struct kept {
    const struct kernel *k;
    LLVMTargetDataRef layout;
    double vectors, scalars;
    bool any; /* there are operations on vectors */
};

/* The vector type of what the instruction computes, reads or compares, or NULL. */
static LLVMTypeRef vector_of(LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(i), from = LLVMGetNumOperands(i) ? LLVMTypeOf(LLVMGetOperand(i, 0)) : type;
    bool is_store = LLVMIsAStoreInst(i);
    if (!is_store && LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        return type;
    }
    return LLVMGetTypeKind(from) == LLVMVectorTypeKind ? from : NULL;
}

/* The registers of a work-item's own vector. */
static double registers_of(const struct kept *kept, LLVMTypeRef type) {
    return (double)target_registers(kept->k->target, LLVMSizeOfTypeInBits(kept->layout, type));
}

/* An operation on one number. */
static double cycles_of_scalar(LLVMValueRef i) {
    if (ir_is_division(i)) {
        return LLVMIsConstant(LLVMGetOperand(i, 1)) ? 1.5 : 6;
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
    case LLVMGetElementPtr:
    case LLVMBr:
    case LLVMRet:
    case LLVMTrunc:
    case LLVMBitCast:
    case LLVMPHI:
        return 0;
    case LLVMZExt:
    case LLVMSExt:
        return 0.1;
    case LLVMLoad:
        return 0.4;
    case LLVMStore:
        return 0.6;
    case LLVMFDiv:
        return 4;
    case LLVMCall:
        return ir_is_marker(i)                             ? 0
               : ir_is_intrinsic(i, "llvm.sqrt.")          ? 5
               : ir_is_intrinsic(i, "llvm.vector.reduce.") ? 0
                                                           : 0.2;
    default:
        return 0.2;
    }
}

/* Numbers are taken out of vectors and put into others by instructions of their own. */
static void add_move(struct kept *kept, LLVMValueRef i, double runs) {
    const double MOVE = 0.5;
    if (LLVMIsAShuffleVectorInst(i)) {
        kept->vectors += runs * MOVE * registers_of(kept, LLVMTypeOf(i));
        return;
    }
    LLVMValueRef from = LLVMGetOperand(i, 0);
    bool is_memory = LLVMIsAExtractElementInst(i) ? LLVMIsALoadInst(from) != NULL : false;
    kept->vectors += runs * MOVE;
    kept->scalars += is_memory ? runs * 0.2 : 0;
}

static void add_operation(struct kept *kept, LLVMValueRef i, LLVMTypeRef type, double runs) {
    const double OPERATION = 0.3, MEMORY_PART = 0.2;
    double scalar = cycles_of_scalar(i), n = LLVMGetVectorSize(type), registers = registers_of(kept, type);
    bool is_cast = LLVMIsACastInst(i) && !LLVMIsABitCastInst(i);
    if (LLVMIsALoadInst(i) ||
        LLVMIsAStoreInst(i)) { /* parts are taken out of, or put into, what memory has */
        kept->vectors += runs * scalar * registers;
        kept->scalars += runs * (scalar * registers + n * MEMORY_PART);
        return;
    }
    kept->any = true;
    if (ir_is_division(i)) {
        bool stays = LLVMIsConstant(LLVMGetOperand(i, 1));
        kept->vectors += runs * (stays ? 2 * registers : scalar * n);
        kept->scalars += runs * scalar * n;
    } else if (LLVMIsACallInst(i) && ir_is_intrinsic(i, "llvm.vector.reduce.")) {
        kept->vectors += runs * (2 + registers);
        kept->scalars += runs * 0.2 * n;
    } else {
        double each = scalar > 1 ? scalar : scalar > 0 ? OPERATION : 0;
        kept->vectors += runs * registers * (is_cast ? OPERATION : each);
        kept->scalars += runs * n * scalar;
    }
}

void kept_vectors_pass(struct kernel *k) {
    enum { ROUNDS = 8 };
    struct kept kept = {.k = k, .layout = LLVMGetModuleDataLayout(k->module)};
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    const struct graph *cfg = cfg_of(k->run, &index, &blocks);
    unsigned *depths = graph_depths(cfg);
    for (unsigned n = 0; n < cfg->n; n++) {
        double runs = 1;
        for (unsigned d = 0; d < depths[n]; d++) {
            runs *= ROUNDS;
        }
        for (LLVMValueRef i = LLVMGetFirstInstruction(blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            LLVMTypeRef type = vector_of(i);
            bool moves =
                LLVMIsAExtractElementInst(i) || LLVMIsAInsertElementInst(i) || LLVMIsAShuffleVectorInst(i);
            if (moves) {
                add_move(&kept, i, runs);
            } else if (type) {
                add_operation(&kept, i, type, runs);
            } else {
                kept.vectors += runs * cycles_of_scalar(i);
                kept.scalars += runs * cycles_of_scalar(i);
            }
        }
    }
    k->kept_share = kept.any ? kept.vectors / kept.scalars : 0;
    log_write(LOG_DEBUG, "weirc: kernel %s: with its vectors a work-item alone takes %.2f of the time",
              k->meta->name, k->kept_share);
}

/* queries.c: the intrinsics of abi.h that have one value for the whole work-group.
 *
 * Needs `inline`: only k->run calls intrinsics. Gives: group ids are parameters, sizes are constants (a
 * specialized variant) or computed at the entry, launch and worker are parameters, fences are LLVM's.
 * __weir_local_id_N and __weir_global_id_N stay as calls without side effects, of i32 where their range is known
 * to fit; a local id is 0 where the size is known to be 1; loads of constant memory are invariant. __weir_barrier and
 * its halves stay and become convergent and noduplicate, so that no later LLVM pass copies or merges them. All are for
 * `regions`. */
#include "analysis.h"
#include "lower.h"
#include <string.h>

/* Packs run only where global ids are below this; with known sizes that bounds the group ids. */
#define SMALL_IDS ((uint64_t)1 << 31)

static unsigned dimension(const char *name) {
    return (unsigned)(name[strlen(name) - 1] - '0');
}

/* The largest size of a sub-group: as meta_subgroup_size has it, of the enqueued local size. */
static LLVMValueRef subgroup_width(struct kernel *k, LLVMBuilderRef b, LLVMTypeRef type) {
    LLVMValueRef width = LLVMConstInt(type, k->width, 0);
    if (k->local_size[0] || k->meta->subgroup_size || k->width == 1) {
        return width;
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(k->llvm);
    LLVMValueRef row = kernel_field(k, b, RUN_LAUNCH, LAUNCH_FIELD(local_size), i64, "");
    for (uint32_t half = k->width / 2; half; half /= 2) {
        LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULE, row, ir_const64(k->llvm, half), "");
        width = LLVMBuildSelect(b, fits, LLVMConstInt(type, half, 0), width, "");
    }
    return width;
}

/* A value that is the same everywhere in k->run, or NULL if `name` isn't such an intrinsic. */
static LLVMValueRef value_of(struct kernel *k, LLVMBuilderRef b, const char *name, LLVMTypeRef type) {
    if (!strncmp(name, "__weir_group_id_", 16)) {
        return LLVMGetParam(k->run, RUN_GROUP + dimension(name));
    }
    if (!strncmp(name, "__weir_local_size_", 18)) {
        return kernel_group_size(k, b, dimension(name));
    }
    if (!strcmp(name, "__weir_launch") || !strcmp(name, "__weir_worker")) {
        LLVMValueRef p = LLVMGetParam(k->run, !strcmp(name, "__weir_worker") ? RUN_WORKER : RUN_LAUNCH);
        return LLVMTypeOf(p) == type ? p : LLVMBuildAddrSpaceCast(b, p, type, "");
    }
    if (!strcmp(name, "__weir_sub_width")) {
        return subgroup_width(k, b, type);
    }
    if (!strncmp(name, "__weir_local_id_", 16) && k->local_size[dimension(name)] == 1) {
        return ir_const64(k->llvm, 0);
    }
    return NULL;
}

static void lower_fence(LLVMValueRef call) {
    LLVMBuilderRef b = ir_before(call);
    fence_emit(b, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1), LLVMGetOperand(call, 2));
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(call);
}

static void lower_calls(struct kernel *k, LLVMBuilderRef b, LLVMValueRef f, const char *name) {
    bool is_fence = !strcmp(name, "__weir_fence");
    LLVMValueRef value = NULL;
    for (LLVMUseRef u; (u = LLVMGetFirstUse(f));) {
        LLVMValueRef call = LLVMGetUser(u);
        if (is_fence) {
            lower_fence(call);
            continue;
        }
        value = value ? value : value_of(k, b, name, LLVMTypeOf(call));
        if (!value) {
            break;
        }
        LLVMReplaceAllUsesWith(call, value);
        LLVMInstructionEraseFromParent(call);
    }
}

/* Ids below a limit come from a function of i32, widened: index arithmetic is then known not to wrap, and compares
 * of it take half as many vectors. */
static void narrow_ids(struct kernel *k, LLVMValueRef f, const char *name, uint64_t limit) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(k->llvm), i64 = LLVMInt64TypeInContext(k->llvm);
    size_t digit = strlen(name) - 1;
    char *narrow = job_printf("%.*s32_%s", (int)digit, name, name + digit);
    LLVMTypeRef type = LLVMFunctionType(i32, NULL, 0, 0);
    LLVMValueRef g = LLVMAddFunction(k->module, narrow, type);
    intrinsic_declare_query(k, g, limit);
    for (LLVMUseRef u; (u = LLVMGetFirstUse(f));) {
        LLVMValueRef call = LLVMGetUser(u);
        LLVMBuilderRef b = ir_before(call);
        LLVMValueRef id = LLVMBuildZExt(b, LLVMBuildCall2(b, type, g, NULL, 0, ""), i64, "");
        LLVMSetNNeg(id, 1);
        LLVMReplaceAllUsesWith(call, id);
        LLVMInstructionEraseFromParent(call);
        LLVMDisposeBuilder(b);
    }
}

static void lower_ids(struct kernel *k, LLVMValueRef f, const char *name) {
    bool is_local = name[7] == 'l', is_narrow = strstr(name, "_id_32_") != NULL;
    uint32_t size = k->local_size[dimension(name)];
    if (is_narrow) {
        return;
    }
    if (is_local || k->small_ids) { /* launches with larger ids take another variant */
        narrow_ids(k, f, name, is_local ? size ? size : WEIR_MAX_ITEMS : SMALL_IDS);
        return;
    }
    intrinsic_declare_query(k, f, 0);
    unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(u), (unsigned)LLVMAttributeFunctionIndex, convergent);
    }
}

static void bound_group_ids(struct kernel *k) {
    unsigned kind = LLVMGetEnumAttributeKindForName("range", 5);
    for (unsigned d = 0; d < 3; d++) {
        uint32_t known = k->job->request->local_size[d];
        uint64_t size = known ? known : 1, zero = 0, limit = (SMALL_IDS + size - 1) / size;
        LLVMAddAttributeAtIndex(k->run, RUN_GROUP + d + 1,
                                LLVMCreateConstantRangeAttribute(k->llvm, kind, 64, &zero, &limit));
    }
}

/* Constant memory stays what it is while kernels run (OpenCL C 6.7.3): nothing that they write makes it worth a second
 * look. */
static void fix_constants(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i) && !LLVMGetVolatile(i) &&
                LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) == AS_CONSTANT) {
                kernel_set_invariant(i);
            }
        }
    }
}

void queries_pass(struct kernel *k) {
    k->small_ids = k->width > 1 && !(k->job->request->width & REQUEST_LARGE_IDS);
    if (k->small_ids) {
        bound_group_ids(k);
    }
    LLVMBuilderRef b = ir_at_entry(k->run);
    for (LLVMValueRef next, f = LLVMGetFirstFunction(k->module); f; f = next) {
        next = LLVMGetNextFunction(f);
        size_t n;
        const char *name = LLVMGetValueName2(f, &n);
        if (strncmp(name, "__weir_", 7) || !LLVMIsDeclaration(f)) {
            continue;
        }
        lower_calls(k, b, f, name);
        if (!strncmp(name, "__weir_barrier", 14)) {
            intrinsic_declare_barrier(k, f);
        } else if (!strncmp(name, "__weir_local_id_", 16) || !strncmp(name, "__weir_global_id_", 17)) {
            lower_ids(k, f, name);
        } else if (!strncmp(name, "__weir_sub_", 11)) {
            intrinsic_declare_subgroup(k, f);
        } else if (!strncmp(name, DOT_PREFIX, sizeof DOT_PREFIX - 1) ||
                   !strncmp(name, PART_PREFIX, sizeof PART_PREFIX - 1)) {
            intrinsic_declare_query(k, f, 0);
        } else if (!strcmp(name, CHECK_ACCESS) || !strcmp(name, CHECK_ARRIVED)) {
            intrinsic_declare_check(k, f);
        } else if (LLVMGetFirstUse(f)) {
            job_fail(k->job, ANSWER_COMPILER_FAILED, "kernel '%s': unknown intrinsic '%s'\n", k->meta->name,
                     name);
        }
    }
    fix_constants(k);
    LLVMDisposeBuilder(b);
}

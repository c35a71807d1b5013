/* show_variables.c: what debuggers are to show beside a function's own variables, in kernels built with -g and
 * -cl-opt-disable.
 *
 * Needs functions as clang made them, the kernel's linked program with debug information. Gives each function of the
 * program a variable for the work-item's ids, __global_id, __local_id and __group_id, of three numbers each, and one with
 * the address of each local or program-scope variable that it names, which a debugger follows: what is in the arena, or in
 * the program's block, has no address that debug information could tell. These are variables as the program's own, which
 * stay in memory (wg/shown.c). A function that calls itself gets no ids, for with them it would have to be inlined. */
#include "frontend.h"
#include "lower.h"
#include <string.h>

enum { DWARF_UNSIGNED = 7 };

struct showing {
    struct kernel *k;
    LLVMDIBuilderRef info;
    LLVMMetadataRef ids; /* the type ulong[3] */
    LLVMValueRef function;
    LLVMMetadataRef subprogram;
    LLVMValueRef end; /* of its first block */
    LLVMBuilderRef b; /* after the variables there */
};

/* A variable of the function; `follow`: it holds the address of what has the type. */
static LLVMValueRef show(struct showing *s, LLVMTypeRef holds, const char *name, LLVMMetadataRef type,
                         bool follow) {
    LLVMValueRef variable = LLVMBuildAlloca(s->b, holds, name);
    unsigned line = LLVMDISubprogramGetLine(s->subprogram);
    LLVMMetadataRef file = LLVMDIScopeGetFile(s->subprogram);
    LLVMMetadataRef described = LLVMDIBuilderCreateAutoVariable(s->info, s->subprogram, name, strlen(name),
                                                                file, line, type, 0, LLVMDIFlagArtificial, 0);
    LLVMMetadataRef at = LLVMDIBuilderCreateDebugLocation(s->k->llvm, line, 0, s->subprogram, NULL);
    LLVMMetadataRef way = LLVMDIBuilderCreateExpression(s->info, (uint64_t[]){DWARF_DEREF}, follow);
    LLVMDIBuilderInsertDeclareRecordBefore(s->info, variable, described, way, at, s->end);
    return variable;
}

/* The intrinsic's function: of the library, or declared. */
static LLVMValueRef query(struct showing *s, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(s->k->module, name);
    LLVMTypeRef type = LLVMFunctionType(LLVMInt64TypeInContext(s->k->llvm), NULL, 0, 0);
    return f ? f : LLVMAddFunction(s->k->module, name, type);
}

static void show_ids(struct showing *s) {
    static const char *const kinds[] = {"global_id", "local_id", "group_id"};
    LLVMTypeRef i64 = LLVMInt64TypeInContext(s->k->llvm);
    for (unsigned kind = 0; kind < 3; kind++) {
        LLVMValueRef ids = show(s, LLVMArrayType2(i64, 3), job_printf("__%s", kinds[kind]), s->ids, false);
        LLVMSetMetadata(ids, LLVMGetMDKindIDInContext(s->k->llvm, SHOWN_IDS, sizeof SHOWN_IDS - 1),
                        LLVMMetadataAsValue(s->k->llvm, LLVMMDNodeInContext2(s->k->llvm, NULL, 0)));
        for (unsigned d = 0; d < 3; d++) {
            LLVMValueRef f = query(s, job_printf("__weir_%s_%u", kinds[kind], d));
            LLVMValueRef id = LLVMBuildCall2(s->b, LLVMGlobalGetValueType(f), f, NULL, 0, "");
            LLVMBuildStore(s->b, id, ir_offset(s->b, ids, ir_const64(s->k->llvm, 8 * d), ""));
        }
    }
}

/* Whether `v` is used in the function, maybe within constants. */
static bool is_used_in(LLVMValueRef v, LLVMValueRef function) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAInstruction(user) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function
                                     : !LLVMIsAGlobalValue(user) && is_used_in(user, function)) {
            return true;
        }
    }
    return false;
}

static void show_globals(struct showing *s) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(s->k->module); g; g = LLVMGetNextGlobal(g)) {
        bool is_placed = LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == AS_LOCAL ||
                         ptrmap_at(&s->k->globals, g, UINTPTR_MAX) != UINTPTR_MAX;
        const char *name = NULL;
        LLVMMetadataRef type =
            is_placed && is_used_in(g, s->function) ? types_variable(s->k->llvm, g, &name) : NULL;
        if (type) {
            LLVMBuildStore(s->b, g, show(s, LLVMTypeOf(g), name, type, true));
        }
    }
}

/* What debug information says of variables of the module has no place: it would hide what is shown of them. */
static void drop_globals(struct kernel *k) {
    enum { UNITS = 1000, GLOBALS = 6 }; /* the operand of LLVM's DICompileUnit */
    static const char units[] = "llvm.dbg.cu";
    LLVMValueRef at[UNITS];
    unsigned n = LLVMGetNamedMetadataNumOperands(k->module, units);
    if (n <= UNITS) {
        LLVMGetNamedMetadataOperands(k->module, units, at);
        for (unsigned i = 0; i < n; i++) {
            LLVMReplaceMDNodeOperandWith(at[i], GLOBALS, NULL);
        }
    }
}

/* Whether a call of the function may come to `wanted`. */
static bool reaches(struct ptrmap *seen, LLVMValueRef f, LLVMValueRef wanted) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
            if (!callee || ptrmap_at(seen, callee, 0)) {
                continue;
            }
            ptrmap_set(seen, callee, 1);
            if (callee == wanted || reaches(seen, callee, wanted)) {
                return true;
            }
        }
    }
    return false;
}

void show_variables_pass(struct kernel *k) {
    if (!k->shown) {
        return;
    }
    struct showing s = {.k = k, .info = LLVMCreateDIBuilderDisallowUnresolved(k->module)};
    LLVMMetadataRef number = LLVMDIBuilderCreateBasicType(s.info, "ulong", 5, 64, DWARF_UNSIGNED, 0);
    LLVMMetadataRef three = LLVMDIBuilderGetOrCreateSubrange(s.info, 0, 3);
    s.ids = LLVMDIBuilderCreateArrayType(s.info, 3 * 64, 0, number, &three, 1);
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        s.function = f;
        /* the kernel's own has moved (enter.c) */
        s.subprogram =
            LLVMIsDeclaration(f) || f == k->run ? NULL : LLVMGetSubprogram(f == k->entry ? k->run : f);
        if (!s.subprogram) {
            continue;
        }
        s.end = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(f));
        s.b = ir_at_entry(f);
        struct ptrmap seen = {0};
        if (!reaches(&seen, f, f)) {
            show_ids(&s);
        }
        show_globals(&s);
        LLVMDisposeBuilder(s.b);
    }
    LLVMDIBuilderFinalize(s.info);
    LLVMDisposeDIBuilder(s.info);
    drop_globals(k);
}

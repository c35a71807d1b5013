/* indirect_calls.c: calls through pointers to functions (__cl_clang_function_pointers, virtual functions of C++ for OpenCL,
 * SPV_INTEL_function_pointers).
 *
 * In: a linked program, which has all functions that there are. Out: one without indirect calls, and without addresses of
 * functions. A function whose address is taken has a number, which is its address everywhere, also in initializers, in
 * memory that kernels share, and in each kernel's object. A call becomes one of a function that chooses by that number
 * among all functions of the call's type:
 *
 *     %y = call i32 %p(i32 %x)    =>    %y = call i32 @call.by.pointer(ptr %p, i32 %x)
 *
 *     define i32 @call.by.pointer(ptr %p, i32 %x) {
 *       switch i64 (ptrtoint %p), label %last [ i64 16, label %first ... ]
 *     first:
 *       %a = call i32 @twice(i32 %x)
 *       ret i32 %a
 *     ...
 *
 * Of a virtual call clang tells the class (llvm.type.test of the pointer to the vtable), and of a vtable which classes'
 * objects point to where in it (!type): so it chooses among the functions at that place of that class and those derived
 * from it alone. If one of those calls itself that way, this is recursion, which is refused.
 *
 * What is behind needs to know nothing of it: the functions are inlined, lanes of a pack whose pointers differ part at the
 * switch, and barriers, local memory and ids are what they are elsewhere. A pointer that is no function of this type, as
 * NULL, which a program may not call, calls the last one; the checker reports NULL (lower/mark_calls.c). */
#include "frontend.h"
#include <string.h>

enum { STEP = 16 }; /* pointers to members (Itanium C++ ABI) keep a flag in the lowest bit */

/* ---- addresses ----------------------------------------------------------------------------------------------------- */

/* Everything that takes the function's address gets this one; calls of it stay. */
static void set_address(LLVMValueRef f, LLVMValueRef address) {
    struct list calls = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == f) {
            list_add(&calls, user);
        }
    }
    LLVMReplaceAllUsesWith(f, address);
    for (size_t i = 0; i < calls.n; i++) {
        LLVMSetOperand(calls.at[i], (unsigned)LLVMGetNumOperands(calls.at[i]) - 1, f);
    }
}

void function_forget_address(LLVMValueRef f) {
    set_address(f, LLVMConstNull(LLVMTypeOf(f)));
}

/* A function in a vtable: how many bytes after where objects of the class point to. */
struct place {
    LLVMMetadataRef class;
    int64_t bytes;
};

/* A function whose address is taken. */
struct target {
    LLVMValueRef function;
    struct list places; /* struct place */
};

struct choosing {
    LLVMModuleRef module;
    LLVMContextRef llvm;
    LLVMTargetDataRef layout;
    struct list targets, choosers; /* struct target, struct chooser */
};

/* ---- functions whose address is taken ------------------------------------------------------------------------------- */

static bool begins(LLVMValueRef global, const char *prefix) {
    size_t n;
    return !strncmp(LLVMGetValueName2(global, &n), prefix, strlen(prefix));
}

/* Whether anything but calls of it, and lists as llvm.global_ctors, uses the constant, which is the function or refers to it. */
static bool is_taken(LLVMValueRef constant) {
    bool taken = false;
    for (LLVMUseRef u = LLVMGetFirstUse(constant); u && !taken; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == constant) {
            for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++) {
                taken |= LLVMGetOperand(user, i) == constant;
            }
        } else if (LLVMIsAGlobalVariable(user)) {
            taken = !begins(user, "llvm.");
        } else {
            taken = LLVMIsAInstruction(user) || (!LLVMIsAGlobalValue(user) && is_taken(user));
        }
    }
    return taken;
}

static void find_targets(struct choosing *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->module); f; f = LLVMGetNextFunction(f)) {
        if (begins(f,
                   "__cxa_pure_virtual")) { /* a vtable's place of a function that a class leaves to others */
            function_forget_address(f);
        } else if (!LLVMGetIntrinsicID(f) && is_taken(f)) {
            struct target *target = job_alloc(sizeof *target);
            target->function = f;
            list_add(&c->targets, target);
        }
    }
}

static struct target *target_of(struct choosing *c, LLVMValueRef f) {
    for (size_t i = 0; i < c->targets.n; i++) {
        struct target *t = c->targets.at[i];
        if (t->function == f) {
            return t;
        }
    }
    return NULL;
}

/* ---- vtables --------------------------------------------------------------------------------------------------------- */

/* Notes the functions in a part of a vtable. `points`: where in it objects of which class point to; `offset`: where the
 * part is. */
static void note_places(struct choosing *c, LLVMValueRef part, int64_t offset, const struct list *points) {
    LLVMTypeRef type = LLVMTypeOf(part);
    struct target *target = LLVMIsAFunction(part) ? target_of(c, part) : NULL;
    for (size_t i = 0; target && i < points->n; i++) {
        const struct place *point = points->at[i];
        struct place *place = job_alloc(sizeof *place);
        *place = (struct place){point->class, offset - point->bytes};
        list_add(&target->places, place);
    }
    for (unsigned i = 0; LLVMIsAConstantStruct(part) && i < LLVMCountStructElementTypes(type); i++) {
        int64_t field = (int64_t)LLVMOffsetOfElement(c->layout, type, i);
        note_places(c, LLVMGetOperand(part, i), offset + field, points);
    }
    for (unsigned i = 0; LLVMIsAConstantArray(part) && i < LLVMGetArrayLength2(type); i++) {
        uint64_t size = LLVMABISizeOfType(c->layout, LLVMGetElementType(type));
        note_places(c, LLVMGetOperand(part, i), offset + (int64_t)(i * size), points);
    }
}

/* Where objects point to in the variable, if it is a vtable: its nodes !type, {bytes, class}. */
static void find_points(struct choosing *c, LLVMValueRef global, struct list *points) {
    unsigned kind = LLVMGetMDKindIDInContext(c->llvm, "type", 4);
    size_t n;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef operands[2];
        if (LLVMValueMetadataEntriesGetKind(entries, i) != kind) {
            continue;
        }
        LLVMValueRef node = LLVMMetadataAsValue(c->llvm, LLVMValueMetadataEntriesGetMetadata(entries, i));
        if (LLVMGetMDNodeNumOperands(node) != 2) {
            continue;
        }
        LLVMGetMDNodeOperands(node, operands);
        struct place *point = job_alloc(sizeof *point);
        *point = (struct place){LLVMValueAsMetadata(operands[1]), LLVMConstIntGetSExtValue(operands[0])};
        list_add(points, point);
    }
    LLVMDisposeValueMetadataEntries(entries);
}

static void read_vtables(struct choosing *c) {
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g; g = LLVMGetNextGlobal(g)) {
        struct list points = {0};
        if (LLVMGetInitializer(g)) {
            find_points(c, g, &points);
            note_places(c, LLVMGetInitializer(g), 0, &points);
        }
    }
}

static bool is_type_test(LLVMValueRef i) {
    return LLVMIsACallInst(i) &&
           (ir_is_intrinsic(i, "llvm.type.test") || ir_is_intrinsic(i, "llvm.public.type.test"));
}

/* How far the address is from its base, if that is known. */
static bool constant_distance(LLVMTargetDataRef layout, LLVMValueRef gep, int64_t *bytes) {
    struct gep_step steps[GEP_STEPS];
    unsigned n = ir_gep_steps(layout, gep, steps);
    *bytes = 0;
    for (unsigned i = 0; i < n; i++) {
        if (steps[i].index && !LLVMIsAConstantInt(steps[i].index)) {
            return false;
        }
        *bytes += (int64_t)steps[i].bytes * (steps[i].index ? LLVMConstIntGetSExtValue(steps[i].index) : 1);
    }
    return n != 0;
}

/* Which function of which class a virtual call is of; without a class: it is none. */
static struct place place_of(struct choosing *c, LLVMValueRef call) {
    LLVMValueRef load = LLVMGetCalledValue(call), at = LLVMIsALoadInst(load) ? LLVMGetOperand(load, 0) : NULL;
    struct place place = {0};
    if (at && LLVMIsAGetElementPtrInst(at)) {
        at = constant_distance(c->layout, at, &place.bytes) ? LLVMGetOperand(at, 0) : NULL;
    }
    for (LLVMUseRef u = at ? LLVMGetFirstUse(at) : NULL; u && !place.class; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (is_type_test(user)) {
            place.class = LLVMValueAsMetadata(LLVMGetOperand(user, 1));
        }
    }
    return place;
}

static bool may_call(const struct target *t, LLVMTypeRef type, struct place place) {
    bool found = !place.class;
    for (size_t i = 0; !found && i < t->places.n; i++) {
        const struct place *p = t->places.at[i];
        found = p->class == place.class && p->bytes == place.bytes;
    }
    return found && LLVMGlobalGetValueType(t->function) == type;
}

/* Nothing behind knows classes. */
static void drop_type_tests(struct choosing *c) {
    static const char *const names[] = {"llvm.type.test", "llvm.public.type.test"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(c->module, names[i]);
        for (LLVMUseRef u; f && (u = LLVMGetFirstUse(f));) {
            LLVMValueRef call = LLVMGetUser(u);
            LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), 1, 0));
            LLVMInstructionEraseFromParent(call);
        }
    }
}

/* ---- calls ----------------------------------------------------------------------------------------------------------- */

/* The call passes and returns values as the function wants them: structs by value, short integers extended. */
static void copy_attributes(LLVMValueRef call, LLVMValueRef f) {
    for (unsigned i = 0; i <= LLVMCountParams(f); i++) {
        ir_copy_attributes(f, call, i);
    }
}

/* A block that calls the function with what its own function was called with, but for the pointer, and returns. */
static LLVMBasicBlockRef case_of(LLVMValueRef chooser, LLVMValueRef f) {
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    unsigned n = LLVMCountParams(f);
    LLVMValueRef *args = job_alloc((n + 1) * sizeof *args);
    for (unsigned i = 0; i < n; i++) {
        args[i] = LLVMGetParam(chooser, i + 1);
    }
    LLVMBasicBlockRef block = ir_block(chooser, "");
    LLVMBuilderRef b = ir_at_end(block);
    LLVMValueRef call = LLVMBuildCall2(b, type, f, args, n, "");
    copy_attributes(call, f);
    if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind) {
        LLVMBuildRetVoid(b);
    } else {
        LLVMBuildRet(b, call);
    }
    LLVMDisposeBuilder(b);
    return block;
}

/* A function that chooses among those of a type, and of a place in vtables: its parameters are the pointer and theirs. */
struct chooser {
    LLVMTypeRef type;
    struct place place;
    LLVMValueRef function; /* NULL: there is nothing to call */
};

static LLVMValueRef make_chooser(struct choosing *c, LLVMTypeRef type, struct place place) {
    LLVMContextRef llvm = c->llvm;
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef *params = job_alloc((n + 1) * sizeof *params);
    struct list blocks = {0}, numbers = {0};
    params[0] = LLVMPointerTypeInContext(llvm, AS_PRIVATE);
    LLVMGetParamTypes(type, params + 1);
    LLVMValueRef chooser = LLVMAddFunction(c->module, CALL_BY_POINTER,
                                           LLVMFunctionType(LLVMGetReturnType(type), params, n + 1, 0));
    LLVMSetLinkage(chooser, LLVMInternalLinkage);
    ir_attribute(llvm, chooser, "convergent", 0);
    ir_attribute(llvm, chooser, "nounwind", 0);
    LLVMBuilderRef b = ir_at_end(ir_block(chooser, ""));
    for (size_t i = 0; i < c->targets.n; i++) {
        struct target *t = c->targets.at[i];
        if (may_call(t, type, place)) {
            list_add(&blocks, case_of(chooser, t->function));
            list_add(&numbers, ir_const64(llvm, (i + 1) * STEP));
        }
    }
    if (!blocks.n) {
        LLVMDisposeBuilder(b);
        LLVMDeleteFunction(chooser);
        return NULL;
    }
    LLVMValueRef pointer = LLVMBuildPtrToInt(b, LLVMGetParam(chooser, 0), LLVMInt64TypeInContext(llvm), "");
    size_t last = blocks.n - 1;
    LLVMValueRef choice = LLVMBuildSwitch(b, pointer, blocks.at[last], (unsigned)last);
    for (size_t i = 0; i < last; i++) {
        LLVMAddCase(choice, numbers.at[i], blocks.at[i]);
    }
    LLVMDisposeBuilder(b);
    return chooser;
}

static struct chooser *chooser_for(struct choosing *c, LLVMValueRef call) {
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    struct place place = place_of(c, call);
    for (size_t i = 0; i < c->choosers.n; i++) {
        struct chooser *chooser = c->choosers.at[i];
        if (chooser->type == type && chooser->place.class == place.class &&
            chooser->place.bytes == place.bytes) {
            return chooser;
        }
    }
    struct chooser *chooser = job_alloc(sizeof *chooser);
    *chooser = (struct chooser){type, place, make_chooser(c, type, place)};
    list_add(&c->choosers, chooser);
    return chooser;
}

/* Where no function has the call's type, nothing may come there: its result is poison. */
static void replace(LLVMValueRef call, LLVMValueRef chooser) {
    LLVMTypeRef result = LLVMTypeOf(call);
    LLVMValueRef value = LLVMGetTypeKind(result) == LLVMVoidTypeKind ? NULL : LLVMGetPoison(result);
    if (chooser) {
        unsigned n = LLVMGetNumArgOperands(call);
        LLVMValueRef *args = job_alloc((n + 1) * sizeof *args);
        args[0] = LLVMGetCalledValue(call);
        for (unsigned i = 0; i < n; i++) {
            args[i + 1] = LLVMGetOperand(call, i);
        }
        LLVMBuilderRef b = ir_before(call);
        value = LLVMBuildCall2(b, LLVMGlobalGetValueType(chooser), chooser, args, n + 1, "");
        LLVMInstructionSetDebugLoc(value, LLVMInstructionGetDebugLoc(call));
        LLVMDisposeBuilder(b);
    }
    if (LLVMGetFirstUse(call)) {
        LLVMReplaceAllUsesWith(call, value);
    }
    LLVMInstructionEraseFromParent(call);
}

static bool is_indirect(LLVMValueRef i) {
    return LLVMIsACallInst(i) && !LLVMIsAFunction(LLVMGetCalledValue(i)) &&
           !LLVMIsAInlineAsm(LLVMGetCalledValue(i));
}

void indirect_calls_choose(LLVMModuleRef module) {
    struct choosing c = {
        .module = module, .llvm = LLVMGetModuleContext(module), .layout = LLVMGetModuleDataLayout(module)};
    struct list calls = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (is_indirect(i)) {
                    list_add(&calls, i);
                }
            }
        }
    }
    find_targets(&c);
    read_vtables(&c);
    for (size_t i = 0; i < c.targets.n; i++) {
        LLVMValueRef f = ((struct target *)c.targets.at[i])->function;
        LLVMValueRef address = ir_const64(c.llvm, (i + 1) * STEP);
        set_address(f, LLVMConstIntToPtr(address, LLVMTypeOf(f)));
    }
    for (size_t i = 0; i < calls.n; i++) {
        replace(calls.at[i], chooser_for(&c, calls.at[i])->function);
    }
    drop_type_tests(&c);
}

/* whole_words.c: of a checked kernel: elements of less than a word in local memory, as `local uchar t[64]` has them, get a word
 * each. The checker's cells are of words: what bytes of one word are accessed by whom it has to keep beside them, which takes long.
 *
 * Needs values promoted, and addresses as clang has them; before anything asks where an access leads. Gives the same with
 * variables, and arguments whose size is known, that have an `int` for each char, short or half, if all that the kernel does with
 * them is to load and store such elements, or vectors of them, by pointers that lead nowhere else:
 *     t[i] = x;    store i8 %x, ptr addrspace(3) %p    ->    store i32 zext %x, ptr addrspace(3) %q
 * k->widened has for each such variable how many times as large it is; reports count in the program's bytes.
 * What it can't do: structs, memory that is copied as a whole, or accessed by elements of several sizes. */
#include "frontend.h"
#include "instrument.h"
#include "lower.h"
#include <string.h>

enum { MOST_BYTES = 128 * 1024, DEVICE_BYTES = 512 * 1024 }; /* widened ones; CL_DEVICE_LOCAL_MEM_SIZE */

struct root { /* a variable or an argument */
    LLVMValueRef value;
    uint64_t bytes, unit; /* unit: of an element; 0: not known yet */
    struct root *of;      /* another one that the same pointers may lead to, or itself */
    bool is_bad;
    LLVMTypeRef type; /* of the variable; NULL: an argument */
};

struct widening {
    struct kernel *k;
    LLVMTargetDataRef layout;
    LLVMBuilderRef b;
    struct ptrmap known;         /* pointer -> struct root */
    struct list roots, pointers; /* pointers: all but roots */
};

static struct root *class_of(struct root *r) {
    while (r->of != r) {
        r = r->of;
    }
    return r;
}

static void join(struct root *x, struct root *y) {
    x = class_of(x);
    y = class_of(y);
    y->is_bad |= x->is_bad || (x->unit && y->unit && x->unit != y->unit);
    y->unit = y->unit ? y->unit : x->unit;
    x->of = y;
}

static LLVMTypeRef leaf_of(LLVMTypeRef type) {
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind || LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        type = LLVMGetElementType(type);
    }
    return type;
}

/* Of a type of such elements alone, how many bytes one has; else 0. */
static uint64_t unit_of(LLVMTypeRef type) {
    LLVMTypeRef leaf = leaf_of(type);
    LLVMTypeKind kind = LLVMGetTypeKind(leaf);
    if (kind == LLVMIntegerTypeKind) {
        unsigned bits = LLVMGetIntTypeWidth(leaf);
        return bits == 8 || bits == 16 ? bits / 8 : 0;
    }
    return kind == LLVMHalfTypeKind ? 2 : 0;
}

/* The same type of words. */
static LLVMTypeRef widened(struct widening *w, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMArrayTypeKind:
        return LLVMArrayType2(widened(w, LLVMGetElementType(type)), LLVMGetArrayLength2(type));
    case LLVMVectorTypeKind:
        return LLVMVectorType(widened(w, LLVMGetElementType(type)), LLVMGetVectorSize(type));
    default:
        return LLVMInt32TypeInContext(w->k->llvm);
    }
}

/* ---- which ---- */

static void look_at_uses(struct widening *w, LLVMValueRef p, struct root *r);

static void add_pointer(struct widening *w, LLVMValueRef p, struct root *r) {
    struct root *known = (struct root *)ptrmap_at(&w->known, p, 0);
    if (known) {
        join(r, known);
        return;
    }
    ptrmap_set(&w->known, p, (uintptr_t)r);
    list_add(&w->pointers, p);
    look_at_uses(w, p, r);
}

/* An element's size, of an access or a step; 0: it isn't one of such elements. */
static void note_unit(struct root *r, uint64_t unit) {
    struct root *c = class_of(r);
    c->is_bad |= !unit || (c->unit && c->unit != unit);
    c->unit = unit;
}

static bool is_step(LLVMValueRef user, LLVMValueRef p) {
    return LLVMIsAGetElementPtrInst(user) && LLVMGetOperand(user, 0) == p;
}

/* A place in a variable that is known: so many elements behind its start, or, as `is_bytes`, so many bytes. */
static bool is_constant_step(LLVMValueRef user, bool *is_bytes) {
    bool is = LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr &&
              LLVMIsAGlobalVariable(LLVMGetOperand(user, 0));
    LLVMTypeRef type = is ? LLVMGetGEPSourceElementType(user) : NULL;
    *is_bytes = is && LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 8;
    return is && (unit_of(type) || *is_bytes);
}

static void look_at_use(struct widening *w, LLVMValueRef user, LLVMValueRef p, struct root *r) {
    bool is_bytes, is_load = LLVMIsALoadInst(user),
                   is_store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != p;
    if ((is_load || is_store) && !LLVMGetOrdering(user) &&
        LLVMGetTypeKind(ir_access_type(user)) != LLVMArrayTypeKind) {
        note_unit(r, unit_of(ir_access_type(user)));
    } else if (is_step(user, p)) {
        note_unit(r, unit_of(LLVMGetGEPSourceElementType(user)));
        add_pointer(w, user, r);
    } else if (is_constant_step(user, &is_bytes)) {
        if (!is_bytes) {
            note_unit(r, unit_of(LLVMGetGEPSourceElementType(user)));
        }
        add_pointer(w, user, r);
    } else if (LLVMIsAPHINode(user) || LLVMIsASelectInst(user)) {
        add_pointer(w, user, r);
    } else {
        class_of(r)->is_bad |= !LLVMIsAICmpInst(user);
    }
}

static void look_at_uses(struct widening *w, LLVMValueRef p, struct root *r) {
    for (LLVMUseRef u = LLVMGetFirstUse(p); u && !class_of(r)->is_bad; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool elsewhere =
            LLVMIsAInstruction(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != w->k->run;
        if (elsewhere || (LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) == p)) {
            class_of(r)->is_bad = true;
        } else {
            look_at_use(w, user, p, r);
        }
    }
}

/* A choice of which one is no such pointer. */
static void look_at_choice(struct widening *w, LLVMValueRef p) {
    struct root *r = class_of((struct root *)ptrmap_at(&w->known, p, 0));
    bool is_phi = LLVMIsAPHINode(p);
    if (!is_phi && !LLVMIsASelectInst(p)) {
        return;
    }
    for (unsigned i = 0; i < (is_phi ? LLVMCountIncoming(p) : 2); i++) {
        LLVMValueRef from = is_phi ? LLVMGetIncomingValue(p, i) : LLVMGetOperand(p, i + 1);
        r->is_bad |= !LLVMIsUndef(from) && !LLVMIsNull(from) && !ptrmap_at(&w->known, from, 0);
    }
}

static struct root *add_root(struct widening *w, LLVMValueRef value, uint64_t bytes, LLVMTypeRef type) {
    struct root *r = job_alloc(sizeof *r);
    *r = (struct root){.value = value, .bytes = bytes, .type = type};
    r->of = r;
    r->unit = type ? unit_of(type) : 0;
    r->is_bad = type && !r->unit;
    list_add(&w->roots, r);
    ptrmap_set(&w->known, value, (uintptr_t)r);
    return r;
}

/* False: the memory that the kernel has isn't known. */
static bool find_roots(struct widening *w, uint64_t *all) {
    struct kernel *k = w->k;
    for (LLVMValueRef g = LLVMGetFirstGlobal(k->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == AS_LOCAL && LLVMGetFirstUse(g)) {
            LLVMTypeRef type = LLVMGlobalGetValueType(g);
            uint64_t bytes = LLVMABISizeOfType(w->layout, type);
            add_root(w, g, bytes, type);
            *all += bytes;
        }
    }
    LLVMValueRef *arguments = job_alloc((k->meta->nargs + 1) * sizeof *arguments);
    for (size_t i = 0; i < k->arguments.cap; i++) {
        if (k->arguments.keys[i]) { /* in the order that they have, not that of the map */
            arguments[k->arguments.values[i]] = (LLVMValueRef)(uintptr_t)k->arguments.keys[i];
        }
    }
    for (unsigned i = 0; i < k->meta->nargs; i++) {
        LLVMValueRef p = arguments[i];
        if (!p || LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != AS_LOCAL) {
            continue;
        }
        uint64_t bytes = enter_local_bytes(k, i);
        if (!bytes) {
            return false;
        }
        add_root(w, p, bytes, NULL);
        *all += bytes;
    }
    return true;
}

static void find(struct widening *w) {
    for (size_t i = 0; i < w->roots.n; i++) {
        struct root *r = w->roots.at[i];
        look_at_uses(w, r->value, r);
    }
    for (size_t i = 0; i < w->pointers.n; i++) {
        look_at_choice(w, w->pointers.at[i]);
    }
}

/* ---- words in their place ---- */

static bool is_widened(struct root *r) {
    struct root *c = class_of(r);
    return !c->is_bad && c->unit;
}

/* Bits of an element, or a vector of them, as numbers. */
static LLVMTypeRef bits_type(struct widening *w, LLVMTypeRef type) {
    LLVMTypeRef number = LLVMIntTypeInContext(w->k->llvm, (unsigned)unit_of(type) * 8);
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    return is_vector ? LLVMVectorType(number, LLVMGetVectorSize(type)) : number;
}

static void stand_before(struct widening *w, LLVMValueRef i) {
    LLVMPositionBuilderBefore(w->b, i);
    LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(i));
}

static unsigned widened_align(unsigned align, uint64_t unit) {
    enum { ARENA = 128 };
    unsigned words = align * 4 / (unsigned)unit;
    return words < ARENA ? words : ARENA;
}

static void widen_access(struct widening *w, LLVMValueRef i) {
    LLVMTypeRef type = ir_access_type(i), words = widened(w, type), bits = bits_type(w, type);
    stand_before(w, i);
    LLVMValueRef access;
    if (LLVMIsALoadInst(i)) {
        access = LLVMBuildLoad2(w->b, words, LLVMGetOperand(i, 0), "");
        LLVMValueRef value = LLVMBuildTrunc(w->b, access, bits, "");
        LLVMReplaceAllUsesWith(i, LLVMBuildBitCast(w->b, value, type, ""));
    } else {
        LLVMValueRef value = LLVMBuildBitCast(w->b, LLVMGetOperand(i, 0), bits, "");
        access = LLVMBuildStore(w->b, LLVMBuildZExt(w->b, value, words, ""), LLVMGetOperand(i, 1));
    }
    LLVMSetAlignment(access, widened_align(LLVMGetAlignment(i), unit_of(type)));
    if (instrument_is_library(w->k, i)) {
        unsigned kind = LLVMGetMDKindIDInContext(w->k->llvm, MARK_LIBRARY, strlen(MARK_LIBRARY));
        LLVMSetMetadata(access, kind, LLVMGetMetadata(i, kind));
    }
    LLVMSetVolatile(access, LLVMGetVolatile(i));
    LLVMInstructionEraseFromParent(i);
}

static void widen_step(struct widening *w, LLVMValueRef gep) {
    unsigned n = LLVMGetNumIndices(gep);
    LLVMValueRef *indices = job_alloc(n * sizeof *indices);
    for (unsigned i = 0; i < n; i++) {
        indices[i] = LLVMGetOperand(gep, i + 1);
    }
    stand_before(w, gep);
    LLVMTypeRef type = widened(w, LLVMGetGEPSourceElementType(gep));
    LLVMValueRef step = LLVMBuildGEPWithNoWrapFlags(w->b, type, LLVMGetOperand(gep, 0), indices, n, "",
                                                    LLVMGEPGetNoWrapFlags(gep));
    LLVMReplaceAllUsesWith(gep, step);
    LLVMInstructionEraseFromParent(gep);
}

static void widen_constant(struct widening *w, LLVMValueRef p, LLVMValueRef var, uint64_t times) {
    LLVMTypeRef i8 = LLVMInt8TypeInContext(w->k->llvm), type = LLVMGetGEPSourceElementType(p);
    unsigned n = LLVMGetNumIndices(p);
    LLVMValueRef *indices = job_alloc(n * sizeof *indices);
    for (unsigned i = 0; i < n; i++) {
        indices[i] = LLVMGetOperand(p, i + 1);
    }
    bool is_bytes;
    is_constant_step(p, &is_bytes);
    if (is_bytes) {
        indices[0] = ir_const64(w->k->llvm, LLVMConstIntGetZExtValue(indices[0]) * times);
    }
    LLVMReplaceAllUsesWith(p, LLVMConstGEP2(is_bytes ? i8 : widened(w, type), var, indices, n));
}

/* The variable that takes the root's place. */
static LLVMValueRef variable_of(struct widening *w, const struct root *r, uint64_t unit) {
    struct kernel *k = w->k;
    struct widened_variable *note = job_alloc(sizeof *note);
    LLVMTypeRef words = LLVMArrayType2(LLVMInt32TypeInContext(k->llvm), r->bytes / unit);
    LLVMValueRef initial = NULL;
    unsigned align = widened_align(128, unit);
    *note = (struct widened_variable){.times = (uint32_t)(4 / unit)};
    if (r->type) {
        words = widened(w, r->type);
        initial = LLVMGetInitializer(r->value);
        note->name = types_text(k->llvm, r->value, 0);
        note->type = types_text(k->llvm, r->value, 1);
        align = widened_align(ir_variable_align(w->layout, r->value, (uint32_t)unit), unit);
    } else {
        unsigned argument = (unsigned)ptrmap_at(&k->arguments, r->value, 0);
        const char *type = k->argument_types[argument];
        note->is_argument = true;
        note->name = k->meta->args[argument].name;
        note->type =
            job_printf("%llu[%llu]%s", (unsigned long long)r->bytes, (unsigned long long)(r->bytes / unit),
                       *type       ? type
                       : unit == 1 ? "1"
                                   : "2");
    }
    size_t n;
    const char *name = r->type ? job_strdup(LLVMGetValueName2(r->value, &n)) : note->name;
    LLVMSetValueName2(r->value, "", 0);
    LLVMValueRef var = LLVMAddGlobalInAddressSpace(k->module, words, name, AS_LOCAL);
    LLVMSetLinkage(var, LLVMInternalLinkage);
    LLVMSetInitializer(var, initial && LLVMIsNull(initial) ? LLVMConstNull(words) : LLVMGetUndef(words));
    LLVMSetAlignment(var, align);
    ptrmap_set(&k->widened, var, (uintptr_t)note);
    return var;
}

static void add_accesses(struct list *accesses, LLVMValueRef p) {
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user) || LLVMIsAStoreInst(user)) {
            list_add(accesses, user);
        }
    }
}

static void widen(struct widening *w) {
    struct list accesses = {0}, wide = {0};
    for (size_t i = 0; i < w->roots.n; i++) {
        struct root *r = w->roots.at[i];
        if (is_widened(r)) {
            add_accesses(&accesses, r->value);
        }
    }
    for (size_t i = 0; i < w->pointers.n; i++) {
        LLVMValueRef p = w->pointers.at[i];
        if (is_widened((struct root *)ptrmap_at(&w->known, p, 0))) {
            list_add(&wide, p);
            add_accesses(&accesses, p);
        }
    }
    for (size_t i = 0; i < accesses.n; i++) {
        widen_access(w, accesses.at[i]);
    }
    for (size_t i = 0; i < wide.n; i++) {
        LLVMValueRef p = wide.at[i];
        if (LLVMIsAGetElementPtrInst(p)) {
            widen_step(w, p);
        }
    }
    for (size_t i = 0; i < w->roots.n; i++) {
        struct root *r = w->roots.at[i];
        if (!is_widened(r)) {
            continue;
        }
        uint64_t unit = class_of(r)->unit;
        LLVMValueRef var = variable_of(w, r, unit);
        for (size_t n = 0; n < wide.n; n++) {
            if (LLVMIsAConstantExpr(wide.at[n]) && LLVMGetOperand(wide.at[n], 0) == r->value) {
                widen_constant(w, wide.at[n], var, 4 / unit);
            }
        }
        LLVMReplaceAllUsesWith(r->value, var);
    }
}

void whole_words(struct kernel *k) {
    struct widening w = {
        .k = k, .layout = LLVMGetModuleDataLayout(k->module), .b = LLVMCreateBuilderInContext(k->llvm)};
    uint64_t all = 0, more = 0;
    if (find_roots(&w, &all)) {
        find(&w);
        for (size_t i = 0; i < w.roots.n; i++) {
            struct root *r = w.roots.at[i];
            more += is_widened(r) ? r->bytes * 4 / class_of(r)->unit + 128 : 0;
        }
        if (more && more <= MOST_BYTES && all + more <= DEVICE_BYTES) {
            widen(&w);
        }
    }
    LLVMDisposeBuilder(w.b);
}

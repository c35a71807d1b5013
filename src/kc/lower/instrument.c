/* instrument.c: makes a kernel a checked one: WEIR_CHECK.
 *
 * Needs `inline`: all of the kernel is in k->run, and nothing but inlining has touched clang's code, for optimizers drop
 * accesses and merge barriers. Gives: before each access of memory that work-items share a call, which vector/checks.c makes
 * one of src/check for a pack; before atomics, copies and barriers calls of lib/cl/check.cl, linked and inlined; k->sites and
 * k->places, which `publish` puts into the kernel object. Scalars of work-items are registers from here on. Accesses of
 * private memory, of the library's own scratch memory and of the argument block are left alone.
 *
 *     store i32 %x, ptr addrspace(3) %p
 *  becomes
 *     %a = ptrtoint ptr addrspace(3) %p to i64
 *     call void @__weir_check_access(i64 %a, i32 7, i32 1, i32 4, i64 %bits, i64 0)       site 7, writes 4 bytes
 *     store i32 %x, ptr addrspace(3) %p
 *
 * Barriers also get a number that tells the iterations of the loops around them apart: work-items meet only in the same
 * one. */
#include "analysis.h"
#include "frontend.h"
#include "instrument.h"
#include "lower.h"
#include <string.h>

/* ---- sites ---- */

static const char *file_of(LLVMMetadataRef location) {
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
    return file ? frontend_file_name(file) : "";
}

/* Of the place in the program: built-in functions have no lines. The calls around it follow, innermost first. */
static void find_place(struct instrumenting *in, struct kernel_site *s, LLVMMetadataRef location) {
    struct buf stack = {0};
    while (location && !LLVMDILocationGetLine(location)) {
        location = LLVMDILocationGetInlinedAt(location);
    }
    s->file = s->stack = s->function = "";
    if (!location) {
        return;
    }
    s->file = file_of(location);
    s->function = types_function(in->k->llvm, location);
    s->line = LLVMDILocationGetLine(location);
    s->column = LLVMDILocationGetColumn(location);
    const char *callee = s->function;
    while ((location = LLVMDILocationGetInlinedAt(location))) {
        const char *caller = types_function(in->k->llvm, location);
        /* the outermost call may be one that clang makes of the kernel's own code */
        if (LLVMDILocationGetLine(location) && strcmp(caller, callee)) {
            buf_printf(&stack, "%s%s:%u:%u\t%s", stack.size ? "\n" : "", file_of(location),
                       LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location), caller);
        }
        callee = caller;
    }
    s->stack = job_printf("%.*s", (int)stack.size, stack.data ? (char *)stack.data : "");
    buf_free(&stack);
}

/* vloadn, bytes and members of packed structs may lie anywhere: clang says so at the instruction. */
uint32_t instrument_alignment(struct instrumenting *in, LLVMValueRef at) {
    LLVMTypeRef type = LLVMIsAStoreInst(at) ? LLVMTypeOf(LLVMGetOperand(at, 0)) : LLVMTypeOf(at);
    if (LLVMIsAAtomicRMWInst(at) || LLVMIsAAtomicCmpXchgInst(at)) {
        type = LLVMTypeOf(LLVMGetOperand(at, 1));
        return (uint32_t)LLVMStoreSizeOfType(in->layout, type);
    }
    if (!LLVMIsALoadInst(at) && !LLVMIsAStoreInst(at)) {
        return 1;
    }
    type = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    uint32_t element = LLVMABIAlignmentOfType(in->layout, type), known = LLVMGetAlignment(at);
    return element < known ? element : known;
}

LLVMValueRef instrument_site(struct instrumenting *in, LLVMValueRef at, uint32_t what, uint32_t bytes,
                             uint32_t object) {
    struct kernel_site *s = job_alloc(sizeof *s);
    if (!in->k->sites.n) {
        list_add(&in->k->sites, job_alloc(sizeof *s)); /* site 0 is none */
        *(struct kernel_site *)in->k->sites.at[0] =
            (struct kernel_site){.file = "", .function = "", .stack = ""};
    }
    *s = (struct kernel_site){
        .what = what, .bytes = bytes, .object = object, .align = instrument_alignment(in, at)};
    find_place(in, s, LLVMInstructionGetDebugLoc(at));
    if (in->k->sites.n < WEIR_SITES_MOST) {
        list_add(&in->k->sites, s);
    }
    return ir_const32(in->k->llvm, (uint32_t)in->k->sites.n - 1);
}

/* ---- what is accessed ---- */

/* What the pointer is computed from; an argument in local memory is a sum itself. */
static LLVMValueRef strip(struct instrumenting *in, LLVMValueRef p) {
    for (;;) {
        if (ptrmap_at(&in->k->arguments, p, UINTPTR_MAX) != UINTPTR_MAX) {
            return p;
        }
        if (ir_is_op(p, LLVMGetElementPtr) || ir_is_op(p, LLVMAddrSpaceCast) || LLVMIsABitCastInst(p)) {
            p = LLVMGetOperand(p, 0);
        } else {
            return p;
        }
    }
}

enum { IMAGE_IS_OWN = 0x40000000 }; /* the address is of the descriptor itself */

/* Whether the address is one that the library computes from an image's value (lib/cl/image.h), and of which image; the
 * texel's is read from the image's descriptor, whose own members nobody may write. */
static bool find_image(struct instrumenting *in, LLVMValueRef p, uintptr_t *image) {
    unsigned loads = 0;
    while (!ptrmap_get(&in->k->images, p, image)) {
        bool is_mask = LLVMIsAInstruction(p) && LLVMGetInstructionOpcode(p) == LLVMAnd;
        loads += LLVMIsALoadInst(p) != NULL;
        if (!LLVMIsAGetElementPtrInst(p) && !LLVMIsACastInst(p) && !LLVMIsALoadInst(p) && !is_mask) {
            return false;
        }
        if (loads > 1) {
            return false;
        }
        p = LLVMGetOperand(p, 0);
    }
    *image |= loads ? 0 : IMAGE_IS_OWN;
    return true;
}

static uint32_t number_of_image(uintptr_t image) {
    return (uint32_t)(image & ~(uintptr_t)(IMAGE_IS_CONSTANT | IMAGE_IS_OWN));
}

/* Whether the pointer leads to private variables alone, whichever is chosen. */
static bool is_of_private(struct instrumenting *in, LLVMValueRef p, struct ptrmap *seen) {
    p = strip(in, p);
    if (LLVMIsAAllocaInst(p) || ptrmap_at(seen, p, 0)) {
        return true;
    }
    ptrmap_set(seen, p, 1);
    bool is = LLVMIsASelectInst(p) || LLVMIsAPHINode(p);
    for (int n = LLVMIsASelectInst(p) ? 1 : 0; is && n < LLVMGetNumOperands(p); n++) {
        is = is_of_private(in, LLVMGetOperand(p, (unsigned)n), seen);
    }
    return is;
}

/* Whether the memory is one that work-items may share and the program's. */
bool instrument_is_shared(struct instrumenting *in, LLVMValueRef p) {
    LLVMValueRef base = strip(in, p);
    uintptr_t image;
    struct ptrmap seen = {0};
    if (find_image(in, p, &image)) {
        return !(image & IMAGE_IS_OWN);
    }
    if (is_of_private(in, base, &seen) || LLVMIsAArgument(base) || ir_is_intrinsic(base, "__weir_")) {
        return false;
    }
    if (LLVMIsALoadInst(base) &&
        kernel_is_invariant(base)) { /* an argument, or a field of the runtime's structs */
        uintptr_t known;
        return ptrmap_get(&in->k->arguments, base, &known);
    }
    if (LLVMIsALoadInst(base) && LLVMIsALoadInst(strip(in, LLVMGetOperand(base, 0))) &&
        kernel_is_invariant(strip(in, LLVMGetOperand(base, 0)))) {
        return instrument_is_shared(in,
                                    LLVMGetOperand(base, 0)); /* what an image's descriptor points to isn't */
    }
    return LLVMGetPointerAddressSpace(LLVMTypeOf(base)) != AS_CONSTANT || !LLVMIsAGlobalVariable(base);
}

uint32_t instrument_object(struct instrumenting *in, LLVMValueRef p) {
    LLVMValueRef base = strip(in, p);
    uintptr_t known;
    if (ptrmap_get(&in->k->arguments, base, &known)) {
        return (uint32_t)known + 1;
    }
    if (find_image(in, p, &known) && !(known & IMAGE_IS_OWN)) {
        return number_of_image(known) + 1;
    }
    if (ptrmap_get(&in->places, base, &known)) {
        return (uint32_t)known | WEIR_SITE_PLACE;
    }
    return 0;
}

uint64_t instrument_local_bytes(struct instrumenting *in, LLVMValueRef p) {
    LLVMValueRef base = strip(in, p);
    uintptr_t argument;
    if (ptrmap_get(&in->k->arguments, base, &argument)) {
        return enter_local_bytes(in->k, (unsigned)argument);
    }
    bool is_variable =
        LLVMIsAGlobalVariable(base) && LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == AS_LOCAL;
    return is_variable ? LLVMABISizeOfType(in->layout, LLVMGlobalGetValueType(base)) : 0;
}

uint32_t instrument_image(struct instrumenting *in, LLVMValueRef image) {
    uintptr_t known;
    return find_image(in, image, &known) ? number_of_image(known) + 1 : 0;
}

/* For reports: where it lies in the program's block. Sites don't refer to it. */
static void add_program_place(struct instrumenting *in, LLVMValueRef g, uint64_t offset) {
    struct kernel_place *p = job_alloc(sizeof *p);
    size_t n;
    p->variable = "";
    p->name =
        *types_text(in->k->llvm, g, 0) ? types_text(in->k->llvm, g, 0) : job_strdup(LLVMGetValueName2(g, &n));
    p->type = types_text(in->k->llvm, g, 1);
    p->space = WEIR_PLACE_PROGRAM;
    p->offset = offset;
    p->bytes = LLVMABISizeOfType(in->layout, LLVMGlobalGetValueType(g));
    list_add(&in->k->places, p);
}

/* What the program has in its place: src/check/where.c. */
static void name_widened(struct instrumenting *in, LLVMValueRef g, struct kernel_place *p) {
    const struct widened_variable *w = (const struct widened_variable *)ptrmap_at(&in->k->widened, g, 0);
    if (w) {
        p->name = *w->name ? w->name : p->name;
        p->type = job_printf("%c%u:%s", w->is_argument ? '&' : '*', w->times, w->type);
    }
}

static void find_places(struct instrumenting *in) {
    uintptr_t offset;
    for (LLVMValueRef g = LLVMGetFirstGlobal(in->k->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == AS_LOCAL && LLVMGetFirstUse(g)) {
            struct kernel_place *p = job_alloc(sizeof *p);
            size_t n;
            p->variable = p->name = job_strdup(LLVMGetValueName2(g, &n));
            const char *dot = strrchr(p->name, '.'); /* clang names it FUNCTION.NAME */
            p->name = dot && (dot[1] < '0' || dot[1] > '9') ? dot + 1 : p->name;
            p->name = *types_text(in->k->llvm, g, 0) ? types_text(in->k->llvm, g, 0) : p->name;
            p->type = types_text(in->k->llvm, g, 1);
            name_widened(in, g, p);
            list_add(&in->k->places, p); /* `local` says where it lies */
            ptrmap_set(&in->places, g, in->k->places.n);
        } else if (LLVMGetFirstUse(g) && ptrmap_get(&in->k->globals, g, &offset)) {
            add_program_place(in, g, offset);
        }
    }
}

/* ---- calls ---- */

LLVMValueRef instrument_value(struct instrumenting *in, const char *name, LLVMTypeRef result,
                              LLVMValueRef *args, unsigned n) {
    struct kernel *k = in->k;
    LLVMValueRef f = LLVMGetNamedFunction(k->module, name);
    LLVMTypeRef types[12];
    for (unsigned i = 0; i < n; i++) {
        types[i] = LLVMTypeOf(args[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
    f = f ? f : LLVMAddFunction(k->module, name, type);
    return LLVMBuildCall2(in->b, type, f, args, n, "");
}

LLVMValueRef instrument_call(struct instrumenting *in, const char *name, LLVMValueRef *args, unsigned n) {
    return instrument_value(in, name, LLVMVoidTypeInContext(in->k->llvm), args, n);
}

/* The same of a vector of numbers, put together from those: a pack has each element as a vector. */
static LLVMValueRef bits_of_elements(struct instrumenting *in, LLVMValueRef v, uint64_t size, uint64_t from) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(in->k->llvm),
                number = LLVMIntTypeInContext(in->k->llvm, (unsigned)size * 8);
    LLVMValueRef bits = ir_const64(in->k->llvm, 0);
    for (uint64_t at = 0; at < 8 && (from + at) / size < LLVMGetVectorSize(LLVMTypeOf(v)); at += size) {
        LLVMValueRef n = ir_const32(in->k->llvm, (uint32_t)((from + at) / size));
        LLVMValueRef element = LLVMBuildBitCast(in->b, LLVMBuildExtractElement(in->b, v, n, ""), number, "");
        element = LLVMBuildZExtOrBitCast(in->b, element, i64, "");
        bits =
            LLVMBuildOr(in->b, bits, LLVMBuildShl(in->b, element, ir_const64(in->k->llvm, at * 8), ""), "");
    }
    return bits;
}

/* The bits [8 * from, 8 * from + 64) of a value of `bytes` bytes; zero if it has no such form. */
static LLVMValueRef bits_of(struct instrumenting *in, LLVMValueRef v, uint64_t bytes, uint64_t from) {
    LLVMTypeRef type = LLVMTypeOf(v), i64 = LLVMInt64TypeInContext(in->k->llvm);
    LLVMTypeRef whole = LLVMIntTypeInContext(in->k->llvm, (unsigned)(bytes * 8));
    LLVMTypeKind kind = LLVMGetTypeKind(type),
                 element = LLVMGetTypeKind(kind == LLVMVectorTypeKind ? LLVMGetElementType(type) : type);
    if (from >= bytes || kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
        (element == LLVMPointerTypeKind && kind == LLVMVectorTypeKind)) {
        return ir_const64(in->k->llvm, 0);
    }
    if (kind == LLVMVectorTypeKind) {
        uint64_t size = LLVMABISizeOfType(in->layout, LLVMGetElementType(type));
        bool is_whole = LLVMSizeOfTypeInBits(in->layout, LLVMGetElementType(type)) == size * 8;
        return is_whole ? bits_of_elements(in, v, size, from) : ir_const64(in->k->llvm, 0);
    }
    if (kind == LLVMPointerTypeKind) {
        v = LLVMBuildPtrToInt(in->b, v, whole, "");
    } else if (LLVMSizeOfTypeInBits(in->layout, type) == bytes * 8) {
        v = LLVMBuildBitCast(in->b, v, whole, "");
    } else if (kind == LLVMIntegerTypeKind) {
        v = LLVMBuildZExt(in->b, v, whole, "");
    } else {
        return ir_const64(in->k->llvm, 0);
    }
    if (from) {
        v = LLVMBuildLShr(in->b, v, LLVMConstInt(whole, from * 8, 0), "");
    }
    return bytes > 8 ? LLVMBuildTrunc(in->b, v, i64, "") : LLVMBuildZExtOrBitCast(in->b, v, i64, "");
}

static LLVMValueRef address(struct instrumenting *in, LLVMValueRef p, uint64_t offset) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(in->k->llvm);
    LLVMValueRef a = LLVMBuildPtrToInt(in->b, p, i64, "");
    return offset ? LLVMBuildAdd(in->b, a, ir_const64(in->k->llvm, offset), "") : a;
}

uint64_t instrument_piece(uint64_t bytes) {
    uint64_t piece = LARGEST_PIECE;
    while (piece > bytes) {
        piece /= 2;
    }
    return piece;
}

void instrument_pieces(struct instrumenting *in, uint32_t what, LLVMValueRef p, LLVMValueRef site,
                       uint64_t bytes, LLVMValueRef value) {
    LLVMContextRef c = in->k->llvm;
    what |= in->has_subgroup_barrier ? WEIR_CHECK_SUBGROUPS : 0;
    for (uint64_t at = 0; at < bytes;) {
        uint64_t piece = instrument_piece(bytes - at);
        LLVMValueRef args[] = {address(in, p, at),
                               site,
                               ir_const32(c, what),
                               ir_const32(c, (uint32_t)piece),
                               value ? bits_of(in, value, bytes, at) : ir_const64(c, 0),
                               value ? bits_of(in, value, bytes, at + 8) : ir_const64(c, 0)};
        if (value && piece < 8) { /* not the bits of what follows */
            args[4] = LLVMBuildAnd(in->b, args[4], ir_const64(c, (UINT64_C(1) << piece * 8) - 1), "");
        }
        instrument_call(in, CHECK_ACCESS, args, 6);
        at += piece;
    }
}

void instrument_range(struct instrumenting *in, LLVMValueRef p, LLVMValueRef site, uint32_t what,
                      LLVMValueRef bytes) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(in->k->llvm);
    LLVMValueRef args[] = {address(in, p, 0), site, ir_const32(in->k->llvm, what),
                           LLVMBuildZExtOrBitCast(in->b, bytes, i64, "")};
    instrument_call(in, "__weir_check_range", args, 4);
}

void instrument_before(struct instrumenting *in, LLVMValueRef i) {
    LLVMPositionBuilderBefore(in->b, i);
    LLVMSetCurrentDebugLocation2(in->b, LLVMInstructionGetDebugLoc(i));
}

/* A new site for an access by the pointer. */
LLVMValueRef instrument_access_site(struct instrumenting *in, LLVMValueRef at, uint32_t what, uint32_t bytes,
                                    LLVMValueRef p) {
    LLVMValueRef number = instrument_site(in, at, what, bytes, instrument_object(in, p));
    struct kernel_site *site = in->k->sites.at[LLVMConstIntGetZExtValue(number)];
    site->is_local =
        in->k->sites.n < WEIR_SITES_MOST && LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_LOCAL;
    return number;
}

/* Notes whether nothing can race with the access, as far as the code tells: of an argument's memory that the kernel alone
 * accesses the launch knows the rest. */
static void note_quiet(struct instrumenting *in, LLVMValueRef access, LLVMValueRef p, LLVMValueRef number) {
    LLVMValueRef base = strip(in, p);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(base));
    uintptr_t argument;
    struct kernel_site *site = in->k->sites.at[LLVMConstIntGetZExtValue(number)];
    if (in->k->sites.n == WEIR_SITES_MOST) {
        return; /* others may share it */
    }
    site->quiet = ptrmap_at(&in->quiet, access, QUIET_NOT) == QUIET_WHOLLY;
    site->marks = ptrmap_at(&in->quiet, access, QUIET_NOT) == QUIET_MARKS;
    if ((space == AS_GLOBAL || space == AS_CONSTANT) && !in->k->meta->enqueues &&
        ptrmap_get(&in->k->arguments, base, &argument)) {
        site->form = launch_form(in, access, p, base);
        site->quiet = site->form || LLVMIsALoadInst(access);
    }
    if (find_image(in, p, &argument) && !in->k->meta->enqueues) {
        site->quiet = LLVMIsALoadInst(access) != NULL;
    }
}

static bool is_surely_fine(struct instrumenting *in, LLVMValueRef access) {
    return ptrmap_at(&in->quiet, access, QUIET_NOT) == QUIET_INSIDE;
}

/* Whether the block stores to the same address after it, as `a[i] += x` does. */
static bool is_updated(LLVMValueRef load) {
    LLVMValueRef p = LLVMGetOperand(load, 0);
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == p &&
            LLVMGetInstructionParent(user) == LLVMGetInstructionParent(load)) {
            return true;
        }
    }
    return false;
}

static void check_load(struct instrumenting *in, LLVMValueRef load) {
    LLVMValueRef p = LLVMGetOperand(load, 0);
    uint64_t bytes = LLVMStoreSizeOfType(in->layout, LLVMTypeOf(load));
    if (kernel_is_invariant(load) || !instrument_is_shared(in, p) || is_surely_fine(in, load)) {
        return;
    }
    instrument_before(in, load);
    LLVMValueRef site = instrument_access_site(in, load, WEIR_SITE_READ, (uint32_t)bytes, p);
    note_quiet(in, load, p, site);
    instrument_pieces(in, WEIR_SITE_READ | (is_updated(load) ? WEIR_CHECK_UPDATES : 0), p, site, bytes, NULL);
}

static bool lacks_element(LLVMValueRef constant, unsigned i) {
    LLVMValueRef element = LLVMGetAggregateElement(constant, i);
    return element && LLVMIsUndef(element);
}

/* Zeros for elements that have no value, as the fourth of three: what two work-items store there is the same, too. */
static LLVMValueRef whole_vector(struct instrumenting *in, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v), i32 = LLVMInt32TypeInContext(in->k->llvm);
    bool is_shuffle = LLVMIsAShuffleVectorInst(v) && LLVMIsUndef(LLVMGetOperand(v, 1)), is_whole = true;
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || (!LLVMIsAConstant(v) && !is_shuffle)) {
        return v;
    }
    LLVMValueRef from = is_shuffle ? LLVMGetOperand(v, 0) : v, zeros = LLVMConstNull(LLVMTypeOf(from));
    unsigned n = LLVMGetVectorSize(type), zero = LLVMGetVectorSize(LLVMTypeOf(from));
    LLVMValueRef *which = job_alloc(n * sizeof *which);
    for (unsigned i = 0; i < n; i++) {
        int element = is_shuffle ? LLVMGetMaskValue(v, i) : lacks_element(v, i) ? -1 : (int)i;
        bool is_there = element >= 0 && (unsigned)element < zero;
        is_whole &= is_there;
        which[i] = LLVMConstInt(i32, is_there ? (unsigned)element : zero, 0);
    }
    return is_whole ? v : LLVMBuildShuffleVector(in->b, from, zeros, LLVMConstVector(which, n), "");
}

static void check_store(struct instrumenting *in, LLVMValueRef store) {
    LLVMValueRef value = LLVMGetOperand(store, 0), p = LLVMGetOperand(store, 1);
    uint64_t bytes = LLVMStoreSizeOfType(in->layout, LLVMTypeOf(value));
    if (!instrument_is_shared(in, p) || is_surely_fine(in, store)) {
        return;
    }
    instrument_before(in, store);
    LLVMValueRef site = instrument_access_site(in, store, WEIR_SITE_WRITE, (uint32_t)bytes, p);
    note_quiet(in, store, p, site);
    value = whole_vector(in, value);
    LLVMSetOperand(store, 0, value);
    instrument_pieces(in, WEIR_SITE_WRITE, p, site, bytes, value);
}

static void check_atomic(struct instrumenting *in, LLVMValueRef i, LLVMValueRef p, LLVMTypeRef type,
                         uint32_t effect, LLVMAtomicOrdering ordering) {
    if (!instrument_is_shared(in, p)) {
        return;
    }
    uint32_t bytes = (uint32_t)LLVMStoreSizeOfType(in->layout, type);
    instrument_before(in, i);
    LLVMValueRef at = address(in, p, 0);
    instrument_atomic(in, i, at, instrument_access_site(in, i, WEIR_SITE_ATOMIC, bytes, p), bytes, effect,
                      ordering);
}

/* ---- barriers ---- */

/* A variable that counts the iterations of the loop since it was entered, kept at its header. */
static LLVMValueRef count_rounds(struct instrumenting *in, unsigned header, const unsigned *stamp,
                                 unsigned loop) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(in->k->llvm), i1 = LLVMInt1TypeInContext(in->k->llvm);
    LLVMBuilderRef entry = ir_at_entry(in->k->run);
    LLVMValueRef var = LLVMBuildAlloca(entry, i32, "rounds");
    LLVMBuildStore(entry, LLVMConstNull(i32), var);
    LLVMDisposeBuilder(entry);
    LLVMValueRef first = LLVMGetFirstInstruction(in->blocks[header]);
    LLVMPositionBuilderBefore(in->b, first);
    LLVMSetCurrentDebugLocation2(in->b, NULL);
    LLVMValueRef again = LLVMBuildPhi(in->b, i1, "again");
    for (unsigned p = 0; p < in->cfg->npred[header]; p++) {
        unsigned from = in->cfg->pred[header][p];
        LLVMValueRef inside = LLVMConstInt(i1, stamp[from] == loop, 0);
        LLVMAddIncoming(again, &inside, &in->blocks[from], 1);
    }
    LLVMPositionBuilderBefore(in->b, ir_after_phis(first));
    LLVMValueRef more = LLVMBuildAdd(in->b, LLVMBuildLoad2(in->b, i32, var, ""), LLVMConstInt(i32, 1, 0), "");
    LLVMBuildStore(in->b, LLVMBuildSelect(in->b, again, more, LLVMConstNull(i32), ""), var);
    return var;
}

struct nest { /* loops with barriers in them, from the outside to the inside */
    struct nest *outer;
    LLVMValueRef rounds;
};

/* The nodes (of which stamp == set) in their loops, each with one node of entry taken away, and so on inwards. */
static void find_loops(struct instrumenting *in, void **nodes, size_t n, unsigned *stamp, unsigned *stamps,
                       struct nest *outer) {
    unsigned set = ++*stamps;
    for (size_t i = 0; i < n; i++) {
        stamp[(uintptr_t)nodes[i]] = set;
        ptrmap_set(&in->rounds, in->blocks[(uintptr_t)nodes[i]], (uintptr_t)outer);
    }
    struct components found = {0};
    graph_components(in->cfg, stamp, set, nodes, n, &found);
    for (size_t c = 0; c < found.starts.n; c++) {
        size_t start = (size_t)(uintptr_t)found.starts.at[c],
               end = c + 1 < found.starts.n ? (size_t)(uintptr_t)found.starts.at[c + 1] : found.nodes.n;
        void **part = found.nodes.at + start;
        unsigned header = (unsigned)(uintptr_t)part[0];
        bool waits = false, is_loop = end - start > 1 || graph_has_edge(in->cfg, header, header);
        for (size_t i = 0; i < end - start; i++) {
            waits |= ir_has_barrier(in->blocks[(uintptr_t)part[i]]);
        }
        if (!waits || !is_loop) {
            continue;
        }
        unsigned loop = ++*stamps;
        for (size_t i = 0; i < end - start; i++) {
            stamp[(uintptr_t)part[i]] = loop;
        }
        for (size_t i = 0; i < end - start; i++) { /* where it is entered */
            unsigned node = (unsigned)(uintptr_t)part[i];
            for (unsigned p = 0; p < in->cfg->npred[node]; p++) {
                header = stamp[in->cfg->pred[node][p]] != loop ? node : header;
            }
        }
        struct nest *nest = job_alloc(sizeof *nest);
        *nest = (struct nest){outer, count_rounds(in, header, stamp, loop)};
        ptrmap_set(&in->rounds, in->blocks[header], (uintptr_t)nest);
        struct list rest = {0};
        for (size_t i = 0; i < end - start; i++) {
            if ((uintptr_t)part[i] != header) {
                list_add(&rest, part[i]);
            }
        }
        find_loops(in, rest.at, rest.n, stamp, stamps, nest);
    }
}

static void check_barrier(struct instrumenting *in, LLVMValueRef barrier) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(in->k->llvm);
    LLVMValueRef rounds = LLVMConstNull(i32);
    struct nest *nest = (struct nest *)ptrmap_at(&in->rounds, LLVMGetInstructionParent(barrier), 0);
    instrument_before(in, barrier);
    for (; nest; nest = nest->outer) {
        LLVMValueRef scaled = LLVMBuildMul(in->b, rounds, LLVMConstInt(i32, 0x9e3779b1, 0), "");
        rounds = LLVMBuildAdd(in->b, scaled, LLVMBuildLoad2(in->b, i32, nest->rounds, ""), "");
    }
    uint32_t half = (uint32_t)ptrmap_at(&in->halves, barrier, WEIR_HALF_NONE);
    LLVMValueRef item = in->item, ids = in->ids;
    bool is_named = ids && !LLVMIsNull(ids);
    if (is_named) {
        LLVMValueRef apart = LLVMBuildMul(in->b, item, LLVMConstInt(i32, 0x85ebca6b, 0), "");
        rounds = LLVMBuildAdd(in->b, rounds, apart, "");
    }
    half = is_named ? WEIR_NAMES_ITEM : ids ? WEIR_GROUP_FUNCTION : half;
    LLVMValueRef args[] = {instrument_site(in, barrier, WEIR_SITE_BARRIER, 0, half),
                           LLVMGetOperand(barrier, 0), LLVMGetOperand(barrier, 1), rounds};
    if (is_named) {
        instrument_call(in, "__weir_check_named", (LLVMValueRef[]){item, ids, args[0]}, 3);
    }
    instrument_call(in, "__weir_check_arrive", args, 4);
    instrument_barrier_fences(in, barrier, args[0]);
    in->item = in->ids = NULL;
}

/* Of the work-items of a sub-group: a barrier, or a marker of a function that all must come to. */
static void check_subgroup(struct instrumenting *in, LLVMValueRef i, bool is_barrier) {
    LLVMValueRef none = LLVMConstNull(LLVMInt32TypeInContext(in->k->llvm));
    uint32_t what = is_barrier ? WEIR_SITE_BARRIER : WEIR_SITE_SUBGROUP;
    instrument_before(in, i);
    LLVMValueRef args[] = {instrument_site(in, i, what, 0, 0), ir_const32(in->k->llvm, what),
                           is_barrier ? LLVMGetOperand(i, 0) : none,
                           is_barrier ? LLVMGetOperand(i, 1) : none};
    instrument_call(in, "__weir_check_subgroup", args, 4);
    if (ir_is_call_to(i, "__weir_mark_broadcast")) {
        LLVMValueRef more[] = {args[0], LLVMGetOperand(i, 0)};
        instrument_call(in, "__weir_check_broadcast", more, 2);
    }
    if (!is_barrier) {
        LLVMInstructionEraseFromParent(i);
    }
}

static void check_call_by_pointer(struct instrumenting *in, LLVMValueRef mark) {
    instrument_before(in, mark);
    LLVMValueRef args[] = {LLVMGetOperand(mark, 0), instrument_site(in, mark, WEIR_SITE_CALL, 0, 0)};
    instrument_call(in, "__weir_check_call", args, 2);
    LLVMInstructionEraseFromParent(mark);
}

/* ---- the pass ---- */

/* Programs before OpenCL C 2.0 have no atomic loads and stores: volatile ones stand for them. */
static bool is_atomic_access(struct instrumenting *in, LLVMValueRef i) {
    if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i)) {
        return false;
    }
    LLVMTypeRef type = ir_access_type(i);
    return LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic ||
           (LLVMGetVolatile(i) && LLVMStoreSizeOfType(in->layout, type) <= 8);
}

/* Whether what an atomic writes doesn't depend on what was there. */
static bool overwrites(LLVMValueRef rmw) {
    LLVMValueRef value = LLVMGetOperand(rmw, 1);
    switch (LLVMGetAtomicRMWBinOp(rmw)) {
    case LLVMAtomicRMWBinOpXchg:
        return true;
    case LLVMAtomicRMWBinOpAnd:
        return LLVMIsConstant(value) && LLVMIsNull(value);
    case LLVMAtomicRMWBinOpOr:
        return LLVMIsAConstantInt(value) && LLVMConstIntGetSExtValue(value) == -1;
    default:
        return false;
    }
}

static void check_instruction(struct instrumenting *in, LLVMValueRef i) {
    bool ordered = is_atomic_access(in, i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        if (ordered) {
            check_atomic(in, i, LLVMGetOperand(i, 0), LLVMTypeOf(i), WEIR_ATOMIC_READS, LLVMGetOrdering(i));
        } else {
            check_load(in, i);
        }
        break;
    case LLVMStore:
        if (ordered) {
            check_atomic(in, i, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)), WEIR_ATOMIC_WRITES,
                         LLVMGetOrdering(i));
        } else {
            check_store(in, i);
        }
        break;
    case LLVMAtomicRMW:
        check_atomic(in, i, LLVMGetOperand(i, 0), LLVMTypeOf(i),
                     WEIR_ATOMIC_READS | WEIR_ATOMIC_WRITES | (overwrites(i) ? WEIR_ATOMIC_OVERWRITES : 0),
                     LLVMGetOrdering(i));
        break;
    case LLVMAtomicCmpXchg:
        check_atomic(in, i, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)),
                     WEIR_ATOMIC_READS | WEIR_ATOMIC_WRITES, LLVMGetCmpXchgSuccessOrdering(i));
        break;
    case LLVMCall:
        if (library_calls_check(in, i)) {
            break;
        }
        if (ir_is_call_to(i, "__weir_barrier")) {
            check_barrier(in, i);
        } else if (ir_is_call_to(i, "__weir_mark_group")) {
            in->item = LLVMGetOperand(i, 0);
            in->ids = LLVMGetOperand(i, 1);
            LLVMInstructionEraseFromParent(i);
        } else if (ir_is_call_to(i, "__weir_mark_pointer")) {
            check_call_by_pointer(in, i);
        } else if (ir_is_call_to(i, "__weir_fence")) {
            instrument_fence(in, i);
        } else if (instrument_mark(in, i)) {
            break;
        } else if (subgroup_op_of(i) == SUBGROUP_BARRIER || ir_is_call_to(i, "__weir_mark_subgroup") ||
                   ir_is_call_to(i, "__weir_mark_broadcast")) {
            check_subgroup(in, i, subgroup_op_of(i) == SUBGROUP_BARRIER);
        } else if (ir_is_intrinsic(i, "llvm.memcpy.") || ir_is_intrinsic(i, "llvm.memmove.")) {
            instrument_copy(in, i, true);
        } else if (ir_is_intrinsic(i, "llvm.memset.")) {
            instrument_copy(in, i, false);
        }
        break;
    default:
        break;
    }
}

static void run_llvm(struct kernel *k, const char *passes) {
    job_run_passes(k->job, k->module, passes, NULL, "check");
}

static void inline_checks(struct kernel *k) {
    library_link(k->job, k->module, k->one_row);
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        if (f != k->run && !LLVMIsDeclaration(f) && !strstr(LLVMGetValueName2(f, &n), "__weir_lane_")) {
            ir_remove_attribute(f, (unsigned)LLVMAttributeFunctionIndex, "noinline");
            ir_attribute(k->llvm, f, "alwaysinline", 0);
        }
    }
    run_llvm(k, "always-inline,globaldce");
}

/* All come to both halves of a split barrier, which are barriers here; the checker knows which is which. */
static void find_halves(struct instrumenting *in) {
    static const char *const names[] = {[WEIR_HALF_ARRIVES] = "__weir_barrier_arrive",
                                        [WEIR_HALF_WAITS] = "__weir_barrier_wait"};
    struct kernel *k = in->k;
    for (unsigned half = WEIR_HALF_ARRIVES; half <= WEIR_HALF_WAITS; half++) {
        LLVMValueRef f = LLVMGetNamedFunction(k->module, names[half]),
                     whole = LLVMGetNamedFunction(k->module, "__weir_barrier");
        if (!f) {
            continue;
        }
        if (!whole) {
            whole = LLVMAddFunction(k->module, "__weir_barrier", LLVMGlobalGetValueType(f));
            ir_attribute(k->llvm, whole, "convergent", 0);
            ir_attribute(k->llvm, whole, "nounwind", 0);
        }
        for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
            ptrmap_set(&in->halves, LLVMGetUser(u), half);
        }
        LLVMReplaceAllUsesWith(f, whole);
    }
}

/* A sub-group's barrier, or one of the group that may have such a scope. */
static bool orders_a_subgroup(LLVMValueRef i) {
    LLVMValueRef scope = ir_is_call_to(i, "__weir_barrier") ? LLVMGetOperand(i, 1) : NULL;
    return subgroup_op_of(i) == SUBGROUP_BARRIER ||
           (scope && (!LLVMIsAConstantInt(scope) || LLVMConstIntGetZExtValue(scope) == 4 /* sub_group */));
}

static unsigned *places_of(const struct graph *cfg) {
    unsigned reached, *order = graph_order(cfg, &reached), *place = job_alloc(cfg->n * sizeof *place);
    for (unsigned n = 0; n < cfg->n; n++) {
        place[n] = cfg->n;
    }
    for (unsigned i = 0; i < reached; i++) {
        place[order[i]] = i;
    }
    return place;
}

void instrument_pass(struct kernel *k) {
    if (!k->checked) {
        library_calls_drop(k);
        return;
    }
    struct instrumenting in = {.k = k, .layout = LLVMGetModuleDataLayout(k->module)};
    struct list all = {0}, nodes = {0};
    find_halves(&in);
    run_llvm(k, "function(sroa<preserve-cfg>)");
    known_spaces(k);
    whole_words(k);
    if (!in.halves.used) {
        unroll_steps_checked(k);
    }
    find_places(&in);
    in.b = LLVMCreateBuilderInContext(k->llvm);
    in.cfg = cfg_of(k->run, &in.index, &in.blocks);
    in.cfg = cfg_taken(in.cfg, in.blocks);
    in.place = places_of(in.cfg);
    in.idom = graph_idom(in.cfg);
    unsigned *stamp = job_alloc((in.cfg->n + 1) * sizeof *stamp), stamps = 0;
    for (unsigned n = 0; n < in.cfg->n; n++) {
        list_add(&nodes, (void *)(uintptr_t)n);
        for (LLVMValueRef i = LLVMGetFirstInstruction(in.blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            instrument_sync_look(&in, i);
            in.has_subgroup_barrier |= orders_a_subgroup(i);
            list_add(&all, i);
        }
    }
    find_loops(&in, nodes.at, nodes.n, stamp, &stamps, NULL);
    instrument_loops(&in);
    covered_find(&in, &all);
    quiet_find(&in, &all);
    definedness_insert(&in);
    extents_insert(&in, &all);
    instrument_sync_begin(&in);
    for (size_t i = 0; i < all.n; i++) {
        check_instruction(&in, all.at[i]);
    }
    LLVMDisposeBuilder(in.b);
    inline_checks(k);
}

/* local_tiles.c: local variables as values.
 *
 * In: k->run, with accesses to a small local variable at constant places, as `unroll-tiles` leaves them. Out: variables of
 * registers' size in private memory instead, of which LLVM makes values; what neighbours exchange is shuffled:
 *     store <16 x i32> %a, ptr %s                             store <16 x i32> %a, ptr %part0
 *     store <16 x i32> %b, ptr %s + 64        becomes         store <16 x i32> %b, ptr %part1
 *     %v = load <16 x i32>, ptr %s + 4                        %v = shufflevector %part0, %part1, <1, 2, ... 16>
 * Each place where a store begins or ends is a border between parts, so that a store writes whole ones. What nobody stores
 * to, and what nobody has stored to yet, is zeros. Nobody else sees the variable: one thread runs the work-group, whose
 * local memory ends with it, and objects that are marked share no memory (tile.c).
 * What it can't do: elements of several sizes, and more parts than would be worth it. */
#include "post.h"
#include "tile.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 4096, MOST_PARTS = 128 };

/* Elements [first, end) of the variable, in one register. */
struct part {
    int64_t first, end;
    LLVMValueRef var;
};

struct local_tile {
    struct kernel *k;
    LLVMTargetDataRef layout;
    LLVMTypeRef element;
    int64_t bytes; /* of an element */
    struct tile tile;
    struct part parts[MOST_PARTS];
    unsigned n;
};

/* ---- which elements are accessed ---- */

static LLVMTypeRef element_of(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static int64_t lanes_of(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

/* How many elements from the variable's beginning the address is; false: not a constant number. */
static bool find_place(const struct local_tile *t, LLVMValueRef p, int64_t *place) {
    struct gep_step steps[GEP_STEPS];
    int64_t bytes = 0;
    for (; p != t->tile.root; p = LLVMGetOperand(p, 0)) {
        unsigned n = ir_gep_steps(t->layout, p, steps);
        for (unsigned i = 0; i < n; i++) {
            bool is_known = !steps[i].index || LLVMIsAConstantInt(steps[i].index);
            if (!is_known) {
                return false;
            }
            int64_t index = steps[i].index ? LLVMConstIntGetSExtValue(steps[i].index) : 1;
            bytes += index * (int64_t)steps[i].bytes;
        }
        if (!n) {
            return false;
        }
    }
    *place = bytes / t->bytes;
    return bytes % t->bytes == 0 && llabs(bytes) < INT32_MAX;
}

/* Whether the access is one of a row of elements like the others'. */
static bool is_row(struct local_tile *t, LLVMValueRef access) {
    LLVMTypeRef element = element_of(tile_type(access));
    LLVMTypeKind kind = LLVMGetTypeKind(element);
    uint64_t bits = LLVMSizeOfTypeInBits(t->layout, element);
    if (!t->element) {
        t->element = element;
        t->bytes = (int64_t)bits / 8;
    }
    bool is_number = kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
    return is_number && bits >= 8 && bits == (uint64_t)t->bytes * 8 &&
           !ir_is_intrinsic(access, "llvm.masked.gather.") &&
           !ir_is_intrinsic(access, "llvm.masked.scatter.");
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool is_stored(const int64_t (*stores)[2], size_t n, int64_t at) {
    for (size_t i = 0; i < n; i++) {
        if (stores[i][0] <= at && at < stores[i][1]) {
            return true;
        }
    }
    return false;
}

/* Cuts what is stored to into parts, none of them longer than a register. */
static bool cut(struct local_tile *t) {
    size_t n = 0, nborders = 0;
    int64_t (*stores)[2] = job_alloc((t->tile.accesses.n + 1) * sizeof *stores),
            *borders = job_alloc((2 * t->tile.accesses.n + 1) * sizeof *borders), total = 0;
    int64_t most = t->k->target->vector_bits / 8 / t->bytes;
    for (size_t i = 0; i < t->tile.accesses.n; i++) {
        LLVMValueRef access = t->tile.accesses.at[i];
        if (tile_is_store(access)) {
            find_place(t, tile_address(access), &stores[n][0]);
            stores[n][1] = stores[n][0] + lanes_of(tile_type(access));
            borders[nborders++] = stores[n][0];
            borders[nborders++] = stores[n++][1];
        }
    }
    qsort(borders, nborders, sizeof *borders, ascending);
    for (size_t i = 0; i + 1 < nborders; i++) {
        bool is_any = borders[i] < borders[i + 1] && is_stored(stores, n, borders[i]);
        for (int64_t at = borders[i]; is_any && at < borders[i + 1]; at += most) {
            int64_t end = at + most < borders[i + 1] ? at + most : borders[i + 1];
            total += (end - at) * t->bytes;
            if (t->n == MOST_PARTS || total > MOST_BYTES) {
                return false;
            }
            t->parts[t->n++] = (struct part){at, end, NULL};
        }
    }
    return true;
}

/* Whether values are better: not where most of the accesses are of single elements, which memory has at hand. */
static bool is_promising(struct local_tile *t) {
    size_t single = 0;
    for (size_t i = 0; i < t->tile.accesses.n; i++) {
        int64_t place;
        LLVMValueRef access = t->tile.accesses.at[i];
        if (!is_row(t, access) || !find_place(t, tile_address(access), &place)) {
            return false;
        }
        single += lanes_of(tile_type(access)) == 1;
    }
    size_t rows = t->tile.accesses.n - single;
    return rows && single * TILE_FEW <= rows && cut(t);
}

/* ---- accesses of parts ---- */

static LLVMTypeRef part_type(const struct local_tile *t, const struct part *p) {
    return LLVMVectorType(t->element, (unsigned)(p->end - p->first));
}

static void declare(struct local_tile *t) {
    LLVMBuilderRef b = ir_before(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(t->k->run)));
    for (unsigned i = 0; i < t->n; i++) {
        t->parts[i].var = LLVMBuildAlloca(b, part_type(t, &t->parts[i]), "part");
    }
    LLVMDisposeBuilder(b);
    b = ir_at_entry(t->k->run);
    for (unsigned i = 0; i < t->n; i++) {
        LLVMBuildStore(b, LLVMConstNull(part_type(t, &t->parts[i])), t->parts[i].var);
    }
    LLVMDisposeBuilder(b);
}

/* A mask for n elements from place `at` on: those of the part are numbered from `base` on, others as they are, or poison. */
static LLVMValueRef choice(const struct local_tile *t, const struct part *p, int64_t at, int64_t n,
                           int64_t base, bool keeps) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(t->k->llvm);
    LLVMValueRef *mask = job_alloc((size_t)n * sizeof *mask);
    for (int64_t i = 0; i < n; i++) {
        bool is_part = at + i >= p->first && at + i < p->end;
        int64_t from = is_part ? base + at + i - p->first : i;
        mask[i] = is_part || keeps ? LLVMConstInt(i32, (uint64_t)from, 0) : LLVMGetPoison(i32);
    }
    return LLVMConstVector(mask, (unsigned)n);
}

/* The row of n elements from place `at` on. */
static LLVMValueRef read_row(const struct local_tile *t, LLVMBuilderRef b, int64_t at, int64_t n) {
    LLVMValueRef row = LLVMConstNull(LLVMVectorType(t->element, (unsigned)n));
    for (unsigned i = 0; i < t->n; i++) {
        const struct part *p = &t->parts[i];
        if (p->first < at + n && at < p->end) {
            LLVMTypeRef type = part_type(t, p);
            LLVMValueRef v = LLVMBuildLoad2(b, type, p->var, "");
            v = LLVMBuildShuffleVector(b, v, LLVMGetPoison(type), choice(t, p, at, n, 0, false), "");
            row = LLVMBuildShuffleVector(b, row, v, choice(t, p, at, n, n + p->first - at, true), "");
        }
    }
    return row;
}

/* It covers all of each part that it touches. */
static void write_row(const struct local_tile *t, LLVMBuilderRef b, int64_t at, int64_t n, LLVMValueRef row) {
    for (unsigned i = 0; i < t->n; i++) {
        const struct part *p = &t->parts[i];
        if (p->first < at + n && at < p->end) {
            struct part whole = {at, at + n, NULL};
            LLVMValueRef place = choice(t, &whole, p->first, p->end - p->first, 0, false);
            LLVMBuildStore(b, LLVMBuildShuffleVector(b, row, LLVMGetPoison(LLVMTypeOf(row)), place, ""),
                           p->var);
        }
    }
}

/* A value of the access as a vector of the variable's elements. */
static LLVMValueRef as_row(const struct local_tile *t, LLVMBuilderRef b, LLVMValueRef v) {
    return LLVMBuildBitCast(b, v, LLVMVectorType(t->element, (unsigned)lanes_of(LLVMTypeOf(v))), "");
}

static void replace(struct local_tile *t, LLVMValueRef access) {
    LLVMBuilderRef b = ir_before(access);
    LLVMTypeRef type = tile_type(access);
    LLVMValueRef mask = tile_mask(access);
    int64_t at, n = lanes_of(type);
    find_place(t, tile_address(access), &at);
    LLVMValueRef old = tile_is_store(access) && !mask ? NULL : read_row(t, b, at, n);
    if (tile_is_store(access)) {
        LLVMValueRef row = as_row(t, b, LLVMGetOperand(access, 0));
        row = mask ? LLVMBuildSelect(b, mask, row, old, "") : row;
        write_row(t, b, at, n, row);
    } else {
        LLVMValueRef v = LLVMBuildBitCast(b, old, type, "");
        v = mask ? LLVMBuildSelect(b, mask, v, LLVMGetOperand(access, 2), "") : v;
        LLVMReplaceAllUsesWith(access, v);
    }
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(access);
}

/* What doesn't fit in the registers lies at multiples of its size. LLVM decides whether a frame is aligned for its
 * variables, of which none is left, before it knows what it spills. */
static void align_stack(struct kernel *k) {
    LLVMAddTargetDependentFunctionAttr(k->run, "stackrealign", "");
}

void local_tiles_pass(struct kernel *k) {
    struct list roots = tile_roots(k);
    for (size_t i = 0; i < roots.n && !k->checked && k->optimize; i++) {
        struct local_tile *t = job_alloc(sizeof *t);
        *t = (struct local_tile){.k = k, .layout = LLVMGetModuleDataLayout(k->module)};
        if (!tile_find(roots.at[i], &t->tile) || !is_promising(t)) {
            continue;
        }
        declare(t);
        align_stack(k);
        for (size_t a = 0; a < t->tile.accesses.n; a++) {
            replace(t, t->tile.accesses.at[a]);
        }
    }
}

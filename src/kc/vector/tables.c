/* tables.c: reads of small tables of constants by permutes of registers that hold them.
 *
 * In: a read at an address in a constant variable whose contents the compiler knows, at a number that each lane has from
 * anywhere. Out: the table in vectors, and for each register of lanes one permute, or some of which a bit of the number
 * chooses; a gather takes some instructions for each lane. A number beyond the table would be a read out of bounds, which
 * is undefined: nobody looks, and the permutes go by its low bits. So may lanes that are off have any number.
 *     constant float t[16], W = 16, AVX-512:   t[n]   one permute of t by n
 *     constant int t[64]                              two permutes of two registers each, bit 5 of n chooses; of eight
 *                                                     registers, so are three such choices
 *     constant char t[64]                             a permute of t as 16 integers by n >> 2, a shift by 8 * (n & 3)
 *     constant char t[16]                             a permute of bytes
 * What it can't do: tables in private or local memory, and those that are larger than eight registers, with AVX2 four, or two. */
#include "vector.h"

enum { MOST = 8 }; /* registers of a table */

struct table {
    LLVMValueRef variable;
    unsigned bits;    /* of an entry, 32 or 64, or 8 for 16 bytes: what permutes move */
    unsigned lanes;   /* entries in a register */
    unsigned entries; /* in all: a power of two of registers of them */
    unsigned count;   /* elements as the access has them, of which an entry has one or several */
};

static LLVMTypeRef integers(struct vec *v, unsigned bits, unsigned n) {
    return LLVMVectorType(LLVMIntTypeInContext(v->llvm, bits), n);
}

static LLVMValueRef splat(struct vec *v, unsigned n, uint32_t number) {
    LLVMTypeRef type = integers(v, 32, n);
    return ir_repeat(type, ir_const32(v->llvm, number));
}

/* The variable that the address lies in, if it stays what its initializer is. */
static LLVMValueRef constant_variable(LLVMValueRef at) {
    while (ir_is_op(at, LLVMGetElementPtr) || ir_is_op(at, LLVMAddrSpaceCast)) {
        at = LLVMGetOperand(at, 0);
    }
    bool is_known = LLVMIsAGlobalVariable(at) && LLVMIsGlobalConstant(at) && LLVMGetInitializer(at) != NULL;
    return is_known ? at : NULL;
}

/* The bytes of a step that is a constant, which has no index then, or of one by 1. */
static int64_t bytes_of(struct gep_step *step) {
    int64_t n = step->index && LLVMIsAConstantInt(step->index) ? LLVMConstIntGetSExtValue(step->index) : 1;
    step->index = step->index && LLVMIsAConstantInt(step->index) ? NULL : step->index;
    return n * (int64_t)step->bytes;
}

/* Whether the address is that of a whole element. */
static bool has_numbers(LLVMTargetDataRef layout, LLVMValueRef at, uint64_t size) {
    struct gep_step steps[GEP_STEPS];
    bool are_whole = true;
    for (; !LLVMIsAGlobalVariable(at); at = LLVMGetOperand(at, 0)) {
        unsigned n = ir_is_op(at, LLVMGetElementPtr) ? ir_gep_steps(layout, at, steps) : 0;
        are_whole &= n || !ir_is_op(at, LLVMGetElementPtr);
        for (unsigned i = 0; i < n; i++) {
            are_whole &= bytes_of(&steps[i]) % (int64_t)size == 0;
        }
    }
    return are_whole;
}

/* Registers from which permutes and choices take less than a gather. */
static unsigned most_registers(const struct target *t) {
    return t->has_mask_registers ? MOST : t->has_slow_gather ? MOST / 2 : MOST / 4;
}

static bool find(const struct wg *wg, LLVMValueRef at, uint64_t size, struct table *t) {
    const struct target *target = wg->k->target;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(wg->k->module);
    LLVMValueRef variable = constant_variable(at);
    uint64_t bytes = variable ? LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable)) : 0;
    unsigned bits = size == 8 ? 64 : 32, most = most_registers(target);
    if (!bytes || target->vector_bits < 256 || (bits == 64 && !target->has_mask_registers) || size > 8 ||
        size & (size - 1) || bytes % size || bytes > most * target->vector_bits / 8 ||
        !has_numbers(layout, at, size)) {
        return false;
    }
    unsigned lanes = target->vector_bits / bits;
    *t = (struct table){variable, bits, lanes, lanes, (unsigned)(bytes / size)};
    if (size == 1 && bytes <= 16) {
        t->bits = 8;
        t->lanes = t->entries = 16;
        return true;
    }
    while (t->entries * bits / 8 < bytes) {
        t->entries *= 2;
    }
    return true;
}

/* Pointers stay what LLVM can follow. */
static bool is_number(LLVMTypeRef type) {
    type = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    return LLVMGetTypeKind(type) != LLVMPointerTypeKind;
}

bool table_is(const struct wg *wg, LLVMValueRef load, int64_t size) {
    struct table t;
    return is_number(LLVMTypeOf(load)) && find(wg, ir_address(load), (uint64_t)size, &t);
}

/* Each lane's element, counted from the table's first: a vector of i32. */
static LLVMValueRef numbers_of(struct vec *v, LLVMValueRef at, uint64_t size) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(v->k->module);
    LLVMTypeRef type = integers(v, 32, v->width);
    LLVMValueRef sum = LLVMConstNull(type);
    struct gep_step steps[GEP_STEPS];
    for (; !LLVMIsAGlobalVariable(at); at = LLVMGetOperand(at, 0)) {
        unsigned n = ir_is_op(at, LLVMGetElementPtr) ? ir_gep_steps(layout, at, steps) : 0;
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef by = splat(v, v->width, (uint32_t)(bytes_of(&steps[i]) / (int64_t)size)),
                         x = steps[i].index;
            if (x) {
                x = wide_vector(v, wide_of(v, x), LLVMTypeOf(x));
                by = LLVMBuildMul(v->b, LLVMBuildIntCast2(v->b, x, type, 1, ""), by, "");
            }
            sum = LLVMBuildAdd(v->b, sum, by, "");
        }
    }
    return sum;
}

/* The table as registers of entries; what lies beyond its end is poison. */
static void read_registers(struct vec *v, const struct table *t, unsigned size, LLVMValueRef *registers) {
    unsigned align = LLVMGetAlignment(t->variable), elements = t->entries * t->bits / (8 * size), order[512];
    LLVMValueRef all = LLVMBuildLoad2(v->b, integers(v, 8 * size, t->count), t->variable, "table");
    LLVMSetAlignment(all, align ? align : 1);
    kernel_set_invariant(all);
    for (unsigned i = 0; i < elements; i++) {
        order[i] = i < t->count ? i : t->count; /* of no other vector */
    }
    all = t->count == elements ? all : vec_shuffle(v, all, NULL, order, elements);
    all = LLVMBuildBitCast(v->b, all, integers(v, t->bits, t->entries), "");
    for (unsigned i = 0; i < t->entries / t->lanes; i++) {
        registers[i] = vec_some(v, all, i * t->lanes, t->lanes);
    }
}

static LLVMValueRef permuted(struct vec *v, const struct table *t, LLVMValueRef x, LLVMValueRef numbers) {
    LLVMValueRef args[] = {x, numbers};
    static const struct {
        unsigned bits, lanes;
        const char *name;
    } permutes[] = {{8, 16, "llvm.x86.ssse3.pshuf.b.128"},
                    {32, 8, "llvm.x86.avx2.permd"},
                    {32, 16, "llvm.x86.avx512.permvar.si.512"},
                    {64, 4, "llvm.x86.avx512.permvar.di.256"},
                    {64, 8, "llvm.x86.avx512.permvar.di.512"}};
    unsigned i = 0;
    while (permutes[i].bits != t->bits || permutes[i].lanes != t->lanes) {
        i++;
    }
    return vec_intrinsic(v, permutes[i].name, NULL, 0, args, 2);
}

/* i1 for each: whether that bit of the number is set. */
static LLVMValueRef has_bit(struct vec *v, LLVMValueRef numbers, uint32_t bit) {
    LLVMTypeRef type = LLVMTypeOf(numbers);
    LLVMValueRef mask = ir_repeat(type, LLVMConstInt(LLVMGetElementType(type), bit, 0));
    return LLVMBuildICmp(v->b, LLVMIntNE, LLVMBuildAnd(v->b, numbers, mask, ""), LLVMConstNull(type), "");
}

/* Of two registers one after the other. */
static LLVMValueRef permuted_of_two(struct vec *v, const struct table *t, LLVMValueRef *x,
                                    LLVMValueRef numbers) {
    if (!v->k->target->has_mask_registers) {
        return LLVMBuildSelect(v->b, has_bit(v, numbers, t->lanes), permuted(v, t, x[1], numbers),
                               permuted(v, t, x[0], numbers), "");
    }
    LLVMValueRef args[] = {x[0], numbers, x[1]};
    const char *name =
        job_printf("llvm.x86.avx512.vpermi2var.%c.%u", t->bits == 64 ? 'q' : 'd', t->bits * t->lanes);
    return vec_intrinsic(v, name, NULL, 0, args, 3);
}

/* Of n registers, a power of two: the number's highest bit chooses a half of them, and so on. */
static LLVMValueRef looked_up(struct vec *v, const struct table *t, LLVMValueRef *registers, unsigned n,
                              LLVMValueRef numbers) {
    if (n <= 2) {
        return n == 1 ? permuted(v, t, registers[0], numbers) : permuted_of_two(v, t, registers, numbers);
    }
    LLVMValueRef low = looked_up(v, t, registers, n / 2, numbers),
                 high = looked_up(v, t, registers + n / 2, n / 2, numbers);
    return LLVMBuildSelect(v->b, has_bit(v, numbers, n / 2 * t->lanes), high, low, "");
}

/* Each lane's entry for its number. */
static LLVMValueRef entries_at(struct vec *v, const struct table *t, LLVMValueRef *registers,
                               LLVMValueRef numbers) {
    LLVMValueRef vectors[16];
    unsigned n = (v->width + t->lanes - 1) / t->lanes;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef some = LLVMBuildIntCast2(v->b, vec_some(v, numbers, i * t->lanes, t->lanes),
                                              integers(v, t->bits, t->lanes), 0, "");
        vectors[i] = looked_up(v, t, registers, t->entries / t->lanes, some);
    }
    LLVMValueRef all = weave_joined(v, vectors, n, t->lanes);
    return v->width < t->lanes ? vec_some(v, all, 0, v->width) : all;
}

bool table_read(struct vec *v, const struct access *a, LLVMValueRef *parts) {
    struct table t;
    LLVMValueRef registers[MOST];
    unsigned size = (unsigned)a->size;
    if (!is_number(a->type) || !find(v->wg, a->at, size, &t)) {
        return false;
    }
    LLVMValueRef first = numbers_of(v, a->at, size);
    read_registers(v, &t, size, registers);
    for (unsigned i = 0; i < a->n; i++) {
        LLVMValueRef number = LLVMBuildAdd(v->b, first, splat(v, v->width, i), "");
        unsigned inside = t.bits / (8 * size),
                 shift = inside == 4 ? 2 : inside / 2; /* elements in an entry */
        LLVMValueRef entry =
            entries_at(v, &t, registers, LLVMBuildLShr(v->b, number, splat(v, v->width, shift), ""));
        if (inside > 1) {
            LLVMValueRef by = LLVMBuildAnd(v->b, number, splat(v, v->width, inside - 1), "");
            by = LLVMBuildMul(v->b, by, splat(v, v->width, 8 * size), "");
            entry =
                LLVMBuildTrunc(v->b, LLVMBuildLShr(v->b, entry, by, ""), integers(v, 8 * size, v->width), "");
        }
        parts[i] = LLVMBuildBitCast(v->b, entry, vec_type(v, a->type), "");
    }
    return true;
}

/* register_pressure.c: how many vector registers the values of a pack take.
 *
 * In: k->run with the uniformity of its packs, before values become slots. Out: a number per block: at the place in it
 * where most of them live, the registers of the values that differ between lanes by more than a stride (MaxLive, as Huff
 * counts it in "Lifetime-Sensitive Modulo Scheduling", 1993). Those are vectors; all others are scalars, perhaps with a
 * constant: addresses that are known distances apart, masks of the same lanes in each pack.
 *     %a = load float, ptr %p                      with 16 lanes of 32 bits in registers of 512: one
 *     %b = load float, ptr %q                      two
 *     %c = fmul float %a, %b                       one after it, where neither is used again
 * What it can't do: the code generator orders instructions anew and keeps constants and addresses in vectors, too, and
 * what only waits for a barrier is in the context. It is an estimate. */
#include "wg.h"

struct pressure {
    const struct wg *wg;
    uint32_t width; /* of the pack */
    struct live live;
    unsigned *registers; /* by number of `live` */
    uint64_t **used;     /* by loop of wg->whole: used_in of it, or NULL yet */
};

/* A mask of the same lanes in each pack, or of all, as of `(l & 2) == 0`: a constant in memory. */
static bool is_known_mask(const struct pressure *p, LLVMValueRef v, unsigned depth) {
    if (uniform_is(p->wg->pack, v)) {
        return true;
    }
    if (LLVMIsAICmpInst(v) && LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
        return uniform_offsets(p->wg->pack, LLVMGetOperand(v, 0)) != NULL;
    }
    bool is = depth && LLVMIsAInstruction(v) &&
              LLVMTypeOf(v) == LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(v))) &&
              (LLVMIsABinaryOperator(v) || LLVMIsAICmpInst(v));
    for (unsigned o = 0; is && o < 2; o++) {
        LLVMValueRef x = LLVMGetOperand(v, o);
        is = LLVMTypeOf(x) == LLVMTypeOf(v) && is_known_mask(p, x, depth - 1);
    }
    return is;
}

static bool is_vector(const struct pressure *p, LLVMValueRef i) {
    enum { DEPTH = 3 };
    int64_t stride;
    return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && !LLVMIsAAllocaInst(i) &&
           !uniform_is(p->wg->pack, i) && !uniform_is_even(p->wg->pack, i, &stride) &&
           !uniform_offsets(p->wg->pack, i) && !is_known_mask(p, i, DEPTH);
}

static unsigned registers_of(const struct pressure *p, LLVMTypeRef type) {
    LLVMTypeRef element = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    uint64_t n = element == type ? 1 : LLVMGetVectorSize(type);
    if (!LLVMTypeIsSized(type)) {
        return 0;
    }
    uint64_t bits = LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(p->wg->k->module), element);
    if (bits == 1) { /* a mask register, or as wide as what it masks */
        bits = p->wg->k->target->has_mask_registers ? 0 : 32;
    }
    return (unsigned)(n * target_registers(p->wg->k->target, bits * p->width));
}

static void number_vectors(struct pressure *p) {
    for (unsigned n = 0; n < p->wg->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            if (is_vector(p, i)) {
                live_number(&p->live, i);
            }
        }
    }
    p->registers = job_alloc(p->live.values.n * sizeof *p->registers);
    for (size_t i = 0; i < p->live.values.n; i++) {
        p->registers[i] = registers_of(p, LLVMTypeOf(p->live.values.at[i]));
    }
}

/* The values that the loop's instructions compute or use. */
static const uint64_t *used_in(struct pressure *p, unsigned loop) {
    const struct linear *whole = p->wg->whole;
    if (p->used[loop]) {
        return p->used[loop];
    }
    uint64_t *used = p->used[loop] = job_alloc((p->live.values.n / 64 + 1) * sizeof *used);
    for (unsigned at = whole->spans[loop].first; at <= whole->spans[loop].last; at++) {
        LLVMBasicBlockRef block = p->wg->blocks[whole->order[at]];
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            for (int o = -1; o < LLVMGetNumOperands(i); o++) {
                LLVMValueRef v = o < 0 ? i : LLVMGetOperand(i, (unsigned)o);
                unsigned number = (unsigned)ptrmap_at(&p->live.number, v, 0);
                if (number) {
                    bit_add(used, number - 1);
                }
            }
        }
    }
    return used;
}

static unsigned most_in_block(struct pressure *p, unsigned node, bool wait) {
    uint64_t *live = p->live.out[node]; /* from here on: at the current instruction */
    unsigned loop = p->wg->whole->innermost[node];
    if (wait && loop != UINT32_MAX) {
        const uint64_t *used = used_in(p, loop);
        for (unsigned w = 0; w <= p->live.values.n / 64; w++) {
            live[w] &= used[w];
        }
    }
    unsigned now = 0, most;
    for (unsigned v = 0; v < p->live.values.n; v++) {
        now += bit_at(live, v) ? p->registers[v] : 0;
    }
    most = now;
    for (LLVMValueRef i = LLVMGetLastInstruction(p->wg->blocks[node]); i && !LLVMIsAPHINode(i);
         i = LLVMGetPreviousInstruction(i)) {
        unsigned self = (unsigned)ptrmap_at(&p->live.number, i, 0);
        if (self && bit_at(live, self - 1)) {
            now -= p->registers[self - 1];
            live[(self - 1) / 64] &= ~(UINT64_C(1) << ((self - 1) % 64));
        }
        for (int o = 0; o < LLVMGetNumOperands(i); o++) {
            unsigned v = (unsigned)ptrmap_at(&p->live.number, LLVMGetOperand(i, (unsigned)o), 0);
            if (v && !bit_at(live, v - 1)) {
                now += p->registers[v - 1];
                bit_add(live, v - 1);
            }
        }
        most = now > most ? now : most;
    }
    return most;
}

unsigned *register_pressure_find(const struct wg *wg, uint32_t width, bool wait) {
    struct pressure p = {.wg = wg, .width = width};
    unsigned *most = job_alloc(wg->cfg->n * sizeof *most);
    p.used = job_alloc((wg->whole->nspans + 1) * sizeof *p.used);
    number_vectors(&p);
    live_find(&p.live, wg->cfg, &wg->index);
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        most[n] = most_in_block(&p, n, wait);
    }
    return most;
}

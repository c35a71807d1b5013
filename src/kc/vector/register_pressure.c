/* register_pressure.c: how many vector registers the values of a pack take.
 *
 * In: k->run with the uniformity of its packs, before values become slots. Out: a number per block: at the place in it
 * where most of them live, the registers of the values that differ between lanes by more than a stride (MaxLive, as Huff
 * counts it in "Lifetime-Sensitive Modulo Scheduling", 1993). Those are vectors; all others are scalars.
 *     %a = load float, ptr %p                      with 16 lanes of 32 bits in registers of 512: one
 *     %b = load float, ptr %q                      two
 *     %c = fmul float %a, %b                       one after it, where neither is used again
 * What it can't do: the code generator orders instructions anew and keeps constants and addresses in vectors, too, and
 * what only waits for a barrier is in the context. It is an estimate. */
#include "wg.h"

struct pressure {
    const struct wg *wg;
    uint32_t width;       /* of the pack */
    struct ptrmap number; /* vector -> its number + 1 */
    struct list vectors;
    unsigned *registers; /* by number */
    uint64_t **live_out; /* by block: bits by number */
};

static bool is_vector(const struct pressure *p, LLVMValueRef i) {
    int64_t stride;
    return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && !LLVMIsAAllocaInst(i) &&
           !uniform_is(p->wg->pack, i) && !uniform_stride(p->wg->pack, i, &stride);
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
                list_add(&p->vectors, i);
                ptrmap_set(&p->number, i, p->vectors.n);
            }
        }
    }
    p->registers = job_alloc(p->vectors.n * sizeof *p->registers);
    for (size_t i = 0; i < p->vectors.n; i++) {
        p->registers[i] = registers_of(p, LLVMTypeOf(p->vectors.at[i]));
    }
}

/* The value is needed at the end of the block `node`, and so from the block on that computes it. */
static void live_from(struct pressure *p, unsigned value, unsigned node, struct list *work) {
    unsigned def = (unsigned)ptrmap_at(&p->wg->index, LLVMGetInstructionParent(p->vectors.at[value]), 0);
    list_add(work, (void *)(uintptr_t)node);
    while (work->n) {
        unsigned at = (unsigned)(uintptr_t)work->at[--work->n];
        if (bit_at(p->live_out[at], value)) {
            continue;
        }
        bit_add(p->live_out[at], value);
        for (unsigned i = 0; at != def && i < p->wg->cfg->npred[at]; i++) {
            list_add(work, (void *)(uintptr_t)p->wg->cfg->pred[at][i]);
        }
    }
}

/* The value is needed by its user: a PHI reads it at the ends of the blocks before. */
static void live_for(struct pressure *p, unsigned value, LLVMValueRef user, struct list *work) {
    LLVMValueRef v = p->vectors.at[value];
    LLVMBasicBlockRef at = LLVMGetInstructionParent(user);
    if (LLVMIsAPHINode(user)) {
        for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
            if (LLVMGetIncomingValue(user, i) == v) {
                LLVMBasicBlockRef from = LLVMGetIncomingBlock(user, i);
                live_from(p, value, (unsigned)ptrmap_at(&p->wg->index, from, 0), work);
            }
        }
    } else if (at != LLVMGetInstructionParent(v)) {
        unsigned node = (unsigned)ptrmap_at(&p->wg->index, at, 0);
        for (unsigned i = 0; i < p->wg->cfg->npred[node]; i++) {
            live_from(p, value, p->wg->cfg->pred[node][i], work);
        }
    }
}

static void find_live(struct pressure *p) {
    struct list work = {0};
    p->live_out = job_alloc(p->wg->cfg->n * sizeof *p->live_out);
    for (unsigned n = 0; n < p->wg->cfg->n; n++) {
        p->live_out[n] = job_alloc((p->vectors.n / 64 + 1) * sizeof **p->live_out);
    }
    for (unsigned v = 0; v < p->vectors.n; v++) {
        for (LLVMUseRef u = LLVMGetFirstUse(p->vectors.at[v]); u; u = LLVMGetNextUse(u)) {
            live_for(p, v, LLVMGetUser(u), &work);
        }
    }
}

static unsigned most_in_block(struct pressure *p, unsigned node) {
    uint64_t *live = p->live_out[node]; /* from here on: at the current instruction */
    unsigned now = 0, most;
    for (unsigned v = 0; v < p->vectors.n; v++) {
        now += bit_at(live, v) ? p->registers[v] : 0;
    }
    most = now;
    for (LLVMValueRef i = LLVMGetLastInstruction(p->wg->blocks[node]); i && !LLVMIsAPHINode(i);
         i = LLVMGetPreviousInstruction(i)) {
        unsigned self = (unsigned)ptrmap_at(&p->number, i, 0);
        if (self && bit_at(live, self - 1)) {
            now -= p->registers[self - 1];
            live[(self - 1) / 64] &= ~(UINT64_C(1) << ((self - 1) % 64));
        }
        for (int o = 0; o < LLVMGetNumOperands(i); o++) {
            unsigned v = (unsigned)ptrmap_at(&p->number, LLVMGetOperand(i, (unsigned)o), 0);
            if (v && !bit_at(live, v - 1)) {
                now += p->registers[v - 1];
                bit_add(live, v - 1);
            }
        }
        most = now > most ? now : most;
    }
    return most;
}

unsigned *register_pressure_find(const struct wg *wg, uint32_t width) {
    struct pressure p = {.wg = wg, .width = width};
    unsigned *most = job_alloc(wg->cfg->n * sizeof *most);
    number_vectors(&p);
    find_live(&p);
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        most[n] = most_in_block(&p, n);
    }
    return most;
}

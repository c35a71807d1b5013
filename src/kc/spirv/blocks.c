/* blocks.c: the order in which the blocks of a function's body are read.
 *
 * A value is read before its uses if a block is read after those that dominate it. SPIR-V wants modules written so, but
 * translators of LLVM's IR write its blocks as they lie there. Whoever reads only blocks that one read before branches to has
 * read all that dominate it: each path to a block leads through them. So blocks are read as they come, those that nothing
 * branches to yet are left out until something does, and what is never branched to comes last. */
#include "reader.h"

#include "opcodes.h"

struct body {
    size_t n;
    size_t *at; /* where each block begins; n + 1 of them, the last is the body's end */
    LLVMBasicBlockRef *blocks;
    bool *reached, *done;
    size_t *behind, nbehind; /* reached by a later one; each once */
    struct ptrmap number;    /* of a block */
    LLVMBasicBlockRef last;  /* that has been read: LLVM's order follows */
};

/* Cuts the body into blocks: all to the next label belongs to one. Each instruction's length has been checked by then. */
static void cut(struct reader *r, struct body *body, size_t at) {
    size_t room = LLVMCountBasicBlocks(r->function);
    body->at = job_alloc((room + 1) * sizeof *body->at);
    body->blocks = job_alloc(room * sizeof *body->blocks);
    for (; at < r->nwords; at += r->words[at] >> 16) {
        uint32_t code = r->words[at] & 0xffff;
        if (code == OpFunctionEnd || code == OpFunction)
            break;
        if (code != OpLabel)
            continue;
        body->blocks[body->n] = reader_id(r, r->words[at + 1])->block;
        ptrmap_set(&body->number, body->blocks[body->n], body->n);
        body->at[body->n++] = at;
    }
    body->at[body->n] = at;
}

static void read_block(struct reader *r, struct body *body, size_t block, size_t sweep) {
    struct instruction in;
    body->done[block] = true;
    if (body->last)
        LLVMMoveBasicBlockAfter(body->blocks[block], body->last);
    body->last = body->blocks[block];
    for (size_t at = body->at[block]; at < body->at[block + 1]; at += r->words[at] >> 16) {
        reader_next(r, at, &in);
        reader_step(r, &in);
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(body->blocks[block]);
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
        size_t to = ptrmap_at(&body->number, LLVMGetSuccessor(end, i), 0);
        if (!body->reached[to] && to < sweep)
            body->behind[body->nbehind++] = to;
        body->reached[to] = true;
    }
}

size_t reader_blocks(struct reader *r, size_t at) {
    struct body body = {0};
    cut(r, &body, at);
    body.reached = job_alloc(body.n * sizeof *body.reached);
    body.done = job_alloc(body.n * sizeof *body.done);
    body.behind = job_alloc(body.n * sizeof *body.behind);
    body.reached[0] = true;
    for (size_t i = 0; i < body.n; i++) {
        if (body.reached[i] && !body.done[i])
            read_block(r, &body, i, i);
        while (body.nbehind)
            read_block(r, &body, body.behind[--body.nbehind], i);
    }
    for (size_t i = 0; i < body.n; i++)
        if (!body.done[i])
            read_block(r, &body, i, body.n);
    return body.at[body.n];
}

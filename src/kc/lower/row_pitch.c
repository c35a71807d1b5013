/* row_pitch.c: rows of tiles in local memory begin where vectors do.
 *
 * In: k->run, simplified, a group of known size, packs to come. Out: the same; a local variable that is an array of rows whose
 * length is no multiple of a vector gets longer rows, elsewhere in local memory:
 *     local float s[32][33];  s[r][l]            132 bytes each          becomes          192 bytes each
 * Programs for GPUs choose such lengths so that columns lie in several banks. Here most accesses of a pack to a row would
 * cross the end of a line of the cache, which takes twice as long, and what is read soon after can't be forwarded from two
 * stores.
 * The proof: each access is at a sum of steps from the variable on. Those whose steps are multiples of the row say which row,
 * all others are between 0 and the row's length, together (value_range.c). So an access stays in a row, and two that meet in
 * an element do so wherever rows lie. Columns that most accesses of packs begin with, as the inner part of a tile with a halo,
 * are at the beginning of a vector.
 * Left alone: where less than half of the accesses along rows begin there; where lanes' elements lie in another way than along
 * a row or down a column, or as many down columns, of which two at a time would be in one bank of the cache then; tiles that
 * are filled as a whole, by quotients and remainders, which lie in one piece as they are (flatten.c); what gets larger than a
 * cache, or shares local memory with arguments, which may have all that the variables leave. */
#include "analysis.h"
#include "lower.h"
#include "tile.h"
#include <stdlib.h>

enum { MOST_BYTES = 32768, MANY_LINES = 512, TUPLE = 16 };

struct tile_rows {
    struct kernel *k;
    LLVMTargetDataRef layout;
    const struct uniform *pack;
    const struct ptrmap *often; /* block -> how often it runs, about */
    struct tile tile;
    int64_t row, pitch, vector; /* bytes */
    LLVMValueRef base;          /* the variable's new address */
    struct ptrmap moved;        /* address in it -> the one in the new place, without its constants */
};

/* Where an access is: a constant and columns that vary, in bytes; the rest are rows. */
struct place {
    int64_t constant;
    struct value_range columns;
};

static bool is_quotients_rest(const struct tile_rows *t, LLVMValueRef index, int64_t bytes) {
    index = LLVMIsAZExtInst(index) ? LLVMGetOperand(index, 0) : index;
    LLVMValueRef by = ir_is_op(index, LLVMURem) ? LLVMGetOperand(index, 1) : NULL;
    return by && LLVMIsAConstantInt(by) && LLVMConstIntGetSExtValue(by) * bytes == t->row;
}

/* False: not known. */
static bool add_step(const struct tile_rows *t, LLVMValueRef access, const struct gep_step *s,
                     struct place *p) {
    int64_t bytes = (int64_t)s->bytes;
    struct value_range r;
    if (!s->index || LLVMIsAConstantInt(s->index)) {
        p->constant += s->index ? LLVMConstIntGetSExtValue(s->index) * bytes : bytes;
        return llabs(p->constant) < MOST_BYTES;
    }
    if (bytes % t->row == 0) {
        return true;
    }
    if (bytes > t->row || is_quotients_rest(t, s->index, bytes) ||
        !value_range_find(t->k, s->index, LLVMGetInstructionParent(access), &r)) {
        return false;
    }
    p->columns.least += r.least * bytes;
    p->columns.most += r.most * bytes;
    return llabs(p->columns.least) < MOST_BYTES && llabs(p->columns.most) < MOST_BYTES;
}

static int64_t row_of(const struct tile_rows *t, int64_t offset) {
    return offset / t->row - (offset % t->row < 0);
}

/* False: the access isn't known to stay in a row. */
static bool find_place(const struct tile_rows *t, LLVMValueRef access, struct place *p) {
    *p = (struct place){0};
    for (LLVMValueRef at = tile_address(access); at != t->tile.root; at = LLVMGetOperand(at, 0)) {
        struct gep_step steps[GEP_STEPS];
        unsigned n = ir_gep_steps(t->layout, at, steps);
        for (unsigned s = 0; s < n; s++) {
            if (!add_step(t, access, &steps[s], p)) {
                return false;
            }
        }
        if (!n) {
            return false;
        }
    }
    int64_t size = (int64_t)LLVMStoreSizeOfType(t->layout, tile_type(access));
    return row_of(t, p->constant + p->columns.least) == row_of(t, p->constant + p->columns.most + size - 1);
}

/* How lanes' elements lie. Backwards along a row is as it was: as if shared. */
enum course { SHARED, ALONG, DOWN, ANYHOW };

static enum course course_of(const struct tile_rows *t, LLVMValueRef access) {
    int64_t stride;
    if (!uniform_stride(t->pack, tile_address(access), &stride)) {
        return ANYHOW;
    }
    if (stride <= 0 && stride >= -TUPLE) {
        return SHARED;
    }
    return stride > 0 && stride <= TUPLE ? ALONG : stride % t->row == 0 ? DOWN : ANYHOW;
}

/* The column that most accesses along rows begin with, from the beginning of a vector on; -1: the variable stays as it is. */
static int64_t find_column(const struct tile_rows *t) {
    uint64_t *times = job_alloc((size_t)t->vector * sizeof *times), along = 0, down = 0, all = 0;
    unsigned align = 1;
    int64_t best = -1;
    for (size_t i = 0; i < t->tile.accesses.n; i++) {
        LLVMValueRef access = t->tile.accesses.at[i];
        struct place p;
        enum course course = course_of(t, access);
        if (course == ANYHOW || !find_place(t, access, &p)) {
            return -1;
        }
        uint64_t often = ptrmap_at(t->often, LLVMGetInstructionParent(access), 1);
        down += course == DOWN ? often : 0;
        unsigned asked = LLVMGetAlignment(access);
        align = asked > align ? asked : align;
        if (course == ALONG) {
            int64_t first = p.constant + p.columns.least;
            int64_t column = (first - row_of(t, first) * t->row) % t->vector;
            along += often;
            uint64_t weight = often * (1 + tile_is_store(access));
            times[column] += weight;
            all += weight;
            best = best < 0 || times[column] > times[best] ? column : best;
        }
    }
    bool gains = along > down && best >= 0 && 2 * times[best] >= all && best % align == 0;
    return gains ? best : -1;
}

/* ---- the variable's new place ---- */

static void place_base(struct tile_rows *t, const struct local_variable *v, int64_t column) {
    struct kernel *k = t->k;
    LLVMBuilderRef b = ir_at_entry(k->run);
    LLVMTypeRef generic = LLVMPointerTypeInContext(k->llvm, AS_PRIVATE);
    LLVMValueRef local = kernel_field(k, b, RUN_WORKER, WORKER_FIELD(local), generic, "");
    uint64_t lead = (uint64_t)((t->vector - column) % t->vector);
    uint64_t offset = ir_align_up(k->local_bytes, (uint64_t)t->vector) + lead;
    LLVMValueRef at = ir_offset(b, local, ir_const64(k->llvm, offset), "");
    t->base = LLVMBuildAddrSpaceCast(b, at, LLVMPointerTypeInContext(k->llvm, AS_LOCAL), "");
    object_mark(k, t->base);
    LLVMDisposeBuilder(b);
    k->local_bytes = offset + v->bytes / v->row * (uint64_t)t->pitch;
}

static LLVMValueRef moved(struct tile_rows *t, LLVMValueRef p) {
    uintptr_t known;
    if (p == t->tile.root) {
        return t->base;
    }
    if (ptrmap_get(&t->moved, p, &known)) {
        return (LLVMValueRef)known;
    }
    struct gep_step steps[GEP_STEPS];
    unsigned n = ir_gep_steps(t->layout, p, steps);
    LLVMValueRef at = moved(t, LLVMGetOperand(p, 0));
    LLVMBuilderRef b = ir_before(p);
    for (unsigned s = 0; s < n; s++) {
        int64_t bytes = (int64_t)steps[s].bytes, new = bytes % t->row ? bytes : bytes / t->row * t->pitch;
        if (steps[s].index && !LLVMIsAConstantInt(steps[s].index)) {
            LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(t->k->llvm), (uint64_t)new);
            at = LLVMBuildGEP2(b, type, at, &steps[s].index, 1, "");
            LLVMGEPSetNoWrapFlags(at, LLVMGEPGetNoWrapFlags(p));
        }
    }
    LLVMDisposeBuilder(b);
    ptrmap_set(&t->moved, p, (uintptr_t)at);
    return at;
}

static void move_access(struct tile_rows *t, LLVMValueRef access) {
    struct place p;
    find_place(t, access, &p);
    int64_t row = row_of(t, p.constant + p.columns.least);
    uint64_t constant = (uint64_t)(p.constant + row * (t->pitch - t->row));
    LLVMValueRef at = moved(t, tile_address(access));
    if (constant) {
        LLVMBuilderRef b = ir_before(access);
        at = ir_offset(b, at, ir_const64(t->k->llvm, constant), "");
        LLVMDisposeBuilder(b);
    }
    LLVMSetOperand(access, tile_is_store(access) ? 1 : 0, at);
}

/* The address and what it alone is made of. */
static void remove_unused(LLVMValueRef p) {
    while (LLVMIsAInstruction(p) && !LLVMGetFirstUse(p)) {
        LLVMValueRef of = LLVMGetOperand(p, 0);
        LLVMInstructionEraseFromParent(p);
        p = of;
    }
}

static void move(struct tile_rows *t, const struct local_variable *v, int64_t column) {
    struct list *accesses = &t->tile.accesses, old = {0};
    for (size_t i = 0; i < accesses->n; i++) {
        list_add(&old, tile_address(accesses->at[i]));
    }
    place_base(t, v, column);
    for (size_t i = 0; i < accesses->n; i++) {
        move_access(t, accesses->at[i]);
    }
    for (size_t i = 0; i < old.n; i++) {
        bool seen = false;
        for (size_t n = 0; n < i && !seen; n++) {
            seen = old.at[n] == old.at[i];
        }
        if (!seen) {
            remove_unused(old.at[i]);
        }
    }
}

/* ---- the pass ---- */

/* The variable at the address, or NULL. */
static const struct local_variable *variable_at(const struct kernel *k, LLVMTargetDataRef layout,
                                                LLVMValueRef root) {
    struct gep_step steps[GEP_STEPS];
    LLVMValueRef p = LLVMIsAAddrSpaceCastInst(root) ? LLVMGetOperand(root, 0) : root;
    uint64_t offset = 0;
    for (; LLVMIsAGetElementPtrInst(p); p = LLVMGetOperand(p, 0)) {
        unsigned n = ir_gep_steps(layout, p, steps);
        bool is_constant = n == 1 && steps[0].index && LLVMIsAConstantInt(steps[0].index);
        if (!is_constant) {
            return NULL;
        }
        offset += steps[0].bytes * LLVMConstIntGetZExtValue(steps[0].index);
    }
    for (size_t i = 0; i < k->local_variables.n && LLVMIsALoadInst(p); i++) {
        const struct local_variable *v = k->local_variables.at[i];
        if (v->offset == offset) {
            return v;
        }
    }
    return NULL;
}

/* The length of rows that begin with vectors; 0: it is as it should be, or rows are short. */
static int64_t pitch_of(const struct local_variable *v, int64_t vector) {
    int64_t row = (int64_t)v->row, pitch = (row + vector - 1) / vector * vector;
    pitch += pitch % MANY_LINES ? 0 : vector; /* columns would lie in few sets of the cache */
    bool is_short = row <= vector / 2;
    return row % vector == 0 || is_short || (int64_t)(v->bytes / v->row) * pitch > MOST_BYTES ? 0 : pitch;
}

static bool has_local_arguments(const struct kernel *k) {
    for (unsigned i = 0; i < k->meta->nargs; i++) {
        if (k->meta->args[i].kind == ARG_LOCAL) {
            return true;
        }
    }
    return false;
}

/* block -> a factor for each loop around it: those that fill a tile often have one or two rounds */
static struct ptrmap find_often(struct kernel *k) {
    enum { ROUNDS = 2, MOST = 1 << 24 };
    struct ptrmap index = {0}, often = {0};
    LLVMBasicBlockRef *blocks;
    struct graph *cfg = cfg_of(k->run, &index, &blocks);
    struct list loops = graph_loops(cfg);
    for (size_t l = 0; l < loops.n; l++) {
        const struct graph_loop *loop = loops.at[l];
        for (size_t n = 0; n < loop->nodes.n; n++) {
            LLVMBasicBlockRef block = blocks[(uintptr_t)loop->nodes.at[n]];
            uintptr_t times = ptrmap_at(&often, block, 1);
            ptrmap_set(&often, block, times < MOST ? times * ROUNDS : times);
        }
    }
    return often;
}

void row_pitch_pass(struct kernel *k) {
    struct uniform pack = {.of_pack = true, .width = k->width, .rows = 1};
    struct ptrmap often = {0};
    bool is_known = false, any = false;
    int64_t vector = k->target->vector_bits / 8;
    for (size_t i = 0; i < k->local_variables.n; i++) {
        const struct local_variable *v = k->local_variables.at[i];
        any |= v->row && pitch_of(v, vector);
    }
    if (!any || k->checked || !k->optimize || !k->local_size[0] || has_local_arguments(k)) {
        return;
    }
    struct list roots = tile_roots(k);
    for (size_t i = 0; i < roots.n; i++) {
        struct tile_rows t = {.k = k, .pack = &pack, .often = &often, .vector = vector};
        t.layout = LLVMGetModuleDataLayout(k->module);
        const struct local_variable *v = variable_at(k, t.layout, roots.at[i]);
        if (!v || !v->row || !(t.pitch = pitch_of(v, vector)) || !tile_find(roots.at[i], &t.tile)) {
            continue;
        }
        if (!is_known) {
            uniform_run(k, &pack);
            often = find_often(k);
            is_known = true;
        }
        t.row = (int64_t)v->row;
        int64_t column = find_column(&t);
        if (column >= 0) {
            move(&t, v, column);
        }
    }
}

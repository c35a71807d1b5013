/* print_analysis.c: what the analyses found, beside the IR that they looked at: weirc --print-analysis.
 *
 * In: k->run when all is known of it, before regions are cut; then again, when its values are in variables. Out: text in
 * k->analysis. Each instruction has what is known of it after it, as LLVM's printing passes show theirs:
 *     group        one value for the work-group
 *     pack         one value for the work-items of a pack
 *     stride N     lane i's is lane 0's + i * N (bytes, of addresses); `exact`: no lane that is on wraps around, signed
 *                  or unsigned
 *     varies
 * Blocks say which regions hold them, and which island of those, at which place in its order. */
#include "report.h"
#include "wg.h"
#include <inttypes.h>
#include <string.h>

enum { COLUMN = 72 };

/* As the IR names the value: unnamed ones and blocks have a number, which only their text tells. */
static const char *name_of(LLVMValueRef v) {
    size_t n;
    const char *name = LLVMGetValueName2(v, &n), *result;
    if (n) {
        return job_printf("%%%s", name);
    }
    char *text = LLVMPrintValueToString(v), *start = text + strspn(text, " \n%");
    result =
        job_printf("%%%.*s", (int)strcspn(start, " :"), start); /* "  %1 = ...", or "\n1:  ; preds = ..." */
    LLVMDisposeMessage(text);
    return result;
}

/* The instruction without its metadata, and the comment in a column of its own. */
static void line(struct buf *out, LLVMValueRef i, const char *comment) {
    char *text = LLVMPrintValueToString(i), *end = strstr(text, ", !");
    int length = (int)(end ? (size_t)(end - text) : strcspn(text, "\n"));
    buf_printf(out, comment[0] ? "%-*.*s ; %s\n" : "%*.*s\n", comment[0] ? COLUMN : 0, length, text, comment);
    LLVMDisposeMessage(text);
}

static const char *exactness(const struct uniform *u, LLVMValueRef v) {
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind) {
        return "";
    }
    bool is_signed = uniform_is_exact(u, v, true), is_unsigned = uniform_is_exact(u, v, false);
    if (is_signed && is_unsigned) {
        return ", exact";
    }
    return is_signed ? ", exact if signed" : is_unsigned ? ", exact if unsigned" : ", may wrap";
}

static const char *offsets_note(const int64_t *at, uint32_t width) {
    struct buf text = {0};
    for (unsigned i = 0; i < width; i++) {
        buf_printf(&text, "%s%" PRId64, i ? " " : "offsets ", at[i]);
    }
    const char *note = job_strdup(buf_cstr(&text));
    buf_free(&text);
    return note;
}

static const char *value_note(const struct wg *wg, LLVMValueRef i) {
    int64_t stride;
    bool branches = LLVMIsATerminatorInst(i) && LLVMGetNumSuccessors(i) > 1;
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind && !branches) {
        return "";
    }
    if (uniform_is(&wg->uniform, i)) {
        return "group";
    }
    if (!wg->pack) {
        return "varies";
    }
    if (uniform_is(wg->pack, i)) {
        return "pack";
    }
    if (uniform_offsets(wg->pack, i)) {
        return offsets_note(uniform_offsets(wg->pack, i), wg->k->width);
    }
    if (!uniform_stride(wg->pack, i, &stride)) {
        return branches ? "lanes part" : "varies";
    }
    return job_printf("stride %" PRId64 "%s", stride, exactness(wg->pack, i));
}

static unsigned node_in(const struct region *r, unsigned node) {
    unsigned i = 0;
    while (i < r->blocks.n && (uintptr_t)r->blocks.at[i] != node) {
        i++;
    }
    return i;
}

static const char *block_note(const struct wg *wg, unsigned node) {
    uintptr_t leads;
    struct buf text = {0};
    if (wg->blocks[node] == LLVMGetEntryBasicBlock(wg->k->run)) {
        return "once for the group";
    }
    if (ptrmap_get(&wg->barrier_region, wg->blocks[node], &leads)) {
        buf_printf(&text, "; to region %u", (unsigned)leads);
    }
    if (ptrmap_at(&wg->uniform.parted, wg->blocks[node], 0)) {
        buf_printf(&text, "; in a loop that work-items leave in different iterations");
    }
    for (unsigned n = 0; n < wg->nregions; n++) {
        const struct region *r = &wg->regions[n];
        unsigned at = node_in(r, node);
        if (at == r->blocks.n) {
            continue;
        }
        buf_printf(&text, "; region %u", n);
        unsigned island = r->linear ? r->linear->island[at] : NONE,
                 loop = r->linear ? r->linear->loop[at] : NONE;
        if (loop != NONE) {
            buf_printf(&text, ", a loop that lanes go around together from place %u",
                       r->linear->spans[loop].first);
        }
        if (island != NONE) {
            buf_printf(&text, ", island %u, place %u", island, r->linear->place[at]);
        }
    }
    const char *note = text.size ? job_strdup(buf_cstr(&text) + 2) : "";
    buf_free(&text);
    return note;
}

static void block_label(struct buf *out, const struct wg *wg, unsigned node) {
    const char *label = job_printf("%s:", name_of(LLVMBasicBlockAsValue(wg->blocks[node])) + 1);
    buf_printf(out, "%-*s ; %s\n", COLUMN, label, block_note(wg, node));
}

static const char *local_size_of(const struct kernel *k) {
    const uint32_t *l = k->job->request->local_size;
    return l[0] ? job_printf("%u,%u,%u", l[0], l[1], l[2]) : "any";
}

void print_analysis_values(struct wg *wg) {
    struct buf *out = wg->k->analysis;
    if (!out) {
        return;
    }
    buf_printf(out, "; kernel %s, local size %s, width %u: uniformity, strides, islands\n", wg->k->meta->name,
               local_size_of(wg->k), wg->k->width);
    for (unsigned node = 0; node < wg->cfg->n; node++) {
        buf_printf(out, "\n");
        block_label(out, wg, node);
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
            line(out, i, value_note(wg, i));
        }
    }
}

/* ---- slots ---- */

static const char *slot_note(const struct wg *wg, const struct slot *s) {
    struct buf text = {0};
    buf_printf(&text, "%" PRIu64 " bytes", s->bytes);
    if (s->crosses && s->uniform) {
        buf_printf(&text, ", one for the group");
    } else if (s->crosses) {
        const struct context_area *area = s->is_array ? &wg->arrays : &wg->values;
        buf_printf(&text, ", in the context at %" PRIu64 " of %" PRIu64, s->offset, area->per_item);
    } else if (s->fixed) {
        buf_printf(&text, ", among the large arrays at %" PRIu64, s->offset);
    }
    if (s->is_affine) {
        buf_printf(&text, ", stride %" PRId64, s->stride);
    }
    buf_printf(&text, "%s%s%s%s", s->is_array ? ", array" : "", s->escapes ? ", escapes" : "",
               s->grain ? ", interleaved" : "", s->joined ? ", of several values" : "");
    const char *note = job_strdup(buf_cstr(&text));
    buf_free(&text);
    return note;
}

static const char *live_slots(const struct wg *wg, unsigned node) {
    struct buf text = {0};
    for (unsigned s = 0; wg->slots.live_in && s < wg->slots.n; s++) {
        if (bit_at(wg->slots.live_in[node], s)) {
            buf_printf(&text, " %s", name_of(wg->slots.at[s].var));
        }
    }
    const char *names = text.size ? job_strdup(buf_cstr(&text)) : " nothing";
    buf_free(&text);
    return names;
}

void print_analysis_slots(struct wg *wg) {
    struct buf *out = wg->k->analysis;
    if (!out) {
        return;
    }
    buf_printf(out, "\n; kernel %s: values in variables, and what lives where blocks begin\n",
               wg->k->meta->name);
    for (unsigned r = 1; r < wg->nregions; r++) {
        buf_printf(out, "; after the barrier to region %u live:%s\n", r,
                   live_slots(wg, wg->regions[r].start));
    }
    for (unsigned node = 0; node < wg->cfg->n; node++) {
        buf_printf(out, "\n");
        block_label(out, wg, node);
        if (wg->slots.live_in) {
            buf_printf(out, "%-*s ; live:%s\n", COLUMN, "", live_slots(wg, node));
        }
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
            uintptr_t at;
            bool is_slot = LLVMIsAAllocaInst(i) && ptrmap_get(&wg->slots.by_var, i, &at);
            line(out, i, is_slot ? slot_note(wg, &wg->slots.at[at]) : "");
        }
    }
}

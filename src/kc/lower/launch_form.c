/* launch_form.c: where accesses of buffers lie in a launch, for src/check/own.c to prove that work-items keep apart.
 *
 * In: an access by a pointer that is computed from an argument. Out: the number of its form in k->forms: the offset as a sum over
 * ids, counts of loops and products with integer arguments (index_form.c), whose sizes and values a launch knows. Forms
 * that are the same have one number. */
#include "index_form.h"
#include <string.h>

static uint32_t add(struct kernel *k, const struct weir_form *form) {
    for (size_t i = 0; i < k->forms.n; i++) {
        if (!memcmp(k->forms.at[i], form, sizeof *form)) {
            return (uint32_t)i + 1;
        }
    }
    struct weir_form *copy = job_alloc(sizeof *copy);
    *copy = *form;
    list_add(&k->forms, copy);
    return (uint32_t)k->forms.n;
}

uint32_t launch_form(struct instrumenting *in, LLVMValueRef access, LLVMValueRef p, LLVMValueRef argument) {
    struct forms forms = {.in = in, .of_launch = true};
    struct form f;
    struct weir_form to = {0};
    if (!form_of_launch(&forms, access, p, argument, &f) || f.n + 1 > WEIR_FORM_TERMS) {
        return 0;
    }
    for (unsigned s = 0; s < WEIR_FORM_STRIDES && f.stride[s]; s++) {
        const struct arg_meta *arg = &in->k->meta->args[ptrmap_at(&in->k->numbers, f.stride[s], 0)];
        to.strides[s] = arg->offset | (uint64_t)LLVMGetIntTypeWidth(LLVMTypeOf(f.stride[s])) / 8 << 32;
    }
    for (unsigned t = 0; t < f.n; t++) {
        const struct term *from = &f.term[t];
        to.terms[to.nterms++] = (struct weir_form_term){.counter = from->id,
                                                        .times = (uint64_t)from->times,
                                                        .by = from->by,
                                                        .n = from->loop ? from->n : 0};
    }
    if (f.constant) {
        to.terms[to.nterms++] = (struct weir_form_term){.times = (uint64_t)f.constant};
    }
    return add(in->k, &to);
}

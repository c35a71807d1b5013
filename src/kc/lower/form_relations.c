/* form_relations.c: what follows from the forms of addresses (index_form.c): which bytes are accessed (form_row, form_is_within), and that
 * two work-items never access the same (form_is_apart). What all of them have alike, and both forms have, doesn't count.
 *
 * A form is a sum of counters, each times a number. Two work-items keep apart at two forms if
 *   - all addresses of the one lie below all of the other, or do by modulus M, where the counters whose factors are multiples of M
 *     don't count:            s[l] and s[l + 32] where l < 32;   s[2 * l] and s[2 * l + 1], M = 8 bytes
 *   - or both forms are one sum, which has another value for each work-item: counters by their factors are digits of a number,
 *     each of which reaches less far than the next one's factor:      s[16 * y + x], x < 16
 *   - or both are sums of an id's quotient and rest by a step that nobody knows, but all have alike, and of that step: then the rest
 *     is one digit, and the others make the next:      s[2 * step * (l / step) + l % step] and s[the same + step] */
#include "index_form.h"
#include <string.h>

void form_range(const struct form *f, int64_t *least, int64_t *most) {
    *least = *most = f->constant;
    for (unsigned t = 0; t < f->n; t++) {
        const struct term *term = &f->term[t];
        *least += term->times * (term->times < 0 ? term->most : term->least);
        *most += term->times * (term->times < 0 ? term->least : term->most);
    }
}

/* ---- one form ---- */

static bool same_counter(const struct term *a, const struct term *b) {
    return a->loop == b->loop && a->dims == b->dims && a->part == b->part && a->divisor == b->divisor;
}

/* The terms by their factors, all of which count upwards from 0: a digit that counts down takes the same values. */
static void sort_terms(struct form *f) {
    for (unsigned t = 0; t < f->n; t++) {
        struct term *term = &f->term[t];
        f->constant += term->times * (term->times < 0 ? term->most : term->least);
        term->times = term->times < 0 ? -term->times : term->times;
        term->most -= term->least;
        term->least = 0;
        if (!term->most || !term->times) {
            *term = f->term[--f->n];
            t--;
        }
    }
    for (unsigned t = 1; t < f->n; t++) {
        for (unsigned u = t; u && f->term[u].times < f->term[u - 1].times; u--) {
            struct term swap = f->term[u];
            f->term[u] = f->term[u - 1];
            f->term[u - 1] = swap;
        }
    }
}

/* Both parts of a counter by one divisor. */
static bool are_parts(const struct term *a, const struct term *b) {
    return a->part != b->part && a->divisor && a->divisor == b->divisor && a->dims == b->dims &&
           a->loop == b->loop;
}

/* Whether each counter takes its values whatever the others are: of a dimension or a loop there is one, or its two parts. */
static bool is_product(const struct form *f) {
    for (unsigned t = 0; t < f->n; t++) {
        for (unsigned u = 0; u < t; u++) {
            const struct term *a = &f->term[t], *b = &f->term[u];
            bool depend = a->dims & b->dims || (a->loop && a->loop == b->loop);
            if (depend && !are_parts(a, b)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_loose(const struct form *f) {
    bool is = false;
    for (unsigned t = 0; t < f->n; t++) {
        is |= f->term[t].loose;
    }
    return is;
}

/* Takes counters whose values lie side by side into the bytes of an access. */
static void condense(struct form *f, uint64_t *bytes) {
    unsigned n = 0;
    while (n < f->n && (uint64_t)f->term[n].times == *bytes) {
        *bytes *= (uint64_t)f->term[n++].most + 1;
    }
    f->n -= n;
    memmove(f->term, f->term + n, f->n * sizeof *f->term);
}

bool form_condense(struct form *f, uint64_t *bytes) {
    bool loose = is_loose(f);
    sort_terms(f);
    if (loose || !is_product(f) || f->constant < 0) {
        return false;
    }
    condense(f, bytes);
    return true;
}

bool form_join_row(struct form *f, uint64_t *bytes, const struct form *next, uint64_t next_bytes) {
    bool fits = f->n == next->n && next->constant == f->constant + (int64_t)*bytes;
    for (unsigned t = 0; fits && t < f->n; t++) {
        fits = f->term[t].times == next->term[t].times && f->term[t].most == next->term[t].most;
    }
    if (fits) {
        *bytes += next_bytes;
        condense(f, bytes);
    }
    return fits;
}

bool form_row(const struct form *from, uint64_t bytes, struct row *row) {
    struct form f = *from;
    if (!form_condense(&f, &bytes) || f.n) {
        return false;
    }
    *row = (struct row){(uint64_t)f.constant, bytes};
    return true;
}

/* Whether the sum tells the counter's values apart, or it has but one. */
static bool is_told(const struct term *t) {
    return t->times || t->least == t->most;
}

/* Dimensions (a bit for each) in which two work-items that both access it at some values of its counters have the same id only
 * if these values are the same. */
static unsigned told_by(const struct forms *forms, const struct form *f) {
    unsigned told = f->fixed;
    for (unsigned t = 0; t < f->n; t++) {
        const struct term *term = &f->term[t];
        uint64_t items = 1;
        for (unsigned d = 0; d < 3; d++) {
            items *= term->dims >> d & 1 ? forms->in->k->local_size[d] : 1;
        }
        bool is_whole = term->part == WHOLE || (!term->loop && term->n == items);
        for (unsigned u = 0; u < f->n; u++) {
            is_whole |= are_parts(term, &f->term[u]) && is_told(&f->term[u]);
        }
        told |= is_whole && is_told(term) ? term->dims : 0;
    }
    return told;
}

/* Whether no two work-items of a group access the same byte, in any rounds. */
static bool is_own(const struct forms *forms, const struct form *from, uint64_t bytes) {
    struct form f = *from;
    uint64_t reach = bytes;
    if (!forms->in->k->local_size[0] || told_by(forms, from) != 7) {
        return false;
    }
    sort_terms(&f);
    if (!is_product(&f)) {
        return false;
    }
    for (unsigned t = 0; t < f.n; t++) {
        uint64_t times = (uint64_t)f.term[t].times;
        if (times < reach) {
            return false;
        }
        reach += times * (uint64_t)f.term[t].most;
    }
    return true;
}

/* ---- two forms ---- */

bool form_is_same(const struct form *a, const struct form *b) {
    bool same = a->n == b->n && a->constant == b->constant && a->fixed == b->fixed &&
                !memcmp(a->at, b->at, sizeof a->at);
    for (unsigned t = 0; same && t < a->n; t++) {
        const struct term *x = &a->term[t], *y = &b->term[t];
        same = same_counter(x, y) && x->times == y->times && x->n == y->n && x->least == y->least &&
               x->most == y->most;
    }
    return same;
}

static struct term *find_term(struct form *f, const struct term *like) {
    for (unsigned t = 0; t < f->n; t++) {
        if (same_counter(&f->term[t], like)) {
            return &f->term[t];
        }
    }
    return NULL;
}

/* Where `f` has but one local id: that as the counter that the other form has. */
static bool name_fixed(struct form *f, const struct form *other) {
    for (unsigned t = 0; t < other->n; t++) {
        struct term more = other->term[t];
        for (unsigned d = 0; d < 3; d++) {
            if (more.loop || more.dims != 1u << d || !(f->fixed >> d & 1) || find_term(f, &more)) {
                continue;
            }
            int64_t at = more.part == WHOLE      ? f->at[d]
                         : more.part == QUOTIENT ? f->at[d] / (int64_t)more.divisor
                                                 : f->at[d] % (int64_t)more.divisor;
            if (f->n == FORM_TERMS) {
                return false;
            }
            more.least = more.most = at;
            f->term[f->n++] = more;
            f->constant -= more.times * at;
        }
    }
    return true;
}

/* Both as one form, for all values that either has. False: they aren't one sum. */
static bool join_sums(const struct form *a, const struct form *b, struct form *both) {
    struct form x = *a, y = *b;
    if (!name_fixed(&x, b) || !name_fixed(&y, a) || x.constant != y.constant || x.n != y.n) {
        return false;
    }
    for (unsigned t = 0; t < x.n; t++) {
        const struct term *other = find_term(&y, &x.term[t]);
        if (!other || other->times != x.term[t].times) {
            return false;
        }
        x.term[t].least = x.term[t].least < other->least ? x.term[t].least : other->least;
        x.term[t].most = x.term[t].most > other->most ? x.term[t].most : other->most;
    }
    for (unsigned d = 0; d < 3; d++) {
        bool fixed = x.fixed & y.fixed & 1u << d && x.at[d] == y.at[d];
        x.fixed &= fixed ? ~0u : ~(1u << d);
    }
    *both = x;
    return true;
}

bool form_is_sum(const struct form *a, const struct form *b) {
    struct form both;
    return join_sums(a, b, &both);
}

/* Where all of its bytes lie by the modulus; false: in several of its rows. */
static bool range_in(const struct form *f, uint64_t bytes, int64_t modulus, int64_t *first, int64_t *last) {
    struct form rest = *f;
    for (unsigned t = 0; t < rest.n; t++) {
        if (modulus && rest.term[t].times % modulus == 0) {
            rest.term[t--] = rest.term[--rest.n];
        }
    }
    form_range(&rest, first, last);
    *last += (int64_t)bytes - 1;
    if (!modulus) {
        return true;
    }
    int64_t row = (*first >= 0 ? *first : *first - modulus + 1) / modulus * modulus;
    *first -= row;
    *last -= row;
    return *last < modulus;
}

static bool is_parted_by(const struct form *a, const struct form *b, uint64_t bytes, uint64_t other_bytes,
                         int64_t modulus) {
    int64_t first, last, other_first, other_last;
    return range_in(a, bytes, modulus, &first, &last) &&
           range_in(b, other_bytes, modulus, &other_first, &other_last) &&
           (last < other_first || other_last < first);
}

/* ---- by steps that nobody knows ---- */

bool form_has_strides(const struct form *f) {
    return f->stride[0] != NULL;
}

/* constant + rest * (id % step) + (multiple * (id / step) + steps) * step */
struct split {
    unsigned dims;
    int64_t rest, multiple, steps;
};

static bool find_split(const struct form *f, struct split *s) {
    bool known = !f->stride[1];
    *s = (struct split){0};
    for (unsigned t = 0; known && t < f->n; t++) {
        const struct term *term = &f->term[t];
        bool is_rest = term->part == REST && term->split && !term->by,
             is_multiple = term->part == QUOTIENT && term->split && term->by,
             is_step = !term->dims && term->by;
        int64_t *to = is_rest ? &s->rest : is_multiple ? &s->multiple : &s->steps;
        known = (is_rest || is_multiple || is_step) && !term->loop && !*to && term->times > 0 &&
                !(s->dims && term->dims && s->dims != term->dims);
        *to = term->times;
        s->dims |= term->dims;
    }
    return known && s->rest && s->multiple;
}

/* Two work-items that access the same byte have the same rest, so not the same quotient: then multiples of it differ by less or
 * more than the steps do. */
static bool is_split_apart(const struct form *a, const struct form *b, uint64_t bytes) {
    struct split x, y;
    if (a->stride[0] != b->stride[0] || !find_split(a, &x) || !find_split(b, &y) ||
        a->constant != b->constant || x.dims != y.dims || x.rest != y.rest || x.multiple != y.multiple ||
        x.rest < (int64_t)bytes || x.multiple % x.rest || x.steps % x.rest || y.steps % x.rest) {
        return false;
    }
    for (unsigned d = 0; d < 3; d++) {
        bool is_fixed = a->fixed & b->fixed & 1u << d && a->at[d] == b->at[d];
        if (x.dims != 1u << d && !is_fixed) {
            return false;
        }
    }
    return x.steps == y.steps || (x.steps - y.steps) % x.multiple;
}

/* ---- two forms ---- */

/* Takes out of both forms the counters that are one number for all, where that is times the same. */
static void drop_steady(struct form *a, struct form *b) {
    for (unsigned t = 0; t < a->n; t++) {
        struct term *other = a->term[t].steady ? find_term(b, &a->term[t]) : NULL;
        if (other && other->steady == a->term[t].steady && other->times == a->term[t].times) {
            *other = b->term[--b->n];
            a->term[t--] = a->term[--a->n];
        }
    }
}

static bool same_above(const struct above *a, const struct above *b) {
    return a->loop && a->steady && a->loop == b->loop && a->times == b->times && a->least == b->least &&
           a->steady == b->steady;
}

static bool has_id(const struct form *f, unsigned d) {
    for (unsigned t = 0; t < f->n; t++) {
        if (f->term[t].dims >> d & 1) {
            return true;
        }
    }
    return false;
}

/* Counts the id from where the condition lets it begin. False: there is no room, or the form has a part of it. */
static bool count_from(struct form *f, unsigned d, const struct above *above) {
    struct term count = {.loop = above->loop, .part = WHOLE, .steady = above->steady};
    for (unsigned t = 0; t < f->n; t++) {
        struct term *id = &f->term[t];
        if (!(id->dims >> d & 1)) {
            continue;
        }
        if (id->dims != 1u << d || id->loop || id->part != WHOLE) {
            return false;
        }
        count.times = id->times * above->times;
        f->constant += id->times * above->least;
        id->most -= above->least;
        id->least = 0;
        id->most = id->most > 0 ? id->most : 0;
    }
    struct term *has = find_term(f, &count);
    if (has) {
        has->times += count.times;
    } else if (count.times && f->n < FORM_TERMS) {
        count.n = above->loop->bound;
        count.most = (int64_t)above->loop->bound;
        f->term[f->n++] = count;
    } else {
        return !count.times;
    }
    return true;
}

/* Both forms with ids counted from a number that all have alike. False: that is nothing new. */
static bool count_both(struct form *a, struct form *b) {
    bool any = false;
    for (unsigned d = 0; d < 3; d++) {
        const struct above above = a->above[d].loop ? a->above[d] : b->above[d];
        bool first = has_id(a, d), second = has_id(b, d);
        if ((first && !same_above(&above, &a->above[d])) || (second && !same_above(&above, &b->above[d])) ||
            (!first && !second)) {
            continue;
        }
        if ((first && !count_from(a, d, &above)) || (second && !count_from(b, d, &above))) {
            return false;
        }
        a->fixed &= ~(1u << d); /* that is from 0 on */
        b->fixed &= ~(1u << d);
        any = true;
    }
    return any;
}

static bool are_apart(struct forms *forms, const struct form *from, const struct form *other, uint64_t bytes,
                      uint64_t other_bytes) {
    struct form both, x = *from, y = *other, *a = &x, *b = &y;
    drop_steady(a, b);
    if (is_parted_by(a, b, bytes, other_bytes, 0)) {
        return true;
    }
    for (unsigned t = 0; t < a->n + b->n; t++) {
        int64_t modulus = t < a->n ? a->term[t].times : b->term[t - a->n].times;
        modulus = modulus < 0 ? -modulus : modulus;
        if (modulus && is_parted_by(a, b, bytes, other_bytes, modulus)) {
            return true;
        }
    }
    return join_sums(a, b, &both) && is_own(forms, &both, bytes > other_bytes ? bytes : other_bytes);
}

bool form_is_apart(struct forms *forms, const struct form *from, const struct form *other, uint64_t bytes,
                   uint64_t other_bytes) {
    struct form x = *from, y = *other;
    if (form_has_strides(from) || form_has_strides(other)) {
        return is_split_apart(from, other, bytes > other_bytes ? bytes : other_bytes);
    }
    return are_apart(forms, from, other, bytes, other_bytes) ||
           (count_both(&x, &y) && are_apart(forms, &x, &y, bytes, other_bytes));
}

/* The greatest number that times * it isn't above n. */
static int64_t floor_of(int64_t n, int64_t times) {
    return (n >= 0 ? n : n - times + 1) / times;
}

bool form_is_within(const struct form *from, const struct form *of) {
    struct form y = *of;
    sort_terms(&y);
    if (is_loose(of) || !is_product(&y)) {
        return false;
    }
    struct form rest = *from;
    for (unsigned u = y.n; u-- > 0;) { /* digits of y, the greatest factor first */
        int64_t times = y.term[u].times, least = 0, most = 0;
        struct form digit = {0};
        for (unsigned t = 0; t < rest.n; t++) {
            int64_t part = rest.term[t].times % times;
            if (part == 0) {
                digit.term[digit.n++] = rest.term[t];
                rest.term[t--] = rest.term[--rest.n];
            } else if (rest.term[t].times > times) { /* as a diagonal's: in several digits */
                digit.term[digit.n] = rest.term[t];
                digit.term[digit.n++].times -= part;
                rest.term[t].times = part;
            }
        }
        form_range(&digit, &least, &most);
        int64_t lower, upper; /* what the other digits make */
        form_range(&rest, &lower, &upper);
        int64_t carry = floor_of(lower - y.constant, times) * times;
        rest.constant -= carry;
        if (least + carry < 0 || most + carry > times * y.term[u].most) {
            return false;
        }
    }
    return !rest.n && rest.constant == y.constant;
}

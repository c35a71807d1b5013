/* expr.c: random expressions of any type, as text. None has undefined behaviour: signed sums are made of unsigned
 * ones, numbers become integers only where they are small. */
#include "kernels.h"

#include <stdio.h>
#include <string.h>

static bool may_use(const struct view *v, const struct place *p) {
    return (!v->uniform || p->uniform) && (!v->own || !p->shared);
}

static const char *at_random_index(const struct view *v, const char *text) {
    struct type index = {0, 1};
    bool has_index = false;
    for (const char *c = text; *c; c++)
        has_index |= c[0] == '%' && c[1] == 's';
    if (!has_index)
        return text;
    char format[256];
    snprintf(format, sizeof format, "%s", text);
    const char *e = random_expression(v, index, (int)kernels_roll(2));
    return text_of(format, text_of("(%s)", e));
}

/* One of the places for which fits() holds. */
static const struct place *pick(const struct view *v, struct type t, bool written, unsigned least,
                                unsigned most) {
    const struct place *found = NULL;
    unsigned n = 0;
    for (unsigned i = 0; i < v->places->n; i++) {
        const struct place *p = &v->places->place[i];
        bool fits = p->type.base == t.base && p->type.n >= least && p->type.n <= most;
        if (fits && may_use(v, p) && (!written || p->written) && !kernels_roll(++n))
            found = p;
    }
    return found;
}

static char digit(unsigned i) {
    return "0123456789abcdef"[i];
}

/* Some elements of a vector of n. */
static const char *swizzle(unsigned n, unsigned of) {
    char text[20] = ".s";
    static const char *const halves[] = {".lo", ".hi", ".even", ".odd"};
    if (n * 2 == of && of > 1 && !kernels_roll(3))
        return halves[kernels_roll(4)];
    for (unsigned i = 0; i < n; i++)
        text[2 + i] = digit(kernels_roll(of));
    return text_of("%s", text);
}

const char *random_place(const struct view *v, struct type t, bool written) {
    const struct place *p = pick(v, t, written, t.n, t.n);
    if (written && t.n == 1 && !kernels_roll(3)) { /* a component of a vector */
        const struct place *q = pick(v, t, true, 2, 16);
        if (q) {
            const char *text = at_random_index(v, q->text);
            return kernels_roll(2) ? text_of("%s.s%c", text, digit(kernels_roll(q->type.n)))
                                   : text_of("%s[(%s) %% %uu]", text,
                                             random_expression(v, (struct type){0, 1}, 0), q->type.n);
        }
    }
    return p ? at_random_index(v, p->text) : NULL;
}

static const char *constant(struct type t) {
    bool floats = base_types[t.base].kind == FLOATING;
    return floats || kernels_roll(4) ? text_of("(%s)(%u)", type_name(t), kernels_roll(10))
                                     : text_of("(%s)(~%uu)", type_name(t), kernels_roll(50));
}

static bool is_floating(struct type t) {
    return base_types[t.base].kind == FLOATING;
}

/* `text` of type `from` as `to`, which has as many elements. */
static const char *converted(struct type to, struct type from, const char *text) {
    if (is_floating(from) && !is_floating(to)) {
        static const char *const modes[] = {"rte", "rtz", "rtp", "rtn"};
        struct type step = {1, to.n}; /* int */
        if (!kernels_roll(3))
            text =
                text_of("ROUND%s(fit(%s), %s, %u)", to.n == 1 ? "1" : "", text, modes[kernels_roll(4)], to.n);
        else
            text =
                to.n == 1 ? text_of("(int)fit(%s)", text) : text_of("CONVERT(fit(%s), int, %u)", text, to.n);
        from = step;
    }
    if (is_floating(to) && !is_floating(from)) /* small ones only: half has 11 bits */
        text = text_of("((%s) & (%s)63)", text, type_name(from));
    if (!is_floating(to) && !kernels_roll(3))
        return text_of("SATURATED%s(%s, %s, %u, %s)", to.n == 1 ? "1" : "", text, base_types[to.base].name,
                       to.n, base_types[from.base].kind == SIGNED ? "long" : "ulong");
    return to.n == 1 ? text_of("(%s)(%s)", type_name(to), text)
                     : text_of("CONVERT(%s, %s, %u)", text, base_types[to.base].name, to.n);
}

/* An unsigned type of as many bits. */
static struct type unsigned_of(struct type t) {
    struct type u = t;
    for (u.base = 0; strcmp(base_types[t.base].same_bits, base_types[u.base].name);)
        u.base++;
    return u;
}

const char *wrapped(struct type t, const char *a, char op, const char *b) {
    const struct base_type *base = &base_types[t.base];
    struct type u = unsigned_of(t);
    if (base->kind == UNSIGNED || base->kind == FLOATING)
        return t.n == 1 ? text_of("(%s)((%s) %c (%s))", base->name, a, op, b)
                        : text_of("((%s) %c (%s))", a, op, b);
    const char *name = type_name(t), *unsigned_name = type_name(u);
    return t.n == 1 ? text_of("as_%s((%s)(as_%s(%s) %c as_%s(%s)))", name, unsigned_name, unsigned_name, a,
                              op, unsigned_name, b)
                    : text_of("as_%s(as_%s(%s) %c as_%s(%s))", name, unsigned_name, a, op, unsigned_name, b);
}

static const char *third(const struct view *v, struct type t) {
    return text_of("(%s)(%s)", type_name(t), random_expression(v, t, 0));
}

static const char *integer_function(const struct view *v, struct type t, const char *a, const char *b) {
    static const char *const one[] = {"clz", "popcount", "ctz"};
    static const char *const two[] = {"add_sat", "sub_sat", "rotate", "hadd", "rhadd", "mul_hi"};
    static const char *const three[] = {"mad_hi", "mad_sat", "select", "bitselect"};
    const char *name = type_name(t);
    bool is_word = base_types[t.base].size == 4;
    switch (kernels_roll(9)) {
    case 0:
        return text_of("%s(%s)", one[kernels_roll(3)], a);
    case 1:
        return text_of("bitselect(%s, %s, (%s)(%u))", a, b, name, kernels_roll(256) & 127);
    case 2:
        return text_of("as_%s(%s)", name, kernels_roll(2) ? text_of("abs(%s)", a) : text_of("abs_diff(%s, %s)", a, b));
    case 3:
        return text_of("clamp(%s, min(%s, (%s)(9)), max(%s, (%s)(9)))", a, b, name, b, name);
    case 4:
        return text_of("%s(%s, %s, %s)", three[kernels_roll(4)], a, b, third(v, t));
    case 5: /* numbers of 24 bits */
        return is_word ? text_of("mad24(%s & (%s)0x7fffff, %s & (%s)255, %s)", a, name, b, name, third(v, (struct type){t.base, t.n}))
                       : text_of("mul_hi(%s, %s)", a, b);
    default:
        return text_of("%s(%s, %s)", two[kernels_roll(6)], a, b);
    }
}

/* By a number that is known: a multiplication or a shift. */
static const char *divided(struct type t, const char *a) {
    static const int by[] = {3, 5, 7, 10, 12, 16, 64, 100, 127, -3, -8, -127};
    bool is_signed = base_types[t.base].kind == SIGNED;
    return text_of("(%s %c (%s)(%d))", a, "/%"[kernels_roll(2)], type_name(t), by[kernels_roll(is_signed ? 12 : 9)]);
}

/* Elements by numbers. */
static const char *shuffled(const struct view *v, struct type t, int level) {
    const char *x = text_of("(%s)(%s)", type_name(t), random_expression(v, t, level - 1));
    const char *mask = text_of("as_%s((%s)(%s))", type_name(unsigned_of(t)), type_name(t), random_expression(v, t, level - 1));
    return kernels_roll(2) ? text_of("shuffle(%s, %s)", x, mask)
                           : text_of("shuffle2(%s, (%s)(%s), %s)", x, type_name(t), random_expression(v, t, 0), mask);
}

static const char *binary(const struct view *v, struct type t, int level) {
    const char *name = type_name(t);
    const char *a = text_of("(%s)(%s)", name, random_expression(v, t, level - 1));
    const char *b = text_of("(%s)(%s)", name, random_expression(v, t, level - 1));
    if (is_floating(t)) {
        static const char *const functions[] = {"floor", "ceil", "trunc", "rint", "fabs"};
        if (!kernels_roll(8))
            return text_of("clamp(%s, (%s)(-9), (%s)(%u))", a, name, name, kernels_roll(20));
        if (!kernels_roll(5))
            return text_of("%s(%s)", functions[kernels_roll(5)], a);
        return wrapped(t, a, "+-*"[kernels_roll(3)], b);
    }
    bool is_signed = base_types[t.base].kind == SIGNED;
    unsigned mask = base_types[t.base].size * 8u - 1;
    switch (kernels_roll(16)) {
    case 15:
        return divided(t, a);
    case 14: /* by more than the width, too: as many bits of it count as the width needs (6.3j) */
        return text_of("(%s %s %s)", a, is_signed || kernels_roll(2) ? ">>" : "<<", b);
    case 12:
    case 13:
        return integer_function(v, t, a, b);
    case 0:
        return is_signed ? text_of("(%s / ((%s & (%s)63) | (%s)1))", a, b, name, name)
                         : text_of("(%s / (%s | (%s)1))", a, b, name);
    case 1:
        return is_signed ? text_of("(%s %% ((%s & (%s)63) | (%s)1))", a, b, name, name)
                         : text_of("(%s %% (%s | (%s)1))", a, b, name);
    case 2:
        return text_of("(%s >> (%s & (%s)%u))", a, b, name, mask);
    case 3:
        return is_signed ? text_of("(%s ^ ~%s)", a, b) : text_of("(%s << (%s & (%s)%u))", a, b, name, mask);
    case 4:
        return text_of("%s(%s, %s)", kernels_roll(2) ? "min" : "max", a, b);
    default:
        return wrapped(t, a, "+-*&|^"[kernels_roll(6)], b);
    }
}

static const char *choice(const struct view *v, struct type t, int level) {
    struct type c = v->program->palette[kernels_roll(PALETTE)];
    const char *x = random_expression(v, t, level - 1), *y = random_expression(v, t, level - 1);
    if (t.n == 1 || c.n == 1 || base_types[c.base].size != base_types[t.base].size || c.n != t.n)
        c = t.n == 1 ? (struct type){c.base, 1} : t;
    bool known = false;
    for (unsigned i = 0; i < PALETTE; i++)
        known |= v->program->palette[i].base == c.base;
    const char *p = random_expression(v, known ? c : t, level - 1),
               *q = random_expression(v, known ? c : t, 0);
    static const char *const compares[] = {"<", ">", "<=", "==", "!="};
    const char *op = compares[kernels_roll(5)];
    switch (kernels_roll(t.n == 1 ? 2 : is_floating(t) ? 3 : 4)) {
    case 2: /* component by component */
        return text_of("((%s)(%s) %s (%s)(%s) ? (%s)(%s) : (%s)(%s))", type_name(t), x, op, type_name(t), y,
                       type_name(t), y, type_name(t), random_expression(v, t, 0));
    case 0:
    case 1:
        return text_of("((%s)(%s) %s (%s)(%s) ? (%s)(%s) : (%s)(%s))", type_name(known ? c : t), p, op,
                       type_name(known ? c : t), q, type_name(t), x, type_name(t), y);
    default:
        return text_of("CONVERT((%s)(%s) %s (%s)(%s), %s, %u)", type_name(t), x, op, type_name(t), y,
                       base_types[t.base].name, t.n);
    }
}

/* A vector of parts. */
static const char *put_together(const struct view *v, struct type t, int level) {
    if (t.n != 3 && !kernels_roll(3))
        return shuffled(v, t, level);
    const char *text = text_of("((%s)(", type_name(t));
    for (unsigned left = t.n; left;) {
        static const unsigned parts[] = {1, 1, 2, 4, 8};
        unsigned n = parts[kernels_roll(5)];
        n = n >= t.n || n > left ? 1 : n;
        struct type part = {t.base, (uint8_t)n};
        text =
            text_of("%s(%s)(%s)", text, type_name(part), random_expression(v, part, n > 1 ? 0 : level - 2));
        left -= n;
        text = text_of("%s%s", text, left ? ", " : "))");
    }
    return text;
}

static const char *from_other_type(const struct view *v, struct type t, int level) {
    struct type from = v->program->palette[kernels_roll(PALETTE)];
    if (!is_floating(t) && type_size(from) == type_size(t) && kernels_roll(3) && (t.n != 3) == (from.n != 3))
        return text_of("as_%s((%s)(%s))", type_name(t), type_name(from),
                       random_expression(v, from, level - 1));
    if (t.n > 1 && !kernels_roll(3))
        return text_of("(%s)(%s)", type_name(t), random_expression(v, (struct type){t.base, 1}, level - 1));
    from.n = t.n;
    return converted(t, from,
                     text_of("(%s)(%s)", type_name(from),
                             random_expression(v, from, from.base == t.base ? 0 : level - 1)));
}

static const char *leaf(const struct view *v, struct type t) {
    const struct place *p = pick(v, t, false, t.n, t.n);
    if (!p || !kernels_roll(5)) {
        const struct place *q = pick(v, t, false, t.n == 16 ? 16 : t.n + 1u, 16);
        if (q && kernels_roll(4))
            return text_of("%s%s", at_random_index(v, q->text), swizzle(t.n, q->type.n));
    }
    if (p && kernels_roll(6))
        return at_random_index(v, p->text);
    return constant(t);
}

const char *random_expression(const struct view *v, struct type t, int level) {
    if (level <= 0)
        return leaf(v, t);
    switch (kernels_roll(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return binary(v, t, level);
    case 4:
        return choice(v, t, level);
    case 5:
        return t.n > 1 ? put_together(v, t, level) : binary(v, t, level);
    case 6:
    case 7:
        return from_other_type(v, t, level);
    default:
        return leaf(v, t);
    }
}

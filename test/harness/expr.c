/* expr.c: the little expression language of kernel test headers.
 *
 * In: text such as `i < 10 ? a[i] * 2 : sum(j, 0, i, a[j])`. Out: a tree, evaluated per element.
 * C's operators and precedences (no assignment), casts written as calls (`uchar(x)`), min, max, abs, and the
 * folds sum, minof, maxof (variable, first, end, body). Names: i the element's index; L, LX, LY, LZ the local
 * size; G, GX, GY, GZ the global size; N the number of work-groups; arrays by their argument's name. In one
 * dimension F is the first index of i's work-group, and S the size of that group, which may be a remainder.
 */
#include "harness.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum op {
    OP_NUMBER,
    OP_VARIABLE,
    OP_ELEMENT,
    OP_CAST,
    OP_NEGATE,
    OP_COMPLEMENT,
    OP_NOT,
    OP_CONDITION,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_ADD,
    OP_SUB,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_AND,
    OP_XOR,
    OP_OR,
    OP_BOTH,
    OP_EITHER,
    OP_MIN,
    OP_MAX,
    OP_ABS,
    OP_SUM,
    OP_MINOF,
    OP_MAXOF,
};
struct expr {
    enum op op;
    struct number number;
    int variable;
    char array[48];
    const struct type *type;
    struct expr *kid[4];
};

static const struct type types[] = {
    {"char", 1, true, false},    {"uchar", 1, false, false},  {"bool", 1, false, false},
    {"short", 2, true, false},   {"ushort", 2, false, false}, {"int", 4, true, false},
    {"uint", 4, false, false},   {"long", 8, true, false},    {"ulong", 8, false, false},
    {"size_t", 8, false, false}, {"half", 2, true, true},     {"float", 4, true, true},
    {"double", 8, true, true},
};

const struct type *type_find(const char *name, size_t length) {
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        if (strlen(types[t].name) == length && !memcmp(types[t].name, name, length))
            return &types[t];
    return NULL;
}

struct number number_int(int64_t i) {
    return (struct number){false, i, 0};
}

struct number number_real(double d) {
    return (struct number){true, 0, d};
}

double number_as_real(struct number n) {
    return n.real ? n.d : (double)n.i;
}

static int64_t as_int(struct number n) {
    return n.real ? (int64_t)n.d : n.i;
}

struct number type_load(const struct type *type, const void *at) {
    union {
        _Float16 h;
        float f;
        double d;
        uint64_t u;
    } bits = {.u = 0};
    memcpy(&bits, at, type->size);
    if (type->is_real)
        return number_real(type->size == 2 ? (double)bits.h : type->size == 4 ? (double)bits.f : bits.d);
    unsigned unused = 64 - 8 * type->size;
    uint64_t high = bits.u << unused;
    return number_int(type->is_signed ? (int64_t)high >> unused : (int64_t)(high >> unused));
}

void type_store(const struct type *type, void *at, struct number n) {
    if (type->is_real && type->size == 2) {
        _Float16 h = (_Float16)number_as_real(n);
        memcpy(at, &h, 2);
    } else if (type->is_real && type->size == 4) {
        float f = n.real ? (float)n.d : (float)n.i;
        memcpy(at, &f, 4);
    } else if (type->is_real) {
        double d = number_as_real(n);
        memcpy(at, &d, 8);
    } else {
        int64_t i = as_int(n);
        memcpy(at, &i, type->size);
    }
}

/* ---- parsing -------------------------------------------------------------------------------------------------- */

struct parser {
    const char *at;
    const char *error;
    struct {
        char name[16];
    } bound[VAR_COUNT - VAR_BOUND];
    int nbound;
};

static struct expr *parse_level(struct parser *, int level);

static struct expr *node(enum op op, struct expr *a, struct expr *b, struct expr *c, struct expr *d) {
    struct expr *e = calloc(1, sizeof *e);
    *e = (struct expr){.op = op, .kid = {a, b, c, d}};
    return e;
}

static struct expr *fail(struct parser *p, const char *why) {
    if (!p->error)
        p->error = why;
    return node(OP_NUMBER, NULL, NULL, NULL, NULL);
}

static bool accept(struct parser *p, const char *token) {
    while (isspace((unsigned char)*p->at))
        p->at++;
    size_t n = strlen(token);
    if (strncmp(p->at, token, n))
        return false;
    p->at += n;
    return true;
}

static struct expr *parse_condition(struct parser *p) {
    struct expr *e = parse_level(p, 0);
    if (p->error || !accept(p, "?"))
        return e;
    struct expr *yes = parse_condition(p);
    if (!accept(p, ":"))
        return fail(p, "':' expected");
    return node(OP_CONDITION, e, yes, parse_condition(p), NULL);
}

static struct expr *parse_number(struct parser *p) {
    struct expr *e = node(OP_NUMBER, NULL, NULL, NULL, NULL);
    char *end, *real_end;
    uint64_t u = strtoull(p->at, &end, 0);
    double d = strtod(p->at, &real_end);
    bool hex = p->at[0] == '0' && (p->at[1] | 32) == 'x';
    e->number = real_end > end && !hex ? number_real(d) : number_int((int64_t)u);
    p->at = real_end > end && !hex ? real_end : end;
    while (*p->at && strchr("uUlLfF", *p->at))
        p->at++;
    return e;
}

/* sum(j, first, end, body), with j bound inside the body. */
static struct expr *parse_fold(struct parser *p, enum op op) {
    if (p->nbound == VAR_COUNT - VAR_BOUND)
        return fail(p, "folds nested too deep");
    accept(p, "");
    size_t n = strspn(p->at, "abcdefghijklmnopqrstuvwxyz");
    if (!n || n >= sizeof p->bound[0].name)
        return fail(p, "name of the running variable expected");
    char name[16] = "";
    memcpy(name, p->at, n);
    p->at += n;
    struct expr *e = node(op, NULL, NULL, NULL, NULL);
    for (int k = 0; k < 3; k++) {
        if (!accept(p, ","))
            return fail(p, "',' expected");
        if (k == 2) {
            strcpy(p->bound[p->nbound].name, name);
            e->variable = VAR_BOUND + p->nbound++;
        }
        e->kid[k] = parse_condition(p);
    }
    p->nbound--;
    return accept(p, ")") ? e : fail(p, "')' expected");
}

static struct expr *parse_call(struct parser *p, const char *name, size_t n) {
    static const struct {
        const char *name;
        enum op op;
        int arity;
    } functions[] = {{"min", OP_MIN, 2}, {"max", OP_MAX, 2},     {"abs", OP_ABS, 1},
                     {"sum", OP_SUM, 0}, {"minof", OP_MINOF, 0}, {"maxof", OP_MAXOF, 0}};
    const struct type *type = type_find(name, n);
    if (type) {
        struct expr *e = node(OP_CAST, parse_condition(p), NULL, NULL, NULL);
        e->type = type;
        return accept(p, ")") ? e : fail(p, "')' expected");
    }
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
        if (strlen(functions[f].name) != n || memcmp(functions[f].name, name, n))
            continue;
        if (!functions[f].arity)
            return parse_fold(p, functions[f].op);
        struct expr *e = node(functions[f].op, parse_condition(p), NULL, NULL, NULL);
        if (functions[f].arity == 2)
            e->kid[1] = accept(p, ",") ? parse_condition(p) : fail(p, "',' expected");
        return accept(p, ")") ? e : fail(p, "')' expected");
    }
    return fail(p, "no such function");
}

static struct expr *parse_name(struct parser *p) {
    static const char *const names[VAR_BOUND] = {"i",  "L",  "LX", "LY", "LZ", "G",
                                                 "GX", "GY", "GZ", "N",  "F",  "S"};
    const char *name = p->at;
    while (isalnum((unsigned char)*p->at) || *p->at == '_')
        p->at++;
    size_t n = (size_t)(p->at - name);
    if (accept(p, "("))
        return parse_call(p, name, n);
    struct expr *e = node(OP_VARIABLE, NULL, NULL, NULL, NULL);
    if (accept(p, "[")) {
        e->op = OP_ELEMENT;
        memcpy(e->array, name, n < sizeof e->array ? n : sizeof e->array - 1);
        e->kid[0] = parse_condition(p);
        return accept(p, "]") ? e : fail(p, "']' expected");
    }
    for (e->variable = p->nbound - 1; e->variable >= 0; e->variable--) {
        const char *bound = p->bound[e->variable].name;
        if (strlen(bound) == n && !memcmp(bound, name, n)) {
            e->variable += VAR_BOUND;
            return e;
        }
    }
    for (e->variable = 0; e->variable < VAR_BOUND; e->variable++)
        if (strlen(names[e->variable]) == n && !memcmp(names[e->variable], name, n))
            return e;
    return fail(p, "unknown name");
}

static struct expr *parse_primary(struct parser *p) {
    if (accept(p, "-"))
        return node(OP_NEGATE, parse_primary(p), NULL, NULL, NULL);
    if (accept(p, "~"))
        return node(OP_COMPLEMENT, parse_primary(p), NULL, NULL, NULL);
    if (accept(p, "!"))
        return node(OP_NOT, parse_primary(p), NULL, NULL, NULL);
    if (accept(p, "(")) {
        struct expr *e = parse_condition(p);
        return accept(p, ")") ? e : fail(p, "')' expected");
    }
    if (isdigit((unsigned char)*p->at) || *p->at == '.')
        return parse_number(p);
    if (isalpha((unsigned char)*p->at) || *p->at == '_')
        return parse_name(p);
    return fail(p, "operand expected");
}

/* Binary operators, loosest first; a longer token stands before its prefix. */
static const struct {
    int level;
    const char *token, *unlike; /* `unlike`: characters that must not follow */
    enum op op;
} binaries[] = {
    {0, "||", "", OP_EITHER}, {1, "&&", "", OP_BOTH}, {2, "|", "|", OP_OR}, {3, "^", "", OP_XOR},
    {4, "&", "&", OP_AND},    {5, "==", "", OP_EQ},   {5, "!=", "", OP_NE}, {6, "<=", "", OP_LE},
    {6, ">=", "", OP_GE},     {6, "<", "<", OP_LT},   {6, ">", ">", OP_GT}, {7, "<<", "", OP_SHL},
    {7, ">>", "", OP_SHR},    {8, "+", "", OP_ADD},   {8, "-", "", OP_SUB}, {9, "*", "", OP_MUL},
    {9, "/", "", OP_DIV},     {9, "%", "", OP_MOD},
};

static bool accept_binary(struct parser *p, int level, enum op *op) {
    for (size_t b = 0; b < sizeof binaries / sizeof *binaries; b++) {
        const char *before = p->at;
        if (binaries[b].level != level || !accept(p, binaries[b].token))
            continue;
        if (!*p->at || !strchr(binaries[b].unlike, *p->at)) {
            *op = binaries[b].op;
            return true;
        }
        p->at = before;
    }
    return false;
}

static struct expr *parse_level(struct parser *p, int level) {
    if (level > 9)
        return parse_primary(p);
    struct expr *e = parse_level(p, level + 1);
    enum op op;
    while (!p->error && accept_binary(p, level, &op))
        e = node(op, e, parse_level(p, level + 1), NULL, NULL);
    return e;
}

struct expr *expr_parse(const char **at, const char **error) {
    struct parser p = {.at = *at};
    struct expr *e = parse_condition(&p);
    accept(&p, "");
    if (!p.error && *p.at && !strchr(",]}", *p.at))
        p.error = "unexpected text";
    *at = p.at;
    *error = p.error;
    return p.error ? NULL : e;
}

/* ---- evaluation ------------------------------------------------------------------------------------------------ */

static struct number element(const struct expr *e, struct scope *s) {
    int64_t index = as_int(expr_eval(e->kid[0], s));
    for (size_t a = 0; a < s->narrays; a++)
        if (!strcmp(s->arrays[a].name, e->array))
            return index >= 0 && (uint64_t)index < s->arrays[a].count
                       ? type_load(s->arrays[a].type,
                                   (const char *)s->arrays[a].data + (size_t)index * s->arrays[a].type->size)
                       : number_int(0);
    return number_int(0);
}

static struct number cast(const struct type *type, struct number n) {
    uint64_t bytes = 0;
    type_store(type, &bytes, n);
    return type_load(type, &bytes);
}

static struct number real_binary(enum op op, double a, double b) {
    switch (op) {
    case OP_MUL:
        return number_real(a * b);
    case OP_DIV:
        return number_real(a / b);
    case OP_MOD:
        return number_real(fmod(a, b));
    case OP_ADD:
        return number_real(a + b);
    case OP_SUB:
        return number_real(a - b);
    case OP_LT:
        return number_int(a < b);
    case OP_LE:
        return number_int(a <= b);
    case OP_GT:
        return number_int(a > b);
    case OP_GE:
        return number_int(a >= b);
    case OP_EQ:
        return number_int(a == b);
    case OP_NE:
        return number_int(a != b);
    case OP_MIN:
        return number_real(a < b ? a : b);
    case OP_MAX:
        return number_real(a > b ? a : b);
    default:
        return number_int(0);
    }
}

static struct number int_binary(enum op op, int64_t a, int64_t b) {
    uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    switch (op) {
    case OP_MUL:
        return number_int((int64_t)(ua * ub));
    case OP_DIV:
        return number_int(b == 0 ? 0 : b == -1 ? (int64_t)-ua : a / b);
    case OP_MOD:
        return number_int(b == 0 || b == -1 ? 0 : a % b);
    case OP_ADD:
        return number_int((int64_t)(ua + ub));
    case OP_SUB:
        return number_int((int64_t)(ua - ub));
    case OP_SHL:
        return number_int((int64_t)(ua << (ub & 63)));
    case OP_SHR:
        return number_int(a >> (ub & 63));
    case OP_LT:
        return number_int(a < b);
    case OP_LE:
        return number_int(a <= b);
    case OP_GT:
        return number_int(a > b);
    case OP_GE:
        return number_int(a >= b);
    case OP_EQ:
        return number_int(a == b);
    case OP_NE:
        return number_int(a != b);
    case OP_AND:
        return number_int(a & b);
    case OP_XOR:
        return number_int(a ^ b);
    case OP_OR:
        return number_int(a | b);
    case OP_MIN:
        return number_int(a < b ? a : b);
    case OP_MAX:
        return number_int(a > b ? a : b);
    default:
        return number_int(0);
    }
}

static struct number binary(enum op op, struct number a, struct number b) {
    return a.real || b.real ? real_binary(op, number_as_real(a), number_as_real(b))
                            : int_binary(op, a.i, b.i);
}

static struct number fold(const struct expr *e, struct scope *s) {
    int64_t first = as_int(expr_eval(e->kid[0], s)), end = as_int(expr_eval(e->kid[1], s));
    enum op op = e->op == OP_SUM ? OP_ADD : e->op == OP_MINOF ? OP_MIN : OP_MAX;
    struct number total = number_int(0);
    for (int64_t v = first; v < end; v++) {
        s->variables[e->variable] = number_int(v);
        struct number body = expr_eval(e->kid[2], s);
        total = v == first ? body : binary(op, total, body);
    }
    return total;
}

static bool truth(struct number n) {
    return n.real ? n.d != 0 : n.i != 0;
}

static struct number variable(int name, const struct scope *s) {
    if (name != VAR_F && name != VAR_S)
        return s->variables[name];
    int64_t local = s->variables[VAR_L].i, first = s->variables[VAR_I].i / local * local;
    int64_t rest = s->variables[VAR_G].i - first;
    return number_int(name == VAR_F ? first : rest < local ? rest : local);
}

struct number expr_eval(const struct expr *e, struct scope *s) {
    struct number n;
    switch (e->op) {
    case OP_NUMBER:
        return e->number;
    case OP_VARIABLE:
        return variable(e->variable, s);
    case OP_ELEMENT:
        return element(e, s);
    case OP_CAST:
        return cast(e->type, expr_eval(e->kid[0], s));
    case OP_NEGATE:
        return binary(OP_SUB, number_int(0), expr_eval(e->kid[0], s));
    case OP_COMPLEMENT:
        return number_int(~as_int(expr_eval(e->kid[0], s)));
    case OP_NOT:
        return number_int(!truth(expr_eval(e->kid[0], s)));
    case OP_CONDITION:
        return expr_eval(truth(expr_eval(e->kid[0], s)) ? e->kid[1] : e->kid[2], s);
    case OP_BOTH:
        return number_int(truth(expr_eval(e->kid[0], s)) && truth(expr_eval(e->kid[1], s)));
    case OP_EITHER:
        return number_int(truth(expr_eval(e->kid[0], s)) || truth(expr_eval(e->kid[1], s)));
    case OP_ABS:
        n = expr_eval(e->kid[0], s);
        return n.real ? number_real(fabs(n.d)) : number_int(n.i < 0 ? -n.i : n.i);
    case OP_SUM:
    case OP_MINOF:
    case OP_MAXOF:
        return fold(e, s);
    default:
        return binary(e->op, expr_eval(e->kid[0], s), expr_eval(e->kid[1], s));
    }
}

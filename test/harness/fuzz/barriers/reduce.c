/* reduce.c: drops statements and simplifies expressions of a failing program while it still fails. Every step leaves
 * a legal program: a part of a uniform expression is uniform, and a body may take the place of its `if`. */
#include "program.h"

struct reduction {
    struct program *program;
    bool (*fails)(void *);
    void *arg;
    bool progress;
};

static bool still(struct reduction *r) {
    if (!r->fails(r->arg))
        return false;
    r->progress = true;
    return true;
}

static void shrink_expr(struct reduction *r, struct expr **at) {
    struct expr *e = *at;
    if (!e || e->kind == E_CONSTANT)
        return;
    struct expr one = {.kind = E_CONSTANT, .n = 1}, saved = *e;
    for (uint32_t n = 0; n < 2; n++) {
        one.n = n;
        *e = one;
        if (still(r))
            return;
        *e = saved;
    }
    struct expr *parts[] = {e->a, e->b, e->c};
    for (int i = 0; i < 3; i++) {
        if (!parts[i])
            continue;
        *at = parts[i];
        if (still(r)) {
            shrink_expr(r, at);
            return;
        }
    }
    *at = e;
    shrink_expr(r, &e->a);
    shrink_expr(r, &e->b);
    shrink_expr(r, &e->c);
}

static void shrink_stmt(struct reduction *r, struct stmt **at) {
    struct stmt *s = *at, *next = s->next;
    for (int b = 0; b < 4 && (s->kind == S_IF || s->kind == S_SWITCH || s->kind == S_BLOCK); b++) {
        struct stmt *kid = s->kid[b];
        if (!kid || (s->kind == S_BLOCK && kid->next))
            continue;
        struct stmt *old = kid->next;
        kid->next = next;
        *at = kid;
        if (still(r)) {
            shrink_stmt(r, at);
            return;
        }
        kid->next = old;
        *at = s;
    }
    if (s->kind == S_IF && s->k & 1) {
        s->k &= ~1u;
        if (!still(r))
            s->k |= 1;
    }
    for (int b = 0; b < 4; b++) {
        if (!s->kid[b])
            continue;
        for (struct stmt **k = &s->kid[b]->kid[0]; s->kid[b]->kind == S_BLOCK && *k;) {
            struct stmt *dropped = *k;
            *k = dropped->next;
            if (!still(r)) {
                *k = dropped;
                k = &dropped->next;
            }
        }
        if (s->kind == S_BLOCK)
            for (struct stmt **k = &s->kid[b]; *k; k = &(*k)->next)
                shrink_stmt(r, k);
        else
            shrink_stmt(r, &s->kid[b]);
    }
    shrink_expr(r, &s->e);
    shrink_expr(r, &s->f);
}

static void drop_all(struct reduction *r, struct stmt *block) {
    for (struct stmt **k = &block->kid[0]; *k;) {
        struct stmt *dropped = *k;
        *k = dropped->next;
        if (!still(r)) {
            *k = dropped;
            k = &dropped->next;
        }
    }
}

void reduce(struct program *p, bool (*fails)(void *), void *arg) {
    struct reduction r = {p, fails, arg, true};
    struct stmt **roots[] = {&p->body, &p->tail, &p->items[0], &p->items[1], &p->helpers[0], &p->helpers[1]};
    while (r.progress) {
        r.progress = false;
        for (int i = 0; i < 6; i++)
            drop_all(&r, *roots[i]);
        for (int i = 0; i < 6; i++)
            for (struct stmt **k = &(*roots[i])->kid[0]; *k; k = &(*k)->next)
                shrink_stmt(&r, k);
    }
}

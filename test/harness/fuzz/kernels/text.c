/* text.c: what random kernels are made of: text, nodes of it, places, random numbers. */
#include "kernels.h"
#include "source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct making making;
static uint64_t random_state;

uint32_t kernels_roll(uint32_t n) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 33) % n;
}

static struct node nodes[4000];
static unsigned nodes_used;

struct node *node_new(const char *open, const char *close) {
    if (nodes_used == sizeof nodes / sizeof *nodes)
        abort();
    struct node *n = &nodes[nodes_used++];
    *n = (struct node){.open = open, .close = close};
    return n;
}

struct node *node_fixed(const char *text) {
    struct node *n = node_new(text, "");
    n->fixed = true;
    return n;
}

void node_add(struct node *to, struct node *kid) {
    struct node **at = &to->kid;
    while (*at)
        at = &(*at)->next;
    *at = kid;
}

struct type uint_type(void) {
    return (struct type){0, 1};
}

void place_add(struct places *p, struct type t, const char *text, bool uniform, bool written, bool shared) {
    if (p->n == sizeof p->place / sizeof *p->place)
        abort();
    p->place[p->n++] = (struct place){t, text, uniform, written, shared};
}

static char arena[1 << 22];
static size_t used;

char *text_of(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    char *text = arena + used;
    used += (size_t)vsnprintf(text, sizeof arena - used, format, ap) + 1;
    va_end(ap);
    if (used >= sizeof arena)
        abort();
    return text;
}

void kernels_forget(uint64_t seed) {
    used = nodes_used = 0;
    random_state = seed * 0x9e3779b97f4a7c15u + 1;
    for (int i = 0; i < 8; i++)
        kernels_roll(2);
}

static void write_node(const struct node *n) {
    for (; n; n = n->next) {
        if (n->off)
            continue;
        put("%s", n->open);
        write_node(n->kid);
        put("%s", n->close);
    }
}

const char *node_text(const struct node *n) {
    source_begin();
    write_node(n);
    return source_text();
}

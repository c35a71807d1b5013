/* simulate.c: what a kernel of races.h does wrong, and computes where that is nothing. The work-items of a group run one
 * after the other, from barrier to barrier. */
#include "races.h"
#include <string.h>

enum { MOST_ACCESSES = 1 << 16 };

struct cell {
    uint32_t value, interval; /* interval: between barriers that order its memory */
    uint32_t now;             /* the interval between any barriers */
    bool is_written, is_silent,
        was_silent;  /* silent: in the interval a store has changed nothing; or in any */
    bool is_missed;  /* its value counted before any was stored */
    unsigned wrongs; /* in the interval; GROUP_RACE: in any */
    /* A bit for each work-item since the last barrier, before it in the interval; a bit for each group. `adders`: atomically. */
    struct visitors {
        uint64_t readers, writers, adders;
    } now_by, before_by, groups;
    /* The same before a barrier of sub-groups, which orders them for their own sub-group; and before one whose flags leave the
     * memory out. */
    struct visitors now_apart, before_apart, unfenced;
    uint32_t subgroups_ordered, subgroups_passed;
};

struct machine {
    const struct races *r;
    struct truth *truth;
    struct cell cells[TILES][2 * MOST_SIZE]; /* by member */
    unsigned group, columns, first; /* columns: of this group; first: its first work-item in the launch */
    uint32_t interval, ordered[TILES], accesses; /* ordered: as of a cell's `interval` */
    uint32_t subgroups_passed,
        subgroups_ordered[TILES]; /* barriers of sub-groups, and those that order the memory */
    uint32_t names[MOST_ITEMS][NAMES];
};

static bool is_less(uint32_t a, uint32_t b, bool is_signed) {
    return is_signed ? (int32_t)a < (int32_t)b : a < b;
}

/* No kernel divides a negative number. */
static uint32_t eval(const struct term *e, const uint32_t *names, bool is_signed) {
    if (!*e->op)
        return e->is_name ? names[e->n] : e->n;
    uint32_t a = eval(e->a, names, is_signed), b = eval(e->b, names, is_signed);
    switch (e->op[0]) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    case '%':
        return a % b;
    case '^':
        return a ^ b;
    case '&':
        return e->op[1] ? a && b : a & b;
    case '|':
        return e->op[1] ? a || b : a | b;
    case '<':
        return e->op[1] ? !is_less(b, a, is_signed) : is_less(a, b, is_signed);
    case '>':
        return e->op[1] ? !is_less(a, b, is_signed) : is_less(b, a, is_signed);
    case '=':
        return a == b;
    default:
        return a != b;
    }
}

static uint32_t value_of(const struct machine *m, const struct term *e, unsigned item) {
    return eval(e, m->names[item], *m->r->type == 'i');
}

static void note(struct machine *m, struct cell *c, unsigned wrong) {
    c->wrongs |= wrong;
    m->truth->perhaps |= wrong;
}

/* Where a store changes nothing the checker may say nothing of it, and of what it takes the place of. */
static void settle(struct machine *m, struct cell *c) {
    m->truth->wrongs |= c->is_silent ? 0 : c->wrongs & ~(unsigned)GROUP_RACE;
    c->wrongs &= GROUP_RACE;
    c->is_silent = false;
}

static void settle_all(struct machine *m, unsigned tile) {
    for (unsigned at = 0; at < m->r->size[tile] * m->r->members; at++) {
        struct cell *c = &m->cells[tile][at];
        settle(m, c);
        m->truth->wrongs |= c->was_silent ? 0 : c->wrongs;
    }
}

static void add_visitors(struct visitors *to, struct visitors *from) {
    to->readers |= from->readers;
    to->writers |= from->writers;
    to->adders |= from->adders;
    *from = (struct visitors){0};
}

/* What barriers since its last access have made of the cell's visitors. */
static void pass_barriers(struct machine *m, struct cell *c, unsigned tile) {
    if (c->subgroups_ordered != m->subgroups_ordered[tile]) {
        add_visitors(&c->now_apart, &c->now_by);
        add_visitors(&c->now_apart, &c->unfenced);
        add_visitors(&c->before_apart, &c->before_by);
    } else if (c->subgroups_passed != m->subgroups_passed) {
        add_visitors(&c->unfenced, &c->now_by);
    }
    c->subgroups_ordered = m->subgroups_ordered[tile];
    c->subgroups_passed = m->subgroups_passed;
    if (c->now != m->interval) {
        add_visitors(&c->before_by, &c->now_by);
        add_visitors(&c->before_by, &c->unfenced);
        add_visitors(&c->before_apart, &c->now_apart);
    }
    c->now = m->interval;
}

/* The cell of this interval; NULL: it is beyond. */
static struct cell *enter(struct machine *m, unsigned tile, uint32_t at, unsigned member) {
    m->truth->is_long |= ++m->accesses > MOST_ACCESSES;
    if (at >= m->r->size[tile]) {
        m->truth->wrongs |= BEYOND;
        m->truth->perhaps |= BEYOND;
        return NULL;
    }
    struct cell *c = &m->cells[tile][at * m->r->members + member];
    if (c->interval != m->ordered[tile]) {
        settle(m, c);
        c->interval = m->ordered[tile];
        c->now_by = c->before_by = c->now_apart = c->before_apart = c->unfenced = (struct visitors){0};
        c->now = m->interval;
        c->subgroups_ordered = m->subgroups_ordered[tile];
        c->subgroups_passed = m->subgroups_passed;
    }
    pass_barriers(m, c, tile);
    return c;
}

/* Whether one of `others` is in conflict with it. */
static bool meets(const struct visitors *v, enum step_kind kind, uint64_t others) {
    return others & (kind == S_LOAD    ? v->writers | v->adders
                     : kind == S_STORE ? v->writers | v->adders | v->readers
                                       : v->writers | v->readers);
}

static void join(struct visitors *v, enum step_kind kind, unsigned own) {
    uint64_t *to = kind == S_LOAD ? &v->readers : kind == S_STORE ? &v->writers : &v->adders;
    *to |= UINT64_C(1) << own;
}

/* The work-item and the others of its sub-group, whose ids are in a row. */
static uint64_t subgroup_of(const struct machine *m, unsigned item) {
    const unsigned *local = m->r->local, size = m->r->subgroup ? m->r->subgroup : 1;
    unsigned own = (item / local[0] * m->columns + item % local[0]) / size;
    uint64_t all = 0;
    for (unsigned place = own * size; place < (own + 1) * size && place < m->columns * local[1]; place++)
        all |= UINT64_C(1) << (place / m->columns * local[0] + place % m->columns);
    return all;
}

/* Notes with whom an access, S_LOAD, S_STORE or S_ADD, is in no order. */
static void look(struct machine *m, struct cell *c, unsigned item, enum step_kind kind) {
    uint64_t others = ~(UINT64_C(1) << item), own = subgroup_of(m, item);
    if (meets(&c->now_by, kind, others) || meets(&c->now_apart, kind, ~own) ||
        meets(&c->unfenced, kind, ~own))
        note(m, c, DATA_RACE);
    if (meets(&c->before_by, kind, others) || meets(&c->before_apart, kind, ~own) ||
        meets(&c->unfenced, kind, own & others))
        note(m, c, NO_FENCE);
    if (meets(&c->groups, kind, ~(UINT64_C(1) << m->group)))
        note(m, c, GROUP_RACE);
    join(&c->now_by, kind, item);
    join(&c->groups, kind, m->group);
}

static bool load(struct machine *m, unsigned item, unsigned tile, uint32_t at, unsigned member,
                 uint32_t *value) {
    struct cell *c = enter(m, tile, at, member);
    *value = c ? c->value : 0;
    if (!c)
        return true;
    look(m, c, item, S_LOAD);
    return c->is_written;
}

static void note_unwritten(struct machine *m, unsigned tile, uint32_t at, unsigned member) {
    m->cells[tile][at * m->r->members + member].is_missed = true;
    m->truth->perhaps |= UNWRITTEN;
}

/* The checker asks whether any byte of a word of four has been written, also by work-items that come first in the same interval. So
 * it surely tells of bytes and shorts only where none ever writes one of the word. */
static void find_unwritten(struct machine *m, unsigned tile) {
    unsigned in_word = 4 / elements_of[m->r->element].bytes;
    const struct cell *cells = m->cells[tile];
    for (uint32_t at = 0; at < m->r->size[tile] * m->r->members; at++) {
        bool is_in_part = false;
        for (uint32_t i = at / in_word * in_word; i < (at / in_word + 1) * in_word; i++)
            is_in_part |= in_word > 1 && cells[i].is_written;
        m->truth->wrongs |= cells[at].is_missed && !is_in_part ? UNWRITTEN : 0;
    }
}

static void store(struct machine *m, unsigned item, unsigned tile, uint32_t at, unsigned member,
                  uint32_t value, bool is_written) {
    struct cell *c = enter(m, tile, at, member);
    unsigned bytes = elements_of[m->r->element].bytes;
    value = bytes == 4 ? value : bytes == 2 ? (uint32_t)(int16_t)value : (uint8_t)value;
    if (!c)
        return;
    c->is_silent |= c->value == value;
    c->was_silent |= c->is_silent;
    look(m, c, item, S_STORE);
    c->value = value;
    c->is_written = is_written;
}

static void add(struct machine *m, unsigned item, unsigned tile, uint32_t at, unsigned member,
                uint32_t value) {
    struct cell *c = enter(m, tile, at, member);
    if (!c)
        return;
    look(m, c, item, S_ADD);
    c->value += value;
}

static bool has_barrier(const struct step *s) {
    for (; s; s = s->next)
        if (!s->gone && (s->kind == S_BARRIER || has_barrier(s->kid[0]) || has_barrier(s->kid[1])))
            return true;
    return false;
}

static void run_item(struct machine *m, const struct step *s, unsigned item) {
    uint32_t *counter, *names = m->names[item], value = 0;
    for (; s && !m->truth->is_long; s = s->next) {
        if (s->gone)
            continue;
        switch (s->kind) {
        case S_STORE:
            for (uint32_t k = 0; k < s->width; k++)
                store(m, item, s->tile, value_of(m, s->at, item) + k, s->member, s->n * MOST_ITEMS + item + k,
                      true);
            break;
        case S_ADD:
            add(m, item, s->tile, value_of(m, s->at, item), s->member, s->n * MOST_ITEMS + item);
            break;
        case S_UPDATE: {
            bool is_written = load(m, item, s->tile, value_of(m, s->from, item), s->from_member, &value);
            store(m, item, s->tile, value_of(m, s->at, item), s->member, s->n * MOST_ITEMS + item + value,
                  is_written);
            break;
        }
        case S_LOAD:
            for (uint32_t k = 0; k < s->width; k++) {
                if (!load(m, item, s->tile, value_of(m, s->at, item) + k, s->member, &value))
                    note_unwritten(m, s->tile, value_of(m, s->at, item) + k, s->member);
                m->truth->sums[m->first + names[N_X] + names[N_Y] * m->r->global] += value;
            }
            break;
        case S_IF:
            run_item(m, s->kid[!value_of(m, s->at, item)], item);
            break;
        case S_FOR:
            counter = &names[N_COUNTER + s->n];
            for (*counter = value_of(m, s->from, item); value_of(m, s->while_, item) && !m->truth->is_long;
                 *counter = value_of(m, s->then, item)) {
                m->truth->is_long |= ++m->accesses > MOST_ACCESSES;
                run_item(m, s->kid[0], item);
            }
            break;
        case S_BARRIER:
            break;
        }
    }
}

/* Whether the group, which may be a short one, has it. */
static bool is_there(const struct machine *m, unsigned item) {
    return item % m->r->local[0] < m->columns;
}

static void set_counter(struct machine *m, const struct step *s, const struct term *to) {
    for (unsigned item = 0; item < m->r->local[0] * m->r->local[1]; item++)
        m->names[item][N_COUNTER + s->n] = value_of(m, to, item);
}

static void pass_subgroup_barrier(struct machine *m, unsigned flags) {
    m->subgroups_passed++;
    for (unsigned tile = 0; tile < TILES; tile++)
        m->subgroups_ordered[tile] += (flags & (tile == IN_GLOBAL ? FENCE_GLOBAL : FENCE_LOCAL)) != 0;
}

static void pass_barrier(struct machine *m, unsigned flags) {
    m->interval++;
    for (unsigned tile = 0; tile < TILES; tile++)
        m->ordered[tile] += (flags & (tile == IN_GLOBAL ? FENCE_GLOBAL : FENCE_LOCAL)) != 0;
}

static void run_group(struct machine *m, const struct step *s) {
    for (; s; s = s->next) {
        struct step one = *s;
        one.next = NULL;
        if (s->gone)
            continue;
        if (s->kind == S_BARRIER) {
            (s->is_of_subgroup ? pass_subgroup_barrier : pass_barrier)(m, s->n);
        } else if (s->kind == S_FOR && has_barrier(&one)) {
            for (set_counter(m, s, s->from); value_of(m, s->while_, 0) && !m->truth->is_long;
                 set_counter(m, s, s->then)) {
                m->truth->is_long |= ++m->accesses > MOST_ACCESSES;
                run_group(m, s->kid[0]);
            }
        } else {
            for (unsigned item = 0; item < m->r->local[0] * m->r->local[1]; item++)
                if (is_there(m, item))
                    run_item(m, &one, item);
        }
    }
}

void races_simulate(const struct races *r, struct truth *truth) {
    static struct machine machine;
    struct machine *m = &machine;
    memset(m, 0, sizeof *m);
    memset(truth, 0, sizeof *truth);
    m->r = r;
    m->truth = truth;
    for (unsigned at = 0; at < r->size[IN_GLOBAL] * r->members; at++)
        m->cells[IN_GLOBAL][at].is_written = true;
    for (m->first = 0; m->first < r->global; m->first += r->local[0], m->group++) {
        unsigned left = r->global - m->first;
        m->columns = left < r->local[0] ? left : r->local[0];
        pass_barrier(m, FENCE_LOCAL | FENCE_GLOBAL);
        memset(m->cells[IN_LOCAL], 0, sizeof m->cells[IN_LOCAL]);
        memset(m->cells[IN_OTHER], 0, sizeof m->cells[IN_OTHER]);
        for (unsigned item = 0; item < r->local[0] * r->local[1]; item++) {
            uint32_t names[] = {item, item % r->local[0], item / r->local[0], m->group, r->argument};
            memcpy(m->names[item], names, sizeof names);
        }
        run_group(m, r->body);
        for (unsigned tile = IN_LOCAL; tile <= IN_OTHER; tile += IN_OTHER - IN_LOCAL) {
            settle_all(m, tile);
            find_unwritten(m, tile);
        }
    }
    settle_all(m, IN_GLOBAL);
}

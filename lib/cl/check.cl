/* check.cl: what a checked kernel does at each access and barrier (kc/lower/instrument.c puts the calls in).
 *
 * In: the address as a number, its site, what the access is. The quick way, which becomes code of packs like any other:
 * the site's object is known, the access lies in it, and nobody else of this launch has touched the cells without a barrier
 * between; then the cells say who was here. All else is decided and reported by src/check, lane by lane.
 * Of lanes that meet in one cell the last one stays: the others see that after their store, and say so. */
#include "weir.h"

#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

typedef void access_fn(ulong worker, ulong p, ulong bytes, uint site, uint what, uint item, ulong value, ulong more);

OVERLOAD void __weir_lane_check(ulong f, ulong worker, ulong p, ulong bytes, uint site, uint what, uint item, ulong value,
                                ulong more) {
    ((access_fn *)f)(worker, p, bytes, site, what, item, value, more);
}

static global struct weir_check *state(void) {
    return (global struct weir_check *)(ulong)__weir_worker()->check;
}

static void slow(ulong p, uint site, uint what, ulong bytes, ulong value, ulong more) {
    __weir_lane_check(state()->access, (ulong)__weir_worker(), p, bytes, site, what, (uint)get_local_linear_id(), value, more);
}

static ulong me(uint bytes) {
    return state()->now | get_local_linear_id() << WEIR_CELL_ITEM_SHIFT | bytes;
}

OVERLOAD uint get_sub_group_id(void);
OVERLOAD uint get_sub_group_size(void);

#define CELLS(T, address) ((global loose_##T *)(address))
/* Cells lie at the multiples of their size, groups of them don't. */
typedef ulong loose_ulong;
typedef uint loose_uint;
typedef ushort loose_ushort;
typedef ulong2 loose_ulong2 __attribute__((aligned(8)));
typedef ulong4 loose_ulong4 __attribute__((aligned(8)));
typedef uint2 loose_uint2 __attribute__((aligned(4)));
typedef uint4 loose_uint4 __attribute__((aligned(4)));

/* In kernels with barriers of sub-groups: whether a cell is of this work-item's, and what those barriers have ordered. */
#define IN_SUB_GROUP(T, L)                                                                                   \
    static OVERLOAD L in_sub_group(T cell) {                                                                 \
        ulong first = get_local_linear_id() - __weir_sub_lane();                                             \
        T item = (cell & WEIR_CELL_ITEM) >> WEIR_CELL_ITEM_SHIFT;                                            \
        return (L)(item - first < get_sub_group_size()) | (L)((cell & WEIR_CELL_ITEM) == several_here());    \
    }                                                                                                        \
    static OVERLOAD L is_behind_sub_barrier(T cell, uint space) {                                            \
        ulong covered = CELLS(ulong, state()->subgroups)[get_sub_group_id() * 2 + (space & 1)];              \
        return in_sub_group(cell) & (L)(cell - state()->base < covered);                                     \
    }
static ulong several_here(void) {
    return WEIR_CELL_SOME | (ulong)get_sub_group_id() << WEIR_CELL_ITEM_SHIFT;
}
IN_SUB_GROUP(ulong2, long2)
IN_SUB_GROUP(ulong4, long4)
static OVERLOAD bool in_sub_group(ulong cell) {
    ulong first = get_local_linear_id() - __weir_sub_lane(), item = (cell & WEIR_CELL_ITEM) >> WEIR_CELL_ITEM_SHIFT;
    return item - first < get_sub_group_size() || (cell & WEIR_CELL_ITEM) == several_here();
}
static OVERLOAD bool is_behind_sub_barrier(ulong cell, uint space) {
    ulong covered = CELLS(ulong, state()->subgroups)[get_sub_group_id() * 2 + (space & 1)];
    return in_sub_group(cell) && cell - state()->base < covered;
}

/* Of cells and who comes now: without a barrier between, by another work-item, in the same bytes. */
#define CONFLICTS(T, L)                                                                                      \
    static OVERLOAD L conflicts(T cell, T now, uint space) {                                                 \
        global struct weir_check *c = state();                                                               \
        L unordered = (cell >= c->low[space & 1]) & ~((cell - c->base) < c->covered[space & 1]);             \
        L other = ((cell ^ now) & (WEIR_CELL_GROUP | WEIR_CELL_ITEM)) != 0;                                  \
        L overlap = (cell & now & WEIR_CELL_BYTES) != 0;                                                     \
        if (space & WEIR_SPACE_SUBGROUPS) {                                                                  \
            unordered &= ~is_behind_sub_barrier(cell, space);                                                \
        }                                                                                                    \
        return unordered & other & overlap;                                                                  \
    }
/* What a cell has when another work-item of the group has read it, too. */
#define READ_BY_SEVERAL(T, L)                                                                                \
    static OVERLOAD T read_by_several(T cell, uint space) {                                                  \
        T many = (T)(state()->now | WEIR_CELL_MANY);                                                         \
        if (space & WEIR_SPACE_SUBGROUPS) {                                                                  \
            many = in_sub_group(cell) ? (T)(state()->now | several_here()) : many;                           \
        }                                                                                                    \
        return many;                                                                                         \
    }
#define IS_SAME_GROUP(T, L)                                                                                  \
    static OVERLOAD L is_same_group(T cell, T now) {                                                         \
        return (cell & WEIR_CELL_GROUP) == (now & WEIR_CELL_GROUP);                                          \
    }

static OVERLOAD long conflicts(ulong cell, ulong now, uint space) {
    global struct weir_check *c = state();
    bool unordered = cell >= c->low[space & 1] && !(cell - c->base < c->covered[space & 1]);
    bool other = ((cell ^ now) & (WEIR_CELL_GROUP | WEIR_CELL_ITEM)) != 0;
    if (space & WEIR_SPACE_SUBGROUPS) {
        unordered = unordered && !is_behind_sub_barrier(cell, space);
    }
    return unordered && other && (cell & now & WEIR_CELL_BYTES) ? -1 : 0;
}
static OVERLOAD long is_same_group(ulong cell, ulong now) {
    return (cell & WEIR_CELL_GROUP) == (now & WEIR_CELL_GROUP) ? -1 : 0;
}
static OVERLOAD bool any_of(long x) {
    return x != 0;
}
static OVERLOAD bool any_of(int x) {
    return x != 0;
}
static OVERLOAD bool any_of(long2 x) {
    return (x.x | x.y) != 0;
}
static OVERLOAD bool any_of(long4 x) {
    return (x.x | x.y | x.z | x.w) != 0;
}
CONFLICTS(ulong2, long2)
CONFLICTS(ulong4, long4)
IS_SAME_GROUP(ulong2, long2)
IS_SAME_GROUP(ulong4, long4)
READ_BY_SEVERAL(ulong, long)
READ_BY_SEVERAL(ulong2, long2)
READ_BY_SEVERAL(ulong4, long4)

/* Who reads now, where `r` read before. */
#define READER(T, L)                                                                                         \
    static OVERLOAD T reader(T r, T now, uint space) {                                                       \
        L crowd = conflicts(r, now, space);                                                                  \
        T both = r & now & WEIR_CELL_BYTES;                                                                  \
        T many = is_same_group(r, now) ? read_by_several(r, space) : (T)(state()->several);                  \
        return crowd ? many | both : now;                                                                    \
    }
READER(ulong, long)
READER(ulong2, long2)
READER(ulong4, long4)

/* Accesses of whole cells: N bytes, T cells, S their sites. */
#define WHOLE_CELLS(N, T, S)                                                                                 \
    void __weir_check_read_##N(ulong p, uint site, uint space) {                                             \
        __constant struct weir_object *o = __weir_worker()->objects + site;                                  \
        ulong offset = p - o->start;                                                                         \
        bool quick = offset < o->size && o->size - offset >= N && !(p & 3), odd = true;                      \
        T now = me(15);                                                                                      \
        if (quick) {                                                                                         \
            odd = any_of(conflicts(*CELLS(T, o->writers + offset * 2), now, space));                         \
        }                                                                                                    \
        if (odd) {                                                                                           \
            slow(p, site, quick ? WEIR_SITE_READ : WEIR_SITE_READ | WEIR_CHECK_WHOLE, N, 0, 0);                         \
        }                                                                                                    \
        if (quick) {                                                                                         \
            global loose_##T *r = CELLS(T, o->readers + offset * 2);                                                 \
            T mine = reader(*r, now, space);                                                                 \
            *r = mine;                                                                                       \
            global loose_##S *at = CELLS(S, o->sites + offset);                                                      \
            *at = (*at & 0xffff) | site << 16;                                                               \
            T last = *r;                                                                                     \
            if (any_of(last != mine)) { /* several lanes */                                                  \
                *r = last != mine ? read_by_several(last, space) | 15 : mine;                                \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    void __weir_check_write_##N(ulong p, uint site, uint space, ulong value, ulong more) {                   \
        __constant struct weir_object *o = __weir_worker()->objects + site;                                  \
        ulong offset = p - o->start;                                                                         \
        bool quick = offset < o->size && o->size - offset >= N && !(p & 3), odd = true;                      \
        T now = me(15);                                                                                      \
        if (quick) {                                                                                         \
            odd = any_of(conflicts(*CELLS(T, o->writers + offset * 2), now, space) |                         \
                         conflicts(*CELLS(T, o->readers + offset * 2), now, space));                         \
        }                                                                                                    \
        if (odd) {                                                                                           \
            slow(p, site, quick ? WEIR_SITE_WRITE : WEIR_SITE_WRITE | WEIR_CHECK_WHOLE, N, value, more);                \
        }                                                                                                    \
        if (quick) {                                                                                         \
            *CELLS(T, o->writers + offset * 2) = now;                                                        \
            global loose_##S *at = CELLS(S, o->sites + offset);                                                      \
            *at = (*at & 0xffff0000) | site;                                                                 \
        }                                                                                                    \
    }                                                                                                        \
    void __weir_check_wrote_##N(ulong p, uint site, uint space, ulong value, ulong more) {                   \
        __constant struct weir_object *o = __weir_worker()->objects + site;                                  \
        ulong offset = p - o->start;                                                                         \
        if (offset < o->size && o->size - offset >= N && !(p & 3) &&                                         \
            any_of(*CELLS(T, o->writers + offset * 2) != (T)me(15))) {                                       \
            slow(p, site, WEIR_SITE_WRITE | WEIR_CHECK_COLLISION, N, value, more);                                      \
        }                                                                                                    \
    }
WHOLE_CELLS(4, ulong, uint)
WHOLE_CELLS(8, ulong2, uint2)
WHOLE_CELLS(16, ulong4, uint4)

/* Accesses of a part of a cell. Of its readers the last one is known, or what several have read. */
#define PART(N)                                                                                              \
    void __weir_check_read_##N(ulong p, uint site, uint space) {                                             \
        __constant struct weir_object *o = __weir_worker()->objects + site;                                  \
        ulong offset = p - o->start;                                                                         \
        bool quick = offset < o->size && o->size - offset >= N && !(p & (N - 1)), odd = true;                \
        ulong now = me(((1 << N) - 1) << (p & 3)), cell = offset & ~3ul;                                     \
        if (quick) {                                                                                         \
            odd = conflicts(*CELLS(ulong, o->writers + cell * 2), now, space);                               \
        }                                                                                                    \
        if (odd) {                                                                                           \
            slow(p, site, quick ? WEIR_SITE_READ : WEIR_SITE_READ | WEIR_CHECK_WHOLE, N, 0, 0);                         \
        }                                                                                                    \
        if (quick) {                                                                                         \
            global ulong *r = CELLS(ulong, o->readers + cell * 2);                                           \
            *r = reader(*r, now, space);                                                                     \
            CELLS(ushort, o->sites + cell)[1] = (ushort)site;                                                \
        }                                                                                                    \
    }                                                                                                        \
    void __weir_check_write_##N(ulong p, uint site, uint space, ulong value, ulong more) {                   \
        __constant struct weir_object *o = __weir_worker()->objects + site;                                  \
        ulong offset = p - o->start;                                                                         \
        bool quick = offset < o->size && o->size - offset >= N && !(p & (N - 1)), odd = true;                \
        ulong now = me(((1 << N) - 1) << (p & 3)), cell = offset & ~3ul;                                     \
        if (quick) {                                                                                         \
            odd = conflicts(*CELLS(ulong, o->writers + cell * 2), now, space) |                              \
                  conflicts(*CELLS(ulong, o->readers + cell * 2), now, space);                               \
        }                                                                                                    \
        if (odd) {                                                                                           \
            slow(p, site, quick ? WEIR_SITE_WRITE : WEIR_SITE_WRITE | WEIR_CHECK_WHOLE, N, value, more);                \
        }                                                                                                    \
        if (quick) {                                                                                         \
            *CELLS(ulong, o->writers + cell * 2) = now;                                                      \
            *CELLS(ushort, o->sites + cell) = (ushort)site;                                                  \
        }                                                                                                    \
    }                                                                                                        \
    void __weir_check_wrote_##N(ulong p, uint site, uint space, ulong value, ulong more) {                   \
        __constant struct weir_object *o = __weir_worker()->objects + site;                                  \
        ulong offset = p - o->start, now = me(((1 << N) - 1) << (p & 3));                                    \
        if (offset < o->size && o->size - offset >= N && !(p & (N - 1))) {                                   \
            ulong last = *CELLS(ulong, o->writers + (offset & ~3ul) * 2);                                    \
            if (((last ^ now) & WEIR_CELL_ITEM) && (last & now & WEIR_CELL_BYTES)) {                         \
                slow(p, site, WEIR_SITE_WRITE | WEIR_CHECK_COLLISION, N, value, more);                                  \
            }                                                                                                \
        }                                                                                                    \
    }
PART(1)
PART(2)

void __weir_check_atomic(ulong p, uint site, uint how, uint bytes) {
    slow(p, site, WEIR_SITE_ATOMIC | WEIR_CHECK_WHOLE, bytes, how, 0);
}

void __weir_check_acquired(ulong p, uint site, uint how, uint bytes) {
    slow(p, site, WEIR_SITE_ATOMIC, bytes, how, 0);
}

/* Any bytes anywhere. */
void __weir_check_range(ulong p, uint site, uint what, ulong bytes) {
    slow(p, site, what | WEIR_CHECK_WHOLE, bytes, 0, 0);
}

/* A work-item comes to a barrier; `rounds` tells the iterations of the loops around it apart. */
void __weir_check_arrive(uint site, uint flags, uint scope, uint rounds) {
    global struct weir_check *c = state();
    ulong interval = c->interval & 0x3ff;
    CELLS(ulong, c->arrivals)[get_local_linear_id()] =
        (ulong)rounds << 32 | (ulong)(flags & 7) << 29 | (ulong)(scope & 7) << 26 | interval << 16 | site;
}

/* Work-items of a sub-group come to its barrier, or to a function that all of them must come to (`what`: the site's kind).
 * One of them tells the runtime: which ones are here, and the first whose flags or scope differ. */
void __weir_check_subgroup(uint site, uint what, uint flags, uint scope) {
    uint mine = (flags & 7) | (scope & 7) << 3, size = get_sub_group_size();
    ulong here = __weir_sub_ballot(1), differ = __weir_sub_ballot(mine != __weir_sub_first_uint(mine));
    uint other = differ ? (uint)__builtin_ctzl(differ) : 0, theirs = __weir_sub_shuffle_uint(mine, other);
    bool odd = here != ~0ul >> (64 - size) || differ || state()->apart;
    if ((odd || what == WEIR_SITE_BARRIER) && __weir_sub_lane() == (uint)__builtin_ctzl(here)) {
        slow(here, site, what, size, mine | (ulong)theirs << 8, differ ? other : 64);
    }
}

/* In a loop that waits: a round, with what it carries, or what was read or written at `p`. */
void __weir_check_watch(ulong p, uint site, uint what, ulong value) {
    slow(p, site, WEIR_SITE_WATCH | what << 8, 1, value, 0);
}

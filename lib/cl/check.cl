/* check.cl: what a checked kernel does at atomics, copies and barriers (kc/lower/instrument.c puts the calls in).
 *
 * In: the address as a number, its site, what the access is. It is decided and reported by src/check, lane by lane;
 * accesses of packs by kc/vector/checks.c and src/check/pack.c. */
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

OVERLOAD uint get_sub_group_size(void);

#define CELLS(T, address) ((global T *)(address))

typedef ulong2 loose_ulong2 __attribute__((aligned(8)));
typedef ulong4 loose_ulong4 __attribute__((aligned(8)));

/* Whether the cell's last writer, since the last barrier, has stored there what nobody has written. */
static bool is_tainted(ulong cell) {
    uint site = CELLS(uint, state()->tainted)[cell], two = CELLS(uint, state()->local_sites)[cell / 2];
    return site && site == (two >> (cell & 1) * 16 & 0xffff);
}

static uint2 tainted_8(ulong cell) {
    return (uint2)(-is_tainted(cell), -is_tainted(cell + 1));
}

static uint4 tainted_16(ulong cell) {
    return (uint4)(tainted_8(cell), tainted_8(cell + 2));
}

static uint read_here(uint site) {
    return WEIR_ORIGIN(site, state()->interval, 0);
}

static uint at_most(ulong cell, uint most) {
    return cell < most ? (uint)cell : most;
}

/* The origin of each cell's contents: 0 if this group has written it (abi.h: WEIR_USE_*). Where the address lies at a
 * cell's start, the cell's is a multiple of its offset, so that a pack's cells are known to be a row where its addresses are.
 * taints, a constant: the kernel may store such contents to local memory. */
#define ORIGIN(N, T, S, L, count)                                                                            \
    S __weir_check_origin_##N(ulong p, uint site, uint taints) {                                             \
        ulong offset = p - __weir_worker()->local_memory, cell = offset / 4;                                 \
        if (offset >= __weir_worker()->local_bytes || offset & 3) {                                          \
            return 0;                                                                                        \
        }                                                                                                    \
        S unwritten = __builtin_convertvector(*CELLS(loose_##T, state()->local_cells + offset * 2) < state()->began, L); \
        if (taints && state()->tainted) {                                                                    \
            unwritten |= tainted_##N(cell);                                                                  \
        }                                                                                                    \
        return unwritten & ((S)count + (read_here(site) | at_most(cell, WEIR_ORIGIN_ANY - 3)));             \
    }
ORIGIN(8, ulong2, uint2, uint2, (0, 1))
ORIGIN(16, ulong4, uint4, uint4, (0, 1, 2, 3))

static uint origin_in(ulong offset, ulong cell, uint site, uint taints) {
    bool unwritten = *(global ulong *)(CELLS(char, state()->local_cells) + cell) < state()->began;
    if (taints && state()->tainted) {
        unwritten |= is_tainted(cell / 8);
    }
    uint number = (uint)offset / 4;
    return unwritten ? read_here(site) | at_most(number, WEIR_ORIGIN_ANY) : 0;
}

/* At a multiple of 4, or else misaligned, which is an error of its own. */
uint __weir_check_origin_4(ulong p, uint site, uint taints) {
    ulong offset = p - __weir_worker()->local_memory;
    return offset < __weir_worker()->local_bytes && !(offset & 3) ? origin_in(offset, offset * 2, site, taints) : 0;
}

/* Of an access that may lie anywhere, as one of bytes. */
uint __weir_check_origin_any(ulong p, uint site, uint taints) {
    ulong offset = p - __weir_worker()->local_memory;
    return offset < __weir_worker()->local_bytes ? origin_in(offset, offset / 4 * 8, site, taints) : 0;
}

static bool is_there(uint lane) {
    ulong here = __weir_sub_ballot(1); /* asked by all of them */
    return lane < 64 && here >> lane & 1;
}

/* The origin of a value of lane `lane`, if that is there. */
uint __weir_check_shuffled(uint origin, uint lane) {
    uint theirs = __weir_sub_shuffle_uint(origin, lane);
    return is_there(lane) ? theirs : 0;
}

/* The same if it isn't. */
uint __weir_check_absent(uint lane, uint site) {
    return is_there(lane) ? 0 : WEIR_ORIGIN(site, 0, at_most(lane, WEIR_ORIGIN_ANY));
}

uint __weir_check_first(uint origin) {
    return __weir_sub_first_uint(origin);
}

/* Of what reductions and scans make. */
uint __weir_check_reduced(uint origin) {
    return __weir_sub_reduce_umax_uint(origin);
}

uint __weir_check_scanned(uint origin) {
    return __weir_sub_scan_umax_uint(origin);
}

uint __weir_check_before(uint origin) {
    return __weir_sub_before_umax_uint(origin);
}

uint __weir_check_clustered(uint origin, uint size) {
    return __weir_sub_cluster_umax_uint(origin, size);
}

/* The same of a work-group, behind the value that its function hands on (collective.cl). */
static local uint *handed_on(void) {
    return (local uint *)__weir_scratch() + 2;
}

uint __weir_check_total(uint origin, int is_first) {
    return __weir_sub_total_umax_uint(handed_on(), origin, is_first);
}

void __weir_check_left(uint origin) {
    *handed_on() = origin;
}

uint __weir_check_met(void) {
    return *handed_on();
}

/* A branch, an address or global memory depends on a value of this origin. */
void __weir_check_used(uint origin, uint site, uint how) {
    if (origin) {
        slow(origin, site, WEIR_SITE_USE, 4, how, 0);
    }
}

/* A value of this origin has been stored to local memory; `site` is of such stores alone. */
void __weir_check_unwrite(uint origin, ulong p, ulong bytes, uint site) {
    if (origin) {
        slow(p, site, WEIR_SITE_UNWRITE, bytes, origin, 0);
    }
}

/* Whether several work-items' atomics of that site have been the last to write the word of local memory, since the last barrier, and
 * their scopes reach the group: then another one has nothing to find there, and nothing to enter. */
static bool is_counted(ulong p, uint site) {
    ulong offset = p - __weir_worker()->local_memory, cell = offset / 4;
    if (offset >= __weir_worker()->local_bytes || offset & 3) {
        return false;
    }
    ulong counted = state()->now | WEIR_CELL_MANY | WEIR_CELL_ATOMIC | WEIR_CELL_BYTES;
    uint two = CELLS(uint, state()->local_sites)[cell / 2];
    return *(global ulong *)(CELLS(char, state()->local_cells) + cell * 8) == counted &&
           (two >> (cell & 1) * 16 & 0xffff) == site;
}

/* `how`: WEIR_ATOMIC_*; `sync`: its memory_order and its memory_scope << 8, and more (kc/lower/instrument_sync.c). */
void __weir_check_atomic(ulong p, uint site, uint how, uint bytes, uint sync) {
    uint order = sync & 0xff, scope = sync >> 8 & 0xff;
    bool is_relaxed = order == WEIR_ORDER_UNKNOWN ? !(how & (WEIR_ATOMIC_ACQUIRES | WEIR_ATOMIC_RELEASES)) : !order;
    bool is_wide = scope == memory_scope_work_group || scope == memory_scope_device ||
                   scope == memory_scope_all_svm_devices || scope == WEIR_SCOPE_LEGACY;
    if (bytes == 4 && is_relaxed && is_wide && how & WEIR_ATOMIC_WRITES && !(how & WEIR_ATOMIC_FENCED) &&
        is_counted(p, site)) {
        return;
    }
    slow(p, site, WEIR_SITE_ATOMIC | WEIR_CHECK_WHOLE, bytes, how | (ulong)sync << 8, 0);
}

void __weir_check_was_run(ulong p, uint site, uint how, uint bytes, uint sync) {
    uint order = sync & 0xff;
    bool acquires = order == WEIR_ORDER_UNKNOWN ? how & WEIR_ATOMIC_ACQUIRES : order != 0 && order != 3;
    if (acquires || how & WEIR_ATOMIC_FENCED) {
        slow(p, site, WEIR_SITE_ATOMIC, bytes, how | (ulong)sync << 8, 0);
    }
}

void __weir_check_fence(uint site, uint flags, uint order, uint scope) {
    slow(1, site, WEIR_SITE_FENCE, 1, (flags & 7) | order << 8 | scope << 16, 0);
}

/* Any bytes anywhere. */
void __weir_check_range(ulong p, uint site, uint what, ulong bytes) {
    slow(p, site, what | WEIR_CHECK_WHOLE, bytes, 0, 0);
}

/* An access of a variable of `size` bytes that the compiler knows. */
void __weir_check_extent(ulong offset, ulong size, ulong bytes, uint site) {
    if (offset > size || size - offset < bytes) {
        slow(offset, site, WEIR_SITE_EXTENT, bytes, 0, 0);
    }
}

/* Coordinates of a texel, from a function that knows no sampler. */
void __weir_check_texel(ulong image, int x, int y, int z, int lod, uint what, uint site) {
    __constant struct weir_image *o = (__constant struct weir_image *)(image & ((1UL << WEIR_IMAGE_ADDRESS_BITS) - 1));
    __constant struct weir_image_level *level = o->level + ((uint)lod < o->levels ? lod : 0);
    uint dims = what & WEIR_TEXEL_DIMS, layer = what & WEIR_TEXEL_ARRAY ? (uint)(dims > 1 ? z : y) : 0;
    bool inside = (uint)lod < o->levels && (uint)x < level->width && (dims < 2 || (uint)y < level->height) &&
                  (dims < 3 || (uint)z < level->depth) && layer < level->array;
    if (!inside) {
        slow((uint)x | (ulong)(uint)y << 32, site, WEIR_SITE_TEXEL, what, (uint)z | (ulong)(uint)lod << 32, (ulong)o);
    }
}

/* A call of an asynchronous copy; gives its event. */
ulong __weir_check_async(ulong to, ulong from, ulong bytes, ulong lines, ulong planes, ulong to_line, ulong to_plane,
                         ulong from_line, ulong from_plane, ulong event, uint site, uint from_site) {
    struct weir_copy copy = {to, from, bytes, lines, planes, to_line, to_plane, from_line, from_plane, event};
    slow((ulong)&copy, site, WEIR_SITE_COPY, 1, from_site, 0);
    return copy.event;
}

void __weir_check_async_wait(ulong event, uint site) {
    slow(event, site, WEIR_SITE_WAIT, 1, 0, 0);
}

void __weir_check_arrived(ulong at, ulong interval, uint what, uint rounds); /* kc/wg/arrivals.c */

/* A work-item comes to a barrier; `rounds` tells the iterations of the loops around it apart. */
void __weir_check_arrive(uint site, uint flags, uint scope, uint rounds) {
    global struct weir_check *c = state();
    __weir_check_arrived(c->arrivals + 8 * get_local_linear_id(), c->interval & 0x3ff, (flags & 7) << 29 | (scope & 7) << 26 | site,
                         rounds);
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

/* The lane that all of the sub-group are to get a value of. */
void __weir_check_broadcast(uint site, uint lane) {
    uint size = get_sub_group_size();
    ulong here = __weir_sub_ballot(1), differ = __weir_sub_ballot(lane != __weir_sub_first_uint(lane));
    if ((differ || lane >= size) && __weir_sub_lane() == (uint)__builtin_ctzl(here)) {
        slow(size, site, WEIR_SITE_LANE, 1, lane, differ ? (ulong)__builtin_ctzl(differ) : 64);
    }
}

/* Of work_group_broadcast: local ids of the work-item that it names, 10 bits each, the last one lowest. */
void __weir_check_named(uint item, uint ids, uint site) {
    bool absent = false;
    for (uint d = ids, rest = item; d > 0; d--, rest >>= 10) {
        absent |= (rest & 1023) >= get_local_size(d - 1);
    }
    if (absent) {
        slow(item, site, WEIR_SITE_NAMED, 1, ids, 0);
    }
}

/* A call through a pointer to a function; the first one has the number 16 (kc/frontend/indirect_calls.c). */
void __weir_check_call(uint pointer, uint site) {
    if (pointer < 16) {
        slow(pointer, site, WEIR_SITE_CALL, 1, 0, 0);
    }
}

/* In a loop that waits: a round, with what it carries, or what was read or written at `p`. */
void __weir_check_watch(ulong p, uint site, uint what, ulong value) {
    slow(p, site, WEIR_SITE_WATCH | what << 8, 1, value, 0);
}

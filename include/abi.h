/* abi.h: the contract between the runtime (libweir.so) and the kernel objects that weirc emits.
 *
 * Read by the runtime (C), by the compiler, which builds the same layouts in LLVM IR (kc/lower, kc/ir/kernel.c), and by
 * the built-in library (OpenCL C, lib/cl). Any change of a layout or of a meaning bumps WEIR_ABI_VERSION,
 * which is part of every cache key and checked when an object is loaded.
 *
 * A kernel object is an ELF shared object that exports one symbol, WEIR_KERNEL_SYMBOL (a struct weir_kernel), or, for
 * program-scope variables, WEIR_GLOBALS_SYMBOL. It needs no other object as a rule, and otherwise only the C, math and
 * compiler libraries.
 */
#ifndef WEIR_ABI_H
#define WEIR_ABI_H

#define WEIR_ABI_VERSION 23
#define WEIR_MAX_ITEMS   4096        /* work-items of a work-group: CL_DEVICE_MAX_WORK_GROUP_SIZE */
#define WEIR_MAX_GLOBALS (256 << 20) /* bytes of program-scope variables, and of constants, of a program */
#define WEIR_MAX_ARGS_BYTES                                                                                  \
    8192 /* CL_DEVICE_MAX_PARAMETER_SIZE: programs are made with thousands of arguments */
#define WEIR_ARENA_MARGIN 4096 /* bytes around a worker's arenas that kernels may read, and write back */

#ifdef __OPENCL_C_VERSION__
typedef uint weir_u32;
typedef ulong weir_u64;
#define WEIR_PTR(type) __constant type *
#else
#include <stdint.h>
typedef uint32_t weir_u32;
typedef uint64_t weir_u64;
#define WEIR_PTR(type) type *
#endif

/* One command's NDRange: written by the runtime before the first work-group, then read-only.
 * Unused dimensions have size 1, offset 0 and one group. */
struct weir_launch {
    WEIR_PTR(const void) args; /* argument block, laid out by struct arg_meta's offsets */
    WEIR_PTR(void) globals;    /* program-scope variables of this program, or NULL */
    weir_u64 global_size[3];   /* work-items */
    weir_u64 global_offset[3]; /* work-items */
    weir_u64 local_size[3];    /* enqueued local size; the last group of a dimension may be smaller */
    weir_u64 num_groups[3];    /* ceil(global_size / local_size) */
    weir_u32 work_dim;         /* 1 to 3, as enqueued */
    weir_u32 reserved;
    weir_u64 default_queue; /* the device's default queue for kernels that enqueue, a handle; 0: none */
};

/* ---- the checker (WEIR_CHECK): what checked kernels and src/check share ----
 *
 * Memory that is checked has a cell for each 4 bytes, in three arrays: who wrote it last and who read it last, and at
 * which sites, which are places of the source. Who: 32 bits of the group's serial number, 14 of the interval between
 * two barriers, one for atomics, 13 of the work-item, and a bit for each byte. */
#define WEIR_CELL_BYTES      0xful
#define WEIR_CELL_ITEM_SHIFT 4
#define WEIR_CELL_ITEM       (0x1ffful << WEIR_CELL_ITEM_SHIFT)
#define WEIR_CELL_MANY       WEIR_CELL_ITEM /* several work-items */
#define WEIR_CELL_SOME                                                                                       \
    (0x1000ul                                                                                                \
     << WEIR_CELL_ITEM_SHIFT) /* plus a sub-group's number: several of its work-items; in kernels without \
                                          barriers of sub-groups plus a work-item's: it, since the group's last       \
                                          barrier, and others before that */
#define WEIR_CELL_ATOMIC      (1ul << 17)
#define WEIR_CELL_TICK_SHIFT  18
#define WEIR_CELL_GROUP_SHIFT 32
#define WEIR_CELL_GROUP       0xffffffff00000000ul
#define WEIR_CELL_SPACES      3 /* local memory, all other, images: by what orders it */

enum {
    WEIR_SITE_READ,
    WEIR_SITE_WRITE,
    WEIR_SITE_ATOMIC,
    WEIR_SITE_BARRIER,
    WEIR_SITE_SUBGROUP,
    WEIR_SITE_WATCH,
    WEIR_SITE_USE,     /* a value that nobody has given matters; at an origin, value: WEIR_USE_* */
    WEIR_SITE_COPY,    /* a call of an asynchronous copy: struct weir_copy; value: its site as a reader */
    WEIR_SITE_WAIT,    /* for such a copy, by its event */
    WEIR_SITE_EXTENT,  /* an access at this offset is beyond the site's variable */
    WEIR_SITE_UNWRITE, /* such a value has been stored: nobody has written this */
    WEIR_SITE_FENCE,
    WEIR_SITE_LANE, /* a broadcast in a sub-group: value: its lane; more: the first who names another one, or 64 */
    WEIR_SITE_TEXEL, /* coordinates outside an image: at x | y << 32, value: z | level << 32; bytes: WEIR_TEXEL_* */
    WEIR_SITE_CALL, /* through a pointer that is no function's */
    WEIR_SITE_NAMED /* work_group_broadcast of a work-item that isn't there: value: its ids, 10 bits for each dimension */
};
/* What is asked besides: to check an access and fill its cells; a store that another lane (value: its work-item; more: where) has
 * come over with something else. */
#define WEIR_CHECK_WHOLE     0x10
#define WEIR_CHECK_COLLISION 0x20
/* Of a pack: all lanes access the first one's address; lane i accesses what lies i times its size behind. */
#define WEIR_CHECK_UNIFORM   0x40
#define WEIR_CHECK_ROW       0x80
#define WEIR_CHECK_SUBGROUPS 0x8000 /* the kernel has barriers of sub-groups */
#define WEIR_CHECK_EIGHT     0x20   /* each lies at a multiple of 8 */
#define WEIR_CHECK_UPDATES   0x10   /* a read of what the work-item writes next */
/* A pack's access in one number: its site, what it is, and between those bits the pack's width. */
#define WEIR_CODE_WHAT_SHIFT  16
#define WEIR_CODE_WIDTH_SHIFT 24

#define WEIR_TEXEL_DIMS   3 /* coordinates but the layer's */
#define WEIR_TEXEL_ARRAY  4
#define WEIR_TEXEL_WRITES 8

/* An asynchronous copy of `planes` of `lines` of `bytes`; steps from one to the next in bytes. */
struct weir_copy {
    weir_u64 to, from, bytes, lines, planes, to_line, to_plane, from_line, from_plane;
    weir_u64 event; /* as given; then the one that the call returns */
};
/* Waited for as if it were one: a fence between copies, with its flags beside this bit. */
#define WEIR_ASYNC_FENCE 0x8000000000000000ul

/* A value's origin: 0, or the site of the load, below WEIR_ORIGIN_SITES, the interval that it was in, and the cell that nobody
 * has written, or WEIR_ORIGIN_ANY; of a shuffle, whose site is a WEIR_SITE_LANE, the lane that isn't there. */
#define WEIR_ORIGIN(site, interval, cell)                                                                    \
    ((weir_u32)(site) << 20 | ((weir_u32)(interval) & WEIR_ORIGIN_INTERVALS) << 15 | (weir_u32)(cell))
#define WEIR_ORIGIN_SITE(origin)     ((weir_u32)(origin) >> 20)
#define WEIR_ORIGIN_INTERVAL(origin) ((weir_u32)(origin) >> 15 & WEIR_ORIGIN_INTERVALS)
#define WEIR_ORIGIN_CELL(origin)     ((weir_u32)(origin) & WEIR_ORIGIN_ANY)
#define WEIR_ORIGIN_SITES            4096
#define WEIR_ORIGIN_INTERVALS        31 /* a mask: of the interval's number the lower bits are kept */
#define WEIR_ORIGIN_ANY              0x7fffu
enum { WEIR_USE_BRANCHES, WEIR_USE_ADDRESSES, WEIR_USE_STORES, WEIR_USE_PRINTS };

/* What an atomic does. */
enum {
    WEIR_ATOMIC_READS = 1,
    WEIR_ATOMIC_WRITES = 2,
    WEIR_ATOMIC_ACQUIRES = 4,
    WEIR_ATOMIC_RELEASES = 8,
    WEIR_ATOMIC_OVERWRITES = 16, /* the new value doesn't depend on the old one */
    WEIR_ATOMIC_FENCED = 32,     /* the kernel has fences */
    WEIR_ATOMIC_SUBGROUPS = 64,  /* and barriers of sub-groups */
};
#define WEIR_ORDER_UNKNOWN 0xff /* beside memory_order: as the instruction has it */
#define WEIR_SCOPE_LEGACY  7    /* beside memory_scope: of mem_fence and barriers before OpenCL C 2.0 */

/* What a site is known to access, for quick checks; found anew between work-groups. */
struct weir_object {
    weir_u64 start, size; /* of the memory; size 0: not known */
    weir_u64 writers, readers,
        sites;      /* addresses of the cell's arrays: 8, 8 and 2 bytes a cell; sites: the writers' */
    weir_u64 space; /* of WEIR_CELL_SPACES */
    weir_u64 quiet; /* bytes from `start` on in which nothing can race with the site: no cell need be asked */
    weir_u64 reader_sites; /* as `sites` */
};

struct weir_worker;
/* A worker's state. All of it is the same for the work-items of a group; the intervals' part changes at barriers. */
struct weir_check {
    weir_u64 now;                       /* the group and its interval, as in cells */
    weir_u64 base;                      /* the group, in interval 0 */
    weir_u64 covered[WEIR_CELL_SPACES]; /* what this group did before base + covered is ordered before now */
    weir_u64 low[WEIR_CELL_SPACES];     /* cells below are of earlier launches (local: of earlier groups) */
    weir_u64 several;                   /* reader of a cell that several groups have read */
    weir_u64 first, cells;              /* cells of this launch are less than `cells` from `first` on */
    weir_u64 began;                     /* local memory with cells below hasn't been written by this group */
    weir_u64 local_cells;               /* address of the writers' cells of local memory */
    weir_u64 local_sites;               /* address of an ushort per cell of local memory: its writer's site */
    weir_u64
        tainted; /* 0, or address of an uint per cell: the site that stored what nobody has written there,
                         since the last barrier */
    weir_u64 arrivals; /* address of an ulong per work-item: where it waits */
    weir_u64 interval; /* barriers of the work-group that were passed */
    weir_u64
        subgroups; /* address of covered[] per sub-group, by its own barriers; 0: some are shorter than others */
    weir_u64 apart;  /* not 0: work-items of a sub-group are somewhere without the others */
    weir_u64 access; /* void (*)(struct weir_worker *, ...): see lib/cl/check.cl */
#ifndef __OPENCL_C_VERSION__
    void (*meet)(struct weir_worker *,
                 weir_u64 items); /* all items of the group that will have arrived at a barrier */
    void (*pass)(struct weir_worker *, weir_u64 what); /* all have, at the same one: flags, scope, site */
#else
    weir_u64 meet, pass;
#endif
    /* void (*)(struct weir_worker *, weir_u64 *lanes, weir_u64 mask, weir_u32 code, weir_u32 bytes, weir_u32 item):
     * an access of the work-items `item` + the bits of `mask`; lanes: their addresses, then their values' first 8 bytes,
     * and the next 8 */
    weir_u64 pack;
    weir_u64 careful
        [2]; /* of local memory, of other: readers of this group with cells below aren't joined by kernels
                            themselves (src/check: check_several) */
};

/* One executing thread. Owned by the thread; a kernel reaches nothing of another worker. */
struct weir_worker {
#ifdef __OPENCL_C_VERSION__ /* where `local` is a keyword */
    weir_u64 local_memory;
#else
    void *local; /* local memory of the current work-group, 128-byte aligned */
#endif
    WEIR_PTR(void) context; /* context arena: what lives across barriers, 128-byte aligned */
    weir_u64 local_bytes;   /* bytes valid at `local` */
    weir_u64 context_bytes; /* bytes valid at `context` */
    weir_u64 stack_low;     /* this thread's stack, [low, high): with the context arena, what */
    weir_u64 stack_high;    /* to_private() answers by */
#ifndef __OPENCL_C_VERSION__
    /* printf: returns room for a record of `bytes` (8-byte aligned), or NULL when the buffer is full:
     * the printf then returns -1. See struct weir_printf_record. */
    void *(*printf_reserve)(struct weir_worker *, weir_u32 bytes);
#else
    weir_u64 printf_reserve;
#endif
    WEIR_PTR(struct weir_check) check;       /* of checked kernels; else NULL */
    WEIR_PTR(struct weir_object) objects;    /* by site */
    WEIR_PTR(const struct weir_calls) calls; /* the runtime's functions for kernels that enqueue */
};

/* What enqueue_kernel and enqueue_marker are given: handles and addresses. */
struct weir_enqueue {
    weir_u64 queue;
    weir_u32 flags; /* CLK_ENQUEUE_FLAGS_* */
    weir_u32 nwait;
    weir_u64 wait;  /* of nwait events */
    weir_u64 event; /* where the new event goes, or 0 */
    weir_u64 name;  /* of the block's kernel; 0: a marker */
    weir_u64 block; /* the literal: size and alignment as weir_u32, 8 bytes of clang's, what it captured */
    weir_u64 range; /* a struct weir_range */
    weir_u32 nlocal;
    weir_u32 reserved;
    weir_u64 local_bytes; /* of nlocal weir_u64: sizes of the block's arguments */
};
struct weir_range { /* clang's ndrange_t */
    weir_u32 dim, reserved;
    weir_u64 offset[3], global_size[3], local_size[3]; /* a local size of 0 is the runtime's choice */
};
/* What get_kernel_* ask of a block's kernel. WEIR_SIZE_FOR: for as many sub-groups as the range's local_size[0] says. */
enum weir_question {
    WEIR_GROUP_SIZE,
    WEIR_GROUP_MULTIPLE,
    WEIR_SUB_GROUPS,
    WEIR_SUB_GROUP_SIZE,
    WEIR_SIZE_FOR,
    WEIR_MOST_SUB_GROUPS
};
#ifndef __OPENCL_C_VERSION__
#define WEIR_CALL(result, name, ...) result (*name)(__VA_ARGS__)
#else
#define WEIR_CALL(result, name, ...) weir_u64 name
#endif
/* Events are handles. What fails gives a CLK_* code; see OpenCL C 6.15.21. */
struct weir_calls {
    WEIR_CALL(int, enqueue, struct weir_worker *, const struct weir_enqueue *);
    WEIR_CALL(weir_u64, create_event, struct weir_worker *);
    WEIR_CALL(void, set_event, weir_u64 event, int status);
    WEIR_CALL(void, retain_event, weir_u64 event);
    WEIR_CALL(void, release_event, weir_u64 event);
    WEIR_CALL(void, capture_times, weir_u64 event, weir_u64 *two);
    WEIR_CALL(weir_u32, ask, struct weir_worker *, const char *kernel, weir_u32 question,
              const struct weir_range *);
};

/* An image, as kernels see it. Written by the runtime when the image is made, then read-only: all its
 * members are the same for all work-items. A level is one of a mipmap; images without have one.
 * Texel (x, y, z) of a level lies at data + z * slice_pitch + y * row_pitch + x * texel_bytes; of arrays z is
 * the layer, also for 1D arrays. */
#define WEIR_MAX_LEVELS 15
struct weir_image_level {
    WEIR_PTR(void) data;
    weir_u64 row_pitch, slice_pitch;      /* bytes */
    weir_u32 width, height, depth, array; /* texels, texels, texels, layers: 1 where the type has none */
};
struct weir_image {
    weir_u32 order, type; /* cl_channel_order, cl_channel_type */
    weir_u32 texel_bytes;
    weir_u32 levels;                                /* 1 to WEIR_MAX_LEVELS */
    weir_u32 samples;                               /* 0 */
    weir_u32 traits;                                /* WEIR_IMAGE_TRAITS */
    struct weir_image_level level[WEIR_MAX_LEVELS]; /* `levels` of them count */
};

/* What the code of an access depends on, 16 bits: the format, and whether all of the image's `bytes` are below 2^31, so that
 * 32-bit indices reach every texel. Pitches are multiples of texel_bytes. In kernels an image is the address with its
 * traits in the upper bits, which addresses don't have: constants in a variant that is made for them. */
#define WEIR_IMAGE_ADDRESS_BITS 48
#define WEIR_IMAGE_TRAITS(order, type, bytes)                                                                \
    (((weir_u32)(order) - 0x10b0) | ((weir_u32)(type) - 0x10d0) << 5 | (weir_u32)((bytes) < 0x80000000) << 10)
#define WEIR_TRAITS_ORDER(traits) ((weir_u32)(traits) & 31)      /* less CL_R, the first */
#define WEIR_TRAITS_TYPE(traits)  ((weir_u32)(traits) >> 5 & 31) /* less CL_SNORM_INT8 */
#define WEIR_TRAITS_SMALL(traits) ((weir_u32)(traits) >> 10 & 1)

/* A sampler is 8 bytes of value, no memory: what clang makes of an initializer in the program (the bits of CLK_* in
 * opencl-c-base.h), and for those of the API also the mip filter and the range of levels. */
#define WEIR_SAMPLER_NORMALIZED 0x01
#define WEIR_SAMPLER_ADDRESS                                                                                 \
    0x0e /* CLK_ADDRESS_*: 0, 2 clamp to edge, 4 clamp, 6 repeat, 8 mirrored repeat */
#define WEIR_SAMPLER_NEAREST    0x10
#define WEIR_SAMPLER_LINEAR     0x20
#define WEIR_SAMPLER_MIP_LINEAR 0x80                 /* between levels; else nearest */
#define WEIR_SAMPLER_LOD_MIN(s) ((s) >> 32 & 0xffff) /* in 1/256 levels */
#define WEIR_SAMPLER_LOD_MAX(s) ((s) >> 48)          /* the same plus 1, as it may be 0; 0: no limit */

/* A pipe: a ring of packets, each with a turn. The packet at position p, of all that were ever written, is slot
 * p % max_packets in round p / max_packets; the slot's turn is 2 * round when it may be written, one more when it may be
 * read, and 2 * (round + 1) once it has been. So a reservation is a range of positions, taken by one exchange of
 * written or read, and is committed by its slots' turns: in any order, by any thread. */
struct weir_pipe {
    weir_u32 packet_bytes, max_packets;
    weir_u64 turns, packets;  /* addresses: a 64-bit number per slot; the packets */
    weir_u64 padding[5];      /* what follows is written, each by other threads: lines of their own */
    weir_u64 written, pad[7]; /* positions below are written or reserved for it */
    weir_u64 read;            /* positions below are read or reserved for it */
};

/* Arguments of image type are the address of a struct weir_image, pipes that of a struct weir_pipe, samplers their value.
 * Arguments of pointer-to-local type: the block holds their byte offset from weir_worker.local, so that
 * one block serves all workers. All other arguments are stored as they are: pointers as 8-byte addresses,
 * values and structs in their OpenCL C layout. */

#ifndef __OPENCL_C_VERSION__
/* Runs one whole work-group with group id (x, y, z) on the calling thread. */
typedef void weir_group_fn(const struct weir_launch *, struct weir_worker *, weir_u64 x, weir_u64 y,
                           weir_u64 z);

/* What a kernel object exports. A specialized variant has local_size != 0 and may only run groups of
 * exactly that size; a generic one takes any size up to 4096 work-items, remainder groups too. */
struct weir_kernel {
    weir_u32 abi;   /* WEIR_ABI_VERSION */
    weir_u32 width; /* work-items per pack */
    weir_group_fn *run;
    const char *name;
    weir_u32 local_size[3];    /* specialized for, or 0 */
    weir_u32 flags;            /* WEIR_SMALL_IDS, WEIR_CHECKED, WEIR_ANY_ORDER, ...; WEIR_ALONG */
    weir_u64 local_bytes;      /* static local memory; dynamic local arguments follow, 128-aligned */
    weir_u64 context_fixed;    /* context arena a group needs: context_fixed */
    weir_u64 context_per_item; /*   + context_per_item * work-items, rows rounded up to whole packs */
    weir_u64 private_bytes;    /* private memory per work-item, for queries */
    weir_u64 nsites;           /* of a checked kernel, else 0 */
    const struct weir_site *sites;
    weir_u64 nplaces; /* variables in local memory */
    const struct weir_place *places;
    weir_u64
        nargument_types; /* of a checked kernel: what pointer arguments point to, as in weir_place, or "" */
    const char *const *argument_types;
    const struct weir_form *forms; /* that sites name */
};

/* A place of the source that accesses memory or waits, in a checked kernel. Site 0 is none. */
struct weir_site {
    const char *file, *function; /* function: that has it, or "" */
    const char
        *stack; /* the calls that were inlined, innermost first, a line each: "FILE:LINE:COLUMN\tCALLER" */
    weir_u32 line, column;
    weir_u32 what;  /* WEIR_SITE_* */
    weir_u32 bytes; /* of the access; barriers: flags | scope << 8 */
    weir_u32
        object; /* 1 + argument; or 1 + place | WEIR_SITE_PLACE; 0: known only at run time; barriers: WEIR_HALF_* */
    weir_u32 align;    /* what the access needs, in bytes; vectors only what their elements do */
    weir_u32 quiet;    /* 1: nothing can race with it; of an argument's memory: if a launch proves it */
    weir_u32 form;     /* 1 + number of its struct weir_form, or 0 */
    weir_u32 in_local; /* 1: by a pointer to local memory */
};
/* Where a site accesses an argument's memory: at the sum of
 *     times * (by ? value of the argument that strides[by - 1] names : 1) * counter
 * over its terms, in bytes. Counters are an id, at most what the launch has of it, or take n values from 0 on. */
enum {
    WEIR_COUNTER_VALUES,
    WEIR_COUNTER_LOCAL,
    WEIR_COUNTER_GROUP = 4,
    WEIR_COUNTER_GLOBAL = 7
}; /* + dimension */
enum { WEIR_FORM_TERMS = 6, WEIR_FORM_STRIDES = 2 };
struct weir_form {
    weir_u64 nterms;
    weir_u64 strides[WEIR_FORM_STRIDES]; /* offset in weir_launch.args | size << 32; 0: none */
    struct weir_form_term {
        weir_u64 counter, times, by, n;
    } terms[WEIR_FORM_TERMS];
};
#define WEIR_SITES_MOST 65535 /* the last one stands for others, too, if there would be more */
#define WEIR_SITE_PLACE 0x80000000u
enum {
    WEIR_HALF_NONE,
    WEIR_HALF_ARRIVES,
    WEIR_HALF_WAITS,
    WEIR_NAMES_ITEM,
    WEIR_GROUP_FUNCTION
}; /* of a split barrier; of work_group_broadcast, for which all work-items name one of them; of another such function */
/* A variable in local memory, [offset, offset + bytes) of weir_worker.local; or one that is somewhere else: places of
 * private memory and constants aren't addresses. */
enum { WEIR_PLACE_LOCAL, WEIR_PLACE_PRIVATE, WEIR_PLACE_PROGRAM, WEIR_PLACE_CONSTANT };
#define WEIR_PLACE_NOWHERE (1ull << 62) /* offset: no address is as far away */
struct weir_place {
    const char *name, *type; /* type: as in src/check/where.c, or "" */
    weir_u64 offset, bytes, space;
};
#define WEIR_KERNEL_SYMBOL "weir_kernel"
/* The code computes with global ids in 31 bits: a launch whose ids go beyond them takes a width of 1. */
#define WEIR_SMALL_IDS  1
#define WEIR_CHECKED    2 /* the code calls the checker: weir_worker.check is there */
#define WEIR_ANY_ORDER  4 /* no work-group waits for another: they may run in any order */
#define WEIR_ZERO_LOCAL 8 /* local memory has to be zeros when a work-group begins */
/* The dimension along which work-groups are best neighbours in time, as elements are adjacent in it. */
#define WEIR_ALONG_SHIFT  4
#define WEIR_ALONG(flags) ((flags) >> WEIR_ALONG_SHIFT & 3)
#define WEIR_ONE_ROW      64 /* packs go through the work-group as one row */

/* Program-scope variables: the runtime allocates `bytes` at `align`, zeroed, and calls `init` once. */
struct weir_globals {
    weir_u32 abi;
    weir_u32 align;
    weir_u64 bytes;
    void (*init)(void *base);
};
#define WEIR_GLOBALS_SYMBOL "weir_globals"

/* A printf call leaves one record: this header, nargs tags, padding to 8 bytes, then the arguments'
 * values, each padded to a multiple of 8 bytes. Records follow each other in work-item order. */
struct weir_printf_record {
    weir_u32 bytes; /* of the whole record, multiple of 8; written by the kernel */
    weir_u32 nargs;
    const char *format; /* lives as long as the kernel object stays loaded */
    weir_u32 tags[];
};
/* A tag: element kind, element bytes, vector length (1 for scalars). WEIR_PRINTF_STRING: a pointer that
 * may be read as a C string; WEIR_PRINTF_POINTER: any other pointer, only printable. */
enum { WEIR_PRINTF_INT, WEIR_PRINTF_FLOAT, WEIR_PRINTF_POINTER, WEIR_PRINTF_STRING };
#define WEIR_PRINTF_TAG(kind, elem_bytes, count) ((kind) | (elem_bytes) << 8 | (count) << 16)
#endif

/* Fence flags, orders and scopes, as OpenCL C has them (cl_mem_fence_flags, memory_order, memory_scope). */
#define WEIR_FENCE_LOCAL  1
#define WEIR_FENCE_GLOBAL 2
#define WEIR_FENCE_IMAGE  4

/* What lib/cl may call and kc replaces: queries and fences in kc/lower, ids, barriers and sub-groups in kc/wg and
 * kc/vector. All are declared in lib/cl/weir.h.
 *   int __weir_one_row(void)                    1: packs, and so sub-groups, go through the work-group as one row
 *   size_t __weir_local_id_{0,1,2}(void)        position in the work-group; of one row: the linear id, 0, 0
 *   size_t __weir_global_id_{0,1,2}(void)       with the launch's offset; not of one row
 *   size_t __weir_group_id_{0,1,2}(void)
 *   size_t __weir_local_size_{0,1,2}(void)      of this work-group, which may be a remainder
 *   __constant struct weir_launch *__weir_launch(void)
 *   __constant struct weir_worker *__weir_worker(void)
 *   void __weir_barrier(uint flags, uint scope)  work-group barrier: ends a region
 *   void __weir_barrier_arrive(uint flags, uint scope), void __weir_barrier_wait(uint flags, uint scope)   its halves
 *   void __weir_fence(uint flags, uint order, uint scope)
 *   local void *__weir_scratch(void)            16 bytes of the work-group, one place for all collectives
 *   uint __weir_dot_{uu,ss,us,su}(uint, uint)   sum of the products of four bytes, of which u's are unsigned
 * Of a sub-group, which is a pack; T is any scalar type, OP one of add mul and or xor smin smax umin umax fadd fmul fmin
 * fmax; functions but the first three are about the work-items that call together:
 *   uint __weir_sub_width(void)                  the largest size, a power of two
 *   uint __weir_sub_base(void)                   __weir_local_id_0 of its first work-item
 *   uint __weir_sub_lane(void)                   position in it
 *   void __weir_sub_barrier(uint flags, uint scope)
 *   global const void *__weir_sub_first_pointer(const global void *)   as __weir_sub_first_*
 *   ulong __weir_sub_ballot(int)                 a bit per work-item, set where the argument isn't 0
 *   T __weir_sub_shuffle_*(T, uint lane)         the value of another work-item
 *   T __weir_sub_first_*(T)                      the value of the first one
 *   T __weir_sub_reduce_OP_*(T), T __weir_sub_scan_OP_*(T), T __weir_sub_before_OP_*(T)   all; up to here; before
 *   T __weir_sub_cluster_OP_*(T, uint size)      reduce, in runs of `size` lanes
 *   T __weir_sub_total_OP_*(local T *t, T, int first)   joins all to *t, which counts as OP's identity for the
 *                                                work-group's first sub-group; gives what *t was
 * Work-items of a group run in the order of their linear id between two barriers: collectives use it.
 */
#endif

/* elf.c: whether bytes are a kernel object that the dynamic linker can load.
 *
 * The dynamic linker trusts what it loads: a table that leads out of the file ends the process. In: bytes of a program
 * binary, of the cache, or of the compiler. Out: whether they have the form that weirc gives its objects (kc/emit), its
 * own as well as ld's: segments, dynamic section, hash table, symbols, relocations and versions lie inside the file, the
 * only libraries are those that generated code calls, nothing runs by being loaded, and the exported structure's
 * function lies in code. Section headers are for debuggers: nobody here looks at them. What the code does is not
 * looked at either: a kernel object is trusted as any native code is.
 */
#include "rt.h"

#include <elf.h>
#include <string.h>

enum { PAGE = 4096, SLACK = 1 << 20, MOST_SEGMENTS = 16, MOST_SYMBOLS = 4096, MOST_LIBRARIES = 3 };

/* The tags of the dynamic section that objects have; each once, but for DT_NEEDED. */
// clang-format off: it sets a list of this length differently each time
#define TAGS(X)                                                                                              \
    X(STRTAB)                                                                                                \
    X(STRSZ)                                                                                                 \
    X(SYMTAB)                                                                                                \
    X(SYMENT)                                                                                                \
    X(HASH)                                                                                                  \
    X(GNU_HASH)                                                                                              \
    X(RELA)                                                                                                  \
    X(RELASZ)                                                                                                \
    X(RELAENT)                                                                                               \
    X(RELACOUNT)                                                                                             \
    X(JMPREL)                                                                                                \
    X(PLTRELSZ)                                                                                              \
    X(PLTREL)                                                                                                \
    X(PLTGOT)                                                                                                \
    X(FLAGS)                                                                                                 \
    X(FLAGS_1)                                                                                               \
    X(VERSYM)                                                                                                \
    X(VERNEED)                                                                                               \
    X(VERNEEDNUM)
// clang-format on
#define INDEX(tag) T_##tag,
#define VALUE(tag) DT_##tag,
enum tag { TAGS(INDEX) T_COUNT };
static const int64_t tags[] = {TAGS(VALUE)};

struct elf {
    const unsigned char *bytes;
    size_t size;
    const Elf64_Phdr *segments;
    unsigned nsegments;
    const Elf64_Phdr *dynamic;
    uint64_t value[T_COUNT];
    bool has[T_COUNT];
    uint64_t libraries[MOST_LIBRARIES]; /* their names, in the string table */
    unsigned nlibraries;
    const char *strings;
    const Elf64_Sym *symbols;
    uint32_t nsymbols;
};

static bool is_within(uint64_t at, uint64_t n, uint64_t begin, uint64_t size) {
    return at >= begin && at - begin <= size && n <= size - (at - begin);
}

/* The loaded segment that has `n` bytes at this address, with at least these flags, in the file or just in memory. */
static const Elf64_Phdr *segment_of(const struct elf *e, uint64_t address, uint64_t n, uint32_t flags,
                                    bool in_file) {
    for (const Elf64_Phdr *p = e->segments; p < e->segments + e->nsegments; p++)
        if (p->p_type == PT_LOAD && (p->p_flags & flags) == flags &&
            is_within(address, n, p->p_vaddr, in_file ? p->p_filesz : p->p_memsz))
            return p;
    return NULL;
}

/* What the file has for `n` bytes at this address, a multiple of `align`; NULL: not that much. */
static const void *loaded(const struct elf *e, uint64_t address, uint64_t n, unsigned align) {
    const Elf64_Phdr *p = segment_of(e, address, n, 0, true);
    uint64_t offset = p ? p->p_offset + (address - p->p_vaddr) : 0;
    return p && offset % align == 0 ? e->bytes + offset : NULL;
}

/* ---- segments ---- */

static bool header_is_sound(struct elf *e) {
    static const unsigned char ident[EI_NIDENT] = {ELFMAG0,    ELFMAG1,     ELFMAG2,   ELFMAG3,
                                                   ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
    const Elf64_Ehdr *h = (const void *)e->bytes;
    if (e->size < sizeof *h || memcmp(h->e_ident, ident, sizeof ident) || h->e_type != ET_DYN ||
        h->e_machine != EM_X86_64 || h->e_version != EV_CURRENT || h->e_phentsize != sizeof *e->segments ||
        h->e_phnum > MOST_SEGMENTS || h->e_phoff % 8 ||
        !is_within(h->e_phoff, h->e_phnum * sizeof *e->segments, 0, e->size))
        return false;
    e->segments = (const void *)(e->bytes + h->e_phoff);
    e->nsegments = h->e_phnum;
    return true;
}

static bool load_is_sound(const struct elf *e, const Elf64_Phdr *p, uint64_t end) {
    bool writes = p->p_flags & PF_W, runs = p->p_flags & PF_X;
    return p->p_flags & PF_R && !(writes && runs) && p->p_align == PAGE &&
           p->p_vaddr % PAGE == p->p_offset % PAGE && p->p_vaddr / PAGE * PAGE >= end &&
           is_within(p->p_offset, p->p_filesz, 0, e->size) && p->p_filesz && p->p_memsz >= p->p_filesz &&
           (writes || p->p_memsz == p->p_filesz) && is_within(p->p_vaddr, p->p_memsz, 0, e->size + SLACK);
}

/* What is made read-only after relocation lies in what is writable before, with the rest of its last page. */
static bool relro_is_sound(const struct elf *e, const Elf64_Phdr *p) {
    const Elf64_Phdr *in = segment_of(e, p->p_vaddr, 0, PF_W, false);
    uint64_t end = in ? (in->p_vaddr + in->p_memsz + PAGE - 1) / PAGE * PAGE : 0;
    return in && is_within(p->p_vaddr, p->p_memsz, in->p_vaddr, end - in->p_vaddr);
}

static bool segments_are_sound(struct elf *e) {
    bool has_stack = false, has_relro = false;
    uint64_t end = 0;
    for (const Elf64_Phdr *p = e->segments; p < e->segments + e->nsegments; p++)
        if (p->p_type == PT_LOAD) {
            if ((!end && p->p_vaddr) || !load_is_sound(e, p, end))
                return false;
            end = (p->p_vaddr + p->p_memsz + PAGE - 1) / PAGE * PAGE;
        }
    for (const Elf64_Phdr *p = e->segments; p < e->segments + e->nsegments; p++)
        switch (p->p_type) {
        case PT_LOAD:
            break;
        case PT_DYNAMIC:
            if (e->dynamic || p->p_vaddr % 8 || !segment_of(e, p->p_vaddr, p->p_filesz, PF_W, true) ||
                !loaded(e, p->p_vaddr, p->p_filesz, 8))
                return false;
            e->dynamic = p;
            break;
        case PT_GNU_STACK:
            if (has_stack || p->p_flags & PF_X)
                return false;
            has_stack = true;
            break;
        case PT_GNU_RELRO:
            if (has_relro || !relro_is_sound(e, p))
                return false;
            has_relro = true;
            break;
        default:
            return false;
        }
    return e->dynamic && has_stack;
}

/* ---- the dynamic section ---- */

static bool read_tag(struct elf *e, const Elf64_Dyn *d) {
    if (d->d_tag == DT_NEEDED) {
        if (e->nlibraries == MOST_LIBRARIES)
            return false;
        e->libraries[e->nlibraries++] = d->d_un.d_val;
        return true;
    }
    for (unsigned t = 0; t < T_COUNT; t++)
        if (d->d_tag == tags[t]) {
            bool first = !e->has[t];
            e->has[t] = true;
            e->value[t] = d->d_un.d_val;
            return first;
        }
    return false;
}

/* The values that the dynamic linker asserts, or takes as they are. */
static bool values_are_sound(const struct elf *e) {
    const uint64_t *v = e->value;
    const bool *has = e->has;
    return has[T_STRTAB] && has[T_STRSZ] && has[T_SYMTAB] && has[T_SYMENT] &&
           v[T_SYMENT] == sizeof(Elf64_Sym) && has[T_HASH] != has[T_GNU_HASH] &&
           has[T_RELA] == has[T_RELASZ] && has[T_RELA] == has[T_RELAENT] &&
           (!has[T_RELA] || v[T_RELAENT] == sizeof(Elf64_Rela)) && has[T_JMPREL] == has[T_PLTRELSZ] &&
           has[T_JMPREL] == has[T_PLTREL] && (!has[T_PLTREL] || v[T_PLTREL] == DT_RELA) &&
           (!has[T_PLTGOT] || segment_of(e, v[T_PLTGOT], 24, PF_W, true)) && !(v[T_FLAGS] & ~DF_BIND_NOW) &&
           !(v[T_FLAGS_1] & ~(uint64_t)DF_1_NOW) && has[T_VERSYM] == has[T_VERNEED] &&
           has[T_VERSYM] == has[T_VERNEEDNUM];
}

static bool dynamic_is_sound(struct elf *e) {
    const Elf64_Dyn *d = loaded(e, e->dynamic->p_vaddr, e->dynamic->p_filesz, 8);
    size_t n = e->dynamic->p_filesz / sizeof *d, i = 0;
    for (; i < n && d[i].d_tag != DT_NULL; i++)
        if (!read_tag(e, &d[i]))
            return false;
    return i < n && values_are_sound(e);
}

static bool strings_are_sound(struct elf *e) {
    static const char *const known[] = {"libm.so.6", "libc.so.6", "libgcc_s.so.1"};
    uint64_t n = e->value[T_STRSZ];
    e->strings = n ? loaded(e, e->value[T_STRTAB], n, 1) : NULL;
    if (!e->strings || e->strings[n - 1])
        return false;
    for (unsigned i = 0; i < e->nlibraries; i++) {
        bool ok = false;
        for (size_t k = 0; e->libraries[i] < n && k < sizeof known / sizeof *known && !ok; k++)
            ok = !strcmp(e->strings + e->libraries[i], known[k]);
        if (!ok)
            return false;
    }
    return true;
}

/* ---- symbols ---- */

/* Both kinds of hash table: their chains end, and give the number of symbols. */
static bool hash_is_sound(struct elf *e) {
    const uint32_t *head = loaded(e, e->value[T_HASH], 8, 4);
    if (!head || !head[0] || head[0] > MOST_SYMBOLS || head[1] > MOST_SYMBOLS)
        return false;
    uint32_t nbuckets = head[0], n = head[1];
    const uint32_t *buckets = loaded(e, e->value[T_HASH] + 8, 4 * ((uint64_t)nbuckets + n), 4);
    for (uint32_t b = 0; buckets && b < nbuckets; b++) {
        uint32_t at = buckets[b], steps = 0;
        for (; at && at < n && steps <= n; steps++)
            at = buckets[nbuckets + at];
        if (at)
            return false;
    }
    e->nsymbols = n;
    return buckets;
}

static bool gnu_hash_is_sound(struct elf *e) {
    const uint64_t at = e->value[T_GNU_HASH];
    const uint32_t *head = loaded(e, at, 16, 8);
    if (!head || !head[0] || head[0] > MOST_SYMBOLS || head[1] > MOST_SYMBOLS || !head[2] ||
        head[2] > MOST_SYMBOLS || head[2] & (head[2] - 1) || head[3] > 31)
        return false;
    uint32_t nbuckets = head[0], first = head[1], n = first;
    uint64_t buckets_at = at + 16 + 8 * (uint64_t)head[2], chains_at = buckets_at + 4 * (uint64_t)nbuckets;
    const uint32_t *buckets = loaded(e, buckets_at, 4 * (uint64_t)nbuckets, 4);
    if (!loaded(e, at + 16, buckets_at - (at + 16), 8)) /* the filter that is asked before */
        return false;
    for (uint32_t b = 0; buckets && b < nbuckets; b++) {
        uint32_t i = buckets[b];
        const uint32_t *chain;
        if (!i)
            continue;
        do {
            chain = i >= first && i < MOST_SYMBOLS ? loaded(e, chains_at + 4 * (uint64_t)(i - first), 4, 4)
                                                   : NULL;
            if (!chain)
                return false;
            i++;
        } while (!(*chain & 1));
        n = i > n ? i : n;
    }
    e->nsymbols = n;
    return buckets;
}

static bool symbol_is_sound(const struct elf *e, const Elf64_Sym *s) {
    unsigned type = ELF64_ST_TYPE(s->st_info), bind = ELF64_ST_BIND(s->st_info);
    return s->st_name < e->value[T_STRSZ] && type <= STT_FUNC && bind <= STB_WEAK &&
           s->st_shndx < SHN_LORESERVE &&
           (s->st_shndx == SHN_UNDEF ? !s->st_value && e->nlibraries > 0
                                     : segment_of(e, s->st_value, 1, 0, false) != NULL);
}

static bool symbols_are_sound(struct elf *e) {
    if (!(e->has[T_HASH] ? hash_is_sound(e) : gnu_hash_is_sound(e)))
        return false;
    e->symbols = loaded(e, e->value[T_SYMTAB], e->nsymbols * sizeof *e->symbols, 8);
    for (uint32_t i = 1; e->symbols && i < e->nsymbols; i++)
        if (!symbol_is_sound(e, &e->symbols[i]))
            return false;
    return e->symbols;
}

/* Which version of its library each symbol wants. The dynamic linker follows the records to their end, looks for their
 * file among the libraries, and has versions up to the highest index that they give. */
static bool versions_are_sound(const struct elf *e) {
    const uint16_t *of_symbol = loaded(e, e->value[T_VERSYM], 2 * (uint64_t)e->nsymbols, 2);
    uint64_t at = e->value[T_VERNEED], highest = 1;
    if (!e->has[T_VERSYM])
        return true;
    if (!of_symbol || !e->value[T_VERNEEDNUM] || e->value[T_VERNEEDNUM] > MOST_LIBRARIES)
        return false;
    for (uint64_t i = e->value[T_VERNEEDNUM]; i-- > 0;) {
        const Elf64_Verneed *need = loaded(e, at, sizeof *need, 4);
        bool known = false;
        for (unsigned l = 0; need && l < e->nlibraries; l++)
            known |= need->vn_file < e->value[T_STRSZ] &&
                     !strcmp(e->strings + need->vn_file, e->strings + e->libraries[l]);
        if (!known || need->vn_version != VER_NEED_CURRENT || (need->vn_next != 0) != (i != 0))
            return false;
        uint64_t aux_at = at + need->vn_aux;
        for (unsigned a = need->vn_cnt; a-- > 0;) {
            const Elf64_Vernaux *aux = loaded(e, aux_at, sizeof *aux, 4);
            if (!aux || aux->vna_name >= e->value[T_STRSZ] || aux->vna_other > MOST_SYMBOLS ||
                (aux->vna_next != 0) != (a != 0))
                return false;
            highest = aux->vna_other > highest ? aux->vna_other : highest;
            aux_at += aux->vna_next;
        }
        if (!need->vn_cnt)
            return false;
        at += need->vn_next;
    }
    for (uint32_t i = 0; i < e->nsymbols; i++)
        if ((of_symbol[i] & 0x7fff) > highest)
            return false;
    return true;
}

/* ---- relocations ---- */

/* What is written lies in writable memory, and not in the dynamic section, which the dynamic linker still needs. */
static bool relocation_is_sound(const struct elf *e, const Elf64_Rela *r) {
    uint64_t symbol = ELF64_R_SYM(r->r_info), type = ELF64_R_TYPE(r->r_info);
    const Elf64_Phdr *d = e->dynamic;
    if (!segment_of(e, r->r_offset, 8, PF_W, false) ||
        (r->r_offset < d->p_vaddr + d->p_memsz && r->r_offset + 8 > d->p_vaddr))
        return false;
    if (type == R_X86_64_RELATIVE)
        return !symbol && segment_of(e, (uint64_t)r->r_addend, 0, 0, false);
    return (type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT || type == R_X86_64_64) &&
           symbol < e->nsymbols;
}

static const Elf64_Rela *relocations(const struct elf *e, enum tag table, enum tag size, uint64_t *n) {
    *n = e->value[size] / sizeof(Elf64_Rela);
    return e->has[table] && e->value[size] % sizeof(Elf64_Rela) == 0
               ? loaded(e, e->value[table], e->value[size], 8)
               : NULL;
}

static const enum tag tables[2][2] = {{T_RELA, T_RELASZ}, {T_JMPREL, T_PLTRELSZ}};

static bool relocations_are_sound(const struct elf *e) {
    for (int t = 0; t < 2; t++) {
        uint64_t n, nrelative = t ? 0 : e->value[T_RELACOUNT];
        const Elf64_Rela *r = relocations(e, tables[t][0], tables[t][1], &n);
        if (e->has[tables[t][0]] && !r)
            return false;
        if (nrelative > (r ? n : 0))
            return false;
        for (uint64_t i = 0; r && i < n; i++)
            if (!relocation_is_sound(e, &r[i]) ||
                (i < nrelative && ELF64_R_TYPE(r[i].r_info) != R_X86_64_RELATIVE))
                return false;
    }
    return true;
}

/* ---- what it exports ---- */

/* Whether the pointer at this address will point to what a segment with these flags has in the file: one relocation
 * makes it, and no other one changes it. */
static bool points_to(const struct elf *e, uint64_t address, uint32_t flags) {
    unsigned found = 0;
    for (int t = 0; t < 2; t++) {
        uint64_t n;
        const Elf64_Rela *r = relocations(e, tables[t][0], tables[t][1], &n);
        for (uint64_t i = 0; r && i < n; i++) {
            if (r[i].r_offset >= address + 8 || r[i].r_offset + 8 <= address)
                continue;
            if (r[i].r_offset != address || ELF64_R_TYPE(r[i].r_info) != R_X86_64_RELATIVE ||
                !segment_of(e, (uint64_t)r[i].r_addend, 1, flags, true))
                return false;
            found++;
        }
    }
    return found == 1;
}

static bool export_is_sound(const struct elf *e) {
    for (uint32_t i = 1; i < e->nsymbols; i++) {
        const Elf64_Sym *s = &e->symbols[i];
        bool kernel = !strcmp(e->strings + s->st_name, WEIR_KERNEL_SYMBOL);
        if (!kernel && strcmp(e->strings + s->st_name, WEIR_GLOBALS_SYMBOL))
            continue;
        size_t size = kernel ? sizeof(struct weir_kernel) : sizeof(struct weir_globals);
        size_t function = kernel ? offsetof(struct weir_kernel, run) : offsetof(struct weir_globals, init);
        return s->st_shndx != SHN_UNDEF && loaded(e, s->st_value, size, 8) &&
               points_to(e, s->st_value + function, PF_X) &&
               (!kernel || points_to(e, s->st_value + offsetof(struct weir_kernel, name), PF_R));
    }
    return false;
}

bool elf_is_sound(const void *bytes, size_t size, const char **what) {
    struct elf e = {.bytes = bytes, .size = size};
    *what = "header";
    if (!header_is_sound(&e))
        return false;
    *what = "segments";
    if (!segments_are_sound(&e))
        return false;
    *what = "dynamic section";
    if (!dynamic_is_sound(&e) || !strings_are_sound(&e))
        return false;
    *what = "symbols";
    if (!symbols_are_sound(&e) || !versions_are_sound(&e))
        return false;
    *what = "relocations";
    if (!relocations_are_sound(&e))
        return false;
    *what = "exported structure";
    return export_is_sound(&e);
}

/* shared_object.c: an object of LLVM's becomes a shared object.
 *
 * In: a relocatable ELF object for x86-64. Out: the shared object as the answer's output, or false where there is
 * something that only `ld` knows how to link: symbols of unknown libraries, sections of other kinds. Kernels have code,
 * constants, one structure, line tables; some call the C library. Groups of sections, as C++ has them for what several
 * objects may have, mean nothing where there is one object. `ld` would take 3 to 5 ms for them, and may not be there.
 *
 * The file has two segments: what is only read (also the code), and what the dynamic linker writes to, which it
 * protects afterwards if nothing else is there. Section headers and symbols are for debuggers and profilers.
 */
#include "emit.h"

#include <elf.h>
#include <string.h>

enum { PAGE = 4096, MAX_SECTIONS = 1000 };

/* A section of the output: one of the object's, or made here. */
struct section {
    const char *name;
    Elf64_Shdr header;
    unsigned char *bytes;
};

enum library { LIBC, LIBM, LIBGCC, LIBRARIES };
static const char *const library_files[LIBRARIES] = {"libc.so.6", "libm.so.6", "libgcc_s.so.1"};

struct link {
    struct job *job;
    const unsigned char *object;
    size_t object_size;
    const Elf64_Shdr *sections; /* of the object */
    unsigned nsections;
    const Elf64_Sym *symbols;
    size_t nsymbols;
    const char *names; /* of symbols */
    size_t names_size;
    struct section out[MAX_SECTIONS];
    unsigned nout;
    unsigned *place;      /* of the object's sections in `out`; 0: left out */
    Elf64_Rela *relative; /* and after these, one for each symbol of other libraries */
    size_t nrelative;
    const Elf64_Sym **others; /* symbols of other libraries */
    size_t nothers;
    unsigned calls, slots; /* for each of them: the section of jumps, and that of addresses */
    bool needs[LIBRARIES];
    bool only_relro; /* nothing is written to after relocation */
};

/* Whether the object has these bytes. */
static bool has(const struct link *l, uint64_t offset, uint64_t size) {
    return offset <= l->object_size && size <= l->object_size - offset;
}

static const char *string_at(const struct link *l, const Elf64_Shdr *table, uint64_t offset) {
    const char *bytes = (const char *)l->object + table->sh_offset;
    return offset < table->sh_size && memchr(bytes + offset, 0, table->sh_size - offset) ? bytes + offset
                                                                                         : "";
}

static bool read_object(struct link *l) {
    const Elf64_Ehdr *header = (const void *)l->object;
    if (l->object_size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_REL ||
        header->e_machine != EM_X86_64 || !has(l, header->e_shoff, header->e_shnum * sizeof *l->sections) ||
        header->e_shstrndx >= header->e_shnum || header->e_shnum > MAX_SECTIONS - 20)
        return false;
    l->sections = (const void *)(l->object + header->e_shoff);
    l->nsections = header->e_shnum;
    l->place = job_alloc(l->nsections * sizeof *l->place);
    for (unsigned i = 0; i < l->nsections; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (s->sh_type != SHT_NOBITS && !has(l, s->sh_offset, s->sh_size))
            return false;
        if (s->sh_type == SHT_SYMTAB && s->sh_link < l->nsections) {
            l->symbols = (const void *)(l->object + s->sh_offset);
            l->nsymbols = s->sh_size / sizeof *l->symbols;
            l->names = (const char *)l->object + l->sections[s->sh_link].sh_offset;
            l->names_size = l->sections[s->sh_link].sh_size;
        }
    }
    return l->symbols && l->names_size && !l->names[l->names_size - 1];
}

static struct section *add(struct link *l, const char *name, uint32_t type, uint64_t flags, uint64_t align,
                           size_t size) {
    struct section *s = &l->out[l->nout++];
    *s = (struct section){
        .name = name, .header = {.sh_type = type, .sh_flags = flags, .sh_addralign = align, .sh_size = size}};
    s->bytes = job_alloc(size);
    return s;
}

/* Takes over the object's sections of one kind: with exactly these flags of SHF_ALLOC and SHF_WRITE. */
static bool take_sections(struct link *l, uint64_t wanted) {
    const Elf64_Shdr *names = &l->sections[((const Elf64_Ehdr *)(const void *)l->object)->e_shstrndx];
    for (unsigned i = 1; i < l->nsections; i++) {
        const Elf64_Shdr *from = &l->sections[i];
        const char *name = string_at(l, names, from->sh_name);
        if (from->sh_flags & (SHF_TLS | SHF_COMPRESSED) || from->sh_addralign > PAGE)
            return false;
        if ((from->sh_flags & (SHF_ALLOC | SHF_WRITE)) != wanted || (!wanted && strncmp(name, ".debug_", 7)))
            continue;
        if (from->sh_type != SHT_PROGBITS && from->sh_type != SHT_X86_64_UNWIND)
            return false;
        l->place[i] = l->nout;
        struct section *s = add(l, name, from->sh_type, from->sh_flags & ~(uint64_t)(SHF_MERGE | SHF_STRINGS),
                                from->sh_addralign ? from->sh_addralign : 1, from->sh_size);
        memcpy(s->bytes, l->object + from->sh_offset, from->sh_size);
        if (l->job->shown && !strcmp(name, ".debug_line"))
            prologue_hide(s->bytes, s->header.sh_size);
        l->only_relro &= !(wanted & SHF_WRITE) || !strncmp(name, ".data.rel.ro", 12);
    }
    return true;
}

/* The section of the output that the symbol is in; NULL: none. */
static const struct section *section_of(const struct link *l, const Elf64_Sym *symbol) {
    unsigned i = symbol->st_shndx;
    return i && i < l->nsections && l->place[i] ? &l->out[l->place[i]] : NULL;
}

static void put(unsigned char *at, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

static bool fits(int64_t value) {
    return value == (int32_t)value;
}

/* ---- other libraries ---- */

/* What generated code may call where the processor has no instruction. No versions are asked for: the oldest one of each
 * does, so that an object loads wherever its processor is. */
static const char *const library_names[LIBRARIES] = {
    [LIBC] = " memcpy memmove memset memcmp bcmp ",
    [LIBM] = " fma fmaf fmod fmodf sqrt sqrtf cbrt cbrtf log logf log2 log2f log10 log10f exp expf exp2 "
             "exp2f exp10 "
             "exp10f sin sinf cos cosf tan tanf asin asinf acos acosf atan atanf atan2 atan2f sinh sinhf "
             "cosh coshf "
             "tanh tanhf pow powf ceil ceilf floor floorf trunc truncf rint rintf nearbyint nearbyintf round "
             "roundf "
             "roundeven roundevenf copysign copysignf fmin fminf fmax fmaxf ldexp ldexpf frexp frexpf sincos "
             "sincosf "
             "lround lroundf llround llroundf lrint lrintf llrint llrintf modf modff ",
    [LIBGCC] =
        " __divti3 __modti3 __udivti3 __umodti3 __multi3 __fixsfti __fixdfti __fixunssfti __fixunsdfti "
        "__floattisf __floattidf __floatuntisf __floatuntidf __powisf2 __powidf2 __popcountdi2 "
        "__extendhfsf2 __extendhfdf2 __truncsfhf2 __truncdfhf2 ",
};

static bool has_word(const char *words, const char *word) {
    size_t n = strlen(word);
    for (const char *at = words; n && (at = strstr(at, word)) != NULL; at++)
        if (at[-1] == ' ' && at[n] == ' ')
            return true;
    return false;
}

/* The undefined symbols. False: one that no library is known to have. */
static bool find_others(struct link *l) {
    l->others = job_alloc((l->nsymbols + 1) * sizeof *l->others);
    for (size_t i = 1; i < l->nsymbols; i++) {
        const Elf64_Sym *symbol = &l->symbols[i];
        const char *name = symbol->st_name < l->names_size ? l->names + symbol->st_name : "";
        if (symbol->st_shndx != SHN_UNDEF || !strcmp(name, "_GLOBAL_OFFSET_TABLE_"))
            continue;
        enum library in = LIBC;
        while (in < LIBRARIES && !has_word(library_names[in], name))
            in++;
        if (in == LIBRARIES)
            return false;
        l->needs[in] = true;
        l->others[l->nothers++] = symbol;
    }
    return true;
}

enum { CALL_BYTES = 8 }; /* jmp *slot(%rip), and a nop of two bytes */

/* Where a jump to the undefined symbol is, or the slot that has its address; 0: it is none of them. */
static uint64_t address_of_other(const struct link *l, size_t symbol, bool of_slot) {
    for (size_t i = 0; symbol < l->nsymbols && i < l->nothers; i++)
        if (l->others[i] == &l->symbols[symbol])
            return of_slot ? l->out[l->slots].header.sh_addr + 8 * i
                           : l->out[l->calls].header.sh_addr + CALL_BYTES * i;
    return 0;
}

static void fill_calls(struct link *l) {
    static const unsigned char jump[CALL_BYTES] = {0xff, 0x25, 0, 0, 0, 0, 0x66, 0x90};
    for (size_t i = 0; i < l->nothers; i++) {
        unsigned char *bytes = l->out[l->calls].bytes + CALL_BYTES * i;
        uint64_t slot = l->out[l->slots].header.sh_addr + 8 * i;
        memcpy(bytes, jump, sizeof jump);
        put(bytes + 2, slot - (l->out[l->calls].header.sh_addr + CALL_BYTES * i + 6), 4);
        l->relative[l->nrelative + i] =
            (Elf64_Rela){.r_offset = slot, .r_info = ELF64_R_INFO(2 + i, R_X86_64_GLOB_DAT)};
    }
}

/* ---- relocations ---- */

/* A reference to a symbol of another library. */
static bool relocate_other(struct link *l, struct section *s, const Elf64_Rela *r) {
    unsigned type = ELF64_R_TYPE(r->r_info);
    bool of_slot = type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX;
    uint64_t to = address_of_other(l, ELF64_R_SYM(r->r_info), of_slot);
    if (!to || !(s->header.sh_flags & SHF_ALLOC) || s->header.sh_size < 4 ||
        r->r_offset > s->header.sh_size - 4 || !(of_slot || type == R_X86_64_PLT32))
        return false;
    uint64_t distance = to + (uint64_t)r->r_addend - (s->header.sh_addr + r->r_offset);
    put(s->bytes + r->r_offset, distance, 4);
    return fits((int64_t)distance);
}

static bool relocate_one(struct link *l, struct section *s, const Elf64_Rela *r) {
    uint64_t index = ELF64_R_SYM(r->r_info);
    unsigned type = ELF64_R_TYPE(r->r_info), size = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
    bool loaded = s->header.sh_flags & SHF_ALLOC;
    const struct section *target = index < l->nsymbols ? section_of(l, &l->symbols[index]) : NULL;
    if (!target)
        return relocate_other(l, s, r);
    if (s->header.sh_size < size || r->r_offset > s->header.sh_size - size ||
        (loaded && !(target->header.sh_flags & SHF_ALLOC)))
        return false;
    uint64_t value = target->header.sh_addr + l->symbols[index].st_value + (uint64_t)r->r_addend,
             at = s->header.sh_addr + r->r_offset;
    unsigned char *bytes = s->bytes + r->r_offset;
    switch (type) {
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
        put(bytes, value - at, 4);
        return fits((int64_t)(value - at));
    case R_X86_64_PC64:
        put(bytes, value - at, 8);
        return true;
    case R_X86_64_64:
        put(bytes, value, 8);
        if (loaded)
            l->relative[l->nrelative++] = (Elf64_Rela){
                .r_offset = at, .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE), .r_addend = (int64_t)value};
        return !loaded || s->header.sh_flags & SHF_WRITE;
    case R_X86_64_32:
    case R_X86_64_32S:
        put(bytes, value, 4);
        return !loaded && value == (uint32_t)value;
    default:
        return false;
    }
}

/* The sections' addresses are known: fills in what depends on them. False: `ld` is needed. */
static bool relocate(struct link *l) {
    for (unsigned i = 1; i < l->nsections; i++) {
        const Elf64_Shdr *from = &l->sections[i];
        if (from->sh_type != SHT_RELA || from->sh_info >= l->nsections || !l->place[from->sh_info])
            continue;
        const Elf64_Rela *at = (const void *)(l->object + from->sh_offset);
        for (size_t r = 0; r < from->sh_size / sizeof *at; r++)
            if (!relocate_one(l, &l->out[l->place[from->sh_info]], &at[r]))
                return false;
    }
    return true;
}

/* How many relocations are left to the dynamic linker, for which memory and room in the file are made. */
static void make_relative(struct link *l, struct section *s) {
    size_t n = 0;
    for (unsigned i = 1; i < l->nsections; i++) {
        const Elf64_Shdr *from = &l->sections[i];
        const Elf64_Rela *at = (const void *)(l->object + from->sh_offset);
        bool loaded = from->sh_type == SHT_RELA && from->sh_info < l->nsections && l->place[from->sh_info] &&
                      l->out[l->place[from->sh_info]].header.sh_flags & SHF_ALLOC;
        for (size_t r = 0; loaded && r < from->sh_size / sizeof *at; r++)
            n += ELF64_R_TYPE(at[r].r_info) == R_X86_64_64;
    }
    s->header.sh_size = (n + l->nothers) * sizeof *l->relative;
    s->header.sh_entsize = sizeof *l->relative;
    s->bytes = job_alloc(s->header.sh_size);
    l->relative = (Elf64_Rela *)(void *)s->bytes;
}

static bool is_exported(const struct link *l, const Elf64_Sym *symbol) {
    const char *name = symbol->st_name < l->names_size ? l->names + symbol->st_name : "";
    return ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL &&
           (!strcmp(name, WEIR_KERNEL_SYMBOL) || !strcmp(name, WEIR_GLOBALS_SYMBOL));
}

/* The symbol as the output has it, its section's index among the output's. */
static Elf64_Sym moved(const struct link *l, const Elf64_Sym *symbol, size_t name) {
    const struct section *s = section_of(l, symbol);
    Elf64_Sym copy = *symbol;
    copy.st_name = (Elf64_Word)name;
    copy.st_value += s->header.sh_addr;
    copy.st_shndx = (Elf64_Section)(s - l->out);
    return copy;
}

/* Offsets in the file and addresses. Segments begin at pages; both have the same distance in the file as in memory. */
static uint64_t lay_out(struct link *l, uint64_t begin, unsigned first, unsigned end) {
    uint64_t at = begin;
    for (unsigned i = first; i < end; i++) {
        Elf64_Shdr *h = &l->out[i].header;
        at = (at + h->sh_addralign - 1) / h->sh_addralign * h->sh_addralign;
        h->sh_offset = at;
        h->sh_addr = h->sh_flags & SHF_ALLOC ? at : 0;
        at += h->sh_size;
    }
    return at;
}

/* Symbols for debuggers; names are the object's. */
static void make_symbols(struct link *l, unsigned index) {
    struct section *s = &l->out[index];
    Elf64_Sym *to = (Elf64_Sym *)(void *)s->bytes;
    size_t n = 1;
    for (int global = 0; global < 2; global++) {
        for (size_t i = 1; i < l->nsymbols; i++) {
            unsigned type = ELF64_ST_TYPE(l->symbols[i].st_info);
            if (section_of(l, &l->symbols[i]) && (type == STT_FUNC || type == STT_OBJECT) &&
                (ELF64_ST_BIND(l->symbols[i].st_info) != STB_LOCAL) == global)
                to[n++] = moved(l, &l->symbols[i], l->symbols[i].st_name);
        }
        s->header.sh_info = global ? s->header.sh_info : (Elf64_Word)n;
    }
    s->header.sh_size = n * sizeof *to;
    s->header.sh_entsize = sizeof *to;
    s->header.sh_link = index + 1;
}

/* The one exported symbol, its name, and a hash table with one bucket; after them symbols and names of other libraries. */
enum { HASH = 1, DYNSYM, DYNSTR, RELA, FIRST };

static bool make_exports(struct link *l) {
    const Elf64_Sym *symbol = NULL;
    for (size_t i = 1; i < l->nsymbols; i++)
        if (is_exported(l, &l->symbols[i]))
            symbol = &l->symbols[i];
    if (!symbol || !section_of(l, symbol))
        return false;
    Elf64_Sym *to = (Elf64_Sym *)(void *)l->out[DYNSYM].bytes;
    to[1] = moved(l, symbol, 1);
    char *names = (char *)l->out[DYNSTR].bytes;
    size_t at = 1 + (size_t)(stpcpy(names + 1, l->names + symbol->st_name) + 1 - (names + 1));
    for (size_t i = 0; i < l->nothers; i++) {
        to[2 + i] = (Elf64_Sym){.st_name = (Elf64_Word)at, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)};
        at = (size_t)(stpcpy(names + at, l->names + l->others[i]->st_name) + 1 - names);
    }
    /* buckets, symbols; the bucket's first; the symbols' next */
    const uint32_t hash[] = {1, (uint32_t)(2 + l->nothers), 1};
    memcpy(l->out[HASH].bytes, hash, sizeof hash);
    return true;
}

/* Names of symbols and files. */
static size_t strings_size(const struct link *l) {
    size_t n = 1 + sizeof WEIR_KERNEL_SYMBOL + sizeof WEIR_GLOBALS_SYMBOL;
    for (size_t i = 0; i < l->nothers; i++)
        n += strlen(l->names + l->others[i]->st_name) + 1;
    for (int i = 0; i < LIBRARIES; i++)
        n += l->needs[i] ? strlen(library_files[i]) + 1 : 0;
    return n;
}

/* What other libraries are needed, whose names end the string table. */
static size_t make_needed(struct link *l, Elf64_Dyn *to) {
    struct section *strings = &l->out[DYNSTR];
    size_t n = 0, end = strings->header.sh_size;
    for (int i = 0; i < LIBRARIES; i++) {
        if (!l->needs[i])
            continue;
        end -= strlen(library_files[i]) + 1;
        strcpy((char *)strings->bytes + end, library_files[i]);
        to[n++] = (Elf64_Dyn){DT_NEEDED, {end}};
    }
    return n;
}

static void make_dynamic(struct link *l, struct section *s) {
    const Elf64_Dyn entries[] = {
        {DT_HASH, {l->out[HASH].header.sh_addr}},
        {DT_SYMTAB, {l->out[DYNSYM].header.sh_addr}},
        {DT_SYMENT, {sizeof(Elf64_Sym)}},
        {DT_STRTAB, {l->out[DYNSTR].header.sh_addr}},
        {DT_STRSZ, {l->out[DYNSTR].header.sh_size}},
        {DT_RELA, {l->out[RELA].header.sh_addr}},
        {DT_RELASZ, {l->out[RELA].header.sh_size}},
        {DT_RELAENT, {sizeof(Elf64_Rela)}},
        {DT_RELACOUNT, {l->nrelative}},
        {DT_NULL, {0}},
    };
    size_t needed = make_needed(l, (Elf64_Dyn *)(void *)s->bytes);
    memcpy(s->bytes + needed * sizeof *entries, entries, sizeof entries);
}

enum { DYNAMIC_ENTRIES = 10 + LIBRARIES, SEGMENTS = 5 };

static void write_file(struct link *l, const Elf64_Phdr *segments, uint64_t end) {
    Elf64_Ehdr header;
    memcpy(&header, l->object, sizeof header);
    header.e_type = ET_DYN;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof *segments;
    header.e_phnum = l->only_relro ? SEGMENTS : SEGMENTS - 1;
    header.e_shoff = (end + 7) / 8 * 8;
    header.e_shnum = (Elf64_Half)l->nout;
    header.e_shstrndx = (Elf64_Half)(l->nout - 1);
    size_t size = header.e_shoff + l->nout * sizeof(Elf64_Shdr);
    unsigned char *file = job_alloc(size);
    memcpy(file, &header, sizeof header);
    memcpy(file + sizeof header, segments, SEGMENTS * sizeof *segments);
    for (unsigned i = 0; i < l->nout; i++) {
        memcpy(file + header.e_shoff + i * sizeof(Elf64_Shdr), &l->out[i].header, sizeof(Elf64_Shdr));
        if (i)
            memcpy(file + l->out[i].header.sh_offset, l->out[i].bytes, l->out[i].header.sh_size);
    }
    l->job->answer.output = file;
    l->job->answer.output_size = size;
}

static void name_sections(struct link *l, struct section *s) {
    struct buf names = {0};
    for (unsigned i = 0; i < l->nout; i++) {
        l->out[i].header.sh_name = (Elf64_Word)names.size;
        buf_bytes(&names, l->out[i].name, strlen(l->out[i].name) + 1);
    }
    s->header.sh_size = names.size;
    s->bytes = memcpy(job_alloc(names.size), names.data, names.size);
    buf_free(&names);
}

bool shared_object_link(struct job *job, const void *object, size_t n) {
    struct link *l = job_alloc(sizeof *l);
    *l = (struct link){.job = job, .object = object, .object_size = n, .only_relro = true};
    if (!read_object(l) || !find_others(l))
        return false;
    add(l, "", SHT_NULL, 0, 0, 0);
    add(l, ".hash", SHT_HASH, SHF_ALLOC, 8, 20 + 4 * l->nothers);
    add(l, ".dynsym", SHT_DYNSYM, SHF_ALLOC, 8, (2 + l->nothers) * sizeof(Elf64_Sym));
    add(l, ".dynstr", SHT_STRTAB, SHF_ALLOC, 1, strings_size(l));
    struct section *relative = add(l, ".rela.dyn", SHT_RELA, SHF_ALLOC, 8, 0);
    if (!take_sections(l, SHF_ALLOC))
        return false;
    l->calls = l->nout;
    if (l->nothers)
        add(l, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, CALL_BYTES * l->nothers);
    unsigned dynamic = l->nout;
    add(l, ".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8, DYNAMIC_ENTRIES * sizeof(Elf64_Dyn));
    l->slots = l->nout;
    if (l->nothers)
        add(l, ".got", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8, 8 * l->nothers);
    if (!take_sections(l, SHF_ALLOC | SHF_WRITE))
        return false;
    unsigned debug = l->nout;
    if (!take_sections(l, 0))
        return false;
    unsigned symbols = l->nout;
    add(l, ".symtab", SHT_SYMTAB, 0, 8, l->nsymbols * sizeof(Elf64_Sym));
    memcpy(add(l, ".strtab", SHT_STRTAB, 0, 1, l->names_size)->bytes, l->names, l->names_size);
    name_sections(l, add(l, ".shstrtab", SHT_STRTAB, 0, 1, 0));
    make_relative(l, relative);
    l->out[HASH].header.sh_link = l->out[RELA].header.sh_link = DYNSYM;
    l->out[DYNSYM].header.sh_link = l->out[dynamic].header.sh_link = DYNSTR;
    l->out[DYNSYM].header.sh_info = 1;
    l->out[DYNSYM].header.sh_entsize = sizeof(Elf64_Sym);
    l->out[dynamic].header.sh_entsize = sizeof(Elf64_Dyn);

    uint64_t read_end = lay_out(l, sizeof(Elf64_Ehdr) + SEGMENTS * sizeof(Elf64_Phdr), HASH, dynamic);
    uint64_t write_begin = (read_end + PAGE - 1) / PAGE * PAGE;
    uint64_t write_end = lay_out(l, write_begin, dynamic, debug);
    uint64_t page_end = (write_end + PAGE - 1) / PAGE * PAGE;
    uint64_t end = lay_out(l, write_end, debug, l->nout);
    if (!relocate(l) || !make_exports(l))
        return false;
    fill_calls(l);
    make_dynamic(l, &l->out[dynamic]);
    make_symbols(l, symbols);
    uint64_t dynamic_size = l->out[dynamic].header.sh_size;
    const Elf64_Phdr segments[SEGMENTS] = {
        {PT_LOAD, PF_R | PF_X, 0, 0, 0, read_end, read_end, PAGE},
        {PT_LOAD, PF_R | PF_W, write_begin, write_begin, write_begin, write_end - write_begin,
         page_end - write_begin, PAGE},
        {PT_DYNAMIC, PF_R | PF_W, write_begin, write_begin, write_begin, dynamic_size, dynamic_size, 8},
        {PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 0, 0, 16},
        {PT_GNU_RELRO, PF_R, write_begin, write_begin, write_begin, write_end - write_begin,
         page_end - write_begin, 1},
    };
    write_file(l, segments, end);
    return true;
}

/* line.c: which source line an instruction of a kernel object is from.
 *
 * In: the object's file and an address in it. Out: file and line, by the line table that clang and LLVM write for
 * debuggers (DWARF 4, section 6.2: a program whose rows are addresses and lines in ascending order). It is read where the
 * kernel has just faulted: no memory, no locks, and nothing of the file is trusted.
 */
#include "rt.h"

#include <elf.h>
#include <string.h>

struct reader {
    const unsigned char *at, *end;
    bool failed;
};

static uint64_t fixed(struct reader *r, unsigned bytes) {
    uint64_t n = 0;
    if (bytes > (size_t)(r->end - r->at)) {
        r->failed = true;
        r->at = r->end;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        n |= (uint64_t)r->at[i] << 8 * i;
    r->at += bytes;
    return n;
}

/* LEB128: seven bits a byte, the lowest first. */
static uint64_t leb(struct reader *r, bool is_signed) {
    uint64_t n = 0, byte = 0x80;
    unsigned shift = 0;
    while (byte & 0x80 && !r->failed) {
        byte = fixed(r, 1);
        n |= shift < 64 ? (byte & 0x7f) << shift : 0;
        shift += 7;
    }
    return is_signed && shift < 64 && byte & 0x40 ? n | ~UINT64_C(0) << shift : n;
}

static const char *string(struct reader *r) {
    const char *s = (const char *)r->at;
    const unsigned char *nul = memchr(r->at, 0, (size_t)(r->end - r->at));
    r->failed |= !nul;
    r->at = nul ? nul + 1 : r->end;
    return nul ? s : "";
}

/* The bytes of the section `name`; empty: it isn't there. */
static struct reader section(const unsigned char *elf, size_t n, const char *name) {
    const Elf64_Ehdr *h = (const void *)elf;
    struct reader none = {elf, elf, true};
    if (n < sizeof *h || h->e_shoff % 8 || h->e_shoff > n ||
        h->e_shnum > (n - h->e_shoff) / sizeof(Elf64_Shdr) || h->e_shstrndx >= h->e_shnum)
        return none;
    const Elf64_Shdr *s = (const void *)(elf + h->e_shoff), *names = &s[h->e_shstrndx];
    if (names->sh_offset > n || names->sh_size > n - names->sh_offset)
        return none;
    for (unsigned i = 1; i < h->e_shnum; i++) {
        size_t room = s[i].sh_name < names->sh_size ? names->sh_size - s[i].sh_name : 0;
        if (room > strlen(name) && !memcmp(elf + names->sh_offset + s[i].sh_name, name, strlen(name) + 1) &&
            s[i].sh_offset <= n && s[i].sh_size <= n - s[i].sh_offset)
            return (struct reader){elf + s[i].sh_offset, elf + s[i].sh_offset + s[i].sh_size, false};
    }
    return none;
}

/* One unit's table, and the row that the program has come to. */
struct table {
    struct reader program;
    unsigned step, range,
        first_opcode; /* bytes of an instruction, lines of a special opcode, opcodes with arguments */
    int base;
    unsigned char arguments[256]; /* of standard opcodes */
    struct reader folders, files;
    uint64_t address, line, file;
};

static bool read_header(struct reader *r, struct table *t) {
    uint64_t length = fixed(r, 4);
    if (r->failed || length > (size_t)(r->end - r->at))
        return false;
    *t = (struct table){.program = {r->at, r->at + length, false}};
    r->at += length;
    struct reader *p = &t->program;
    bool known = fixed(p, 2) == 4;
    uint64_t header = fixed(p, 4);
    const unsigned char *program = header <= (size_t)(p->end - p->at) ? p->at + header : p->end;
    t->step = (unsigned)fixed(p, 1);
    fixed(p, 2); /* operations of an instruction; whether rows are statements */
    t->base = (signed char)fixed(p, 1);
    t->range = (unsigned)fixed(p, 1);
    t->first_opcode = (unsigned)fixed(p, 1);
    for (unsigned i = 1; i < t->first_opcode; i++)
        t->arguments[i] = (unsigned char)fixed(p, 1);
    t->folders = (struct reader){p->at, program, p->failed || p->at > program};
    while (!p->failed && *string(p)) /* folders */
        continue;
    t->files = (struct reader){p->at, program, p->failed || p->at > program};
    p->at = program;
    return known && t->range && t->first_opcode && !p->failed && !t->files.failed;
}

/* Files and folders count from 1; folder 0 is the compiler's own. */
static void name_of(const struct table *t, uint64_t number, struct source_line *s) {
    struct reader files = t->files, folders = t->folders;
    uint64_t folder = 0;
    for (uint64_t i = 1; i <= number && !files.failed; i++) {
        s->file = string(&files);
        folder = leb(&files, false);
        leb(&files, false); /* time and size */
        leb(&files, false);
    }
    for (uint64_t i = 1; i <= folder && !folders.failed; i++)
        s->folder = string(&folders);
}

static void advance(struct table *t, unsigned opcode) {
    unsigned n = opcode - t->first_opcode;
    t->address += n / t->range * t->step;
    t->line += (uint64_t)(int64_t)(t->base + (int)(n % t->range));
}

/* One opcode. True: there is a row; *ends: the last of its sequence. */
static bool next_row(struct table *t, bool *ends) {
    struct reader *p = &t->program;
    unsigned opcode = (unsigned)fixed(p, 1);
    *ends = false;
    if (opcode >= t->first_opcode) {
        advance(t, opcode);
        return true;
    }
    switch (opcode) {
    case 0: { /* extended: with its length */
        uint64_t length = leb(p, false);
        struct reader e = {
            p->at, p->at + (length < (size_t)(p->end - p->at) ? length : (size_t)(p->end - p->at)), false};
        p->at = e.end;
        unsigned kind = (unsigned)fixed(&e, 1);
        if (kind == 2)
            t->address = fixed(&e, 8);
        *ends = kind == 1;
        return *ends;
    }
    case 1: /* copy */
        return true;
    case 2:
        t->address += leb(p, false) * t->step;
        return false;
    case 3:
        t->line += leb(p, true);
        return false;
    case 4:
        t->file = leb(p, false);
        return false;
    case 8: /* as the last special opcode, without a row */
        t->address += (255 - t->first_opcode) / t->range * t->step;
        return false;
    case 9:
        t->address += fixed(p, 2);
        return false;
    default:
        for (unsigned i = 0; i < t->arguments[opcode]; i++)
            leb(p, false);
        return false;
    }
}

/* Runs one unit's program up to the row after `address`. Rows of line 0 are of no one line: the one before counts. */
static bool find_in(struct table *t, uint64_t address, uint64_t *line, uint64_t *file) {
    uint64_t begin = 0, at_line = 0, at_file = 0;
    bool has_row = false, ends;
    t->line = t->file = 1;
    while (t->program.at < t->program.end && !t->program.failed) {
        if (!next_row(t, &ends))
            continue;
        if (has_row && begin <= address && address < t->address && at_line) {
            *line = at_line;
            *file = at_file;
            return true;
        }
        if (!has_row)
            begin = t->address;
        if (t->address <= address && t->line) {
            at_line = t->line;
            at_file = t->file;
        }
        has_row = !ends;
        if (ends) {
            t->address = at_line = 0;
            t->line = t->file = 1;
        }
    }
    return false;
}

bool line_of(const void *elf, size_t n, uint64_t address, struct source_line *s) {
    struct reader r = section(elf, n, ".debug_line");
    struct table t;
    uint64_t line = 0, file = 0;
    *s = (struct source_line){.folder = "", .file = ""};
    while (!r.failed && r.at < r.end && read_header(&r, &t))
        if (find_in(&t, address, &line, &file)) {
            s->line = (unsigned)line;
            name_of(&t, file, s);
            return true;
        }
    return false;
}

const char *line_function(const void *elf, size_t n, uint64_t address) {
    struct reader symbols = section(elf, n, ".symtab"), names = section(elf, n, ".strtab");
    Elf64_Sym s;
    for (; !symbols.failed && !names.failed && (size_t)(symbols.end - symbols.at) >= sizeof s;
         symbols.at += sizeof s) {
        memcpy(&s, symbols.at, sizeof s);
        struct reader name = {names.at, names.end, false};
        if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || address - s.st_value >= s.st_size ||
            s.st_name >= (size_t)(names.end - names.at))
            continue;
        name.at += s.st_name;
        const char *text = string(&name);
        return name.failed ? NULL : text;
    }
    return NULL;
}

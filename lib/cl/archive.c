/* archive.c: the finished library as an archive of small bitcode modules, so that a kernel reads only what it uses.
 *
 * In: one module, all linkonce_odr. Out: a Unix archive (`ar`) with a symbol table, sorted by name, that says which
 * member defines a function or constant. Members are bitcode of GROUP symbols that are neighbours in the order of
 * their names as OpenCL has them, so that overloads and the helpers of one function lie together; what they use of
 * other members is declared. */
#include "tool.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 24 };

struct symbol {
    char *name, *base;
    unsigned group;
};

struct archive {
    struct symbol *symbols; /* by base while groups are made, then by name */
    unsigned nsymbols, ngroups;
    LLVMMemoryBufferRef *members; /* by group */
};

/* "__clc_sin" of "_Z9__clc_sinf": without what mangling adds, and without libclc's prefixes. */
static char *base_of(const char *name) {
    size_t n = strlen(name);
    if (!strncmp(name, "__libclc", 8)) {
        name += 8;
    }
    if (!strncmp(name, "_Z", 2) && isdigit((unsigned char)name[2])) {
        char *at;
        n = strtoul(name + 2, &at, 10);
        name = at;
    }
    n = strnlen(name, n);
    if (n > 6 && !strncmp(name, "__clc_", 6)) {
        name += 6;
        n -= 6;
    }
    return strndup(name, n);
}

static int by_base(const void *a, const void *b) {
    const struct symbol *x = a, *y = b;
    int order = strcmp(x->base, y->base);
    return order ? order : strcmp(x->name, y->name);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name);
}

static void add_symbol(struct archive *archive, LLVMValueRef global) {
    size_t n;
    const char *name = LLVMGetValueName2(global, &n);
    if (LLVMIsDeclaration(global)) {
        return;
    }
    if (archive->nsymbols % 1024 == 0) {
        archive->symbols = realloc(archive->symbols, (archive->nsymbols + 1024) * sizeof *archive->symbols);
    }
    archive->symbols[archive->nsymbols++] = (struct symbol){.name = strdup(name), .base = base_of(name)};
}

static LLVMValueRef find(LLVMModuleRef module, const char *name) {
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    return function ? function : LLVMGetNamedGlobal(module, name);
}

static void run(LLVMModuleRef module, const char *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, NULL, options);
    if (error) {
        fail("archive", LLVMGetErrorMessage(error));
    }
    LLVMDisposePassBuilderOptions(options);
}

/* What the symbols from `first` to before `end` define becomes declarations, or goes where nothing uses it. */
static void drop(struct archive *archive, LLVMModuleRef module, unsigned first, unsigned end) {
    for (unsigned i = first; i < end; i++) {
        LLVMSetLinkage(find(module, archive->symbols[i].name), LLVMAvailableExternallyLinkage);
    }
    run(module, "elim-avail-extern,strip-dead-prototypes");
}

/* Makes the members of the symbols from `first` to before `end`, all that the module defines. Halving keeps the
 * copying of modules down. Consumes the module. */
static void divide(struct archive *archive, LLVMModuleRef module, unsigned first, unsigned end) {
    unsigned groups = (end - first + GROUP - 1) / GROUP;
    if (groups == 1) {
        archive->members[archive->ngroups] = LLVMWriteBitcodeToMemoryBuffer(module);
        for (unsigned i = first; i < end; i++) {
            archive->symbols[i].group = archive->ngroups;
        }
        archive->ngroups++;
        LLVMDisposeModule(module);
        return;
    }
    unsigned middle = first + groups / 2 * GROUP;
    LLVMModuleRef left = LLVMCloneModule(module);
    drop(archive, left, middle, end);
    divide(archive, left, first, middle);
    drop(archive, module, first, middle);
    divide(archive, module, middle, end);
}

static void write_header(FILE *file, const char *name, size_t size) {
    fprintf(file, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", name, 0, 0, 0, 644, size);
}

static void write_number(FILE *file, uint32_t number) {
    unsigned char bytes[4] = {(unsigned char)(number >> 24), (unsigned char)(number >> 16),
                              (unsigned char)(number >> 8), (unsigned char)number};
    fwrite(bytes, 1, 4, file);
}

static void write_archive(const struct archive *archive, const char *path) {
    static const char magic[] = "!<arch>\n";
    enum { HEADER = 60 };
    FILE *file = fopen(path, "wb");
    uint32_t *offsets = calloc(archive->ngroups, sizeof *offsets), names = 0;
    if (!file) {
        fail(path, "can't be written");
    }
    for (unsigned i = 0; i < archive->nsymbols; i++) {
        names += (uint32_t)strlen(archive->symbols[i].name) + 1;
    }
    uint32_t table = (4 + 4 * archive->nsymbols + names + 3) / 4 * 4, at = sizeof magic - 1 + HEADER + table;
    for (unsigned i = 0; i < archive->ngroups; i++) {
        offsets[i] = at;
        at += HEADER + (uint32_t)LLVMGetBufferSize(archive->members[i]); /* a multiple of 4 */
    }
    fwrite(magic, 1, sizeof magic - 1, file);
    write_header(file, "/", table);
    write_number(file, archive->nsymbols);
    for (unsigned i = 0; i < archive->nsymbols; i++) {
        write_number(file, offsets[archive->symbols[i].group]);
    }
    for (unsigned i = 0; i < archive->nsymbols; i++) {
        fwrite(archive->symbols[i].name, 1, strlen(archive->symbols[i].name) + 1, file);
    }
    fwrite("\0\0\0", 1, table - (4 + 4 * archive->nsymbols + names), file);
    for (unsigned i = 0; i < archive->ngroups; i++) {
        char name[17];
        snprintf(name, sizeof name, "%u.bc/", i);
        write_header(file, name, LLVMGetBufferSize(archive->members[i]));
        fwrite(LLVMGetBufferStart(archive->members[i]), 1, LLVMGetBufferSize(archive->members[i]), file);
    }
    if (ferror(file) | fclose(file)) {
        fail(path, "can't be written");
    }
    free(offsets);
}

void archive_write(LLVMModuleRef library, const char *path) {
    struct archive archive = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        add_symbol(&archive, f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(library); g; g = LLVMGetNextGlobal(g)) {
        add_symbol(&archive, g);
    }
    qsort(archive.symbols, archive.nsymbols, sizeof *archive.symbols, by_base);
    archive.members = calloc(archive.nsymbols / GROUP + 1, sizeof *archive.members);
    divide(&archive, library, 0, archive.nsymbols);
    qsort(archive.symbols, archive.nsymbols, sizeof *archive.symbols, by_name);
    write_archive(&archive, path);
}

/* library.c: the built-in library, weir-builtins.a.
 *
 * In: the file beside weirc or in the installed lib or share folder, an archive of small bitcode modules with a
 * symbol table (lib/cl/archive.c). Out: its functions, linked into modules that use them. Only members that define
 * something used are read.
 */
#include "frontend.h"
#include "ir.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAGIC  "!<arch>\n"
#define HEADER 60 /* bytes before each member */

static struct {
    const char *file; /* NULL: there is none, see `failure` */
    size_t size;
    uint32_t nsymbols;
    const char *offsets; /* of the members that define them, big-endian */
    const char **names;  /* sorted */
} library;
static char failure[PATH_MAX + 128];

static const char *folder_of_weirc(int *length) {
    static char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    char *slash = strrchr(self, '/');
    *length = slash ? (int)(slash - self) + 1 : 0;
    return self;
}

bool library_find(const char *name, char path[PATH_MAX]) {
    static const char *const places[] = {"", "../lib/weir/", "../share/weir/", "../lib/",
                                         "../../share/weir/"};
    int folder;
    const char *self = folder_of_weirc(&folder);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(path, PATH_MAX, "%.*s%s%s", folder, self, places[i], name) < PATH_MAX &&
            !access(path, R_OK))
            return true;
    *path = 0;
    return false;
}

static uint32_t number_at(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* The size of the member whose header is at `offset`; 0: there is none. */
static size_t member_size(size_t offset) {
    if (offset > library.size || library.size - offset < HEADER)
        return 0;
    size_t size = strtoul(library.file + offset + 48, NULL, 10), left = library.size - offset - HEADER;
    return size <= left ? size : 0;
}

/* The symbol table, the first member: a count, the offsets of the members, and names, each with its NUL. */
static bool index_symbols(void) {
    size_t magic = sizeof MAGIC - 1;
    if (library.size < magic || memcmp(library.file, MAGIC, magic))
        return false;
    size_t size = member_size(magic);
    const char *table = library.file + magic + HEADER, *end = table + size;
    if (size < 4 || library.file[magic] != '/' || number_at(table) > (size - 4) / 4)
        return false;
    library.nsymbols = number_at(table);
    library.offsets = table + 4;
    library.names = calloc(library.nsymbols + 1, sizeof *library.names);
    if (!library.names)
        return false;
    const char *at = library.offsets + 4 * (size_t)library.nsymbols;
    for (uint32_t i = 0; i < library.nsymbols; i++) {
        const char *nul = memchr(at, 0, (size_t)(end - at));
        if (!nul)
            return false;
        library.names[i] = at;
        at = nul + 1;
    }
    return true;
}

void library_open(void) {
    static bool done;
    char path[PATH_MAX], *error = NULL;
    LLVMMemoryBufferRef file;
    if (done)
        return;
    done = true;
    if (!library_find("weir-builtins.a", path)) {
        int folder;
        snprintf(failure, sizeof failure,
                 "weir-builtins.a is not beside %s nor in its lib/weir or share/weir",
                 folder_of_weirc(&folder));
        return;
    }
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &file, &error)) {
        snprintf(failure, sizeof failure, "cannot read %s: %s", path, error);
        return;
    }
    library.file = LLVMGetBufferStart(file);
    library.size = LLVMGetBufferSize(file);
    if (!index_symbols()) {
        library.file = NULL;
        library.nsymbols = 0;
        snprintf(failure, sizeof failure, "%s is not a built-in library", path);
    }
}

static int compare_names(const void *name, const void *at) {
    return strcmp(name, *(const char *const *)at);
}

/* Offset of the member that defines the name; 0: none does. */
static size_t defined_at(const char *name) {
    if (!library.nsymbols) /* then there may be no array of them */
        return 0;
    const char **at = bsearch(name, library.names, library.nsymbols, sizeof *library.names, compare_names);
    return at ? number_at(library.offsets + 4 * (at - library.names)) : 0;
}

bool library_has(const char *function) {
    return defined_at(function);
}

const char *library_name(uint32_t i) {
    return i < library.nsymbols ? library.names[i] : NULL;
}

/* The member that defines what `global` only declares joins the list, unless it is there. */
static void want(LLVMValueRef global, struct list *members, struct ptrmap *listed) {
    size_t length, offset;
    if (!LLVMIsDeclaration(global) || !LLVMGetFirstUse(global) ||
        !(offset = defined_at(LLVMGetValueName2(global, &length))) ||
        ptrmap_at(listed, library.file + offset, 0))
        return;
    ptrmap_set(listed, library.file + offset, 1);
    list_add(members, (void *)(library.file + offset));
}

/* The members that define what the module uses and doesn't define. */
static void find_members(LLVMModuleRef module, struct list *members) {
    struct ptrmap listed = {0};
    members->n = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        want(f, members, &listed);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        want(g, members, &listed);
}

/* An empty module that declares what `module` declares: linking takes nothing else from members. */
static LLVMModuleRef declarations_of(struct job *job, LLVMModuleRef module) {
    LLVMModuleRef made = LLVMModuleCreateWithNameInContext("builtins", job->llvm);
    size_t n;
    LLVMSetModuleDataLayout(made, LLVMGetModuleDataLayout(module));
    LLVMSetTarget(made, LLVMGetTarget(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f))
            LLVMAddFunction(made, LLVMGetValueName2(f, &n), LLVMGlobalGetValueType(f));
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g))
            LLVMAddGlobalInAddressSpace(made, LLVMGlobalGetValueType(g), LLVMGetValueName2(g, &n),
                                        LLVMGetPointerAddressSpace(LLVMTypeOf(g)));
    return made;
}

static void link_member(struct job *job, LLVMModuleRef module, const char *member) {
    size_t size = member_size((size_t)(member - library.file));
    LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRange(member + HEADER, size, "builtins", 0);
    LLVMModuleRef read;
    if (!size || LLVMGetBitcodeModuleInContext2(job->llvm, bytes, &read))
        job_fail(job, ANSWER_COMPILER_FAILED, "the built-in library is damaged");
    if (LLVMLinkModules2(module, read))
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot link the built-in library");
}

static void mark(struct job *job, LLVMValueRef f) {
    unsigned kind = LLVMGetMDKindIDInContext(job->llvm, MARK_LIBRARY, strlen(MARK_LIBRARY));
    LLVMValueRef node = LLVMMetadataAsValue(job->llvm, LLVMMDNodeInContext2(job->llvm, NULL, 0));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsATerminatorInst(i) || LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
                LLVMSetMetadata(i, kind, node);
}

void library_need(struct job *job) {
    if (!library.file)
        job_fail(job, ANSWER_COMPILER_FAILED, "no built-in library: %s", failure);
}

/* Of functions that ask whether a work-group is one row, one way is left. */
static void fold_one_row(LLVMModuleRef module, bool one_row) {
    LLVMValueRef f = LLVMGetNamedFunction(module, "__weir_one_row");
    for (LLVMUseRef u; f && (u = LLVMGetFirstUse(f));) {
        LLVMValueRef call = LLVMGetUser(u);
        LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), one_row, 0));
        LLVMInstructionEraseFromParent(call);
    }
}

void library_link(struct job *job, LLVMModuleRef module, bool one_row) {
    library_need(job);
    struct ptrmap ours = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            ptrmap_set(&ours, f, 1);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g))
            ptrmap_set(&ours, g, 1);
    struct list members = {0};
    find_members(module, &members);
    /* A link looks at all that is there before: beside a long program members are joined first. */
    LLVMModuleRef joined = members.n && ir_is_long(module) ? declarations_of(job, module) : module;
    for (; members.n; find_members(joined, &members)) /* what is linked may use more */
        for (size_t i = 0; i < members.n; i++)
            link_member(job, joined, members.at[i]);
    if (joined != module && LLVMLinkModules2(module, joined))
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot link the built-in library");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !ptrmap_at(&ours, f, 0)) {
            LLVMSetLinkage(f, LLVMInternalLinkage);
            if (job->request->check)
                mark(job, f);
        }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && !ptrmap_at(&ours, g, 0))
            LLVMSetLinkage(g, LLVMInternalLinkage);
    fold_one_row(module, one_row);
}

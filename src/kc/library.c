/* library.c: the built-in library, weir-builtins.bc.
 *
 * In: the file beside weirc or in the installed lib or share folder. Out: its functions, linked into modules
 * that use them. It is parsed lazily, once per process; linking consumes the parsed module, which is why a
 * request runs in a process of its own.
 */
#include "kc.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static LLVMModuleRef library;
static char failure[PATH_MAX + 128]; /* why `library` is NULL */

/* The first of the usual places that has the file; "" if none does. */
static void find(char path[PATH_MAX]) {
    static const char *const places[] = {"", "../lib/weir/", "../share/weir/", "../lib/",
                                         "../../share/weir/"};
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
    char *slash = strrchr(self, '/');
    int folder = slash ? (int)(slash - self) + 1 : 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(path, PATH_MAX, "%.*s%sweir-builtins.bc", folder, self, places[i]) < PATH_MAX &&
            !access(path, R_OK))
            return;
    snprintf(failure, sizeof failure, "weir-builtins.bc is not beside %s nor in its lib/weir or share/weir",
             self);
    *path = 0;
}

void library_open(LLVMContextRef llvm) {
    static bool done;
    char path[PATH_MAX], *error = NULL;
    LLVMMemoryBufferRef file;
    if (done)
        return;
    done = true;
    find(path);
    if (!*path)
        return;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &file, &error))
        snprintf(failure, sizeof failure, "cannot read %s: %s", path, error);
    else if (LLVMGetBitcodeModuleInContext2(llvm, file, &library)) {
        library = NULL;
        snprintf(failure, sizeof failure, "%s is not a built-in library", path);
    }
}

static pthread_t prefetcher;
static bool prefetching;

static void *prefetch(void *llvm) {
    library_open(llvm);
    return NULL;
}

void library_prefetch(LLVMContextRef llvm) {
    prefetching = !library && !pthread_create(&prefetcher, NULL, prefetch, llvm);
    if (!prefetching)
        library_open(llvm);
}

void library_wait(void) {
    if (prefetching)
        pthread_join(prefetcher, NULL);
    prefetching = false;
}

bool library_has(const char *function) {
    return library && LLVMGetNamedFunction(library, function);
}

void library_link(struct job *job, LLVMModuleRef module) {
    if (!library)
        job_fail(job, ANSWER_COMPILER_FAILED, "no built-in library: %s", failure);
    struct ptrmap ours = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            ptrmap_set(&ours, f, 1);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g))
            ptrmap_set(&ours, g, 1);
    if (LLVMLinkModules2(module, library))
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot link the built-in library");
    library = NULL;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !ptrmap_at(&ours, f, 0))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && !ptrmap_at(&ours, g, 0))
            LLVMSetLinkage(g, LLVMInternalLinkage);
}

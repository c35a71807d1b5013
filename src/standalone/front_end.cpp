/* front_end.cpp: what `clang -cc1` does, for a weirc that stands alone.
 *
 * In: arguments, as frontend.c makes them. Out: bitcode and diagnostics, and clang's exit status. clang has no interface
 * in C for this, so this is the one file of C++; only scripts/standalone.mk builds it.
 */
#include "front_end.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <llvm/Plugins/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <unistd.h>

/* LLVM's list of passes names a plugin that nothing here asks for. */
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder &) {}, nullptr};
}

/* As clang does it: an error of LLVM's own is exit status 70. */
static void fatal(void *, const char *message, bool) {
    llvm::errs() << "error: " << message << "\n";
    _exit(70);
}

extern "C" int front_end_main(int argc, char **argv, char **) {
    llvm::BumpPtrAllocator memory;
    llvm::StringSaver saver(memory);
    llvm::SmallVector<const char *, 256> arguments(argv, argv + argc);
    llvm::cl::ExpansionContext expansion(memory, llvm::cl::TokenizeGNUCommandLine);
    if (llvm::Error error = expansion.expandResponseFiles(arguments)) {
        llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
        return 1;
    }
    llvm::ArrayRef<const char *> own = llvm::ArrayRef<const char *>(arguments).drop_front(2);

    /* What is wrong with the arguments is shown once it is known how. */
    clang::DiagnosticOptions buffered;
    clang::TextDiagnosticBuffer buffer;
    clang::DiagnosticsEngine early(clang::DiagnosticIDs::create(), buffered, &buffer, false);
    clang::CompilerInstance clang;
    bool ok = clang::CompilerInvocation::CreateFromArgs(clang.getInvocation(), own, early, argv[0]);
    clang.createVirtualFileSystem();
    clang.createDiagnostics();
    llvm::install_fatal_error_handler(fatal);
    buffer.FlushDiagnostics(clang.getDiagnostics());
    if (ok && !clang.getDiagnostics().hasErrorOccurred()) {
        clang::EmitBCAction
            action; /* all that frontend.c asks for; others would bring the static analyzer in */
        ok = clang.getFrontendOpts().ProgramAction == clang::frontend::EmitBC && clang.ExecuteAction(action);
    } else {
        ok = false;
    }
    llvm::remove_fatal_error_handler();
    return !ok;
}

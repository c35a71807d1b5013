/* tool.h: the parts of builtins-tool. */
#include <llvm-c/Core.h>

_Noreturn void fail(const char *what, const char *why); /* ends the tool */
/* Writes the library to a file as an archive of small modules; consumes it. */
void archive_write(LLVMModuleRef library, const char *path);

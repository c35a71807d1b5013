/* globals_layout.c: where program-scope variables lie in the block that all kernels of a program share.
 *
 * In: a program's module. Out: offsets, the same in every step of a build and in every kernel's variant: front end,
 * lowering and the object that initializes the block all ask here. */
#include "ir.h"

uint64_t globals_layout(LLVMModuleRef module, struct ptrmap *offsets, uint32_t *align) {
    struct ptrmap own = {0}, *map = offsets ? offsets : &own;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    uint64_t bytes = 0;
    uint32_t most = 1;
    for (bool more = true; more;) { /* constants that refer to placed variables are placed too */
        more = false;
        for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
            uintptr_t known;
            unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
            LLVMValueRef value = LLVMIsDeclaration(g) ? NULL : LLVMGetInitializer(g);
            if (!value || ptrmap_get(map, g, &known) ||
                !(space == AS_GLOBAL || (space == AS_CONSTANT && ir_refers(value, map)))) {
                continue;
            }
            uint32_t own_align = ir_variable_align(layout, g, 1);
            most = own_align > most ? own_align : most;
            bytes = ir_align_up(bytes, own_align);
            ptrmap_set(map, g, bytes);
            bytes += LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g));
            more = true;
        }
    }
    if (align) {
        *align = most;
    }
    return bytes;
}

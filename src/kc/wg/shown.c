/* shown.c: tells debuggers where a work-item's variables are (k->shown).
 *
 * In: k->run with the program's variables as allocas, and debug information that names these. Regions are copies without
 * it, and where a variable is depends on the work-item. Out: for each of them a pointer in the stack frame, which every
 * region sets when a work-item begins it, and which the debug information says to follow, everywhere in the function.
 * A line that several regions have is several times in the code. gdb takes one place of a line in a function, and all of a
 * line in a function that is inlined several times: so each region says that what clang made a function of its own, the
 * kernel's body, is inlined at another column of the kernel's line. */
#include "wg.h"

/* A variable of the source. Several may be in one alloca. */
struct shown {
    LLVMValueRef alloca;
    LLVMMetadataRef variable, expression, location;
};

/* A way that begins at a pointer to where `expression` begins; NULL: it is neither none nor a step to another address. */
static LLVMMetadataRef follow(LLVMDIBuilderRef info, LLVMMetadataRef expression) {
    uint64_t steps[] = {DWARF_DEREF, DWARF_DEREF};
    for (unsigned n = 0; n < 2; n++) {
        if (expression == LLVMDIBuilderCreateExpression(info, steps, n)) {
            return LLVMDIBuilderCreateExpression(info, steps, n + 1);
        }
    }
    return NULL;
}

void shown_find(struct wg *wg) {
    LLVMBasicBlockRef block = wg->k->shown ? LLVMGetFirstBasicBlock(wg->k->run) : NULL;
    for (; block; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            for (LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(i); r; r = LLVMGetNextDbgRecord(r)) {
                if (LLVMDbgRecordGetKind(r) == LLVMDbgRecordDeclare) {
                    struct shown *shown = job_alloc(sizeof *shown);
                    shown->alloca = LLVMDbgVariableRecordGetValue(r, 0);
                    shown->variable = LLVMDbgVariableRecordGetVariable(r);
                    shown->expression = LLVMDbgVariableRecordGetExpression(r);
                    shown->location = LLVMDbgRecordGetDebugLoc(r);
                    list_add(&wg->shown, shown);
                }
            }
        }
    }
}

/* Of a place where something is inlined: the region's own. */
static LLVMMetadataRef inlined_in(struct wg *wg, unsigned region, LLVMMetadataRef place) {
    LLVMMetadataRef outer = LLVMDILocationGetInlinedAt(place), scope = LLVMDILocationGetScope(place);
    unsigned column = outer ? LLVMDILocationGetColumn(place) : region + 1;
    return LLVMDIBuilderCreateDebugLocation(wg->k->llvm, LLVMDILocationGetLine(place), column, scope,
                                            outer ? inlined_in(wg, region, outer) : NULL);
}

static LLVMMetadataRef location_in(struct wg *wg, unsigned region, LLVMMetadataRef location) {
    LLVMMetadataRef place = LLVMDILocationGetInlinedAt(location);
    if (!place) {
        return location;
    }
    return LLVMDIBuilderCreateDebugLocation(wg->k->llvm, LLVMDILocationGetLine(location),
                                            LLVMDILocationGetColumn(location),
                                            LLVMDILocationGetScope(location), inlined_in(wg, region, place));
}

void shown_place(struct wg *wg, const struct region *r, LLVMValueRef copy) {
    LLVMMetadataRef location = wg->k->shown ? LLVMInstructionGetDebugLoc(copy) : NULL;
    if (location) {
        LLVMInstructionSetDebugLoc(copy, location_in(wg, (unsigned)(r - wg->regions), location));
    }
}

void shown_declare(struct wg *wg) {
    enum { MOST = 20000 }; /* declarations, of variables in each region */
    if (!wg->shown.n) {
        return;
    }
    LLVMTypeRef pointer = LLVMPointerTypeInContext(wg->k->llvm, AS_PRIVATE);
    LLVMDIBuilderRef info = LLVMCreateDIBuilderDisallowUnresolved(wg->k->module);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(wg->k->run));
    LLVMBuilderRef b = ir_at_entry(wg->k->run);
    for (size_t n = 0; n < wg->shown.n; n++) {
        const struct shown *shown = wg->shown.at[n];
        LLVMMetadataRef way = follow(info, shown->expression);
        uintptr_t at;
        if (!way || !ptrmap_get(&wg->slots.by_var, shown->alloca, &at)) {
            continue;
        }
        struct slot *slot = &wg->slots.at[at];
        if (!slot->shown) {
            slot->shown = LLVMBuildAlloca(b, pointer, "shown");
        }
        for (unsigned r = 0; r < wg->nregions && r <= MOST / wg->shown.n; r++) {
            LLVMDIBuilderInsertDeclareRecordBefore(info, slot->shown, shown->variable, way,
                                                   location_in(wg, r, shown->location), end);
        }
    }
    LLVMDisposeBuilder(b);
    LLVMDIBuilderFinalize(info);
    LLVMDisposeDIBuilder(info);
}

void shown_note(struct wg *wg, const struct slot *slot, LLVMValueRef at) {
    if (slot->shown) {
        LLVMBuildStore(wg->b, at, slot->shown);
    }
}

/* shown.c: tells debuggers where a work-item's variables are (k->shown).
 *
 * In: k->run with the program's variables as allocas, and debug information that names these. Regions are copies without
 * it, and where a variable is depends on the work-item. Out: for each of them a pointer in the stack frame, which every
 * region sets when a work-item begins it, and which the debug information says to follow, everywhere in the function.
 * A line that several regions have is several times in the code. gdb takes one place of a line in a block of the program, and
 * all of a line in a function that is inlined several times: so each region's part of a block is a block of its own in it,
 * which has variables, as else LLVM would leave it out: the work-item's ids. */
#include "wg.h"

/* A variable of the source. Several may be in one alloca. */
struct shown {
    LLVMValueRef alloca;
    LLVMMetadataRef variable, expression, location;
    bool is_ids; /* the kernel's own, which each region's blocks have */
};

enum { MOST_DECLARED = 20000 }; /* variables, in blocks and regions */

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
    unsigned kind = LLVMGetMDKindIDInContext(wg->k->llvm, SHOWN_IDS, sizeof SHOWN_IDS - 1);
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
                    shown->is_ids = LLVMIsAAllocaInst(shown->alloca) &&
                                    LLVMGetMetadata(shown->alloca, kind) &&
                                    !LLVMDILocationGetInlinedAt(shown->location);
                    list_add(&wg->shown, shown);
                }
            }
        }
    }
}

/* Declares the kernel's ids in a block. */
static void declare_ids(struct wg *wg, LLVMDIBuilderRef info, LLVMMetadataRef block) {
    enum { SCOPE, NAME, FILE, TYPE, OPERANDS = 10 }; /* of LLVM's DILocalVariable */
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(wg->k->run));
    for (size_t n = 0; n < wg->shown.n; n++) {
        const struct shown *shown = wg->shown.at[n];
        LLVMMetadataRef way = follow(info, shown->expression);
        uintptr_t at;
        if (!shown->is_ids || !way || !ptrmap_get(&wg->slots.by_var, shown->alloca, &at)) {
            continue;
        }
        LLVMValueRef operands[OPERANDS];
        LLVMGetMDNodeOperands(LLVMMetadataAsValue(wg->k->llvm, shown->variable), operands);
        unsigned size, line = LLVMDIVariableGetLine(shown->variable);
        const char *name = LLVMGetMDString(operands[NAME], &size);
        LLVMMetadataRef ids = LLVMDIBuilderCreateAutoVariable(
            info, block, name, size, LLVMDIVariableGetFile(shown->variable), line,
            LLVMValueAsMetadata(operands[TYPE]), 0, LLVMDIFlagArtificial, 0);
        LLVMMetadataRef location = LLVMDIBuilderCreateDebugLocation(wg->k->llvm, line, 0, block, NULL);
        LLVMDIBuilderInsertDeclareRecordBefore(info, wg->slots.at[at].shown, ids, way, location, end);
    }
}

/* The region's part of a block of the kernel. */
static LLVMMetadataRef block_in(struct wg *wg, unsigned region, LLVMMetadataRef scope, unsigned line) {
    LLVMMetadataRef *blocks = (LLVMMetadataRef *)ptrmap_at(&wg->shown_blocks, scope, 0);
    if (!blocks) {
        blocks = job_alloc(wg->nregions * sizeof *blocks);
        ptrmap_set(&wg->shown_blocks, scope, (uintptr_t)blocks);
    }
    if (!blocks[region] && wg->shown_declared < MOST_DECLARED) {
        LLVMDIBuilderRef info = LLVMCreateDIBuilderDisallowUnresolved(wg->k->module);
        blocks[region] =
            LLVMDIBuilderCreateLexicalBlock(info, scope, LLVMDIScopeGetFile(scope), line, region);
        declare_ids(wg, info, blocks[region]);
        wg->shown_declared += 3;
        LLVMDIBuilderFinalize(info);
        LLVMDisposeDIBuilder(info);
    }
    return blocks[region] ? blocks[region] : scope;
}

static LLVMMetadataRef location_in(struct wg *wg, unsigned region, LLVMMetadataRef location) {
    LLVMMetadataRef place = LLVMDILocationGetInlinedAt(location), scope = LLVMDILocationGetScope(location);
    unsigned line = LLVMDILocationGetLine(location), column = LLVMDILocationGetColumn(location);
    return LLVMDIBuilderCreateDebugLocation(wg->k->llvm, line, column,
                                            place ? scope : block_in(wg, region, scope, line),
                                            place ? location_in(wg, region, place) : NULL);
}

void shown_place(struct wg *wg, const struct region *r, LLVMValueRef copy) {
    LLVMMetadataRef location = wg->k->shown ? LLVMInstructionGetDebugLoc(copy) : NULL;
    if (location) {
        LLVMInstructionSetDebugLoc(copy, location_in(wg, (unsigned)(r - wg->regions), location));
    }
}

/* A variable of the kernel once, one of a function that is inlined in each region. */
static void declare(struct wg *wg, LLVMDIBuilderRef info, const struct shown *shown, LLVMMetadataRef way,
                    LLVMValueRef at) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(wg->k->run));
    bool is_inlined = LLVMDILocationGetInlinedAt(shown->location);
    for (unsigned r = 0; r < (is_inlined ? wg->nregions : 1) && wg->shown_declared < MOST_DECLARED; r++) {
        LLVMMetadataRef location = is_inlined ? location_in(wg, r, shown->location) : shown->location;
        LLVMDIBuilderInsertDeclareRecordBefore(info, at, shown->variable, way, location, end);
        wg->shown_declared++;
    }
}

void shown_declare(struct wg *wg) {
    if (!wg->shown.n) {
        return;
    }
    LLVMTypeRef pointer = LLVMPointerTypeInContext(wg->k->llvm, AS_PRIVATE);
    LLVMDIBuilderRef info = LLVMCreateDIBuilderDisallowUnresolved(wg->k->module);
    LLVMBuilderRef b = ir_at_entry(wg->k->run);
    for (int are_ids = 1; are_ids >= 0; are_ids--) { /* first these, which blocks are made with */
        for (size_t n = 0; n < wg->shown.n; n++) {
            const struct shown *shown = wg->shown.at[n];
            LLVMMetadataRef way = follow(info, shown->expression);
            uintptr_t at;
            if (shown->is_ids != are_ids || !way || !ptrmap_get(&wg->slots.by_var, shown->alloca, &at)) {
                continue;
            }
            struct slot *slot = &wg->slots.at[at];
            slot->shown = slot->shown ? slot->shown : LLVMBuildAlloca(b, pointer, "shown");
            if (!are_ids) {
                declare(wg, info, shown, way, slot->shown);
            }
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

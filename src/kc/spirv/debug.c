/* debug.c: OpLine to line tables, as clang's -gline-tables-only has them: for gdb, the report and the checker. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

LLVMMetadataRef debug_file(struct reader *r, struct id *string) {
    if (!string->debug) {
        const char *path = string->name, *slash = strrchr(path, '/');
        const char *name = slash ? slash + 1 : path;
        size_t folder = slash ? (size_t)(slash - path) : 0;
        string->debug = LLVMDIBuilderCreateFile(r->debug, name, strlen(name), path, folder);
    }
    return string->debug;
}

static void begin(struct reader *r) {
    static const char producer[] = "SPIR-V";
    static const struct {
        const char *name;
        LLVMModuleFlagBehavior behaviour;
        unsigned value;
    } flags[] = {{"Dwarf Version", LLVMModuleFlagBehaviorOverride, 4},
                 {"Debug Info Version", LLVMModuleFlagBehaviorWarning, 3}};
    r->debug = LLVMCreateDIBuilder(r->module);
    LLVMMetadataRef file = LLVMDIBuilderCreateFile(r->debug, "module.spv", 10, "", 0);
    r->unit = LLVMDIBuilderCreateCompileUnit(r->debug, LLVMDWARFSourceLanguageC99, file, producer,
                                             strlen(producer), 1, "", 0, 0, "", 0,
                                             LLVMDWARFEmissionLineTablesOnly, 0, 0, 0, "", 0, "", 0);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        LLVMAddModuleFlag(r->module, flags[i].behaviour, flags[i].name, strlen(flags[i].name),
                          LLVMValueAsMetadata(ir_const32(r->llvm, flags[i].value)));
}

/* All functions have a subprogram if one has lines: a call of one that has needs a line. */
void debug_begin_function(struct reader *r) {
    size_t length;
    const char *name = LLVMGetValueName2(r->function, &length);
    r->subprogram = NULL;
    if (!r->has_lines || !LLVMCountBasicBlocks(r->function))
        return;
    if (!r->debug)
        begin(r);
    uint32_t described = reader_id(r, r->function_id)->debug_function;
    r->subprogram = described ? debug_subprogram(r, described, name, length) : NULL;
    if (r->subprogram && reader_id(r, described)->local_of) /* another function's already */
        r->subprogram = NULL;
    else if (r->subprogram)
        reader_id(r, described)->local_of = r->function;
    LLVMMetadataRef file = r->line_file ? debug_file(r, r->line_file) : LLVMDIScopeGetFile(r->unit);
    uint32_t wraps = reader_id(r, r->function_id)->wraps;
    LLVMMetadataRef type = debug_signature(r, wraps ? r->ids[wraps].debug_function : 0, file);
    if (!r->subprogram)
        r->subprogram = LLVMDIBuilderCreateFunction(r->debug, file, name, length, name, length, file, r->line,
                                                    type, 0, 1, r->line, 0, 1);
    LLVMSetSubprogram(r->function, r->subprogram);
}

/* Of the instructions that follow. */
static void set_location(struct reader *r, unsigned line, unsigned column, LLVMMetadataRef scope) {
    LLVMMetadataRef at = NULL;
    if (r->subprogram)
        at = LLVMDIBuilderCreateDebugLocation(r->llvm, line, column, scope, r->inlined_at);
    LLVMSetCurrentDebugLocation2(r->builder, at);
}

void debug_no_line(struct reader *r) {
    set_location(r, 0, 0, r->scope ? r->scope : r->subprogram);
}

void debug_begin_block(struct reader *r) {
    r->scope = r->inlined_at = NULL;
    debug_no_line(r);
}

void debug_line(struct reader *r, struct id *file, unsigned line, unsigned column) {
    r->line_file = file;
    r->line = line;
    if (!r->subprogram)
        return;
    LLVMMetadataRef scope = r->scope ? r->scope : r->subprogram;
    if (debug_file(r, file) != LLVMDIScopeGetFile(scope))
        scope = LLVMDIBuilderCreateLexicalBlockFile(r->debug, scope, debug_file(r, file), 0);
    set_location(r, line, column > 0xffff ? 0 : column, scope);
}

void read_line(struct reader *r, const struct instruction *in) {
    if (in->op->code == OpNoLine) {
        debug_no_line(r);
        return;
    }
    struct id *file = reader_id(r, in->at[0]);
    if (file->kind != ID_STRING)
        reader_fail(r, "id %u is not a string", in->at[0]);
    debug_line(r, file, in->at[1], in->at[2]);
}

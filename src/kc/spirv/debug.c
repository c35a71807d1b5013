/* debug.c: OpLine to line tables, as clang's -gline-tables-only has them: for gdb, the report and the checker. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

static LLVMMetadataRef file_of(struct reader *r, struct id *string) {
    if (!string->file) {
        const char *path = string->name, *slash = strrchr(path, '/');
        const char *name = slash ? slash + 1 : path;
        size_t folder = slash ? (size_t)(slash - path) : 0;
        string->file = LLVMDIBuilderCreateFile(r->debug, name, strlen(name), path, folder);
    }
    return string->file;
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

static void set_location(struct reader *r, unsigned line, unsigned column, LLVMMetadataRef scope) {
    LLVMSetCurrentDebugLocation2(r->builder,
                                 LLVMDIBuilderCreateDebugLocation(r->llvm, line, column, scope, NULL));
}

/* All functions have a subprogram if one has lines: a call of one that has needs a line. */
void debug_begin_function(struct reader *r) {
    size_t length;
    r->subprogram = NULL;
    if (!r->has_lines || !LLVMCountBasicBlocks(r->function))
        return;
    if (!r->debug)
        begin(r);
    LLVMMetadataRef file = r->line_file ? file_of(r, r->line_file) : LLVMDIScopeGetFile(r->unit);
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(r->debug, file, NULL, 0, 0);
    const char *name = LLVMGetValueName2(r->function, &length);
    r->subprogram = LLVMDIBuilderCreateFunction(r->debug, file, name, length, name, length, file, r->line,
                                                type, 0, 1, r->line, 0, 1);
    LLVMSetSubprogram(r->function, r->subprogram);
}

void debug_no_line(struct reader *r) {
    if (r->subprogram)
        set_location(r, 0, 0, r->subprogram);
    else
        LLVMSetCurrentDebugLocation2(r->builder, NULL);
}

void read_line(struct reader *r, const struct instruction *in) {
    if (in->op->code == OpNoLine) {
        debug_no_line(r);
        return;
    }
    struct id *file = reader_id(r, in->at[0]);
    if (file->kind != ID_STRING)
        reader_fail(r, "id %u is no string", in->at[0]);
    r->line_file = file;
    r->line = in->at[1];
    if (!r->subprogram)
        return;
    LLVMMetadataRef scope = r->subprogram;
    if (file_of(r, file) != LLVMDIScopeGetFile(r->subprogram))
        scope = LLVMDIBuilderCreateLexicalBlockFile(r->debug, r->subprogram, file_of(r, file), 0);
    set_location(r, in->at[1], in->at[2] > 0xffff ? 0 : in->at[2], scope);
}

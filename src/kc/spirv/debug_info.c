/* debug_info.c: the instructions of OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo.100: which function of the source an
 * instruction is of, also where it was inlined, lines that OpLine doesn't give, and, for the checker, names and types.
 *
 * The instructions say nothing that a program's meaning depends on: what is malformed is passed over. They refer to each other
 * in any order, and are looked at when something needs them. Numbers are literals in the first set, and constants' ids in the
 * second; sizes are ids in both. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

enum {
    TYPE_BASIC = 2,
    TYPE_POINTER = 3,
    TYPE_QUALIFIER = 4,
    TYPE_ARRAY = 5,
    TYPE_VECTOR = 6,
    TYPE_TYPEDEF = 7,
    TYPE_FUNCTION = 8,
    TYPE_ENUM = 9,
    TYPE_COMPOSITE = 10,
    TYPE_MEMBER = 11,
    GLOBAL_VARIABLE = 18,
    FUNCTION = 20,
    LEXICAL_BLOCK = 21,
    SCOPE = 23,
    NO_SCOPE = 24,
    INLINED_AT = 25,
    LOCAL_VARIABLE = 26,
    DECLARE = 28,
    SOURCE = 35,
    FUNCTION_DEFINITION = 101,
    LINE = 103,
    NO_LINE = 104,
};
enum { DEEPEST = 12 }; /* types in types, blocks in blocks, calls in calls */
#define MOST_BITS (UINT64_C(1) << 40)

/* One of the instructions: its operands. */
struct info {
    struct id *id;
    bool by_id; /* numbers are constants */
    uint32_t number, n;
    const uint32_t *at;
};

bool debug_is_set(const char *name) {
    return !strcmp(name, "OpenCL.DebugInfo.100") || !strcmp(name, "NonSemantic.Shader.DebugInfo.100");
}

/* False: the id is none of this number; 0: of any. */
static bool info_of(struct reader *r, uint32_t number, uint32_t id, struct info *info) {
    if (!id || id >= r->bound || r->ids[id].kind != ID_GROUP || r->ids[id].op != OpExtInst)
        return false;
    struct id *d = &r->ids[id];
    const struct id *set = &r->ids[d->at[0]];
    *info = (struct info){d, set->name[0] == 'N', d->at[1], d->n - 2, d->at + 2};
    return set->kind == ID_IMPORT && debug_is_set(set->name) && (!number || info->number == number);
}

static const char *text(struct reader *r, const struct info *d, uint32_t k) {
    uint32_t id = k < d->n ? d->at[k] : 0;
    return id && id < r->bound && r->ids[id].kind == ID_STRING ? r->ids[id].name : "";
}

static uint64_t constant(struct reader *r, const struct info *d, uint32_t k) {
    uint32_t id = k < d->n ? d->at[k] : 0;
    LLVMValueRef value = id && id < r->bound && r->ids[id].kind == ID_VALUE ? r->ids[id].value : NULL;
    return value && LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
}

static uint32_t number(struct reader *r, const struct info *d, uint32_t k) {
    return d->by_id ? (uint32_t)constant(r, d, k) : k < d->n ? d->at[k] : 0;
}

static LLVMMetadataRef file_of(struct reader *r, const struct info *d, uint32_t k) {
    struct info source;
    uint32_t id = k < d->n && info_of(r, SOURCE, d->at[k], &source) && source.n ? source.at[0] : 0;
    return id && id < r->bound && r->ids[id].kind == ID_STRING ? debug_file(r, &r->ids[id])
                                                               : LLVMDIScopeGetFile(r->unit);
}

/* ---- types ---- */

static LLVMMetadataRef type_of(struct reader *r, uint32_t id, unsigned depth);

static LLVMMetadataRef basic(struct reader *r, const struct info *d, uint32_t size) {
    static const LLVMDWARFTypeEncoding encodings[] = {0, 1, 2, 4, 5, 6, 7, 8}; /* DW_ATE_* */
    const char *name = text(r, d, 0);
    uint32_t encoding = d->number == TYPE_BASIC ? number(r, d, 2) : 6;
    uint64_t bits = constant(r, d, size);
    return LLVMDIBuilderCreateBasicType(r->debug, *name ? name : "number", *name ? strlen(name) : 6,
                                        bits < MOST_BITS ? bits : 0, encodings[encoding < 8 ? encoding : 7],
                                        LLVMDIFlagZero);
}

static LLVMMetadataRef repeated(struct reader *r, const struct info *d, unsigned depth) {
    LLVMMetadataRef base = type_of(r, d->n ? d->at[0] : 0, depth + 1), ranges[8];
    uint64_t bits = base ? LLVMDITypeGetSizeInBits(base) : 0;
    bool is_vector = d->number == TYPE_VECTOR;
    unsigned n = 0;
    for (uint32_t k = 1; k < d->n && n < 8; k++) {
        uint64_t count = is_vector ? number(r, d, k) : constant(r, d, k);
        if (!count) /* a lower bound, or none */
            continue;
        if (!bits || count > MOST_BITS / bits)
            return NULL;
        bits *= is_vector && count == 3 ? 4 : count;
        ranges[n++] = LLVMDIBuilderGetOrCreateSubrange(r->debug, 0, (int64_t)count);
    }
    if (!n)
        return NULL;
    return is_vector ? LLVMDIBuilderCreateVectorType(r->debug, bits, 0, base, ranges, n)
                     : LLVMDIBuilderCreateArrayType(r->debug, bits, 0, base, ranges, n);
}

static LLVMMetadataRef composite(struct reader *r, const struct info *d, unsigned depth) {
    enum { UNION = 2, MEMBERS = 9 };
    LLVMMetadataRef *members = job_alloc((d->n + 1) * sizeof *members);
    const char *name = text(r, d, 0);
    uint64_t bits = constant(r, d, 7);
    unsigned n = 0;
    for (uint32_t k = MEMBERS; k < d->n; k++) {
        struct info m;
        if (!info_of(r, TYPE_MEMBER, d->at[k], &m))
            continue;
        uint32_t at = m.by_id ? 5 : 6; /* of its offset: only the first set has a parent */
        LLVMMetadataRef type = type_of(r, m.n > 1 ? m.at[1] : 0, depth + 1);
        uint64_t offset = constant(r, &m, at), size = constant(r, &m, at + 1);
        if (type && offset < MOST_BITS && size < MOST_BITS)
            members[n++] = LLVMDIBuilderCreateMemberType(r->debug, r->unit, text(r, &m, 0),
                                                         strlen(text(r, &m, 0)), LLVMDIScopeGetFile(r->unit),
                                                         0, size, 0, offset, LLVMDIFlagZero, type);
    }
    bits = bits < MOST_BITS ? bits : 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(r->unit);
    return number(r, d, 1) == UNION
               ? LLVMDIBuilderCreateUnionType(r->debug, r->unit, name, strlen(name), file, 0, bits, 0,
                                              LLVMDIFlagZero, members, n, 0, "", 0)
               : LLVMDIBuilderCreateStructType(r->debug, r->unit, name, strlen(name), file, 0, bits, 0,
                                               LLVMDIFlagZero, NULL, members, n, 0, NULL, "", 0);
}

/* NULL: none, or one that isn't known. A pointer in another type points to nothing: types may contain themselves so. */
static LLVMMetadataRef type_of(struct reader *r, uint32_t id, unsigned depth) {
    struct info d;
    if (depth > DEEPEST || !info_of(r, 0, id, &d))
        return NULL;
    if (d.id->debug && !(d.number == TYPE_POINTER && !depth))
        return d.id->debug;
    LLVMMetadataRef type = NULL;
    if (d.id->depth) /* it has itself as a part */
        return NULL;
    d.id->depth = 1;
    switch (d.number) {
    case TYPE_BASIC:
        type = basic(r, &d, 1);
        break;
    case TYPE_ENUM:
        type = basic(r, &d, 6);
        break;
    case TYPE_QUALIFIER:
        type = type_of(r, d.n ? d.at[0] : 0, depth + 1);
        break;
    case TYPE_TYPEDEF:
        type = type_of(r, d.n > 1 ? d.at[1] : 0, depth + 1);
        break;
    case TYPE_ARRAY:
    case TYPE_VECTOR:
        type = repeated(r, &d, depth);
        break;
    case TYPE_COMPOSITE:
        type = composite(r, &d, depth);
        break;
    case TYPE_POINTER:
        type = depth ? NULL : type_of(r, d.n ? d.at[0] : 0, 1);
        d.id->depth = 0;
        return LLVMDIBuilderCreatePointerType(r->debug, type, 64, 0, 0, "", 0);
    default:
        break;
    }
    d.id->depth = 0;
    d.id->debug = type;
    return type;
}

LLVMMetadataRef debug_signature(struct reader *r, uint32_t id, LLVMMetadataRef file) {
    struct info f, d;
    LLVMMetadataRef *types = NULL;
    unsigned n = 0;
    if (r->wants_types && info_of(r, FUNCTION, id, &f) && f.n > 1 && info_of(r, TYPE_FUNCTION, f.at[1], &d)) {
        types = job_alloc((d.n + 1) * sizeof *types);
        for (uint32_t k = 1; k < d.n; k++)
            types[n++] = type_of(r, d.at[k], 0);
    }
    return LLVMDIBuilderCreateSubroutineType(r->debug, file, types, n, LLVMDIFlagZero);
}

/* ---- functions and scopes ---- */

LLVMMetadataRef debug_subprogram(struct reader *r, uint32_t id, const char *linkage, size_t length) {
    struct info d;
    if (!info_of(r, FUNCTION, id, &d))
        return NULL;
    if (!d.id->debug) {
        const char *name = text(r, &d, 0);
        LLVMMetadataRef file = file_of(r, &d, 2);
        uint32_t line = number(r, &d, 3), first = number(r, &d, 8);
        d.id->debug = LLVMDIBuilderCreateFunction(
            r->debug, file, *name ? name : "function", *name ? strlen(name) : 8, linkage, length, file, line,
            debug_signature(r, id, file), 0, 1, first, LLVMDIFlagZero, 1);
    }
    return d.id->debug;
}

/* The function that a scope is in; of blocks line tables need nothing else. */
static LLVMMetadataRef scope_of(struct reader *r, uint32_t id) {
    struct info d;
    for (unsigned depth = 0; depth < 64 && info_of(r, 0, id, &d); depth++) {
        if (d.number == FUNCTION)
            return debug_subprogram(r, id, "", 0);
        if (d.number != LEXICAL_BLOCK && d.number != LEXICAL_BLOCK + 1)
            return NULL;
        uint32_t parent = d.number == LEXICAL_BLOCK ? 3 : 2;
        id = parent < d.n ? d.at[parent] : 0;
    }
    return NULL;
}

/* Where the code was inlined; *outer: the function that all of it is in. */
static LLVMMetadataRef inlined_at(struct reader *r, uint32_t id, unsigned depth, LLVMMetadataRef *outer) {
    struct info d;
    if (depth > DEEPEST || !info_of(r, INLINED_AT, id, &d))
        return NULL;
    LLVMMetadataRef scope = scope_of(r, d.n > 1 ? d.at[1] : 0), beyond = NULL;
    if (!scope)
        return NULL;
    *outer = scope;
    if (d.n > 2)
        beyond = inlined_at(r, d.at[2], depth + 1, outer);
    return LLVMDIBuilderCreateDebugLocation(r->llvm, number(r, &d, 0), 0, scope, beyond);
}

static void enter_scope(struct reader *r, const struct info *d) {
    LLVMMetadataRef scope = scope_of(r, d->n ? d->at[0] : 0), outer = scope, at = NULL;
    if (d->n > 1)
        at = inlined_at(r, d->at[1], 0, &outer);
    bool fits = scope && outer == r->subprogram; /* the rest was of another function */
    r->scope = fits ? scope : NULL;
    r->inlined_at = fits ? at : NULL;
}

/* ---- variables ---- */

const char *debug_parameter(struct reader *r, unsigned i) {
    enum { ARGUMENT = 7, MOST = 1024 };
    const struct id *function = reader_id(r, r->function_id);
    uint32_t of = function->debug_function ? function->debug_function
                  : function->wraps        ? r->ids[function->wraps].debug_function
                                           : 0;
    struct info v;
    uint32_t at = of && of < r->bound ? r->ids[of].debug_local : 0;
    for (unsigned n = 0; n < MOST && info_of(r, LOCAL_VARIABLE, at, &v); n++, at = v.id->debug_local)
        if (v.n > ARGUMENT && number(r, &v, ARGUMENT) == i + 1 && *text(r, &v, 0))
            return text(r, &v, 0);
    return NULL;
}

/* A function's variables are a list, the last one first. */
static void add_local(struct reader *r, const struct info *v, uint32_t id) {
    enum { PARENT = 5 };
    uint32_t parent = v->n > PARENT ? v->at[PARENT] : 0;
    if (!parent || parent >= r->bound)
        return;
    v->id->debug_local = r->ids[parent].debug_local;
    r->ids[parent].debug_local = id;
}

static void declare(struct reader *r, const struct info *d) {
    struct info v;
    uint32_t id = d->n > 1 ? d->at[1] : 0;
    LLVMValueRef variable = id && id < r->bound && r->ids[id].kind == ID_VALUE ? r->ids[id].value : NULL;
    if (!variable || !LLVMIsAAllocaInst(variable) || r->ids[id].local_of != r->function ||
        !info_of(r, LOCAL_VARIABLE, d->at[0], &v))
        return;
    const char *name = text(r, &v, 0);
    LLVMMetadataRef type = type_of(r, v.n > 1 ? v.at[1] : 0, 0), file = file_of(r, &v, 2);
    if (!type || !*name)
        return;
    LLVMMetadataRef what = LLVMDIBuilderCreateAutoVariable(r->debug, r->subprogram, name, strlen(name), file,
                                                           number(r, &v, 3), type, 0, LLVMDIFlagZero, 0);
    LLVMDIBuilderInsertDeclareRecordAtEnd(
        r->debug, variable, what, LLVMDIBuilderCreateExpression(r->debug, NULL, 0),
        LLVMDIBuilderCreateDebugLocation(r->llvm, number(r, &v, 3), 0, r->subprogram, NULL),
        LLVMGetInsertBlock(r->builder));
}

void debug_finish(struct reader *r) {
    for (size_t i = 0; r->wants_types && i < r->variables.n; i++) {
        struct info d;
        info_of(r, GLOBAL_VARIABLE, (uint32_t)(uintptr_t)r->variables.at[i], &d);
        uint32_t id = d.n > 7 ? d.at[7] : 0;
        LLVMValueRef variable = id && id < r->bound && r->ids[id].kind == ID_VALUE ? r->ids[id].value : NULL;
        LLVMMetadataRef type = type_of(r, d.n > 1 ? d.at[1] : 0, 0), file = file_of(r, &d, 2);
        const char *name = text(r, &d, 0);
        if (!variable || !LLVMIsAGlobalVariable(variable) || !type || !*name)
            continue;
        LLVMMetadataRef what = LLVMDIBuilderCreateGlobalVariableExpression(
            r->debug, r->unit, name, strlen(name), "", 0, file, number(r, &d, 3), type, 1,
            LLVMDIBuilderCreateExpression(r->debug, NULL, 0), NULL, 0);
        LLVMGlobalSetMetadata(variable, LLVMGetMDKindIDInContext(r->llvm, "dbg", 3), what);
    }
}

/* ---- instructions ---- */

void debug_look(struct reader *r, const struct instruction *in) {
    uint32_t number = in->at[1], n = in->n - 2, function = 0, definition = 0;
    enum { FUNCTION_OPERAND = 9 }; /* of the first set */
    if (number == FUNCTION && reader_id(r, in->at[0])->name[0] != 'N' && n > FUNCTION_OPERAND) {
        definition = in->result;
        function = in->at[2 + FUNCTION_OPERAND];
    } else if (number == FUNCTION_DEFINITION && n > 1) {
        definition = in->at[2];
        function = in->at[3];
    }
    r->has_lines |= number == FUNCTION;
    if (function && function < r->bound)
        r->ids[function].debug_function = definition;
}

void debug_read(struct reader *r, const struct instruction *in) {
    struct info d;
    debug_look(r, in);
    if (!info_of(r, 0, in->result, &d))
        return;
    if (d.number == LOCAL_VARIABLE)
        add_local(r, &d, in->result);
    if (d.number == GLOBAL_VARIABLE)
        list_add(&r->variables, (void *)(uintptr_t)in->result);
    if (!r->block || !r->subprogram)
        return;
    switch (d.number) {
    case SCOPE:
        enter_scope(r, &d);
        break;
    case NO_SCOPE:
        r->scope = r->inlined_at = NULL;
        break;
    case LINE: {
        struct info source;
        uint32_t id = d.n && info_of(r, SOURCE, d.at[0], &source) && source.n ? source.at[0] : 0;
        if (id && id < r->bound && r->ids[id].kind == ID_STRING)
            debug_line(r, &r->ids[id], number(r, &d, 1), number(r, &d, 3));
        break;
    }
    case NO_LINE:
        debug_no_line(r);
        break;
    case DECLARE:
        if (r->wants_types && d.n)
            declare(r, &d);
        break;
    default:
        break;
    }
}

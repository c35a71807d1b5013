/* types.c: what the checker calls the parts of variables: types from clang's debug information.
 *
 * In: a module that was compiled with types in its debug information, as programs are that may be checked. Out: the same
 * module with line tables alone, as all others have, and on each variable and kernel what reports need: for a variable its
 * name and type, for a kernel what its pointer arguments point to. A type is a text (src/check/where.c):
 *
 *     local struct { float2 at; int n; } p[4]      64[4]16{0at=8<2>4;8n=4;}
 */
#include "frontend.h"
#include <string.h>

enum { LONGEST = 2000, DEEPEST = 12 }; /* of a text; of types within types */
enum {
    TAG_ARRAY = 1,
    TAG_MEMBER = 13,
    TAG_POINTER = 15,
    TAG_REFERENCE = 16,
    TAG_STRUCT = 19,
    TAG_TYPEDEF = 22,
    TAG_UNION = 23,
    TAG_INHERITANCE = 28,
    TAG_CLASS = 2,
    TAG_CONST = 38,
    TAG_VOLATILE = 53,
    TAG_RESTRICT = 55,
    TAG_ATOMIC = 71
}; /* DWARF's */
#define TYPE_KIND "weir.type"

/* ---- nodes ---- */

struct node {
    LLVMValueRef *operands; /* some are NULL */
    unsigned n;
};

static struct node node_of(LLVMContextRef c, LLVMMetadataRef md) {
    struct node node = {0};
    LLVMValueRef value = LLVMMetadataAsValue(c, md);
    node.n = LLVMGetMDNodeNumOperands(value);
    node.operands = job_alloc((node.n + 1) * sizeof *node.operands);
    LLVMGetMDNodeOperands(value, node.operands);
    return node;
}

static LLVMMetadataRef operand(const struct node *node, unsigned i) {
    return i < node->n && node->operands[i] ? LLVMValueAsMetadata(node->operands[i]) : NULL;
}

static bool is_type(LLVMMetadataRef md) {
    LLVMMetadataKind kind = md ? LLVMGetMetadataKind(md) : LLVMMDStringMetadataKind;
    return kind == LLVMDIBasicTypeMetadataKind || kind == LLVMDIDerivedTypeMetadataKind ||
           kind == LLVMDICompositeTypeMetadataKind || kind == LLVMDISubroutineTypeMetadataKind;
}

/* The first operand after file, scope and name that is a type; NULL: none. */
static LLVMMetadataRef type_operand(const struct node *node) {
    for (unsigned i = 3; i < node->n; i++) {
        if (is_type(operand(node, i))) {
            return operand(node, i);
        }
    }
    return NULL;
}

/* The first that is a list: a struct's members, an array's dimensions, a function's types. */
static LLVMMetadataRef list_operand(const struct node *node) {
    for (unsigned i = 3; i < node->n; i++) {
        LLVMMetadataRef md = operand(node, i);
        if (md && LLVMGetMetadataKind(md) == LLVMMDTupleMetadataKind) {
            return md;
        }
    }
    return NULL;
}

static const char *name_operand(const struct node *node, unsigned i) {
    unsigned n = 0;
    const char *text = i < node->n && node->operands[i] ? LLVMGetMDString(node->operands[i], &n) : NULL;
    return text ? job_printf("%.*s", (int)n, text) : "";
}

/* ---- types as text ---- */

/* Without names and qualifiers. */
static LLVMMetadataRef plain(LLVMContextRef c, LLVMMetadataRef type) {
    while (type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind) {
        unsigned tag = LLVMGetDINodeTag(type);
        if (tag != TAG_TYPEDEF && tag != TAG_CONST && tag != TAG_VOLATILE && tag != TAG_RESTRICT &&
            tag != TAG_ATOMIC) {
            break;
        }
        struct node node = node_of(c, type);
        type = type_operand(&node);
    }
    return type;
}

static void type_text(LLVMContextRef c, struct buf *out, LLVMMetadataRef type, unsigned depth);

static void struct_text(LLVMContextRef c, struct buf *out, const struct node *members, unsigned depth) {
    buf_printf(out, "{");
    for (unsigned i = 0; i < members->n; i++) {
        LLVMMetadataRef member = operand(members, i);
        bool is_member =
            member && LLVMGetMetadataKind(member) == LLVMDIDerivedTypeMetadataKind &&
            (LLVMGetDINodeTag(member) == TAG_MEMBER || LLVMGetDINodeTag(member) == TAG_INHERITANCE) &&
            !(LLVMDITypeGetFlags(member) & LLVMDIFlagStaticMember);
        if (!is_member) {
            continue; /* a function of a class */
        }
        struct node node = node_of(c, member);
        buf_printf(out, "%llu%s=", (unsigned long long)LLVMDITypeGetOffsetInBits(member) / 8,
                   LLVMGetDINodeTag(member) == TAG_MEMBER ? name_operand(&node, 2) : "");
        type_text(c, out, type_operand(&node), depth);
        buf_printf(out, ";");
    }
    buf_printf(out, "}");
}

static void array_text(LLVMContextRef c, struct buf *out, LLVMMetadataRef type, const struct node *node,
                       const struct node *dimensions, unsigned depth) {
    bool is_vector = LLVMDITypeGetFlags(type) & LLVMDIFlagVector;
    uint64_t bytes = LLVMDITypeGetSizeInBits(type) / 8;
    for (unsigned i = 0; i < dimensions->n; i++) {
        struct node range = node_of(c, operand(dimensions, i));
        LLVMValueRef count = range.n ? range.operands[0] : NULL;
        uint64_t n = count && LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
        if (!n || n > bytes) {
            return; /* its elements can't be told */
        }
        buf_printf(out, is_vector ? "<%llu>" : "[%llu]", (unsigned long long)n);
        bytes /= is_vector && n == 3 ? 4 : n;
        if (i + 1 < dimensions->n) {
            buf_printf(out, "%llu", (unsigned long long)bytes);
        }
    }
    type_text(c, out, type_operand(node), depth);
}

static void type_text(LLVMContextRef c, struct buf *out, LLVMMetadataRef type, unsigned depth) {
    type = plain(c, type);
    if (!type) {
        buf_printf(out, "0");
        return;
    }
    buf_printf(out, "%llu", (unsigned long long)LLVMDITypeGetSizeInBits(type) / 8);
    if (LLVMGetMetadataKind(type) != LLVMDICompositeTypeMetadataKind || depth > DEEPEST ||
        out->size > LONGEST) {
        return;
    }
    unsigned tag = LLVMGetDINodeTag(type);
    struct node node = node_of(c, type);
    LLVMMetadataRef list = list_operand(&node);
    struct node elements = {0};
    if (list) {
        elements = node_of(c, list);
    }
    if (tag == TAG_ARRAY && elements.n) {
        array_text(c, out, type, &node, &elements, depth + 1);
    } else if ((tag == TAG_STRUCT || tag == TAG_CLASS || tag == TAG_UNION) && elements.n) {
        struct_text(c, out, &elements, depth + 1);
    }
}

static LLVMMetadataRef text_node(LLVMContextRef c, const char *text) {
    return LLVMMDStringInContext2(c, text, strlen(text));
}

static const char *text_of_type(LLVMContextRef c, LLVMMetadataRef type) {
    struct buf text = {0};
    type_text(c, &text, type, 0);
    const char *copy =
        text.failed || text.size > LONGEST ? "" : job_printf("%.*s", (int)text.size, text.data);
    buf_free(&text);
    return copy;
}

/* ---- modules ---- */

LLVMMetadataRef types_variable(LLVMContextRef c, LLVMValueRef global, const char **name) {
    size_t n = 0;
    LLVMMetadataRef type = NULL;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
    for (size_t i = 0; i < n && !type; i++) {
        LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(entries, (unsigned)i);
        if (LLVMGetMetadataKind(md) == LLVMDIGlobalVariableExpressionMetadataKind) {
            struct node expression = node_of(c, md), variable = node_of(c, operand(&expression, 0));
            *name = name_operand(&variable, 1);
            type = type_operand(&variable);
        }
    }
    LLVMDisposeValueMetadataEntries(entries);
    return type;
}

static void note_variable(LLVMContextRef c, LLVMValueRef global) {
    const char *name = NULL;
    LLVMMetadataRef type = types_variable(c, global, &name);
    if (type) {
        LLVMMetadataRef texts[] = {text_node(c, name), text_node(c, text_of_type(c, type))};
        LLVMGlobalSetMetadata(global, LLVMGetMDKindIDInContext(c, TYPE_KIND, strlen(TYPE_KIND)),
                              LLVMMDNodeInContext2(c, texts, 2));
    }
}

/* Variables in private memory. */
static void note_private(LLVMContextRef c, LLVMValueRef f) {
    unsigned kind = LLVMGetMDKindIDInContext(c, TYPE_KIND, strlen(TYPE_KIND));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(i);
            for (; r; r = LLVMGetNextDbgRecord(r)) {
                LLVMValueRef at = LLVMDbgRecordGetKind(r) == LLVMDbgRecordDeclare
                                      ? LLVMDbgVariableRecordGetValue(r, 0)
                                      : NULL;
                if (!at || !LLVMIsAAllocaInst(at)) {
                    continue;
                }
                struct node variable = node_of(c, LLVMDbgVariableRecordGetVariable(r));
                LLVMMetadataRef texts[] = {text_node(c, name_operand(&variable, 1)),
                                           text_node(c, text_of_type(c, type_operand(&variable)))};
                LLVMSetMetadata(at, kind, LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, texts, 2)));
            }
        }
    }
}

/* What each parameter points to; "" for others. */
static void note_function(LLVMContextRef c, LLVMValueRef f) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    if (!subprogram) {
        return;
    }
    struct node function = node_of(c, subprogram);
    LLVMMetadataRef type = type_operand(&function);
    struct node signature = {0};
    if (type) {
        signature = node_of(c, type);
    }
    LLVMMetadataRef list = type ? list_operand(&signature) : NULL;
    if (!list) {
        return;
    }
    struct node types = node_of(c, list);
    if (types.n < 2) { /* the first is what it returns */
        return;
    }
    LLVMMetadataRef *texts = job_alloc((types.n + 1) * sizeof *texts);
    for (unsigned i = 1; i < types.n; i++) {
        LLVMMetadataRef parameter = plain(c, operand(&types, i));
        bool is_pointer = parameter && LLVMGetMetadataKind(parameter) == LLVMDIDerivedTypeMetadataKind &&
                          LLVMGetDINodeTag(parameter) == TAG_POINTER;
        struct node pointer = {0};
        if (is_pointer) {
            pointer = node_of(c, parameter);
        }
        LLVMMetadataRef pointee = type_operand(&pointer);
        texts[i - 1] = text_node(c, pointee ? text_of_type(c, pointee) : "");
    }
    LLVMGlobalSetMetadata(f, LLVMGetMDKindIDInContext(c, TYPE_KIND, strlen(TYPE_KIND)),
                          LLVMMDNodeInContext2(c, texts, types.n - 1));
}

void types_keep(struct job *job, LLVMModuleRef module) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        note_variable(c, g);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        note_function(c, f);
        note_private(c, f);
    }
    job_run_passes(job, module, "strip-nonlinetable-debuginfo", NULL, "types");
}

const char *types_text(LLVMContextRef c, LLVMValueRef global, unsigned i) {
    unsigned kind = LLVMGetMDKindIDInContext(c, TYPE_KIND, strlen(TYPE_KIND));
    const char *text = "";
    size_t n = 0;
    if (LLVMIsAInstruction(global)) {
        LLVMValueRef texts = LLVMGetMetadata(global, kind);
        struct node node = {0};
        if (texts) {
            node = node_of(c, LLVMValueAsMetadata(texts));
        }
        return name_operand(&node, i);
    }
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &n);
    for (size_t e = 0; e < n; e++) {
        if (LLVMValueMetadataEntriesGetKind(entries, (unsigned)e) == kind) {
            struct node node = node_of(c, LLVMValueMetadataEntriesGetMetadata(entries, (unsigned)e));
            text = name_operand(&node, i);
        }
    }
    LLVMDisposeValueMetadataEntries(entries);
    return text;
}

const char *types_function(LLVMContextRef c, LLVMMetadataRef location) {
    LLVMMetadataRef scope = LLVMDILocationGetScope(location);
    while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
        struct node block = node_of(c, scope);
        scope = operand(&block, 1);
    }
    if (!scope) {
        return "";
    }
    struct node function = node_of(c, scope);
    return name_operand(&function, 2);
}

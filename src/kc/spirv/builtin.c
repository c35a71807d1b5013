/* builtin.c: calls of OpenCL C's built-in functions, by the names that clang gives them (Itanium ABI, nvptx64), so that
 * everything behind is the same for programs from source. A function that the library doesn't have fails the job. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

/* ---- names --------------------------------------------------------------------------------------------------------- */

/* What a name has spelled so far; later occurrences are references to it. */
#define MAX_PARTS 32
struct mangled {
    struct buf text;
    const char *parts[MAX_PARTS];
    unsigned nparts;
};

/* Writes a reference if the part was there before. */
static bool again(struct mangled *m, const char *part) {
    for (unsigned i = 0; i < m->nparts; i++)
        if (!strcmp(m->parts[i], part)) {
            if (i == 0)
                buf_printf(&m->text, "S_");
            else /* in base 36 */
                buf_printf(&m->text, "S%c_", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i - 1]);
            return true;
        }
    return false;
}

static void remember(struct mangled *m, const char *part) {
    if (m->nparts < MAX_PARTS)
        m->parts[m->nparts++] = part;
}

/* A scalar, whose name is never a reference. */
static const char *scalar_name(LLVMTypeRef type, bool is_unsigned) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
        return "Dh";
    case LLVMFloatTypeKind:
        return "f";
    case LLVMDoubleTypeKind:
        return "d";
    case LLVMIntegerTypeKind:
        switch (LLVMGetIntTypeWidth(type)) {
        case 1:
            return "b";
        case 8:
            return is_unsigned ? "h" : "c";
        case 16:
            return is_unsigned ? "t" : "s";
        case 32:
            return is_unsigned ? "j" : "i";
        case 64:
            return is_unsigned ? "m" : "l";
        default: /* no function has it */
            return job_printf("DB%u_", LLVMGetIntTypeWidth(type));
        }
    default:
        return "v";
    }
}

/* The whole name of a type, without references. */
static const char *whole_name(LLVMTypeRef type, bool is_unsigned) {
    const char *scalar = scalar_name(reader_scalar(type), is_unsigned);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? job_printf("Dv%u_%s", LLVMGetVectorSize(type), scalar)
               : scalar;
}

static void put_value(struct mangled *m, LLVMTypeRef type, bool is_unsigned) {
    const char *name = whole_name(type, is_unsigned);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        buf_printf(&m->text, "%s", name);
    else if (!again(m, name)) {
        buf_printf(&m->text, "%s", name);
        remember(m, name);
    }
}

static void put_named(struct mangled *m, const char *name) {
    name = job_printf("%zu%s", strlen(name), name);
    if (again(m, name))
        return;
    buf_printf(&m->text, "%s", name);
    remember(m, name);
}

/* A pointer to `pointee`, or to what is called `named`. */
static void put_pointer(struct mangled *m, unsigned space, bool is_const, LLVMTypeRef pointee,
                        bool is_unsigned, const char *named) {
    const char *base = named ? job_printf("%zu%s", strlen(named), named) : whole_name(pointee, is_unsigned);
    const char *quals = job_printf("%s%s", space ? job_printf("U3AS%u", space) : "", is_const ? "K" : "");
    const char *qualified = job_printf("%s%s", quals, base), *pointer = job_printf("P%s", qualified);
    if (again(m, pointer))
        return;
    buf_printf(&m->text, "P");
    if (!*quals || !again(m, qualified)) {
        buf_printf(&m->text, "%s", quals);
        if (named)
            put_named(m, named);
        else
            put_value(m, pointee, is_unsigned);
        if (*quals)
            remember(m, qualified);
    }
    remember(m, pointer);
}

static const char *image_name(struct reader *r, uint32_t type_id) {
    static const char *const dims[] = {"1d", "2d", "3d"}, *const accesses[] = {"ro", "wo", "rw"};
    const struct id *t = reader_type_id(r, type_id);
    if (t->op != OpTypeImage)
        reader_fail(r, "type %u is not an image", type_id);
    uint32_t dim = t->at[1], access = t->n > 7 ? t->at[7] : 0;
    if ((dim > DIM_3D && dim != DIM_BUFFER) || t->at[4] || access > 2)
        reader_fail(r, "images of this kind (Dim %u) are not supported", dim);
    return job_printf("ocl_image%s%s%s%s_%s", dim == DIM_BUFFER ? "1d" : dims[dim], t->at[3] ? "_array" : "",
                      dim == DIM_BUFFER ? "_buffer" : "", t->at[2] == 1 ? "_depth" : "", accesses[access]);
}

static void put_argument(struct reader *r, struct mangled *m, const struct argument *a) {
    LLVMTypeRef type = LLVMTypeOf(a->value);
    switch (a->letter) {
    case 's':
    case 'u':
        put_value(m, type, a->letter == 'u');
        break;
    case 'o':
        put_named(m, "memory_order");
        break;
    case 'e':
        put_named(m, "memory_scope");
        break;
    case 'i':
        put_named(m, image_name(r, a->type_id));
        break;
    case 'a':
        put_named(m, "ocl_sampler");
        break;
    case 'v':
        put_named(m, "ocl_event");
        break;
    case 'w':
        put_pointer(m, 0, false, NULL, false, "ocl_event");
        break;
    default: { /* p c: pointers; P C: to what is unsigned */
        if (!reader_is_pointer(type))
            reader_fail(r, "an operand is not a pointer");
        bool is_unsigned = a->letter == 'P' || a->letter == 'C', is_const = (a->letter | 0x20) == 'c';
        put_pointer(m, LLVMGetPointerAddressSpace(type), is_const, a->pointee, is_unsigned, NULL);
    }
    }
}

static const char *mangle(struct reader *r, const char *name, const struct argument *args, unsigned n,
                          bool flip) {
    static const char letters[] = "susPpCc";
    struct mangled m = {0};
    buf_printf(&m.text, "_Z%zu%s%s", strlen(name), name, n ? "" : "v");
    for (unsigned i = 0; i < n; i++) {
        struct argument a = args[i];
        const char *at = flip ? strchr(letters, a.letter) : NULL;
        if (at)
            a.letter = a.letter == 's' ? 'u' : a.letter == 'u' ? 's' : (char)(a.letter ^ 0x20);
        put_argument(r, &m, &a);
    }
    const char *text = buf_cstr(&m.text);
    text = job_strdup(text ? text : "");
    buf_free(&m.text);
    return text;
}

/* ---- calls ------------------------------------------------------------------------------------------------------------ */

static LLVMValueRef declare(struct reader *r, const char *symbol, LLVMTypeRef type, unsigned flags) {
    LLVMValueRef f = LLVMGetNamedFunction(r->module, symbol);
    if (f && LLVMGlobalGetValueType(f) != type)
        reader_fail(r, "the module has another function '%s'", symbol);
    if (f)
        return f;
    f = LLVMAddFunction(r->module, symbol, type);
    ir_attribute(r->llvm, f, "convergent", 0);
    ir_attribute(r->llvm, f, "nounwind", 0);
    if (flags & CALL_PURE) {
        ir_attribute(r->llvm, f, "willreturn", 0);
        ir_attribute(r->llvm, f, "memory", 0);
    }
    return f;
}

LLVMValueRef builtin_call_plain(struct reader *r, const char *symbol, LLVMTypeRef result, LLVMValueRef *args,
                                unsigned n, unsigned flags) {
    LLVMTypeRef types[16];
    if (!(flags & CALL_MAYBE) && !library_has(symbol)) {
        library_need(r->job);
        reader_fail(r, "the built-in function that it needs, %s, is not there", symbol);
    }
    if (n > sizeof types / sizeof *types)
        reader_fail(r, "%u operands are more than a built-in function has", n);
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
    LLVMValueRef call = LLVMBuildCall2(r->builder, type, declare(r, symbol, type, flags), args, n, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(r->llvm, kind, 0));
    return call;
}

LLVMValueRef builtin_call(struct reader *r, const char *name, LLVMTypeRef result, const struct argument *args,
                          unsigned n, unsigned flags) {
    LLVMValueRef values[16];
    if (n > sizeof values / sizeof *values)
        reader_fail(r, "%u operands are more than a built-in function has", n);
    for (unsigned i = 0; i < n; i++)
        values[i] = args[i].value;
    const char *symbol = mangle(r, name, args, n, false);
    if (!library_has(symbol)) { /* modules' integers have no sign; some functions are there for one only */
        const char *other = mangle(r, name, args, n, true);
        if (library_has(other))
            symbol = other;
    }
    return builtin_call_plain(r, symbol, result, values, n, flags);
}

LLVMValueRef builtin_to_int(struct reader *r, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!reader_is_bool(type))
        reader_fail(r, "an operand is not a bool");
    return LLVMBuildZExt(r->builder, value, reader_like(LLVMInt32TypeInContext(r->llvm), type), "");
}

LLVMValueRef builtin_to_bool(struct reader *r, LLVMValueRef number) {
    return LLVMBuildICmp(r->builder, LLVMIntNE, number, LLVMConstNull(LLVMTypeOf(number)), "");
}

/* ---- variables of Input --------------------------------------------------------------------------------------------- */

static LLVMValueRef query(struct reader *r, const char *name, LLVMTypeRef result, int dimension) {
    struct argument d = {.value = ir_const32(r->llvm, (uint32_t)dimension), .letter = 'u'};
    return builtin_call(r, name, result, &d, dimension < 0 ? 0 : 1, CALL_PURE);
}

LLVMValueRef builtin_variable(struct reader *r, uint32_t built_in, LLVMTypeRef type) {
    static const struct {
        uint32_t built_in;
        const char *name;
        char kind; /* v: by dimension, z: a size_t, i: a uint, m: a mask of lanes */
    } table[] = {
        {BUILT_IN_NUM_WORKGROUPS, "get_num_groups", 'v'},
        {BUILT_IN_WORKGROUP_SIZE, "get_local_size", 'v'},
        {BUILT_IN_WORKGROUP_ID, "get_group_id", 'v'},
        {BUILT_IN_LOCAL_ID, "get_local_id", 'v'},
        {BUILT_IN_GLOBAL_ID, "get_global_id", 'v'},
        {BUILT_IN_LOCAL_INDEX, "get_local_linear_id", 'z'},
        {BUILT_IN_WORK_DIM, "get_work_dim", 'i'},
        {BUILT_IN_GLOBAL_SIZE, "get_global_size", 'v'},
        {BUILT_IN_ENQUEUED_SIZE, "get_enqueued_local_size", 'v'},
        {BUILT_IN_GLOBAL_OFFSET, "get_global_offset", 'v'},
        {BUILT_IN_GLOBAL_LINEAR_ID, "get_global_linear_id", 'z'},
        {BUILT_IN_SUBGROUP_SIZE, "get_sub_group_size", 'i'},
        {BUILT_IN_SUBGROUP_MAX_SIZE, "get_max_sub_group_size", 'i'},
        {BUILT_IN_NUM_SUBGROUPS, "get_num_sub_groups", 'i'},
        {BUILT_IN_NUM_ENQUEUED_SUBGROUPS, "get_enqueued_num_sub_groups", 'i'},
        {BUILT_IN_SUBGROUP_ID, "get_sub_group_id", 'i'},
        {BUILT_IN_SUBGROUP_LOCAL_ID, "get_sub_group_local_id", 'i'},
        {BUILT_IN_SUBGROUP_EQ_MASK, "get_sub_group_eq_mask", 'm'},
        {BUILT_IN_SUBGROUP_GE_MASK, "get_sub_group_ge_mask", 'm'},
        {BUILT_IN_SUBGROUP_GT_MASK, "get_sub_group_gt_mask", 'm'},
        {BUILT_IN_SUBGROUP_LE_MASK, "get_sub_group_le_mask", 'm'},
        {BUILT_IN_SUBGROUP_LT_MASK, "get_sub_group_lt_mask", 'm'},
    };
    LLVMTypeRef i64 = LLVMInt64TypeInContext(r->llvm), i32 = LLVMInt32TypeInContext(r->llvm);
    size_t k = 0;
    while (k < sizeof table / sizeof *table && table[k].built_in != built_in)
        k++;
    if (k == sizeof table / sizeof *table)
        reader_fail(r, "the built-in variable %u is not supported", built_in);
    char kind = table[k].kind;
    unsigned lanes = kind == 'v' ? 3 : kind == 'm' ? 4 : 1;
    if (!reader_is_int(type) || reader_lanes(type) != lanes)
        reader_fail(r, "the built-in variable %u has another type", built_in);
    if (kind == 'm')
        return query(r, table[k].name, type, -1);
    if (kind != 'v') {
        LLVMValueRef value = query(r, table[k].name, kind == 'z' ? i64 : i32, -1);
        return LLVMBuildIntCast2(r->builder, value, type, 0, "");
    }
    LLVMValueRef value = LLVMGetUndef(type);
    for (int d = 0; d < 3; d++) {
        LLVMValueRef id = query(r, table[k].name, i64, d);
        id = LLVMBuildIntCast2(r->builder, id, LLVMGetElementType(type), 0, "");
        value = LLVMBuildInsertElement(r->builder, value, id, ir_const32(r->llvm, (uint32_t)d), "");
    }
    return value;
}

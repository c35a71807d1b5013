/* module.c: a SPIR-V module as a whole: its header, the walk over its instructions, names, decorations, entry points.
 *
 * In: the module's bytes, in either order of bytes. Out: an LLVM module as clang gives it (frontend.c), verified. */
#include "reader.h"

#include "opcodes.h"
#include "spirv_extensions.h"
#include "target.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_WORDS 5
#define MAX_BOUND    (1u << 22) /* ids; the specification's limit is lower */
#define MAX_VERSION  0x10600
enum { MAX_DECORATIONS = 1 << 20 };

static const struct opcode opcodes[] = {
#define ROW(code, name, operands, read, number, text) {code, "Op" #name, operands, read_##read, number, text},
    OPCODES(ROW)
#undef ROW
};

static int compare_codes(const void *key, const void *row) {
    uint32_t a = *(const uint32_t *)key, b = ((const struct opcode *)row)->code;
    return a < b ? -1 : a > b;
}

const struct opcode *opcode_find(uint32_t code) {
    return bsearch(&code, opcodes, sizeof opcodes / sizeof *opcodes, sizeof *opcodes, compare_codes);
}

const char *opcode_name(uint32_t code) {
    const struct opcode *op = opcode_find(code);
    return op ? op->name : job_printf("instruction %u", code);
}

void reader_fail(struct reader *r, const char *format, ...) {
    char message[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    const struct instruction *in = r->current;
    if (!in)
        job_fail(r->job, ANSWER_BUILD_FAILED, "SPIR-V: %s", message);
    size_t length;
    const char *function = r->function_id && r->function ? LLVMGetValueName2(r->function, &length) : "";
    const char *where = *function ? job_printf(", in '%s'", function) : "";
    const char *line = r->line_file && r->line ? job_printf(" (%s:%u)", r->line_file->name, r->line) : "";
    job_fail(r->job, ANSWER_BUILD_FAILED, "SPIR-V: %s at byte %zu%s%s: %s",
             in->op ? in->op->name : "instruction", in->offset * 4, where, line, message);
}

/* ---- ids ----------------------------------------------------------------------------------------------------- */

struct id *reader_id(struct reader *r, uint32_t id) {
    if (!id || id >= r->bound)
        reader_fail(r, "id %u is not below the module's bound, %u", id, r->bound);
    return &r->ids[id];
}

struct id *reader_define(struct reader *r, const struct instruction *in, enum id_kind kind) {
    struct id *id = reader_id(r, in->result);
    if (id->kind != ID_NONE)
        reader_fail(r, "id %u is defined twice", in->result);
    id->kind = kind;
    id->op = in->op->code;
    id->type_id = in->type;
    id->at = in->at;
    id->n = in->n;
    return id;
}

/* Named barriers stay in the block that made them, and what it dominates: so each instruction that makes one has one place for
 * it (sync.c). Other than by phis and memory none outlives the next one from there. */
static void check_named_barrier(struct reader *r, const struct instruction *in) {
    static const uint32_t from[] = {OpNamedBarrierInitialize, OpFunctionParameter, OpCopyObject};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        if (in->op->code == from[i])
            return;
    reader_fail(r, "it can't give a named barrier");
}

/* LLVM walks constant expressions as trees. One of 60 sums of the one before with itself would keep it busy for ever. */
static void check_expression(struct reader *r, LLVMValueRef value, unsigned *parts) {
    enum { MOST = 1000 };
    if (!LLVMIsAConstant(value) || LLVMIsAGlobalValue(value))
        return;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (++*parts > MOST)
            reader_fail(r, "its constant value is computed from more than %d parts", MOST);
        check_expression(r, LLVMGetOperand(value, i), parts);
    }
}

void reader_result(struct reader *r, const struct instruction *in, LLVMValueRef value) {
    unsigned parts = 0;
    if (LLVMIsAConstantExpr(value))
        check_expression(r, value, &parts);
    struct id *id = reader_define(r, in, ID_VALUE);
    id->type = reader_type(r, in->type);
    if (!LLVMIsConstant(value))
        reader_check_value(r, in->type);
    if (LLVMTypeOf(value) != id->type)
        reader_fail(r, "the result is not of type %u", in->type);
    id->value = value;
    id->local_of = r->function;
    if (reader_type_id(r, in->type)->op == OpTypeNamedBarrier)
        check_named_barrier(r, in);
    if (id->name && LLVMIsAInstruction(value) && !LLVMIsAConstant(value))
        LLVMSetValueName2(value, id->name, strlen(id->name));
}

const struct decoration *reader_decoration_of(const struct id *id, const struct decoration *after,
                                              uint32_t kind) {
    for (const struct decoration *d = after ? after->next : id->decorations; d; d = d->next)
        if (d->kind == kind && d->member < 0)
            return d;
    return NULL;
}

const struct decoration *reader_decoration(const struct id *id, uint32_t kind) {
    return reader_decoration_of(id, NULL, kind);
}

unsigned reader_check_alignment(struct reader *r, uint64_t bytes) {
    bytes = bytes == (uint32_t)INT8_MIN ? 128 : bytes; /* as LLVM's back end writes it */
    if (bytes & (bytes - 1) || bytes > 1u << 28)
        reader_fail(r, "an alignment of %llu is not a power of two up to 2^28", (unsigned long long)bytes);
    return (unsigned)bytes;
}

unsigned reader_alignment(struct reader *r, const struct id *id) {
    const struct decoration *d = reader_decoration(id, DECORATION_ALIGNMENT),
                            *by_id = reader_decoration(id, DECORATION_ALIGNMENT_ID);
    return reader_check_alignment(r, d && d->n           ? d->at[0]
                                     : by_id && by_id->n ? reader_constant(r, by_id->at[0])
                                                         : 0);
}

const char *reader_string(struct reader *r, const uint32_t *at, uint32_t n, uint32_t *words) {
    char *text = job_alloc((size_t)n * 4 + 1);
    for (uint32_t i = 0; i < n; i++) {
        for (int b = 0; b < 4; b++) /* the first character is the lowest byte, on every machine */
            text[i * 4 + b] = (char)(at[i] >> 8 * b);
        if (memchr(text + i * 4, 0, 4)) {
            if (words)
                *words = i + 1;
            return text;
        }
    }
    reader_fail(r, "a string doesn't end");
}

uint64_t reader_constant(struct reader *r, uint32_t id) {
    LLVMValueRef value = reader_value(r, id);
    if (!LLVMIsAConstantInt(value))
        reader_fail(r, "id %u has to be a constant integer", id);
    return LLVMConstIntGetZExtValue(value);
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* Checks one operand; returns how many words it has. */
static uint32_t check_operand(struct reader *r, struct instruction *in, char kind, const uint32_t *at,
                              uint32_t n) {
    uint32_t words = 1;
    if (kind == 's')
        reader_string(r, at, n, &words);
    else if (kind != 'n')
        reader_id(r, at[0]);
    if (kind == 't')
        in->type = at[0];
    else if (kind == 'r')
        in->result = at[0];
    return words;
}

/* Checks the operands against the row: how many there are, and that ids are ids. */
static void check_operands(struct reader *r, struct instruction *in, const uint32_t *at, uint32_t n) {
    uint32_t i = 0;
    for (const char *s = in->op->operands; *s;) {
        bool may_end = *s == '?' || *s == '*', many = *s == '*';
        s += may_end;
        if (i == n && !may_end)
            reader_fail(r, "it has too few words (%u)", n + 1);
        do
            i += i < n ? check_operand(r, in, *s, at + i, n - i) : 0;
        while (many && i < n);
        s++;
    }
    if (i < n)
        reader_fail(r, "it has %u words too many", n - i);
    uint32_t skipped = (in->type ? 1 : 0) + (in->result ? 1 : 0);
    in->at = at + skipped;
    in->n = n - skipped;
}

/* What goes on in instructions of its own, because 65,535 words weren't enough (SPV_INTEL_long_composites). 0: no such. */
static uint32_t continued_by(uint32_t code) {
    switch (code) {
    case OpTypeStruct:
        return OpTypeStructContinuedINTEL;
    case OpConstantComposite:
        return OpConstantCompositeContinuedINTEL;
    case OpSpecConstantComposite:
        return OpSpecConstantCompositeContinuedINTEL;
    case OpCompositeConstruct:
        return OpCompositeConstructContinuedINTEL;
    default:
        return 0;
    }
}

/* Joins the operands of the instruction at word `at` with those of what continues it. */
static void join(struct reader *r, size_t at, struct instruction *in) {
    uint32_t more = continued_by(in->op->code), n = in->n;
    size_t begin = at + (r->words[at] >> 16), end = begin;
    for (; end < r->nwords && r->words[end] >> 16 && (r->words[end] & 0xffff) == more;
         end += r->words[end] >> 16)
        n += (r->words[end] >> 16) - 1;
    if (end > r->nwords)
        reader_fail(r, "what continues it is cut off");
    uint32_t *all = job_alloc((size_t)n * sizeof *all);
    memcpy(all, in->at, in->n * sizeof *all);
    n = in->n;
    for (size_t k = begin; k < end; k += r->words[k] >> 16) {
        memcpy(all + n, r->words + k + 1, ((r->words[k] >> 16) - 1) * sizeof *all);
        n += (r->words[k] >> 16) - 1;
    }
    in->at = all;
    in->n = n;
    r->joined[0] = begin;
    r->joined[1] = end;
}

/* For what the reader can't read: because of a capability, or of an extension that the module names. */
_Noreturn static void fail_unsupported(struct reader *r, const char *capability) {
    const char *extension =
        r->extension ? job_printf("; the module asks for %s, which is not one of CL_DEVICE_SPIRV_EXTENSIONS",
                                  r->extension)
                     : "";
    if (capability)
        reader_fail(
            r,
            "it needs capability %s, which is not for OpenCL; compile for OpenCL (clang --target=spirv64)%s",
            capability, extension);
    reader_fail(r, "it is not supported%s", extension);
}

bool reader_next(struct reader *r, size_t at, struct instruction *in) {
    static const struct opcode unknown = {.name = "instruction"};
    if (at >= r->nwords)
        return false;
    uint32_t count = r->words[at] >> 16, code = r->words[at] & 0xffff;
    *in = (struct instruction){.op = &unknown, .offset = at};
    if (count && !opcode_find(code)) {
        struct opcode *other = job_alloc(sizeof *other);
        *other = (struct opcode){.code = code, .name = job_printf("instruction %u", code)};
        in->op = other;
    }
    r->current = in;
    if (!count || count > r->nwords - at)
        reader_fail(
            r, "it has %u words, and the module ends after %zu: it is cut off, or no SPIR-V from here on",
            count, r->nwords - at);
    const struct opcode *op = opcode_find(code);
    if (!op)
        fail_unsupported(r, NULL);
    in->op = op;
    check_operands(r, in, r->words + at + 1, count - 1);
    uint32_t more = continued_by(code);
    if (more && count < r->nwords - at && (r->words[at + count] & 0xffff) == more)
        join(r, at, in);
    return true;
}

void read_continued(struct reader *r, const struct instruction *in) {
    if (in->offset < r->joined[0] || in->offset >= r->joined[1])
        reader_fail(r, "it continues nothing");
}

void reader_step(struct reader *r, struct instruction *in) {
    /* What computes something belongs into a block, or into OpSpecConstantOp. */
    static handler *const anywhere[] = {read_skip,         read_module,    read_line,       read_type,
                                        read_constant,     read_folded,    read_function,   read_extended,
                                        read_pipe_storage, read_continued, read_unsupported};
    bool outside = !r->function && (in->op->read == read_variable || in->op->read == read_function_pointer);
    for (size_t i = 0; i < sizeof anywhere / sizeof *anywhere; i++)
        outside |= in->op->read == anywhere[i];
    r->current = in;
    if (!outside && !r->block)
        reader_fail(r, "it is outside of blocks");
    in->op->read(r, in);
}

void read_skip(struct reader *r, const struct instruction *in) {
}

void read_unsupported(struct reader *r, const struct instruction *in) {
    fail_unsupported(r, in->op->text);
}

/* ---- names, decorations, entry points -------------------------------------------------------------------------- */

/* Groups may decorate groups: their lists could grow without end. */
static void count_decoration(struct reader *r) {
    if (++r->ndecorations > MAX_DECORATIONS)
        reader_fail(r, "there are more than %d decorations", MAX_DECORATIONS);
}

static void decorate(struct reader *r, uint32_t target, int64_t member, const uint32_t *at, uint32_t n) {
    struct decoration *d = job_alloc(sizeof *d);
    count_decoration(r);
    struct id *id = reader_id(r, target);
    *d = (struct decoration){id->decorations, at[0], member, at + 1, n - 1};
    id->decorations = d;
}

static void decorate_group(struct reader *r, const struct instruction *in, bool members) {
    const struct id *group = reader_id(r, in->at[0]);
    for (uint32_t i = 1; i < in->n; i += members ? 2 : 1) {
        if (members && i + 1 >= in->n)
            reader_fail(r, "a target lacks its member");
        for (const struct decoration *d = group->decorations; d; d = d->next) {
            struct decoration *copy = job_alloc(sizeof *copy);
            count_decoration(r);
            struct id *target = reader_id(r, in->at[i]);
            *copy = *d;
            copy->member = members ? (int64_t)in->at[i + 1] : -1;
            copy->next = target->decorations;
            target->decorations = copy;
        }
    }
}

static void add_entry_point(struct reader *r, const struct instruction *in) {
    enum { KERNEL = 6 };
    struct entry_point *e = job_alloc(sizeof *e);
    if (in->at[0] != KERNEL)
        reader_fail(r, "execution model %u is not Kernel (6): the module is not for OpenCL", in->at[0]);
    e->function = in->at[1];
    e->name = reader_string(r, in->at + 2, in->n - 2, NULL);
    for (size_t i = 0; i < r->entry_points.n; i++)
        if (!strcmp(((struct entry_point *)r->entry_points.at[i])->name, e->name))
            reader_fail(r, "there are two kernels '%s'", e->name);
    list_add(&r->entry_points, e);
}

static void add_mode(struct reader *r, const struct instruction *in) {
    struct execution_mode *mode = job_alloc(sizeof *mode);
    *mode = (struct execution_mode){in->at[0], in->at[1], in->at + 2, in->n - 2,
                                    in->op->code == OpExecutionModeId};
    if (mode->mode == MODE_CONTRACTION_OFF)
        r->contract = false;
    if (mode->mode == MODE_FINALIZER)
        reader_fail(r, "kernels that run at the end of a program are not supported");
    if (mode->mode == MODE_ROUNDING_RTZ || mode->mode == MODE_ROUNDING_RTP || mode->mode == MODE_ROUNDING_RTN)
        reader_fail(r, "operations of a kernel round to the nearest, by no other mode (%u)", mode->mode);
    list_add(&r->modes, mode);
}

static void check_memory_model(struct reader *r, const struct instruction *in) {
    enum { PHYSICAL64 = 2, OPENCL = 2 };
    if (in->at[0] != PHYSICAL64)
        reader_fail(r,
                    "the addressing model has to be Physical64 (2), not %u; compile for 64 bits (clang "
                    "--target=spirv64)",
                    in->at[0]);
    if (in->at[1] != OPENCL)
        reader_fail(r, "the memory model has to be OpenCL (2), not %u", in->at[1]);
}

static void import(struct reader *r, const struct instruction *in) {
    const char *name = reader_string(r, in->at, in->n, NULL);
    if (strcmp(name, "OpenCL.std") && strncmp(name, "NonSemantic.", 12) &&
        strcmp(name, "OpenCL.DebugInfo.100") && strcmp(name, "SPIRV.debug"))
        reader_fail(r, "the instruction set '%s' is not supported", name);
    reader_define(r, in, ID_IMPORT)->name = name;
}

/* Remembers one that isn't supported, for messages: what it brings may not be used. */
static void note_extension(struct reader *r, const char *name) {
    static const char *const supported[] = {SPIRV_EXTENSIONS};
    bool found = false;
    for (size_t i = 0; i < sizeof supported / sizeof *supported; i++)
        found |= !strcmp(name, supported[i]);
    r->extension = found ? r->extension : name;
}

void read_module(struct reader *r, const struct instruction *in) {
    switch (in->op->code) {
    case OpName:
        reader_id(r, in->at[0])->name = reader_string(r, in->at + 1, in->n - 1, NULL);
        break;
    case OpString: {
        const char *text = reader_string(r, in->at, in->n, NULL);
        reader_define(r, in, ID_STRING)->name = text;
        list_add(&r->strings, (void *)text);
        break;
    }
    case OpExtInstImport:
        import(r, in);
        break;
    case OpMemoryModel:
        check_memory_model(r, in);
        break;
    case OpEntryPoint:
        add_entry_point(r, in);
        break;
    case OpExecutionMode:
    case OpExecutionModeId:
        add_mode(r, in);
        break;
    case OpDecorationGroup:
    case OpAliasDomainDeclINTEL:
    case OpAliasScopeDeclINTEL:
    case OpAliasScopeListDeclINTEL:
        reader_define(r, in, ID_GROUP);
        break;
    case OpDecorate:
    case OpDecorateId:
    case OpDecorateString:
        decorate(r, in->at[0], -1, in->at + 1, in->n - 1);
        break;
    case OpMemberDecorate:
    case OpMemberDecorateString:
        decorate(r, in->at[0], in->at[1], in->at + 2, in->n - 2);
        break;
    case OpGroupDecorate:
    case OpGroupMemberDecorate:
        decorate_group(r, in, in->op->code == OpGroupMemberDecorate);
        break;
    case OpExtension:
        note_extension(r, reader_string(r, in->at, in->n, NULL));
        break;
    case OpCapability: /* what a module does shows in its instructions */
        break;
    default:
        reader_fail(r, "it isn't expected here");
    }
}

/* ---- the module ------------------------------------------------------------------------------------------------ */

static void read_header(struct reader *r, struct blob module) {
    if (!source_is_spirv(module.data, module.size) || module.size < HEADER_WORDS * 4)
        reader_fail(r, "%zu bytes are too few for a module, or don't begin as one", module.size);
    if (module.size % 4)
        reader_fail(r, "%zu bytes are no whole number of words of 4 bytes: the module is cut off",
                    module.size);
    uint32_t *words = job_alloc(module.size);
    memcpy(words, module.data, module.size);
    if (words[0] == SPIRV_MAGIC_SWAPPED)
        for (size_t i = 0; i < module.size / 4; i++)
            words[i] = __builtin_bswap32(words[i]);
    r->words = words;
    r->nwords = module.size / 4;
    r->bound = words[3];
    if (words[1] < 0x10000 || words[1] > MAX_VERSION || words[1] & 0xff)
        reader_fail(r, "it has version %u.%u; versions 1.0 to 1.6 are read", words[1] >> 16,
                    words[1] >> 8 & 0xff);
    /* every id that is used is written at least once */
    if (r->bound > MAX_BOUND && r->bound > r->nwords)
        reader_fail(r, "the bound of ids is %u; at most %u are supported", r->bound, MAX_BOUND);
}

/* Reads what comes before the functions; returns where they begin. */
static size_t read_globals(struct reader *r) {
    struct instruction in;
    size_t at = HEADER_WORDS;
    for (; reader_next(r, at, &in); at += r->words[at] >> 16) {
        if (in.op->code == OpFunction)
            break;
        reader_step(r, &in);
    }
    return at;
}

static void check_end(struct reader *r) {
    if (r->function_id)
        reader_fail(r, "the last function doesn't end: the module is cut off");
}

static void read_functions(struct reader *r, size_t begin) {
    struct instruction in;
    r->in_functions = true;
    for (size_t at = begin; reader_next(r, at, &in); at += r->words[at] >> 16)
        reader_declare(r, &in);
    check_end(r);
    for (size_t at = begin; reader_next(r, at, &in);) {
        if (in.op->code == OpLabel && r->function) {
            at = reader_blocks(r, at);
            continue;
        }
        reader_step(r, &in);
        at += r->words[at] >> 16;
    }
    check_end(r);
    r->current = NULL;
}

static void verify(struct reader *r) {
    char *message = NULL;
    if (LLVMVerifyModule(r->module, LLVMReturnStatusAction, &message))
        reader_fail(r, "the module is invalid: %s", message);
    LLVMDisposeMessage(message);
}

LLVMModuleRef spirv_read(struct job *job, struct blob module, const struct options *options) {
    struct reader *r = job_alloc(sizeof *r);
    *r = (struct reader){.job = job, .options = options, .llvm = job->llvm, .contract = true};
    r->wants_types = job->request->check || options->check;
    read_header(r, module);
    r->ids = job_alloc(r->bound * sizeof *r->ids);
    r->module = LLVMModuleCreateWithNameInContext("program", r->llvm);
    target_retarget(job, r->module);
    r->layout = LLVMGetModuleDataLayout(r->module);
    r->builder = LLVMCreateBuilderInContext(r->llvm);
    size_t functions = read_globals(r);
    r->current = NULL;
    read_functions(r, functions);
    reader_finish_function_pointers(r);
    reader_finish_kernels(r);
    if (r->debug) {
        debug_finish(r);
        LLVMDIBuilderFinalize(r->debug);
    }
    verify(r);
    ways_back_in_spirv(r->module, &r->merges);
    if (r->debug && r->wants_types)
        types_keep(job, r->module);
    LLVMDisposeBuilder(r->builder);
    return r->module;
}

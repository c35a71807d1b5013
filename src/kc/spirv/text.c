/* text.c: a module as text, by the table of instructions, for spirv-as and for people who look for the byte that a message
 * names.
 *
 * In: a module's bytes. Out: a line for each instruction, with its place and the name of its result. Ids are numbers, as in
 * the module. Numbers of enumerations, and all else that the table doesn't tell the meaning of, are words as they are (!N),
 * which the assembler takes as such. What is no instruction ends the text with a comment. */
#include "spirv.h"

#include "reader.h"

#include "opcodes.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, COLUMN = 60, MOST_IDS = 1 << 22, IS_STANDARD = 1 };

struct text {
    struct buf *out;
    const uint32_t *words;
    size_t n;
    uint32_t bound;
    unsigned char *bits; /* by id: of an integer type; IS_STANDARD: OpenCL.std */
    size_t *names;       /* by id: the word where the name begins, or 0 */
};

/* Whether the numbers of an instruction are just numbers. */
static bool has_plain_numbers(const struct text *t, const struct opcode *op, const uint32_t *at, uint32_t n) {
    static const uint32_t codes[] = {OpTypeInt,         OpTypeFloat,     OpTypeVector, OpCompositeExtract,
                                     OpCompositeInsert, OpVectorShuffle, OpLine,       OpMemberName};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (op->code == codes[i])
            return true;
    unsigned bits = op->code == OpConstant && n == 3 && at[0] < t->bound ? t->bits[at[0]] : 0;
    return bits >= 8 && bits <= 32 && at[2] < UINT32_C(1) << (bits - 1); /* else a sign would be meant */
}

/* A string of at most n words, in quotes; returns how many it has. */
static uint32_t put_string(struct buf *out, const uint32_t *at, uint32_t n) {
    buf_printf(out, "\"");
    for (uint32_t i = 0; i < n; i++)
        for (unsigned b = 0; b < 32; b += 8) {
            char c = (char)(at[i] >> b);
            if (!c) {
                buf_printf(out, "\"");
                return i + 1;
            }
            buf_printf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
        }
    buf_printf(out, "\"");
    return n;
}

/* One operand; returns how many words it has. */
static uint32_t put_operand(const struct text *t, char letter, bool plain, const uint32_t *at, uint32_t n) {
    buf_printf(t->out, " ");
    if (letter == 's')
        return put_string(t->out, at, n);
    buf_printf(t->out, letter != 'n' ? "%%%u" : plain ? "%u" : "!%u", at[0]);
    return 1;
}

static void put_operands(const struct text *t, const struct opcode *op, const uint32_t *at, uint32_t n) {
    bool plain = has_plain_numbers(t, op, at, n);
    bool calls = op->code == OpExtInst && n > 3 && at[2] < t->bound && t->bits[at[2]] == IS_STANDARD;
    uint32_t i = 0;
    for (const char *s = op->operands; *s && i < n; s++) {
        bool many = *s == '*';
        s += many || *s == '?';
        char letter = many && calls ? 'i' : *s; /* of OpenCL.std all are ids */
        if (letter == 'r') {
            i++; /* it stands before */
            continue;
        }
        do
            i += put_operand(t, letter, plain, at + i, n - i);
        while (many && i < n);
    }
    for (; i < n; i++)
        buf_printf(t->out, " !%u", at[i]);
}

/* Remembers what later instructions are printed by. */
static void remember(struct text *t, const struct opcode *op, const uint32_t *at, uint32_t n) {
    static const uint32_t standard[] = {0x6e65704f, 0x732e4c43, 0x00006474}; /* "OpenCL.std" */
    if (n < 2 || at[0] >= t->bound)
        return;
    if (op->code == OpTypeInt)
        t->bits[at[0]] = at[1] <= 64 ? (unsigned char)at[1] : 0;
    else if (op->code == OpExtInstImport && n == 4 && !memcmp(at + 1, standard, sizeof standard))
        t->bits[at[0]] = IS_STANDARD;
    else if (op->code == OpName)
        t->names[at[0]] = (size_t)(at + 1 - t->words);
}

static void put_instruction(struct text *t, size_t place, uint32_t n) {
    const uint32_t *at = t->words + place + 1;
    const struct opcode *op = opcode_find(t->words[place] & 0xffff);
    const char *result = op ? strchr(op->operands, 'r') : NULL;
    size_t begin = t->out->size, r = op && op->operands[0] == 't';
    if (!op)
        buf_printf(t->out, "!%u", t->words[place]);
    else if (result && r < n)
        buf_printf(t->out, "%%%u = %s", at[r], op->name);
    else
        buf_printf(t->out, "%s", op->name);
    static const struct opcode unknown = {.operands = ""};
    put_operands(t, op ? op : &unknown, at, n);
    if (op)
        remember(t, op, at, n);
    size_t length = t->out->size - begin;
    buf_printf(t->out, "%*s; %zu", length < COLUMN ? (int)(COLUMN - length) : 1, "", place * 4);
    size_t name = result && r < n && at[r] < t->bound ? t->names[at[r]] : 0;
    if (name) {
        buf_printf(t->out, ": ");
        put_string(t->out, t->words + name, (uint32_t)(t->n - name < 64 ? t->n - name : 64));
    }
    buf_printf(t->out, "\n");
}

void spirv_text(struct blob module, struct buf *out) {
    struct text t = {.out = out, .n = module.size / 4};
    uint32_t *words = malloc(module.size + 4);
    if (!words || t.n < HEADER) {
        free(words);
        return;
    }
    memcpy(words, module.data, module.size);
    if (words[0] == SPIRV_MAGIC_SWAPPED)
        for (size_t i = 0; i < t.n; i++)
            words[i] = __builtin_bswap32(words[i]);
    t.words = words;
    t.bound = words[3] < MOST_IDS ? words[3] : MOST_IDS;
    t.bits = calloc(t.bound + 1, 1);
    t.names = calloc(t.bound + 1, sizeof *t.names);
    buf_printf(out, "; SPIR-V %u.%u, bound of ids %u; each line ends with its place in bytes\n",
               words[1] >> 16 & 0xff, words[1] >> 8 & 0xff, words[3]);
    size_t at = HEADER;
    for (uint32_t n; t.bits && t.names && at < t.n; at += n) {
        n = words[at] >> 16;
        if (!n || n > t.n - at) {
            buf_printf(out, "; at byte %zu is not an instruction: its length is %u words, %zu are left\n",
                       at * 4, n, t.n - at);
            break;
        }
        put_instruction(&t, at, n - 1);
    }
    free(t.bits);
    free(t.names);
    free(words);
}

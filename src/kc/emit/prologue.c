/* prologue.c: where debuggers stop at a kernel's name, in kernels whose variables are shown (k->shown).
 *
 * In: the .debug_line section of an object of LLVM's, changed in place. LLVM finds no line before the loops over work-items
 * begin, and says that the prologue ends with the first instruction there. No work-item runs at that place, and arguments
 * aren't anywhere yet. Out: the row that says so is gone. A debugger then takes the function's second row, the first
 * work-item's first line.
 * A row is two bytes or more: "the prologue ends", a step of the address, and the opcode that ends the row. They become one
 * step of the address with a number as long as it has to be. */
#include "emit.h"

#include <string.h>

enum {
    LINE_COPY = 1,
    LINE_ADVANCE_PC = 2,
    LINE_CONST_ADD_PC = 8,
    LINE_FIXED_ADVANCE_PC = 9,
    LINE_PROLOGUE_END = 10
};

/* One unit's program of line numbers. */
struct program {
    unsigned char *at, *end;
    const unsigned char *lengths; /* of standard opcodes, from 1 on: their numbers */
    unsigned opcode_base, line_range;
    int line_base;
    bool broken;
};

static uint64_t number(const unsigned char *at, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

static uint64_t read_uleb(struct program *p) {
    uint64_t value = 0;
    for (unsigned shift = 0; p->at < p->end && shift < 64; shift += 7) {
        unsigned char byte = *p->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    p->broken = true;
    return 0;
}

/* Steps over the opcode at p->at, which is neither special nor the prologue's end. */
static void skip(struct program *p) {
    unsigned opcode = *p->at++;
    uint64_t bytes = opcode ? 2 * (opcode == LINE_FIXED_ADVANCE_PC) : read_uleb(p);
    for (unsigned n = opcode && !bytes ? p->lengths[opcode] : 0; n && !p->broken; n--)
        read_uleb(p);
    p->broken |= bytes > (uint64_t)(p->end - p->at);
    p->at += p->broken ? 0 : bytes;
}

/* The row that begins at p->at with the prologue's end becomes a step, if nothing but the address changes in it. */
static void drop_row(struct program *p) {
    unsigned char *begin = p->at++;
    uint64_t step = 0;
    bool is_row = false;
    while (!is_row && p->at < p->end && !p->broken) {
        unsigned opcode = *p->at++;
        unsigned special = opcode >= p->opcode_base ? opcode - p->opcode_base : 0;
        if (opcode == LINE_ADVANCE_PC)
            step += read_uleb(p);
        else if (opcode == LINE_CONST_ADD_PC)
            step += (255 - p->opcode_base) / p->line_range;
        else if (opcode == LINE_COPY || opcode >= p->opcode_base)
            is_row = true;
        else
            return;
        if (opcode >= p->opcode_base && p->line_base + (int)(special % p->line_range))
            return;
        step += special / p->line_range;
    }
    size_t digits = (size_t)(p->at - begin) - 1;
    if (!is_row || p->broken || (digits < 9 && step >> 7 * digits))
        return;
    *begin++ = LINE_ADVANCE_PC;
    for (size_t i = 0; i < digits; i++, step >>= 7)
        begin[i] = (unsigned char)((step & 0x7f) | (i + 1 < digits ? 0x80 : 0));
}

void prologue_hide(unsigned char *lines, size_t size) {
    enum {
        VERSION = 4,
        FIELDS = 6
    }; /* of what follows the header's length: sizes, bases, numbers of opcodes */
    while (size > VERSION + 2) {
        uint64_t length = number(lines, 4);
        unsigned version = (unsigned)number(lines + VERSION, 2),
                 before = VERSION + 2 + (version >= 5 ? 2 : 0);
        if (length > size - 4 || length < before + 4 + FIELDS + 12 || version < 4 || version > 5)
            return;
        const unsigned char *fields = lines + before + 4;
        struct program p = {.at = lines + before + 4 + number(lines + before, 4),
                            .end = lines + 4 + length,
                            .lengths = fields + FIELDS - 1,
                            .line_base = (signed char)fields[3],
                            .line_range = fields[4],
                            .opcode_base = fields[5]};
        if (number(lines + before, 4) > length - before || fields[0] != 1 || !p.line_range ||
            p.opcode_base <= LINE_PROLOGUE_END)
            return;
        while (p.at < p.end && !p.broken) {
            if (*p.at == LINE_PROLOGUE_END)
                drop_row(&p);
            else if (*p.at >= p.opcode_base)
                p.at++;
            else
                skip(&p);
        }
        lines += 4 + length;
        size -= 4 + length;
    }
}

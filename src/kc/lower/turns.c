/* turns.c: after how many rounds a loop is where it was but for what it counts: buffers that take turns.
 *
 * In: a loop, with values promoted. Out: how many rounds its pointers to local memory take until each is again what it was, and its
 * numbers that go around a few values. Unrolled so many times (unroll_steps.c), each copy of the loop knows which buffer it
 * reads and which it writes; nothing else tells that they are not the same one.
 *     for (...) { next[l] = f(now[l]); barrier(...); t = now; now = next; next = t; }        2 rounds
 *     for (...) { row[k][l] = f(row[1 - k][l]); barrier(...); k = 1 - k; }                   2 rounds
 * What it can't do: what takes turns by a counter, as row[i % 2], or by what memory says. */
#include "analysis.h"
#include "lower.h"

enum { MOST_TURNS = 4, DEPTH = 5 };

struct turning {
    LLVMValueRef phi;
    int64_t value; /* of the PHI */
};

static bool value_of(const struct turning *t, LLVMValueRef v, unsigned depth, int64_t *result);

static bool binary_of(const struct turning *t, LLVMValueRef v, unsigned depth, int64_t *result) {
    int64_t a, b;
    if (!value_of(t, LLVMGetOperand(v, 0), depth, &a) || !value_of(t, LLVMGetOperand(v, 1), depth, &b)) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMAdd:
        *result = a + b;
        return true;
    case LLVMSub:
        *result = a - b;
        return true;
    case LLVMXor:
        *result = a ^ b;
        return true;
    case LLVMAnd:
        *result = a & b;
        return true;
    case LLVMURem:
    case LLVMSRem:
        *result = b > 0 && a >= 0 ? a % b : 0;
        return b > 0 && a >= 0;
    default:
        return false;
    }
}

/* The value of a number that depends on the PHI alone. False: it depends on more. */
static bool value_of(const struct turning *t, LLVMValueRef v, unsigned depth, int64_t *result) {
    enum { MOST = 1 << 20 }; /* so that no number of steps leaves an int */
    int64_t is;
    bool known = depth;
    if (v == t->phi) {
        *result = t->value;
    } else if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64) {
        *result = LLVMConstIntGetSExtValue(v);
    } else if (known && LLVMIsABinaryOperator(v)) {
        known = binary_of(t, v, depth - 1, result);
    } else if (known && LLVMIsASelectInst(v)) {
        known = value_of(t, LLVMGetOperand(v, 0), depth - 1, &is) &&
                value_of(t, LLVMGetOperand(v, is ? 1 : 2), depth - 1, result);
    } else if (known && LLVMIsAICmpInst(v)) {
        int64_t a, b;
        LLVMIntPredicate p = LLVMGetICmpPredicate(v);
        known = (p == LLVMIntEQ || p == LLVMIntNE) && value_of(t, LLVMGetOperand(v, 0), depth - 1, &a) &&
                value_of(t, LLVMGetOperand(v, 1), depth - 1, &b);
        *result = known && (a == b) == (p == LLVMIntEQ);
    } else if (known && (LLVMIsAZExtInst(v) || LLVMIsATruncInst(v) || LLVMIsASExtInst(v))) {
        known = value_of(t, LLVMGetOperand(v, 0), depth - 1, result) && *result >= 0;
    } else {
        known = false;
    }
    return known && *result > -MOST && *result < MOST;
}

/* Of a number that begins as a constant: 1 if it doesn't go around. */
static unsigned turns_of_number(LLVMValueRef phi, LLVMValueRef start, LLVMValueRef next) {
    if (!LLVMIsAConstantInt(start)) {
        return 1;
    }
    int64_t first = LLVMConstIntGetSExtValue(start);
    struct turning t = {.phi = phi, .value = first};
    for (unsigned turns = 1; turns <= MOST_TURNS; turns++) {
        if (!value_of(&t, next, DEPTH, &t.value)) {
            return 1;
        }
        if (t.value == first) {
            return turns;
        }
    }
    return 1;
}

/* Of a pointer that gets what another one of the loop's was, and so on. */
static unsigned turns_of_pointer(LLVMValueRef phi, LLVMBasicBlockRef header, LLVMBasicBlockRef latch) {
    LLVMValueRef p = phi;
    for (unsigned turns = 1; turns <= MOST_TURNS; turns++) {
        p = ir_incoming(p, latch);
        if (p == phi) {
            return turns;
        }
        if (!LLVMIsAPHINode(p) || LLVMGetInstructionParent(p) != header) {
            return 1;
        }
    }
    return 1;
}

static unsigned common(unsigned a, unsigned b) {
    unsigned all = a;
    while (all % b) {
        all += a;
    }
    return all;
}

unsigned turns_of(LLVMBasicBlockRef header, LLVMBasicBlockRef latch) {
    unsigned turns = 1;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMTypeRef type = LLVMTypeOf(phi);
        if (LLVMCountIncoming(phi) != 2 || LLVMGetIncomingBlock(phi, 0) == LLVMGetIncomingBlock(phi, 1)) {
            continue;
        }
        LLVMValueRef start = LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == latch);
        if (LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == AS_LOCAL) {
            turns = common(turns, turns_of_pointer(phi, header, latch));
        } else if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
            turns = common(turns, turns_of_number(phi, start, ir_incoming(phi, latch)));
        }
    }
    return turns <= MOST_TURNS ? turns : 1;
}

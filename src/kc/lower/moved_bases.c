/* moved_bases.c: what all lanes add to an index that may have wrapped around before it was extended moves the base instead.
 *
 * Needs k->run simplified, packs to come; runs where accesses are not checked. LLVM adds numbers of 64 bits to an index of 32 bits, and
 * goes on with the sum from round to round: nobody knows then how lanes lie, as the extension has no stride. Of the index as it
 * was before it is known where lanes are in an object (contiguity.c), and one of 32 bits takes half the registers.
 *     %x = sext i32 %i to i64          ; i: affine, may wrap         %g = getelementptr i32, ptr %p, i64 %n
 *     %s = add i64 %x, %n              ; n: the same for all lanes
 *     %a = getelementptr i32, ptr %p, i64 %s              becomes    %a = getelementptr i32, ptr %g, i64 %x
 * A counter that begins with %x and to which each round adds a number that lanes share is %x and a counter that they share. The proof:
 * addresses are the same modulo 2^64; that they are in an object isn't said any more of those on the way.
 * What it can't do: pointers that go on from round to round. */
#include "analysis.h"
#include "lower.h"

enum { MOST_PARTS = 6 };

struct bases {
    struct kernel *k;
    struct uniform pack;
    struct list counters; /* PHIs that have been split */
    struct ptrmap shared; /* each of them -> the counter that lanes share */
};

/* An index: what lanes have of their own, and what is added to it. */
struct sum {
    LLVMValueRef own, parts[MOST_PARTS];
    bool is_less[MOST_PARTS];
    unsigned n;
};

static bool is_extension(LLVMValueRef v) {
    return (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) == 32;
}

/* Which of a counter's two values is the next round's, a sum of it and a number that lanes share; -1: none. */
static int next_of(const struct bases *s, LLVMValueRef phi, LLVMValueRef *by) {
    for (unsigned n = 0; n < 2 && LLVMCountIncoming(phi) == 2; n++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, n);
        if (!LLVMIsABinaryOperator(next) || LLVMGetInstructionOpcode(next) != LLVMAdd) {
            continue;
        }
        LLVMValueRef x = LLVMGetOperand(next, 0), y = LLVMGetOperand(next, 1);
        *by = x == phi ? y : x;
        if ((x == phi || y == phi) && uniform_is(&s->pack, *by)) {
            return (int)n;
        }
    }
    return -1;
}

/* Takes off the index what lanes share: one addend, or a counter's. */
static bool take_part(const struct bases *s, struct sum *sum) {
    LLVMValueRef x = sum->own, part = NULL, by;
    bool is_less = false;
    if (LLVMIsAPHINode(x)) {
        int next = next_of(s, x, &by);
        part = next < 0 ? NULL : x;
        sum->own = next < 0 ? x : LLVMGetIncomingValue(x, 1 - (unsigned)next);
    } else if (LLVMIsABinaryOperator(x)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(x);
        LLVMValueRef left = LLVMGetOperand(x, 0), right = LLVMGetOperand(x, 1);
        is_less = op == LLVMSub;
        if ((op == LLVMAdd || op == LLVMSub) && uniform_is(&s->pack, right)) {
            part = right;
            sum->own = left;
        } else if (op == LLVMAdd && uniform_is(&s->pack, left)) {
            part = left;
            sum->own = right;
        }
    }
    if (part) {
        sum->parts[sum->n] = part;
        sum->is_less[sum->n++] = is_less;
    }
    return part;
}

static bool find_sum(const struct bases *s, LLVMValueRef address, struct sum *sum) {
    int64_t stride;
    *sum = (struct sum){.own = LLVMGetOperand(address, 1)};
    if (LLVMTypeOf(sum->own) != LLVMInt64TypeInContext(s->k->llvm) ||
        uniform_stride(&s->pack, sum->own, &stride)) {
        return false;
    }
    while (sum->n < MOST_PARTS && take_part(s, sum)) {
    }
    return sum->n && is_extension(sum->own) && !uniform_stride(&s->pack, sum->own, &stride) &&
           uniform_stride(&s->pack, LLVMGetOperand(sum->own, 0), &stride);
}

/* The counter that begins with 0 where this one begins with what lanes have of their own. */
static LLVMValueRef shared_counter(struct bases *s, LLVMValueRef phi) {
    LLVMValueRef by, found = (LLVMValueRef)ptrmap_at(&s->shared, phi, 0);
    if (found) {
        return found;
    }
    unsigned next = (unsigned)next_of(s, phi, &by);
    LLVMTypeRef type = LLVMTypeOf(phi);
    LLVMBuilderRef b = ir_before(phi);
    found = LLVMBuildPhi(b, type, "shared");
    LLVMDisposeBuilder(b);
    b = ir_before(LLVMGetIncomingValue(phi, next));
    LLVMValueRef values[2];
    LLVMBasicBlockRef from[] = {LLVMGetIncomingBlock(phi, 0), LLVMGetIncomingBlock(phi, 1)};
    values[next] = LLVMBuildAdd(b, found, by, "");
    values[1 - next] = LLVMConstNull(type);
    LLVMDisposeBuilder(b);
    LLVMAddIncoming(found, values, from, 2);
    ptrmap_set(&s->shared, phi, (uintptr_t)found);
    list_add(&s->counters, phi);
    return found;
}

static void move_base(struct bases *s, LLVMValueRef address, const struct sum *sum) {
    LLVMTypeRef element = LLVMGetGEPSourceElementType(address);
    LLVMValueRef base = LLVMGetOperand(address, 0), before = LLVMGetOperand(address, 1);
    LLVMBuilderRef b = ir_before(address);
    for (unsigned i = 0; i < sum->n; i++) {
        LLVMValueRef part = sum->parts[i];
        bool is_counter = LLVMIsAPHINode(part) && !uniform_is(&s->pack, part);
        part = is_counter ? shared_counter(s, part) : part;
        part = sum->is_less[i] ? LLVMBuildNeg(b, part, "") : part;
        base = LLVMBuildGEP2(b, element, base, &part, 1, "");
    }
    LLVMDisposeBuilder(b);
    LLVMSetOperand(address, 0, base);
    LLVMSetOperand(address, 1, sum->own);
    LLVMGEPSetNoWrapFlags(address, 0);
    while (LLVMIsABinaryOperator(before) && !LLVMGetFirstUse(before)) {
        bool left = uniform_is(&s->pack, LLVMGetOperand(before, 1));
        LLVMValueRef unused = before;
        before = LLVMGetOperand(before, left ? 0 : 1);
        LLVMInstructionEraseFromParent(unused);
    }
}

static bool is_used_by(LLVMValueRef v, LLVMValueRef only) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        if (LLVMGetUser(u) != only) {
            return false;
        }
    }
    return true;
}

/* Counters that nothing but their next round uses any more. */
static void erase_unused(struct bases *s) {
    for (size_t n = 0; n < s->counters.n; n++) {
        LLVMValueRef phi = s->counters.at[n], by,
                     next = LLVMGetIncomingValue(phi, (unsigned)next_of(s, phi, &by));
        if (is_used_by(phi, next) && is_used_by(next, phi)) {
            LLVMReplaceAllUsesWith(phi, LLVMGetPoison(LLVMTypeOf(phi)));
            LLVMInstructionEraseFromParent(phi);
            LLVMInstructionEraseFromParent(next);
        }
    }
}

/* Whether the index may be such a sum, before anything is known of lanes. */
static bool may_be_sum(LLVMValueRef i) {
    LLVMValueRef x = LLVMIsAGetElementPtrInst(i) && LLVMGetNumOperands(i) == 2 ? LLVMGetOperand(i, 1) : NULL;
    return x && (LLVMIsAPHINode(x) || (LLVMIsABinaryOperator(x) && (LLVMGetInstructionOpcode(x) == LLVMAdd ||
                                                                    LLVMGetInstructionOpcode(x) == LLVMSub)));
}

void moved_bases_pass(struct kernel *k) {
    struct bases s = {.k = k, .pack = {.of_pack = true, .width = k->width, .rows = 1}};
    struct list addresses = {0};
    struct sum sum;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && !k->checked;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (may_be_sum(i)) {
                list_add(&addresses, i);
            }
        }
    }
    if (addresses.n) {
        uniform_run(k, &s.pack);
    }
    for (size_t n = 0; n < addresses.n; n++) {
        LLVMValueRef i = addresses.at[n];
        if (find_sum(&s, i, &sum)) {
            move_base(&s, i, &sum);
        }
    }
    erase_unused(&s);
}

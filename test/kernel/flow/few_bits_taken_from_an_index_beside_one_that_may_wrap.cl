// (LLVM's vectorizer takes `l & 7` for l where it asks whether another index wraps around, and simplifies the remainder before.)
// global: 100
// local: 100
// arg: int out[200] = -1
// arg: int seen[200] = -1
// arg: uint first = 63
// expect: out = i % 16 < 8 && i / 16 * 8 + i % 16 < 100 ? i / 16 * 8 + i % 16 : -1
// expect: seen = i >= 63 && i < 163 ? i - 63 : -1
kernel void k(global int *out, global int *seen, uint first) {
    int l = get_local_id(0);
    seen[l + first] = l;
    out[(2 * l - (l & 7)) % 512] = l;
}

// Each work-item adds its row from its own column on. (LLVM's vectorizer takes the columns for a row of memory: it believes
// that a part of a sum does not wrap around where the sum does not.)
// global: 64
// local: 64
// arg: int out[64]
// arg: int rows[4096] = i / 64
// expect: out = i * 64
kernel void k(global int *out, global const int *rows) {
    int l = get_local_id(0), sum = 0;
    for (int i = 0; i < 64; i++) {
        sum += rows[l * 64 + ((i + l) & 63)];
    }
    out[l] = sum;
}

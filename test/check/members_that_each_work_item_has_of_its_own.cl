// finds: nothing
// global: 64
// local: 16
// arg: int p[256] = i
// expect: p = i % 4 == 3 ? 4 * i - 3 : i + 1
struct particle {
    int at[3], sum;
};

kernel void k(global struct particle *p) {
    size_t i = get_global_id(0);
    int sum = 0;
    for (int d = 0; d < 3; d++) {
        sum += ++p[i].at[d];
    }
    p[i].sum += sum;
}

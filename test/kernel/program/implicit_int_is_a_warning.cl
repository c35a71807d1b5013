// options:
// global: 512
// local: 16 64 none
// arg: int out[512]
// expect: out = i + 7
constant four = 4;
plus(const a, int b) {
    return a + b;
}
int both(a, b) {
    return a + b;
}
kernel void k(global int *out) {
    const three = 3;
    out[get_global_id(0)] = both(plus(three, four), (int)get_global_id(0));
}

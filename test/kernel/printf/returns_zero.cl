// global: 1
// local: 1
// arg: int out[1]
// print: text
// expect: out = 0
kernel void k(global int *out) {
    out[0] = printf("text\n");
}

// global: 504
// arg: int out[504]
// expect: out = (i % 4 + 1) * (i % 4 + 1)
constant int squares[] = {1, 4, 9, 16};
int lookup(constant int *from, int at) {
    return from[at];
}
kernel void k(global int *out) {
    constant char text[] = "abc";
    out[get_global_id(0)] = lookup(squares, get_global_id(0) % 4) + text[0] - 'a';
}

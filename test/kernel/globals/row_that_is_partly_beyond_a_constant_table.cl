// The lanes that are off would read beyond the table's end. Without masked loads the whole row is read all the same.
// global: 504
// local: 1 2 3 7
// set: WEIR_CPU=x86-64
// arg: int out[504]
// expect: out = i % 4 * 7 + 3 + i % 8 * 5
constant int fours[] = {3, 10, 17, 24};
constant short eights[] = {0, 5, 10, 15, 20, 25, 30, 35};
kernel void k(global int *out) {
    size_t i = get_global_id(0);
    out[i] = fours[i % 4] + eights[i % 8];
}

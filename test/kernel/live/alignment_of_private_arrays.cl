// global: 96
// local: 1 16 48
// spirv: clang 22 writes alignments of 256 and more as 0
// arg: int out[96] = -1
// arg: int twos[96] = 2
// expect: out = 7
kernel void k(global int *out, global const int *twos) {
    int a[3] __attribute__((aligned(256))), b[5] __attribute__((aligned(4096))), g = get_global_id(0);
    int c[8000] __attribute__((aligned(1024)));
    volatile ulong at_a = (ulong)a, at_b = (ulong)b, at_c = (ulong)c;
    a[g % 3] = twos[g];
    b[g % 5] = twos[g] * 2;
    c[g] = twos[g] - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = at_a % 256 + at_b % 4096 + at_c % 1024 + a[g % 3] + b[g % 5] + c[g];
}

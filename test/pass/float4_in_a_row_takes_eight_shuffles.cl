// Four parts that are a register each are taken apart, and put together, by halves: eight shuffles of two registers each way instead of
// twelve. One half of them only moves halves of registers.
// RUN: c() { %weirc %s --cpu x86-64-v4 --width 16 --local 16 --emit asm | grep -cE "$1"; }; test $(c 'vperm[ti]2ps') = 8 && test $(c 'vperm|vshuf|vinsertf|vunpck|vblend') = 16
kernel void k(global const float4 *a, global float4 *b) {
    uint i = get_global_id(0);
    b[i] = sqrt(a[i]) * (float)i; /* each lane by its own number, or any would do */
}

// Processors that shuffle two registers within halves alone take rows of OpenCL vectors apart by interleaving them: of eight lanes' float4
// four halves are put beside others as they are read, and two rounds of four instructions make the parts. What is copied is neither taken apart nor put together.
// RUN: c() { %weirc %s --cpu x86-64-v3 --width 8 --local 8 --kernel $1 --emit asm | grep -cE "$2"; }; test $(c floats 'vunpck') = 16 && test $(c floats 'vinsertf128|vperm2f128|vextractf128') = 8 && test $(c floats 'vperm[pdqi]|vshuf|vblend') = 0 && test $(c shorts 'vpunpck') = 48 && test $(c shorts 'vpshuf|vpack|vpblend|vperm') = 0 && test $(c copied 'vunpck|vpunpck|vinsert|vextract|vperm|vshuf') = 0
kernel void floats(global const float4 *a, global float4 *b) {
    uint i = get_global_id(0);
    b[i] = sqrt(a[i]) * (float)i;
}
kernel void shorts(global const short8 *a, global short8 *b) {
    uint i = get_global_id(0);
    b[i] = a[i] * (short)i;
}
kernel void copied(global const float4 *a, global float4 *b, global const uchar16 *c, global uchar16 *d) {
    uint i = get_global_id(0);
    b[i] = a[i];
    d[i] = c[i];
}

# weir compile --emit spv: what LLVM's back end for SPIR-V gets wrong is written otherwise
. "$(dirname "$0")/common"
cat >odd.cl <<'EOF'
kernel void k(global ulong *out, global const int *in, uint row, uint column) {
    int g = get_global_id(0);
    uint grid[4][3];
    for (uint q = 0; q < 12; q++)
        grid[q & 3][q % 3] = q;
    local int tile[64];
    long16 wide[2] = {(long16)(g), (long16)(row)};
    uchar low = (uchar)in[g];
    tile[get_local_id(0)] = in[g];
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    out[g] = grid[row][column] + convert_uint_sat(low) + convert_ulong4((uint4)(0x80000000u)).s1;
    out[g] = out[g] * 31 + (ulong)convert_short3_sat((int3)(in[g] * 1000)).s2 + (ulong)convert_int4((char4)(low)).s3;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    out[g] = out[g] * 31 + tile[get_local_id(0) ^ 1] + wide[g & 1].sf;
}
EOF
arguments="k --global 64 --local 64 --options -cl-std=CL3.0 --arg 64 --arg in:64=iota:190 --arg 2 --arg 1 --print all"
weir run odd.cl $arguments >source
expect 0 '^$' weir compile odd.cl --options -cl-std=CL3.0 --emit spv
weir run odd.spv $arguments >module
grep -o '=.*' source >expected
expect 0 '^$' diff expected <(head -1 module | grep -o '=.*')
# SPIR-V's barriers have constants for flags: of flags that none are, all of them
cat >flags.cl <<'EOF'
kernel void k(global int *out, uint both) {
    local int tile[64];
    tile[get_local_id(0)] = both;
    barrier(both ? CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[63 - get_local_id(0)];
}
EOF
expect 0 '^$' weir compile flags.cl --options -cl-std=CL3.0 --emit spv
expect 0 'found nothing in 1 kernel' weir check flags.spv k --global 64 --local 64 --arg out:64 --arg 1 --print 0
finish

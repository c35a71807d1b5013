// finds: nothing
// options: -cl-std=CL1.2
// global: 8192
// local: 128
// arg: int part[8192]
// arg: int count[1] = 0
// arg: int out[1] = 0
// expect: out = 8192
// Of 64 groups all work-items learn by the counter what all others have written, behind barriers of OpenCL C 1.x.
kernel void k(global int *part, volatile global int *count, global int *out) {
    local int last;
    size_t l = get_local_id(0), g = get_global_id(0);
    if (l == 0)
        last = 0;
    part[g] = 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (atomic_inc(count) == 8191)
        last = 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last && l == 0)
        for (int i = 0; i < 8192; i++)
            out[0] += part[i];
}

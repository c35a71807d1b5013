// finds: nothing
// global: 64
// local: 32
// arg: int out[64]
kernel void k(global int *out) {
    local int t[33];
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = t[l + 1];
    int sum = work_group_scan_inclusive_add(x);
    if (l < 31)
        out[get_global_id(0)] = sum;
}

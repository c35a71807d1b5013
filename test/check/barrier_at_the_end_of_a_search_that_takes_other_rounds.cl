// finds: barrier-divergence 10 10
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    int i = 0, l = get_local_id(0);
    for (;; i++)
        if (i >= l % 4) {
            barrier(CLK_LOCAL_MEM_FENCE);
            out[l] = i;
            if (i > 4 - l)
                break;
        }
}

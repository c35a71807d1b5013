// finds: data-race 8 14, data-race 8 16, data-race 8 17, data-race 9 14, data-race 9 16, data-race 9 17, data-race 14 16, data-race 14 17, data-race 16 16, data-race 16 17, data-race 17 17
// global: 128
// local: 64
// arg: int data[256] = i*97%256
kernel void k(global int *data) {
    local int s[128];
    uint l = get_local_id(0), base = get_group_id(0) * 128;
    s[l] = data[base + l];
    s[l + 64] = data[base + l + 64];
    for (uint k = 2; k <= 128; k *= 2)
        for (uint j = k / 2; j; j /= 2) {
            ;
            uint low = 2 * l - (l & (j - 1));
            int a = s[low], b = s[low + j];
            if ((a > b) == ((low & k) == 0)) {
                s[low] = b;
                s[low + j] = a;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[base + l] = s[l];
    data[base + l + 64] = s[l + 64];
}

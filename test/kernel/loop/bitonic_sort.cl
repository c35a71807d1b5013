// global: 256
// local: 256
// arg: int data[256] = i * 167 % 256
// expect: data = i
kernel void k(global int *data) {
    local int s[256];
    size_t l = get_local_id(0);
    s[l] = data[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint size = 2; size <= 256; size *= 2)
        for (uint stride = size / 2; stride > 0; stride /= 2) {
            uint partner = l ^ stride;
            if (partner > l && (s[l] > s[partner]) == !(l & size)) {
                int t = s[l];
                s[l] = s[partner];
                s[partner] = t;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    data[l] = s[l];
}

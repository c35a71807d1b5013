// The neighbours of an element, limited to a range whose ends move with the work-item and don't; read after a barrier.
// global: 504
// local: 504 63
// arg: int columns[4] = {504, 300, 20, 1}
// arg: int wrong[504]
// expect: wrong = 0
kernel void k(global const int *columns, global int *wrong) {
    local int now[512];
    int l = get_local_id(0), n = get_local_size(0), bad = 0;
    for (int c = 0; c < 4; c++) {
        int x = (int)get_group_id(0) * n + l, least = max(0, l - x), most = min(n - 1, columns[c] - 1 - x + l);
        int left = max(l - 1, least), right = min(l + 1, most), back = min(n - 1 - l, n - 3);
        bool valid = l >= least && l <= most;
        if (valid)
            now[l] = 3 * x;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (valid) {
            bad += now[left] != 3 * (x == 0 || l == 0 ? x : x - 1);
            bad += now[right] != 3 * (l == most ? x : x + 1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        now[l] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        bad += now[back] != (l < 2 ? n - 3 : n - 1 - l);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    wrong[get_global_id(0)] = bad;
}

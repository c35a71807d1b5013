// Odd-even transposition: each round only every second work-item looks at its two elements.
// global: 128
// local: any
// arg: int wrong[128]
// expect: wrong = 0
kernel void k(global int *wrong) {
    local int s[1025];
    int l = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2), bad = 0;
    s[l] = l * 37 % 101;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < n; r++) {
        if (((l ^ r) & 1) == 0 && l + 1 < n && s[l] > s[l + 1]) {
            int a = s[l];
            s[l] = s[l + 1];
            s[l + 1] = a;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i + 1 < n; i++)
        bad += s[i] > s[i + 1];
    int sum = 0, want = 0;
    for (int i = 0; i < n; i++) {
        sum += s[i];
        want += i * 37 % 101;
    }
    wrong[get_global_id(0)] = bad + (sum != want);
}

// One place that all look at, and some set: nobody writes back what it has read there.
// global: 128
// local: any
// races: some read what others write
// arg: int wrong[128]
// expect: wrong = 0
kernel void k(global int *wrong) {
    local int flag, marks[8];
    int l = get_local_linear_id(), n = get_local_size(0) * get_local_size(1) * get_local_size(2), any = 0, bad = 0;
    for (int i = l; i < 8; i += n)
        marks[i] = 0;
    flag = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (flag == 0 && l * 37 % 13 == 3)
        flag = 1;
    if (marks[l * 5 % 8] != 7 && l * 37 % 13 == 4)
        marks[l * 5 % 8] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++) {
        any |= i * 37 % 13 == 3;
        bad |= i * 37 % 13 == 4 && marks[i * 5 % 8] != 7;
    }
    wrong[get_global_id(0)] = bad || flag != any;
}

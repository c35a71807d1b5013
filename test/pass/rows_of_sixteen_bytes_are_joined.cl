// Rows of 16 bytes go into a vector by one instruction each: sums of differences of bytes, in groups of 16 x 16, take two rows.
// RUN: %weirc %s --kernel k --local 16,16 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK: 32: 2 rows of 16 work-items
kernel void k(global const uchar *in, global ushort *sums, int width, uchar from) {
    local uchar t[32][33];
    int x = get_local_id(0), y = get_local_id(1), left = get_group_id(0) * 16, top = get_group_id(1) * 16;
    for (int i = y; i < 32; i += 16)
        for (int j = x; j < 32; j += 16)
            t[i][j] = in[(top + i) * width + left + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    ushort sum = 0;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            sum += abs_diff(t[y + i][x + j], from);
    sums[(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * 256 + y * 16 + x] = sum;
}

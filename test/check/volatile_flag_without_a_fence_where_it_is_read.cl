// finds: inter-group-race 13 19
// illegal: finishes
// options: -cl-std=CL1.2
// global: 64
// local: 32
// arg: int data[1] = 0
// arg: int flag[1] = 0
// arg: int out[64] = 0
kernel void k(global int *data, volatile global int *flag, global int *out) {
    if (get_local_id(0) != 0)
        return;
    if (get_group_id(0) == 0) {
        data[0] = 42;
        write_mem_fence(CLK_GLOBAL_MEM_FENCE);
        flag[0] = 1;
    } else {
        while (flag[0] == 0)
            ;
        out[1] = data[0];
    }
}

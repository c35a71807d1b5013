// global: 504
// arg: int data[504] = i
// expect: data = i == F + S - 1 ? F : i + 1
kernel void k(global int *data) {
    size_t l = get_local_id(0), g = get_global_id(0);
    global int *same = data;
    int v = data[g - l + (l + 1) % get_local_size(0)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    same[g] = v;
}

// finds: nothing
// needs: collectives
// global: 32,4
// local: 16,4
// arg: int out[128]
// expect: out = 2016
kernel void k(global int *out) {
    int x = get_local_id(0), y = get_local_id(1), sum = 0;
    for (int i = 0; i < 64; i++)
        sum += work_group_broadcast(16 * y + x, i % 16, i / 16);
    out[get_global_linear_id()] = sum;
}

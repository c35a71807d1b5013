// finds: barrier-divergence 10 10
// needs: collectives
// illegal: finishes
// global: 32,4
// local: 16,4
// arg: int out[128]
kernel void k(global int *out) {
    int x = get_local_id(0), y = get_local_id(1);
    int value = 16 * y + x;
    value += work_group_broadcast(value, 3, y / 2);
    out[get_global_linear_id()] = value;
}

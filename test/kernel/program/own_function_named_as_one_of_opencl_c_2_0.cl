// options:
// global: 512
// local: 16 64 none
// arg: int out[512]
// expect: out = 20
typedef int atomic_uint;
uint get_local_linear_id(void) {
    return 3;
}
int work_group_reduce_add(int x) {
    return x + 1;
}
static float sub_group_shuffle(float x, uint i) {
    return x + i;
}
uint sub_group_reduce_add(uint x) {
    return x + 2;
}
kernel void k(global int *out) {
    atomic_uint sum = get_local_linear_id() + work_group_reduce_add(1);
    out[get_global_id(0)] = sum + (int)sub_group_shuffle(3.0f, 4) + sub_group_reduce_add(6);
}

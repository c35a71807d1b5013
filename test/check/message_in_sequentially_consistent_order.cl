// finds: nothing
// needs: generic
// global: 64
// local: 32
// arg: int data[1] = 0
// arg: int flag[1] = 0
// arg: int out[64] = 0
// expect: out = i == 1 ? 42 : 0
kernel void k(global int *data, global atomic_int *flag, global int *out) {
    if (get_local_id(0) != 0)
        return;
    if (get_group_id(0) == 0) {
        data[0] = 42;
        atomic_store(flag, 1);
    } else {
        while (!atomic_load(flag))
            ;
        out[1] = data[0];
    }
}

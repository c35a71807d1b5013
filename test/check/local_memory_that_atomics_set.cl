// finds: nothing
// global: 64
// local: 64
// arg: int out[64]
// expect: out = i + 32
kernel void k(global int *out) {
    local int sum, start;
    local atomic_int flag;
    size_t l = get_local_id(0);
    if (l == 0) {
        atomic_xchg(&sum, 0);
        atomic_and(&start, 0);
        atomic_init(&flag, (int)0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32)
        atomic_inc(&sum);
    atomic_fetch_add(&flag, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = sum + start + (int)l + (atomic_load(&flag) == 64 ? 0 : 1);
}

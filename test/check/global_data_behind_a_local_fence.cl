// finds: missing-fence 8 10
// global: 256
// local: 64
// arg: int a[256] = i
// arg: int out[256]
kernel void k(global int *a, global int *out) {
    size_t l = get_local_id(0), g = get_global_id(0), first = g - l;
    a[g] *= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a[first + 63 - l];
}

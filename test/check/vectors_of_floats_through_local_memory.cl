// finds: nothing
// global: 256
// local: 64
// arg: float a[1024] = i
kernel void k(global float4 *a) {
    local float4 t[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    t[l] = a[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[g] = t[63 - l];
}

// global: 504
// arg: int out[504]
// arg: local a[L * 4]
// arg: local b[L]
// expect: out = (F + (i - F + 1) % S) * 2 + 1 + (F + (i - F + 1) % S) % 100
kernel void k(global int *out, local int *a, local char *b) {
    local long c[512];
    local char d[512];
    size_t l = get_local_id(0), g = get_global_id(0), next = (l + 1) % get_local_size(0);
    a[l] = g;
    b[l] = g % 100;
    c[l] = g;
    d[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a[next] + b[next] + c[next] + d[next];
}

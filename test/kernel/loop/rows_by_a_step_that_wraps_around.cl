// A step with which most work-items come around the greatest number again and again, until they come to one beyond the bound.
// global: 64
// local: 64
// arg: uint a[64] = i + 1
// arg: uint out[64] = 0
// arg: uint n = 4294967280
// arg: uint step = 2147483640
// expect: out = (i + 1) * (4 - i / 16)
kernel void k(global const uint *a, global uint *out, uint n, uint step) {
    for (uint i = get_global_id(0); i < n; i += step)
        if (i < 64)
            atomic_add(&out[i], a[i]);
}

// options: -cl-std=CL3.0 -D FACTOR=7 -DNAME=k -DTEXT="a b"
// global: 504
// arg: int out[504]
// expect: out = i * 7
kernel void NAME(global int *out) {
    out[get_global_id(0)] = get_global_id(0) * FACTOR;
}

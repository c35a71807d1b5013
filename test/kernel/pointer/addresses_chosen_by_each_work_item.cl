// global: 504
// arg: int a[504] = i * 3
// arg: int b[504] = i * 5 + 1
// arg: int c[504] = i * 7 % 13
// arg: int out[1008]
// arg: int far = 100000000
// expect: out = i < 504 ? (i * 7 % 13 > 5 ? i * 3 : i * 5 + 1) : i * 3
// arg: int back[504]
// expect: back = (i * 7 % 13) % 2 ? i : 2 * (2 * F + S - 1 - i)
// arg: int both[504]
// expect: both = (i * 7 % 13) % 3 ? 7 * i + 2 * i : i + 7 * i
kernel void k(global const int *a, global const int *b, global const int *c, global int *out, int far, global int *back,
              global int *both) {
    local int s[1024], t[1024];
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);
    s[l] = i;
    t[l] = 2 * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = c[i] > 5 ? a[i] : b[i];
    out[504 + i] = c[i] < 13 ? a[i] + 504 * 3 : a[i + far];
    back[i] = c[i] & 1 ? s[l] : t[n - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    *(c[i] % 3 ? s + l : t + l) = 7 * i;
    barrier(CLK_LOCAL_MEM_FENCE);
    both[i] = s[l] + t[l];
}

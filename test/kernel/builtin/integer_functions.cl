// global: 504
// arg: int out[504]
// expect: out = min(i, 77) + max(i, 300) + abs(i - 200) + (i % 8 < 3 ? 3 : i % 8 > 5 ? 5 : i % 8)
kernel void k(global int *out) {
    int g = get_global_id(0);
    out[g] = min(g, 77) + max(g, 300) + (int)abs(g - 200) + clamp(g % 8, 3, 5);
}

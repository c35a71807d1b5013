// Local variables that inner blocks declare, which OpenCL C doesn't have: under one name, beside others of that name, by macros.
// spirv: clang takes local variables in the outermost block alone
// global: 256
// local: 64
// arg: int a[256] = i
// arg: int wrong[256]
// expect: wrong = 0
#define TILE __local volatile int
struct s {
    int t;
};
kernel void k(global int *a, global int *wrong) {
    int l = get_local_id(0), g = get_global_id(0), t = 5, bad = 0;
    struct s one = {7}, *p = &one;
    if (get_group_id(0) & 1) {
        __local int t[64], u;
        if (l == 0)
            u = 3;
        t[l] = a[g];
        barrier(CLK_LOCAL_MEM_FENCE);
        bad += t[63 - l] + u != g - l + 63 - l + 3 || p->t + one.t != 14;
        {
            int t = 9;
            bad += t != 9;
        }
        for (int t = 0; t < 2; t++)
            bad += t > 1;
    } else {
        local short t[sizeof(int) *
                      (16)] __attribute__((aligned(64)));
        local struct s u[2][64];
        t[l] = a[g], u[1][l].t = g;
        barrier(CLK_LOCAL_MEM_FENCE);
        bad += t[l ^ 1] != (g ^ 1) || u[1][l ^ 3].t != (g ^ 3) || sizeof t != 128 || sizeof u != 512;
    }
    for (int i = 0; i < 2; i++) {
        TILE t[64]; local volatile int *q = t;
        q[l] = i + l;
        barrier(CLK_LOCAL_MEM_FENCE);
        bad += t[l ^ 1] != i + (l ^ 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    switch (l >= 0) {
    case 1:
        __local char t[64];
        t[l] = '}' + l; // a brace, and "{ local int x;"
        barrier(CLK_LOCAL_MEM_FENCE);
        bad += t[63 - l] != (char)('}' + 63 - l);
    }
    bad += vload4(g / 4, a).y != g / 4 * 4 + 1; // functions and macros are what they are without such variables
#if !defined(M_PI_F) || !defined(FLT_MAX)
    bad++;
#endif
    wrong[g] = bad + (t != 5) + (__LINE__ != 54);
}

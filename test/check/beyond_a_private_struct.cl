// finds: out-of-bounds 14
// illegal: finishes
// global: 64
// local: 64
// arg: int n = 2
// arg: float out[64]
struct point { int id; float at[3]; };
kernel void k(int n, global float *out) {
    struct point p[2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            p[i].at[j] = (float)(i + j);
    p[0].id = 1;
    out[get_local_id(0)] = p[n].at[1] + (float)p[0].id;
}

// Registers that constants fill anew in each round hold back the rounds after it, where no instruction takes them from memory
// and broadcasts them: the chain of a sine is waited for once by two packs. Its slow path takes hardly any time.
// RUN: %weirc %s --local 256 --cpu x86-64-v3 --report text | FileCheck %s
// CHECK: 16: about
typedef struct {
    float x, y, z, weight;
} wave;
kernel void k(int n, global const float *x, global const float *y, global const float *z, global float *re,
              global float *im, constant wave *w) {
    int g = get_global_id(0);
    float a = x[g], b = y[g], c = z[g], r = re[g], i = im[g];
    for (int j = 0; j < n; j++) {
        float p = 6.2831853f * (w[j].x * a + w[j].y * b + w[j].z * c);
        r += w[j].weight * cos(p);
        i += w[j].weight * sin(p);
    }
    re[g] = r;
    im[g] = i;
}

// global: 300
// needs: cl_khr_fp16
// arg: float out[300]
// expect: out = i % 3 == 0 ? i * 2 : i % 3 == 1 ? i + 0.5 : i * 0.25 - 1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global float *out) {
    size_t i = get_global_id(0);
    half x = i, r = 0;
    half each[3] = {x * 2, x + 0.5h, x * 0.25h - 1.0h};
    if (i % 3 == 0) {
        r = each[i % 3];
    } else {
        for (half j = 0; j < (half)(i % 3); j += 1) {
            r = each[1 + (int)j];
        }
    }
    out[i] = r;
}

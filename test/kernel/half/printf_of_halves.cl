// global: 1
// needs: cl_khr_fp16
// print: 1.5 -0.0999756
// print: 1,2,3,4
// print: 0.5,-2 inf
// print: 6.10352e-05 0x1p-24
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(void) {
    half h = 1.5h, big = 65504.0h;
    half4 v = (half4)(1, 2, 3, 4);
    half2 w = (half2)(0.5h, -2.0h);
    printf("%g %g\n", h, -0.1h);
    printf("%v4hg\n", v);
    printf("%v2hg %f\n", w, big * big);
    printf("%g %a\n", 0x1p-14h, 0x1p-24h);
}

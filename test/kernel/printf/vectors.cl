// global: 1
// local: 1
// print: 1,2,3,4
// print: 0.50,1.50
// print: ff,0,7f
// print: 1,-2
// print: 1,2,3,4,5,6,7,8
// print: 1,20000000000
// print: 0.5,0.25
// print: [  1,  2]
kernel void k(void) {
    printf("%v4hld\n", (int4)(1, 2, 3, 4));
    printf("%.2v2hlf\n", (float2)(0.5f, 1.5f));
    printf("%v3hhx\n", (uchar3)(255, 0, 127));
    printf("%v2hd\n", (short2)(1, -2));
    printf("%v8hld\n", (int8)(1, 2, 3, 4, 5, 6, 7, 8));
    printf("%v2ld\n", (long2)(1, 20000000000l));
    printf("%v2lg\n", (double2)(0.5, 0.25));
    printf("[%3v2hld]\n", (int2)(1, 2));
}

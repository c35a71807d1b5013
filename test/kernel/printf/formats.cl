// global: 1
// local: 1
// print: int -5 uint 4000000000 hex ff FF oct 17
// print: char x string hello percent %
// print: float 1.500000 2.5e+00 0.25
// print: long -5000000000 ulong 10000000000
// print: [   42] [42   ] [00042] [+42]
kernel void k(void) {
    printf("int %d uint %u hex %x %X oct %o\n", -5, 4000000000u, 255, 255, 15);
    printf("char %c string %s percent %%\n", 'x', "hello");
    printf("float %f %.1e %g\n", 1.5f, 2.5f, 0.25f);
    printf("long %ld ulong %lu\n", -5000000000l, 10000000000ul);
    printf("[%5d] [%-5d] [%05d] [%+d]\n", 42, 42, 42, 42);
}

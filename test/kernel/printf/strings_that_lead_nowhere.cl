// The specification asks for literals; anything else ends no process. A string is printed as far as it can be read.
// global: 1
// print: a (null) b
// print: c (null) d
// print: e (null) f
// print: [  (null)] [] []
// print: behind a format that is none
kernel void k(void) {
    ulong wild = 0x123456789000ul + get_global_id(0), high = ~0ul - 4, noncanonical = 1ul << 62;
    printf("a %s b\n", (constant char *)wild);
    printf("c %s d\n", (constant char *)(get_global_id(0) * 8));
    printf("e %s f\n", (constant char *)high);
    printf("[%8s] [%.0s] [%-0.0s]\n", (constant char *)noncanonical, (constant char *)wild, "x");
    printf((constant char *)wild, 1);
    printf("behind a format that is none\n");
}

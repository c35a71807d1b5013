// global: 1
// local: 1
// print: plain
// print: 1 2 3 4 5 6 7 8 9 10 11 12
kernel void k(void) {
    printf("plain\n");
    printf("%d %d %d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
}

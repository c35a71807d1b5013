// global: 4
// local: 4
// print: item 0
// print: item 1
// print: item 2
// print: item 3
kernel void k(void) {
    printf("item %d\n", (int)get_global_id(0));
}

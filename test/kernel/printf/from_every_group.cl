// global: 12
// local: 1 2 3 12 none
// print-unordered: item 0
// print-unordered: item 1
// print-unordered: item 2
// print-unordered: item 3
// print-unordered: item 4
// print-unordered: item 5
// print-unordered: item 6
// print-unordered: item 7
// print-unordered: item 8
// print-unordered: item 9
// print-unordered: item 10
// print-unordered: item 11
kernel void k(void) {
    printf("item %d\n", (int)get_global_id(0));
}

// global: 2
// local: 2
// print: zero
// print: one
kernel void k(void) {
    constant char *text = get_global_id(0) ? "one" : "zero";
    printf("%s\n", text);
}

// finds: nothing
// global: 63
// local: 21
// arg: int2 p[64] = i
kernel void k(global int2 *p) {
    size_t i = get_global_id(0);
    ((global int *)p)[2 * i] = ((global int *)p)[2 * i + 3];
}

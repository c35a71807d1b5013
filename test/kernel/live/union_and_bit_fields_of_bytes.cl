// global: 504
// arg: uint out[504]
// expect: out = (i * 2654435761 & 0xff) + (i * 2654435761 >> 24 & 0xff)
union word {
    uint u;
    uchar4 b;
};
kernel void k(global uint *out) {
    union word w;
    w.u = get_global_id(0) * 2654435761u;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = w.b.x + w.b.w;
}

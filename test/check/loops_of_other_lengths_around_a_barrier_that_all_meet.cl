// finds: nothing
// global: 128
// local: 64
// arg: int out[128]
kernel void k(global int *out) {
    size_t l = get_local_id(0);
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 4 + (int)l % 3; i++)
            if (i < 4)
                barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l;
}

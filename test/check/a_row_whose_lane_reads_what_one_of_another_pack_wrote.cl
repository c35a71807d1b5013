// finds: data-race 12 14
// global: 64
// local: 64
// arg: int out[64]
// Of all rows one element is read before the barrier that it needs.
kernel void k(global int *out) {
    local int tile[64];
    size_t l = get_local_id(0);
    int sum = 0;
    tile[l] = 0;
    for (int i = 0; i < 8; i++) {
        tile[l] = i;
        if (i == 7 && l > 36 && l < 47)
            sum += tile[l - (l == 40 ? 40 - 3 : 0)];
        sum += tile[l];
    }
    out[l] = sum;
}

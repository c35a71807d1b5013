// finds: data-race 7 8
// global: 64
// local: 64
kernel void k(void) {
    local int tile[128];
    int l = get_local_id(0);
    int x = tile[(l + 5) % 64];
    tile[l] = x;
}

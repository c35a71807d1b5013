// finds: data-race 12 10, uninitialized-read 12 13
// global: 64
// local: 64
// arg: int out[64]
// That it has any contents before makes it no less a race.
kernel void k(global int *out) {
    local int t[64];
    int l = get_local_id(0);

    atomic_add(&t[l], 64 + l);

    int x = t[l / 2];
    out[l] = x;
}

// finds: nothing
// global: 256
// local: 64
// arg: char a[256] = i
kernel void k(global char *a) {
    local char t[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    t[l] = a[g];
    t[l]++;
    a[g] = t[l];
}

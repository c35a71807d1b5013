// Each work-item takes a share of its own size, 0 to 4: shares lie side by side and don't overlap, whoever comes first.
// global: 500
// local: 500 125 50
// arg: uint next[3] = {0, 2000, 0}
// arg: uint up[1000] = 0
// arg: uint down[2000] = 0
// arg: uint odd[500] = 0
// expect: next = {1000, 1000, 250}
// expect: up = 1
// expect: down = i < 1000 ? 0 : 1
// expect: odd = i < 250 ? 1 : 0
kernel void k(global uint *next, global uint *up, global uint *down, global uint *odd) {
    size_t g = get_global_id(0);
    uint size = g % 5;
    uint from = atomic_add(&next[0], size), to = atomic_sub(&next[1], size);
    for (uint i = 0; i < size; i++) {
        atomic_inc(&up[from + i]);
        atomic_inc(&down[to - 1 - i]);
    }
    if (g % 2)
        atomic_inc(&odd[atomic_inc(&next[2])]);
}

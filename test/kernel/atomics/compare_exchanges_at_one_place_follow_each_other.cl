// A work-item that finds the number of the one before it leaves its own: as many succeed as the number says in the end, and
// none that fails has found what it expected. The first of them finds 0, so that some succeed.
// global: 504
// local: 504 56 1
// arg: int place[2] = 0
// arg: int succeeded[1] = 0
// arg: int wrong[1] = 0
// arg: int equal[1] = 0
// expect: wrong = 0
// expect: equal = 1
kernel void k(global int *place, global int *succeeded, global int *wrong, global int *equal) {
    int g = get_global_id(0), found = atomic_cmpxchg(&place[0], g, g + 1);
    if (found == g)
        atomic_inc(succeeded);
    else if (found > (int)get_global_size(0) || found < 0)
        atomic_inc(wrong);
    if (atomic_inc(&place[1]) == get_global_size(0) - 1) {
        int all = atomic_add(succeeded, 0);
        *equal = all == atomic_add(&place[0], 0) && all > 0;
    }
}

// finds: barrier-divergence 11 11
// illegal: finishes
// needs: collectives
// global: 128
// local: 64
// arg: int out[128]
kernel void k(global int *out) {
    int late = get_local_id(0) < 3, x = 0;
    for (int i = 0; i < 5; i++) {
        if (i >= late && i < 4 + late)
            x += work_group_scan_inclusive_add(i);
    }
    out[get_global_id(0)] = x;
}

/* demo.cl: the demo's kernels: programs whose work-items meet at barriers again and again. */

#define BLOCK 256 /* work-items of the reduction's and the scans' work-groups */
#define TILE  16

/* Sums n floats to one float per work-group: strided partial sums, then a tree in local memory. */
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void reduce(global const float *in,
                                                                      global float *out, uint n) {
    local float sums[BLOCK];
    uint l = get_local_id(0);
    float sum = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += in[i];
    sums[l] = sum;
    for (uint stride = BLOCK / 2; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < stride)
            sums[l] += sums[l + stride];
    }
    if (l == 0)
        out[get_group_id(0)] = sums[0];
}

/* Inclusive prefix sums of blocks after Hillis and Steele: log2(BLOCK) steps, two barriers each. The sum of
 * each block goes to `sums`. */
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
scan_hillis_steele(global const uint *in, global uint *out, global uint *sums, uint n) {
    local uint t[BLOCK];
    uint l = get_local_id(0), i = get_global_id(0);
    t[l] = i < n ? in[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < BLOCK; step *= 2) {
        uint other = l >= step ? t[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n)
        out[i] = t[l];
    if (l == BLOCK - 1)
        sums[get_group_id(0)] = t[l];
}

/* The same after Blelloch: a sweep up a tree and one down, two elements per work-item. */
kernel __attribute__((reqd_work_group_size(BLOCK / 2, 1, 1))) void
scan_blelloch(global const uint *in, global uint *out, global uint *sums, uint n) {
    local uint t[BLOCK];
    uint l = get_local_id(0), base = get_group_id(0) * BLOCK, i = base + 2 * l;
    uint first = i < n ? in[i] : 0, second = i + 1 < n ? in[i + 1] : 0;
    t[2 * l] = first, t[2 * l + 1] = second;
    uint step = 1;
    for (uint active = BLOCK / 2; active > 0; active /= 2, step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active)
            t[step * (2 * l + 2) - 1] += t[step * (2 * l + 1) - 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        sums[get_group_id(0)] = t[BLOCK - 1];
        t[BLOCK - 1] = 0;
    }
    for (uint active = 1; active < BLOCK; active *= 2) {
        step /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < active) {
            uint left = step * (2 * l + 1) - 1, right = step * (2 * l + 2) - 1, old = t[left];
            t[left] = t[right];
            t[right] += old;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        out[i] = t[2 * l] + first;
    if (i + 1 < n)
        out[i + 1] = t[2 * l + 1] + second;
}

/* Adds the scanned sum of all blocks before it to each block. */
kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void scan_add(global uint *out,
                                                                        global const uint *sums, uint n) {
    uint i = get_global_id(0);
    if (get_group_id(0) > 0 && i < n)
        out[i] += sums[get_group_id(0) - 1];
}

/* c = a * b for n x n matrices in rows, n a multiple of TILE: tiles of both go through local memory. */
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matrix_product(global const float *a, global const float *b, global float *c, uint n) {
    local float ta[TILE][TILE], tb[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < n; k += TILE) {
        ta[y][x] = a[row * n + k + x];
        tb[y][x] = b[(k + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < TILE; i++)
            sum += ta[y][i] * tb[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

kernel void empty(void) {
}

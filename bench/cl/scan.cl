// scan.cl: reductions and prefix sums of work-groups.

static void tree(local float *sums, uint l) {
    for (uint step = get_local_size(0) / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step)
            sums[l] += sums[l + step];
    }
}

kernel void reduce_tree(global const float *in, global float *out, local float *sums) {
    uint l = get_local_id(0);
    sums[l] = in[get_global_id(0)];
    tree(sums, l);
    if (l == 0)
        out[get_group_id(0)] = sums[0];
}

kernel void reduce_multi(global const float *in, global float *out, local float *sums, uint each) {
    uint l = get_local_id(0), n = get_local_size(0);
    global const float *mine = in + get_group_id(0) * n * each;
    float sum = 0;
    for (uint i = 0; i < each; i++)
        sum += mine[i * n + l];
    sums[l] = sum;
    tree(sums, l);
    if (l == 0)
        out[get_group_id(0)] = sums[0];
}

// Inclusive; two halves of local memory take turns.
kernel void scan_hillis(global const uint *in, global uint *out, global uint *totals, local uint *shared) {
    uint l = get_local_id(0), n = get_local_size(0);
    local uint *from = shared, *to = shared + n;
    from[l] = in[get_global_id(0)];
    for (uint step = 1; step < n; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        to[l] = l >= step ? from[l] + from[l - step] : from[l];
        local uint *old = from;
        from = to;
        to = old;
    }
    out[get_global_id(0)] = from[l];
    if (l == n - 1)
        totals[get_group_id(0)] = from[l];
}

// Two elements of each work-item; inclusive, too, so that both have the same result.
kernel void scan_blelloch(global const uint *in, global uint *out, global uint *totals, local uint *shared) {
    uint l = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n, stride = 1;
    uint first = in[base + 2 * l], second = in[base + 2 * l + 1];
    shared[2 * l] = first;
    shared[2 * l + 1] = second;
    for (uint d = n / 2; d; d /= 2, stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            shared[stride * (2 * l + 2) - 1] += shared[stride * (2 * l + 1) - 1];
    }
    if (l == 0) {
        totals[get_group_id(0)] = shared[n - 1];
        shared[n - 1] = 0;
    }
    for (uint d = 1; d < n; d *= 2) {
        stride /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint low = stride * (2 * l + 1) - 1, high = stride * (2 * l + 2) - 1;
            uint t = shared[low];
            shared[low] = shared[high];
            shared[high] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = shared[2 * l] + first;
    out[base + 2 * l + 1] = shared[2 * l + 1] + second;
}

// Adds to each block of `block` elements the total of all blocks before it.
kernel void scan_add(global uint *out, global const uint *totals, uint block) {
    uint i = get_global_id(0), b = i / block;
    if (b)
        out[i] += totals[b - 1];
}

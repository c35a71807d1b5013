// sort.cl: bitonic sort, radix sort, histogram.

#define BLOCK 1024

static void exchange(local uint *s, uint i, uint step, bool up) {
    uint low = 2 * step * (i / step) + i % step, a = s[low], b = s[low + step];
    if ((a > b) == up) {
        s[low] = b;
        s[low + step] = a;
    }
}

// Sorts blocks, upwards and downwards in turn (first = 2), or merges them (first = BLOCK) for length `k`.
kernel void bitonic_local(global uint *data, uint first, uint k) {
    local uint s[BLOCK];
    uint l = get_local_id(0), base = get_group_id(0) * BLOCK;
    s[l] = data[base + l];
    s[l + BLOCK / 2] = data[base + l + BLOCK / 2];
    for (uint length = first; length <= BLOCK; length *= 2) {
        uint direction = first == 2 ? length : k;
        for (uint step = length / 2; step; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint position = base + 2 * step * (l / step) + l % step;
            exchange(s, l, step, (position & direction) == 0);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[base + l] = s[l];
    data[base + l + BLOCK / 2] = s[l + BLOCK / 2];
}

kernel void bitonic_global(global uint *data, uint step, uint k) {
    uint i = get_global_id(0), low = 2 * step * (i / step) + i % step, a = data[low], b = data[low + step];
    if ((a > b) == ((low & k) == 0)) {
        data[low] = b;
        data[low + step] = a;
    }
}

#define ITEMS 64
#define EACH 16

// How many of a group's keys have each digit: counts[digit][group].
kernel void radix_count(global const uint *keys, global uint *counts, uint shift) {
    local uint bins[16];
    uint l = get_local_id(0), group = get_group_id(0);
    if (l < 16)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < EACH; i++)
        atomic_inc(&bins[keys[(group * EACH + i) * ITEMS + l] >> shift & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        counts[l * get_num_groups(0) + group] = bins[l];
}

// Exclusive prefix sums in place, by one work-group; n is a multiple of its size.
kernel void radix_scan(global uint *counts, uint n, local uint *sums) {
    uint l = get_local_id(0), size = get_local_size(0), each = n / size, sum = 0;
    for (uint i = 0; i < each; i++)
        sum += counts[l * each + i];
    sums[l] = sum;
    for (uint step = 1; step < size; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint add = l >= step ? sums[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] += add;
    }
    uint at = sums[l] - sum;
    for (uint i = 0; i < each; i++) {
        uint count = counts[l * each + i];
        counts[l * each + i] = at;
        at += count;
    }
}

// Stable: each work-item has EACH neighbouring keys; ranks[digit][item] is scanned by the group.
kernel void radix_scatter(global const uint *keys, global uint *sorted, global const uint *starts,
                          uint shift) {
    local uint ranks[16 * ITEMS], sums[ITEMS];
    uint l = get_local_id(0), group = get_group_id(0), base = (group * ITEMS + l) * EACH;
    for (uint d = 0; d < 16; d++)
        ranks[d * ITEMS + l] = 0;
    for (uint i = 0; i < EACH; i++)
        ranks[(keys[base + i] >> shift & 15) * ITEMS + l]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    for (uint i = 0; i < 16; i++)
        sum += ranks[l * 16 + i];
    sums[l] = sum;
    for (uint step = 1; step < ITEMS; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint add = l >= step ? sums[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[l] += add;
    }
    uint at = sums[l] - sum;
    for (uint i = 0; i < 16; i++) {
        uint count = ranks[l * 16 + i];
        ranks[l * 16 + i] = at;
        at += count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint first[16];
    for (uint d = 0; d < 16; d++)
        first[d] = starts[d * get_num_groups(0) + group] + ranks[d * ITEMS + l] - ranks[d * ITEMS];
    for (uint i = 0; i < EACH; i++) {
        uint key = keys[base + i];
        sorted[first[key >> shift & 15]++] = key;
    }
}

kernel void histogram(global const uint *in, global uint *out, uint each) {
    local uint bins[256];
    uint l = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n * each;
    for (uint i = l; i < 256; i += n)
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < each; i++)
        atomic_inc(&bins[in[base + i * n + l] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < 256; i += n)
        out[get_group_id(0) * 256 + i] = bins[i];
}

// tile.cl: work-groups that go over a tile in local memory in many steps, each of which leaves out some work-items.

#define SORTED 512

kernel void tile_sort(global uint *data) {
    local uint s[SORTED];
    uint l = get_local_id(0), base = get_group_id(0) * SORTED;
    s[l] = data[base + l];
    s[l + SORTED / 2] = data[base + l + SORTED / 2];
    for (uint k = 2; k <= SORTED; k *= 2)
        for (uint j = k / 2; j; j /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * l - (l & (j - 1)), a = s[low], b = s[low + j];
            if ((a > b) == ((low & k) == 0)) {
                s[low] = b;
                s[low + j] = a;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[base + l] = s[l];
    data[base + l + SORTED / 2] = s[l + SORTED / 2];
}

#define SIDE 16
#define STEPS 4

// Four steps of a stencil of five points; the work-items whose neighbours are known get fewer by a cell on each side.
kernel void tile_stencil(global const float *in, global float *out, int width, int height) {
    local float t[2][SIDE + 2][SIDE + 2];
    int x = get_local_id(0), y = get_local_id(1), now = 0, inner = SIDE - 2 * STEPS;
    int gx = get_group_id(0) * inner + x - STEPS, gy = get_group_id(1) * inner + y - STEPS;
    t[0][y + 1][x + 1] = in[clamp(gy, 0, height - 1) * width + clamp(gx, 0, width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step <= STEPS; step++) {
        bool live = x >= step && x < SIDE - step && y >= step && y < SIDE - step;
        if (live)
            t[1 - now][y + 1][x + 1] =
                0.2f * (t[now][y + 1][x + 1] + t[now][y][x + 1] + t[now][y + 2][x + 1] + t[now][y + 1][x] +
                        t[now][y + 1][x + 2]);
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x >= STEPS && x < SIDE - STEPS && y >= STEPS && y < SIDE - STEPS)
        out[gy * width + gx] = t[now][y + 1][x + 1];
}

#define COLUMNS 32

// L and U of tiles without pivoting; a work-item has a column.
kernel void tile_lu(global float *tiles) {
    local float s[COLUMNS][COLUMNS + 1];
    int c = get_local_id(0);
    global float *a = tiles + get_group_id(0) * COLUMNS * COLUMNS;
    for (int r = 0; r < COLUMNS; r++)
        s[r][c] = a[r * COLUMNS + c];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < COLUMNS - 1; k++) {
        if (c > k)
            s[c][k] /= s[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c > k)
            for (int r = k + 1; r < COLUMNS; r++)
                s[r][c] -= s[r][k] * s[k][c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < COLUMNS; r++)
        a[r * COLUMNS + c] = s[r][c];
}

#define PATHS 256

// The cheapest ways down `rows` rows; the work-items with all they need get fewer by one on each side with each row.
kernel void tile_paths(global const int *costs, global int *out, int columns, int rows) {
    local int now[PATHS], next[PATHS];
    int l = get_local_id(0), x = (int)get_group_id(0) * (PATHS - 2 * rows) + l - rows;
    int least = max(0, l - x), most = min(PATHS - 1, columns - 1 - x + l);
    int left = max(l - 1, least), right = min(l + 1, most);
    bool valid = l >= least && l <= most, computed = false;
    if (valid)
        now[l] = costs[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 1; r <= rows; r++) {
        computed = valid && l >= r && l < PATHS - r;
        if (computed)
            next[l] = min(now[left], min(now[l], now[right])) + costs[r * columns + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (computed)
            now[l] = next[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        out[x] = now[l];
}

#define ALIGNED 32

// Alignment scores of 32 x 32 letters, by diagonals: work-item x has the element of the diagonal in column x.
kernel void tile_align(global const int *scores, global int *out, int penalty) {
    local int t[ALIGNED + 1][ALIGNED + 1], s[ALIGNED][ALIGNED];
    int x = get_local_id(0), base = get_group_id(0) * ALIGNED * ALIGNED;
    for (int y = 0; y < ALIGNED; y++)
        s[y][x] = scores[base + y * ALIGNED + x];
    t[x + 1][0] = -penalty * (x + 1);
    t[0][x + 1] = -penalty * (x + 1);
    if (x == 0)
        t[0][0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 2 * ALIGNED - 1; d++) {
        int y = d - x;
        if (y >= 0 && y < ALIGNED)
            t[y + 1][x + 1] = max(t[y][x] + s[y][x], max(t[y + 1][x], t[y][x + 1]) - penalty);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int y = 0; y < ALIGNED; y++)
        out[base + y * ALIGNED + x] = t[y + 1][x + 1];
}

// Each work-item is in one round's frontier of a search: nearly all lanes of a pack would be off.
// RUN: %weirc %s --local 256 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK: 1: lanes part
kernel void search(global const int *first, global const int *to, global int *depths) {
    local int depth[256], more;
    int l = get_local_id(0);
    depth[l] = l ? -1 : 0;
    for (int d = 0; d < 256; d++) {
        if (l == 0)
            more = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (depth[l] == d)
            for (int e = first[l]; e < first[l + 1]; e++)
                if (depth[to[e]] < 0)
                    depth[to[e]] = d + 1, more = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!more)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    depths[l] = depth[l];
}

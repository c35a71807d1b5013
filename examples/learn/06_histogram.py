"""06: a histogram: atomics in local memory, one histogram for each work-group, then atomics in global memory, a few."""
import numpy as np
import pyopencl as cl

N, LOCAL, GROUPS, BINS = 1 << 20, 256, 64, 256
SOURCE = """
kernel void histogram(global const uchar *bytes, global uint *bins, uint n) {
    local uint own[256];
    for (uint b = get_local_id(0); b < 256; b += get_local_size(0))
        own[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&own[bytes[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = get_local_id(0); b < 256; b += get_local_size(0))
        atomic_add(&bins[b], own[b]);
}
"""
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
histogram = cl.Kernel(cl.Program(context, SOURCE).build(), "histogram")

data = np.random.default_rng(2).integers(0, 256, N).astype(np.uint8)
bins = np.zeros(BINS, np.uint32)
flags = cl.mem_flags.COPY_HOST_PTR
in_, out = cl.Buffer(context, flags, hostbuf=data), cl.Buffer(context, flags, hostbuf=bins)
histogram(queue, (LOCAL * GROUPS,), (LOCAL,), in_, out, np.uint32(N))
cl.enqueue_copy(queue, bins, out)
right = (bins == np.bincount(data, minlength=BINS)).all()
print("histogram:", "right" if right else "WRONG")
raise SystemExit(not right)

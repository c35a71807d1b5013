"""02: a reduction: each work-group adds its part up as a tree in local memory, with a barrier before each level."""
import numpy as np
import pyopencl as cl

N, LOCAL = 1 << 20, 256
SOURCE = """
kernel void sum(global const int *x, global long *sums, local long *t) {
    size_t l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    for (size_t step = get_local_size(0) / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); /* all of the group come here: no work-item leaves the loop early */
        if (l < step)
            t[l] += t[l + step];
    }
    if (l == 0)
        sums[get_group_id(0)] = t[0];
}
"""
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
total = cl.Kernel(cl.Program(context, SOURCE).build(), "sum")

x = (np.arange(N) % 1000 - 300).astype(np.int32)
sums = np.empty(N // LOCAL, np.int64)
in_ = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
out = cl.Buffer(context, 0, sums.nbytes)
total(queue, (N,), (LOCAL,), in_, out, cl.LocalMemory(8 * LOCAL))  # local memory has a size and no contents
cl.enqueue_copy(queue, sums, out)
right = sums.sum() == x.sum()
print("reduction:", "right" if right else "WRONG")
raise SystemExit(not right)

"""05: a stencil with a halo: a work-group's tile in local memory is two elements wider than the group, one at each end."""
import numpy as np
import pyopencl as cl

N, LOCAL, STEPS = 1 << 16, 128, 10
SOURCE = """
kernel void smooth(global const float *from, global float *to, local float *t) {
    size_t i = get_global_id(0), l = get_local_id(0) + 1, n = get_global_size(0), last = get_local_size(0);
    t[l] = from[i];
    if (l == 1)
        t[0] = i ? from[i - 1] : 0; /* the halo: neighbours' elements, zeros beyond the ends */
    if (l == last)
        t[last + 1] = i + 1 < n ? from[i + 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    to[i] = 0.25f * t[l - 1] + 0.5f * t[l] + 0.25f * t[l + 1];
}
"""
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
smooth = cl.Kernel(cl.Program(context, SOURCE).build(), "smooth")

x = (np.arange(N) * 37 % 256).astype(np.float32)
result = np.empty_like(x)
both = [cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=x), cl.Buffer(context, 0, x.nbytes)]
for step in range(STEPS):
    smooth(queue, (N,), (LOCAL,), both[step % 2], both[(step + 1) % 2], cl.LocalMemory(4 * (LOCAL + 2)))
    padded = np.pad(x, 1)
    x = 0.25 * padded[:-2] + 0.5 * x + 0.25 * padded[2:]
cl.enqueue_copy(queue, result, both[STEPS % 2])
right = np.abs(result - x).max() < 1e-3
print("stencil:", "right" if right else "WRONG")
raise SystemExit(not right)

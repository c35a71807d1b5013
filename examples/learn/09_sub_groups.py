"""09: sub-groups: work-items that run in step add up without local memory or barriers, and one of them goes on."""
import numpy as np
import pyopencl as cl

N, LOCAL = 1 << 18, 256
SOURCE = """
kernel void sum(global const int *x, global int *total) {
    int own = sub_group_reduce_add(x[get_global_id(0)]);
    if (get_sub_group_local_id() == 0)
        atomic_add(total, own); /* one for each sub-group instead of one for each work-item */
}
"""
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
add_up = cl.Kernel(cl.Program(context, SOURCE).build(["-cl-std=CL3.0"]), "sum")

x = (np.arange(N) % 100).astype(np.int32)
total = np.zeros(1, np.int32)
flags = cl.mem_flags.COPY_HOST_PTR
in_, out = cl.Buffer(context, flags, hostbuf=x), cl.Buffer(context, flags, hostbuf=total)
add_up(queue, (N,), (LOCAL,), in_, out)
cl.enqueue_copy(queue, total, out)
right = total[0] == x.sum()
print("sub-groups:", "right" if right else "WRONG")
raise SystemExit(not right)

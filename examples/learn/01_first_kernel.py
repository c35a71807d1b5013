"""01: a first kernel: one work-item for each element, which adds two vectors."""
import numpy as np
import pyopencl as cl

N = 1000
SOURCE = """
kernel void add(global const float *a, global const float *b, global float *sum) {
    size_t i = get_global_id(0);
    sum[i] = a[i] + b[i];
}
"""
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
add = cl.Kernel(cl.Program(context, SOURCE).build(), "add")

a = np.arange(N, dtype=np.float32)
b, total = 2 * a, np.empty_like(a)
flags = cl.mem_flags.COPY_HOST_PTR
buffers = [cl.Buffer(context, flags, hostbuf=x) for x in (a, b)] + [cl.Buffer(context, 0, total.nbytes)]
add(queue, (N,), None, *buffers)  # None: the platform takes a size
cl.enqueue_copy(queue, total, buffers[2])
right = (total == 3 * a).all()
print("first kernel:", "right" if right else "WRONG")
raise SystemExit(not right)

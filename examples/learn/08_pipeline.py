"""08: a pipeline: one queue copies the next part in while another one computes on the last; events keep them in order."""
import numpy as np
import pyopencl as cl

PARTS, N = 8, 1 << 16
SOURCE = """
kernel void square(global int *x) {
    size_t i = get_global_id(0);
    x[i] = x[i] * x[i];
}
"""
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
copies = cl.CommandQueue(context)
square = cl.Kernel(cl.Program(context, SOURCE).build(), "square")

data = (np.arange(PARTS * N) % 1000).astype(np.int32).reshape(PARTS, N)
out = np.empty_like(data)
both = [cl.Buffer(context, 0, data[0].nbytes) for _ in range(2)]
reads = []
for p in range(PARTS):
    part = both[p % 2]
    free = reads[p - 2 : p - 1] if p >= 2 else None  # its buffer is, when the part before the last one has been read
    written = cl.enqueue_copy(copies, part, data[p], is_blocking=False, wait_for=free)
    squared = square(queue, (N,), None, part, wait_for=[written])
    reads.append(cl.enqueue_copy(copies, out[p], part, is_blocking=False, wait_for=[squared]))
    copies.flush()  # else nobody need begin: the other queue waits for it
    queue.flush()
cl.wait_for_events(reads)
right = (out == data * data).all()
print("pipeline:", "right" if right else "WRONG")
raise SystemExit(not right)

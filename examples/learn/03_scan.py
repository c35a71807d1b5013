"""03: a scan, the sums of all elements before each: of each block, of the blocks' totals, and both added."""
import numpy as np
import pyopencl as cl

BLOCK = 256
N = BLOCK * BLOCK
SOURCE = """
kernel void scan(global uint *x, global uint *totals) {
    uint own = x[get_global_id(0)], before = work_group_scan_exclusive_add(own);
    x[get_global_id(0)] = before;
    if (totals && get_local_id(0) == get_local_size(0) - 1)
        totals[get_group_id(0)] = before + own;
}
kernel void add(global uint *x, global const uint *before) {
    x[get_global_id(0)] += before[get_group_id(0)];
}
"""
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
program = cl.Program(context, SOURCE).build(["-cl-std=CL3.0"])
scan, add = cl.Kernel(program, "scan"), cl.Kernel(program, "add")

x = (np.arange(N) * 7 % 13).astype(np.uint32)
sums = np.empty_like(x)
all_ = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
totals = cl.Buffer(context, 0, 4 * BLOCK)
scan(queue, (N,), (BLOCK,), all_, totals)
scan(queue, (BLOCK,), (BLOCK,), totals, None)  # no buffer is a NULL pointer
add(queue, (N,), (BLOCK,), all_, totals)  # the queue is in order: each launch sees what the one before has written
cl.enqueue_copy(queue, sums, all_)
right = (sums == np.cumsum(x) - x).all()
print("scan:", "right" if right else "WRONG")
raise SystemExit(not right)

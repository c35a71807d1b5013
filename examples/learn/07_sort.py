"""07: a bitonic sort: log(n) * (log(n) + 1) / 2 launches, each of which compares and exchanges n / 2 pairs."""
import numpy as np
import pyopencl as cl

N = 1 << 14
SOURCE = """
kernel void exchange(global int *x, uint distance, uint run) {
    uint i = get_global_id(0), low = i / distance * 2 * distance + i % distance, high = low + distance;
    bool ascends = (low & run) == 0;
    int a = x[low], b = x[high];
    if ((a > b) == ascends) {
        x[low] = b;
        x[high] = a;
    }
}
"""
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
exchange = cl.Kernel(cl.Program(context, SOURCE).build(), "exchange")

data = np.random.default_rng(3).integers(-(1 << 31), 1 << 31, N).astype(np.int32)
result = np.empty_like(data)
buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=data)
run = 2
while run <= N:
    distance = run // 2
    while distance:
        exchange(queue, (N // 2,), None, buffer, np.uint32(distance), np.uint32(run))
        distance //= 2
    run *= 2
cl.enqueue_copy(queue, result, buffer)
right = (result == np.sort(data)).all()
print("sort:", "right" if right else "WRONG")
raise SystemExit(not right)

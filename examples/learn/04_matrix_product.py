"""04: a matrix product in tiles: each work-group brings two tiles into local memory, and uses every element of them often."""
import numpy as np
import pyopencl as cl

N, TILE = 256, 16
SOURCE = """
kernel void product(global const float *a, global const float *b, global float *c, int n) {
    local float ta[TILE][TILE], tb[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int tile = 0; tile < n; tile += TILE) {
        ta[y][x] = a[row * n + tile + x];
        tb[y][x] = b[(tile + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);  // the tiles are there
        for (int k = 0; k < TILE; k++)
            sum += ta[y][k] * tb[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);  // nobody needs them any more
    }
    c[row * n + column] = sum;
}
"""
platform = cl.get_platforms()[0]
context = cl.Context(platform.get_devices())
queue = cl.CommandQueue(context)
product = cl.Kernel(cl.Program(context, SOURCE).build([f"-DTILE={TILE}"]), "product")

a, b = np.random.default_rng(1).random((2, N, N), dtype=np.float32)
c = np.empty_like(a)
flags = cl.mem_flags.COPY_HOST_PTR
buffers = [cl.Buffer(context, flags, hostbuf=m) for m in (a, b)] + [cl.Buffer(context, 0, c.nbytes)]
product(queue, (N, N), (TILE, TILE), *buffers, np.int32(N))
cl.enqueue_copy(queue, c, buffers[2])
right = np.allclose(c, a @ b, rtol=1e-4)
print("matrix product:", "right" if right else "WRONG")
raise SystemExit(not right)

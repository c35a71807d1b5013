"""A program from SPIR-V: pyopencl takes bytes that begin with its magic number as intermediate language."""
import os
import subprocess
import tempfile
import numpy as np
import pyopencl as cl
import pyopencl.array as cla

SOURCE = """
kernel void sum_by_tree(global const int *in, global int *out, local int *part) {
    size_t me = get_local_id(0);
    part[me] = in[get_global_id(0)];
    for (size_t step = get_local_size(0) / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < step)
            part[me] += part[me + step];
    }
    if (me == 0)
        out[get_group_id(0)] = part[0];
}
"""

with tempfile.TemporaryDirectory() as folder:
    source, module = os.path.join(folder, "sum.cl"), os.path.join(folder, "sum.spv")
    with open(source, "w") as f:
        f.write(SOURCE)
    subprocess.run([os.path.join(os.environ["BUILD"], "weirc"), source, "--emit=spv", "-o", module], check=True)
    with open(module, "rb") as f:
        words = f.read()

queue = cl.CommandQueue(cl.create_some_context(interactive=False))
print("device takes", queue.device.il_version)
program = cl.Program(queue.context, words).build()
host = np.random.default_rng(1).integers(-1000, 1000, 64 * 100).astype(np.int32)
data, sums = cla.to_device(queue, host), cla.zeros(queue, 100, np.int32)
program.sum_by_tree(queue, (host.size,), (64,), data.data, sums.data, cl.LocalMemory(64 * 4))
assert (sums.get() == host.reshape(100, 64).sum(axis=1)).all()
print("100 sums are numpy's")

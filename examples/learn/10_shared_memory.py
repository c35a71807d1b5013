"""10: shared virtual memory: a kernel follows pointers, through a list that the host has made in a block of its own."""
import numpy as np
import pyopencl as cl

N = 1000
SOURCE = """
struct node { global struct node *next; int value; };
kernel void twice(global struct node *first) {
    for (global struct node *n = first; n; n = n->next)
        n->value *= 2;
}
"""
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
twice = cl.Kernel(cl.Program(context, SOURCE).build(["-cl-std=CL3.0"]), "twice")

kind = np.dtype([("next", np.uint64), ("value", np.int32)], align=True)
flags = cl.svm_mem_flags.READ_WRITE
nodes = cl.SVM(cl.svm_empty(context, flags, N, kind))
with nodes.map_rw(queue) as host:  # the kernel's pointers are the host's
    first = host.ctypes.data
    host["next"] = first + kind.itemsize * np.arange(1, N + 1, dtype=np.uint64)
    host["next"][-1] = 0
    host["value"] = np.arange(N)
twice(queue, (1,), (1,), nodes)
with nodes.map_ro(queue) as host:
    right = (host["value"] == 2 * np.arange(N)).all()
queue.finish()
print("shared memory:", "right" if right else "WRONG")
raise SystemExit(not right)

"""pyopencl sorts: radix sort of several types, bitonic sort of rows, key-value lists."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl.algorithm import KeyValueSorter, RadixSort
from pyopencl.bitonic_sort import BitonicSort

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(4)

for dtype, ctype in ((np.uint32, "uint"), (np.uint64, "ulong")):
    sorter = RadixSort(context, "__global %s *data" % ctype, key_expr="data[i]", sort_arg_names=["data"],
                       options=[])
    for n in (1, 2, 100, 4096, 65_537):
        a = rng.integers(0, 1 << 30, n).astype(dtype)
        (result,), _ = sorter(cl_array.to_device(queue, a), key_bits=30)
        np.testing.assert_array_equal(result.get(), np.sort(a))

bitonic = BitonicSort(context)
for shape in ((16,), (1024,), (1 << 15,)):
    for dtype in (np.int32, np.float32):
        a = (rng.random(shape) * 10_000).astype(dtype)
        data = cl_array.to_device(queue, a)
        result, event = bitonic(data)
        event.wait()
        np.testing.assert_array_equal(result.get(), np.sort(a))

keys = rng.integers(0, 50, 10_000).astype(np.int32)
values = np.arange(10_000, dtype=np.int32)
starts, lists, _ = KeyValueSorter(context)(queue, cl_array.to_device(queue, keys), cl_array.to_device(queue, values),
                                           50, np.int32)
starts, lists = starts.get(), lists.get()
for key in range(50):
    np.testing.assert_array_equal(lists[starts[key]:starts[key + 1]], values[keys == key])

"""pyopencl scans: inclusive, exclusive, segmented, stream compaction and partition."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl.algorithm import copy_if, partition, unique
from pyopencl.scan import ExclusiveScanKernel, GenericScanKernel, InclusiveScanKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(3)
sizes = (1, 2, 31, 32, 33, 255, 256, 257, 1023, 5000, 300_007)

for dtype in (np.int32, np.int64):
    inclusive = InclusiveScanKernel(context, dtype, "a+b", "0")
    exclusive = ExclusiveScanKernel(context, dtype, "a+b", "0")
    highest = InclusiveScanKernel(context, dtype, "max(a, b)", "INT_MIN")
    for n in sizes:
        a = rng.integers(-100, 100, n).astype(dtype)
        for kernel, expected in ((inclusive, np.cumsum(a)), (exclusive, np.cumsum(a) - a),
                                 (highest, np.maximum.accumulate(a))):
            data = cl_array.to_device(queue, a)
            kernel(data)
            np.testing.assert_array_equal(data.get(), expected.astype(dtype))

segmented = GenericScanKernel(
    context, np.int32, arguments="__global int *a, __global char *start, __global int *out", input_expr="a[i]",
    scan_expr="across_seg_boundary ? b : (a+b)", neutral="0", is_segment_start_expr="start[i]",
    output_statement="out[i] = item;")
for n in sizes:
    a = rng.integers(0, 10, n).astype(np.int32)
    start = (rng.random(n) < 0.05).astype(np.int8)
    out = cl_array.zeros(queue, n, np.int32)
    segmented(cl_array.to_device(queue, a), cl_array.to_device(queue, start), out)
    total, expected = 0, np.empty(n, np.int32)
    for i in range(n):
        total = a[i] if start[i] else total + a[i]
        expected[i] = total
    np.testing.assert_array_equal(out.get(), expected)

for n in sizes[1:]:
    a = rng.integers(0, 1000, n).astype(np.int32)
    data = cl_array.to_device(queue, a)
    kept, count, _ = copy_if(data, "ary[i] > 500")
    np.testing.assert_array_equal(kept.get()[:count.get()], a[a > 500])
    yes, no, count, _ = partition(data, "ary[i] % 3 == 0")
    np.testing.assert_array_equal(yes.get()[:count.get()], a[a % 3 == 0])
    np.testing.assert_array_equal(no.get()[:n - count.get()], a[a % 3 != 0])
    ordered = np.sort(a)
    values, count, _ = unique(cl_array.to_device(queue, ordered))
    np.testing.assert_array_equal(values.get()[:count.get()], np.unique(a))

"""pyopencl reductions: sums, extremes, dot products and a kernel of our own."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl import cltypes
from pyopencl.reduction import ReductionKernel

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
rng = np.random.default_rng(2)

for n in (1, 2, 63, 64, 65, 1000, 4097, 1_000_003):
    a = rng.integers(-1000, 1000, n).astype(np.int32)
    b = rng.random(n)
    da, db = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
    assert cl_array.sum(da).get() == a.sum(), n
    assert cl_array.max(da).get() == a.max(), n
    assert cl_array.min(da).get() == a.min(), n
    np.testing.assert_allclose(cl_array.sum(db).get(), b.sum(), rtol=1e-10)
    np.testing.assert_allclose(cl_array.dot(db, db).get(), b.dot(b), rtol=1e-10)

count_odd = ReductionKernel(context, np.int32, neutral="0", reduce_expr="a+b", map_expr="x[i] & 1",
                            arguments="__global const int *x")
longest = ReductionKernel(context, np.float32, neutral="-INFINITY", reduce_expr="fmax(a, b)",
                          map_expr="length(v[i])", arguments="__global const float4 *v")
x = rng.integers(0, 1 << 30, 77_777).astype(np.int32)
v = rng.standard_normal((5000, 4)).astype(np.float32)
assert count_odd(cl_array.to_device(queue, x)).get() == (x & 1).sum()
vectors = cl_array.to_device(queue, v.view(cltypes.float4).reshape(-1))
np.testing.assert_allclose(longest(vectors).get(), np.linalg.norm(v, axis=1).max(), rtol=1e-6)

"""pyopencl arrays: arithmetic, functions and indexing, against numpy."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pyopencl.clmath as clmath

queue = cl.CommandQueue(cl.create_some_context(interactive=False))
rng = np.random.default_rng(1)

for dtype in (np.int32, np.uint64, np.float32, np.float64):
    for n in (1, 7, 1000, 100_003):
        a = (rng.random(n) * 100 + 1).astype(dtype)
        b = (rng.random(n) * 100 + 1).astype(dtype)
        da, db = cl_array.to_device(queue, a), cl_array.to_device(queue, b)
        np.testing.assert_array_equal((da + db).get(), a + b)
        np.testing.assert_array_equal((da - 3).get(), a - dtype(3))
        np.testing.assert_allclose((da * db).get(), a * b, rtol=1e-6)
        np.testing.assert_array_equal((da > db).get(), (a > b).astype(np.int8))
        np.testing.assert_array_equal(cl_array.maximum(da, db).get(), np.maximum(a, b))
        np.testing.assert_array_equal(da[::-1].get() if n == 1 else da[1:].get(), a[::-1] if n == 1 else a[1:])
        da += db
        np.testing.assert_array_equal(da.get(), a + b)

x = (rng.random(10_000) * 4 - 2).astype(np.float32)
dx = cl_array.to_device(queue, x)
for name in ("sin", "cos", "exp", "fabs", "floor", "tanh"):
    np.testing.assert_allclose(getattr(clmath, name)(dx).get(), getattr(np, name)(x), rtol=1e-5, atol=1e-6)
np.testing.assert_allclose(clmath.sqrt(abs(dx)).get(), np.sqrt(np.abs(x)), rtol=1e-6)

c = (rng.random(1000) + 1j * rng.random(1000)).astype(np.complex64)
dc = cl_array.to_device(queue, c)
np.testing.assert_allclose((dc * dc).get(), c * c, rtol=1e-5)
np.testing.assert_allclose(dc.conj().get(), c.conj())

index = rng.permutation(10_000).astype(np.int32)
np.testing.assert_array_equal(cl_array.take(dx, cl_array.to_device(queue, index)).get(), x[index])
np.testing.assert_array_equal(cl_array.arange(queue, 0, 5000, 3, dtype=np.int32).get(), np.arange(0, 5000, 3))
np.testing.assert_array_equal(cl_array.zeros(queue, (33, 65), np.float32).get(), np.zeros((33, 65)))

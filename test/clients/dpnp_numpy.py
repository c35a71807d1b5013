"""The device as SYCL sees it, and dpnp's functions on arrays, compared with numpy: elementwise, reductions, scans, sorts, matrices."""
import dpctl
import dpnp
import numpy as np
from dpnp import tensor

device = dpctl.SyclDevice()
device.print_device_info()
for aspect in ("cpu", "fp16", "fp64", "atomic64", "online_compiler", "online_linker", "queue_profiling",
               "usm_device_allocations", "usm_host_allocations", "usm_shared_allocations", "usm_system_allocations"):
    assert getattr(device, "has_aspect_" + aspect), aspect
    print("aspect", aspect)

random = np.random.default_rng(1)
checked = 0


def check(got, want, what, tolerance=0):
    global checked
    got = dpnp.asnumpy(got) if isinstance(got, dpnp.ndarray) else tensor.asnumpy(got)
    assert got.shape == np.shape(want), (what, got.shape, np.shape(want))
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance, err_msg=what)
    checked += 1


for dtype in np.float32, np.float64, np.int32, np.int64:
    real = np.issubdtype(dtype, np.floating)
    tolerance = 0 if not real else 2e-4 if dtype == np.float32 else 1e-10
    for n in 1, 63, 1000, 100003:
        a = (random.random(n) * 100 + 1).astype(dtype)
        b = (random.random(n) * 100 + 1).astype(dtype)
        da, db, of = dpnp.asarray(a), dpnp.asarray(b), f" of {n} {np.dtype(dtype).name}"
        for name in "add", "subtract", "multiply", "maximum", "less", "floor_divide":
            check(getattr(dpnp, name)(da, db), getattr(np, name)(a, b), name + of)
        for name in ("sqrt", "exp", "log", "sin", "tanh") if real else ("negative", "square", "invert"):
            # exp(100) is no float
            x, dx = (a / 50, da / 50) if name == "exp" else (a, da)
            check(getattr(dpnp, name)(dx), getattr(np, name)(x), name + of, tolerance)
        for name in "sum", "max", "min", "argmax", "mean":
            check(getattr(dpnp, name)(da), getattr(np, name)(a), name + of, tolerance * 100 if real else 1e-12)
        check(dpnp.cumsum(da), np.cumsum(a, dtype=np.float64 if real else np.int64), "cumsum" + of, tolerance * 100)
        check(dpnp.sort(da), np.sort(a), "sort" + of)
        check(dpnp.argsort(da, kind="stable"), np.argsort(a, kind="stable"), "argsort" + of)
        check(da[da > 50], a[a > 50], "choice" + of)
        check(da[::-3], a[::-3], "strides" + of)
    for rows, inner, columns in (1, 1, 1), (17, 33, 5), (128, 100, 64):
        a = random.integers(0, 9, (rows, inner)).astype(dtype)
        b = random.integers(0, 9, (inner, columns)).astype(dtype)
        of = f" of {rows} x {inner} x {columns} {np.dtype(dtype).name}"
        check(tensor.matmul(tensor.asarray(a), tensor.asarray(b)), a @ b, "matmul" + of)
        check(dpnp.asarray(a).T.copy(), a.T, "transpose" + of)
        check(dpnp.sum(dpnp.asarray(a), axis=0), a.sum(axis=0), "columns' sums" + of)
print(checked, "results are numpy's")

"""Halide (PyPI) makes OpenCL kernels of a blur, a reduction and mathematical functions; compared with what it makes for the CPU."""

import sys

import halide as hl
import numpy as np

WIDTH, HEIGHT = 128, 96
image = np.random.default_rng(1).random((HEIGHT, WIDTH)).astype(np.float32)


def pipeline(on_device):
    x, y, xi, yi = (hl.Var(name) for name in ("x", "y", "xi", "yi"))
    source = hl.BoundaryConditions.repeat_edge(hl.Buffer(image))
    across, blur, total, result = (hl.Func(name) for name in ("across", "blur", "total", "result"))
    across[x, y] = (source[x - 1, y] + source[x, y] + source[x + 1, y]) / 3
    blur[x, y] = (across[x, y - 1] + across[x, y] + across[x, y + 1]) / 3
    row = hl.RDom([(0, WIDTH)])
    total[y] = hl.f32(0)
    total[y] += blur[row.x, y] * blur[row.x, y]
    result[x, y] = blur[x, y] * hl.sin(blur[x, y]) + hl.sqrt(total[y])
    if not on_device:
        return np.array(result.realize([WIDTH, HEIGHT]))
    for stage in (across.compute_root(), blur.compute_root(), result):
        stage.gpu_tile(x, y, xi, yi, 16, 8)
    total.compute_root().gpu_tile(y, yi, 16)
    total.update().gpu_tile(y, yi, 16)
    buffer = result.realize([WIDTH, HEIGHT], hl.Target("host-opencl"))
    buffer.copy_to_host()
    return np.array(buffer)


expected = pipeline(False)
error = np.abs(pipeline(True) - expected).max()
print(f"largest error {error:.2g} of {np.abs(expected).max():.2g}")
sys.exit(not error < 1e-5)

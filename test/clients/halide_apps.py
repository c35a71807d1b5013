"""Halide (PyPI) makes OpenCL kernels that share local memory and update by atomics; compared with what it makes for the CPU."""

import sys

import halide as hl
import numpy as np

WIDTH, HEIGHT, N = 160, 128, 96
random = np.random.default_rng(3)
image = random.random((HEIGHT, WIDTH)).astype(np.float32)
bytes_ = (image * 255).astype(np.uint8)
left, right = (random.random((N, N)).astype(np.float32) for _ in range(2))


def names(text):
    return [hl.Var(name) for name in text.split()]


def funcs(text):
    return [hl.Func(name) for name in text.split()]


def bilateral_grid(on_device):
    """A histogram per tile of the image, blurred in three dimensions and read by interpolation."""
    x, y, z, c, xi, yi, zi = names("x y z c xi yi zi")
    grid, in_z, in_x, in_y, interpolated, result = funcs("grid in_z in_x in_y interpolated result")
    source = hl.BoundaryConditions.repeat_edge(hl.Buffer(image))
    tile = hl.RDom([(0, 8), (0, 8)])
    value = source[x * 8 + tile.x - 4, y * 8 + tile.y - 4]
    grid[x, y, z, c] = hl.f32(0)
    grid[x, y, hl.clamp(hl.i32(value * 10 + hl.f32(0.5)), 0, 10), c] += hl.mux(c, [value, hl.f32(1)])
    weights = ((-2, 1), (-1, 4), (0, 6), (1, 4), (2, 1))
    in_z[x, y, z, c] = sum(grid[x, y, z + d, c] * w for d, w in weights)
    in_x[x, y, z, c] = sum(in_z[x + d, y, z, c] * w for d, w in weights)
    in_y[x, y, z, c] = sum(in_x[x, y + d, z, c] * w for d, w in weights)
    across, down, deep = hl.f32(x % 8) / 8, hl.f32(y % 8) / 8, source[x, y] * 10
    at = hl.clamp(hl.i32(deep), 0, 10)

    def plane(k):
        upper = hl.lerp(in_y[x / 8, y / 8, k, c], in_y[x / 8 + 1, y / 8, k, c], across)
        lower = hl.lerp(in_y[x / 8, y / 8 + 1, k, c], in_y[x / 8 + 1, y / 8 + 1, k, c], across)
        return hl.lerp(upper, lower, down)

    interpolated[x, y, c] = hl.lerp(plane(at), plane(at + 1), deep - at)
    result[x, y] = interpolated[x, y, 0] / interpolated[x, y, 1]
    for stage in (grid, in_z, in_x, in_y):
        stage.compute_root()
    if on_device:
        grid.reorder(c, z, x, y).gpu_tile(x, y, xi, yi, 8, 8)
        grid.update().reorder(c, tile.x, tile.y, x, y).gpu_tile(x, y, xi, yi, 8, 8)
        for stage in (in_z, in_x, in_y):
            stage.gpu_tile(x, y, z, xi, yi, zi, 8, 8, 1)
        result.gpu_tile(x, y, xi, yi, 16, 8)
    return result, [WIDTH, HEIGHT]


def product(on_device):
    """Tiles of both matrices in local memory, sums there too."""
    x, y, xi, yi = names("x y xi yi")
    a, b, total, result = funcs("a b total result")
    k = hl.RDom([(0, N)])
    a[x, y], b[x, y] = hl.Buffer(left)[x, y], hl.Buffer(right)[x, y]
    total[x, y] = hl.f32(0)
    total[x, y] += a[k.x, y] * b[x, k.x]
    result[x, y] = total[x, y]
    if on_device:
        outer, inner = hl.RVar("outer"), hl.RVar("inner")
        result.gpu_tile(x, y, xi, yi, 16, 16)
        total.compute_at(result, x).gpu_threads(x, y)
        total.update().split(k.x, outer, inner, 16).reorder(inner, x, y, outer).gpu_threads(x, y)
        for stage in (a, b):
            stage.compute_at(total, outer).gpu_threads(x, y)
    return result, [N, N]


def histogram(on_device):
    """All work-items add to the same counters."""
    (x, xi), result = names("x xi"), hl.Func("result")
    pixel = hl.RDom([(0, WIDTH), (0, HEIGHT)])
    result[x] = hl.i32(0)
    result[hl.i32(hl.Buffer(bytes_)[pixel.x, pixel.y])] += 1
    if on_device:
        outer, inner = hl.RVar("outer"), hl.RVar("inner")
        result.gpu_tile(x, xi, 64)
        result.update().atomic().split(pixel.x, outer, inner, 32).gpu_blocks(pixel.y).gpu_threads(inner)
    return result, [256]


def median(on_device):
    """Columns of three bytes are sorted once, in local memory."""
    x, y, xi, yi = names("x y xi yi")
    high, middle, low, result = funcs("high middle low result")
    source = hl.BoundaryConditions.repeat_edge(hl.Buffer(bytes_))
    most, least = hl.max, hl.min

    def of_three(a, b, c):
        return most(least(most(a, b), c), least(a, b))

    three = [source[x, y + d] for d in (-1, 0, 1)]
    high[x, y], low[x, y] = most(most(*three[:2]), three[2]), least(least(*three[:2]), three[2])
    middle[x, y] = of_three(*three)
    of = lambda stage: [stage[x + d, y] for d in (-1, 0, 1)]
    result[x, y] = of_three(least(least(*of(high)[:2]), of(high)[2]), of_three(*of(middle)),
                            most(most(*of(low)[:2]), of(low)[2]))
    if on_device:
        result.gpu_tile(x, y, xi, yi, 32, 8)
        for stage in (high, middle, low):
            stage.compute_at(result, x).gpu_threads(x, y)
    return result, [WIDTH, HEIGHT]


def run(pipeline, on_device):
    result, size = pipeline(on_device)
    if not on_device:
        return np.array(result.realize(size)).astype(np.float64)
    buffer = result.realize(size, hl.Target("host-opencl"))
    buffer.copy_to_host()
    return np.array(buffer).astype(np.float64)


failed = 0
for pipeline, tolerance in ((bilateral_grid, 1e-5), (product, 1e-6), (histogram, 0), (median, 0)):
    expected = run(pipeline, False)
    error = np.abs(run(pipeline, True) - expected).max() / np.abs(expected).max()
    failed += not error <= tolerance
    print(f"{pipeline.__name__}: largest relative error {error:.2g}")
sys.exit(failed != 0)

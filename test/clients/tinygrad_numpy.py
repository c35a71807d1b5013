"""tinygrad, which makes its own kernels, on OpenCL: layers, reductions, sorts and gradients, compared with numpy."""
import numpy as np
from tinygrad import Device, Tensor, dtypes

assert Device.DEFAULT == "CL", Device.DEFAULT
random = np.random.default_rng(7)
a = random.standard_normal((33, 65)).astype(np.float32)
b = random.standard_normal((65, 41)).astype(np.float32)
image = random.standard_normal((2, 3, 20, 22)).astype(np.float32)
weight = random.standard_normal((4, 3, 3, 3)).astype(np.float32)
numbers = random.integers(-1000, 1000, (17, 129)).astype(np.int32)


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def convolution():
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), (2, 3))
    return np.einsum("bchwij,ocij->bohw", windows, weight)


def gradient():
    x, w = Tensor(a), Tensor(b)
    w.requires_grad = True
    (x @ w).relu().square().sum().backward()
    return w.grad


def check(name, got, expected, tolerance):
    got, expected = got.numpy().astype(np.float64), np.asarray(expected, np.float64)
    assert got.shape == expected.shape, (name, got.shape, expected.shape)
    error = np.abs(got - expected).max() / max(1, np.abs(expected).max())
    print(f"{name}: {error:.1e}")
    assert error <= tolerance, name


x, y = Tensor(a), Tensor(b)
check("product", x @ y, a @ b, 1e-5)
check("product of half numbers", x.half() @ y.half(), a.astype(np.float16) @ b.astype(np.float16), 5e-3)
check("convolution", Tensor(image).conv2d(Tensor(weight)), convolution(), 1e-5)
check("softmax", x.softmax(1), softmax(a), 1e-5)
check("functions", x.exp() + x.sin() * x.abs().sqrt() - (x.square() + 1).log(),
      np.exp(a) + np.sin(a) * np.sqrt(np.abs(a)) - np.log(a * a + 1), 1e-5)
check("standard deviation", x.std(0), a.std(0, ddof=1), 1e-5)
check("cumulative sum", x.cumsum(1), a.cumsum(1), 1e-5)
check("sort", Tensor(numbers).sort(1)[0], np.sort(numbers, 1), 0)
check("quotients", Tensor(numbers) // 7, numbers // 7, 0)
check("largest", Tensor(numbers).argmax(1), numbers.argmax(1), 0)
check("gather", Tensor(numbers)[:, Tensor([5, 1, 128, 5])], numbers[:, [5, 1, 128, 5]], 0)
check("long sums", Tensor(numbers).cast(dtypes.long).mul(1 << 33).sum(0), numbers.astype(np.int64).sum(0) << 33, 0)
check("transpose and pad", x.T.pad(((1, 2), (3, 0))), np.pad(a.T, ((1, 2), (3, 0))), 0)
check("pooling", Tensor(image).max_pool2d((3, 2), stride=2),
      np.lib.stride_tricks.sliding_window_view(image, (3, 2), (2, 3))[:, :, ::2, ::2].max((4, 5)), 0)
check("gradient", gradient(), a.T @ (2 * np.maximum(a @ b, 0)), 1e-4)

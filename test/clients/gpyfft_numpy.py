"""clFFT's transforms through gpyfft, compared with numpy: lengths of several radices, one to three dimensions, both
precisions, complex and real, forward and back."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from gpyfft.fft import FFT

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
random = np.random.default_rng(1)
count = 0


def check(got, want, precision, what):
    global count
    count += 1
    error = np.abs(got - want).max() / np.abs(want).max()
    limit = 1e-6 if precision == np.float32 else 1e-14
    print(f"{what}: largest error {error:.1e}")
    assert error < limit, f"{what}: {error} is over {limit}"


def complex_of(shape, precision):
    real, imaginary = random.standard_normal((2,) + shape)
    return (real + 1j * imaginary).astype(np.result_type(precision, np.complex64))


for precision in np.float32, np.float64:
    for shape in (1000,), (1024,), (4096,), (2187,), (3125,), (2401,), (128, 128), (36, 50), (32, 32, 32):
        name = f"{np.dtype(precision).name} {'x'.join(map(str, shape))}"
        host = complex_of(shape, precision)
        data = cla.to_device(queue, host)
        result = cla.zeros_like(data)
        FFT(context, queue, data, result).enqueue()[0].wait()
        check(result.get(), np.fft.fftn(host), precision, f"{name} forward")
        FFT(context, queue, result).enqueue(forward=False)[0].wait()
        check(result.get(), host, precision, f"{name} and back")
    for n in 1000, 1024:
        host = random.standard_normal(n).astype(precision)
        data = cla.to_device(queue, host)
        result = cla.zeros(queue, n // 2 + 1, np.result_type(precision, np.complex64))
        FFT(context, queue, data, result).enqueue()[0].wait()
        check(result.get(), np.fft.rfft(host), precision, f"{np.dtype(precision).name} {n} real")
    host = complex_of((7, 1024), precision)
    data = cla.to_device(queue, host)
    FFT(context, queue, data, axes=(1,)).enqueue()[0].wait()
    check(data.get(), np.fft.fft(host), precision, f"{np.dtype(precision).name} 7 rows of 1024")
print(count, "transforms")

"""VkFFT's transforms, compared with numpy: lengths of all its radices, Rader's and Bluestein's algorithms, one to three
dimensions, both precisions, complex and real, forward and back."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cla
from pyvkfft.opencl import VkFFTApp

queue = cl.CommandQueue(cl.create_some_context(interactive=False))
random = np.random.default_rng(1)


def check(got, want, single, what):
    error = np.abs(got - want).max() / np.abs(want).max()
    print(f"{what}: largest error {error:.1e}", flush=True)
    assert error < (2e-6 if single else 1e-13), what


for shape in (30,), (1001,), (2048,), (257,), (1009,), (40, 49), (12, 20, 26):
    for complex_type, real_type in (np.complex64, np.float32), (np.complex128, np.float64):
        single, name = complex_type == np.complex64, f"{'x'.join(map(str, shape))} {np.dtype(complex_type).name}"
        host = (random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(complex_type)
        data = cla.to_device(queue, host)
        plan = VkFFTApp(data.shape, data.dtype, queue=queue, ndim=len(shape), inplace=True)
        plan.fft(data)
        check(data.get(), np.fft.fftn(host), single, f"{name} forward")
        plan.ifft(data)
        check(data.get(), host, single, f"{name} and back")
        if shape in ((2048,), (30,)):
            host = random.standard_normal(shape).astype(real_type)
            data, result = cla.to_device(queue, host), cla.empty(queue, shape[0] // 2 + 1, complex_type)
            VkFFTApp(data.shape, data.dtype, queue=queue, ndim=1, inplace=False, r2c=True).fft(data, result)
            check(result.get(), np.fft.rfft(host), single, f"{name} real")

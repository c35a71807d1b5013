"""The dual-tree complex wavelet transform in OpenCL (python3-dtcwt), compared with the package's numpy backend."""
import numpy as np
from dtcwt.numpy import Transform2d as ByNumpy
from dtcwt.opencl import Transform2d as ByOpenCL

random = np.random.default_rng(1)
for shape in (128, 128), (64, 96), (200, 120):
    for levels in 1, 2, 4:
        image = random.standard_normal(shape).astype(np.float32)
        got, want = ByOpenCL().forward(image, levels), ByNumpy().forward(image, levels)
        np.testing.assert_allclose(got.lowpass, want.lowpass, atol=2e-6)
        for a, b in zip(got.highpasses, want.highpasses, strict=True):
            np.testing.assert_allclose(a, b, atol=2e-6)
        print(shape, levels, "levels agree")

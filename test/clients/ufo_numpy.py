"""UFO's filters (ufo-launch, synchrotron tomography) on a small image, compared with numpy. Argument: a scratch folder.

Filters on buffers, images read with samplers (rescale), clFFT (fft), a reduction.
"""

import os
import subprocess
import sys

import cv2
import numpy as np

SIZE = 64
folder = sys.argv[1]
os.environ.setdefault("UFO_DEVICE_TYPE", "cpu")

y, x = np.mgrid[0:SIZE, 0:SIZE]
image = np.random.default_rng(3).random((SIZE, SIZE), dtype=np.float32) * 0.2 + np.sin(x / 5) * np.cos(y / 7)
image = image.astype(np.float32)
cv2.imwrite(f"{folder}/ufo-in.tif", image)


def launch(filters):
    out = f"{folder}/ufo-out.raw"
    if os.path.exists(out):
        os.remove(out)
    command = ["ufo-launch", "-q", "read", f"path={folder}/ufo-in.tif", "!", *filters.split(), "!", "write", f"filename={out}"]
    subprocess.run(command, check=True, timeout=300)
    return np.fromfile(out, np.float32)


def median(size):
    half = size // 2
    padded = np.pad(image, half, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size))
    return np.median(windows, axis=(2, 3))


power = np.abs(np.fft.fft2(image.astype(np.float64))) ** 2
# What the filter computes, the largest difference, and how many texels at each edge don't count.
cases = {
    "flip direction=vertical": (image[::-1], 0, 0),
    "transpose": (image.T, 0, 0),
    "swap-quadrants": (np.fft.fftshift(image), 0, 0),
    "clip min=0 max=0.5": (np.clip(image, 0, 0.5), 0, 0),
    "binarize threshold=0.4": ((image >= 0.4).astype(np.float32), 0, 0),
    "bin size=2": (image.reshape(SIZE // 2, 2, SIZE // 2, 2).sum(axis=(1, 3)), 1e-5, 0),
    "calculate expression=sin(v)*v+exp(-v*v)": (np.sin(image) * image + np.exp(-image * image), 1e-5, 0),
    "rescale factor=2 interpolation=nearest": (np.kron(image, np.ones((2, 2))), 0, 0),
    "rescale factor=0.5 interpolation=linear": (image.reshape(SIZE // 2, 2, SIZE // 2, 2).mean(axis=(1, 3)), 1e-3, 0),
    "median-filter size=5": (median(5), 0, 4),
    "fft dimensions=2 ! power-spectrum": (power, 1e-5 * power.max(), 0),
    "measure metric=sum axis=1": (image.sum(axis=0), 1e-4, 0),
}
failed = 0
for filters, (expected, limit, edge) in cases.items():
    got = launch(filters)
    if got.size != expected.size:
        print(f"{filters}: {got.size} values instead of {expected.size}")
        failed += 1
        continue
    error = np.abs(got.reshape(expected.shape).astype(np.float64) - expected)
    if edge:
        error = error[edge:-edge, edge:-edge]
    print(f"{filters}: largest error {error.max():.2g}")
    failed += not error.max() <= limit
sys.exit(failed)

"""opencv_umat.py: OpenCV (package python3-opencv) on OpenCL, UMat, against the same functions on the CPU, Mat.

usage: opencv_umat.py       wants OPENCV_OPENCL_DEVICE=:CPU:0, for OpenCV chooses GPUs only
Out: a line for each function, how far its two results are apart; the exit code is 1 if one is further than it may be, or
OpenCL wasn't used. Both compute in their own order and precision. Of a few functions OpenCV's OpenCL code computes something
else than its CPU code: those say so, and what is compared there is looser."""
import sys

import cv2
import numpy

random = numpy.random.default_rng(7)
GRAY = cv2.GaussianBlur(random.integers(0, 256, (240, 320), dtype=numpy.uint8), (5, 5), 0)
GRAY = cv2.normalize(GRAY, None, 0, 255, cv2.NORM_MINMAX)
COLOR = cv2.merge([GRAY, numpy.roll(GRAY, 17, 0), numpy.roll(GRAY, 29, 1)])
REAL = GRAY.astype(numpy.float32) / 255
OTHER = numpy.roll(REAL, 11, 1) + 0.25
SQUARE = random.standard_normal((96, 96)).astype(numpy.float32)
POWER = random.standard_normal((128, 128)).astype(numpy.float32)
MAP_X, MAP_Y = numpy.meshgrid(numpy.arange(320, dtype=numpy.float32), numpy.arange(240, dtype=numpy.float32))
MAP_X, MAP_Y = MAP_X + 3 * numpy.sin(MAP_Y / 9), MAP_Y + 2 * numpy.cos(MAP_X / 7)
TURN = cv2.getRotationMatrix2D((160, 120), 20, 0.9)
VIEW = numpy.array([[1, 0.1, 3], [0.05, 0.9, 5], [1e-4, 2e-4, 1]], numpy.float32)
BOX = numpy.ones((5, 5), numpy.uint8)
TABLE = numpy.arange(255, -1, -1, dtype=numpy.uint8)



def as_array(result):
    return (result.get() if isinstance(result, cv2.UMat) else numpy.asarray(result)).astype(numpy.float64)


# name, function of converted inputs, inputs, how far apart an element may be, how many may be further, of 1000
FUNCTIONS = [
    ("add", cv2.add, (COLOR, COLOR[::-1].copy()), 0, 0),
    ("subtract", cv2.subtract, (REAL, OTHER), 1e-6, 0),
    ("multiply", cv2.multiply, (REAL, OTHER), 1e-6, 0),
    ("divide", cv2.divide, (REAL, OTHER), 1e-6, 0),
    ("absdiff", cv2.absdiff, (GRAY, GRAY[::-1].copy()), 0, 0),
    ("addWeighted", lambda a, b: cv2.addWeighted(a, 0.3, b, 0.6, 4), (COLOR, COLOR[::-1].copy()), 1, 0),
    ("bitwise_xor", cv2.bitwise_xor, (GRAY, GRAY[::-1].copy()), 0, 0),
    ("compare", lambda a, b: cv2.compare(a, b, cv2.CMP_GT), (REAL, OTHER), 0, 0),
    ("inRange", lambda a: cv2.inRange(a, (40, 60, 20, 0), (200, 210, 190, 0)), (COLOR,), 0, 0),
    ("exp", cv2.exp, (REAL,), 1e-5, 0),
    ("log", cv2.log, (OTHER,), 1e-5, 0),
    ("pow", lambda a: cv2.pow(a, 1.7), (OTHER,), 1e-5, 0),
    ("sqrt", cv2.sqrt, (OTHER,), 1e-6, 0),
    ("magnitude", cv2.magnitude, (REAL, OTHER), 1e-5, 0),
    ("phase", cv2.phase, (REAL, OTHER), 1e-3, 0),
    ("gemm", lambda a, b: cv2.gemm(a, b, 1.5, None, 0), (SQUARE, SQUARE.T.copy()), 1e-3, 0),
    ("dft", lambda a: cv2.dft(a, flags=cv2.DFT_COMPLEX_OUTPUT), (POWER,), 1e-2, 0),
    ("transpose", cv2.transpose, (COLOR,), 0, 0),
    ("flip", lambda a: cv2.flip(a, -1), (COLOR,), 0, 0),
    ("LUT", lambda a: cv2.LUT(a, TABLE), (COLOR,), 0, 0),
    ("threshold", lambda a: cv2.threshold(a, 100, 200, cv2.THRESH_TOZERO)[1], (GRAY,), 0, 0),
    ("adaptiveThreshold", lambda a: cv2.adaptiveThreshold(a, 255, 0, 0, 7, 2), (GRAY,), 0, 0),
    ("cvtColor to gray", lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2GRAY), (COLOR,), 1, 0),
    ("cvtColor to HSV", lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2HSV), (COLOR,), 1, 5),
    ("cvtColor to YCrCb", lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2YCrCb), (COLOR,), 1, 0),
    ("cvtColor to Lab", lambda a: cv2.cvtColor(a, cv2.COLOR_BGR2Lab), (COLOR,), 2, 0),
    ("resize, linear", lambda a: cv2.resize(a, (200, 170)), (COLOR,), 1, 0),
    ("resize, area", lambda a: cv2.resize(a, (160, 120), interpolation=cv2.INTER_AREA), (COLOR,), 1, 0),
    ("warpAffine", lambda a: cv2.warpAffine(a, TURN, (320, 240)), (COLOR,), 2, 5),
    ("warpPerspective", lambda a: cv2.warpPerspective(a, VIEW, (320, 240)), (COLOR,), 2, 5),
    ("remap", lambda a, x, y: cv2.remap(a, x, y, cv2.INTER_LINEAR), (COLOR, MAP_X, MAP_Y), 2, 5),
    ("blur", lambda a: cv2.blur(a, (5, 3)), (COLOR,), 1, 0),
    ("boxFilter", lambda a: cv2.boxFilter(a, -1, (7, 7)), (GRAY,), 1, 0),
    ("GaussianBlur", lambda a: cv2.GaussianBlur(a, (7, 7), 1.5), (COLOR,), 1, 0),
    ("medianBlur", lambda a: cv2.medianBlur(a, 5), (GRAY,), 0, 0),
    ("bilateralFilter", lambda a: cv2.bilateralFilter(a, 7, 40, 5), (GRAY,), 1, 0),
    ("filter2D", lambda a: cv2.filter2D(a, -1, BOX.astype(numpy.float32) / 25), (COLOR,), 1, 0),
    ("Sobel", lambda a: cv2.Sobel(a, cv2.CV_32F, 1, 0), (GRAY,), 1e-3, 0),
    ("Laplacian", lambda a: cv2.Laplacian(a, cv2.CV_32F, ksize=3), (GRAY,), 1e-3, 0),
    ("erode", lambda a: cv2.erode(a, BOX), (GRAY,), 0, 0),
    ("dilate", lambda a: cv2.dilate(a, BOX), (COLOR,), 0, 0),
    ("morphologyEx", lambda a: cv2.morphologyEx(a, cv2.MORPH_GRADIENT, BOX), (GRAY,), 0, 0),
    ("pyrDown", cv2.pyrDown, (COLOR,), 1, 0),
    ("pyrUp", cv2.pyrUp, (GRAY,), 1, 0),
    ("equalizeHist", cv2.equalizeHist, (GRAY,), 0, 0),
    ("calcHist", lambda a: cv2.calcHist([a], [0], None, [256], [0, 256]), (GRAY,), 0, 0),
    ("integral", cv2.integral, (GRAY,), 0, 0),
    ("cornerHarris", lambda a: cv2.cornerHarris(a, 3, 3, 0.04), (REAL,), 1e-3, 0),
    ("Canny", lambda a: cv2.Canny(a, 60, 140), (GRAY,), 0, 30),  # suppresses and links in another order
    ("matchTemplate", lambda a, b: cv2.matchTemplate(a, b, cv2.TM_CCORR), (REAL, REAL[40:60, 50:80].copy()), 1e-2, 0),
    ("sum", lambda a: numpy.array(cv2.sumElems(a)), (COLOR,), 0, 0),
    ("norm", lambda a: numpy.array(cv2.norm(a)), (REAL,), 1e-2, 0),
    ("meanStdDev", lambda a: numpy.concatenate([as_array(r) for r in cv2.meanStdDev(a)]), (COLOR,), 1e-3, 0),
    ("minMaxLoc", lambda a: numpy.array(sum(cv2.minMaxLoc(a)[2:], ())), (REAL,), 0, 0),
    ("countNonZero", lambda a: numpy.array(cv2.countNonZero(a)), (GRAY,), 0, 0),
]


def main():
    if not cv2.ocl.haveOpenCL():
        print("OpenCV sees no OpenCL")
        return 1
    cv2.ocl.setUseOpenCL(True)
    print("device:", cv2.ocl.Device_getDefault().name(), "of", cv2.ocl.Device_getDefault().vendorName())
    bad = []
    for name, function, inputs, most, share in FUNCTIONS:
        want = as_array(function(*inputs))
        got = as_array(function(*(cv2.UMat(i) for i in inputs)))
        same_shape = got.size == want.size
        apart = abs(got.ravel() - want.ravel()) if same_shape else numpy.array([numpy.inf])
        wrong = 1000 * (~(apart <= most)).mean() > share
        bad += [name] if wrong else []
        print(f"{'WRONG ' if wrong else ''}{name}: {apart.size} elements, most {apart.max():.3g}, "
              f"{1000 * (apart > most).mean():.2f} of 1000 beyond {most}")
    print(len(FUNCTIONS), "functions,", len(bad), "wrong:", ", ".join(bad))
    return int(bool(bad) or not cv2.ocl.useOpenCL())


sys.exit(main())

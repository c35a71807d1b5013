"""compare_images.py: whether two pictures are the same but for rounding.

usage: compare_images.py A B MOST SHARE      SHARE of 1000 pixels may be more than MOST apart in a channel, of 255
       compare_images.py --make FILE         makes a picture to begin with"""
import sys

import cv2
import numpy

if sys.argv[1] == "--make":
    random = numpy.random.default_rng(3)
    picture = cv2.GaussianBlur(random.integers(0, 256, (96, 128, 3), dtype=numpy.uint8), (5, 5), 0)
    picture = cv2.normalize(picture, None, 0, 255, cv2.NORM_MINMAX)
    cv2.circle(picture, (50, 40), 25, (20, 200, 120), -1)
    sys.exit(not cv2.imwrite(sys.argv[2], picture))
a, b = (cv2.imread(name, cv2.IMREAD_COLOR) for name in sys.argv[1:3])
most, share = map(float, sys.argv[3:])
assert a is not None and b is not None and a.shape == b.shape, "no pictures of one size"
assert a.std() > 5, "there is nothing in the picture"
apart = abs(a.astype(int) - b).max(2)
more = 1000 * (apart > most).mean()
print(f"{apart.size} pixels, most {apart.max()} apart, {more:.2f} of 1000 more than {most:g}")
sys.exit(int(more > share))

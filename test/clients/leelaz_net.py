"""Prints a random network for Leela Zero: residual blocks of 16 filters, in its text format."""
import random

random.seed(5)
FILTERS, BLOCKS = 16, 2


def values(n, spread):
    return " ".join(f"{random.gauss(0, spread):.6g}" for _ in range(n))


def convolution(inputs, outputs, size):
    area = inputs * size * size
    print(values(outputs * area, (2 / area) ** 0.5))
    print(values(outputs, 0.05))
    print(values(outputs, 0.05))
    print(" ".join(f"{random.uniform(0.5, 1.5):.6g}" for _ in range(outputs)))


def layer(inputs, outputs):
    print(values(inputs * outputs, inputs ** -0.5))
    print(values(outputs, 0.1))


print(1)
convolution(18, FILTERS, 3)
for _ in range(2 * BLOCKS):
    convolution(FILTERS, FILTERS, 3)
convolution(FILTERS, 2, 1)
layer(2 * 361, 362)
convolution(FILTERS, 1, 1)
layer(361, 256)
layer(256, 1)

"""Computes with pyopencl's arrays on Weir, and prints what comes out."""
import numpy
import pyopencl
import pyopencl.array

platform = next(p for p in pyopencl.get_platforms() if p.name == "Weir")
context = pyopencl.Context(platform.get_devices())
queue = pyopencl.CommandQueue(context)
numbers = pyopencl.array.to_device(queue, numpy.arange(1000, dtype=numpy.float32))
print(platform.name, (2 * numbers + 1).get()[:5], int(pyopencl.array.sum(numbers).get()))

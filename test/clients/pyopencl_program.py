"""pyopencl programs: build errors, kernel objects, elementwise kernels, binaries, events, SVM where it is."""
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from pyopencl.elementwise import ElementwiseKernel

context = cl.create_some_context(interactive=False)
device = context.devices[0]
queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)

source = """
kernel void transpose(global const float *in, global float *out, int w, int h, local float *tile) {
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    tile[ly * 17 + lx] = in[y * w + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + ly) * h + get_group_id(1) * 16 + lx] = tile[lx * 17 + ly];
}
"""
a = np.random.default_rng(8).random((96, 160)).astype(np.float32)


def run(program):
    src = cl_array.to_device(queue, a)
    out = cl_array.empty(queue, (160, 96), np.float32)
    event = program.transpose(queue, (160, 96), (16, 16), src.data, out.data, np.int32(160), np.int32(96),
                              cl.LocalMemory(16 * 17 * 4))
    event.wait()
    assert event.profile.end >= event.profile.start
    np.testing.assert_array_equal(out.get(), a.T)


program = cl.Program(context, source).build()
run(program)
run(cl.Program(context, [device], [program.get_info(cl.program_info.BINARIES)[0]]).build())

try:
    cl.Program(context, "kernel void k( {").build()
    raise SystemExit("a syntax error was built")
except cl.RuntimeError as error:
    assert "error" in str(error)

axpy = ElementwiseKernel(context, "float s, float *x, float *y, float *z", "z[i] = s * x[i] + y[i]", "axpy")
x = cl_array.to_device(queue, a.ravel())
z = cl_array.empty_like(x)
axpy(np.float32(2), x, x, z)
np.testing.assert_allclose(z.get(), a.ravel() * 3, rtol=1e-6)

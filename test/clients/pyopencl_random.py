"""pyopencl random numbers: counter-based generators, their ranges and moments, repeatability."""
import numpy as np
import pyopencl as cl
import pyopencl.clrandom as clrandom

context = cl.create_some_context(interactive=False)
queue = cl.CommandQueue(context)
n = 200_000

for kind in (clrandom.PhiloxGenerator, clrandom.ThreefryGenerator):
    for dtype in (np.float32, np.float64):
        u = kind(context, seed=5).uniform(queue, n, dtype).get()
        assert 0 <= u.min() and u.max() <= 1, (u.min(), u.max())
        assert abs(u.mean() - 0.5) < 0.01 and abs(u.var() - 1 / 12) < 0.01, (u.mean(), u.var())
        v = kind(context, seed=5).uniform(queue, n, dtype).get()
        np.testing.assert_array_equal(u, v)
        g = kind(context, seed=6).normal(queue, n, dtype).get()
        assert abs(g.mean()) < 0.02 and abs(g.std() - 1) < 0.02, (g.mean(), g.std())
        assert len(np.unique(u)) > n * 0.9
    i = kind(context, seed=7).uniform(queue, n, np.int32, a=0, b=100).get()
    assert i.min() >= 0 and i.max() < 100 and len(np.unique(i)) == 100

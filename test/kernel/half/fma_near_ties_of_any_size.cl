// global: 4096
// needs: cl_khr_fp16
// arg: int wrong[1] = 0
// expect: wrong = 0
// Sums that a float can't hold: z is a number between two half numbers as far as its bits go, the product tiny.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global int *wrong) {
    uint i = get_global_id(0);
    half x = as_half((ushort)(0x3c00 + i % 1024)), y = as_half((ushort)(0x1000 + i * 37 % 0x2c00));
    half z = as_half((ushort)(0x2000 + i * 101 % 0x4000 + (i % 2 ? 0x8000 : 0)));
    half got = fma(x, y, z), want = convert_half(fma((double)x, (double)y, (double)z));
    if (as_ushort(got) != as_ushort(want)) {
        atomic_inc(wrong);
    }
}

// global: 512
// local: 64 256
// needs: cl_intel_subgroups cl_intel_subgroups_short cl_intel_subgroups_char
// arg: int out[512]
// expect: out = 1
// options: -cl-std=CL2.0
#define CHECK(T)                                                                                     \
    {                                                                                                \
        T x = (T)g, y = (T)(g + 1000);                                                               \
        T down = intel_sub_group_shuffle_down(x, y, 3), up = intel_sub_group_shuffle_up(y, x, 3);    \
        uint high = lane + 3, low = lane + n - 3;                                                    \
        ok = ok && down == (high < n ? (T)(first + high) : (T)(first + high - n + 1000));            \
        ok = ok && up == (lane >= 3 ? (T)(g - 3) : (T)(first + low + 1000));                         \
        ok = ok && intel_sub_group_shuffle(x, n - 1 - lane) == (T)(first + n - 1 - lane);            \
        ok = ok && intel_sub_group_shuffle_xor(x, 2) == (T)(first + (lane ^ 2));                     \
    }
kernel void k(global int *out) {
    uint g = get_global_id(0), lane = get_sub_group_local_id(), n = get_max_sub_group_size(), first = g - lane;
    bool ok = true;
    if (n >= 4 && get_sub_group_size() == n) {
        CHECK(char)
        CHECK(uchar)
        CHECK(short)
        CHECK(ushort)
        CHECK(int)
        CHECK(uint)
        CHECK(long)
        CHECK(ulong)
        CHECK(float)
        CHECK(double)
        float4 v = intel_sub_group_shuffle_down((float4)(g, 1, 2, lane), (float4)(0), 1);
        ok = ok && (lane + 1 < n ? v.x == g + 1 && v.w == lane + 1 : v.x == 0 && v.y == 0);
        uchar16 c = intel_sub_group_shuffle_xor((uchar16)(lane), 1);
        ok = ok && c.s0 == (lane ^ 1) && c.sf == (lane ^ 1);
        int3 t = intel_sub_group_shuffle((int3)(1, g, 3), 0);
        ok = ok && t.x == 1 && t.y == first && t.z == 3;
        ok = ok && intel_sub_group_broadcast((short)lane, 3) == 3 && intel_sub_group_reduce_add((char)1) == (char)n;
        ok = ok && intel_sub_group_scan_inclusive_max((ushort)(g & 7)) <= 7;
        ok = ok && intel_sub_group_scan_exclusive_add((uchar)1) == lane;
    }
    out[g] = ok;
}

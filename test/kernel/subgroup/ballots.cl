// global: 504
// local: 1 3 16 64 250
// needs: cl_khr_subgroup_ballot
// arg: int out[504]
// expect: out = 1
ulong bits(uint4 v) {
    return v.x | (ulong)v.y << 32;
}
kernel void k(global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size(), first = g - lane;
    uint most = get_max_sub_group_size();
    ulong want = 0, one = 1, valid = ~0ul >> (64 - most);
    uint count = 0, before = 0, low = 99, high = 99;
    for (int i = 0; i < n; i++)
        if ((first + i) % 3 == 1) {
            want |= one << i;
            count++;
            before += i < lane;
            low = low == 99 ? i : low;
            high = i;
        }
    uint4 b = sub_group_ballot(g % 3 == 1);
    bool ok = bits(b) == want && b.z == 0 && b.w == 0 && sub_group_ballot_bit_count(b) == count;
    ok = ok && (sub_group_inverse_ballot(b) != 0) == (g % 3 == 1);
    ok = ok && (sub_group_ballot_bit_extract(b, n - 1) != 0) == ((first + n - 1) % 3 == 1);
    ok = ok && sub_group_ballot_exclusive_scan(b) == before;
    ok = ok && sub_group_ballot_inclusive_scan(b) == before + (g % 3 == 1);
    if (want)
        ok = ok && sub_group_ballot_find_lsb(b) == low && sub_group_ballot_find_msb(b) == high;
    ok = ok && bits(get_sub_group_eq_mask()) == one << lane && bits(get_sub_group_lt_mask()) == (one << lane) - 1;
    ok = ok && bits(get_sub_group_le_mask()) == (bits(get_sub_group_lt_mask()) | one << lane);
    ok = ok && bits(get_sub_group_ge_mask()) == (valid & ~bits(get_sub_group_lt_mask()));
    ok = ok && bits(get_sub_group_gt_mask()) == (valid & ~bits(get_sub_group_le_mask()));
    if (lane % 2)
        ok = ok && sub_group_broadcast_first(g) == first + 1 && sub_group_non_uniform_broadcast(g, 1) == first + 1 &&
             bits(sub_group_ballot(1)) == (0xaaaaaaaaaaaaaaaaul & (n < 64 ? (one << n) - 1 : ~0ul));
    else
        ok = ok && sub_group_broadcast_first((char)lane) == 0;
    out[g] = ok;
}

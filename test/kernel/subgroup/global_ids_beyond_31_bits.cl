// global: 504
// local: 1 3 16 64 250
// offset: 4294967000
// needs: __opencl_c_subgroups
// arg: long out[504]
// expect: out = 4294967000 + i
kernel void k(global long *out) {
    size_t g = get_global_id(0);
    uint lane = get_sub_group_local_id();
    bool ok = sub_group_broadcast(g, 0) == g - lane && sub_group_reduce_add(1) == get_sub_group_size();
    int narrow = (int)g;
    ok = ok && sub_group_broadcast((long)narrow, lane * 0) == (long)(int)(g - lane) && (long)narrow == (long)(int)(uint)g;
    out[g - get_global_offset(0)] = ok ? g : 0;
}

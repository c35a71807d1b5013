// Local memory that is accessed by chars alone, or by shorts, has a word for each; a pointer to either of two and an argument, too.
// Not so where accesses have several sizes, or the memory is copied as a whole.
// RUN: %weirc %s --kernel words --check --width 8 --local 64,1,1 --constants 64 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=WORDS
// RUN: %weirc %s --kernel mixed --check --width 8 --local 64,1,1 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=MIXED
// RUN: %weirc %s --kernel copied --check --width 8 --local 64,1,1 --emit=ll --stop-after=instrument -o - | FileCheck %s --check-prefix=MIXED
// WORDS: words.t = internal addrspace(3) global [2 x [64 x i32]]
// WORDS-NOT: call void @__weir_check_access{{.*}} i32 {{0|1}}, i32 {{1|2}},
// WORDS: call void @__weir_check_access{{.*}} i32 1, i32 4,
// WORDS-NOT: call void @__weir_check_access{{.*}} i32 {{0|1}}, i32 {{1|2}},
// WORDS: ret void
// MIXED: global [64 x i8]
// MIXED: call void @__weir_check_access{{.*}} i32 1, i32 1,
kernel void words(global int *out, local short *s) {
    local char t[2][64], u[64];
    uint l = get_local_id(0);
    t[0][l] = t[1][l] = u[l] = l;
    s[l & 31] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    local char *p = out[l] > 3 ? t[1] : u;
    out[l] = p[out[l] & 63] + s[31 - (l & 31)];
}

kernel void mixed(global int *out) {
    local char t[64];
    uint l = get_local_id(0);
    t[out[l] & 63] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = *(local int *)(t + l / 4 * 4);
}

kernel void copied(global int *out, global const char *in) {
    local char t[64];
    uint l = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 64, 0);
    wait_group_events(1, &e);
    t[out[l] & 63] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[63 - l];
}

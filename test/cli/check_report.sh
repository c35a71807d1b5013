# what the checker's reports say: elements, calls, ids, source lines, advice
. "$(dirname "$0")/common"
mkdir inc
cat >inc/tile.h <<'CL'
static void load(local float t[8][9], global const float *src) {
    t[get_local_id(1)][get_local_id(0)] = src[get_global_id(0)];
}
CL
cat >a.cl <<'CL'
#include "inc/tile.h"
struct list { int n; struct { short kind; float2 at[2]; } e[3]; };
kernel void tiles(global const float *src, global float *dst) {
    local float t[8][9];
    load(t, src);
    dst[get_global_id(1) * get_global_size(0) + get_global_id(0)] = t[get_local_id(0)][get_local_id(1)];
}
kernel void fields(global struct list *p) { p[get_global_id(0) / 2 + 1].e[1].at[1].y = get_global_id(0); }
kernel void beyond(global int *d) {
    local int t[4][4];
    t[get_local_id(0)][3] = 1;
    d[get_global_id(0)] = t[0][3];
}
kernel void before(global int *d) { d[(int)get_global_id(0) - 1] = 1; }
kernel void cube(global int *d) { d[get_global_id(1)] = get_global_id(2); }
kernel void shift(global int *d) { d[get_global_id(0)] = d[(get_global_id(0) + 1) % 64]; }
kernel void count(global int *d) { d[0] += get_global_id(0); }
kernel void loop(global int *d) {
    local int t[64];
    int l = get_local_id(0);
    t[l] = l;
    for (int i = 0; i < 4; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = t[(l + 1) % 64];
        t[l] = x;
    }
    for (int i = 0; i < 4; i++) {
        t[l] = i + l;
        barrier(CLK_LOCAL_MEM_FENCE);
        d[l] = t[63 - l];
    }
}
kernel void flags(global int *d) {
    d[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    d[63 - get_local_id(0)] = 2;
}
CL
cat >b.cl <<'CL'
global float table[4][4];
kernel void k(global int *d) { table[get_local_id(0) % 4][1] = get_global_id(0); }
CL
expect 1 'local variable t\[[0-7]\]\[[0-7]\].*inc/tile.h:2:41: work-item \([0-7], [0-7]\) of group \(0, 0\) writes \(global id \([0-7], [0-7]\)\)
        2 \|     t\[get_local_id\(1\)\]\[get_local_id\(0\)\] = src\[get_global_id\(0\)\];
          \|                                         \^
    in load, called from a.cl:5:5 in tiles' weir check a.cl tiles --global 8,8 --local 8,8 --arg iota --arg out
expect 1 'a.cl:6:69: work-item' weir check a.cl tiles --global 8,8 --local 8,8 --arg iota --arg out
expect 1 '"uri":"inc/tile.h"' weir check --sarif a.cl tiles --global 8,8 --local 8,8 --arg iota --arg out
expect 1 'argument p\[1\].e\[1\].at\[1\].y' weir check a.cl fields --global 64 --local 64 --arg out:uchar:4096
expect 1 'out-of-bounds in kernel beyond: local variable t\[4\]\[3\]' weir check a.cl beyond --global 64 --local 64 --arg out
expect 1 'out-of-bounds in kernel before: argument d\[-1\]' weir check a.cl before --global 64 --local 64 --arg out
expect 1 'argument d\[0\].*work-item \(0, 0, 1\) of group \(0, 0, 0\) writes \(global id \(0, 0, 1\)\)' \
    weir check a.cl cube --global 2,2,2 --local 2,2,2 --arg out
expect 1 'program-scope variable table\[0\]\[1\]' weir check b.cl k --global 64 --local 64 --arg out --options -cl-std=CL3.0
expect 1 'fix: read into a variable first, then barrier\(CLK_GLOBAL_MEM_FENCE\), then write' weir check a.cl shift --global 64 --local 64 --arg inout=iota
expect 1 'fix: (use an atomic|let one work-item write it, .* atomic)' weir check a.cl count --global 64 --local 64 --arg out
expect 1 'between the two, where all.*at the end of the loop, too: after line 30, and before line 28 comes around' \
    weir check a.cl loop --global 64 --local 64 --arg out
expect 1 'the barrier at a.cl:35:5 .*last common barrier: a.cl:35:5, CLK_LOCAL_MEM_FENCE.*fix: add CLK_GLOBAL_MEM_FENCE' \
    weir check a.cl flags --global 64 --local 64 --arg out
# lines that clang tells no places of
printf 'kernel void k(global int *o) { local int t[64]; local int u[64]; int l = get_local_id(0); /*%0100000d*/ t[l] = l; u[l] = l; o[l] = t[63 - l]; o[l] += u[63 - l]; }\n' 0 >long.cl
expect 1 'found: 2 data-race' weir check long.cl k --global 64 --local 64 --arg out
finish
cat >wait.cl <<'CL'
kernel void wait(volatile global int *flag) {
    if (get_local_id(1) == 3)
        while (flag[get_group_id(1)] == 0)
            ;
}
CL
expect 1 'work-item \(0, 3\) of group \(0, [01]\) waits for ever .*another group waits, too: work-item \(0, 3\) of group \(0, [01]\) at wait.cl:3:.* all groups have begun' \
    env WEIR_CU=2 weir check --deadlock 200 wait.cl wait --global 1,8 --local 1,4 --arg 2=zeros
expect 1 'deadlock in kernel wait.* for 200 ms; 1 group has not begun' \
    env WEIR_CU=1 weir check --deadlock 200 wait.cl wait --global 1,8 --local 1,4 --arg 2=zeros
cat >all.cl <<'CL'
kernel void early(global int *d) {
    if (get_local_id(0) < 7)
        d[get_global_id(0)] = work_group_reduce_add(1);
}
kernel void absent(global int *d) { d[get_global_id(0)] = work_group_broadcast(1, 8); }
CL
expect 1 'work-item 0 of group 0 calls a function of the work-group .*work-item 7 of group 0 has ended.*come to the call' \
    weir check all.cl early --global 8 --local 8 --arg out
expect 1 'local id 8 in dimension 0, where the work-group has 8 work-items.*get_local_size\(0\)' \
    weir check all.cl absent --global 8 --local 8 --arg out

# of several bytes of a word that a group has stored the cell tells of the last one; still it was one work-item, or several
cat >bytes.cl <<'CL'
kernel void alone(global uchar *p, global int *out) {
    int g = get_global_id(0);
    if (g == 2)
        vstore3((uchar3)(1, 2, 1), 0, p + 16);
    out[g] = g == 5 ? p[16] : 0;
}
kernel void together(global uchar *p, global int *out) {
    int g = get_group_id(0), l = get_local_id(0);
    if (g == 2 && l < 3)
        p[16 + l] = l + 1;
    out[get_global_id(0)] = g == 5 ? p[16] : 0;
}
CL
WEIR_CU=1 expect 1 'work-item 0 of group 5 reads.*:4:9: work-item 0 of group 2 writes' weir check bytes.cl alone --global 8 --local 1 --arg 32=zeros --arg out
WEIR_CU=1 expect 1 'of group 5 reads.*:10:19: several work-items of group 2 write' weir check bytes.cl together --global 32 --local 4 --arg 32=zeros --arg out

# gdb stops at lines and kernels of OpenCL C, at every width, and profilers find kernels by their names
command -v gdb >/dev/null || { echo 'gdb is not installed'; exit 77; }
gdb -q -batch -ex run true 2>&1 | grep -q 'exited normally' || { echo 'gdb may not run programs here'; exit 77; }
. "$(dirname "$0")/common"
export WEIR_CACHE_DIR=$work/cache DEBUGINFOD_URLS=
cat >stop.cl <<'CL'
int twice(int v) {
    return 2 * v;
}
kernel void stop_here(global const int *in, global int *out, local int *t) {
    size_t l = get_local_id(0), n = get_local_size(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += twice(t[(l + k) % n]) ^ (int)k;
    out[get_global_id(0)] = sum;
}
CL
# groups of many packs, so that local memory stays what lines read and write
run='weir run stop.cl stop_here --global 2048 --local 1024 --arg iota --arg out --arg local:1024'
debug() {
    gdb -q -batch -ex 'set breakpoint pending on' -ex "break $1" -ex run -ex 'backtrace 1' -ex continue \
        -ex 'delete' -ex continue --args $run
}
widths='1 4 16'
[ -z "${WEIR_TEST_QUICK-}" ] || widths=4
for width in $widths; do
    export WEIR_WIDTH=$width
    expect 0 'hit Breakpoint 1, .*stop_here \(\) at .*stop.cl:6.*in\[get_global_id.*#0 .*stop.cl:6' debug stop.cl:6
    expect 0 'stop.cl:10.*twice' debug stop.cl:10
    expect 0 'hit Breakpoint 1, .*stop.cl:11.*out\[get_global_id.*= 1048064 .*exited normally' debug stop.cl:11
    expect 0 'hit Breakpoint 1, .*twice \(\) at .*stop.cl:2' debug stop.cl:2
    expect 0 'hit Breakpoint 1, .*stop_here \(\) at .*stop.cl:4' debug stop_here
done
unset WEIR_WIDTH
expect 0 'weir.stop_here' bash -c "$run >/dev/null && nm '$WEIR_CACHE_DIR'/*.so"
finish

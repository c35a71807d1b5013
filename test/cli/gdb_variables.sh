# with WEIR_DEBUG=1 gdb shows a work-item's variables and ids, in every function and after barriers
command -v gdb >/dev/null || { echo 'gdb is not installed'; exit 77; }
gdb -q -batch -ex run true 2>&1 | grep -q 'exited normally' || { echo 'gdb may not run programs here'; exit 77; }
. "$(dirname "$0")/common"
export WEIR_CACHE_DIR=$work/cache DEBUGINFOD_URLS= WEIR_DEBUG=1
cat >show.cl <<'CL'
typedef struct { int at; float4 colour; } point;
global int scale = 3;
int weigh(local int *row, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += row[i] * scale;
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}
kernel void show(global int *out, int rounds) {
    local int row[8];
    int l = get_local_id(0), total = 0;
    point p = {l * 10, (float4)(l, 2, 3, 4)};
    for (int round = 0; round < rounds; round++) {
        row[l] = l + round;
        barrier(CLK_LOCAL_MEM_FENCE);
        int last = total;
        total = last + weigh(row, l);
    }
    out[get_global_id(0)] = total + p.at;
}
CL
debug() { # BREAKPOINT GDB'S COMMANDS
    local at=$1 commands=()
    shift
    for command; do commands+=(-ex "$command"); done
    gdb -q -batch -ex 'set breakpoint pending on' -ex "break $at" -ex run "${commands[@]}" --args weir run show.cl show \
        --options -cl-std=CL3.0 --global 16 --local 8 --arg out --arg 2
}
expect 0 'rounds = 2.*l = 5.*total = 0.*p = .at = 50, colour = .5, 2, 3, 4..' \
    debug 'show.cl:17 if __global_id[0] == 13' 'info args' 'info locals'
expect 0 '= .1, 2, 3, 4, 5, 6, 7, 8..*_id = .8, 0, 0..*round = 1' \
    debug 'show.cl:17 if round == 1 && __group_id[0] == 1' 'print row' 'info locals'
expect 0 'weigh \(row=0x[0-9a-f]+, n=6\) at .*show.cl:8.*show \(.*show.cl:18.*sum = 45.*= 3.*p = .at = 60' \
    debug 'show.cl:8 if __local_id[0] == 6' 'bt 2' 'info locals' 'print scale' 'up' 'info locals'
expect 0 'total = 147.*exited normally' \
    debug 'show.cl:20 if __global_id[0] == 7' 'info locals' 'delete' 'continue'
# the kernel's name stops where a work-item begins, with its arguments and ids; `next` goes through its lines and, where it
# ends or comes to a barrier, to those of the next one
cat >grid.cl <<'CL'
kernel void grid(global const int *in, global int *out) {
    local int t[4];
    size_t x = get_local_id(0), y = get_local_id(1);
    t[y * 2 + x] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 4 + get_global_id(0)] = t[x * 2 + y];
}
CL
stop_in_grid() { # CONDITION GDB'S COMMANDS
    local at=$1 commands=()
    shift
    for command; do commands+=(-ex "$command"); done
    WEIR_CU=1 gdb -q -batch -ex 'set breakpoint pending on' -ex "break grid if $at" -ex run "${commands[@]}" \
        --args weir run grid.cl grid --global 4,2 --local 2,2 --arg iota:4 --arg out:8
}
expect 0 'grid .in=0x[0-9a-f]*, out=0x[0-9a-f]*. at grid.cl:3.*out = 0x.*= 7.*__local_id = .1, 1, 0' \
    stop_in_grid '__global_id[0] == 3 && __global_id[1] == 1' 'info args' 'print in[3]' 'info locals'
expect 0 '4.*t.y . 2 . x. = .*x = 0.*y = 1.*3.*size_t x = .*= .3, 1, 0.*6.*out.*= .2, 0, 0.' \
    stop_in_grid '__global_id[0] == 2 && __global_id[1] == 1' next 'info locals' next 'print __global_id' next next \
        'print __global_id'
# without it lines are all that is there, and the code is that of packs
unset WEIR_DEBUG
expect 0 'No symbol "rounds"' debug show.cl:17 'print rounds' 'print 0'
finish

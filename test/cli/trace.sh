# WEIR_TRACE writes a trace that readers take, whatever the program does; weir trace tells where the time went
. "$(dirname "$0")/common"
export OCL_ICD_VENDORS=$BUILD/weir.icd WEIR_CACHE_DIR=$work/cache
check="$root/test/cli/trace.py"
expect 0 'y: float' env WEIR_TRACE="$work/run.json" "$BUILD/weir" run saxpy.cl saxpy --global 65536 --local 64 --arg 2 --arg iota --arg inout=ones --repeat 3
if command -v python3 >/dev/null; then
    expect 0 '^sound' python3 "$check" run.json command build phase groups
    expect 0 '"name":"front end"' cat run.json
    # programs with events, several queues and threads behave as without it
    for program in event queue svm usm command_buffer command_buffer_queues; do
        [ -x "$BUILD/test/api/$program" ] || continue
        expect 0 '' env WEIR_TEST_QUICK=1 WEIR_TRACE="$work/$program.json" "$BUILD/test/api/$program"
        expect 0 '^sound' python3 "$check" "$program.json" command
        expect 1 '^$' grep -m1 '"name":"COMMAND"' "$program.json" # each type has a name
    done
    [ ! -x "$BUILD/test/api/event" ] || expect 0 '^sound' python3 "$check" event.json arrows api
    # what is recorded, and what wasn't enqueued after all, are no commands that haven't ended
    [ ! -x "$BUILD/test/api/command_buffer" ] || expect 1 '^$' grep -m1 unended command_buffer.json
fi
expect 0 'commands ran.*builds: 2, 2 of them from the cache.*saxpy +3 .*WRITE_BUFFER.*first:.*1\. .*t.json opens in' \
    "$BUILD/weir" trace -o t.json "$BUILD/weir" run saxpy.cl saxpy --global 65536 --local 64 --arg 2 --arg iota --arg inout=ones --repeat 3
expect 0 'traceEvents' cat t.json
expect 0 '"WRITE_BUFFER".*"bytes":262144' grep -m1 WRITE_BUFFER t.json
# of names that are too long for a column both ends are told, and nothing where nobody reads any more
long=$(printf 'name_%.0s' $(seq 30))
printf 'kernel void %send(global int *p) { *p = 1; }\n' "$long" >long.cl
expect 0 'kernel +count.*name_name_n\.\.\.e_name_.*_end +1 ' "$BUILD/weir" trace "$BUILD/weir" run long.cl "${long}end" --global 1 --arg out
expect 0 '^0$' bash -c 'trap "" PIPE; { sleep 0.1; "$1/weir" help; echo $? >&2; } | true' sh "$BUILD"
# one build that isn't in the cache, and kernels that are compiled while nothing runs are no time of the host's
expect 0 '1 build takes.*has it from' env WEIR_CACHE_DIR= "$BUILD/weir" trace sh -c '"$1/weir" compile saxpy.cl -o x.weir' sh "$BUILD"
expect 1 "didn't use Weir" "$BUILD/weir" trace true
expect 1 'cannot start /nowhere' "$BUILD/weir" trace /nowhere
expect 2 'wants a program' "$BUILD/weir" trace
# parts of the file are written while the program runs: it has more than the memory for it holds
expect 0 'y: float' env WEIR_TRACE="$work/long.json" WEIR_TRACE_MEMORY=1 "$BUILD/weir" run saxpy.cl saxpy --global 65536 --arg 2 --arg iota --arg inout=ones --repeat 20000
expect 0 '^[0-9]{5}|^[5-9][0-9]{3}' grep -c '"cat":"command"' long.json
expect 0 '^],"dropped":[0-9]+}' tail -n 1 long.json
if command -v python3 >/dev/null; then
    expect 0 '^sound' python3 "$check" long.json command api groups
fi
if command -v python3 >/dev/null; then # a forked child's trace has what it did, and the parent's none of it
    cat >forks.py <<'P'
import ctypes, os
cl = ctypes.CDLL("libOpenCL.so.1")
platform = ctypes.c_void_p()
cl.clGetPlatformIDs(1, ctypes.byref(platform), None)
def calls(n):
    for i in range(n):
        cl.clUnloadPlatformCompiler(platform)
calls(300)
child = os.fork()
calls(100 if child else 200)
if child:
    os.waitpid(child, 0)
P
    expect 0 '' env WEIR_TRACE="$work/forks.%p.json" python3 forks.py
    expect 0 '^200 400 $' sh -c 'for f in forks.*.json; do grep -c clUnloadPlatformCompiler "$f"; done | sort -n | tr "\\n" " "'
fi
# a name that is too long is none, and no shorter one takes its place: 4095 bytes of it end in the zeros
long=$work$(printf '%*s' $((4095 - ${#work} - 10)) '' | tr ' ' /)cut.0000000000
expect 0 'cannot write the trace .*: File name too long' env WEIR_TRACE="$long" "$BUILD/weir" run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out
expect 0 'cannot write the profile .*: File name too long' env WEIR_PROFILE="$long" "$BUILD/weir" run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out
expect 1 '^$' sh -c 'ls | grep cut'
expect 0 'cannot write the trace /nowhere/x' env WEIR_TRACE=/nowhere/x "$BUILD/weir" run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out
finish

# signals that end a program leave its trace and its profile, with the kernel that never ends; what the program does itself
# about signals stays as it is
. "$(dirname "$0")/common"
export OCL_ICD_VENDORS=$BUILD/weir.icd WEIR_CACHE_DIR=$work/cache
unset WEIR_TRACE WEIR_PROFILE WEIR_TRACE_MEMORY
check="$root/test/cli/trace.py"
cat >spin.cl <<'CL'
kernel void spin(global volatile int *p) {
    while (p[0] == 0)
        p[1]++;
}
CL
expect 0 '' weir compile spin.cl -o spin.weir
spin=(weir run spin.cl spin --global 1 --arg out:2)

# ended_by SIGNAL COMMAND...: sends the signal to it and to what it starts, as a terminal does, when the kernel has run for
# a tenth of a second of a processor; what it prints goes to `text`, its exit code to `code`.
ended_by() {
    local number=$1 pid
    shift
    setsid env --default-signal=INT "$@" >text 2>&1 & # which the shell has others ignore
    pid=$!
    while kill -0 "$pid" 2>/dev/null && ! busy "$pid"; do
        sleep 0.05
    done
    kill -"$number" -- -"$pid"
    wait "$pid"
    code=$?
    text=$(cat text)
}

# The session's `weir` takes time: nothing else of it does.
busy() {
    local p ticks=0
    for p in $(pgrep -s "$1" -x 'weir|exe'); do
        ticks=$((ticks + $(awk '{ print $14 + $15 }' "/proc/$p/stat" 2>/dev/null || echo 0)))
    done
    [ "$ticks" -ge 10 ]
}

expect 0 '^p: int' weir run spin.cl spin --global 1 --arg inout:2=1 # the cache has it now
for number in INT TERM HUP; do
    ended_by $number weir trace -o "$number.json" "${spin[@]}"
    [ $code = $((128 + $(kill -l $number))) ] || { echo "$number: exit code $code: $text"; failures=1; }
    [[ $text =~ "was ended by signal" && $text =~ "1 command had not ended; the oldest is spin, enqueued" ]] ||
        { echo "$number: $text"; failures=1; }
    if command -v python3 >/dev/null; then
        expect 0 '^sound' python3 "$check" $number.json command build
    fi
done
cat >wild.cl <<'CL'
kernel void wild(global int *p) { p[get_global_id(0) << 40] = 1; }
CL
expect 139 'the oldest is wild, enqueued .*: `weir check` finds accesses beyond buffers' weir trace weir run wild.cl wild --global 64 --arg out
# a command that goes on from one part of the file to the next isn't lost
expect 124 '' env WEIR_TRACE="$work/parts.json" timeout -s TERM 3 "${spin[@]}"
expect 0 'unended' tail -n 1 parts.json
# the signal ends a program without a trace, and one with, by itself
WEIR_TRACE=$work/alone.json ended_by TERM "${spin[@]}"
[ $code = 143 ] || { echo "exit code $code: $text"; failures=1; }
expect 0 'unended' tail -n 1 alone.json
ended_by INT "${spin[@]}" --profile
[[ $code = 130 && $text =~ [0-9.]+%.*'while (p[0] == 0)' ]] || { echo "exit code $code: $text"; failures=1; }

cat >self.py <<'P'
import ctypes, os, signal, sys, threading, time
how = sys.argv[1]
if how == "ignores":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
cl = ctypes.CDLL("libOpenCL.so.1")
platform = ctypes.c_void_p()
def calls():
    for i in range(3000):
        cl.clUnloadPlatformCompiler(platform)
cl.clGetPlatformIDs(1, ctypes.byref(platform), None)
calls()
trace = os.environ.get("WEIR_TRACE", "").replace("%p", str(os.getpid()))
while how == "killed_late" and not (os.path.exists(trace) and '"api"' in open(trace).read()):
    calls() # until the file has more than its head
if how == "handles":
    signal.signal(signal.SIGTERM, lambda *a: print("handled", flush=True))
if how == "abort":
    os.abort()
if how == "faults":
    for i in range(4):
        threading.Thread(target=ctypes.CDLL(None).strlen, args=(8,)).start()
    time.sleep(60)
if how == "sent_a_fault":
    os.kill(os.getpid(), signal.SIGBUS)
if how == "exits_late":
    while not (os.path.exists(trace) and '"api"' in open(trace).read()):
        time.sleep(0.05)
    os._exit(3)
if how == "forks":
    child = os.fork()
    if not child:
        os.kill(os.getpid(), signal.SIGTERM)
        os._exit(0)
    print("child", os.waitpid(child, 0)[1], flush=True)
else:
    os.kill(os.getpid(), signal.SIGKILL if how.startswith("killed") else signal.SIGTERM)
calls()
print("ended", flush=True)
P
if command -v python3 >/dev/null; then
    for how in handles ignores; do
        expect 0 'ended' env WEIR_TRACE="$work/$how.json" python3 self.py $how
        expect 0 '^6000$' grep -c clUnloadPlatformCompiler $how.json
    done
    expect 0 'handled' env WEIR_TRACE="$work/handles.json" python3 self.py handles
    expect 0 'child 15' env WEIR_TRACE="$work/forks.json" python3 self.py forks # which has nothing to write
    expect 143 '' env WEIR_TRACE="$work/ends.json" python3 self.py ends
    expect 0 '^[3-6][0-9]{3}$' grep -c clUnloadPlatformCompiler ends.json
    expect 1 'Killed.*leaves no trace' weir trace python3 self.py killed
    # faults end it as ever, and leave a trace; so do those of several threads at once, and one in a kernel
    for how in 6:abort 11:faults 7:sent_a_fault; do
        expect $((128 + ${how%:*})) '' env WEIR_TRACE="$work/fault.json" python3 self.py "${how#*:}"
        expect 0 '^3000$' grep -c clUnloadPlatformCompiler fault.json
        expect 0 '^sound' python3 "$check" fault.json api
    done
    # of a program that ends by _exit, or is killed, there is what was written two seconds after its start: a whole file
    expect 3 '' env WEIR_TRACE="$work/slow.json" python3 self.py exits_late
    expect 0 '^sound' python3 "$check" slow.json api
    expect 0 '^],"dropped":0}' tail -n 1 slow.json
    # and of one that is killed what has been written until then
    expect 137 'Killed.*builds: 0.*opens in' env WEIR_TRACE_MEMORY=1 weir trace -o part.json python3 self.py killed_late
    expect 0 '^sound' python3 "$check" part.json api
fi
finish

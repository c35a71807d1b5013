# weir bench measures and verifies its kernels, as a table and as JSON; bars are drawn on terminals alone
. "$(dirname "$0")/common"
export OCL_ICD_VENDORS=$BUILD/weir.icd TERM=xterm
unset NO_COLOR
cat >read.py <<'P'
import json, sys
first, *rest = sys.stdin.read().split("\n")
b = json.loads("".join(rest))
weir, = b["platforms"]
assert weir["name"] == "Weir" and b["threads"] > 0 and len(weir["kernels"]) == 8
assert set(b["limits"]) == {"memory", "arithmetic", "barriers", "launches"}
for k in weir["kernels"]:
    assert k["reason"] is None and k["seconds"] > 0 and k["rate"] > 0, k
    limit = b["limits"][k["bound"]]
    assert not limit or abs(k["share"] * limit / k["rate"] - 1) < 0.01, k
print(first)
P
expect 0 '^bar clean$' bash -c 'set -o pipefail; python3 "$0/test/cli/progress.py" "$1/weir" bench --alone --json | python3 read.py' "$root" "$BUILD"
# what does not work is a gap with its reason, and the exit code says so
expect 1 'kernel +bound by.*copy +memory.*copy on Weir: clBuildProgram: the compiler weirc was not found' env WEIR_COMPILER=/nowhere/weirc WEIR_CACHE_DIR= "$BUILD/weir" bench --alone
expect 2 "bench takes no 'x'" "$BUILD/weir" bench x
expect 2 'wants a kernel.s number' "$BUILD/weir" bench --measure x

cat >long.cl <<'CL'
kernel void spin(global uint *p) {
    uint x = get_global_id(0);
    for (uint i = 0; i < 1000000; i++)
        x = x * 1664525 + (x >> 7);
    p[get_global_id(0)] = x;
}
CL
drawn() { # [NAME=VALUE]: by a run of some seconds
    python3 "$root/test/cli/progress.py" env "$@" "$BUILD/weir" run long.cl spin --global 8 --local 8 --arg out:uint:8 --repeat 1500
}
expect 0 '^bar clean' drawn A=B
if [ -z "${WEIR_TEST_QUICK-}" ]; then
    expect 0 '^nothing' drawn NO_COLOR=1
    expect 0 '^nothing' drawn TERM=dumb
fi
traced() { # [NAME=VALUE]: a program whose trace takes seconds to read
    python3 "$root/test/cli/progress.py" env "$@" "$BUILD/weir" trace "$BUILD/weir" run saxpy.cl saxpy --global 4 --arg 2 --arg iota --arg inout=ones --repeat 200000
}
if [ -z "${WEIR_TEST_QUICK-}" ]; then
    expect 0 '^bar clean.*saxpy +200000 ' traced A=B
    expect 0 '^nothing' traced NO_COLOR=1
fi
expect 0 '^nothing' python3 "$root/test/cli/progress.py" "$BUILD/weir" run saxpy.cl saxpy --global 64 --arg 2 --arg iota --arg inout=ones
finish

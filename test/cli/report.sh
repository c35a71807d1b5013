# weir compile --report and WEIR_REPORT: what they say of kernels whose code is known
. "$(dirname "$0")/common"
export WEIR_CPU=x86-64-v3 WEIR_CACHE_DIR=$work/cache
unset WEIR_WIDTH WEIR_REPORT WEIR_LOG
cat >known.cl <<'CL'
#include "part.h"
kernel void known(global const float *in, global const int *where, global float *out, global int *count,
                  int n, global const float4 *wide) {
    local float tile[64];
    int l = get_local_id(0), g = get_global_id(0);
    float keep = in[g], seen[3]; seen[0] = seen[1] = seen[2] = g;
    tile[l] = in[where[g]];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++)
        keep += tile[i] * i;
    for (int i = 0; i < where[g]; i++)
        keep = keep * 0.5f + 1;
    seen[where[g] % 3] = keep;
    for (int i = 0; i < n; i++) {
        tile[l] += scaled(keep);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[4 * g] = keep + seen[n] + wide[g].x + wide[g].w;
    if (l < n)
        out[1000 - g] = keep + tile[(l + n) % 64];
    atomic_add(&count[where[g]], 1);
    if (keep < 0)
        printf("%d\n", l);
}
CL
echo 'float scaled(float x) { return x * 3; }' >part.h
cat >others.cl <<'CL'
kernel void lock(global int *m, global int *sum) {
    while (atomic_cmpxchg(m, 0, 1))
        ;
    *sum += 1;
    atomic_xchg(m, 0);
}
kernel void parts(global int *p, local int *t) {
    int l = get_local_id(0);
    for (int i = 0; i < p[0]; i++) {
        if (p[l + 1] > i)
            barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = p[l];
    }
    p[l] = t[l];
}
__attribute__((intel_reqd_sub_group_size(4))) kernel void sub(global int *p) {
    p[get_global_id(0)] = sub_group_reduce_add(p[get_global_id(0)]);
}
__attribute__((reqd_work_group_size(3, 4, 1))) kernel void rows(global int *p) {
    p[get_global_id(1) * 3 + get_global_id(0)]++;
}
CL

# matches TEXT REGEX: as grep -E, line by line
matches() {
    grep -qE -- "$2" <<<"$1" || { printf 'FAILED: no line matches /%s/ in:\n%s\n' "$2" "$1"; failures=1; }
}

text=$(weir compile known.cl --options -I. --report --local 64)
matches "$text" '^known, local size 64,1,1, known.cl:2$'
matches "$text" '^  width     8: as many 32-bit values as a vector register of 256 bits'
matches "$text" '^  region 1  after the barrier at known.cl:8, 16 bytes live per work-item$'
matches "$text" '^    known.cl:6 +float$'
matches "$text" '^    known.cl:6 +private array of 12 bytes, in the context, interleaved$'
matches "$text" '^    known.cl:6 +load  global float +contiguous$'
matches "$text" '^    known.cl:7 +load  global int +contiguous$'
matches "$text" '^    known.cl:7 +load  global float +gather$'
matches "$text" '^    known.cl:9 +loop +uniform$'
matches "$text" '^    known.cl:10 +load  local float +uniform$'
matches "$text" '^    known.cl:11 +loop +divergent$'
matches "$text" '^    known.cl:13 +store private float, interleaved +scatter$'
matches "$text" '^    known.cl:14 +loop +uniform, across barriers$'
matches "$text" '^    known.cl:18 +store global float +strided scatter, 16 bytes apart$'
matches "$text" '^    known.cl:18 +load  global float4 +wide load and shuffle$'
matches "$text" '^    known.cl:20 +store global float +reversed, masked if a lane is off$'
matches "$text" '^    known.cl:20 +load  local float +contiguous if in a row, else gather, masked if a lane is off$'
matches "$text" '^    known.cl:21 +atomic global int +lane by lane$'
matches "$text" '^    known.cl:23 +printf +lane by lane$'
lines=$(sed -n 's/^    known.cl:\([0-9]*\) .*/\1/p' <<<"${text#*lines}")
[ "$lines" = "$(sort -n <<<"$lines")" ] || { echo "lines are not in order: $text"; failures=1; }

matches "$(WEIR_CPU=x86-64-v4 weir compile saxpy.cl --report)" '^  width     16: as many 32-bit values as a vector register of 512 bits'
matches "$(WEIR_CPU=x86-64 weir compile saxpy.cl --report)" '^  width     4: as many 32-bit values as a vector register of 128 bits'

# Without a size every pack may reach beyond its row.
text=$(weir compile known.cl --options -I. --report)
matches "$text" '^known, local size any,'
matches "$text" '^    known.cl:6 +load  global float +contiguous, masked$'

text=$(weir compile others.cl --report)
matches "$text" '^            1: work-items may wait for each other in the loop at others.cl:2$'
matches "$text" '^  region 1  .*others.cl:11, .*live per work-item, also in a form for when they have parted'
matches "$text" '^  width     4: the kernel requires this sub-group size'
matches "$text" '^rows, local size 3,4,1,'
matches "$text" '^            2: the first dimension of the work-group is 3$'
matches "$(WEIR_WIDTH=4 weir compile others.cl --report --kernel rows --local 64)" '^  width     4: as asked'
{ echo 'kernel void large(global int *p) { int x = p[get_global_id(0)];'
  for ((i = 0; i < 3000; i++)); do echo "x = (x ^ $i) * x;"; done
  echo 'p[get_global_id(0)] = x; }'; } >large.cl
matches "$(WEIR_WIDTH=64 weir compile large.cl --report)" 'instructions are too many for 64 lanes'

# JSON: a line for each kernel
weir compile known.cl --options -I. --report=json --local 64 -o known.json
weir compile others.cl --report=json >others.json
python3 - known.json others.json <<'PY' || failures=1
import json, sys
known = [json.loads(line) for line in open(sys.argv[1])]
others = {k["kernel"]: k for k in map(json.loads, open(sys.argv[2]))}
assert len(known) == 1 and list(others) == ["lock", "parts", "sub", "rows"]
k = known[0]
assert k["kernel"] == "known" and k["local_size"] == [64, 1, 1] and k["width"] == 8 and k["file"] == "known.cl"
assert [(l["line"], l["kind"], l["barriers"]) for l in k["loops"]] == [
    (9, "uniform", False), (11, "divergent", False), (14, "uniform", True)]
assert [r["barrier"] and r["barrier"]["line"] for r in k["regions"]] == [None, 8, 16]
assert all(r["live_bytes"] == sum(v["bytes"] * v["count"] for v in r["live"] if v["of"] == "work-item")
           for r in k["regions"])
assert k["context_bytes"] >= max(r["live_bytes"] for r in k["regions"]) > 0
accesses = {(a["line"], a["op"], a["memory"], a["kind"]) for a in k["accesses"]}
assert accesses >= {(6, "load", "global", "contiguous"), (7, "load", "global", "gather"),
                    (13, "store", "private", "scatter"), (20, "store", "global", "reversed")}
strided = [a for a in k["accesses"] if a["kind"] == "strided" and a["memory"] == "global"]
assert [(a["line"], a["stride"], a["masked"]) for a in strided] == [(18, 16, "never")]
assert [(s["line"], s["what"]) for s in k["serialized"]] == [(21, "atomic global int"), (23, "printf")]
assert [p["interleaved"] for p in k["private_arrays"]] == [True]
assert others["lock"]["width"] == 1 and others["lock"]["width_choices"][-1]["at"] == {"file": "others.cl", "line": 2}
assert others["parts"]["regions"][1]["guarded"] and others["sub"]["width"] == 4
assert others["rows"]["local_size"] == [3, 4, 1]
PY

# At run time, on standard error, also when kernels come from the cache or from a binary; the code stays the same.
unset WEIR_CPU
run=(weir run saxpy.cl saxpy --global 64 --local 64 --arg 2 --arg iota --arg inout=ones)
"${run[@]}" >plain 2>errors
[ -s errors ] && { echo "without WEIR_REPORT:"; cat errors; failures=1; }
objects=$(find cache -name '*.so' | wc -l)
for again in 1 2; do
    WEIR_REPORT=1 "${run[@]}" >out 2>report
    cmp plain out || failures=1
    matches "$(cat report)" '^saxpy, local size 64,1,1, saxpy.cl:1$'
    matches "$(cat report)" '^    saxpy.cl:3 +store global float +'
    WEIR_REPORT=json "${run[@]}" 2>report >out
    python3 -c 'import json, sys; assert json.load(sys.stdin)["kernel"] == "saxpy"' <report || failures=1
done
[ "$(find cache -name '*.so' | wc -l)" = "$objects" ] || { echo 'a report changes the code'; failures=1; }
weir compile saxpy.cl
expect 0 'saxpy, local size 64,1,1' env WEIR_REPORT=text weir run saxpy.weir saxpy --global 64 --local 64 \
    --arg 2 --arg iota --arg out
# A source that has no name is shown by that of its copy.
cat >case.cl <<'CL'
// global: 64
// arg: int data[64] = i
// expect: data = i + 1
kernel void k(global int *data) {
    data[get_global_id(0)]++;
}
CL
text=$(WEIR_REPORT=1 "$(dirname "$(command -v weir)")/test/kernel-runner" case.cl 2>&1)
matches "$text" "^k, local size .*, $work/cache/source/.*\.cl:4\$"
matches "$text" '^    source:5 +store global int +'
expect 0 'WEIR_REPORT=yes is ignored: expected 0, 1, text or json' env WEIR_REPORT=yes WEIR_LOG=warn "${run[@]}"

expect 2 'text or json' weir compile saxpy.cl --report=xml
expect 2 'two commands' weir compile saxpy.cl --report --emit ll
expect 2 'takes no --platform' weir compile saxpy.cl --report --platform Weir
expect 1 "no kernel 'x'" weir compile saxpy.cl --report --kernel x
expect 1 '^weir: part.h has no kernel$' weir compile part.h --report
expect 1 'cannot read none.cl' weir compile none.cl --report
expect 1 'undeclared identifier.*does not compile' weir compile several.cl --report
expect 1 'cannot write /nonexistent/x' weir compile saxpy.cl --report -o /nonexistent/x
finish

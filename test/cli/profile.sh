# weir run --profile: each line's share of the time beside how it runs, by performance events and by timers
. "$(dirname "$0")/common"
export OCL_ICD_VENDORS=$BUILD/weir.icd WEIR_CACHE_DIR=$work/cache
unset WEIR_PROFILE WEIR_PROFILE_BY WEIR_WIDTH WEIR_CPU
cat >hot.cl <<'CL'
float slow(float x, int n) {
    for (int i = 0; i < n; i++)
        x = x * 0.999f + 1 / (x + 2);
    return x;
}
kernel void hot(global const float *in, global float *out, int n) {
    int g = get_global_id(0);
    float x = in[g];
    x = slow(x, n);
    out[g] = x;
}
kernel void short_one(global float *out) {
    out[get_global_id(0)] = 1;
}
CL
run=(weir run hot.cl hot --global 65536 --local 64 --arg ones --arg out --arg 3000 --print 2)

# share LINE: what the listing in `text` says of it, in per cent
share() {
    sed -nE "s/^ *([0-9.]+)% .* $1  .*/\1/p" <<<"$text" | head -1
}
for by in perf timer; do
    text=$("${run[@]}" --repeat 4 --profile=$by 2>&1) || { echo "exit code $?: $text"; failures=1; }
    grep -q '^out: float\[65536\]' <<<"$text" || { echo "the results are missing: $text"; failures=1; }
    grep -qE '^profile: [0-9]+ samples of [0-9]+ threads by ' <<<"$text" || { echo "no word of the samples: $text"; failures=1; }
    awk -v s="$(share 3)" 'BEGIN { exit !(s > 60) }' || { echo "line 3 takes most of the time, by $by: $text"; failures=1; }
    grep -qE 'x[0-9]+ .* 3          x = x \* 0.999f' <<<"$text" || { echo "how lines run is missing: $text"; failures=1; }
    # all that lines have is no more than what there is
    sum=$(sed -nE 's/^ *([0-9.]+)%  .*/\1/p' <<<"$text" | awk '{ s += $1 } END { print s + 0 }')
    awk -v s="$sum" 'BEGIN { exit !(s <= 100.5) }' || { echo "shares make $sum%: $text"; failures=1; }
done
grep -q 'by a timer for each thread' <<<"$text" || { echo "--profile=timer uses something else: $text"; failures=1; }
# kernels that are no files, as in containers without a place to write
expect 0 '% .* 3          x = x' env WEIR_CACHE_DIR= "${run[@]}" --repeat 4 --profile
# several workers, and one
if [ "$(nproc)" -gt 1 ]; then
    expect 0 'samples of ([2-9]|[1-9][0-9]+) threads' "${run[@]}" --repeat 4 --profile
fi
expect 0 'samples of [12] threads' env WEIR_CU=1 "${run[@]}" --repeat 4 --profile
# a kernel that takes no time: said, and the listing is there
expect 0 '(too short a time|so few tell little): --repeat.*short_one, local size' \
    weir run hot.cl short_one --global 64 --arg out --profile
# the source of a program that gives it as a string is what the cache keeps
if /usr/bin/python3 -c 'import pyopencl, numpy' 2>/dev/null; then
    # a program that has a profiler of its own gets its signals, and is sampled
    WEIR_PROFILE="$work/string.profile" WEIR_PROFILE_BY=timer PYOPENCL_NO_CACHE=1 /usr/bin/python3 - <<'PY' || failures=1
import signal
heard = []
signal.signal(signal.SIGPROF, lambda number, frame: heard.append(number))
signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)
import numpy, pyopencl as cl
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
program = cl.Program(context, open("hot.cl").read()).build()
buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=numpy.ones(65536, numpy.float32))
for i in range(6):
    program.hot(queue, (65536,), (64,), buffer, buffer, numpy.int32(3000))
    queue.finish()
signal.setitimer(signal.ITIMER_PROF, 0)
assert heard, "the program's own signals are lost"
PY
    python3 - string.profile <<'PY' || failures=1
import json, os, sys
about, *kernels = map(json.loads, open(sys.argv[1]))
lines = [l for k in kernels for l in k["lines"] if l["line"]]
assert lines and all(os.path.exists(l["file"]) for l in lines), lines
assert {l["file"] for l in lines} == {k["report"]["file"] for k in kernels}, lines
PY
fi
# checked kernels, and those of binaries
expect 0 '% .* 3          x = x' env WEIR_CHECK=1 "${run[@]}" --repeat 2 --profile
weir compile hot.cl
expect 0 '% .* 3          x = x' weir run hot.weir hot --global 65536 --local 64 --arg ones --arg out --arg 3000 --repeat 4 --profile
# any program; the code is the one that runs without
expect 0 '' env WEIR_PROFILE="$work/p.%p" "${run[@]}"
file=$(echo "$work"/p.[0-9]*)
if command -v python3 >/dev/null; then
    python3 - "$file" <<'PY' || failures=1
import json, sys
about, *kernels = map(json.loads, open(sys.argv[1]))
assert about["samples"] >= sum(k["samples"] for k in kernels) and about["threads"] >= 1, about
hot = [k for k in kernels if k["kernel"] == "hot"][0]
assert hot["local_size"] == [64, 1, 1] and hot["report"]["kernel"] == "hot"
assert hot["samples"] == sum(l["samples"] for l in hot["lines"])
PY
fi
objects=$(find cache -name '*.so' | wc -l)
"${run[@]}" >/dev/null
[ "$(find cache -name '*.so' | wc -l)" = "$objects" ] || { echo 'a profile changes the code'; failures=1; }
expect 0 'cannot write the profile /nowhere/x' env WEIR_PROFILE=/nowhere/x "${run[@]}"
expect 0 'WEIR_PROFILE_BY=x is ignored: expected perf or timer' env WEIR_LOG=warn WEIR_PROFILE_BY=x "${run[@]}"
expect 2 'perf or timer' "${run[@]}" --profile=gprof
expect 2 'takes no --platform' "${run[@]}" --profile --platform Other
expect 1 "no kernel 'x'" weir run hot.cl x --global 4 --profile
finish

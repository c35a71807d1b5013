# weir trace --html: one page with all of its data, whatever names and sources hold, and no word of a network
. "$(dirname "$0")/common"
export OCL_ICD_VENDORS=$BUILD/weir.icd WEIR_CACHE_DIR=$work/cache
unset WEIR_TRACE WEIR_PROFILE WEIR_WIDTH WEIR_CPU
cat >page.cl <<'CL'
kernel void straight(global float *x) { // </script><script>document.title = "broken"</script> <!--
    x[get_global_id(0)] = x[get_global_id(0)] * 2 + 1;
}
kernel void rounds(global const float *in, global float *out, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 0.5f + in[(get_global_id(0) + i) % 1000];
    out[get_global_id(0)] = sum;
}
CL
expect 0 'commands ran.*rounds +3 .*p.html opens in a browser.*t.json opens in' weir trace --html p.html -o t.json \
    "$BUILD/weir" run page.cl rounds --global 65536 --local 64 --arg ones --arg out --arg 500 --repeat 3 --options '-DA="</script>"'
[ "$(grep -c 'src=\|href="http\|@import\|url(' p.html)" = 0 ] || { echo 'the page asks for something else'; failures=1; }
[ "$(grep -c '</script>' p.html)" = 2 ] || { echo 'what the program is called ends a script'; failures=1; }
if command -v python3 >/dev/null; then
    python3 - p.html <<'PY' || failures=1
import json, re, sys
page = open(sys.argv[1]).read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
assert "</script>" in data["program"], data["program"]
rounds = [k for k in data["kernels"] if k["name"] == "rounds"][0]
assert rounds["count"] == 3 and rounds["bytes"] == 3 * 2 * 65536 * 4 and rounds["has_loops"] and rounds["flops"] >= 3 * 65536 * 2
assert data["bandwidth"] > 1e8 and data["peak"] > 1e8 and data["threads"] >= 1
assert 1 <= len(data["advice"]) <= 3 and all(a for a in data["advice"])
# the program's own builds, with their phases, and those of the page, which don't count
own = [b for b in data["builds"] if not b["report"]]
assert data["fresh"] + data["cached"] == len(own) == 2, data["builds"]
assert own[0]["phases"] and sum(own[0]["phases"].values()) <= own[0]["ms"] * 1.01 + 0.1, own
assert [b["name"] for b in data["builds"] if b["report"]] == ["report rounds"]
# slices ascend, and all events are in them
for t in data["tracks"]:
    s = t["slices"]
    assert s[0::4] == sorted(s[0::4]) and len(s) % 4 == 0 and all(n < len(data["names"]) for n in s[2::4]), t["label"]
assert sum(sum(t["slices"][3::4]) for t in data["tracks"]) == data["events"]
assert {t["kind"] for t in data["tracks"]} == {"api", "build", "phase", "command", "groups"}
# the source beside how it runs
listing = [l["listing"] for l in data["listings"] if l["listing"]["kernel"] == "rounds"][0]
lines = {l["n"]: l for f in listing["files"] for l in f["lines"]}
assert "sum * 0.5f" in lines[7]["text"] and lines[7]["runs"].startswith("x") and lines[7]["memory"] == "rows", lines[7]
assert any("loop: uniform" in n for n in lines[6]["notes"])
assert data["samples"] == 0 or lines[7]["share"] > 0.4, lines
PY
    # many events are few slices
    weir trace --html many.html "$BUILD/weir" run page.cl straight --global 64 --arg ones --repeat 12000 --print 0 >/dev/null
    python3 - many.html <<'PY' || failures=1
import json, re, sys
page = open(sys.argv[1]).read()
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
slices = sum(len(t["slices"]) // 4 for t in data["tracks"])
assert data["events"] > 60000 and slices <= 60000 and len(page) < 6e6, (data["events"], slices, len(page))
assert sum(sum(t["slices"][3::4]) for t in data["tracks"]) == data["events"]
straight = data["kernels"][0]
assert straight["count"] == 12000 and not straight["has_loops"] and straight["flops"] == 12000 * 64 * 2, straight
text = [l for f in data["listings"][0]["listing"]["files"] for l in f["lines"]][0]["text"]
assert '</script><script>document.title = "broken"</script> <!--' in text, text
PY
fi
expect 1 'cannot write the page /nowhere/p.html' weir trace --html /nowhere/p.html "$BUILD/weir" run page.cl straight --global 64 --arg ones
expect 2 'wants a value' weir trace --html
expect 1 "didn't use Weir" weir trace --html p.html true
finish

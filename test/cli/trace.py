"""Whether a trace is what readers of Chrome's trace events take: trace.py FILE [WORD...], words being categories that it must have.

Slices of one track nest, arrows have two ends, each on a slice, and the times of commands ascend."""
import bisect
import collections
import json
import sys

with open(sys.argv[1]) as f:
    events = json.load(f)["traceEvents"]
tracks = collections.defaultdict(list)
arrows = collections.defaultdict(list)
names = {}
categories = collections.Counter()
for e in events:
    assert isinstance(e["pid"], int) and e["ph"] in "XMsf" and isinstance(e["name"], str), e
    if e["ph"] == "X":
        assert e["dur"] >= 0 and e["ts"] >= 0, e
        tracks[e["tid"]].append(e)
        categories[e["cat"]] += 1
    elif e["ph"] == "M" and e["name"] == "thread_name":
        names[e["tid"]] = e["args"]["name"]
    elif e["ph"] in "sf":
        arrows[e["id"]].append(e)
for tid, slices in tracks.items():
    slices.sort(key=lambda e: (e["ts"], -e["dur"]))
    open_ends = []
    for e in slices:
        end = e["ts"] + e["dur"]
        while open_ends and open_ends[-1] <= e["ts"] + 0.0015:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1] + 0.0015, (names.get(tid), e, open_ends)
        open_ends.append(end)
    assert slices[0]["cat"] in ("api", "build", "phase") or tid in names, slices[0]
starts = {tid: [e["ts"] for e in slices] for tid, slices in tracks.items()}
for both in arrows.values():
    assert sorted(e["ph"] for e in both) == ["f", "s"], both
    for e in both:
        last = bisect.bisect_right(starts[e["tid"]], e["ts"] + 0.0015)
        near = tracks[e["tid"]][max(0, last - 4):last]
        assert any(e["ts"] <= s["ts"] + s["dur"] + 0.0015 for s in near), e
for e in events:
    if e.get("cat") == "command":
        a = e["args"]
        assert a["queued_us"] <= a.get("submitted_us", e["ts"]) <= e["ts"] + 0.001, e
missing = [w for w in sys.argv[2:] if not (categories[w] or (w == "arrows" and arrows))]
assert not missing, (missing, categories)
print("sound")

# programs of tens of thousands of instructions, which inlining multiplies: they compile in a time and memory that grow with their length
. "$(dirname "$0")/common"
cat >make.py <<'P'
"""Functions with branches, loops and arrays (leaves), which others (middles) call in several places. usage: make.py LEAVES MIDDLES"""
import sys
leaves, middles = int(sys.argv[1]), int(sys.argv[2])
for f in range(leaves):
    print(f"int leaf{f}(global const int *in, int x, int n) {{\n    int a[8], s = 0, g = get_global_id(0);")
    print("    for (int i = 0; i < 8; i++)\n        a[i] = in[(g + i + n) & 63] * x;")
    for k in range(12):
        c = f * 13 + k
        print(f"    switch ((n + {c}) & 3) {{")
        print(f"    case 0: s += a[n & 7] * {c}; break;")
        print(f"    case 1: if (s > {c}) s -= x; else if (n > {k}) s += a[{k % 8}]; break;")
        print(f"    case 2: for (int i = 0; i < (n & 3); i++) {{ s += a[i + {k % 4}]; if (s > 99999) return s; }} break;")
        print("    default: s /= 2;\n    }")
    print("    return s;\n}")
for m in range(middles):
    print(f"int middle{m}(global const int *in, int x, int n) {{\n    int s = x;")
    for f in range(leaves):
        print(f"    if ((n >> {f % 5}) & 1) s += leaf{f}(in, s % 1000, n + {m});")
    print("    return s;\n}")
print("kernel void huge(global const int *in, global int *out) {\n    int n = get_global_id(0), s = 0;")
for m in range(middles):
    print(f"    s = s % 1000 + middle{m}(in, s + 1, n + {m});")
print("    out[n] = s;\n}")
P
run() { # [NAME=VALUE]...
    env WEIR_CACHE_DIR= "$@" weir run long.cl huge --global 64 --local 32 --arg iota --arg out:64 --print all
}
[ -z "${WEIR_TEST_QUICK-}" ] || { echo 'takes ten seconds and more'; exit 77; }
python3 make.py 24 1 >long.cl
weirc long.cl --emit ir | [ "$(grep -c '^  ')" -gt 20000 ] || { echo 'not long enough for what is tested'; failures=1; }
want=$(run WEIR_WIDTH=1)
[[ $want == *"out: "* ]] || { echo "$want"; failures=1; }
got=$(run WEIR_COMPILE_PATIENCE=0)
[ "$got" = "$want" ] || { echo "in haste: $got, expected $want"; failures=1; }
python3 make.py 6 6 >huge.cl
expect 0 '^$' bash -c "ulimit -v 1000000 -t 100; exec weirc huge.cl --local 64 --effort 2 -o huge.so"
finish

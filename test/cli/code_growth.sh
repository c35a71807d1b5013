# code grows with the length of the source, whatever is inlined, unrolled, made for each lane or once more for another case: of each
# family of kernels one with four times as many parts has less than eight times the instructions, and what is copied or looked up
# by its size has no more of it
. "$(dirname "$0")/common"
cat >make.py <<'P'
"""A kernel of a family with n parts. usage: make.py FAMILY N"""
import sys
family, n = sys.argv[1], int(sys.argv[2])
parts = range(n)
head = "kernel void k(global int *a, global float *b, local float *t, int m) { int i = get_global_id(0), l = get_local_id(0), x = a[i], r = 0; float y = b[i];\n"
tail = "\na[i] = x + r; b[i] = y; }"
lines = {
    "branches": lambda j: f"if (x > {j * 5}) {{ y += b[i + {j}]; x ^= {j}; }} else y -= x;",
    "chain": lambda j: f"{'else ' if j else ''}if (x < {j * 5} && b[i + {j}] > {j}.0f) y = b[{j} + x] * {j};",
    "loops": lambda j: f"for (int j = 0; j < (x & {j % 7 + 1}); j++) y = y * b[j + {j}] + {j};",
    "barriers": lambda j: f"t[l] = y; barrier(CLK_LOCAL_MEM_FENCE); y += t[(l + {j}) % 64]; barrier(CLK_LOCAL_MEM_FENCE);",
    "statements": lambda j: f"y = y * x + {j}; x = (x ^ {j}) * 3; b[i + {j * 1000}] = y;",
    "vectors": lambda j: f"{{ float16 v = vload16({j}, b); y += dot(v.s048c, v.s159d) * v.s{j % 10}; }}",
    "atomics": lambda j: f"x += atomic_add(&a[x & {1 << j % 10}], {j});",
    "printf": lambda j: f'if (x > {j}) printf("{j}: %f %d\\n", y, x);',
}
if family in lines:
    print(head + "\n".join(lines[family](j) for j in parts) + tail)
elif family == "cases":
    print(head + "switch (x) {")
    print("\n".join(f"case {j}: b[i * {j % 5 + 1} + {j}] += x * {j % 17}; {'break;' if j % 3 else ''}" for j in parts) + "}" + tail)
elif family == "ways":
    print(head + f"switch (i * 7 % {n}) {{")
    print("\n".join(f"case {j}: r = {j * 37 % 1009} + x * {j % 13}; break;" for j in parts) + "}" + tail)
elif family == "nested":
    print(head + "\n".join(f"for (int i{j} = 0; i{j} < m + {j}; i{j}++) {{ {lines['barriers'](j)}" for j in parts) + "}" * n + tail)
elif family == "struct":
    print(f"typedef struct {{ float m[{n}]; int k; char c; }} S;")
    print("\n".join(f"S f{j}(S s, int i) {{ s.m[(i * {j}) % {n}] += {j}; s.k += i; return s; }}" for j in range(8)))
    print("kernel void k(global float *a, global S *g) { int i = get_global_id(0); S s = g[i];")
    print("\n".join(f"s = f{j}(s, i + {j});" for j in range(8)) + f"a[i] = s.m[i % {n}] + s.k; g[i] = s; }}")
elif family == "bytes":
    print(f"typedef struct {{ char m[{n}]; short k; }} S;")
    print(f"S f(S s, int i) {{ s.m[i % {n}]++; return s; }}")
    print("kernel void k(global int *a, global S *g) { int i = get_global_id(0); S s = g[i], t = s; s = f(s, i); t = f(t, i + 1);")
    print(f"if (i & 1) s = t; a[i] = s.m[i * 7 % {n}]; g[i] = s; }}")
elif family == "table":
    print(head + f"float c[{n}] = {{{','.join(str(j % 1000) for j in parts)}}}; c[x % {n}] += 1; y = c[i * 7 % {n}] + c[x % {n}];" + tail)
elif family == "depth":
    print("float g0(float x, global float *b) { return x * x + b[(int)x & 63]; }")
    print("\n".join(f"float g{j + 1}(float x, global float *b) {{ return x > {j} ? g{j}(x * {j}.5f, b) : x; }}" for j in parts))
    print("kernel void k(global float *b) { int i = get_global_id(0); b[i] = g%d(b[i], b); }" % n)
elif family == "arguments":
    print("kernel void k(" + ", ".join(f"global float *a{j}" for j in parts) + ") { int i = get_global_id(0);")
    print("\n".join(f"a{j}[i] += a{(j + 1) % n}[i + 1] * a{(j + 7) % n}[i];" for j in parts) + "}")
P
instructions() { # FAMILY N WIDTH
    python3 make.py "$1" "$2" >"$1.cl"
    weirc "$1.cl" --local 64 --cpu x86-64-v4 ${3:+--width "$3"} --emit asm 2>"$1.log" | grep -c '^	[a-z]'
}
widths=('' 1) part=1
[ -z "${WEIR_TEST_QUICK-}" ] || widths=('') part=2 # of the number of parts
for width in "${widths[@]}"; do
    for family in branches:40 chain:40 loops:40 barriers:40 statements:40 vectors:40 atomics:16 printf:16 cases:40 nested:4 depth:40 arguments:30; do
        n=$((${family#*:} / part)) family=${family%:*}
        few=$(instructions "$family" "$n" "$width") many=$(instructions "$family" $((4 * n)) "$width")
        [ "$few" -gt 50 ] && [ "$many" -gt "$few" ] && [ "$many" -lt $((8 * few)) ] ||
            { echo "$family, width ${width:-any}: $few instructions for $n parts, $many for $((4 * n))"; failures=1; }
    done
    for family in struct bytes table; do
        many=$(instructions "$family" 4096 "$width")
        [ "$many" -gt 50 ] && [ "$many" -lt 4000 ] ||
            { echo "$family, width ${width:-any}: $many instructions for 4096 elements"; failures=1; }
    done
done
# Of how many ways lanes take, what they would cost is known.
for n in 500 2000; do
    python3 make.py ways $n >ways.cl
    expect 0 'lanes part: about [0-9.]+ cycles' weirc ways.cl --report text
done
finish

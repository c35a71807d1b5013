# weir compile --annotate: each source line with how it runs, from the data of --report=json
. "$(dirname "$0")/common"
export WEIR_CPU=x86-64-v3 WEIR_WIDTH=8 WEIR_CACHE_DIR=$work/cache
unset WEIR_REPORT WEIR_LOG NO_COLOR
cat >seen.cl <<'CL'
#include "part.h"
#define SQUARE(x) \
    ((x) * (x))
#define MAKE(name, op) kernel void name(global int *p) { p[get_global_id(0)] op 1; }
struct unused { int a; };
constant char text[] = "a { brace";
kernel void seen(global const float *in, global const int *where, global float *out, local float *tile, int n) {
    int l = get_local_id(0), g = get_global_id(0); // a { brace
    float keep = in[where[g]];
    tile[l] = SQUARE(keep);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < where[g]; i++)
        keep = keep * 0.5f + tile[n];
    out[8 * g] = scaled(keep);
    if (keep < 0)
        printf("%d\n", l);
    float shift = (float)n * 3;
    out[n] += shift;
}
/* between { */
float unused_function(float x) { return x; }
MAKE(made, +=)
kernel void lock(global int *m, global int *sum) {
    while (atomic_cmpxchg(m, 0, 1))
        ;
    *sum += 1;
    atomic_xchg(m, 0);
}
CL
printf 'float scaled(float x) {\n    return x * 3;\n}\n\nfloat never(float x) { return x; }\n' >part.h

# line TEXT REGEX: some line matches
line() {
    grep -qE -- "$2" <<<"$1" || { printf 'FAILED: no line matches /%s/ in:\n%s\n' "$2" "$1"; failures=1; }
}
none() {
    ! grep -qE -- "$2" <<<"$1" || { printf 'FAILED: a line matches /%s/ in:\n%s\n' "$2" "$1"; failures=1; }
}
text=$(weir compile seen.cl --options -I. --annotate --local 64 --kernel seen)
line "$text" '^seen, local size 64,1,1, seen.cl:7$'
line "$text" '^  packs of 8: as asked'
line "$text" '^x8 +gather, row +9      float keep = in\[where\[g\]\];$'
line "$text" '^ +\^ load global float: gather$'
line "$text" '^x8 +row +10      tile\[l\] = SQUARE\(keep\);$'
line "$text" '^barrier +11 '
line "$text" '^ +\^ barrier: region 1 begins, 4 bytes per work-item wait in memory: float of line 9$'
line "$text" '^ +\^ loop: divergent$'
line "$text" '^x8\* .* 13 +keep = keep'
line "$text" '^ +\^ store global float: strided scatter, 32 bytes apart'
line "$text" '^1 by 1 +16 '
line "$text" '^ +\^ printf: lane by lane$'
line "$text" '^once +uniform +18 +out\[n\]'
# the source is found from elsewhere, too, and isn't one of the same name that happens to be here
mkdir -p away && printf 'not this\n' >away/seen.cl
elsewhere=$(cd away && weir compile ../seen.cl --options -I.. --annotate --local 64 --kernel seen)
line "$elsewhere" '^x8 +gather, row +9      float keep = in\[where\[g\]\];$'
none "$elsewhere" 'not this|seen.cl, which'
# the function of the other file is there, and functions that aren't the kernel's are not
line "$text" '^\./part\.h$|^part\.h$'
line "$text" '^x8 +2      return x \* 3;$'
none "$text" 'unused|never|between|atomic'
# notes stand below their line
grep -A1 -E ' 14 +out\[8' <<<"$text" | grep -q '\^ store' || { echo "a note isn't below its line: $text"; failures=1; }
# all kernels of a file; a macro's is on the line that uses it
text=$(weir compile seen.cl --options -I. --annotate --local 64)
[ "$(grep -c '^[a-z]*, local size' <<<"$text")" = 3 ] || { echo "kernels are missing: $text"; failures=1; }
line "$text" '^x8 +row +22  MAKE\(made, \+=\)$'
[ "$(grep -c 'MAKE' <<<"$text")" = 1 ] || { echo "a macro's use is a part of another function: $text"; failures=1; }
line "$text" '^  packs of 1: work-items may wait'
line "$text" '^1 by 1 +24      while'
line "$text" '^1 by 1 +26      \*sum'
# colours on terminals alone, and not where NO_COLOR says so
none "$text" $'\033'
if command -v script >/dev/null; then
    shown=$(TERM=xterm script -qec 'weir compile seen.cl --options -I. --annotate --local 64' /dev/null </dev/null)
    line "$shown" $'\033\\[31mx8'
    shown=$(TERM=xterm NO_COLOR=1 script -qec 'weir compile seen.cl --options -I. --annotate --local 64' /dev/null </dev/null)
    none "$shown" $'\033'
    line "$shown" '^x8 +gather'
fi
# a SPIR-V module without lines says so; one with lines is shown beside its source
weir compile saxpy.cl --emit spv -o saxpy.spv
expect 0 'saxpy, local size 64,1,1.*the program came without' weir compile saxpy.spv --annotate --local 64
if command -v spirv-dis >/dev/null; then
    spirv-dis saxpy.spv | sed 's/^ *OpSource .*/%file = OpString "saxpy.cl"\n&/; s/^.* = OpInBoundsPtrAccessChain/OpLine %file 3 1\n&/' |
        spirv-as - -o lines.spv
    expect 0 'x[0-9]+ +row +3      y.i. = a' weir compile lines.spv --annotate --local 64
fi
# what is in the source cannot steer a terminal, and long or broken files do no harm
printf 'kernel void k(global int *p) { p[get_global_id(0)]++; /* \033[31m */ }\n' >escape.cl
none "$(weir compile escape.cl --annotate)" $'\033'
printf 'kernel void k(global int *p) {\r\n\tp[get_global_id(0)]++;\r\n}\r\n' >crlf.cl
line "$(weir compile crlf.cl --annotate)" '^x8\* +row +2          p\[get_global_id\(0\)\]\+\+;$'
printf '#define BEGIN {\nkernel void k(global int *p) BEGIN\n    p[get_global_id(0)]++;\n}\n/* never closed' >open.cl
expect 1 'unterminated' weir compile open.cl --annotate
sed -i '$d' open.cl
line "$(weir compile open.cl --annotate --local 8)" '^x8 +row +3 '
printf '#line 7 "elsewhere.cl"\nkernel void k(global int *p) { p[get_global_id(0)]++; }\n' >other.cl
line "$(weir compile other.cl --annotate --local 8)" "^elsewhere.cl, which can't be read"
line "$(weir compile other.cl --annotate --local 8)" '^x8 +row +7$'
weir compile seen.cl --options -I. --annotate -o listing.txt
expect 0 'seen, local size any' cat listing.txt
expect 2 'two commands' weir compile seen.cl --annotate --report
expect 2 'two commands' weir compile seen.cl --annotate --emit ll
expect 2 'takes no --platform' weir compile seen.cl --annotate --platform Weir
expect 1 "no kernel 'x'" weir compile saxpy.cl --annotate --kernel x
expect 1 'does not compile' weir compile several.cl --annotate
finish

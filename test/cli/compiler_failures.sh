# What the compiler fails on is told, and none of it is a crash of weirc or of the program that asks.
. "$(dirname "$0")/common"
# code generation fails at each effort, and each is told
echo 'kernel void wrong(global int *x) { __asm__ volatile("no such instruction"); x[0] = 1; }' >wrong.cl
export WEIR_CACHE_DIR=
wrong() {
    WEIR_LOG=warn "$@" weir run wrong.cl wrong --global 1 --arg out:int:1
}
expect 1 'failed on kernel wrong with effort 0: .*failed on kernel wrong with effort 2: ' wrong env WEIR_COMPILE_RETRY=1
expect 1 'failed on kernel wrong with effort 0: ' wrong env WEIR_COMPILE_RETRY=0
expect 1 '' bash -c 'WEIR_COMPILE_RETRY=0 WEIR_LOG=warn weir run wrong.cl wrong --global 1 --arg out:int:1 2>&1 | grep "effort 1"'
# clang ends where nothing bounds the nesting
{ echo -n 'kernel void k(global int *x) { *x = '; printf '~%.0s' $(seq 100000); echo '*x; }'; } >deep.cl
expect 3 'front end crashed .*nests too deeply' weirc deep.cl -o deep.so
expect 1 'front end crashed .*nests too deeply' weir run deep.cl k --global 1 --arg out:int:1
finish

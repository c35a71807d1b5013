# A kernel that takes long to compile is compiled beside with less effort, and what comes first is right.
. "$(dirname "$0")/common"
cat >sum.cl <<'CL'
kernel void sum(global const int *in, global int *out) {
    local int all[64];
    size_t l = get_local_id(0);
    all[l] = in[get_global_id(0)];
    for (size_t n = 32; n; n /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n)
            all[l] += all[l + n];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = all[0] + l;
}
CL
sum() {
    weir run sum.cl sum --global 128 --local 64 --arg =1 --arg out:128 --print all
}
want=$(sum)
[[ $want == *"64 65 66"* ]] || { echo "patient: $want"; failures=1; }
got=$(WEIR_COMPILE_PATIENCE=0 WEIR_CACHE_DIR= WEIR_LOG=info sum 2>log)
[ "$got" = "$want" ] || { echo "impatient: $got, expected $want"; failures=1; }
expect 0 'with effort 1' grep -m1 'sum takes long to compile' log
# what a long kernel takes of a processor tries the patience
{ echo 'kernel void sum(global const int *in, global int *out) { size_t i = get_global_id(0); int x = in[i];'
    for n in $(seq 400); do echo "if (x % $n > 3) x = x * $n + in[x & 63]; else x ^= x / $((n + 1));"; done
    echo 'out[i] = x; }'; } >long.cl
long() {
    WEIR_CACHE_DIR= WEIR_LOG=info weir run long.cl sum --global 64 --local 64 --arg =1 --arg out:64 --print all 2>log
}
want=$(WEIR_COMPILE_PATIENCE=100000 long)
grep 'takes long' log && { echo 'patience is over too early'; failures=1; }
got=$(WEIR_COMPILE_PATIENCE=50 long)
[ "$got" = "$want" ] || { echo "less effort: $got, expected $want"; failures=1; }
expect 0 'with effort 1' grep -m1 'sum takes long to compile' log
for width in 1 16; do
    for effort in 0 1 2; do
        expect 0 '^$' weirc sum.cl --local 64 --width $width --effort $effort -o $width-$effort.so
    done
done
cmp -s 16-0.so 1-0.so && { echo 'one width for both'; failures=1; }
cmp -s 16-0.so 16-1.so && { echo 'all effort is little effort'; failures=1; }
cmp -s 16-1.so 16-2.so && { echo 'little effort is none'; failures=1; }
cmp -s 16-1.so 1-1.so || { echo 'little effort has packs'; failures=1; }
expect 2 "can't be '3'" weirc sum.cl --effort 3
finish

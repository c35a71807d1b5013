# WEIR_CPU and weirc --cpu: kernels for the oldest x86-64, which has neither FMA nor rounding instructions
. "$(dirname "$0")/common"
cat >math.cl <<'CL'
kernel void math(global const float *x, global float *f, global double *d, global int *i) {
    size_t g = get_global_id(0);
    float v = x[g];
    float8 w = (float8)(v);
    f[8 * g + 0] = fma(v, v, -1.0f);
    f[8 * g + 1] = rint(v);
    f[8 * g + 2] = floor(v);
    f[8 * g + 3] = trunc(v);
    f[8 * g + 4] = ceil(v);
    f[8 * g + 5] = mad(v, 2.0f, 1.0f);
    f[8 * g + 6] = fma(w, w, w).s5 + vload_half(0, (global const half *)x);
    f[8 * g + 7] = round(sqrt(fabs(v)) * 1000) + (exp2(v) == ldexp(1.0f, 0)) + isnan(sin(v) + pown(v, 3));
    d[4 * g + 0] = fma((double)v, (double)v, -1.0);
    d[4 * g + 1] = rint((double)v);
    d[4 * g + 2] = floor((double)v);
    d[4 * g + 3] = round(pow(fabs((double)v), 0.5) * 1000);
    i[4 * g + 0] = popcount((int)v);
    i[4 * g + 1] = clz((int)v);
    i[4 * g + 2] = convert_int_sat_rte(v * 1e9f);
    i[4 * g + 3] = mul_hi((int)0x40000000, (int)v) + max((int)v, 1);
}
kernel void vectors(global const float *x, global float *f, global double4 *d) {
    size_t g = get_global_id(0);
    d[g] = (double4)(x[0] + g, x[1] - g, x[2] * g, 9);
    double4 all = d[g];
    f[g] = all.x + 10 * all.y + 100 * all.z + 1000 * all.w;
}
kernel void quotients(global const float *x, global float *f) {
    size_t g = get_global_id(0);
    f[4 * g] = native_rsqrt(x[g]);
    f[4 * g + 1] = half_rsqrt(x[g]);
    f[4 * g + 2] = native_recip(x[g]);
    f[4 * g + 3] = half_recip(x[g]);
}
CL
g='--global 2 --arg =0,2.5 --arg out:16 --arg out:8 --arg out:8 --print all'
want=$(weir run math.cl math $g)
[[ $want == *"-1 0 0 0 0 1 0 1 5.25 2 2 2 3 6 8.75 1581"* ]] || { echo "native: $want"; failures=1; }
for cpu in x86-64 x86-64-v2 x86-64-v3; do
    got=$(WEIR_CPU=$cpu weir run math.cl math $g 2>&1)
    [ "$got" = "$want" ] || { echo "$cpu: $got, expected $want"; failures=1; }
    for width in 1 8; do
        expect 0 '^$' weirc math.cl --cpu $cpu --width $width -o kernel.so
    done
done
for cpu in x86-64 x86-64-v2 x86-64-v3 native; do # four doubles of each of two work-items are four vectors of 128 bits
    for width in 1 2 4 8; do
        expect 0 '9021 9312 9603 9894' env WEIR_CPU=$cpu WEIR_WIDTH=$width weir run math.cl vectors --global 4 --arg =1,2,3 \
            --arg out:4 --arg out:4
        expect 0 'inf inf inf inf 0 0 0 0' env WEIR_CPU=$cpu WEIR_WIDTH=$width weir run math.cl quotients --global 2 --arg =0,inf --arg out:8
    done
done
expect 1 '' grep -cE '%ymm|%zmm|^[[:space:]]v[a-z]+' <(weirc math.cl --cpu x86-64 --emit asm)
expect 0 '' grep -c 'vfmadd' <(weirc math.cl --cpu x86-64-v3 --emit asm)
[ "$(weirc math.cl --cpu x86-64 --emit asm | sha1sum)" = "$(WEIR_CPU=x86-64 weir compile math.cl --emit asm | sha1sum)" ] ||
    { echo 'weir compile ignores WEIR_CPU'; failures=1; }
expect 2 "can't be 'i386'" weirc math.cl --cpu i386
expect 2 "no kernel 'wrong'" weirc math.cl --kernel wrong
expect 0 'WEIR_CPU=z80 is ignored: expected native, x86-64' env WEIR_LOG=warn WEIR_CPU=z80 weir run math.cl math $g
finish

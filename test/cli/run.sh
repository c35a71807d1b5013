# weir run: argument forms and results
. "$(dirname "$0")/common"
g8='--global 8'
expect 0 '^y: float\[8\] = 1 3.5 6 8.5 11 13.5 16 18.5' weir run saxpy.cl saxpy $g8 --arg 2.5 --arg iota --arg inout=ones
expect 0 '= 1 3.5 6 8.5' weir run saxpy.cl saxpy $g8 --local 4 --arg value:float:2.5 --arg in:float:8=iota --arg inout:float:8=ones
expect 0 '= 10 12 14 16' weir run saxpy.cl saxpy --global 4 --arg 2 --arg iota:5 --arg out
expect 0 '= 1 2 2 3' weir run saxpy.cl saxpy --global 4 --arg 1 --arg =0,1 --arg =1,1,2,2
expect 0 'y: float\[2000\] = 0 1 2 .* \.\.\. .* 1998 1999' weir run saxpy.cl saxpy --global 2000 --arg 1 --arg iota --arg out
expect 0 'y: float\[20\] = 0 \.\.\.$' weir run saxpy.cl saxpy --global 20 --arg 1 --arg iota --arg out --print 1
expect 0 '= 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19' weir run saxpy.cl saxpy --global 20 --arg 1 --arg iota --arg out --print all
expect 0 'x: float\[4\] = 0 1 2 3.y: ' weir run saxpy.cl saxpy --global 4 --arg 1 --arg inout=iota --arg out
expect 0 '= 3 2 1 0 7 6 5 4' weir run several.cl reverse $g8 --local 4 --options -DVALUE=1 --arg out --arg 4
expect 0 '= 3 2 1 0 7 6 5 4' weir run several.cl reverse $g8 --local 4 --options -DVALUE=1 --arg out:int:8 --arg local:int:4
expect 0 '= 0 1 2 10 11 12' weir run several.cl place --global 3,2 --local 3,1 --options -DVALUE=1 --arg out
expect 0 '= 0 1 2 0 0 0 0 0 0 0 0 0$' weir run several.cl place --global 2,1 --offset 1,0 --options -DVALUE=1 --arg out:12 --print all
expect 0 'c: uchar3\[2\] = \(2, 3, 4\) \(2, 3, 4\).f: float2\[2\] = \(0.5, -1\) ' weir run several.cl vectors --global 2 --options -DVALUE=1 --arg 1,2,3 --arg 0.5,-1 --arg out --arg out --arg 1
expect 0 '\(8, 8, 8\)' weir run several.cl vectors --global 2 --options -DVALUE=1 --arg 7 --arg 0 --arg out --arg out --arg 1
expect 0 'out: long\[4\] = 0 2 4 6' weir run several.cl shown --global 4 --options -DVALUE=4 --arg iota:0:0.5 --arg out
expect 0 'time: [0-9.]+ ms' weir run saxpy.cl saxpy $g8 --arg 1 --arg iota --arg out --time
expect 0 'time: median .* 5 runs.*= 1 2 3 4' weir run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg inout=ones --time --repeat 5
echo 'kernel void count(global atomic_int *n) { atomic_fetch_add(n, (int)get_global_id(0)); }' >count.cl
expect 0 'n: int\[4\] = 6 0 0 0' weir run count.cl count --global 4 --options -cl-std=CL3.0 --arg inout=zeros
cat >lock.cl <<'END'
kernel void add(global atomic_flag *lock, global atomic_size_t *sum) {
    while (atomic_flag_test_and_set(lock))
        ;
    atomic_fetch_add(sum, (size_t)1);
    atomic_flag_clear(lock);
}
END
expect 0 'lock: int\[1\] = 0.sum: ulong\[1\] = 4' weir run lock.cl add --global 4 --options -cl-std=CL3.0 --arg inout:1=zeros --arg inout:1=zeros
a=$(weir run saxpy.cl saxpy $g8 --arg 1 --arg random:3 --arg out)
b=$(weir run saxpy.cl saxpy $g8 --arg 1 --arg random:3 --arg out)
c=$(weir run saxpy.cl saxpy $g8 --arg 1 --arg random:4 --arg out)
[ "$a" = "$b" ] && [ "$a" != "$c" ] || { echo "random: $a / $b / $c"; failures=1; }
finish

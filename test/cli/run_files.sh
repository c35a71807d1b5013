# weir run: raw files, .npy files and --out
. "$(dirname "$0")/common"
run3() {
    weir run several.cl copy_float3 --options -DVALUE=1 "$@"
}
expect 0 '^$' weir run saxpy.cl saxpy --global 8 --arg 1 --arg iota --arg out --out y=y.npy
expect 0 "NUMPY.*'descr': '<f4', 'fortran_order': False, 'shape': \(8,\)" cat -v y.npy
expect 0 '= 0 2 4 6 8 10 12 14' weir run saxpy.cl saxpy --global 8 --arg 1 --arg y.npy --arg inout=y.npy
expect 0 '= 0 1 2 3' weir run saxpy.cl saxpy --global 4 --arg 1 --arg in:float:4=y.npy --arg out
[ $(($(stat -c %s y.npy) - 32)) = 128 ] && tail -c 32 y.npy >y.raw || failures=1
expect 0 '= 0 1 2 3 4 5 6 7' weir run saxpy.cl saxpy --global 8 --arg 1 --arg y.raw --arg out
expect 0 '^$' run3 --global 2 --arg iota --arg out --out 1=v.npy
expect 0 "'shape': \(2, 3,\)" cat -v v.npy
[ "$(stat -c %s v.npy)" = 152 ] || { echo "v.npy: $(stat -c %s v.npy) bytes"; failures=1; }
expect 0 'out: float3\[2\] = \(0, 1, 2\) \(3, 4, 5\)' run3 --global 2 --arg v.npy --arg out
printf '\003\000\000\000\000\000\200\077' >pair.raw
expect 0 'out: float\[1\] = 4' weir run several.cl fields --global 1 --options -DVALUE=1 --arg =pair.raw --arg out
# what can be wrong with files
expect 1 "cannot read none.npy" weir run saxpy.cl saxpy --global 8 --arg 1 --arg none.npy --arg out
expect 1 "holds '<f4', not int" weir run several.cl reverse --options -DVALUE=1 --global 8 --arg y.npy --arg 8
expect 1 'fewer than 9' weir run saxpy.cl saxpy --global 8 --arg 1 --arg in:9=y.npy --arg out
head -c 140 y.npy >cut.npy
expect 1 'cut off' weir run saxpy.cl saxpy --global 8 --arg 1 --arg cut.npy --arg out
head -c 20 y.npy >cut.npy
expect 1 'cut off' weir run saxpy.cl saxpy --global 8 --arg 1 --arg cut.npy --arg out
printf 'abc' >odd.raw
expect 1 'not a multiple of 4' weir run saxpy.cl saxpy --global 8 --arg 1 --arg odd.raw --arg out
: >empty.raw
expect 2 'no elements' weir run saxpy.cl saxpy --global 8 --arg 1 --arg empty.raw --arg out
expect 1 'cannot write the array /nonexistent/y.npy' weir run saxpy.cl saxpy --global 8 --arg 1 --arg iota --arg out --out y=/nonexistent/y.npy
expect 2 "'z' is not a buffer parameter" weir run saxpy.cl saxpy --global 8 --arg 1 --arg iota --arg out --out z=y.npy
expect 2 'NAME=FILE.npy' weir run saxpy.cl saxpy --global 8 --arg 1 --arg iota --arg out --out y.npy
finish

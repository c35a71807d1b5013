# weir run: wrong usage is exit code 2, wrong programs are 1, and the message says what to do
. "$(dirname "$0")/common"
args='--arg 1 --arg iota --arg out'
expect 2 'FILE and KERNEL' weir run
expect 2 'FILE and KERNEL' weir run saxpy.cl
expect 2 'wants --global' weir run saxpy.cl saxpy
expect 2 '1 to 3 sizes' weir run saxpy.cl saxpy --global x
expect 2 '1 to 3 sizes' weir run saxpy.cl saxpy --global 1,2,3,4
expect 2 '1 to 3 sizes' weir run saxpy.cl saxpy --global -4
expect 2 'option --global wants a value' weir run saxpy.cl saxpy --global
expect 2 '2 dimensions, --global has 1' weir run saxpy.cl saxpy --global 4 --local 2,2 $args
expect 2 '2 dimensions, --global has 1' weir run saxpy.cl saxpy --global 4 --offset 2,2 $args
expect 2 '1 to 1000000000' weir run saxpy.cl saxpy --global 4 --repeat 0 $args
expect 2 'takes 3 arguments, given are 1: saxpy\(float a, float\* x, float\* y\)' weir run saxpy.cl saxpy --global 4 --arg 1
expect 2 'a number that fits|1 number that fits' weir run saxpy.cl saxpy --global 4 --arg a --arg iota --arg out
expect 2 'not a number' weir run saxpy.cl saxpy --global 4 --arg 1x --arg iota --arg out
expect 2 'the parameter is a buffer' weir run saxpy.cl saxpy --global 4 --arg 1 --arg value:float:1 --arg out
expect 2 'the parameter is a value' weir run saxpy.cl saxpy --global 4 --arg in:float:1 --arg iota --arg out
expect 2 "what is 'float'" weir run saxpy.cl saxpy --global 4 --arg 1 --arg in:4:float --arg out
expect 2 'iota takes 2 numbers' weir run saxpy.cl saxpy --global 4 --arg 1 --arg iota:1:2:3 --arg out
expect 2 "zeros takes no number; a count stands before, as in 64=zeros" weir run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg zeros:64
expect 1 "argument 2 .*'ones': no memory for its 400000000000000 bytes" weir run saxpy.cl saxpy --global 100000000000000 --arg 1 --arg out:4 --arg ones
expect 1 'cannot read none: .*; a SOURCE is zeros, ones' weir run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg inout=none
expect 2 'too large' weir run saxpy.cl saxpy --global 4 --arg 1 --arg in:18446744073709551615 --arg out
expect 2 'global is too large' weir run saxpy.cl saxpy --global 4294967296,4294967296 $args
expect 2 'no elements' weir run saxpy.cl saxpy --global 4 --arg 1 --arg in:0 --arg out
expect 2 'local memory wants' weir run several.cl reverse --options -DVALUE=1 --global 4 --arg out --arg iota
expect 2 'no TYPE is known' weir run several.cl fields --options -DVALUE=1 --global 1 --arg 3 --arg out
expect 1 'cannot read none.cl' weir run none.cl saxpy --global 4 $args
expect 1 "no kernel 'saxpi'; its kernels: saxpy" weir run saxpy.cl saxpi --global 4 $args
printf 'kernel void broken(global int *p) { p[0] = undeclared; }\n' >broken.cl
# what is wrong with an option is said once
"$BUILD/weir" run broken.cl broken --global 4 --arg out --options -foo 2>said
expect 0 '^1$' grep -c "invalid build option '-foo'" said
expect 1 'broken.cl:1:.*undeclared.*broken.cl does not build' weir run broken.cl broken --global 4 --arg out
printf 'kernel void prints(global float *p) { printf("%%d", p[0]); }\n' >prints.cl
expect 0 "prints.cl:1:.*warning: format specifies type 'int' but the argument has type 'float'" weir run prints.cl prints --global 1 --arg out
printf '' >nothing.cl
expect 1 "no kernel 'k'; its kernels: none" weir run nothing.cl k --global 4
expect 1 "invalid build option '-cl-fast-relax-math'; did you mean '-cl-fast-relaxed-math'.*CL_INVALID_BUILD_OPTIONS" weir run saxpy.cl saxpy --global 4 --options -cl-fast-relax-math $args
expect 1 "invalid build option '-cl-std=CL4'; -cl-std= takes one of CL1.0, .*CL3.1" weir run saxpy.cl saxpy --global 4 --options -cl-std=CL4 $args
expect 1 "'2' in the build options is no option; .*quotes" weir run saxpy.cl saxpy --global 4 --options '-DX=1 2' $args
expect 1 "invalid build option '-cl-nonsense'; leave it out.*CL_INVALID_BUILD_OPTIONS" weir run saxpy.cl saxpy --global 4 --options -cl-nonsense $args
expect 1 "'-O3'; leave it out: [^
]* \(CL_INVALID_BUILD_OPTIONS\)" env WEIR_LOG=error weir run saxpy.cl saxpy --global 4 --options -O3 $args # in one line
printf 'kernel __attribute__((reqd_work_group_size(4, 1, 1))) void four(global int *p) { p[0] = 1; }\n' >four.cl
expect 1 "isn't the reqd_work_group_size 4 of kernel four \(CL_INVALID_WORK_GROUP_SIZE\)" weir run four.cl four --global 8 --local 2 --arg out
printf 'this is no program binary' >bad.weir
expect 1 'not a program binary' weir run bad.weir k --global 4
printf 'kernel void wild(global int *p) { p[1l << 40] = 1; }\n' >wild.cl
expect 139 'weir: the kernel crashed, .*`weir check`' weir run wild.cl wild --global 1 --arg out
expect 139 'weir: SIGSEGV in kernel wild at wild.cl:1.*weir: the kernel crashed' env WEIR_FAULT=1 timeout 60 weir run wild.cl wild --global 1 --arg out
printf '#include <CL/cl.h>\nkernel void k(global int *p) { p[0] = 1; }\n' >host.cl # clang goes on, and may crash over it
for _ in 1 2 3 4 5 6 7 8; do
    expect 0 '^0.$' bash -c 'WEIR_CACHE_DIR= weir run host.cl k --global 1 --arg out 2>&1 | grep -c crashed | tr "\n" .'
done
finish

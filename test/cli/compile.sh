# weir compile: program binaries, and one kernel's code
. "$(dirname "$0")/common"
expect 0 '^$' weir compile saxpy.cl
[ -s saxpy.weir ] || { echo 'no saxpy.weir'; failures=1; }
expect 0 '= 1 3 5 7' weir run saxpy.weir saxpy --global 4 --arg 2 --arg iota --arg inout=ones
expect 0 '^$' weir compile several.cl -o other.weir --options -DVALUE=3
expect 0 '= 0 3 6 9' weir run other.weir shown --global 4 --arg iota --arg out
expect 0 'define .*weir_kernel|weir_kernel.*define' weir compile saxpy.cl --emit ll
expect 0 '\.globl.*weir_kernel' weir compile saxpy.cl --emit=asm --local 64
expect 0 '^$' weir compile several.cl --emit obj --kernel reverse --options -DVALUE=1 -o reverse.o
expect 0 'ELF' head -c 4 reverse.o
expect 1 "^weir: saxpy.cl has no kernel 'x'; its kernels: saxpy$" weir compile saxpy.cl --emit ll --kernel x
expect 2 'll, asm, obj, spv or spv-text' weir compile saxpy.cl --emit so
# SPIR-V out, and in
expect 0 '^$' weir compile saxpy.cl --emit spv
expect 0 '^$' spirv-val saxpy.spv
expect 0 '= 1 3 5 7' weir run saxpy.spv saxpy --global 4 --arg 2 --arg iota --arg inout=ones
expect 0 '\.globl.*weir_kernel' weir compile saxpy.spv --emit asm
expect 0 '^$' weir compile saxpy.spv -o from_spirv.weir
expect 0 '= 1 3 5 7' weir run from_spirv.weir saxpy --global 4 --arg 2 --arg iota --arg inout=ones
expect 1 'OpenCL C|does not compile' weir compile saxpy.spv --emit spv -o x.spv
head -c 100 saxpy.spv >torn.spv
expect 1 'torn.spv is no SPIR-V module' weir run torn.spv saxpy --global 4
expect 1 'undeclared identifier.*does not compile' weir compile several.cl --emit spv -o x.spv
expect 2 'one FILE' weir compile
expect 2 'go with --emit' weir compile saxpy.cl --kernel saxpy
expect 2 '1 to 4096 work-items' weir compile saxpy.cl --emit ll --local 5000
expect 1 'cannot read none.cl' weir compile none.cl
expect 1 'cannot read none.cl' weir compile none.cl --emit ll
echo 'void f(void) {}' >nothing.cl
expect 1 '^weir: nothing.cl has no kernel$' weir compile nothing.cl --emit ll
expect 2 '^weirc: nothing.cl has no kernel$' weirc nothing.cl
expect 1 'undeclared identifier.*does not build' weir compile several.cl
expect 1 'undeclared identifier.*does not compile' weir compile several.cl --emit ll
expect 1 'cannot write /nonexistent/x' weir compile saxpy.cl -o /nonexistent/x
expect 1 'weirc is not installed' env WEIR_COMPILER=/nonexistent weir compile saxpy.cl --emit ll
expect 2 "no row 'nope'; its rows: enter .* large-blocks" weirc saxpy.cl --print-after nope
# a file whose name is no UTF-8
cp saxpy.cl $'caf\xe9.cl'
expect 0 '^$' weir compile $'caf\xe9.cl' -o cafe.weir
sed 's/float a/flot a/' saxpy.cl >$'caf\xe9.cl'
expect 1 'cl:1:19: error: unknown type name' env LC_ALL=C weir compile $'caf\xe9.cl' -o cafe.weir
finish

# every built-in function that clang declares, with the features Weir enables, is in the built-in library
. "$(dirname "$0")/common"
clang=${CLANG:-clang-22} nm=${LLVM_NM:-llvm-nm-22}
command -v "$clang" "$nm" >/dev/null || { echo "no $clang or $nm"; exit 77; }

names=$(sed -n -e 's/^ *X(\([a-z_0-9]*\), .*KERNEL).*/\1/p' -e 's/^ *X(\(__opencl_c_[a-z_0-9]*\)).*/\1/p' "$root/src/base/extension.h")
[ "$(echo "$names" | wc -l)" -gt 30 ] || { echo "src/base/extension.h: no table found"; exit 1; }
features=-cl-ext=-all$(printf ',+%s' $names) macros=$(printf -- '-D%s=1 ' $(echo "$names" | grep '^cl_'))
front_end() {
    "$clang" -cc1 -triple nvptx64 -U__NVPTX__ -U__PTX__ -D__OPENCL_VERSION__=300 -x cl "-cl-std=$1" "$features" $macros \
        -finclude-default-header -w "${@:2}"
}

# Declarations, one a line, to functions that call them.
calls='
    /\(.*\);$/ && !/\.\.\.|typedef|enum / {
        gsub(/__attribute__\(\([^()]*(\([^()]*\))?\)\)/, ""); sub(/;$/, "")
        match($0, /[a-zA-Z_0-9]+\(/)
        name = substr($0, RSTART, RLENGTH - 1); type = substr($0, 1, RSTART - 1)
        list = substr($0, RSTART + RLENGTH); sub(/\)[^)]*$/, "", list)
        n = list == "void" ? 0 : split(list, part, /, */)
        parameters = n ? "" : "void"; arguments = ""
        for (i = 1; i <= n; i++) {
            sub(/\*.*$/, "*", part[i]); if (part[i] ~ /^(size_t|reserve_id_t|(u?(char|short|int|long)|half|float|double)[0-9]*) [a-z_0-9]+$/) sub(/ .*/, "", part[i])
            comma = i > 1 ? ", " : ""
            parameters = parameters comma part[i] " a" i; arguments = arguments comma "a" i
        }
        result = type ~ /void *$/ ? "" : "return "
        printf "%s f%d(%s) { %s%s(%s); }\n", type, ++count, parameters, result, name, arguments
    }'

"$nm" --defined-only "${BUILD:-$root/build}/weir-builtins.a" | awk '{ print $3 }' | LC_ALL=C sort >"$work/library"
standards='CL1.2 CL2.0 CL3.0'
[ -z "${WEIR_TEST_QUICK-}" ] || standards=CL3.0
for standard in $standards; do
    echo 'kernel void k() {}' | front_end $standard -ast-print - | awk "$calls" |
        grep -vE 'clk_event_t|ndrange_t|queue_t' >"$work/calls.cl" # of device-side enqueue: test/api/device_queue.c calls them
    half='#pragma OPENCL EXTENSION cl_khr_fp16 : enable'
    { echo "$half"; grep -vE 'intel_sub_group|__read_write' "$work/calls.cl"; } >"$work/khronos.cl"
    { echo "$half"; grep -E 'intel_sub_group|__read_write' "$work/calls.cl"; } >"$work/intel.cl" # of which -fdeclare-opencl-builtins has a part
    front_end $standard -fdeclare-opencl-builtins -emit-llvm -disable-llvm-passes "$work/khronos.cl" \
        -o "$work/khronos.ll" || failures=1
    front_end $standard -emit-llvm -disable-llvm-passes "$work/intel.cl" -o "$work/intel.ll" || failures=1
    sed -n 's/^declare .*@\([A-Za-z_0-9]*\)(.*/\1/p' "$work/khronos.ll" "$work/intel.ll" | LC_ALL=C sort -u >"$work/called"
    [ "$(wc -l <"$work/called")" -gt 9000 ] || { echo "$standard: only $(wc -l <"$work/called") functions found"; failures=1; }
    # clang's header has intel_sub_group_block_write_ui's write_only images as read_only ones
    # and functions of read_write images with samplers or levels, which OpenCL C doesn't have
    missing=$(LC_ALL=C comm -23 "$work/called" "$work/library" | grep -vE 'block_write_ui[248]*14ocl_image2d_ro' |
        grep -vE '_rw11ocl_sampler|write_image[a-z]*[0-9]+ocl_image[a-z0-9_]*_rw(i|Dv[24]_i)i(Dv4_|S0_|f$)')
    [ -z "$missing" ] || { printf '%s: not in the library:\n%s\n' $standard "$missing"; failures=1; }
done
finish

# make install and the installed weir: in a prefix of its own, and for a package
. "$(dirname "$0")/common"
# What is built is installed as it is, whatever has changed in the sources since: other tests run it.
made=()
for file in libweir.so weirc weir weir.icd weir-builtins.a weir-forkserver.so; do
    made+=(-o "$BUILD/$file")
done
make_quiet() {
    env -u MAKEFLAGS -u MAKELEVEL make -s -C "$root" BUILD="$BUILD" "${made[@]}" "$@"
}
prefix=$work/prefix
expect 0 "OCL_ICD_VENDORS=$prefix/etc/OpenCL/vendors" make_quiet install PREFIX="$prefix"
expect 0 "name +Weir.*$prefix/lib/weir/weirc" env -u OCL_ICD_VENDORS "$prefix/bin/weir" info
expect 0 'completions/weir .*weir.fish .*weir-cache.1 .*weir.7 .*_weir ' sh -c "find '$prefix/share' -type f | sort | tr '\n' ' '"
expect 0 '= 0 1 2 3' env -u OCL_ICD_VENDORS "$prefix/bin/weir" run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out
# not the one that lies beside its ICD file: programs that it starts find it all the same, and nothing else
mkdir "$work/bare" && cp -r "$prefix/bin" "$prefix/lib" "$work/bare"
cat >platforms.c <<'C'
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
int main(void) {
    cl_platform_id all[8];
    char name[80] = "none";
    cl_uint n = 0;
    clGetPlatformIDs(8, all, &n);
    if (n)
        clGetPlatformInfo(all[0], CL_PLATFORM_NAME, sizeof name, name, NULL);
    printf("%u: %s\n", n, name);
    return 0;
}
C
${CC:-cc} platforms.c -o platforms -lOpenCL || exit 2
expect 0 '^1: Weir.*ran nothing on Weir' env -u OCL_ICD_VENDORS "$work/bare/bin/weir" trace ./platforms
make_quiet uninstall PREFIX="$prefix"
expect 0 '^$' find "$prefix" -type f
expect 0 '' make_quiet install PREFIX=/usr DESTDIR="$work/root"
expect 0 '^/usr/lib/weir/libweir.so' cat "$work/root/etc/OpenCL/vendors/weir.icd"
if [ -z "${WEIR_TEST_QUICK-}" ] && command -v dpkg-shlibdeps >/dev/null; then # ten seconds
    expect 0 '' make_quiet deb
    package=$(echo "$BUILD"/weir-opencl-icd_*.deb)
    expect 0 'Package: weir-opencl-icd.*Depends:.*libllvm22.*clang-22.*Provides: opencl-icd.*Replaces: weir' dpkg-deb --info "$package"
    expect 0 'etc/OpenCL/vendors/weir.icd.*usr/bin/weir.*usr/lib/weir/libweir.so.*usr/lib/weir/weirc.*weir-run.1.gz' dpkg-deb --contents "$package"
    if command -v lintian >/dev/null; then
        expect 0 '^$' lintian -q --allow-root --fail-on error,warning "$package"
    fi
fi
finish

# make install and the installed weir: in a prefix of its own, and for a package
. "$(dirname "$0")/common"
make_quiet() {
    env -u MAKEFLAGS -u MAKELEVEL make -s -C "$root" BUILD="$BUILD" "$@"
}
prefix=$work/prefix
expect 0 "OCL_ICD_VENDORS=$prefix/etc/OpenCL/vendors" make_quiet install PREFIX="$prefix"
expect 0 "name +Weir.*$prefix/lib/weir/weirc" env -u OCL_ICD_VENDORS "$prefix/bin/weir" info
expect 0 '= 0 1 2 3' env -u OCL_ICD_VENDORS "$prefix/bin/weir" run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out
make_quiet uninstall PREFIX="$prefix"
expect 0 '^$' find "$prefix" -type f
expect 0 '' make_quiet install PREFIX=/usr DESTDIR="$work/root"
expect 0 '^/usr/lib/weir/libweir.so' cat "$work/root/etc/OpenCL/vendors/weir.icd"
if command -v dpkg-deb >/dev/null; then
    expect 0 '' make_quiet deb
    expect 0 'Package: weir.*Provides: opencl-icd' dpkg-deb --info "$BUILD"/weir_*.deb
    expect 0 'etc/OpenCL/vendors/weir.icd.*usr/bin/weir.*usr/lib/weir/libweir.so.*usr/lib/weir/weirc' dpkg-deb --contents "$BUILD"/weir_*.deb
fi
finish

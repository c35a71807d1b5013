# without the built-in library a module that needs it doesn't build, and the message says so, not that a function is missing
. "$(dirname "$0")/common"
mkdir alone
cp "${BUILD:-$root/build}/weirc" alone/
spirv-as --target-env spv1.6 "$root/test/harness/fuzz/spirv/subgroups.spvasm" -o subgroups.spv || failures=1
expect 3 'no built-in library: weir-builtins.a is not beside' alone/weirc subgroups.spv -o /dev/null
finish

#!/bin/bash
# No function that clang's header declares for this device, in OpenCL C 3.0 or 1.2, or that the built-in library has of its
# own, is without a test: a program of this folder that calls its declarations, or a kernel of test/kernel or of an API test
# that calls it.
set -eu
programs=$BUILD/test/builtin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
    "$programs/integer" --declared
    "${LLVM_NM:-llvm-nm-22}" --defined-only --extern-only "$BUILD"/cl/*.bc | sed -n 's/.* [TW] _Z/_Z/p' | c++filt -p
} | grep -v '^__' | sort -u >"$work/declared"

for source in test/builtin/*.c; do
    "$programs/$(basename "$source" .c)" --names
done >"$work/tested"
find test/kernel test/api -name '*.c*' -exec sed 's,//.*,,' {} + | grep -oE '[A-Za-z_][A-Za-z_0-9]*' >>"$work/tested"
sort -u "$work/tested" -o "$work/tested"

[ "$(wc -l <"$work/declared")" -gt 900 ] || { echo "only $(wc -l <"$work/declared") names are declared"; exit 1; }
missing=$(comm -23 "$work/declared" "$work/tested")
[ -z "$missing" ] || { echo "without a test:" $missing; exit 1; }

#!/bin/bash
# docs/architecture.md, runtime.md and compiler.md name files, functions and fields that exist, and the passes of the table of passes in their order.
set -u
cd "$(dirname "$0")/../.."
maps='docs/architecture.md docs/runtime.md docs/compiler.md'
failed=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
find bench docs examples include lib scripts src test Makefile -type f >"$work/files"
grep -oh '`[^`]*`' $maps | tr -d '`' >"$work/quoted"

# Paths may leave out folders at their beginning.
grep -oE '[A-Za-z0-9_./-]+\.(c|h|cl|sh|mk|md|ll|py)\b' "$work/quoted" | grep -v '^FILE\.' | sort -u >"$work/told"
awk '{n = $0; print n; while (sub(/^[^\/]*\//, "", n)) print n}' "$work/files" | sort -u | comm -13 - "$work/told" >"$work/none"
# Names of code have underscores.
grep -oE '^[A-Za-z0-9]+_[A-Za-z0-9_]+(\(\))?$' "$work/quoted" | tr -d '()' | grep -v '_$' | sort -u >"$work/told"
grep -E '\.(c|h|cl|mk|py|sh)$|^Makefile$|^test/run$|environment.md$' "$work/files" | xargs cat | grep -oE '[A-Za-z0-9_]+' | sort -u |
    comm -13 - "$work/told" >>"$work/none"
sed "s|^|docs name what is not there: |" "$work/none"
[ -s "$work/none" ] && failed=1

sed -n '/rows\[\] = {/,/^};/s/^    {"\([a-z0-9-]*\)", .*/\1/p' src/kc/driver/pipeline.c >"$work/rows"
sed -n '/^| pass | file | gives |$/,/^$/s/^| \([a-z0-9, -]*\) | .*/\1/p' docs/compiler.md | grep -v '^pass$\|^---' | sed 's/, /\n/g' >"$work/told"
[ "$(wc -l <"$work/rows")" -ge 50 ] || { echo "the table of passes isn't found"; failed=1; }
diff "$work/told" "$work/rows" || { echo "docs/compiler.md has other passes than pipeline.c, or another order"; failed=1; }
exit $failed

# examples/racy: each wrong kernel has just the finding that its file is named for, its repaired twin has none
. "$(dirname "$0")/common"
cd "$root" || exit 2
for file in examples/racy/*.cl; do
    kind=$(basename "$file" .cl)
    read -r _ weir check arguments <<<"$(grep -m 1 '^//   weir check ' "$file")"
    case $arguments in
        *"$file wrong "*) ;;
        *) echo "FAILED: $file has no command line"; failures=$((failures + 1)) ;;
    esac
    expect 1 "weir check found: [0-9]+ $kind"$'\n?$' $weir $check $arguments
    expect 0 'weir check found nothing in 1 kernel' $weir $check ${arguments/ wrong / right }
done
for file in examples/racy/*.c; do
    kind=$(basename "$file" .c)
    program=$BUILD/${file%.c}
    grep -q "^ \*   weir check -- build/${file%.c} wrong$" "$file" || { echo "FAILED: $file has no command line"; failures=$((failures + 1)); }
    expect 1 "weir check found: [0-9]+ $kind"$'\n?$' weir check -- "$program" wrong
    expect 0 'weir check found nothing in 1 kernel' weir check -- "$program" right
done
# each kind has an example
for kind in $(weir check --sarif -- true 2>/dev/null | grep -o '^{"id":"[a-z-]*"' | cut -d '"' -f 4); do
    [ -f "examples/racy/$kind.cl" ] || [ -f "examples/racy/$kind.c" ] || { echo "FAILED: examples/racy has nothing for $kind"; failures=$((failures + 1)); }
done
finish

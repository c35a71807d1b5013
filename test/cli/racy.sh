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
finish

# examples/learn: each computes what it says, and the checker finds nothing in it
. "$(dirname "$0")/common"
export OCL_ICD_VENDORS=$BUILD/weir.icd
for file in "$root"/examples/learn/*.c; do
    program=$BUILD/examples/learn/$(basename "$file" .c)
    expect 0 ': right$' "$program"
    expect 0 'found nothing' "$BUILD/weir" check -- "$program"
done
# each is there in both languages
expect 0 '^$' bash -c 'diff <(cd "$0/examples/learn" && ls *.c | sed "s/\.c$//") <(cd "$0/examples/learn" && ls *.py | sed "s/\.py$//")' "$root"
if /usr/bin/python3 -c 'import pyopencl' 2>/dev/null; then
    for file in "$root"/examples/learn/*.py; do
        expect 0 ': right$' env PYOPENCL_NO_CACHE=1 /usr/bin/python3 "$file"
    done
fi
finish

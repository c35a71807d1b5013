#!/bin/bash
# Folders depend one way (docs/architecture.md): a file includes headers of its own folder and of those before it, and
# what is listed here besides. The runtime has no LLVM.
set -u
cd "$(dirname "$0")/../.."
order="base target ir frontend spirv analysis lower wg vector post emit report driver"
besides=" wg>vector/width.h frontend>emit/emit.h "
every=" driver/job.h report/report.h " # every stage has a request, and tells what it decides
failed=0

place() {
    local n=0 folder
    for folder in $order; do
        [ "$folder" = "$1" ] && echo $n
        n=$((n + 1))
    done
}

for file in src/kc/*/*.[ch]; do
    own=$(basename "$(dirname "$file")")
    while read -r header; do
        path=$(echo src/kc/*/"$header")
        [ -e "$path" ] || continue # of base or include
        theirs=$(basename "$(dirname "$path")")
        [ "$(place "$theirs")" -le "$(place "$own")" ] && continue
        case "$besides$every" in *" $own>$theirs/$header "* | *" $theirs/$header "*) continue ;; esac
        echo "$file: $own may not use $theirs/$header"
        failed=1
    done < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$file")
    [ -n "$(place "$own")" ] || { echo "$file: a folder that the order doesn't name"; failed=1; }
done
if grep -ln 'llvm-c/' -r src/rt src/base src/cli; then
    echo "only the compiler may use LLVM"
    failed=1
fi
exit $failed

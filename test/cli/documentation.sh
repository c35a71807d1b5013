# what the pages show runs, and gives what they show; the options, files, settings and make's targets that they name are there
. "$(dirname "$0")/common"
shopt -s nullglob
unset WEIR_CPU WEIR_WIDTH
pages=("$root"/*.md "$root"/docs/*.md "$root"/examples/README.md)

# README.md: the first kernel
sed -n "/<<'CL'/,/^ *CL\$/p" "$root/README.md" | sed '1d;$d;s/^    //' >saxpy.cl
first=$(sed -n 's/^    build\/\(weir run .*\)/\1/p' "$root/README.md" | head -1)
shown=$(grep -o 'y: float\[1024\] = [0-9. ]*' "$root/README.md")
expect 0 "${shown//[/\\[}" bash -c "$first"

# block PAGE N: the Nth fenced one
block() {
    awk -v n="$2" '/^```/ { at++; next } at == 2 * n - 1' "$root/docs/$1"
}
# docs/report.md: the report, where vectors are as long as there
block report.md 1 | sed 's/^ *[0-9]*  //' >smooth.cl
block report.md 2 >wanted
command=$(sed -n 's/^    \(weir compile .*\)/\1/p' "$root/docs/report.md" | head -1)
if grep -q avx512bw /proc/cpuinfo; then
    expect 0 '' bash -c "$command | diff wanted -"
    block report.md 3 >wanted
    expect 0 '' bash -c 'weir compile smooth.cl --annotate --local 256 >listing && grep -vxFf listing wanted; [ $? = 1 ]'
fi

# named PATTERN: each text of the pages that matches
named() {
    grep -ohE "$1" "${pages[@]}" | sort -u
}
missing() {
    echo "FAILED: the pages name $1, which isn't there"
    failures=$((failures + 1))
}
while read -r command option; do
    [ "$option" = --help ] && continue
    weir help "$command" | grep -qE -e "$option([^a-z-]|\$)" || missing "weir $command $option"
done < <(named '\bweir (info|run|compile|check|cache|trace|doctor|bench) [^`|]*' |
    grep -oE '(\bweir [a-z]+|--[a-z][a-z-]*)' | awk '$1 == "weir" { c = $2; next } { print c, $1 }' | sort -u)
for path in $(named '`(src|test|docs|lib|examples|bench|scripts|include)/[a-z0-9_./-]*`' | tr -d '`'); do
    [ -e "$root/$path" ] || [ -e "$root/$path.c" ] || missing "$path"
done
for target in $(named '\bmake [a-z-]+`' | sed 's/make //;s/`//'); do
    grep -hqE "^([a-z -]* )?$target( [a-z -]*)?:" "$root/Makefile" "$root"/*/*.mk "$root"/test/*/*.mk || missing "make $target"
done
for setting in $(named '\bWEIR_[A-Z_]+[A-Z]\b'); do
    grep -rqw --exclude='*.md' "$setting" "$root/src" "$root/test" "$root/scripts" "$root/Makefile" "$root/include" "$root/bench" || missing "$setting"
done
finish

# weir's help, version and what it answers to wrong commands
. "$(dirname "$0")/common"
version=$(cat "$root/VERSION")
expect 2 'Usage: weir COMMAND' weir
expect 0 'Usage: weir COMMAND' weir help
expect 0 'Usage: weir COMMAND' weir --help
expect 0 'Usage: weir COMMAND' weir help --help
expect 0 "^weir $version" weir --version
for command in info run compile cache; do
    expect 0 "Usage: weir $command" weir "$command" --help
    expect 0 "Usage: weir $command" weir "$command" -h
    expect 0 "Usage: weir $command" weir help "$command"
    expect 2 "unknown option --nonsense.*weir $command --help" weir "$command" --nonsense
    expect 2 "unknown option -o|wants" weir "$command" -o
done
# where nobody can read it, that is said
for words in help --version 'help run' 'run --help'; do
    expect 1 'cannot write the output: No space left' sh -c 'weir $1 >/dev/full' sh "$words"
done
# each option that help tells is one; what it wants is said
for command in run compile check trace; do
    for option in $(weir help "$command" | grep -oE -e '^ +(-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+'); do
        output=$(weir "$command" "$option" 2>&1 </dev/null | head -3)
        if [[ $output == *'unknown option'* ]]; then
            echo "FAILED: weir $command doesn't know $option: $output"
            failures=$((failures + 1))
        fi
    done
done
# on a terminal no line is longer than it, and no word is lost
cat >terminal.py <<'P'
import os, pty, subprocess, sys
master, slave = pty.openpty()
run = subprocess.Popen(sys.argv[1:], stdout=slave)
os.close(slave)
text = b""
try:
    while piece := os.read(master, 65536):
        text += piece
except OSError:  # the other end is closed
    pass
sys.stdout.write(text.decode().replace("\r", ""))
sys.exit(run.wait())
P
for command in info run compile check cache trace doctor bench; do
    for columns in 60 80; do
        COLUMNS=$columns python3 terminal.py weir "$command" --help >folded
        weir "$command" --help >whole
        cmp -s <(tr -s ' \n' '\n' <folded) <(tr -s ' \n' '\n' <whole) || { echo "weir $command --help at $columns columns has other words"; failures=1; }
        awk -v most="$columns" 'length($0) > most { exit 1 }' folded || { echo "weir $command --help is wider than $columns columns"; failures=1; }
    done
done
expect 2 'check: --deadlock wants milliseconds' weir check --deadlock soon saxpy.cl saxpy --global 8
expect 2 '1 to 4096 work-items in all' weir compile saxpy.cl --report --local 0
expect 2 '1 to 4096 work-items in all' weir compile saxpy.cl --report --local 128,64
expect 2 'no elements: give a COUNT, or a --global without zeros' weir run saxpy.cl saxpy --global 0 --arg 1 --arg iota --arg out
expect 1 "no OpenCL platform for this machine's processor is called 'nowhere'" weir bench --platform nowhere
expect 2 "no command 'nonsense'" weir nonsense
expect 2 "no command 'nonsense'" weir help nonsense
expect 2 "no command 'runn'; did you mean run\?" weir runn
expect 2 'unknown option --globl; did you mean --global\?' weir run --globl 4
expect 2 "no command 'chekc'; did you mean check\?" weir chekc
expect 2 'unknown option --gloabl=4; did you mean --global\?' weir run --gloabl=4
expect 0 "Usage: weir check" weir check --help
expect 2 'check wants FILE' weir check
expect 0 'SOURCE' weir run --help
finish

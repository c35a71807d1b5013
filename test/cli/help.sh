# weir's help, version and what it answers to wrong commands
. "$(dirname "$0")/common"
version=$(cat "$root/VERSION")
expect 2 'Usage: weir COMMAND' weir
expect 0 'Usage: weir COMMAND' weir help
expect 0 'Usage: weir COMMAND' weir --help
expect 0 "^weir $version" weir --version
for command in info run compile cache; do
    expect 0 "Usage: weir $command" weir "$command" --help
    expect 0 "Usage: weir $command" weir "$command" -h
    expect 0 "Usage: weir $command" weir help "$command"
    expect 2 "unknown option --nonsense.*weir $command --help" weir "$command" --nonsense
    expect 2 "unknown option -o|wants" weir "$command" -o
done
expect 2 "no command 'nonsense'" weir nonsense
expect 2 "no command 'nonsense'" weir help nonsense
expect 0 "Usage: weir check" weir check --help
expect 2 'a file and a kernel' weir check
expect 0 'SOURCE' weir run --help
finish

# fish completion for weir: commands and options are what `weir help` tells.
function __weir_commands
    weir help 2>/dev/null | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 }
        on { c = $1; sub(/^ +[^ ]+ +/, ""); print c "\t" $0 }'
end
function __weir_options
    set -l words (commandline -opc)
    set -l also # a kernel is checked with the options that it is run with
    test "$words[2]" != check; or set also run
    for command in $words[2] $also
        weir help $command 2>/dev/null
    end | awk 'match($0, /^  (-., )?--[a-z-]+/) {
        o = substr($0, RSTART, RLENGTH); sub(/.*--/, "--", o); t = substr($0, RSTART + RLENGTH)
        sub(/^[^ ]* *([^ ]+  +)?/, "", t); print o "\t" t }'
    printf '%s\t%s\n' --help 'how it is used'
end
complete -c weir -f -n __fish_use_subcommand -a '(__weir_commands)'
complete -c weir -f -n '__fish_seen_subcommand_from help' -a '(__weir_commands)'
complete -c weir -f -n '__fish_seen_subcommand_from cache' -a 'list clear'
complete -c weir -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -a '(__weir_options)'

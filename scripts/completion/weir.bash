# bash completion for weir: commands and options are what `weir help` tells.
_weir() {
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ] || [ "$command" = help ]; then
        words="$(weir help 2>/dev/null | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')"
        [ "$command" = help ] || words="$words --help --version"
    elif [ "$command" = cache ] && [ "$COMP_CWORD" = 2 ]; then
        words="list clear"
    elif [ "${word#-}" != "$word" ]; then
        words="$({ weir help "$command"; [ "$command" != check ] || weir help run; } 2>/dev/null | grep -oE -e '--[a-z][a-z-]*' | sort -u) --help"
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _weir weir

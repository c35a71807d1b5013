# man pages are made of what the command says about itself, and render without warnings; so are completions
. "$(dirname "$0")/common"
export OCL_ICD_VENDORS=$BUILD/weir.icd
expect 0 '^$' "$root/scripts/man" "$BUILD/weir" "$root/docs/environment.md" "$work/man"
commands=$("$BUILD/weir" help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on && $1 != "help" { print $1 }')
for command in $commands; do
    expect 0 "\.SH NAME.weir.*$command.*\.SH SYNOPSIS.*weir $command" cat "$work/man/man1/weir-$command.1"
    # each option that --help tells is an item
    for option in $("$BUILD/weir" help "$command" | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
        expect 0 '.' grep -F "\\fB${option//-/\\-}" "$work/man/man1/weir-$command.1"
    done
done
for variable in $(sed -n 's/^| `\(WEIR_[A-Z_]*\)`.*/\1/p' "$root/docs/environment.md"); do
    expect 0 '.' grep -F "\\fB$variable\\fR" "$work/man/man7/weir.7"
done
for page in "$work"/man/man?/*; do
    if command -v mandoc >/dev/null; then
        expect 0 '^$' mandoc -T lint -W warning "$page"
    fi
    if command -v man >/dev/null; then
        expect 0 '^$' sh -c 'LC_ALL=C.UTF-8 man --warnings -l "$1" 2>&1 >/dev/null' sh "$page"
    fi
done

complete_words() { # WORD...: what bash offers for the last one
    PATH=$BUILD:$PATH bash -c '. "$0/scripts/completion/weir.bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _weir
        echo "${COMPREPLY[@]}"' "$root" "$@"
}
expect 0 '^check$' complete_words weir che
expect 0 '^--global$' complete_words weir run --gl
expect 0 '^--local$' complete_words weir check --loca
expect 0 '^list clear$' complete_words weir cache ''
expect 0 'info run compile check cache' complete_words weir help ''
for command in $commands; do
    offered=" $(complete_words weir "$command" --) "
    for option in $("$BUILD/weir" help "$command" | grep -oE -e '^ +(-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+'); do
        expect 0 " $option " echo "$offered"
    done
done

zsh_words() { # WORD...: what zsh offers for the last one, before it picks those that begin so
    PATH=$BUILD:$PATH zsh -fc 'fpath=($1 $fpath); autoload -Uz _weir; shift
        _describe() { print -rl -- ${(P)2} }
        _files() { print files }
        words=("$@"); CURRENT=$#; _weir' zsh "$root/scripts/completion" "$@"
}
if command -v zsh >/dev/null; then
    expect 0 $'(^|\n)bench:shows how' zsh_words weir ''
    expect 0 $'(^|\n)check:' zsh_words weir help ''
    expect 0 $'(^|\n)--global:.*--help:how it is used' zsh_words weir run --gl
    expect 0 $'(^|\n)--sarif:.*\n--local:' zsh_words weir check -
    expect 0 '^1$' grep -c '^--repeat:' <(zsh_words weir run --rep) # other options' texts name it, too
    expect 0 $'^list\nclear$' zsh_words weir cache ''
    expect 0 '^files$' zsh_words weir run ''
    for command in $commands; do
        for option in $("$BUILD/weir" help "$command" | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
            expect 0 $'(^|\n)'"$option:" zsh_words weir "$command" -
        done
    done
fi

fish_words() { # LINE: what fish offers at its end
    PATH=$BUILD:$PATH HOME=$work fish --no-config -c 'source $argv[1]/scripts/completion/weir.fish; complete -C $argv[2]' "$root" "$1"
}
if command -v fish >/dev/null; then
    expect 0 $'^check\t' fish_words 'weir che'
    expect 0 $'(^|\n)--global\t' fish_words 'weir run --gl'
    expect 0 '^--local[^-]' fish_words 'weir check --local'
    expect 0 $'(^|\n)--help\thow it is used' fish_words 'weir info --he'
    expect 0 '^--repeat.runs the kernel[^
]*$' fish_words 'weir run --rep'
    expect 0 $'^clear\n?.*list|^list\n?.*clear' fish_words 'weir cache '
    expect 0 $'(^|\n)trace\t' fish_words 'weir help tr'
    expect 0 'saxpy.cl' fish_words 'weir run sax'
    for command in $commands; do
        offered=$(fish_words "weir $command --")
        for option in $("$BUILD/weir" help "$command" | grep -oE -e '^ +(-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+'); do
            expect 0 $'(^|\n)'"$option"$'\t' echo "$offered"
        done
    done
fi
finish

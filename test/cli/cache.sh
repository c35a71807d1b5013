# weir cache: lists and clears Weir's own entries and nothing else
. "$(dirname "$0")/common"
export WEIR_CACHE_DIR=$work/cache
expect 0 '^0 entries, 0 bytes of 1024 MiB in .*/cache' weir cache list
expect 0 '= 0 1 2 3' weir run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out
expect 0 'program: saxpy.*[1-9][0-9]* entries, [1-9]' weir cache list
expect 0 'source/[0-9a-f]*\.cl +source' weir cache list
expect 0 'entries +[1-9]' weir info
touch "$WEIR_CACHE_DIR/mine" "$WEIR_CACHE_DIR/0123" "$WEIR_CACHE_DIR/source/mine.cl"
mkdir "$WEIR_CACHE_DIR/00000000000000000000000000000000"
printf x >"$WEIR_CACHE_DIR/00000000000000000000000000000001"
expect 0 'damaged' weir cache list
expect 0 'removed [1-9][0-9]* entries' weir cache clear
expect 0 '^0 entries' weir cache list
[ "$(ls -A "$WEIR_CACHE_DIR/source")" = mine.cl ] && [ -e "$WEIR_CACHE_DIR/mine" ] && [ -e "$WEIR_CACHE_DIR/0123" ] &&
    [ -d "$WEIR_CACHE_DIR/00000000000000000000000000000000" ] || { echo 'removed what is not its own'; failures=1; }
expect 0 '= 0 1 2 3' weir run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out
expect 2 'list or clear' weir cache
expect 2 'list or clear' weir cache purge
expect 2 'list or clear' weir cache list clear
expect 1 'cannot read the cache .*saxpy.cl: Not a directory' env WEIR_CACHE_DIR=saxpy.cl weir cache list
expect 1 'cannot read the cache .*saxpy.cl: Not a directory' env WEIR_CACHE_DIR=saxpy.cl weir cache clear
expect 1 'the cache is off' env WEIR_CACHE_DIR= weir cache list
expect 0 '= 0 1 2 3' env -u WEIR_CACHE_DIR -u XDG_CACHE_HOME HOME="$work/nonexistent" weir run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out
[ ! -e "$work/nonexistent" ] || { echo 'made a home'; failures=1; }
finish

# clang as a server that forks: a program is the same with it and without it
. "$(dirname "$0")/common"
folder=$(dirname "$(command -v weirc)")
export WEIR_CACHE_DIR=
[ -e "$folder/weir-forkserver.so" ] || { echo 'no weir-forkserver.so'; failures=1; }
mkdir alone "a folder"
cp "$folder/weirc" "$folder/weir-builtins.a" alone/
cp "$folder/weirc" "$folder/weir-builtins.a" "$folder/weir-forkserver.so" "a folder/" # a name that LD_PRELOAD can't have
expect 0 '^$' weirc saxpy.cl --emit ll -o served.ll
expect 0 '^$' alone/weirc saxpy.cl --emit ll -o alone.ll
expect 0 '^$' "a folder/weirc" saxpy.cl --emit ll -o blank.ll
expect 0 '^$' cmp served.ll alone.ll
expect 0 '^$' cmp served.ll blank.ll
expect 1 'undeclared identifier' alone/weirc several.cl
finish

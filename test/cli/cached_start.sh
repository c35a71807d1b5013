# A process that finds all that it asks for in the cache starts no compiler
. "$(dirname "$0")/common"
export WEIR_CACHE_DIR=$work/cache
saxpy() {
    WEIR_LOG=debug weir run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out
}
expect 0 'started .*weirc in .*= 0 1 2 3' saxpy
expect 0 'from the cache.*= 0 1 2 3' saxpy
expect 1 '' grep -q 'started .*weirc' <(saxpy 2>&1)
expect 0 'started .*weirc in .*= 0 1 2 3' env WEIR_CACHE_DIR= WEIR_LOG=debug weir run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out
finish

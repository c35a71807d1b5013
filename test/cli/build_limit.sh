# the limit of a build is of a processor's time: one that waits for longer goes on, one that waits for ever ends at ten times the limit
. "$(dirname "$0")/common"
export WEIR_CACHE_DIR= WEIR_BUILD_TIMEOUT=1
mkfifo late.h never.h
build() { # FILE: a program that includes it
    printf '#include "%s"\nkernel void k(global int *x) { *x = 42; }\n' "$1" >program.cl
    weir run program.cl k --global 1 --arg out:int:1
}
(sleep 3 && echo >late.h) &
expect 0 '= 42' build late.h
if [ -z "${WEIR_TEST_QUICK-}" ]; then # ten seconds
    expect 1 'compile time limit of 1 s exceeded' build never.h
fi
finish

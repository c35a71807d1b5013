# A compiler that is killed, stopped or hangs: the build goes on with another one, once.
. "$(dirname "$0")/common"
mkdir include
mkfifo include/pipe.h
printf '#include "pipe.h"\nkernel void k(global int *x) { *x = 42; }\n' >waits.cl
echo 'kernel void k(global int *x) { *x = 42; }' >plain.cl
export WEIR_CACHE_DIR= WEIR_TEST_IN=$work
weirc=$(command -v weirc)

# those WORD [PARENTS]: this test's processes whose command line holds it, the children of those
those() {
    local process
    for process in $(grep -lsa "WEIR_TEST_IN=$work" /proc/[0-9]*/environ); do
        process=${process%/environ}
        if grep -qsa -e "$1" "$process/cmdline" && ! grep -qs '^State:.Z' "$process/status" &&
            { [ $# = 1 ] || grep -qsw "$(sed -n 's/^PPid:[[:space:]]*//p' "$process/status")" <<<"$2"; }; then
            echo "${process#/proc/}"
        fi
    done
}
# The worker that reads include/: the second of the server's, as the first one is there from the beginning.
reader() {
    local workers end=$((SECONDS + 30)) # of the clock: on a busy machine each look takes a second
    while [ $SECONDS -lt $end ]; do
        workers=$(those --server "$(those --server)" | sort -n)
        for worker in $workers; do
            if [ "$(wc -w <<<"$workers")" -gt 1 ] && ! grep -qw "$worker" <<<"$*" &&
                [ "$worker" != "$(head -n 1 <<<"$workers")" ] && [ -n "$(those -cc1 "$worker")" ]; then
                echo "$worker"
                return
            fi
        done
        sleep 0.1
    done
    echo 'no worker reads the file' >&2
}
build() {
    weir run waits.cl k --global 1 --arg out:int:1 --options "-I $work/include" >out 2>&1 &
    weir=$!
}
# ended CODE TEXT: what becomes of the build
ended() {
    wait $weir
    local code=$?
    [ $code = "$1" ] && grep -q "$2" out || { echo "exit code $code:"; cat out; failures=1; }
}

build
first=$(reader)
kill -KILL "$first"
reader "$first" >/dev/null
timeout 30 sh -c 'echo >include/pipe.h'
ended 0 '= 42'

build
first=$(reader)
kill -KILL $(those -cc1 "$first") # the front end alone
reader "$first" >/dev/null
timeout 30 sh -c 'echo >include/pipe.h'
ended 0 '= 42'

build
first=$(reader)
kill -KILL "$first"
second=$(reader "$first")
kill -KILL "$second"
ended 1 'crashed or was killed'

# compiler COMMAND: one whose first server does that
compiler() {
    printf '#!/bin/sh\n[ -e %s/pid ] || { echo $$ >%s/pid; %s; }\nexec %s "$@"\n' "$work" "$work" "$1" "$weirc" >compiler
    chmod +x compiler
    rm -f pid
}
# replaced: the build goes on, and the first server is gone
replaced() {
    WEIR_COMPILER=$work/compiler expect 0 '= 42' weir run plain.cl k --global 1 --arg out:int:1
    for _ in $(seq 50); do
        kill -0 "$(cat pid)" 2>/dev/null || return
        sleep 0.1
    done
    echo "the server that was given up is still there"
    kill -KILL "$(cat pid)"
    failures=1
}
compiler 'kill -STOP $$'
replaced
if [ -z "${WEIR_TEST_QUICK-}" ]; then # ten seconds
    compiler 'exec sleep 1000'
    replaced
fi

# A program that `weir check` or `weir trace` runs ends with it, however that ends.
for command in check trace; do
    rm -f child
    weir $command -- sh -c 'echo $$ >child; exec sleep 1000' &
    weir=$!
    until [ -s child ]; do sleep 0.05; done
    kill -KILL $weir
    wait $weir 2>/dev/null
    until ! kill -0 "$(cat child)" 2>/dev/null; do sleep 0.05; done # or this test's limit ends it
    rm -r "$TMPDIR"/weir.* # which nobody was there to do
done
finish

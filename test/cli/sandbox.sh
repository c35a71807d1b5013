# What compiles for the runtime is sandboxed: shown on a front end that waits for its include, a pipe.
. "$(dirname "$0")/common"
mkdir include
mkfifo include/pipe.h
printf '#include "pipe.h"\nkernel void k(global int *x) { *x = 42; }\n' >waits.cl
IN=$work weir run waits.cl k --global 1 --arg out:int:1 --options "-I $work/include" >out 2>&1 &
weir=$!
child=
for _ in $(seq 300); do # clang's arguments come through a pipe: it is known by its environment
    for process in $(grep -lsa "IN=$work" /proc/[0-9]*/environ); do
        grep -qsa -e '-cc1' "${process%/environ}/cmdline" && child=${process%/environ}
    done
    [ -n "$child" ] && break
    sleep 0.1
done
[ -n "$child" ] || { echo 'no front end is running'; kill $weir; exit 1; }
status=$(cat "$child/status")
echo >include/pipe.h
wait $weir
code=$?
grep -q '^NoNewPrivs:[[:space:]]*1$' <<<"$status" || { echo 'new privileges are possible'; failures=1; }
if grep -q '^Seccomp:[[:space:]]*0$' <<<"$status"; then
    echo 'no seccomp filter'
    [ -e /proc/sys/kernel/seccomp/actions_avail ] && failures=1
fi
[ $code = 0 ] && grep -q 42 out || { cat out; failures=1; }
finish

# What compiles for the runtime is sandboxed: which files a program can include, and what a front end has that waits for
# its include, a pipe.
. "$(dirname "$0")/common"
limits=$(weirc --sandbox)
expect 0 "sandbox +system calls|sandbox +files|sandbox +none" weir info
expect 0 '"sandbox": "[^"]*"' weir info --json

# ---- the front end's process ----

mkdir include
mkfifo include/pipe.h
printf '#include "pipe.h"\nkernel void k(global int *x) { *x = 42; }\n' >waits.cl
SECRET=hidden WEIR_TEST_IN=$work weir run waits.cl k --global 1 --arg out:int:1 --options "-I $work/include" >out 2>&1 &
weir=$!
child=
for _ in $(seq 300); do # clang's arguments come through a pipe: it is known by its environment
    for process in $(grep -lsa "WEIR_TEST_IN=$work" /proc/[0-9]*/environ); do
        grep -qsa -e '-cc1' "${process%/environ}/cmdline" && child=${process%/environ}
    done
    [ -n "$child" ] && break
    sleep 0.1
done
[ -n "$child" ] || { echo 'no front end is running'; kill $weir; exit 1; }
status=$(cat "$child/status")
if grep -qsa SECRET "$child/environ"; then
    echo "the application's environment is there"
    failures=1
fi
echo >include/pipe.h
wait $weir
code=$?
grep -q '^NoNewPrivs:[[:space:]]*1$' <<<"$status" || { echo 'new privileges are possible'; failures=1; }
if grep -q '^Seccomp:[[:space:]]*0$' <<<"$status"; then
    echo 'no seccomp filter'
    [ -e /proc/sys/kernel/seccomp/actions_avail ] && failures=1
fi
[ $code = 0 ] && grep -q 42 out || { cat out; failures=1; }

# ---- included files ----

mkdir -p app/below app/other home/below searched sibling
echo 'int value(void) { return 11; }' >app/own.h
printf '#include "further.h"\n' >app/below/first.h
echo 'int value(void) { return 12; }' >app/below/further.h
echo 'int value(void) { return 13; }' >searched/searched.h
echo 'int value(void) { return 14; }' >sibling/sibling.h
ln -s ../sibling/sibling.h app/link.h
ln -s ../sibling/sibling.h searched/link.h
ln -s searched by_link
cp app/own.h home/own.h
cp app/own.h home/below/
printf '"ssh key"\n' >home/.key

# program FILE INCLUDE: a program that includes something
program() {
    printf '#include %s\nkernel void k(global int *x) { *x = value(); }\n' "$2" >"$1"
}
run=(weir run k.cl k --global 1 --arg out:int:1)
# gives VALUE INCLUDE [OPTIONS]: builds and runs in app
gives() {
    program app/k.cl "$2"
    (cd app && expect 0 "int\[1\] = $1\$" "${run[@]}" ${3:+--options "$3"} && finish) || failures=1
}
# refuses INCLUDE [OPTIONS]: the build log says what to do
refuses() {
    program app/k.cl "$1"
    (cd app && expect 1 "note: .*sibling/sibling.h lies .*'-I $work/sibling' lets" "${run[@]}" ${2:+--options "$2"} &&
        finish) || failures=1
}
gives 11 '"own.h"'
gives 12 '"below/first.h"'
gives 13 '"searched.h"' "-I $work/searched"
gives 13 '<searched.h>' "-I ../searched"
gives 13 '"searched.h"' "-I../by_link"
gives 14 '<sibling.h>' "-I$work/searched -I $work/sibling"
gives 14 "\"$work/sibling/sibling.h\"" "-I $work/sibling"
gives 14 'PLACE' "-DPLACE=<$work/sibling/sibling.h>"
gives 4096 '"/usr/include/linux/limits.h"' '-Dvalue()=PATH_MAX'
gives 14 'S(PLACE/sibling.h)' "-DS2(x)=#x -DS(x)=S2(x) -DPLACE=$work/sibling"
case $limits in
    *landlock\ *)
        refuses "\"$work/sibling/sibling.h\""
        refuses '"../sibling/sibling.h"'
        refuses '"link.h"'
        refuses "\"$work/sibling/sibling.h\"" "-DPLACE=$work/searched -DROOT=/"
        refuses '"../sibling/sibling.h"' "-I $work/searched"
        refuses '"link.h"' "-I $work/searched"
        program app/k.cl "\"/proc/$$/environ\""
        (cd app && expect 1 'Permission denied' "${run[@]}" && finish) || failures=1
        program app/k.cl '"/proc/self/environ"'
        (cd app && expect 1 'Permission denied' "${run[@]}" && finish) || failures=1
        ;;
esac

# In the home directory, only plain files in it.
program home/k.cl '"own.h"'
(cd home && HOME=$work/home expect 0 'int\[1\] = 11$' "${run[@]}" && finish) || failures=1
case $limits in
    *landlock\ *)
        for name in below/own.h .key; do
            program home/k.cl "\"$name\""
            (cd home && HOME=$work/home expect 1 "cannot open file '.*$name'" "${run[@]}" && finish) || failures=1
        done
        program k.cl '"home/own.h"'
        HOME=$work/home expect 1 "cannot open file '.*own.h'" "${run[@]}"
        ;;
esac
program k.cl '"home/own.h"'
HOME=/nowhere expect 0 'int\[1\] = 11$' "${run[@]}"

# ---- sources kept for debuggers ----

echo 'kernel void k(global int *x) { *x = 5; }' >k.cl
mkdir -m 700 cache elsewhere
ln -s ../elsewhere cache/source
WEIR_CACHE_DIR=$work/cache expect 0 '= 5' "${run[@]}"
[ -z "$(ls elsewhere)" ] || { echo 'sources were written through a link'; failures=1; }
mkdir -m 777 open
chmod 777 open
WEIR_CACHE_DIR=$work/open expect 0 '= 5' "${run[@]}"
[ -z "$(ls -A open)" ] || { echo 'something was written to a folder that others may write to'; failures=1; }
touch elsewhere/0123456789abcdef0123456789abcdef.cl
WEIR_CACHE_DIR=$work/cache expect 0 '' weir cache clear
[ -n "$(ls elsewhere)" ] || { echo 'a source was removed through a link'; failures=1; }
rm cache/source
WEIR_CACHE_DIR=$work/cache expect 0 '= 5' "${run[@]}" --options -DANOTHER
[ -n "$(ls cache/source)" ] || { echo 'no source is kept'; failures=1; }
finish

# weir doctor: says what keeps programs from running, and what to do
. "$(dirname "$0")/common"
export OCL_ICD_VENDORS=$BUILD/weir.icd WEIR_CACHE_DIR=$work/cache
expect 0 'ok +ICD file.*libweir.so.*ok +workers.*ok +compiler.*ok +kernel +built and run.*no problems' "$BUILD/weir" doctor
expect 1 'PROBLEM +cache.*others may write.*chmod go-w.*1 problem' sh -c 'mkdir -m 777 open && chmod 777 open && WEIR_CACHE_DIR=$PWD/open "$1/weir" doctor' sh "$BUILD"
expect 1 "PROBLEM +cache.*Not a directory" env WEIR_CACHE_DIR="$work/saxpy.cl/x" "$BUILD/weir" doctor
expect 0 'note +cache +off \(WEIR_CACHE_DIR' env WEIR_CACHE_DIR= "$BUILD/weir" doctor
mkdir vendors && echo /nowhere/libgone.so >vendors/gone.icd
expect 1 'PROBLEM +ICD file .*gone.icd names /nowhere/libgone.so.*remove the file.*none of Weir' env OCL_ICD_VENDORS="$work/vendors" "$BUILD/weir" doctor
: >vendors/gone.icd
expect 1 'gone.icd names nothing' env OCL_ICD_VENDORS="$work/vendors" "$BUILD/weir" doctor
printf '\0\1' >vendors/gone.icd
expect 1 'gone.icd is no text.*remove the file' env OCL_ICD_VENDORS="$work/vendors" "$BUILD/weir" doctor
expect 1 'PROBLEM +ICD files +OCL_ICD_VENDORS=/nowhere' env OCL_ICD_VENDORS=/nowhere "$BUILD/weir" doctor
expect 1 'PROBLEM +compiler +weirc isn' env WEIR_COMPILER=/nowhere/weirc "$BUILD/weir" doctor
# which loaders take what the variable names
expect 0 'note +ICD file +programs with Khronos.*folder' "$BUILD/weir" doctor
expect 0 'note +ICD file' env OCL_ICD_VENDORS="$BUILD/libweir.so" "$BUILD/weir" doctor
expect 1 "none of Weir's.*set OCL_ICD_VENDORS=$BUILD" env OCL_ICD_VENDORS="$work/none" sh -c 'mkdir none && "$1/weir" doctor' sh "$BUILD"
mkdir alone && cp "$BUILD/weir.icd" alone/
expect 0 'no problems' env OCL_ICD_VENDORS="$work/alone" "$BUILD/weir" doctor
expect 0 "vendors=$BUILD[$]" env -u OCL_ICD_VENDORS "$BUILD/weir" trace sh -c 'echo "vendors=$OCL_ICD_VENDORS$"; weir run saxpy.cl saxpy --global 4 --arg 1 --arg iota --arg out'
# half an installation, as an interrupted `make` leaves one
mkdir half && cp "$BUILD"/{libweir.so,weirc} half/ && echo "$work/half/libweir.so" >half/weir.icd
expect 1 'no built-in library: weir-builtins.a is not beside .*half.*Weir again, or all of it by' env OCL_ICD_VENDORS="$work/half/weir.icd" "$BUILD/weir" doctor
expect 2 "takes no 'x'" "$BUILD/weir" doctor x
# what the compiler says of itself is shown, and its exit codes decide, not its words
says() { # TEXT CODE
    cat >answers <<SH
#!/bin/sh
[ "\$1" = --version ] && echo 'weirc of tomorrow' && exit
[ "\$1" = --sandbox ] && echo '$1' && exit $2
exec '$BUILD/weirc' "\$@"
SH
    chmod +x answers
    WEIR_COMPILER=$work/answers "$BUILD/weir" doctor
}
expect 0 'ok +sandbox +the compiler is limited in all that there is' says 'all that there is' 0
expect 0 "note +sandbox +system calls and files, but one: don't build" says 'system calls and files, but one' 1
# a program that doesn't build for another reason than a limit, whatever its log says
mkdir other && cp "$BUILD"/{libweir.so,weirc} other/ && echo damaged >other/weir-builtins.a && echo "$work/other/libweir.so" >other/weir.icd
expect 1 'is not a built-in library.*install what is missing' env OCL_ICD_VENDORS="$work/other/weir.icd" "$BUILD/weir" doctor
# affinity decides how many workers there are
expect 0 'ok +workers +1 of the machine' taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" "$BUILD/weir" doctor
# a control group that lets few processes begin
group=/sys/fs/cgroup/pids/weir-doctor.$$
if mkdir "$group" 2>/dev/null && echo 3 >"$group/pids.max"; then
    expect 1 'PROBLEM +limits +the control group lets [0-3] more processes.*PROBLEM +compiler.*pids.max.*raise the limit' \
        sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2/weir" doctor' sh "$group" "$BUILD"
fi
for _ in $(seq 50); do # until its last process has ended
    [ -d "$group" ] && ! rmdir "$group" 2>/dev/null || break
    sleep 0.1
done
# in a root of its own that lacks what others have, and as a process whose /proc numbers it in another way
if unshare -mp --fork mount -t tmpfs none /mnt 2>/dev/null; then
    export WEIR_CACHE_DIR=
    expect 0 'no problems' unshare -m sh -c 'mount -t tmpfs none /dev && "$1/weir" doctor' sh "$BUILD"
    expect 1 'needs /proc, which is not mounted' unshare -m sh -c 'mount -t tmpfs none /proc && "$1/weir" doctor' sh "$BUILD"
    expect 1 'clang-22 is missing' unshare -m sh -c \
        'mount -t tmpfs none "$(dirname "$(realpath /usr/lib/llvm-22/bin/clang)")" && "$1/weir" doctor' sh "$BUILD"
    expect 0 'no problems' unshare -p --fork "$BUILD/weir" doctor
fi
finish

# The compiler's memory: all requests together have a limit, and the largest one ends over it.
. "$(dirname "$0")/common"
export WEIR_CACHE_DIR=
{ # ten million tokens
    echo '#define A0 1,1,1,1,1,1,1,1,1,1,'
    for i in 1 2 3 4 5 6; do
        printf '#define A%d ' $i
        for _ in 1 2 3 4 5 6 7 8 9 10; do printf 'A%d ' $((i - 1)); done
        echo
    done
    printf 'constant int t[] = { A6 };\nkernel void k(global int *x) { *x = t[5]; }\n'
} >large.cl
echo 'kernel void k(global int *x) { *x = 42; }' >small.cl
run=(--global 1 --arg out:int:1)
expect 0 '= 42' env WEIR_COMPILER_MEMORY=400 weir run small.cl k "${run[@]}"
expect 1 'ran out of memory: .* may take 400 MiB \(WEIR_COMPILER_MEMORY\)' env WEIR_COMPILER_MEMORY=400 weir run large.cl k "${run[@]}"
expect 0 'WEIR_COMPILER_MEMORY=5 is ignored' env WEIR_LOG=warn WEIR_COMPILER_MEMORY=5 weir run small.cl k "${run[@]}"
# a limit that the compiler can't live with is named
expect 1 'may have 150 MiB of address space .ulimit -v.' bash -c 'ulimit -v 153600; weir run small.cl k --global 1 --arg out:int:1'
for n in 4 5; do # sockets, before the compiler has begun
    expect 1 "no socket .*; this process may have $n open files .ulimit -n." bash -c "ulimit -n $n; weir run small.cl k --global 1 --arg out:int:1"
done
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent WEIR_CACHE_DIR=) # the superuser has no such limit
chmod 755 "$work"
if "${nobody[@]}" weir run small.cl k --global 1 --arg out:int:1 >/dev/null 2>&1; then
    expect 1 'cannot be started.*; this process may have 0 processes .* .ulimit -u.' "${nobody[@]}" bash -c 'ulimit -u 0; exec weir run small.cl k --global 1 --arg out:int:1'
fi
expect 1 'may have 4 KiB in a file .ulimit -f.' bash -c 'ulimit -f 4; weir run small.cl k --global 1 --arg out:int:1 2>&1 | cat; exit ${PIPESTATUS[0]}'
expect 1 'PROBLEM +limits +this process may have 512 KiB of stack .ulimit -s.' bash -c 'ulimit -s 512; "$1/weir" doctor' sh "$BUILD"
finish

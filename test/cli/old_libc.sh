# what the runtime and the command line take of the C library is in glibc 2.28, or src/standalone has it for builds that stand alone
. "$(dirname "$0")/common"
known=" $(grep -oE 'X\([a-z_0-9]+' "$root/src/standalone/old_libc.h" | cut -c3- | tr '\n' ' ')
    $(grep -oE '^[a-z].* \**[a-z]+\(' "$root/src/standalone/old_libc.c" | sed 's/.*[ *]\([a-z]*\)($/\1/' | tr '\n' ' ')
    __libc_start_main "
newer=0
for file in libweir.so weir; do
    for name in $(objdump -T "$BUILD/$file" | sed -n 's/.*\*UND\*.*GLIBC_2\.\(29\|3[0-9]\|[4-9][0-9]\))* *//p'); do
        newer=$((newer + 1))
        [[ $known == *[[:space:]]"$name"[[:space:]]* ]] || { echo "$file wants $name, which src/standalone/old_libc.h doesn't know"; failures=1; }
    done
done
[ "$newer" -gt 5 ] || { echo "only $newer names are newer than glibc 2.28: the test sees none"; failures=1; }
finish

# kernels become shared objects without a linker, which installations that bring their own LLVM may not have: also those of C++ for
# OpenCL, with what several objects may have. The linker's output has a section .gnu.hash, Weir's own .hash.
. "$(dirname "$0")/common"
for file in "$root"/test/kernel/{pointer,cxx}/*.cl; do
    options=$(sed -n 's/^\/\/ options: //p' "$file" | head -n 1)
    weirc "$file" --options "$options" --local 64 -o kernel.so 2>log || continue # those that are refused have no object
    sections=$(readelf -SW kernel.so)
    [[ $sections == *" .hash "* ]] || { echo "$file: a linker was needed"; failures=1; }
done
finish

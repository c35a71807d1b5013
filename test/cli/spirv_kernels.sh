#!/bin/bash
# Kernel tests as SPIR-V that clang makes of them: the second front end. A part of them, which has something of each family;
# WEIR_TEST_SPIRV=1 test/run '^test/kernel' runs all.
set -u
cd "$(dirname "$0")/../.."
step=${WEIR_TEST_SPIRV_STEP:-8} least=20
[ -z "${WEIR_TEST_QUICK-}" ] || step=24 least=10
export WEIR_TEST_SPIRV=1 WEIR_TEST_QUICK=1 WEIR_COMPILE_RETRY=1
n=0 passed=0 failed=0 skipped=0
for case in test/kernel/{args,async,atomics,barrier,builtin,collective,fence,flow,generic,globals,half,live,printf,split_barrier,subgroup}/*.cl; do
    n=$((n + 1))
    # the last one: clang's SPIR-V of it makes LLVM's optimizer crash
    [ $((n % step)) = 0 ] || [[ $case == */builtin/* || $case == */volatile_struct_copied* ]] || continue
    "$BUILD/test/kernel-runner" "$case"
    case $? in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
    esac
done 2>&1
echo "$passed passed, $skipped skipped, $failed failed"
[ $failed = 0 ] && [ $passed -ge $least ]

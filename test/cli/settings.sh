# each setting that is ignored is said so once, by whatever runs; the list in docs/environment.md is the one that is read
. "$(dirname "$0")/common"
export WEIR_CACHE_DIR=$work/cache
run=(weir run saxpy.cl saxpy --global 64 --local 32 --arg 2 --arg iota --arg inout=ones)

# once VARIABLE VALUE EXPECTED COMMAND...
once() {
    local name=$1 value=$2 wanted=$3 output
    shift 3
    output=$(env WEIR_LOG=warn "$name=$value" "$@" 2>&1 </dev/null)
    if [ "$(grep -c "$name=.* is ignored: expected $wanted" <<<"$output")" != 1 ]; then
        printf 'FAILED: %s=%s %s: not said once:\n%s\n' "$name" "$value" "$*" "$output"
        failures=$((failures + 1))
    fi
}
# also where a compiler starts, which reads the same environment
once WEIR_CU abc 'a number from 1 to 4096' "${run[@]}"
once WEIR_CU 0 'a number from 1 to 4096' weir compile saxpy.cl --emit ll
once WEIR_CU 0 'a number from 1 to 4096' weir compile saxpy.cl --report
once WEIR_CU 0 'a number from 1 to 4096' weir cache list
once WEIR_CU 0 'a number from 1 to 4096' weir info
once WEIR_CU 0 'a number from 1 to 4096' weir check "${run[@]:2}"
once WEIR_CU 0 'a number from 1 to 4096' weir trace "${run[@]}"
once WEIR_CU 0 'a number from 1 to 4096' weir run --profile "${run[@]:2}"
once WEIR_WIDTH 99 'a number from 1 to 64' "${run[@]}"
once WEIR_WIDTH 12 'a power of two' "${run[@]}"
once WEIR_LOG loud 'none, error, warn, info or debug' env -u WEIR_LOG WEIR_LOG=loud "${run[@]}"
once WEIR_CHECK_OPTIONS lockstep=1,strict-scope 'strict-scope, strict-writes, lockstep or lockstep=N' "${run[@]}"
once WEIR_CHECK_OPTIONS strict 'strict-scope' weir check "${run[@]:2}"
for name in DEBUG FAULT CHECK SPECIALIZE COMPILE_RETRY TRACE_MEMORY CHECK_DEADLOCK CHECK_EXIT COMPILE_PATIENCE BUILD_TIMEOUT; do
    once WEIR_$name x 'a number from' "${run[@]}"
done
expect 0 '^y: float' env WEIR_CU=abc WEIR_CHECK_OPTIONS=nonsense "${run[@]}" # silent unless WEIR_LOG asks
expect 0 'weir check: /nowhere: No such file.*y: float' env WEIR_CHECK=1 WEIR_CHECK_SUPPRESS=/nowhere "${run[@]}"

# doctor tells of those, and of names that nobody reads
expect 0 'note +settings +WEIR_CU=abc is ignored: expected a number.*ok +kernel' env WEIR_CU=abc OCL_ICD_VENDORS="$BUILD" weir doctor
expect 0 "note +settings +WEIR_THREADS is none of Weir's" env WEIR_THREADS=3 OCL_ICD_VENDORS="$BUILD" weir doctor
documented=$(sed -n 's/^| `\(WEIR_[A-Z_]*\)`.*/\1/p' "$root/docs/environment.md" | sort)
read_by=$(sed -n 's/^    \(PARSED\|NUMBER\|PATH\)(\([A-Z_]*\),.*/WEIR_\2/p' "$root/src/base/env.c" | sort)
expect 0 '^$' diff <(echo "$documented") <(echo "$read_by")
# nobody reads one behind the table's back
expect 0 '^$' comm -13 <(echo "$read_by") <(grep -rhoE 'getenv\("WEIR_[A-Z_]*"' "$root/src" | grep -o 'WEIR_[A-Z_]*' | sort -u)
settings=()
for name in $documented; do settings+=("$name="); done
output=$(env "${settings[@]}" OCL_ICD_VENDORS="$BUILD" weir doctor 2>&1)
if grep settings <<<"$output"; then
    echo 'FAILED: doctor does not know a setting of docs/environment.md'
    failures=$((failures + 1))
fi
finish

# half a minute of `make soak`: abuse from all sides, and nothing is lost
. "$(dirname "$0")/common"
[ -z "${WEIR_TEST_QUICK:-}" ] || { echo 'takes half a minute'; exit 77; }
cd "$root" || exit 2
expect 0 '[1-9][0-9]* passed, 0 failed' env SOAK_SECONDS=25 python3 test/soak/soak.py "$BUILD"
finish

# the demo program: all results verified, and it finds a platform by name
. "$(dirname "$0")/common"
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$root" BUILD="$BUILD" "$BUILD/demo" || exit 1
expect 0 'platform  Weir.*tree reduction.*scan.*matrix product.*12 results verified, 0 wrong' "$BUILD/demo" --platform Weir
expect 1 "is called 'Nonesuch'" "$BUILD/demo" --platform Nonesuch
expect 2 'Usage' "$BUILD/demo" nonsense
finish

# outputs replace what Weir wrote before, and leave every other file as it is
. "$(dirname "$0")/common"
weir=$BUILD/weir
saxpy=(run saxpy.cl saxpy --global 64 --local 32 --arg 2 --arg iota --arg inout=ones)
racy=(racy.cl racy --global 64 --local 64 --arg out)
cat >racy.cl <<'CL'
kernel void racy(global int *out) {
    local int t[64];
    int l = (int)get_local_id(0);
    t[l] = l;
    out[l] = t[63 - l];
}
CL
printf 'kernel text: mine\n' >mine

# Not replaced: the sentence, and the program goes on.
untouched() {
    expect "$@"
    [ "$(cat mine)" = 'kernel text: mine' ] || { echo "FAILED: ${*:3} changed the file"; failures=$((failures + 1)); }
    printf 'kernel text: mine\n' >mine
}
untouched 0 "mine is left as it is: it isn't a trace that Weir wrote.*y: float\[64\] = 1 3" env WEIR_TRACE=mine "$weir" "${saxpy[@]}"
untouched 0 "mine is left as it is: it isn't a profile that Weir wrote.*y: float" env WEIR_PROFILE=mine "$weir" "${saxpy[@]}"
untouched 0 "mine is left as it is: it isn't a list of findings that Weir wrote" \
    env WEIR_CHECK=1 WEIR_CHECK_REPORT=mine "$weir" run "${racy[@]}"
untouched 0 'out: int\[64\]' env WEIR_CHECK=1 WEIR_CHECK_NOTES=mine "$weir" run "${racy[@]}"
# Commands say it before they run anything.
untouched 1 "^weir: mine is left as it is: it isn't a trace[^:]*$" "$weir" trace -o mine "$weir" "${saxpy[@]}"
untouched 1 "^weir: mine is left as it is: it isn't a page[^:]*$" "$weir" trace --html mine "$weir" "${saxpy[@]}"
untouched 2 "^weir: mine is left as it is: it isn't a log[^:]*$" "$weir" check --sarif=mine "${racy[@]}"
untouched 2 "^weir: mine is left as it is: it isn't a list of findings[^:]*$" "$weir" check --report mine "${racy[@]}"
untouched 1 "^weir: mine is left as it is: it isn't an array[^:]*$" "$weir" "${saxpy[@]}" --out y=mine
untouched 1 'cannot write the page no/page: No such file' "$weir" trace --html no/page "$weir" "${saxpy[@]}"

# What Weir wrote is replaced; findings come after those that are there.
again() {
    expect "$@"
    expect "$@"
}
again 0 'y: float' env WEIR_TRACE=trace "$weir" "${saxpy[@]}"
again 0 'y: float' env WEIR_PROFILE=profile "$weir" "${saxpy[@]}"
again 0 'saxpy' "$weir" trace -o trace --html page "$weir" "${saxpy[@]}"
again 1 'data-race' "$weir" check --sarif=log --report findings "${racy[@]}"
again 0 '' "$weir" "${saxpy[@]}" --out y=y.npy
expect 0 '"weir check".*"results":\[' cat log
expect 0 '^2$' grep -c '^{"kind":"data-race"' findings
expect 0 '1' grep -c '^<!doctype html>' page
python3 - <<'PY' || failures=$((failures + 1))
import json
json.load(open("trace")), json.load(open("log"))
[json.loads(line) for line in open("findings")], [json.loads(line) for line in open("profile")]
PY
: >empty # nothing is lost here
expect 0 'y: float' env WEIR_TRACE=empty "$weir" "${saxpy[@]}"
[ -s empty ] || { echo 'FAILED: an empty file was left empty'; failures=$((failures + 1)); }

# A compiler's output replaces anything but its input.
cp saxpy.cl copy.cl
expect 2 'saxpy.cl would be replaced by its own output' "$weir" compile saxpy.cl -o saxpy.cl
expect 2 'saxpy.cl would be replaced by its own output' "$weir" compile saxpy.cl --emit ll -o ./saxpy.cl
expect 0 '' cmp saxpy.cl copy.cl

# Where it can't be written wholly, as on a disk that is full, what was there stays, and nothing is left beside it.
full() {
    unshare -m sh -c '
        mount -t tmpfs -o size=200k none disk && cp -p page program.weir log y.npy disk/ || exit 9
        head -c 300k /dev/zero >disk/rest 2>/dev/null
        "$@"
        code=$?
        rm disk/rest
        for file in disk/*; do cmp "$file" "${file#disk/}" || exit 9; done
        ls disk
        exit $code' sh "$@"
}
mkdir disk
expect 0 '' "$weir" compile saxpy.cl -o program.weir
if unshare -m mount -t tmpfs none disk 2>/dev/null; then
    space='No space left on device.log.page.program.weir.y.npy$'
    expect 1 "cannot write disk/program.weir: $space" full "$weir" compile saxpy.cl -o disk/program.weir
    expect 1 "cannot write disk/new: $space" full "$weir" compile saxpy.cl -o disk/new
    expect 3 "cannot write disk/new: $space" full weirc saxpy.cl -o disk/new
    expect 1 "cannot write the page disk/page: $space" full "$weir" trace --html disk/page "$weir" "${saxpy[@]}"
    expect 2 "cannot write the log disk/log: $space" full "$weir" check --sarif=disk/log "${racy[@]}"
    expect 1 "cannot write the array disk/y.npy: $space" full "$weir" "${saxpy[@]}" --out y=disk/y.npy
    TMPDIR=disk expect 2 "cannot write the list of findings disk/weir.[^/]*/findings: $space" full "$weir" check "${racy[@]}"
fi
# In its place: through links, with its rights, and where the folder takes no other file.
ln -s program.weir link
chmod 640 program.weir
expect 0 '' "$weir" compile saxpy.cl -o link
expect 0 '^640 regular file$' stat -c '%a %F' program.weir
expect 0 '^symbolic link$' stat -c %F link
expect 0 '' sh -c '"$1/weir" compile saxpy.cl -o /dev/stdout | cat >piped && cmp piped program.weir' sh "$BUILD"
finish

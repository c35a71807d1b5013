# weir check: a kernel, a whole program, their exit codes and the report
. "$(dirname "$0")/common"
cat >races.cl <<'CL'
kernel void wrong(global int *out) {
    local int t[64];
    size_t l = get_local_id(0);
    t[l] = l;
    out[get_global_id(0)] = t[63 - l];
}
kernel void right(global int *out) {
    local int t[64];
    size_t l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - l];
}
CL
sizes='--global 128 --local 64 --arg out'
expect 1 'data-race in kernel wrong.*:4:10.*:5:29.*CLK_LOCAL_MEM_FENCE.*weir check found: 1 data-race' weir check races.cl wrong $sizes
expect 0 'out: int\[128\] = 63 62.*weir check found nothing' weir check races.cl right $sizes
expect 1 'weir check found: 1 data-race' weir check -- weir run races.cl wrong $sizes
expect 0 'found nothing' weir check -- weir run races.cl right $sizes

expect 1 'weir check found: 1 data-race' weir check -- sh -c "weir run races.cl wrong $sizes; weir run races.cl wrong $sizes"

# 2: nothing could be checked; a program that fails, or is killed, without findings gives its own code
expect 0 'found nothing in 1 kernel' weir check -- weir run races.cl right $sizes
expect 3 'sh ended with 3.*found nothing in 1 kernel' weir check -- sh -c "weir run races.cl right $sizes; exit 3"
expect 139 'killed by signal 11.*found nothing' weir check -- sh -c "weir run races.cl right $sizes; kill -SEGV \$\$"
expect 1 'killed by signal 11.*found: 1 data-race' weir check -- sh -c "weir run races.cl wrong $sizes; kill -SEGV \$\$"
expect 2 'sh ended with 3.*the program ran no kernel on Weir' weir check -- sh -c 'exit 3'
expect 2 'cannot start ./nonsense' weir check -- ./nonsense
expect 2 'cannot read missing.cl' weir check missing.cl k $sizes
expect 2 "has no kernel 'none'" weir check races.cl none $sizes
echo 'kernel void k(global int *o) { o[0] = nothing; }' >broken.cl
expect 2 "undeclared identifier 'nothing'" weir check broken.cl k $sizes
expect 2 'check wants FILE, KERNEL and --global, or -- and a program' weir check races.cl
expect 2 'unknown option --sarof' weir check --sarof races.cl wrong $sizes
expect 2 "'races.cl' before --" weir check races.cl -- true
TMPDIR=missing expect 2 'cannot make a folder in missing, which TMPDIR names: No such file' weir check races.cl right $sizes

# how to take what programs leave open
cat >open.cl <<'CL'
kernel void same(global int *out) {
    out[0] = 1;
}
CL
expect 0 'found nothing' weir check open.cl same $sizes
expect 1 '[0-9]+ data-race|data-race.*inter-group-race' weir check --strict-writes open.cl same $sizes
expect 0 'found nothing' weir check --lockstep=64 races.cl wrong $sizes
expect 1 'data-race' weir check --lockstep=32 --strict-scope races.cl wrong $sizes
expect 2 'lockstep=1: a number of work-items from 2 to 4096' weir check --lockstep=1 races.cl wrong $sizes
export WEIR_CHECK_REPORT=$work/report.json
expect 1 'data-race' weir check -- sh -c "weir run races.cl wrong $sizes"
unset WEIR_CHECK_REPORT
expect 0 '"kind":"data-race","kernel":"wrong".*"a":."file":"races.cl","line":4,"column":10,"function":"wrong".*"ids":."global":.[0-9].*"element":"t.32.".*"fix":"put barrier' cat report.json
expect 0 'data-race in kernel wrong: local variable t.32.' weir run races.cl wrong $sizes --options -weir-check
weir compile races.cl -o checked.weir --options -weir-check
weir compile races.cl -o plain.weir
expect 0 'data-race in kernel wrong: local variable t.32.' weir run checked.weir wrong $sizes
expect 0 'data-race in kernel wrong' weir run plain.weir wrong $sizes --options -weir-check

# SARIF
expect 1 '"\$schema":.*"version":"2.1.0".*"id":"data-race".*"results":.*"ruleId":"data-race".*"uri":"races.cl".*"startLine":4,"startColumn":10.*"relatedLocations":.*"startLine":5.*"threadFlows".*"weirCheck/v1".*"occurrenceCount":' \
    weir check races.cl wrong $sizes --sarif
expect 0 'found nothing' weir check --sarif=log.sarif races.cl right $sizes
expect 0 '"exitCode":0.*"results":' cat log.sarif
# 1 would say that something was found
expect 2 'cannot write the log /dev/full' weir check --sarif=/dev/full races.cl right $sizes

# findings that nobody wants to see: by a file of rules, by a comment
printf '# of this test\nmissing-fence\ndata-race file=races.cl:5 kernel=wr*\n' >rules
WEIR_CHECK=1 WEIR_CHECK_EXIT=9 WEIR_CHECK_SUPPRESS=rules expect 0 'weir check: 0 findings, 1 suppressed' weir run races.cl wrong $sizes
printf 'data-race file=races.cl:6\ndata-race kernel=right\ninter-group-race file=*.cl\n' >rules
WEIR_CHECK=1 WEIR_CHECK_EXIT=9 WEIR_CHECK_SUPPRESS=rules expect 9 'weir check: 1 finding' weir run races.cl wrong $sizes
printf 'missing-fence\ndata-rase\n*\ndata-race line=3\n' >rules
WEIR_CHECK=1 WEIR_CHECK_SUPPRESS=rules expect 0 'rules:2: no kind.*rules:3: .*rules:4: expected kernel=' weir run races.cl wrong $sizes
printf 'missing-fence kernel=k*\n\ndata-race kernel=wrong\n' >rules
expect 0 'rules:1: nothing to suppress: missing-fence kernel=k.*found nothing in 1 kernel' weir check --suppress rules races.cl wrong $sizes
printf 'data-rase\n' >rules
expect 2 'rules:1: no kind of findings has this name' weir check --suppress rules races.cl wrong $sizes
expect 2 'cannot read none' weir check --suppress=none races.cl wrong $sizes
cat >benign.cl <<'CL'
kernel void beside(global int *out) {
    out[0] = get_local_id(0); // weir: allow data-race
}
kernel void above(global int *out) {
    /* weir: allow inter-group-race, data-race */
    out[0] = get_local_id(0);
}
kernel void other(global int *out) {
    out[0] = get_local_id(0); // weir: allow missing-fence
}
CL
WEIR_CHECK=1 WEIR_CHECK_EXIT=9 expect 0 '0 findings, 1 suppressed' weir run benign.cl beside --global 64 --local 64 --arg out:1
WEIR_CHECK=1 WEIR_CHECK_EXIT=9 expect 0 '0 findings, 1 suppressed' weir run benign.cl above --global 64 --local 64 --arg out:1
WEIR_CHECK=1 WEIR_CHECK_EXIT=9 expect 9 '1 finding' weir run benign.cl other --global 64 --local 64 --arg out:1
WEIR_CHECK=1 WEIR_CHECK_EXIT=9 expect 9 'weir check: 1 finding' weir run races.cl wrong $sizes
expect 2 "ran no kernel on Weir; OCL_ICD_VENDORS=/nowhere says which platforms it finds" env OCL_ICD_VENDORS=/nowhere weir check -- true
finish

// What is stored comes from memory that nobody has written; the race is found all the same.
// global: 8
// local: 8
// arg: int out[8]
// expect: out = 1
// finds: data-race 11 12
kernel void k(global int *out) {
    local int s[8], copy[8], never[8];
    int l = get_local_id(0);

    s[l] = never[l] + l;
    copy[l] = s[(l + 1) % 8];
    out[l] = 1;
}

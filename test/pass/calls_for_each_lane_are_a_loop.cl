// A call that has no vector form, and whose result nobody uses, is there once for all lanes, whatever the width is.
// RUN: c() { %weirc %s --local 64 --width $1 --stop-after regions | grep -c 'call.*@weir.printf'; }; test $(c 4) -gt 0 && test $(c 4) = $(c 16)
kernel void k(global int *v, int n) {
    size_t i = get_global_id(0);
    if (v[i] < n)
        printf("%d\n", v[i]);
}

// A call that has no vector form and no result is there once for all lanes, in a loop, whatever the width is. Else checked
// kernels, which have such calls at every access, would be so large that they take minutes to compile.
// RUN: c() { %weirc %s --check --local 64 --width $1 --stop-after regions | grep -c 'call.*__weir_lane_check'; }; test $(c 4) -gt 0 && test $(c 4) = $(c 16)
kernel void k(global int *v, int n) {
    size_t i = get_global_id(0);
    if (v[i] < n)
        v[i * n] = i;
}

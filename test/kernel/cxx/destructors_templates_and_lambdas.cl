// global: 504
// options: -cl-std=CLC++
// arg: int out[504]
// expect: out = 2 * i + 2 * (i - F + 1) % (2 * S) + 1
template <typename T> T twice(T x) { return x + x; }
template <int N> struct power { enum { value = 2 * power<N - 1>::value }; };
template <> struct power<0> { enum { value = 1 }; };
class result {
    global int *at;
    int sum;
public:
    result(global int *out) : at(out + get_global_id(0)), sum(0) {}
    ~result() { *at = sum; }
    result &operator+=(int x) { sum += x; return *this; }
};
kernel void k(global int *out) {
    local int s[1024];
    result r(out);
    auto add = [&](int x) { r += twice(x); };
    add(get_global_id(0));
    s[get_local_id(0)] = get_local_id(0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    add(s[(get_local_id(0) + 1) % get_local_size(0)]);
    r += power<3>::value - 7;
}

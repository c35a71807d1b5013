// Groups count in atomic variables of the program, which begin as their initializers say.
// global: 504
// options: -cl-std=CL3.0
// arg: uint out[504]
// expect: out = 1
global atomic_uint count = ATOMIC_VAR_INIT(1000);
global atomic_uint places[3] = {ATOMIC_VAR_INIT(1), ATOMIC_VAR_INIT(2), ATOMIC_VAR_INIT(3)};
global atomic_flag taken[504];

kernel void k(global uint *out) {
    size_t i = get_global_id(0);
    bool counted = atomic_fetch_add(&count, 1) >= 1000;
    uint few = atomic_fetch_xor_explicit(&places[i % 3], 8, memory_order_relaxed, memory_scope_device) & 7;
    bool second = atomic_flag_test_and_set(&taken[i]);
    atomic_flag_clear(&taken[i]);
    out[i] = counted && !second && few == i % 3 + 1;
}

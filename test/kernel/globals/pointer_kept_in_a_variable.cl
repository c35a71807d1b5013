// kernel: put get
// global: 504
// needs: globals
// arg: int out[504] = i
// expect: out = 503 - i
global int *global kept;
global int table[504];
kernel void put(global int *out) {
    table[get_global_id(0)] = 503 - get_global_id(0);
    if (get_global_id(0) == 0)
        kept = table;
}
kernel void get(global int *out) {
    out[get_global_id(0)] = kept[get_global_id(0)];
}

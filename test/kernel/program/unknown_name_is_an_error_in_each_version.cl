// options:
// build-error: undeclared identifier 'get_local_linear_id'
kernel void k(global int *out) {
    out[get_local_linear_id()] = no_such_name;
}

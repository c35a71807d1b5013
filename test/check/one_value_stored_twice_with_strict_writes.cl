// finds: data-race 8 8
// illegal: finishes
// set: WEIR_CHECK_OPTIONS=strict-writes
// global: 64
// local: 32
// arg: int data[2]
kernel void k(global int *data) {
    data[get_group_id(0)] = 1;
}

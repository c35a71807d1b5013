/* item.cl: work-item functions (OpenCL C 6.15.1). Dimensions beyond the last answer 0 for ids and offsets, 1 for
 * sizes and counts. */
#include "weir.h"

#define PICK(d, x, y, z, otherwise) ((d) == 0 ? (x) : (d) == 1 ? (y) : (d) == 2 ? (z) : (otherwise))

OVERLOAD uint get_work_dim(void) {
    return __weir_launch()->work_dim;
}

OVERLOAD size_t get_global_size(uint d) {
    return d < 3 ? __weir_launch()->global_size[d] : 1;
}

OVERLOAD size_t get_group_id(uint d) {
    return PICK(d, __weir_group_id_0(), __weir_group_id_1(), __weir_group_id_2(), 0);
}

/* Where packs go through the work-group as one row. */
static size_t id_in_one_row(uint d) {
    uint item = (uint)__weir_local_id_0(), x = (uint)__weir_local_size_0(), y = (uint)__weir_local_size_1();
    return PICK(d, item % x, item / x % y, item / (x * y), 0);
}

OVERLOAD size_t get_global_id(uint d) {
    if (__weir_one_row()) {
        __constant struct weir_launch *l = __weir_launch();
        return d < 3 ? get_group_id(d) * l->local_size[d] + l->global_offset[d] + id_in_one_row(d) : 0;
    }
    return PICK(d, __weir_global_id_0(), __weir_global_id_1(), __weir_global_id_2(), 0);
}

OVERLOAD size_t get_local_size(uint d) {
    return PICK(d, __weir_local_size_0(), __weir_local_size_1(), __weir_local_size_2(), 1);
}

OVERLOAD size_t get_enqueued_local_size(uint d) {
    return d < 3 ? __weir_launch()->local_size[d] : 1;
}

OVERLOAD size_t get_local_id(uint d) {
    return __weir_one_row() ? id_in_one_row(d) : PICK(d, __weir_local_id_0(), __weir_local_id_1(), __weir_local_id_2(), 0);
}

OVERLOAD size_t get_num_groups(uint d) {
    return d < 3 ? __weir_launch()->num_groups[d] : 1;
}

OVERLOAD size_t get_global_offset(uint d) {
    return d < 3 ? __weir_launch()->global_offset[d] : 0;
}

OVERLOAD size_t get_global_linear_id(void) {
    __constant struct weir_launch *l = __weir_launch();
    size_t x = get_global_id(0) - l->global_offset[0], y = get_global_id(1) - l->global_offset[1],
           z = get_global_id(2) - l->global_offset[2];
    return (z * l->global_size[1] + y) * l->global_size[0] + x;
}

OVERLOAD size_t get_local_linear_id(void) {
    return __weir_one_row() ? __weir_local_id_0()
                            : (__weir_local_id_2() * __weir_local_size_1() + __weir_local_id_1()) *
                                      __weir_local_size_0() + __weir_local_id_0();
}

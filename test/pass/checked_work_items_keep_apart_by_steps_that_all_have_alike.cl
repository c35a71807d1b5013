// In a checked kernel it is known that work-items keep apart by steps that nobody knows, if all have the same one between two
// barriers: so nothing is asked but where an access lies (the third number from the end of its site is 1), or nothing at all. It isn't known
// where they don't keep apart, or one can't be sure.
// RUN: %weirc %s --kernel divided --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel nested --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel masked --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel high_bits --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel signed_step --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel diagonals --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=APART
// RUN: %weirc %s --kernel before_the_barrier --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=INSIDE
// RUN: %weirc %s --kernel two_steps_ahead --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel in_its_place --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel changed_without_a_barrier --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel changed_before_the_barrier --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel of_each_work_item --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel halved_for_some --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel with_no_divisor --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel that_wraps --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel of_no_power --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel power_of_an_argument --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel two_at_once --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel behind_its_loop --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel from_a_loop_that_some_leave --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel diagonal_ahead --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel diagonal_without_a_barrier --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel difference_of_unsigned --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel over_the_barrier --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel of_a_loop_without_barriers --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel below_and_right --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=NONE
// RUN: %weirc %s --kernel from_the_counter_on --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel rows_from_the_counter_on --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel columns_from_the_counter_on --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel without_the_second_barrier --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel asked_in_the_round_before --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel asked_by_one_number_more --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel behind_the_last_round --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel behind_as_many_rounds_as_its_id --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// RUN: %weirc %s --kernel of_a_loop_that_begins_by_its_id --check --width 8 --local 64,1,1 --emit=ll -o - | FileCheck %s --check-prefix=MEET
// APART: @weir.sites = {{.*}} i32 4, i32 -2147483647, i32 4, i32 1, i32 0, i32 1 }
// APART-NOT: i32 4, i32 -2147483647, i32 4, i32 0, i32 0, i32 1 }
// INSIDE-NOT: i32 4, i32 -2147483647, i32 4,
// NONE-NOT: i32 4, i32 -2147483647, i32 4, i32 0, i32 0, i32 1 }
// MEET: @weir.sites = {{.*}} i32 4, i32 -2147483647, i32 4, i32 0, i32 0, i32 1 }
kernel void divided(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint step = n / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step;
        t[low] += t[low + step];
        t[low + step] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void nested(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint size = n; size <= 64; size *= 2)
        for (uint step = size / 2; step; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * step * (l / step) + l % step;
            t[low] += t[low + step];
            t[low + step] = 5;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void masked(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint size = 2; size <= n; size <<= 1)
        for (uint step = size / 2; step; step >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * l - (l & (step - 1));
            t[low] += t[low + step];
            t[low + step] = 5;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void high_bits(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint step = 1; step < n; step <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint h = step >> 1, low = 2 * (l & ~(h - 1)) + (l & (h - 1));
        t[low] += t[low + h];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void signed_step(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (int step = (int)n; step > 0; step -= 3) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int low = 4 * step * ((int)l / step) + (int)l % step;
        t[low] += t[low + step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void diagonals(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 60; d++) {
        int x = l, y = d - x;
        if (y >= 0 && y < 15)
            t[17 * y + x + 18] = t[17 * y + x] + t[17 * y + x + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void before_the_barrier(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 60; i++) {
        t[i + l] += i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void two_steps_ahead(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint step = n / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step;
        t[low] += t[low + step];
        t[low + 2 * step] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void in_its_place(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint step = n / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = step * (l / step) + l % step;
        t[low] += t[low + step];
        t[low + step] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void changed_without_a_barrier(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint step = n / 2; step > 1;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step;
        t[low] += t[low + step];
        step /= 2;
        t[low + step] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void changed_before_the_barrier(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = n / 2; step; step /= 2) {
        uint low = 2 * step * (l / step) + l % step;
        t[low] += t[low + step];
        if (step == 8)
            continue;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void of_each_work_item(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint step = n >> (l & 1); step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step;
        t[low] += t[low + step];
        t[low + step] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void halved_for_some(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint step = n / 2; step; step /= l & 1 ? 2 : 4) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step;
        t[low] += t[low + step];
        t[low + step] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void with_no_divisor(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint step = n / 2, i = 0; i < 9; i++, step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step;
        t[low] += t[low + step];
        t[low + step] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void that_wraps(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint step = n - 99; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step;
        t[low] += t[low + step];
        t[low + step] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void of_no_power(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint size = 6; size <= n; size <<= 1)
        for (uint step = size / 2; step; step >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * l - (l & (step - 1));
            t[low] += t[low + step];
            t[low + step] = 5;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void power_of_an_argument(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint size = n; size <= n; size <<= 1)
        for (uint step = size / 2; step; step >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * l - (l & (step - 1));
            t[low] += t[low + step];
            t[low + step] = 5;
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void two_at_once(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    for (uint step = n / 2; step > 1; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint h = step / 2, low = 2 * step * (l / step) + l % step, other = 2 * h * (l / h) + l % h;
        t[low] += t[other + h];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void behind_its_loop(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    uint step = n / 2;
    for (; step > 1 + l; step /= 2)
        barrier(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint low = 2 * step * (l / step) + l % step;
    t[low] += t[low + step];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void from_a_loop_that_some_leave(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    uint first = n / 2;
    for (; first > 1 + l; first /= 2)
        ;
    for (uint step = first; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step;
        t[low] += t[low + step];
        t[low + step] = 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void diagonal_ahead(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 60; d++) {
        int x = l, y = d - x;
        if (y >= 0 && y < 15)
            t[17 * y + x + 18] = t[17 * y + x] + t[17 * y + x + 34];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void diagonal_without_a_barrier(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 60; d++) {
        int x = l, y = d - x;
        if (y >= 0 && y < 15)
            t[17 * y + x + 18] = t[17 * y + x] + t[17 * y + x + 1];
        if (d & 1)
            barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void difference_of_unsigned(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 60; d++) {
        int x = l;
        uchar y = d - x;
        if (y >= 0 && y < 15)
            t[17 * y + x + 18] = t[17 * y + x] + t[17 * y + x + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void over_the_barrier(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 60; i++) {
        t[i + l] += i;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[i + l + 1] += i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void of_a_loop_without_barriers(global int *out, uint n) {
    local int t[1024];
    uint l = get_local_id(0);
    for (uint i = l; i < 1024; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 60; i++)
        t[i + l] += i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void below_and_right(global int *out, uint n) {
    local int t[1056];
    uint l = get_local_id(0);
    for (uint i = l; i < 1056; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int c = l;
    for (int k = 0; k < 31; k++) {
        if (c > k && c < 32)
            t[33 * c + k] += t[33 * k + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c > k && c < 32)
            for (int r = k + 1; r < 32; r++)
                t[33 * r + c] += t[33 * r + k] + t[33 * k + c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void from_the_counter_on(global int *out, uint n) {
    local int t[1056];
    uint l = get_local_id(0);
    for (uint i = l; i < 1056; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int c = l;
    for (int k = 0; k < 31; k++) {
        if (c >= k && c < 32)
            t[33 * c + k] += t[33 * k + k] + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c > k && c < 32)
            for (int r = k + 1; r < 32; r++)
                t[33 * r + c] += t[33 * r + k] + t[33 * k + c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void rows_from_the_counter_on(global int *out, uint n) {
    local int t[1056];
    uint l = get_local_id(0);
    for (uint i = l; i < 1056; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int c = l;
    for (int k = 0; k < 31; k++) {
        if (c > k && c < 32)
            t[33 * c + k] += t[33 * k + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c > k && c < 32)
            for (int r = k; r < 32; r++)
                t[33 * r + c] += t[33 * r + k] + t[33 * k + c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void columns_from_the_counter_on(global int *out, uint n) {
    local int t[1056];
    uint l = get_local_id(0);
    for (uint i = l; i < 1056; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int c = l;
    for (int k = 0; k < 31; k++) {
        if (c > k && c < 32)
            t[33 * c + k] += t[33 * k + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c >= k && c < 32)
            for (int r = k + 1; r < 32; r++)
                t[33 * r + c] += t[33 * r + k] + t[33 * k + c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void without_the_second_barrier(global int *out, uint n) {
    local int t[1056];
    uint l = get_local_id(0);
    for (uint i = l; i < 1056; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int c = l;
    for (int k = 0; k < 31; k++) {
        if (c > k && c < 32)
            t[33 * c + k] += t[33 * k + k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (c > k && c < 32)
            for (int r = k + 1; r < 32; r++)
                t[33 * r + c] += t[33 * r + k] + t[33 * k + c];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void asked_in_the_round_before(global int *out, uint n) {
    local int t[1056];
    uint l = get_local_id(0);
    for (uint i = l; i < 1056; i += 64)
        t[i] = i;
    bool is = true;
    for (int k = 0; k < 31; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is)
            t[l] += t[k];
        is = l > k;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void asked_by_one_number_more(global int *out, uint n) {
    local int t[1056];
    uint l = get_local_id(0);
    for (uint i = l; i < 1056; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 31; k++) {
        if (l > k)
            t[l] += t[k + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void behind_the_last_round(global int *out, uint n) {
    local int t[1056];
    uint l = get_local_id(0);
    for (uint i = l; i < 1056; i += 64)
        t[i] = i;
    for (int k = 0; k < 31; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += k;
    }
    if (t[63 - l])
        *out = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void behind_as_many_rounds_as_its_id(global int *out, uint n) {
    local int t[1056];
    uint l = get_local_id(0);
    for (uint i = l; i < 1056; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < (int)l; k++)
        t[l] += k;
    if (t[63 - l])
        *out = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

kernel void of_a_loop_that_begins_by_its_id(global int *out, uint n) {
    local int t[1056];
    uint l = get_local_id(0);
    for (uint i = l; i < 1056; i += 64)
        t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = l; k < 80; k++)
        t[k] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l];
}

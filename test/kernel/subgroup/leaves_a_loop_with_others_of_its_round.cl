// What stands in a loop's body before it is left is computed by those who leave in this round, in whatever form it is written.
// global: 504
// local: 1 3 16 64 250
// needs: cl_khr_subgroup_ballot cl_khr_subgroup_non_uniform_arithmetic cl_khr_subgroup_shuffle
// spirv: clang's doesn't say where a loop's body ends
// arg: int out[504]
// expect: out = 0
#define FIRST (key == sub_group_broadcast_first(key))
#define COUNT sub_group_ballot_bit_count(sub_group_ballot(1))

int by_break(int key) {
    int n;
    while (true) {
        if (FIRST) {
            n = COUNT;
            break;
        }
    }
    return n;
}

int by_return(int key) {
    for (int i = 0;; i++)
        if (FIRST)
            return COUNT;
}

int by_return_behind_continue(int key) {
    while (1) {
        if (!FIRST)
            continue;
        int n = COUNT;
        return n;
    }
}

int by_condition(int key) {
    int n, first;
    do {
        first = sub_group_broadcast_first(key);
        if (key == first)
            n = COUNT;
    } while (key != first);
    return n;
}

int by_flag(int key) {
    bool done = false;
    int n;
    for (int i = 0; !done && i < 64; i++)
        if (FIRST) {
            n = COUNT;
            done = true;
        }
    return n;
}

int by_goto(int key) {
    int n = 0;
    do {
        if (FIRST) {
            n += COUNT;
            goto out;
        }
    } while (n == 0);
    n = -1000;
out:
    return n;
}

int by_goto_from_an_inner_loop(int key) {
    int n = 0;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            if (FIRST) {
                n += COUNT;
                goto out;
            }
out:
    return n;
}

int in_a_switch(int key) {
    int n = 0;
    while (n == 0) {
        int first = sub_group_broadcast_first(key);
        switch (key - first) {
        case 1:
            continue;
        case 0:
            n = COUNT;
            break;
        case -1:
            if (first > 9)
                return -1;
        }
    }
    return n;
}

int by_return_from_a_switch(int key) {
    while (true) {
        int4 seen = 0;
        switch (key - sub_group_broadcast_first(key)) {
        case 0:
            seen.x = COUNT;
            return seen.x;
        case 7:
            return 0;
        default:
            break;
        }
    }
}

int by_several_ways(int key) {
    int n = 0;
    for (int i = 0; i < 64; i++) {
        if (!FIRST)
            continue;
        if (key == 0) {
            n = COUNT;
            break;
        }
        if (key == 1)
            return sub_group_non_uniform_reduce_add(1);
        if (key == 2) {
            n = sub_group_non_uniform_reduce_max(sub_group_non_uniform_scan_inclusive_add(1));
            goto out;
        }
        n = sub_group_non_uniform_reduce_add(1);
        break;
    }
out:
    return n;
}

int through_a_loop(int key) {
    int n = 0;
    while (true) {
        if (FIRST) {
            for (int i = 0; i < key; i++) /* those who leave together agree on it */
                n += COUNT;
            for (int i = 0; i < 9; i++)
                if (i == key) {
                    n += COUNT;
                    break;
                }
            break;
        }
    }
    return n / (key + 1);
}

int again_and_again(int key) {
    int sum = 0;
    for (int i = 0; i <= key; i++) /* fewer come each time, but all of one key */
        while (true) {
            int n = 0;
            if (FIRST) {
                n = COUNT;
                sum += n;
                break;
            }
        }
    return sum / (key + 1);
}

int count(void) {
    return COUNT;
}

int by_a_function(int key) {
    int n = 0;
    while (!n)
        if (FIRST)
            n = count();
    return n;
}

/* Sub-groups leave in different rounds, each as a whole. */
int behind_a_barrier(int key, int want, local int *shared) {
    int l = get_local_linear_id(), lane = get_sub_group_local_id(), size = get_sub_group_size();
    for (int i = 0; i < 9; i++)
        if (i == get_sub_group_id() % 5) {
            shared[l] = key;
            sub_group_barrier(CLK_LOCAL_MEM_FENCE);
            int next = shared[l - lane + (lane + 1) % size];
            return next == sub_group_shuffle(key, (lane + 1) % size) ? want : -1;
        }
    return -1;
}

int by_shuffles(int key) {
    int n = 0;
    while (true)
        if (FIRST) {
            uint4 on = sub_group_ballot(1);
            uint last = sub_group_ballot_find_msb(on);
            n = sub_group_shuffle((int)sub_group_ballot_inclusive_scan(on), last);
            break;
        }
    return n;
}

/* All leave together, through a barrier of the work-group. */
int all_at_once(int want, local int *shared) {
    for (int i = 0; i < 4; i++) {
        int n = sub_group_reduce_add(1);
        if (i == 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (get_local_linear_id() == 0)
                *shared = i;
            barrier(CLK_LOCAL_MEM_FENCE);
            n -= sub_group_reduce_add(1);
            return n || *shared != 2 ? -1 : want;
        }
    }
    return 0;
}

kernel void k(global int *out) {
    local int shared[256], one;
    int g = get_global_id(0), key = g * 7 % 5, want = 0, wrong = 0;
    int lane = get_sub_group_local_id(), size = get_sub_group_size();
    for (int i = g - lane; i < g - lane + size; i++)
        want += i * 7 % 5 == key;
    wrong |= (by_break(key) != want) << 0;
    wrong |= (by_return(key) != want) << 1;
    wrong |= (by_return_behind_continue(key) != want) << 2;
    wrong |= (by_condition(key) != want) << 3;
    wrong |= (by_flag(key) != want) << 4;
    wrong |= (by_goto(key) != want) << 5;
    wrong |= (by_goto_from_an_inner_loop(key) != want) << 6;
    wrong |= (in_a_switch(key) != want) << 7;
    wrong |= (by_return_from_a_switch(key) != want) << 8;
    wrong |= (by_several_ways(key) != want) << 9;
    wrong |= (through_a_loop(key) != want) << 10;
    wrong |= (again_and_again(key) != want) << 11;
    wrong |= (by_a_function(key) != want) << 12;
    wrong |= (behind_a_barrier(key, want, shared) != want) << 13;
    wrong |= (by_shuffles(key) != want) << 14;
    wrong |= (all_at_once(want, &one) != want) << 15;
    out[g] = wrong;
}

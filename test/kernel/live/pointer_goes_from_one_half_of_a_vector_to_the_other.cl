// A pointer into a private vector whose elements are as large as a pointer: in a loop it points to one, then the other.
// global: 504
// local: any
// arg: int wrong[504]
// arg: int n = 2
// expect: wrong = 0
kernel void k(global int *wrong, int n) {
    int g = get_global_id(0), i = 0;
    double2 v;
    double *p = (double *)&v;
    do {
        double a = g % 5 + i;
        if (a > 3)
            for (int k = 0; k < n; k++)
                a = a * 2 - 1;
        *p = a + 1;
        p = (double *)&v + 1;
        i++;
    } while (i < n);
    for (i = 0; i < 2; i++) {
        double a = g % 5 + i, want = a > 3 ? 4 * a - 2 : a + 1;
        wrong[g] = (i ? wrong[g] : 0) + ((i ? v.y : v.x) != want);
    }
}

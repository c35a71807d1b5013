// Searches that lanes leave in different rounds, by numbers that are used after them: a counter, what it was or becomes, long or
// short, one that goes down, one in a loop around another search, and one that lanes come to only in part.
// global: 96
// local: 32 16 7
// arg: int n = 23
// arg: int a[64] = i * 5 % 23
// arg: long found[96]
// reference: all
long search(int n, global const int *a, int g) {
    long sum = 0, j, last = -1;
    for (j = 0; j < n; j++)
        if (a[j] == g % 29)
            break;
    sum += j * 3;
    int down = n;
    while (--down > 0 && a[down] != g % 31)
        last = down;
    sum += 100 * down + last;
    uint i = 0;
    do {
        uint k = 0;
        for (; k < 20; k++)
            if (a[i + k] > g % 17 + 3)
                break;
        sum += k * 7;
    } while (a[i++] != g % 19 && i < 40);
    sum += i * 11;
    if (g % 3)
        for (i = 2; i < 50; i += 3)
            if (a[i] + a[i + 1] < g % 13)
                break;
    return sum * 64 + i;
}
kernel void k(int n, global const int *a, global long *found) {
    found[get_global_id(0)] = search(n, a, get_global_id(0));
}
kernel void all(int n, global const int *a, global long *found) {
    for (int g = 0; g < 96; g++)
        found[g] = search(n, a, g);
}

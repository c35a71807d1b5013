/* meant.c: which word somebody meant who mistyped it.
 *
 * In: what was typed, and one after the other all words that it may be. Out: the nearest one, if it is near enough. What
 * follows a '=' doesn't count. */
#include "base.h"

#include <string.h>

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* How many characters differ, are missing, too many, or have changed places with the next one (the optimal string
 * alignment). */
static size_t differences(const char *a, size_t m, const char *b, size_t n) {
    unsigned char d[LONGEST + 1][LONGEST + 1]; /* of the first i characters of a and the first j of b */
    for (size_t i = 0; i <= m; i++)
        for (size_t j = 0; j <= n; j++) {
            if (!i || !j) {
                d[i][j] = (unsigned char)(i + j);
                continue;
            }
            size_t steps =
                least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least(d[i - 1][j], d[i][j - 1]) + (size_t)1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                steps = least(steps, d[i - 2][j - 2] + (size_t)1);
            d[i][j] = (unsigned char)steps;
        }
    return d[m][n];
}

void meant_try(struct meant *m, const char *word) {
    enum { MOST_DIFFERENCES = 4 };
    size_t typed = strcspn(m->typed, "="), length = strcspn(word, "=");
    if (typed > LONGEST || length > LONGEST)
        return;
    size_t n = differences(m->typed, typed, word, length);
    if (n <= MOST_DIFFERENCES && 3 * n <= length && (!m->word || n < m->differences)) {
        m->word = word;
        m->differences = n;
    }
}

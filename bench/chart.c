/* chart.c: one SVG: for each test a bar for each implementation, the ratio of its time to the limit's (or to the
 * fastest implementation's, where the test has no limit), on a logarithmic axis. */
#include "bench.h"

#include <math.h>
#include <string.h>

enum { LEFT = 190, WIDTH = 640, BAR = 9, GAP = 8, TOP = 30 };
static const char *const colours[] = {"#1b6ca8", "#d9792b", "#4c9f50", "#b5395b", "#7a5ea8", "#8a8a2a",
                                      "#3aa6a6", "#777777", "#c06090", "#5060c0", "#906030", "#306050"};

static bool is_limit(const struct results *r, unsigned p) {
    return !strncmp(r->labels[p], "limit-", 6);
}

/* What ratios of a test refer to: the best limit, else the best of all. Infinite where nothing is OK. */
static double base(const struct results *r, unsigned t, bool *limit) {
    double least = INFINITY, fastest = INFINITY;
    for (unsigned p = 0; p < r->npeers; p++)
        if (r->of[t][p].status == OK) {
            fastest = fmin(fastest, r->of[t][p].seconds);
            if (is_limit(r, p))
                least = fmin(least, r->of[t][p].seconds);
        }
    *limit = isfinite(least);
    return *limit ? least : fastest;
}

static double largest(const struct results *r) {
    double most = 10;
    bool limit;
    for (unsigned t = 0; t < r->ntests; t++)
        for (unsigned p = 0; p < r->npeers; p++)
            if (r->of[t][p].status == OK)
                most = fmax(most, r->of[t][p].seconds / base(r, t, &limit));
    return pow(10, ceil(log10(most)));
}

static double position(double ratio, double most) { /* from a quarter of the base on */
    double x = log(ratio / 0.25) / log(most / 0.25);
    return LEFT + WIDTH * fmax(0, fmin(1, x));
}

static void axis(FILE *f, double most, int bottom) {
    for (double tick = 1; tick <= most; tick *= 10) {
        double x = position(tick, most);
        fprintf(f,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"/>\n"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                x, x, TOP - 4, bottom, tick == 1 ? "#444" : "#ddd", x, bottom + 14, tick);
    }
}

static void bars(FILE *f, const struct results *r, unsigned t, double most, int y) {
    bool limit;
    double least = base(r, t, &limit);
    fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s%s</text>\n", LEFT - 8,
            y + (int)r->npeers * BAR / 2 + 4, r->tests[t], limit ? "" : " *");
    for (unsigned p = 0; p < r->npeers; p++, y += BAR) {
        const struct result *of = &r->of[t][p];
        if (of->status != OK) {
            fprintf(f, "<text x=\"%.1f\" y=\"%d\" font-size=\"8\" fill=\"%s\">%s</text>\n",
                    position(1, most) + 3, y + BAR - 1, colours[p % 12], status_names[of->status]);
            continue;
        }
        double ratio = of->seconds / least, x = position(ratio, most);
        fprintf(f,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n"
                "<text x=\"%.1f\" y=\"%d\" font-size=\"8\">%.3g</text>\n",
                LEFT, y, x - LEFT, BAR - 1, colours[p % 12], x + 3, y + BAR - 1, ratio);
    }
}

bool chart_write(const struct results *r, const char *path) {
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    int row = (int)r->npeers * BAR + GAP, bottom = TOP + (int)r->ntests * row, y = bottom + 36;
    double most = largest(r);
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"%d\" y=\"16\">time / time of hand-written code (*: of the fastest); shorter is better"
            "</text>\n",
            LEFT + WIDTH + 60, y + 16 * (int)r->npeers + 8, LEFT);
    axis(f, most, bottom);
    for (unsigned t = 0; t < r->ntests; t++)
        bars(f, r, t, most, TOP + (int)t * row);
    for (unsigned p = 0; p < r->npeers; p++, y += 16)
        fprintf(
            f,
            "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"10\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s: %s"
            "</text>\n",
            LEFT, y, colours[p % 12], LEFT + 18, y + 9, r->labels[p], r->peers[p]);
    fprintf(f, "</svg>\n");
    return fclose(f) == 0;
}

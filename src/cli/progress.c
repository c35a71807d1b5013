/* progress.c: a bar on the terminal while something takes long. Silent for the first second, where standard error is no
 * terminal, with NO_COLOR, and on terminals that can't go back in a line. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CELLS = 30, SILENT_NS = 1000000000, EVERY_NS = 200000000 };

static bool is_wanted(void) {
    const char *terminal = getenv("TERM");
    return wants_colour(STDERR_FILENO) && terminal && *terminal;
}

struct progress progress_begin(const char *what) {
    return (struct progress){.what = what, .wanted = is_wanted(), .next_ns = time_ns() + SILENT_NS};
}

void progress_show(struct progress *p, uint64_t done, uint64_t total) {
    if (!p->wanted)
        return;
    uint64_t now = time_ns();
    if (now < p->next_ns)
        return;
    p->next_ns = now + EVERY_NS;
    p->is_shown = true;
    int cells = total ? (int)((double)done / (double)total * CELLS) : 0;
    fprintf(stderr, "\r\033[K%s [%.*s%*s] %llu of %llu", p->what, cells, "##############################",
            CELLS - cells, "", (unsigned long long)done, (unsigned long long)total);
    fflush(stderr);
}

void progress_end(struct progress *p) {
    if (p->is_shown)
        fputs("\r\033[K", stderr);
    p->is_shown = false;
}

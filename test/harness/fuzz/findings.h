/* findings.h: what the checker tells a fuzzer, in a file that the fuzzer's process makes and its children write. */
#ifndef WEIR_FUZZ_FINDINGS_H
#define WEIR_FUZZ_FINDINGS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

void findings_begin(void); /* before the first child */
void findings_end(void);

/* In a child: from here on programs are checked, and what is told goes to the file alone. */
void findings_collect(void);

off_t findings_size(void); /* in bytes, so far */

/* Which of the `n` kinds have been told since the file had `before` bytes, a bit for each; bit `n` is another kind. */
unsigned findings_since(off_t before, const char *const *kinds, unsigned n);

/* The same as the checker writes it, to stdout. */
void findings_show(off_t before);

#endif

/* finding.c: the words for the kinds of the checker's findings. */
#include "finding.h"

const struct finding_words finding_words[FINDING_KINDS_COUNT] = {
#define X(id, name, summary, help) {name, summary, help},
    FINDING_KINDS(X)
#undef X
};

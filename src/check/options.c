/* options.c: how the checker takes what programs leave open: WEIR_CHECK_OPTIONS. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

static struct check_options options;

static void parse(void) {
    static const struct {
        const char *name;
        bool *is_set;
    } flags[] = {{"strict-scope", &options.strict_scope}, {"strict-writes", &options.strict_writes}};
    const char *text = env_get()->check_options;
    while (text && *text) {
        size_t n = strcspn(text, ", ");
        bool known = n == 0;
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
            if (strlen(flags[i].name) == n && !strncmp(flags[i].name, text, n))
                known = *flags[i].is_set = true;
        if (n >= 8 && !strncmp(text, "lockstep", 8) && (n == 8 || text[8] == '=')) {
            char *end = NULL;
            unsigned long lanes = n > 8 ? strtoul(text + 9, &end, 10) : 0;
            known = n == 8 || (end == text + n && lanes >= 2 && lanes <= WEIR_MAX_ITEMS);
            options.lockstep = known ? n > 8 ? (uint32_t)lanes : CHECK_SUBGROUP : options.lockstep;
        }
        if (!known)
            log_write(LOG_WARN,
                      "WEIR_CHECK_OPTIONS: '%.*s' isn't strict-scope, strict-writes, lockstep or "
                      "lockstep=N, N from 2 to %d",
                      (int)n, text, WEIR_MAX_ITEMS);
        text += n + (text[n] != 0);
    }
}

const struct check_options *check_options(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, parse);
    return &options;
}

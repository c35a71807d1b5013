/* env.c: Weir's environment variables, parsed once at the first use. docs/environment.md documents them.
 *
 * A value that makes no sense is reported (if WEIR_LOG allows) and ignored. Privileged programs (setuid)
 * see no variables at all: they name files and programs.
 */
#define _GNU_SOURCE
#include "base.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All settings, without their WEIR_: those that are parsed here by a function, in this order; numbers, with the field of
 * struct env, the default, the least and the most; files. */
#define SETTINGS(PARSED, NUMBER, PATH)                                                                       \
    PARSED(LOG, parse_log)                                                                                   \
    PARSED(LOG_FORMAT, parse_log_format)                                                                     \
    PARSED(CACHE_DIR, parse_cache_dir)                                                                       \
    PARSED(CPU, parse_cpu)                                                                                   \
    PARSED(REPORT, parse_report)                                                                             \
    PARSED(WIDTH, parse_width)                                                                               \
    PARSED(PROFILE_BY, parse_profile_by)                                                                     \
    PARSED(CHECK_OPTIONS, parse_check_options)                                                               \
    NUMBER(CACHE_SIZE, cache_size, 1024, 16, 1u << 20)                                                       \
    NUMBER(CU, cu, 0, 1, 4096)                                                                               \
    NUMBER(COMPILE_PATIENCE, patience, 5000, 0, 86400000)                                                    \
    NUMBER(COMPILE_RETRY, retry, 1, 0, 1)                                                                    \
    NUMBER(BUILD_TIMEOUT, build_timeout, 120, 1, 86400)                                                      \
    NUMBER(COMPILER_MEMORY, compiler_memory, 0, 64, 1u << 30)                                                \
    NUMBER(SPECIALIZE, specialize, 1, 0, 1)                                                                  \
    NUMBER(DEBUG, debug, 0, 0, 1)                                                                            \
    NUMBER(FAULT, fault, 0, 0, 1)                                                                            \
    NUMBER(CHECK, check, 0, 0, 1)                                                                            \
    NUMBER(CHECK_EXIT, check_exit, 0, 0, 255)                                                                \
    NUMBER(CHECK_DEADLOCK, check_deadlock, 10000, 0, 86400000)                                               \
    NUMBER(TRACE_MEMORY, trace_memory, 256, 1, 65536)                                                        \
    PATH(TRACE, trace)                                                                                       \
    PATH(PROFILE, profile)                                                                                   \
    PATH(CHECK_REPORT, check_report)                                                                         \
    PATH(CHECK_SUPPRESS, check_suppress)                                                                     \
    PATH(CHECK_NOTES, check_notes)                                                                           \
    PATH(COMPILER, compiler)

static struct env env;
static char cache_path[4096];

static bool is_quiet;
static struct buf complaints;

void env_quiet(void) {
    is_quiet = true;
}

/* Logging itself asks env_get(): while parsing, messages go out directly. */
static void complain(const char *name, const char *value, const char *wanted) {
    struct buf text = {0};
    buf_printf(&text, "%s=%s is ignored: expected %s", name, value, wanted);
    const char *s = buf_cstr(&text);
    if (s && env.log >= LOG_WARN && !is_quiet)
        log_line(env.log_json, LOG_WARN, s);
    if (s)
        buf_printf(&complaints, "%s\n", s);
    buf_free(&text);
}

static void parse_log(void) {
    static const char *const names[] = {"none", "error", "warn", "info", "debug"};
    const char *value = secure_getenv("WEIR_LOG");
    if (!value || !*value)
        return;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(value, names[i])) {
            env.log = (enum log_level)i;
            return;
        }
    env.log = LOG_WARN; /* whoever sets it wants to see something */
    complain("WEIR_LOG", value, "none, error, warn, info or debug");
}

/* `parse` has looked for json, so that it is known before anything is complained about. */
static void parse_log_format(void) {
    const char *value = secure_getenv("WEIR_LOG_FORMAT");
    if (value && *value && !env.log_json && strcmp(value, "text"))
        complain("WEIR_LOG_FORMAT", value, "text or json");
}

static unsigned number(const char *name, unsigned otherwise, unsigned min, unsigned max) {
    const char *value = secure_getenv(name);
    if (!value || !*value)
        return otherwise;
    char *end;
    errno = 0;
    unsigned long n = strtoul(value, &end, 10);
    if (*value >= '0' && *value <= '9' && !*end && !errno && n >= min && n <= max)
        return (unsigned)n;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "a number from %u to %u", min, max);
    complain(name, value, wanted);
    return otherwise;
}

bool env_is_cpu(const char *name) {
    static const char *const levels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (!strcmp(name, levels[i]))
            return true;
    return false;
}

static void parse_cpu(void) {
    const char *value = secure_getenv("WEIR_CPU");
    if (!value || !*value || !strcmp(value, "native"))
        return;
    if (env_is_cpu(value))
        env.cpu = strdup(value);
    else
        complain("WEIR_CPU", value, "native, x86-64, x86-64-v2, x86-64-v3 or x86-64-v4");
}

static void parse_report(void) {
    static const struct {
        const char *value;
        enum report_kind kind;
    } values[] = {{"", REPORT_NONE},  {"0", REPORT_NONE},    {"none", REPORT_NONE},
                  {"1", REPORT_TEXT}, {"text", REPORT_TEXT}, {"json", REPORT_JSON}};
    const char *value = secure_getenv("WEIR_REPORT");
    for (size_t i = 0; value && i < sizeof values / sizeof *values; i++)
        if (!strcmp(value, values[i].value)) {
            env.report = values[i].kind;
            return;
        }
    if (value)
        complain("WEIR_REPORT", value, "0, 1, text or json");
}

static void parse_width(void) {
    unsigned n = number("WEIR_WIDTH", 0, 1, 64);
    if (n & (n - 1))
        complain("WEIR_WIDTH", secure_getenv("WEIR_WIDTH"), "a power of two");
    else
        env.width = n;
}

/* One of WEIR_CHECK_OPTIONS, of n bytes. */
static bool take_check_option(const char *text, size_t n) {
    static const char lockstep[] = "lockstep";
    size_t name = sizeof lockstep - 1;
    if (n == strlen("strict-scope") && !strncmp(text, "strict-scope", n))
        return env.check_options.strict_scope = true;
    if (n == strlen("strict-writes") && !strncmp(text, "strict-writes", n))
        return env.check_options.strict_writes = true;
    if (n < name || strncmp(text, lockstep, name) || (n > name && text[name] != '='))
        return false;
    char *end = NULL;
    unsigned long lanes = n > name ? strtoul(text + name + 1, &end, 10) : CHECK_SUBGROUP;
    if (n > name && (end != text + n || lanes < 2 || lanes > CHECK_LOCKSTEP_MOST))
        return false;
    env.check_options.lockstep = (uint32_t)lanes;
    return true;
}

static void parse_check_options(void) {
    const char *text = secure_getenv("WEIR_CHECK_OPTIONS");
    while (text && *text) {
        size_t n = strcspn(text, ", ");
        char *word = n && !take_check_option(text, n) ? strndup(text, n) : NULL;
        char wanted[100];
        snprintf(wanted, sizeof wanted, "strict-scope, strict-writes, lockstep or lockstep=N, N from 2 to %d",
                 CHECK_LOCKSTEP_MOST);
        if (word)
            complain("WEIR_CHECK_OPTIONS", word, wanted);
        free(word);
        text += n + (text[n] != 0);
    }
}

static void parse_profile_by(void) {
    const char *value = secure_getenv("WEIR_PROFILE_BY");
    if (value && !strcmp(value, "timer"))
        env.profile_by = PROFILE_TIMER;
    else if (value && *value && strcmp(value, "perf"))
        complain("WEIR_PROFILE_BY", value, "perf or timer");
}

static void parse_cache_dir(void) {
    const char *own = secure_getenv("WEIR_CACHE_DIR");
    const char *xdg = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    int n = 0;
    if (own)
        n = snprintf(cache_path, sizeof cache_path, "%s", own);
    else if (xdg && xdg[0] == '/')
        n = snprintf(cache_path, sizeof cache_path, "%s/weir", xdg);
    else if (home && home[0] == '/' && !access(home, F_OK)) /* /nonexistent stays so, for root, too */
        n = snprintf(cache_path, sizeof cache_path, "%s/.cache/weir", home);
    if (n >= (int)sizeof cache_path) {
        cache_path[0] = 0;
        complain(own ? "WEIR_CACHE_DIR" : "HOME", "...", "a shorter path");
    }
    env.cache_dir = cache_path;
}

/* A copy: setenv may free what getenv gave. */
static const char *path(const char *name) {
    const char *value = secure_getenv(name);
    return value && *value ? strdup(value) : NULL;
}

#define PARSE(name, function)                       function();
#define NUMBER(name, field, otherwise, least, most) env.field = number("WEIR_" #name, otherwise, least, most);
#define PATH(name, field)                           env.field = path("WEIR_" #name);
static void parse(void) {
    const char *format = secure_getenv("WEIR_LOG_FORMAT");
    env.log_json = format && !strcmp(format, "json");
    SETTINGS(PARSE, NUMBER, PATH)
}

const struct env *env_get(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, parse);
    return &env;
}

const char *env_complaints(void) {
    env_get();
    const char *text = complaints.size ? buf_cstr(&complaints) : "";
    return text ? text : "";
}

const char *env_unknown(size_t *i) {
#define NAME(name, ...) #name,
    static const char *const known[] = {SETTINGS(NAME, NAME, NAME)};
    for (; environ[*i]; ++*i) {
        const char *name = environ[*i];
        size_t n = strcspn(name, "="), k = 0;
        while (k < sizeof known / sizeof *known &&
               (strlen(known[k]) + 5 != n || strncmp(name + 5, known[k], n - 5)))
            k++;
        if (!strncmp(name, "WEIR_", 5) && strncmp(name, "WEIR_TEST_", 10) &&
            k == sizeof known / sizeof *known)
            return environ[(*i)++];
    }
    return NULL;
}

char *env_file_name(const char *name) {
    const char *mark = strstr(name, "%p");
    char *path = NULL;
    if (!mark)
        return strdup(name);
    if (asprintf(&path, "%.*s%d%s", (int)(mark - name), name, (int)getpid(), mark + 2) < 0)
        return NULL;
    return path;
}

bool wants_colour(int fd) {
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(fd) && !(no && *no) && !(terminal && !strcmp(terminal, "dumb"));
}

/* dependence.c: whether a program's IR depends on more than its request: on files or on the clock. Such an answer
 * isn't kept in the cache.
 *
 * Files that were read stand in the rule that clang writes for make. What leaves no trace there are the macros that
 * tell the time or ask whether a file exists ("the world"). Programs that don't spell one of them are compiled
 * without them. One that makes such a name all the same, by pasting tokens, fails to compile, and clang's message holds
 * the name: it is compiled again with them.
 */
#include "frontend.h"

#include <string.h>

static const char *const macros[] = {"__DATE__",      "__TIME__",           "__TIMESTAMP__",
                                     "__has_include", "__has_include_next", "__has_embed"};
enum { MACROS = sizeof macros / sizeof *macros };

/* ---- macros ------------------------------------------------------------------------------------------------- */

/* The end of the line splice at `s`: a backslash, or its trigraph, and what may stand before the line's end. `s` if
 * there is none. */
static const char *skip_splice(const char *s, const char *end) {
    const char *p = s;
    if (end - p >= 1 && *p == '\\')
        p++;
    else if (end - p >= 3 && !memcmp(p, "?\?/", 3))
        p += 3;
    else
        return s;
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\v' || *p == '\f'))
        p++;
    if (p == end || (*p != '\n' && *p != '\r'))
        return s;
    char other = *p == '\n' ? '\r' : '\n';
    p++;
    return p < end && *p == other ? p + 1 : p;
}

/* Whether the word stands at `s`, be it cut by splices. */
static bool starts_with(const char *s, const char *end, const char *word) {
    for (; *word; word++) {
        for (const char *next; (next = skip_splice(s, end)) != s;)
            s = next;
        if (s == end || *s != *word)
            return false;
        s++;
    }
    return true;
}

bool dependence_names_world(struct blob text) {
    const char *s = text.data, *end = s ? s + text.size : s;
    for (; s && (s = memchr(s, '_', (size_t)(end - s))); s++)
        for (size_t i = 0; i < MACROS; i++)
            if (starts_with(s, end, macros[i]))
                return true;
    return false;
}

void dependence_hide_world(struct buf *out) {
    buf_printf(out, "#pragma clang diagnostic push\n"
                    "#pragma clang diagnostic ignored \"-Wbuiltin-macro-redefined\"\n");
    for (size_t i = 0; i < MACROS; i++)
        buf_printf(out, "#undef %s\n", macros[i]);
    buf_printf(out, "#pragma clang diagnostic pop\n");
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Whether the path names something in the folder: no part of it leads elsewhere. */
static bool is_within(const char *path, const char *folder) {
    size_t n = strlen(folder);
    return !strncmp(path, folder, n) && path[n] == '/' && !strstr(path, "/../");
}

/* Takes the next file name off a rule for make, without its escapes. False at the end. */
static bool next_name(const char **rule, char *name) {
    const char *s = *rule;
    char *to = name;
    while (*s == ' ' || *s == '\n' || (*s == '\\' && s[1] == '\n'))
        s++;
    for (; *s && *s != ' ' && *s != '\n'; s++) {
        if ((*s == '\\' && (s[1] == ' ' || s[1] == '#' || s[1] == '\\')) || (*s == '$' && s[1] == '$'))
            s++;
        *to++ = *s;
    }
    *to = 0;
    *rule = s;
    return to != name;
}

bool dependence_on_files(const char *rule, const char *const *folders) {
    const char *colon = strstr(rule, ": ");
    char *name = job_alloc(strlen(rule) + 1);
    for (rule = colon ? colon + 1 : rule; next_name(&rule, name);) {
        bool known = !strcmp(name, "<stdin>");
        for (const char *const *folder = folders; *folder && !known; folder++)
            known = is_within(name, *folder);
        if (!known)
            return true;
    }
    return false;
}

bool dependence_of_code(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
                    return true;
    return false;
}

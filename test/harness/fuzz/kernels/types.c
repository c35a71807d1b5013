/* types.c: OpenCL C's types, and a function of them that random kernels have. */
#include "kernels.h"

#include <stdio.h>

const struct base_type base_types[] = {
    {"uint", "uint", 4, UNSIGNED},    {"int", "uint", 4, SIGNED},        {"uchar", "uchar", 1, UNSIGNED},
    {"char", "uchar", 1, SIGNED},     {"ushort", "ushort", 2, UNSIGNED}, {"short", "ushort", 2, SIGNED},
    {"ulong", "ulong", 8, UNSIGNED},  {"long", "ulong", 8, SIGNED},      {"float", "uint", 4, FLOATING},
    {"double", "ulong", 8, FLOATING}, {"half", "ushort", 2, FLOATING},
};

const char *type_name(struct type t) {
    static const char *const numbers[] = {"", "", "2", "3", "4", "", "", "",  "8",
                                          "", "", "",  "",  "",  "", "", "16"};
    static char names[11][17][12];
    char *name = names[t.base][t.n];
    snprintf(name, sizeof names[0][0], "%s%s", base_types[t.base].name, numbers[t.n]);
    return name;
}

unsigned type_size(struct type t) {
    return (unsigned)base_types[t.base].size * (t.n == 3 ? 4 : t.n);
}

const char *fit_function(struct type t) {
    const char *name = type_name(t);
    return text_of("%s OVERLOADABLE fit(%s x) {\n    return (x < (%s)500 %s x > (%s)-500) ? x : (%s)17;\n}\n",
                   name, name, name, t.n == 1 ? "&&" : "&", name, name);
}

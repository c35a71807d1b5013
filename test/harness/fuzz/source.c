#include "source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static char text[1 << 20];
static size_t used;

void source_begin(void) {
    used = 0;
    *text = 0;
}

void put(const char *format, ...) {
    va_list args;
    va_start(args, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
    if (used >= sizeof text) {
        fprintf(stderr, "a kernel's source doesn't fit\n");
        abort();
    }
}

const char *source_text(void) {
    return text;
}

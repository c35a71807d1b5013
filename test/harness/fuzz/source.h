/* source.h: the OpenCL C that a generator writes, one text at a time. */
#ifndef WEIR_FUZZ_SOURCE_H
#define WEIR_FUZZ_SOURCE_H

void source_begin(void); /* forgets the last text */
/* Adds to the text; one that grows beyond a MiB aborts. */
void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *source_text(void); /* what was put since source_begin, until the next one */

#endif

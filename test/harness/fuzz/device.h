/* device.h: the device that a fuzzer tests, and what it makes on it. In: OCL_ICD_VENDORS; FUZZ_ANY_PLATFORM=1 takes another
 * implementation than Weir, to try the fuzzer itself. */
#ifndef WEIR_FUZZ_DEVICE_H
#define WEIR_FUZZ_DEVICE_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <stdbool.h>

extern struct opened {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in order */
} cl;

/* Ends the process with a message where the call has failed. */
void must(cl_int error, const char *what);

/* Sets `cl` to the first device of the first platform, which must be Weir's: else the process ends. The first process of a
 * fuzzer prints which it is. */
void device_find(void);

/* The same with a context and a queue. */
void device_open(void);
void device_close(void);

/* NULL: it doesn't build; the log is printed unless `quiet`. */
cl_program program_new(const char *text, const char *options, bool quiet);
cl_program program_build(cl_program, const char *options, bool quiet); /* releases what doesn't build */
cl_mem buffer_new(size_t bytes, const void *content);                  /* content NULL: nothing in it */

#endif

/* objects.h: what a random sequence of API calls holds, and arguments for its calls (test/fuzz/api.c).
 * In: the sequence's random numbers (session.h). Out: objects of a kind, alive or not; numbers, wait lists, pieces of
 * buffers. */
#ifndef WEIR_FUZZ_OBJECTS_H
#define WEIR_FUZZ_OBJECTS_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "device.h"
#include "session.h"
#include <CL/cl_ext.h>

enum { ROOM = 12, HOST = 1 << 16 };
extern unsigned char host[HOST];

/* ---- the objects of a sequence ---- */

enum kind { DEVICE, CONTEXT, QUEUE, MEM, SAMPLER, PROGRAM, KERNEL, EVENT, KINDS };
extern struct object {
    void *handle;
    cl_context context;
    size_t size;  /* buffers */
    bool is_gate; /* user events that aren't set */
    void *mapped;
} objects[KINDS][ROOM];
extern struct allocation {
    void *p;
    cl_context context;
} svm[ROOM];
extern int live_contexts;
extern cl_int (*const releases[KINDS])(void *);

struct object *free_place(enum kind); /* NULL: there is no room */
struct object *any(enum kind);        /* NULL: there is none */
bool exists(enum kind);
void *handle(enum kind); /* mostly an object of this kind; sometimes NULL, or one of another kind */
struct object *object_of(void *handle, enum kind);

/* An error code that no call has, or one beside an object. */
void check_made(const void *made, cl_int e, const char *what);
void check(cl_int e, const char *what);

/* Keeps what was made, or releases it where there is no room. */
struct object *keep(enum kind, void *made, cl_context);
void keep_event(cl_event, cl_context);
void open_gates(void);
void finish_all(void);

/* ---- arguments ---- */

size_t number(void);
size_t near_or_far(void); /* small, or more than any buffer has: what lies between would be copied */
cl_uint enum_near(cl_uint first, cl_uint n);

/* A wait list, good or bad. */
struct waiting {
    cl_uint n;
    cl_event list[4];
};
struct waiting wait_list(void);
#define WAIT       w.n ^ (cl_uint)one_in(64), w.n ? w.list : NULL
#define WITH_EVENT one_in(2) ? &event : NULL

/* An offset and a size, inside of `o` mostly; where the call might be valid, no more than the host's memory. */
void piece(const struct object *o, size_t *offset, size_t *size);

/* svm.c, queries.c: calls of one kind. */
void free_svm(uint32_t i); /* of `svm` */
void do_svm(void);
void do_usm(void);
void do_query(void);

#endif

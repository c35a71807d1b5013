/* driver.h: the compiler process: its server, and the table of passes. */
#ifndef WEIR_KC_DRIVER_H
#define WEIR_KC_DRIVER_H

#include "kernel.h"

/* ---- server.c: many requests, one process at a time each ------------------------------------------------------------- */

/* Serves request connections received over the control socket until its end. Returns main's status. */
int server_run(int control);

/* ---- pipeline.c: kernel IR to code ---- */

/* Program IR to a module with one WEIR_KERNEL_SYMBOL, optimized and ready to emit. */
void pipeline_kernel(struct job *, LLVMModuleRef, const struct program_meta *);
/* weirc --print-after=ROW, --stop-after=ROW; NULL: none */
extern const char *pipeline_print_after, *pipeline_stop_after;
bool pipeline_has(const char *row); /* in the table of passes */
extern bool pipeline_verify;        /* after each row; it costs a tenth of the time */

void link_pass(struct kernel *); /* pipeline.c */

#endif

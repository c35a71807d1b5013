/* fork_server.h: what the compiler and its fork server (src/forkserver) tell each other. */
#ifndef WEIR_FORK_SERVER_H
#define WEIR_FORK_SERVER_H

#include <stdint.h>

#define FORK_SERVER_FILE "weir-forkserver.so"

/* An order to run the program once, written to its descriptor 3. The numbers are descriptors of its parent: a file of
 * arguments, and what are its standard input, output and errors. */
struct fork_order {
    int32_t is_rehearsal; /* 1: in the server itself, before the first fork */
    int32_t arguments, input, output, errors;
    int32_t parent;  /* as /proc numbers it */
    int32_t seconds; /* of processor time that the run may take, after which SIGXCPU ends it; 0: no limit */
};

/* The answer, on its standard output: what waitpid says of the run, or the errno that kept it from running. */
struct fork_answer {
    int32_t status, error;
};

/* In weirc that stands alone (src/standalone): makes this process a server of runs of `main`; does not return. */
int __attribute__((weak)) fork_server_main(int (*main)(int, char **, char **), int argc, char **argv,
                                           char **environment);

#endif

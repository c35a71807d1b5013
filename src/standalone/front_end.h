/* front_end.h: clang's front end inside weirc, in builds that stand alone (scripts/standalone.mk). */
#ifndef WEIR_FRONT_END_H
#define WEIR_FRONT_END_H

#ifdef __cplusplus
extern "C"
#endif
    /* `clang -cc1` with these arguments, of which argv[2] on are cc1's; an "@FILE" among them holds more. Returns its exit
 * status. The symbol is weak: other builds lack it, and run clang as a program of its own. */
    int __attribute__((weak)) front_end_main(int argc, char **argv, char **environment);

#endif

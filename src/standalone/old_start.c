/* old_start.c: the way from the first instruction of a program to main(), for C libraries before 2.34.
 *
 * The start file of the machine that builds calls the function of that name as 2.34 has it, which runs the program's
 * constructors itself. Before, the program did that.
 */
typedef int main_function(int, char **, char **);
typedef void constructor(int, char **, char **);

extern constructor *__init_array_start[] __attribute__((visibility("hidden")));
extern constructor *__init_array_end[] __attribute__((visibility("hidden")));

typedef int start_function(main_function *, int, char **, constructor *, void (*)(void), void (*)(void),
                           void *);
start_function old_start, __libc_start_main;
__asm__(".symver old_start,__libc_start_main@GLIBC_2.2.5");

static void construct(int argc, char **argv, char **environment) {
    for (constructor **at = __init_array_start; at < __init_array_end; at++)
        (*at)(argc, argv, environment);
}

int __libc_start_main(main_function *main, int argc, char **argv, constructor *init, void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end) {
    return old_start(main, argc, argv, construct, fini, loader_fini, stack_end);
}

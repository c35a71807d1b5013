/* math_relaxed.c: mathematical functions of floats with the build options that allow for less: they keep their bounds. */
#include "builtin.h"

int main(int argc, char **argv) {
    static const char *const options[] = {"-cl-fast-relaxed-math", "-cl-finite-math-only",
                                          "-cl-denorms-are-zero",
                                          "-cl-unsafe-math-optimizations -cl-mad-enable"};
    int failed = 0;
    for (int i = 0; i < 4; i++) {
        failed |= math_main(argc, argv, FLOAT, FORMS_FEW, options[i]);
    }
    return failed;
}

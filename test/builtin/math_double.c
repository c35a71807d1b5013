/* math_double.c: mathematical functions of doubles in all forms. */
#include "builtin.h"

int main(int argc, char **argv) {
    return math_main(argc, argv, DOUBLE, FORMS_ALL, "") |
           math_main(argc, argv, DOUBLE, FORMS_POINTERS, "-cl-std=CL1.2");
}

/* math_float.c: mathematical functions of floats in all forms. */
#include "builtin.h"

int main(int argc, char **argv) {
    return math_main(argc, argv, FLOAT, FORMS_ALL, "") |
           math_main(argc, argv, FLOAT, FORMS_POINTERS, "-cl-std=CL1.2");
}

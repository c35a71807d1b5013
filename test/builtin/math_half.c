/* math_half.c: mathematical functions of half numbers in all forms; those of one number for each that there is. */
#include "builtin.h"

int main(int argc, char **argv) {
    return math_main(argc, argv, HALF, FORMS_ALL, "") |
           math_main(argc, argv, HALF, FORMS_POINTERS, "-cl-std=CL1.2") |
           (argc < 2 && math_main(argc, argv, HALF, FORMS_ONE, ""));
}

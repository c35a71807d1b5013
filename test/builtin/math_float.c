/* math_float.c: mathematical functions of floats. */
#include "builtin.h"

int main(int argc, char **argv) {
    return math_main(argc, argv, FLOAT, "");
}

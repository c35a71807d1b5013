/* math_double.c: mathematical functions of doubles. */
#include "builtin.h"

int main(int argc, char **argv) {
    return math_main(argc, argv, DOUBLE, "");
}

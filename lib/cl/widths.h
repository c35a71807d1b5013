/* widths.h: includes FILE once for float and once for each of its vectors, so that a function is written once, without
 * the backslashes of a macro. In: FILE, a file of this folder. There N is the width (nothing for float), F, U and I are
 * the types of float, uint and int of this width, and a comparison of them can choose between two values by ?: at any
 * width, if both have the type F, U or I. What a file shares between widths stands before it includes this one. */
#include "weir.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define F           JOIN(float, N)
#define U           JOIN(uint, N)
#define I           JOIN(int, N)

#define BITS(x)     __builtin_astype(x, U)
#define FLOAT(bits) __builtin_astype(bits, F)

#define fma(a, b, c) __builtin_elementwise_fma((F)(a), (F)(b), (F)(c))
#define fabs(x)      __builtin_elementwise_abs(x)
#define rint(x)      __builtin_elementwise_rint(x)
#define trunc(x)     __builtin_elementwise_trunc(x)

#define N
#define CONVERT(x, T) ((T)(x))
#include FILE
#undef CONVERT
#define CONVERT(x, T) __builtin_convertvector(x, T)
#undef N
#define N 2
#include FILE
#undef N
#define N 3
#include FILE
#undef N
#define N 4
#include FILE
#undef N
#define N 8
#include FILE
#undef N
#define N 16
#include FILE

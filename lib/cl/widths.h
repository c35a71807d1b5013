/* widths.h: includes FILE once for float and once for each of its vectors, so that a function is written once, without
 * the backslashes of a macro. In: FILE, a file of this folder, which includes this one where N isn't defined. There N is
 * the width (nothing for float), F, U and I are the types of float, uint and int of this width, and a comparison of
 * them chooses between two values of these types by ?: at any width; so do H, S and US, those of half, short and ushort.
 * With DOUBLES defined F, U and I are those of double, ulong and long. SIGN is the bit that says negative, TOP its number. */
#ifndef WEIR_CL_WIDTHS_H
#define WEIR_CL_WIDTHS_H

#include "weir.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#ifdef DOUBLES
#define F    JOIN(double, N)
#define U    JOIN(ulong, N)
#define I    JOIN(long, N)
#define TYPE "d"
#define SIGN 0x8000000000000000 /* bit of a number */
#define TOP  63
#else
#define F    JOIN(float, N)
#define U    JOIN(uint, N)
#define I    JOIN(int, N)
#define TYPE "f"
#define SIGN 0x80000000
#define TOP  31
#endif
#define H           JOIN(half, N)
#define S           JOIN(short, N)
#define US          JOIN(ushort, N)

#define BITS(x)     __builtin_astype(x, U)
#define FLOAT(bits) __builtin_astype(bits, F)

#define fma(a, b, c) __builtin_elementwise_fma((F)(a), (F)(b), (F)(c))
#define fabs(x)      __builtin_elementwise_abs(x)
#define rint(x)      __builtin_elementwise_rint(x)
#define trunc(x)     __builtin_elementwise_trunc(x)

#define N
#define CODE          TYPE /* the type's in the names of functions */
#define CONVERT(x, T) ((T)(x))
#define IS_VECTOR     0
#define SOME(truth)   (truth) /* is a comparison true anywhere? */
#include FILE
#undef CONVERT
#undef SOME
#undef IS_VECTOR
#define IS_VECTOR     1
#define CONVERT(x, T) __builtin_convertvector(x, T)
#define SOME(truth)   __builtin_reduce_or(truth)
#undef N
#undef CODE
#define N    2
#define CODE "Dv2_" TYPE
#include FILE
#undef N
#undef CODE
#define N    3
#define CODE "Dv3_" TYPE
#include FILE
#undef N
#undef CODE
#define N    4
#define CODE "Dv4_" TYPE
#include FILE
#undef N
#undef CODE
#define N    8
#define CODE "Dv8_" TYPE
#include FILE
#undef N
#undef CODE
#define N    16
#define CODE "Dv16_" TYPE
#include FILE

#endif

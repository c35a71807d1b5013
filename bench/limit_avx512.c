/* limit_avx512.c: what limit_body.h needs, with 16 lanes of AVX-512. */
#include "bench.h"

#include <immintrin.h>

enum { LANES = 16 };
typedef __m512 vec;
typedef __m512i ivec;
typedef __mmask16 mask;

#define v_load(p)         _mm512_loadu_ps(p)
#define v_store(p, x)     _mm512_storeu_ps(p, x)
#define v_set(x)          _mm512_set1_ps(x)
#define v_add(a, b)       _mm512_add_ps(a, b)
#define v_sub(a, b)       _mm512_sub_ps(a, b)
#define v_mul(a, b)       _mm512_mul_ps(a, b)
#define v_div(a, b)       _mm512_div_ps(a, b)
#define v_fma(a, b, c)    _mm512_fmadd_ps(a, b, c)
#define v_fnma(a, b, c)   _mm512_fnmadd_ps(a, b, c)
#define v_max(a, b)       _mm512_max_ps(a, b)
#define v_sqrt(a)         _mm512_sqrt_ps(a)
#define v_rsqrt(a)        _mm512_rsqrt14_ps(a)
#define v_to_int(a)       _mm512_cvtps_epi32(a)
#define v_from_int(a)     _mm512_cvtepi32_ps(a)
#define v_bits(a)         _mm512_castps_si512(a)
#define v_float(a)        _mm512_castsi512_ps(a)
#define i_load(p)         _mm512_loadu_si512(p)
#define i_store(p, x)     _mm512_storeu_si512(p, x)
#define i_set(x)          _mm512_set1_epi32(x)
#define i_add(a, b)       _mm512_add_epi32(a, b)
#define i_sub(a, b)       _mm512_sub_epi32(a, b)
#define i_left(a, n)      _mm512_slli_epi32(a, n)
#define i_right(a, n)     _mm512_srai_epi32(a, n)
#define v_min(a, b)       _mm512_min_ps(a, b)
#define v_floor(a)        _mm512_roundscale_ps(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC)
#define v_gather(p, i)    _mm512_i32gather_ps(i, p, 4)
#define i_gather(p, i)    _mm512_i32gather_epi32(i, p, 4)
#define i_mul(a, b)       _mm512_mullo_epi32(a, b)
#define i_min(a, b)       _mm512_min_epi32(a, b)
#define i_max(a, b)       _mm512_max_epi32(a, b)
#define i_and(a, b)       _mm512_and_si512(a, b)
#define i_or(a, b)        _mm512_or_si512(a, b)
#define i_logical(a, n)   _mm512_srli_epi32(a, n)
#define m_positive(a)     _mm512_cmp_ps_mask(a, _mm512_setzero_ps(), _CMP_GT_OQ)
#define m_at_most(a, b)   _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ)
#define m_and(a, b)       ((mask)((a) & (b)))
#define m_any(m)          (m)
#define m_count(m, n)     _mm512_mask_add_epi32(n, m, n, _mm512_set1_epi32(1)) /* adds 1 where set */
#define m_select(m, a, b) _mm512_mask_blend_ps(m, b, a)
#define LIMITS            limits_avx512
#include "limit_body.h"

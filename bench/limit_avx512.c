/* limit_avx512.c: what limit_body.h needs, with 16 lanes of AVX-512. */
#include "bench.h"

#include <immintrin.h>

enum { LANES = 16 };
typedef __m512 vec;
typedef __m512i ivec;
typedef __mmask16 mask, imask;

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
#define i_umin(a, b)      _mm512_min_epu32(a, b)
#define i_umax(a, b)      _mm512_max_epu32(a, b)
#define i_xor(a, b)       _mm512_xor_si512(a, b)
#define i_permute(a, i)   _mm512_permutexvar_epi32(i, a)
#define i_next(a, b)      _mm512_alignr_epi32(b, a, 1)  /* a without its first lane, b's first */
#define i_previous(a, b)  _mm512_alignr_epi32(b, a, 15) /* a's last lane, b without its last */
#define i_select(m, a, b) _mm512_mask_blend_epi32(m, b, a)
#define im_equal(a, b)    _mm512_cmpeq_epi32_mask(a, b)
#define im_above(a, b)    _mm512_cmpgt_epi32_mask(a, b)
#define im_xor(a, b)      ((imask)((a) ^ (b)))
#define im_all            ((imask)0xffff)
#define im_none           ((imask)0)
#define LIMITS            limits_avx512

/* Lanes of a and b in turns: the first half of them, the second. */
static inline void v_interleave(vec a, vec b, vec *first, vec *second) {
    const ivec low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    *first = _mm512_permutex2var_ps(a, low, b);
    *second = _mm512_permutex2var_ps(a, _mm512_add_epi32(low, _mm512_set1_epi32(8)), b);
}

/* The other way round. */
static inline void v_deinterleave(vec a, vec b, vec *even, vec *odd) {
    const ivec places = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    *even = _mm512_permutex2var_ps(a, places, b);
    *odd = _mm512_permutex2var_ps(a, _mm512_add_epi32(places, _mm512_set1_epi32(1)), b);
}

#include "limit_body.h"

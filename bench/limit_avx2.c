/* limit_avx2.c: what limit_body.h needs, with 8 lanes of AVX2. */
#include "bench.h"

#include <immintrin.h>

enum { LANES = 8 };
typedef __m256 vec;
typedef __m256i ivec;
typedef __m256 mask;
typedef __m256i imask;

#define v_load(p)         _mm256_loadu_ps(p)
#define v_store(p, x)     _mm256_storeu_ps(p, x)
#define v_set(x)          _mm256_set1_ps(x)
#define v_add(a, b)       _mm256_add_ps(a, b)
#define v_sub(a, b)       _mm256_sub_ps(a, b)
#define v_mul(a, b)       _mm256_mul_ps(a, b)
#define v_div(a, b)       _mm256_div_ps(a, b)
#define v_fma(a, b, c)    _mm256_fmadd_ps(a, b, c)
#define v_fnma(a, b, c)   _mm256_fnmadd_ps(a, b, c)
#define v_max(a, b)       _mm256_max_ps(a, b)
#define v_sqrt(a)         _mm256_sqrt_ps(a)
#define v_rsqrt(a)        _mm256_rsqrt_ps(a)
#define v_to_int(a)       _mm256_cvtps_epi32(a)
#define v_from_int(a)     _mm256_cvtepi32_ps(a)
#define v_bits(a)         _mm256_castps_si256(a)
#define v_float(a)        _mm256_castsi256_ps(a)
#define i_load(p)         _mm256_loadu_si256((const ivec *)(p))
#define i_store(p, x)     _mm256_storeu_si256((ivec *)(p), x)
#define i_set(x)          _mm256_set1_epi32(x)
#define i_add(a, b)       _mm256_add_epi32(a, b)
#define i_sub(a, b)       _mm256_sub_epi32(a, b)
#define i_left(a, n)      _mm256_slli_epi32(a, n)
#define i_right(a, n)     _mm256_srai_epi32(a, n)
#define v_min(a, b)       _mm256_min_ps(a, b)
#define v_floor(a)        _mm256_floor_ps(a)
#define v_gather(p, i)    _mm256_i32gather_ps(p, i, 4)
#define i_gather(p, i)    _mm256_i32gather_epi32(p, i, 4)
#define i_mul(a, b)       _mm256_mullo_epi32(a, b)
#define i_min(a, b)       _mm256_min_epi32(a, b)
#define i_max(a, b)       _mm256_max_epi32(a, b)
#define i_and(a, b)       _mm256_and_si256(a, b)
#define i_or(a, b)        _mm256_or_si256(a, b)
#define i_logical(a, n)   _mm256_srli_epi32(a, n)
#define m_positive(a)     _mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_GT_OQ)
#define m_at_most(a, b)   _mm256_cmp_ps(a, b, _CMP_LE_OQ)
#define m_and(a, b)       _mm256_and_ps(a, b)
#define m_any(m)          _mm256_movemask_ps(m)
#define m_count(m, n)     _mm256_sub_epi32(n, _mm256_castps_si256(m)) /* adds 1 where set */
#define m_select(m, a, b) _mm256_blendv_ps(b, a, m)
#define i_umin(a, b)      _mm256_min_epu32(a, b)
#define i_umax(a, b)      _mm256_max_epu32(a, b)
#define i_xor(a, b)       _mm256_xor_si256(a, b)
#define i_permute(a, i)   _mm256_permutevar8x32_epi32(a, i)
#define i_middle(a, b)    _mm256_permute2x128_si256(a, b, 0x21)
#define i_next(a, b)      _mm256_alignr_epi8(i_middle(a, b), a, 4)  /* a without its first lane, b's first */
#define i_previous(a, b)  _mm256_alignr_epi8(b, i_middle(a, b), 12) /* a's last lane, b without its last */
#define i_select(m, a, b) _mm256_blendv_epi8(b, a, m)
#define im_equal(a, b)    _mm256_cmpeq_epi32(a, b)
#define im_above(a, b)    _mm256_cmpgt_epi32(a, b)
#define im_xor(a, b)      _mm256_xor_si256(a, b)
#define im_all            _mm256_set1_epi32(-1)
#define im_none           _mm256_setzero_si256()
#define LIMITS            limits_avx2

/* Lanes of a and b in turns: the first half of them, the second. */
static inline void v_interleave(vec a, vec b, vec *first, vec *second) {
    vec low = _mm256_unpacklo_ps(a, b), high = _mm256_unpackhi_ps(a, b);
    *first = _mm256_permute2f128_ps(low, high, 0x20);
    *second = _mm256_permute2f128_ps(low, high, 0x31);
}

/* The other way round. */
static inline void v_deinterleave(vec a, vec b, vec *even, vec *odd) {
    vec low = _mm256_permute2f128_ps(a, b, 0x20), high = _mm256_permute2f128_ps(a, b, 0x31);
    *even = _mm256_shuffle_ps(low, high, 0x88);
    *odd = _mm256_shuffle_ps(low, high, 0xdd);
}

#include "limit_body.h"

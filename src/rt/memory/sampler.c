/* sampler.c: samplers: creation and queries.
 *
 * In: properties. Out: objects with the 8 bytes of WEIR_SAMPLER_* that kernels get (abi.h). Launches copy them, so that
 * nothing holds a sampler but the application.
 */
#include "rt.h"

#include <math.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void sampler_destroy(void *object) {
    cl_sampler s = object;
    free(s->properties);
    object_drop(s->context);
    object_free(s);
}

/* ---- properties ---- */

/* As the properties have it, with the defaults. */
struct settings {
    cl_ulong normalized, address, filter, mip_filter, lod_min, lod_max; /* the last two: the bits of floats */
};

static float float_of(cl_ulong bits) {
    union {
        uint32_t u;
        float f;
    } word = {(uint32_t)bits};
    return word.f;
}

static cl_ulong bits_of(float f) {
    union {
        float f;
        uint32_t u;
    } word = {f};
    return word.u;
}

static const char *const names[] = {"CL_SAMPLER_NORMALIZED_COORDS", "CL_SAMPLER_ADDRESSING_MODE",
                                    "CL_SAMPLER_FILTER_MODE",       "CL_SAMPLER_MIP_FILTER_MODE_KHR",
                                    "CL_SAMPLER_LOD_MIN_KHR",       "CL_SAMPLER_LOD_MAX_KHR"};
static bool is_filter(cl_ulong v) {
    return v == CL_FILTER_NEAREST || v == CL_FILTER_LINEAR;
}

static bool is_number(cl_ulong bits) {
    return bits <= UINT32_MAX && (bits & INT32_MAX) <= 0x7f800000; /* no comparison, which signals for some */
}

static bool is_value(unsigned property, cl_ulong v) {
    switch (property) {
    case 0:
        return v == CL_TRUE || v == CL_FALSE;
    case 1:
        return v >= CL_ADDRESS_NONE && v <= CL_ADDRESS_MIRRORED_REPEAT;
    case 2:
    case 3:
        return is_filter(v);
    default:
        return is_number(v);
    }
}

static cl_int read_properties(const char *function, cl_context context, const cl_sampler_properties *p,
                              struct settings *s) {
    cl_ulong *const places[] = {&s->normalized, &s->address, &s->filter,
                                &s->mip_filter, &s->lod_min, &s->lod_max};
    unsigned seen = 0;
    for (; p && *p; p += 2) {
        unsigned i = (unsigned)(*p - CL_SAMPLER_NORMALIZED_COORDS);
        if (*p < CL_SAMPLER_NORMALIZED_COORDS || *p > CL_SAMPLER_LOD_MAX_KHR)
            return api_fail(context, function, CL_INVALID_VALUE, "samplers have no property 0x%llx",
                            (unsigned long long)*p);
        if (seen & 1u << i)
            return api_fail(context, function, CL_INVALID_VALUE, "%s is given twice", names[i]);
        if (!is_value(i, p[1]))
            return api_fail(context, function, CL_INVALID_VALUE, "%s can't be 0x%llx", names[i],
                            (unsigned long long)p[1]);
        seen |= 1u << i;
        *places[i] = p[1];
    }
    return CL_SUCCESS;
}

/* ---- what kernels get ---- */

/* Functions of their own compute in the default floating-point mode: who enters and leaves it has none of their instructions.
 * It is left before the application is called. */

/* A level of detail in 1/256 levels. */
static __attribute__((noinline)) uint64_t level_of(cl_ulong bits) {
    return (uint64_t)rintf(fminf(fmaxf(float_of(bits), 0), WEIR_MAX_LEVELS) * 256);
}

static uint64_t value_of(const struct settings *s) {
    struct float_mode mode = float_mode_enter();
    uint64_t value = 2 * (s->address - CL_ADDRESS_NONE);
    uint64_t least = level_of(s->lod_min), most = level_of(s->lod_max);
    float_mode_leave(mode);
    if (s->normalized)
        value |= WEIR_SAMPLER_NORMALIZED;
    value |= s->filter == CL_FILTER_LINEAR ? WEIR_SAMPLER_LINEAR : WEIR_SAMPLER_NEAREST;
    if (s->mip_filter == CL_FILTER_LINEAR)
        value |= WEIR_SAMPLER_MIP_LINEAR;
    return value | least << 32 | (most < WEIR_MAX_LEVELS * 256 ? most + 1 : 0) << 48;
}

static __attribute__((noinline)) bool is_most(float least, float most, char *text, size_t size) {
    if (least > most)
        snprintf(text, size, "%g, is above the most, %g", (double)least, (double)most);
    return least <= most;
}

/* Whether the least level of detail is at most the most; else `text` says what they are. */
static bool levels_are_ordered(const struct settings *s, char *text, size_t size) {
    struct float_mode mode = float_mode_enter();
    bool are = is_most(float_of(s->lod_min), float_of(s->lod_max), text, size);
    float_mode_leave(mode);
    return are;
}

/* ---- creation ---- */

static size_t count(const cl_sampler_properties *p) {
    size_t n = 1;
    for (; p[n - 1]; n += 2)
        ;
    return n;
}

/* Of settings that are right by themselves; `p` is kept for the query. */
static cl_int sampler_new(const char *function, cl_context context, const struct settings *settings,
                          const cl_sampler_properties *p, cl_sampler *result) {
    if (!settings->normalized && settings->address >= CL_ADDRESS_REPEAT)
        return api_fail(context, function, CL_INVALID_VALUE,
                        "CL_ADDRESS_REPEAT and CL_ADDRESS_MIRRORED_REPEAT are for normalized coordinates");
    char levels[64];
    if (!levels_are_ordered(settings, levels, sizeof levels))
        return api_fail(context, function, CL_INVALID_VALUE, "the least level of detail, %s", levels);
    cl_sampler s = object_alloc(sizeof *s);
    size_t n = p ? count(p) : 0;
    cl_sampler_properties *copy = n ? malloc(n * sizeof *copy) : NULL;
    if (!s || (n && !copy)) {
        object_free(s);
        free(copy);
        return api_fail(context, function, CL_OUT_OF_HOST_MEMORY, "no memory for a sampler");
    }
    if (n)
        memcpy(copy, p, n * sizeof *copy);
    object_init(s, OBJECT_SAMPLER, sampler_destroy);
    object_hold(context);
    s->context = context;
    s->value = value_of(settings);
    s->normalized = settings->normalized ? CL_TRUE : CL_FALSE;
    s->address = (cl_addressing_mode)settings->address;
    s->filter = (cl_filter_mode)settings->filter;
    s->mip_filter = (cl_filter_mode)settings->mip_filter;
    s->lod_min = float_of(settings->lod_min);
    s->lod_max = float_of(settings->lod_max);
    s->properties = copy;
    s->nproperties = n;
    *result = s;
    return CL_SUCCESS;
}

/* `kept`: whether the query gives the properties. */
static cl_sampler create(const char *function, cl_context context, const cl_sampler_properties *p, bool kept,
                         cl_int *errcode_ret) {
    struct settings settings = {CL_TRUE,           CL_ADDRESS_CLAMP, CL_FILTER_NEAREST,
                                CL_FILTER_NEAREST, bits_of(0),       bits_of(FLT_MAX)};
    cl_sampler sampler = NULL;
    cl_int error = context_check(function, context);
    if (!error)
        error = read_properties(function, context, p, &settings);
    if (!error)
        error = sampler_new(function, context, &settings, kept ? p : NULL, &sampler);
    if (errcode_ret)
        *errcode_ret = error;
    return sampler;
}

WEIR_API cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                              const cl_sampler_properties *properties,
                                                              cl_int *errcode_ret) {
    return create(__func__, context, properties, true, errcode_ret);
}

WEIR_API cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized,
                                                cl_addressing_mode address, cl_filter_mode filter,
                                                cl_int *errcode_ret) {
    const cl_sampler_properties p[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                       normalized,
                                       CL_SAMPLER_ADDRESSING_MODE,
                                       address,
                                       CL_SAMPLER_FILTER_MODE,
                                       filter,
                                       0};
    return create(__func__, context, p, false, errcode_ret);
}

/* ---- life and queries ---- */

WEIR_API cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
    return object_retain(sampler, OBJECT_SAMPLER, CL_INVALID_SAMPLER)
               ? HANDLE_FAIL(CL_INVALID_SAMPLER, "sampler", sampler)
               : CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
    return object_release(sampler, OBJECT_SAMPLER, CL_INVALID_SAMPLER)
               ? HANDLE_FAIL(CL_INVALID_SAMPLER, "sampler", sampler)
               : CL_SUCCESS;
}

static cl_int sampler_query(cl_sampler s, cl_sampler_info name, struct info_out out) {
    switch (name) {
    case CL_SAMPLER_REFERENCE_COUNT:
        return info_uint(out, atomic_load(&s->object.refs));
    case CL_SAMPLER_CONTEXT:
        return info_pointer(out, s->context);
    case CL_SAMPLER_NORMALIZED_COORDS:
        return info_uint(out, s->normalized);
    case CL_SAMPLER_ADDRESSING_MODE:
        return info_uint(out, s->address);
    case CL_SAMPLER_FILTER_MODE:
        return info_uint(out, s->filter);
    case CL_SAMPLER_MIP_FILTER_MODE_KHR:
        return info_uint(out, s->mip_filter);
    case CL_SAMPLER_LOD_MIN_KHR:
        return info_bytes(out, &s->lod_min, sizeof s->lod_min);
    case CL_SAMPLER_LOD_MAX_KHR:
        return info_bytes(out, &s->lod_max, sizeof s->lod_max);
    case CL_SAMPLER_PROPERTIES:
        return info_bytes(out, s->properties, s->nproperties * sizeof *s->properties);
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                             size_t param_value_size, void *param_value,
                                             size_t *param_value_size_ret) {
    if (!object_is(sampler, OBJECT_SAMPLER))
        return HANDLE_FAIL(CL_INVALID_SAMPLER, "sampler", sampler);
    cl_int error = sampler_query(sampler, param_name, INFO_OUT);
    return error ? INFO_FAIL(sampler->context, error) : CL_SUCCESS;
}

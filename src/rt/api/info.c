/* info.c: how every clGet*Info hands out its answer.
 *
 * In: the value, and where the application wants it (struct info_out). Out: CL_SUCCESS, or CL_INVALID_VALUE
 * when its room is too small.
 */
#include "rt.h"

#include <string.h>

/* The last answer of this thread that didn't fit: for the sentence about it. */
static _Thread_local struct {
    struct info_out out;
    size_t wanted;
} misfit;

size_t info_wanted(struct info_out out) {
    bool is_it = misfit.out.value == out.value && misfit.out.size == out.size;
    size_t wanted = is_it ? misfit.wanted : 0;
    misfit.wanted = 0;
    return wanted;
}

cl_int info_bytes(struct info_out out, const void *bytes, size_t n) {
    if (out.value) {
        if (out.size < n) {
            misfit.out = out;
            misfit.wanted = n;
            return CL_INVALID_VALUE;
        }
        if (n)
            memcpy(out.value, bytes, n);
    }
    if (out.size_ret)
        *out.size_ret = n;
    return CL_SUCCESS;
}

cl_int info_string(struct info_out out, const char *s) {
    return info_bytes(out, s ? s : "", s ? strlen(s) + 1 : 1);
}

cl_int info_uint(struct info_out out, cl_uint v) {
    return info_bytes(out, &v, sizeof v);
}

cl_int info_ulong(struct info_out out, cl_ulong v) {
    return info_bytes(out, &v, sizeof v);
}

cl_int info_size(struct info_out out, size_t v) {
    return info_bytes(out, &v, sizeof v);
}

cl_int info_pointer(struct info_out out, const void *p) {
    return info_bytes(out, &p, sizeof p);
}

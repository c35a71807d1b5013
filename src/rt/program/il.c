/* il.c: programs from SPIR-V: their creation, and specialization constants.
 *
 * The compiler reads modules (kc/spirv). Here they are only walked over: the lengths of their instructions have to fit, and
 * what the application sets is written over the default values of specialization constants, so that the compiler and the
 * cache see one module and nothing besides.
 */
#include "rt.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_WORDS 5
enum { MAGIC = 0x07230203, SWAPPED = 0x03022307, OLDEST = 0x10000, NEWEST = 0x10600 };
enum {
    TYPE_BOOL = 20,
    TYPE_INT = 21,
    TYPE_FLOAT = 22,
    SPEC_TRUE = 48,
    SPEC_FALSE = 49,
    SPEC_CONSTANT = 50,
    FUNCTION = 54,
    DECORATE = 71,
    SPEC_ID = 1,
};

/* The module in the host's order of bytes; NULL: out of memory, or (with `*error`) no module. */
static uint32_t *read_module(const void *il, size_t length, const char **error) {
    uint32_t *words = malloc(length);
    size_t n = length / 4, at = HEADER_WORDS;
    *error = NULL;
    if (!words)
        return NULL;
    memcpy(words, il, length);
    for (size_t i = 0; n && words[0] == SWAPPED && i < n; i++)
        if (i)
            words[i] = __builtin_bswap32(words[i]);
    if (n && words[0] == SWAPPED)
        words[0] = MAGIC;
    if (length % 4 || n < HEADER_WORDS)
        *error = "it is too short, or no whole number of words";
    else if (words[0] != MAGIC)
        *error = "it doesn't begin as SPIR-V";
    else if (words[1] < OLDEST || words[1] > NEWEST)
        *error = "its version is not one from 1.0 to 1.6";
    while (!*error && at < n) {
        uint32_t count = words[at] >> 16;
        if (!count || count > n - at)
            *error = "an instruction's length is wrong";
        at += count;
    }
    if (!*error)
        return words;
    free(words);
    return NULL;
}

static cl_int create(const char *function, cl_context context, const void *il, size_t length,
                     cl_program *program) {
    const char *why;
    cl_int e = context_check(function, context);
    if (e)
        return e;
    if (!il || !length)
        return api_fail(context, function, CL_INVALID_VALUE, "no intermediate language program");
    uint32_t *words = read_module(il, length, &why);
    if (why)
        return api_fail(context, function, CL_INVALID_VALUE, "%zu bytes are no SPIR-V module: %s", length,
                        why);
    cl_program p = words ? program_new(context, 0, NULL) : NULL;
    unsigned char *copy = p ? malloc(length) : NULL;
    if (!copy) {
        free(words);
        object_drop(p);
        return api_fail(context, function, CL_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of SPIR-V",
                        length);
    }
    p->il = memcpy(copy, il, length);
    p->il_words = words;
    p->il_size = length;
    *program = p;
    return CL_SUCCESS;
}

WEIR_API cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                                      cl_int *errcode_ret) {
    cl_program program = NULL;
    cl_int e = create(__func__, context, il, length, &program);
    if (errcode_ret)
        *errcode_ret = e;
    return program;
}

WEIR_API cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context, const void *il, size_t length,
                                                         cl_int *errcode_ret) {
    cl_program program = NULL;
    cl_int e = create(__func__, context, il, length, &program);
    if (errcode_ret)
        *errcode_ret = e;
    return program;
}

/* ---- specialization constants ------------------------------------------------------------------------------------- */

/* The instruction before all functions, from `*at` on, with this opcode and this word (if it has it); NULL: there is none. */
static uint32_t *find(cl_program p, size_t *at, uint32_t first, uint32_t last, uint32_t word,
                      uint32_t value) {
    size_t n = p->il_size / 4;
    while (*at < n) {
        uint32_t *in = p->il_words + *at, count = in[0] >> 16, code = in[0] & 0xffff;
        *at += count;
        if (code == FUNCTION)
            return NULL;
        if (code >= first && code <= last && count > word && in[word] == value)
            return in;
    }
    return NULL;
}

static uint32_t *find_first(cl_program p, uint32_t first, uint32_t last, uint32_t word, uint32_t value) {
    size_t at = HEADER_WORDS;
    return find(p, &at, first, last, word, value);
}

/* Bytes of the constant's value as the API has it; 0: it is none that can be set. */
static size_t constant_bytes(cl_program p, const uint32_t *constant) {
    uint32_t code = constant[0] & 0xffff;
    if (code != SPEC_CONSTANT)
        return sizeof(cl_uchar);
    const uint32_t *type = find_first(p, TYPE_INT, TYPE_FLOAT, 1, constant[1]);
    size_t bytes = type && type[0] >> 16 > 2 ? type[2] / 8 : 0;
    return constant[0] >> 16 >= (bytes > 4 ? 5 : 4) && bytes <= 8 ? bytes : 0;
}

static void write_constant(uint32_t *constant, const void *value, size_t bytes) {
    if ((constant[0] & 0xffff) != SPEC_CONSTANT) {
        constant[0] = (constant[0] & 0xffff0000) | (*(const cl_uchar *)value ? SPEC_TRUE : SPEC_FALSE);
        return;
    }
    uint32_t words[2] = {0, 0};
    memcpy(words, value, bytes);
    memcpy(constant + 3, words, bytes > 4 ? 8 : 4);
}

/* Writes the value into all constants that are decorated with the number. CL_INVALID_VALUE: it has `*bytes`, not `size`. */
static cl_int set_constant_locked(cl_program p, cl_uint spec_id, size_t size, const void *value,
                                  size_t *bytes) {
    const uint32_t *decoration;
    bool found = false;
    for (size_t at = HEADER_WORDS; (decoration = find(p, &at, DECORATE, DECORATE, 3, spec_id));) {
        uint32_t *constant =
            decoration[2] == SPEC_ID ? find_first(p, SPEC_TRUE, SPEC_CONSTANT, 2, decoration[1]) : NULL;
        if (!constant)
            continue;
        *bytes = constant_bytes(p, constant);
        if (!*bytes || *bytes != size)
            return CL_INVALID_VALUE;
        write_constant(constant, value, size);
        found = true;
    }
    return found ? CL_SUCCESS : CL_INVALID_SPEC_ID;
}

WEIR_API cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                                               size_t spec_size, const void *spec_value) {
    if (!object_is(program, OBJECT_PROGRAM))
        return HANDLE_FAIL(CL_INVALID_PROGRAM, "program", program);
    if (!program->il)
        return API_FAIL(program->context, CL_INVALID_PROGRAM,
                        "the program was not created from intermediate language");
    if (!spec_value)
        return API_FAIL(program->context, CL_INVALID_VALUE, "no value for specialization constant %u",
                        spec_id);
    size_t bytes = 0;
    pthread_mutex_lock(&program->lock);
    cl_int e = set_constant_locked(program, spec_id, spec_size, spec_value, &bytes);
    pthread_mutex_unlock(&program->lock);
    if (e == CL_INVALID_VALUE)
        return API_FAIL(program->context, e, "specialization constant %u has %zu bytes, not %zu", spec_id,
                        bytes, spec_size);
    if (e)
        return API_FAIL(program->context, CL_INVALID_SPEC_ID, "the module has no specialization constant %u",
                        spec_id);
    return CL_SUCCESS;
}

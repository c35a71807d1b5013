/* declare.c: declarations of built-in functions that clang has none of: cl_intel_subgroups with its short, char and
 * long forms, cl_intel_split_work_group_barrier, cl_khr_work_group_uniform_arithmetic, and the new
 * functions for asynchronous copies.
 *
 * In: the program's text. Out: what to put before it; nothing for programs that name none of these functions. */
#include "frontend.h"
#include <string.h>

#define FUNCTION "__attribute__((overloadable)) "

static const char *const sizes[] = {"", "2", "3", "4", "8", "16"}; /* of vectors */
enum { SIZES = sizeof sizes / sizeof *sizes };

static void declare_shuffles(struct buf *out, const char *type, const char *size) {
    static const char *const two[] = {"intel_sub_group_shuffle", "intel_sub_group_shuffle_xor"},
                             *const three[] = {"intel_sub_group_shuffle_down", "intel_sub_group_shuffle_up"};
    for (unsigned i = 0; i < 2; i++) {
        buf_printf(out, "%s%s " FUNCTION "%s(%s%s, uint);\n", type, size, two[i], type, size);
        buf_printf(out, "%s%s " FUNCTION "%s(%s%s, %s%s, uint);\n", type, size, three[i], type, size, type,
                   size);
    }
}

static void declare_arithmetic(struct buf *out, const char *type, const char *prefix,
                               const char *const *operations, unsigned n) {
    static const char *const ways[] = {"reduce", "scan_inclusive", "scan_exclusive"};
    for (unsigned way = 0; way < 3; way++) {
        for (unsigned i = 0; i < n; i++) {
            buf_printf(out, "%s " FUNCTION "%s_%s_%s(%s);\n", type, prefix, ways[way], operations[i], type);
        }
    }
}

static bool has_block(unsigned size, bool sixteen) {
    return strcmp(sizes[size], "3") && (strcmp(sizes[size], "16") || sixteen);
}

static void declare_image_blocks(struct buf *out, const char *type, const char *form, bool sixteen,
                                 const char *reads, const char *writes) {
    for (unsigned i = 0; i < SIZES; i++) {
        if (has_block(i, sixteen)) {
            buf_printf(out, "%s%s " FUNCTION "intel_sub_group_block_read%s%s(%s image2d_t, int2);\n", type,
                       sizes[i], form, sizes[i], reads);
            buf_printf(out, "void " FUNCTION "intel_sub_group_block_write%s%s(%s image2d_t, int2, %s%s);\n",
                       form, sizes[i], writes, type, sizes[i]);
        }
    }
}

static void declare_blocks(struct buf *out, const char *type, const char *form, bool sixteen) {
    for (unsigned i = 0; i < SIZES; i++) {
        if (!has_block(i, sixteen)) {
            continue;
        }
        buf_printf(out, "%s%s " FUNCTION "intel_sub_group_block_read%s%s(const __global %s *);\n", type,
                   sizes[i], form, sizes[i], type);
        buf_printf(out, "void " FUNCTION "intel_sub_group_block_write%s%s(__global %s *, %s%s);\n", form,
                   sizes[i], type, type, sizes[i]);
    }
    declare_image_blocks(out, type, form, sixteen, "read_only", "write_only");
    buf_printf(out, "#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n");
    declare_image_blocks(out, type, form, sixteen, "read_write", "read_write");
    buf_printf(out, "#endif\n");
}

static void declare_intel(struct buf *out) {
    static const char *const narrow[] = {"char", "uchar", "short", "ushort"};
    static const char *const vectors[] = {"char", "uchar", "short", "ushort", "int", "uint", "float"};
    static const char *const scalars[] = {"long", "ulong", "half", "double"};
    static const char *const operations[] = {"add", "min", "max"};
    for (unsigned i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        for (unsigned n = 0; n < SIZES; n++) {
            declare_shuffles(out, vectors[i], sizes[n]);
        }
    }
    for (unsigned i = 0; i < sizeof scalars / sizeof *scalars; i++) {
        declare_shuffles(out, scalars[i], "");
    }
    for (unsigned i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        for (unsigned n = 0; n < SIZES; n++) {
            buf_printf(out, "%s%s " FUNCTION "intel_sub_group_broadcast(%s%s, uint);\n", narrow[i], sizes[n],
                       narrow[i], sizes[n]);
        }
        declare_arithmetic(out, narrow[i], "intel_sub_group", operations, 3);
    }
    declare_blocks(out, "uint", "", false);
    declare_blocks(out, "uint", "_ui", false);
    declare_blocks(out, "ulong", "_ul", false);
    declare_blocks(out, "ushort", "_us", true);
    declare_blocks(out, "uchar", "_uc", true);
}

static void declare_uniform_arithmetic(struct buf *out) {
    static const char *const integers[] = {"int", "uint", "long", "ulong"};
    static const char *const reals[] = {"half", "float", "double"};
    static const char *const operations[] = {"mul", "and", "or", "xor"};
    static const char *const logical[] = {"logical_and", "logical_or", "logical_xor"};
    buf_printf(out, "#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n");
    for (unsigned i = 0; i < 4; i++) {
        declare_arithmetic(out, integers[i], "work_group", operations, 4);
    }
    for (unsigned i = 0; i < 3; i++) {
        declare_arithmetic(out, reals[i], "work_group", operations, 1);
    }
    declare_arithmetic(out, "int", "work_group", logical, 3);
    buf_printf(out, "#endif\n");
}

static const char split_barriers[] =
    "void " FUNCTION "intel_work_group_barrier_arrive(cl_mem_fence_flags);\n"
    "void " FUNCTION "intel_work_group_barrier_wait(cl_mem_fence_flags);\n"
    "#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n"
    "void " FUNCTION "intel_work_group_barrier_arrive(cl_mem_fence_flags, memory_scope);\n"
    "void " FUNCTION "intel_work_group_barrier_wait(cl_mem_fence_flags, memory_scope);\n"
    "#endif\n";

#define EVENT     "event_t " FUNCTION "async_work_group_copy_"
#define TO_LOCAL  "(__local void *, size_t, const __global void *, size_t, size_t, size_t, size_t, "
#define TO_GLOBAL "(__global void *, size_t, const __local void *, size_t, size_t, size_t, size_t, "
static const char copies[] =
    "void " FUNCTION "async_work_group_copy_fence(cl_mem_fence_flags);\n" /* one line each */
    EVENT "2D2D" TO_LOCAL "size_t, size_t, event_t);\n" EVENT "2D2D" TO_GLOBAL
    "size_t, size_t, event_t);\n" EVENT "3D3D" TO_LOCAL
    "size_t, size_t, size_t, size_t, size_t, event_t);\n" EVENT "3D3D" TO_GLOBAL
    "size_t, size_t, size_t, size_t, size_t, event_t);\n";

/* What is put before a program that has this word in it. */
static const struct part {
    const char *word, *text;
    void (*declare)(struct buf *);
} parts[] = {
    {"async_work_group_copy_", copies, NULL},
    {"intel_sub_group_", NULL, declare_intel},
    {"intel_work_group_barrier_", split_barriers, NULL},
    {"work_group_", NULL, declare_uniform_arithmetic},
};

static bool names(struct blob text, const char *word) {
    return text.size && memmem(text.data, text.size, word, strlen(word));
}

void declare_functions(struct buf *out, struct blob source, bool has_files) {
    bool any = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!has_files && !names(source, parts[i].word)) {
            continue;
        }
        if (!any) { /* for these declarations: a program asks for half numbers itself */
            buf_printf(out, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
            any = true;
        }
        if (parts[i].declare) {
            parts[i].declare(out);
        } else {
            buf_bytes(out, parts[i].text, strlen(parts[i].text));
        }
    }
    if (any) {
        buf_printf(out, "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n");
    }
}

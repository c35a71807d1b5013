/* Formatting of the records that kernels leave: conversions, vectors, and records that make no sense. */
#define _GNU_SOURCE
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "unit.h"

#include "../../src/rt/command/printf.c"

static struct buf records;

#define INT(bytes)   WEIR_PRINTF_TAG(WEIR_PRINTF_INT, bytes, 1)
#define FLOAT(bytes) WEIR_PRINTF_TAG(WEIR_PRINTF_FLOAT, bytes, 1)
#define POINTER      WEIR_PRINTF_TAG(WEIR_PRINTF_POINTER, 8, 1)
#define STRING       WEIR_PRINTF_TAG(WEIR_PRINTF_STRING, 8, 1)

/* Appends a record; `values` holds the arguments one after the other as the kernel stores them. */
static void record(const char *format, uint32_t nargs, const uint32_t *tags, const void *values,
                   size_t size) {
    struct buf b = {0};
    uint64_t zero = 0;
    buf_u32(&b, 0);
    buf_u32(&b, nargs);
    buf_bytes(&b, &format, sizeof format);
    for (uint32_t i = 0; i < nargs; i++)
        buf_u32(&b, tags[i]);
    buf_bytes(&b, &zero, (8 - b.size % 8) % 8);
    buf_bytes(&b, values, size);
    buf_bytes(&b, &zero, (8 - b.size % 8) % 8);
    uint32_t bytes = (uint32_t)b.size;
    memcpy(b.data, &bytes, 4);
    buf_bytes(&records, b.data, b.size);
    buf_free(&b);
}

/* What comes out for `n` bytes of records; free it. */
static char *output_of(const void *bytes, size_t n) {
    FILE *file = tmpfile();
    fflush(stdout);
    int old = dup(1);
    dup2(fileno(file), 1);
    printf_flush(bytes, n);
    fflush(stdout);
    dup2(old, 1);
    close(old);
    off_t size = lseek(fileno(file), 0, SEEK_END);
    char *text = calloc(1, (size_t)size + 1);
    assert_int_equal(pread(fileno(file), text, (size_t)size, 0), size);
    fclose(file);
    return text;
}

static void prints(const char *wanted) {
    char *text = output_of(records.data, records.size);
    assert_string_equal(text, wanted);
    free(text);
    buf_free(&records);
}

static void prints_int(const char *format, uint32_t bytes, int64_t value, const char *wanted) {
    record(format, 1, (uint32_t[]){INT(bytes)}, &value, 8);
    prints(wanted);
}

static void prints_float(const char *format, double value, const char *wanted) {
    float single = (float)value;
    record(format, 1, (uint32_t[]){FLOAT(8)}, &value, 8);
    prints(wanted);
    if ((double)single == value || value != value) {
        record(format, 1, (uint32_t[]){FLOAT(4)}, &single, 4);
        prints(wanted);
    }
}

TEST(text_and_percent_signs_are_printed) {
    record("hello 100%%\n", 0, NULL, NULL, 0);
    record("", 0, NULL, NULL, 0);
    record("again\n", 0, NULL, NULL, 0);
    prints("hello 100%\nagain\n");
}

TEST(integers_are_printed_in_their_width) {
    prints_int("%d", 4, -5, "-5");
    prints_int("%i|", 4, 7, "7|");
    prints_int("%u", 4, -1, "4294967295");
    prints_int("%x %%", 4, 0xbeef, "beef %");
    prints_int("%#X", 4, 0xbeef, "0XBEEF");
    prints_int("%o", 4, 8, "10");
    prints_int("%ld", 8, INT64_MIN, "-9223372036854775808");
    prints_int("%lu", 8, -1, "18446744073709551615");
    prints_int("%lx", 8, 0x123456789abcdef, "123456789abcdef");
    prints_int("%hd", 4, 0x12345, "9029");
    prints_int("%hhu", 4, 0x1ff, "255");
    prints_int("%c", 4, 'A', "A");
}

TEST(flags_width_and_precision_are_kept) {
    prints_int("[%6d]", 4, 42, "[    42]");
    prints_int("[%-6d]", 4, 42, "[42    ]");
    prints_int("[%06d]", 4, -42, "[-00042]");
    prints_int("[%+d]", 4, 42, "[+42]");
    prints_int("[% d]", 4, 42, "[ 42]");
    prints_int("[%.4d]", 4, 42, "[0042]");
    prints_int("[%zu]", 8, 1ll << 40, "[1099511627776]");
    prints_int("[%5tx]", 8, 0xabc, "[  abc]");
    prints_int("[%ti]", 8, -7, "[-7]");
    prints_int("[%8.3x]", 4, 10, "[     00a]");
}

TEST(floating_point_numbers_are_printed) {
    prints_float("%f", 1.5, "1.500000");
    prints_float("%.2f", -0.125, "-0.12");
    prints_float("%e", 12345.0, "1.234500e+04");
    prints_float("%G", 1e-10, "1E-10");
    prints_float("%g", 0.5, "0.5");
    prints_float("%a", 1.0, "0x1p+0");
    prints_float("%8.1f|", 2.25, "     2.2|");
    prints_float("%f", INFINITY, "inf");
    prints_float("%F", -INFINITY, "-INF");
    prints_float("%f", NAN, "nan");
}

TEST(strings_and_pointers_are_printed) {
    const char *text = "text";
    record("%s and %5s and %.2s", 3, (uint32_t[]){STRING, STRING, STRING}, (const char *[]){text, "ab", text},
           24);
    prints("text and    ab and te");
    void *pointer = (void *)0x1234;
    record("%p", 1, (uint32_t[]){POINTER}, &pointer, 8);
    prints("0x1234");
    pointer = NULL;
    record("%s|", 1, (uint32_t[]){STRING}, &pointer, 8);
    char *out = output_of(records.data, records.size);
    assert_int_equal(out[strlen(out) - 1], '|');
    free(out);
    buf_free(&records);
}

/* A string without an end before memory that isn't there. */
TEST(a_string_is_printed_as_far_as_it_can_be_read) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(pages, MAP_FAILED);
    memset(pages, 'x', page);
    assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
    const char *pointer = pages + page - 3;
    uint32_t tag = STRING;
    record("[%s]", 1, &tag, &pointer, sizeof pointer);
    pointer = pages + page;
    record("[%s]", 1, &tag, &pointer, sizeof pointer);
    record(pages + page, 0, NULL, NULL, 0);
    prints("[xxx][(null)]");
    munmap(pages, 2 * page);
}

/* From here on process_vm_readv is refused, as by the sandboxes of containers. */
static void forbid_reading(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        _exit(77);
}

TEST(strings_are_printed_in_a_sandbox) {
    int status;
    pid_t pid = fork();
    if (!pid) {
        const char *strings[] = {"text", (const char *)0x1000};
        struct buf out = {0};
        forbid_reading();
        bool first = read_string(&out, strings[0], MOST_STRING),
             second = read_string(&out, strings[1], MOST_STRING);
        _exit(first && !second && out.size == 4 && !memcmp(out.data, "text", 4) ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(status, 0);
}

TEST(vectors_are_printed_with_commas) {
    float f[4] = {1, 2, 3, 4};
    unsigned char c[4] = {0xfa, 0xfb, 0xfc, 0xfd};
    int i3[4] = {1, -2, 3, 99};
    int64_t l[2] = {-1, 5};
    int16_t s[8] = {1, 2, 3, 4, 5, 6, 7, -8};
    record("f4 = %2.2v4hlf\n", 1, (uint32_t[]){WEIR_PRINTF_TAG(WEIR_PRINTF_FLOAT, 4, 4)}, f, sizeof f);
    prints("f4 = 1.00,2.00,3.00,4.00\n");
    record("uc = %#v4hhx\n", 1, (uint32_t[]){WEIR_PRINTF_TAG(WEIR_PRINTF_INT, 1, 4)}, c, sizeof c);
    prints("uc = 0xfa,0xfb,0xfc,0xfd\n");
    record("%v3hld|%d", 2, (uint32_t[]){WEIR_PRINTF_TAG(WEIR_PRINTF_INT, 4, 3), INT(4)},
           (int[]){i3[0], i3[1], i3[2], 0, 7, 0}, 24);
    prints("1,-2,3|7");
    record("%v2ld", 1, (uint32_t[]){WEIR_PRINTF_TAG(WEIR_PRINTF_INT, 8, 2)}, l, sizeof l);
    prints("-1,5");
    record("%v8hd", 1, (uint32_t[]){WEIR_PRINTF_TAG(WEIR_PRINTF_INT, 2, 8)}, s, sizeof s);
    prints("1,2,3,4,5,6,7,-8");
    double d[2] = {0.5, 0.25};
    record("%v2lf", 1, (uint32_t[]){WEIR_PRINTF_TAG(WEIR_PRINTF_FLOAT, 8, 2)}, d, sizeof d);
    prints("0.500000,0.250000");
}

/* Nothing of this crashes, hangs, writes through %n or prints without end. */
TEST(formats_that_make_no_sense_do_no_harm) {
    static const char *const formats[] = {"%",
                                          "%%%",
                                          "%d",
                                          "%d%d%d%d%d",
                                          "%n",
                                          "%hhn",
                                          "%ln",
                                          "%*d",
                                          "%.*f",
                                          "%v5d",
                                          "%v4d",
                                          "%v99999999hld",
                                          "%q",
                                          "%1000000000d",
                                          "%.1000000000f",
                                          "%-1000000000s",
                                          "%s",
                                          "%ls",
                                          "%lc",
                                          "%Lf",
                                          "%jd",
                                          "%$d",
                                          "%1$d",
                                          "%99999999999999999999d",
                                          "%.99999999999999999999d",
                                          "%l",
                                          "%v",
                                          "%v4",
                                          "%v4hl",
                                          "%hlf",
                                          "% +-#0d",
                                          "%\xff",
                                          "\x80\xff%d",
                                          "%m",
                                          "%C",
                                          "%S"};
    static const uint32_t tags[] = {INT(4),
                                    FLOAT(8),
                                    POINTER,
                                    WEIR_PRINTF_TAG(WEIR_PRINTF_INT, 4, 4),
                                    WEIR_PRINTF_TAG(77, 3, 9),
                                    WEIR_PRINTF_TAG(WEIR_PRINTF_INT, 0, 0)};
    uint64_t values[8] = {5, 5, 5, 5, 5, 5, 5, 5};
    for (size_t i = 0; i < COUNT(formats); i++)
        for (size_t t = 0; t < COUNT(tags); t++) {
            record(formats[i], 1, &tags[t], values, sizeof values);
            char *text = output_of(records.data, records.size);
            assert_true(strlen(text) < 1 << 20);
            free(text);
            buf_free(&records);
        }
}

TEST(records_that_make_no_sense_do_no_harm) {
    static const uint32_t words[] = {0, 1, 7, 8, 16, 17, 24, 0x7fffffff, 0xffffffff};
    int64_t value = 3;
    record("%ld\n", 1, (uint32_t[]){INT(8)}, &value, 8);
    for (size_t field = 0; field < 2; field++)
        for (size_t i = 0; i < COUNT(words); i++) {
            unsigned char *copy = malloc(records.size);
            memcpy(copy, records.data, records.size);
            memcpy(copy + 4 * field, &words[i], 4);
            free(output_of(copy, records.size));
            free(copy);
        }
    for (size_t n = 0; n < records.size; n++) {
        unsigned char *copy = malloc(n ? n : 1);
        memcpy(copy, records.data, n);
        free(output_of(copy, n));
        free(copy);
    }
    buf_free(&records);
}

TEST(many_records_come_out_in_order) {
    struct buf wanted = {0};
    for (int64_t i = 0; i < 10000; i++) {
        record("%ld\n", 1, (uint32_t[]){INT(8)}, &i, 8);
        buf_printf(&wanted, "%d\n", (int)i);
    }
    prints(buf_cstr(&wanted));
    buf_free(&wanted);
}

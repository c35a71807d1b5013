/* Metadata, requests and answers: round trips, truncation at every byte, mutation. */
#include "unit.h"

static struct arg_meta args[] = {
    {"p", "float*", ARG_GLOBAL, 1, 2, 3, 0, 8, 8, 9},
    {"", "int4", ARG_VALUE, 4, 5, 6, 16, 16, 16, 0},
};
static struct kernel_meta kernels[] = {
    {"first",
     "reqd_work_group_size(8,2,1)",
     2,
     args,
     32,
     {8, 2, 1},
     {1, 2, 3},
     16,
     2,
     4096,
     77,
     1,
     1,
     0,
     1,
     1,
     1},
    {"second", "", 0, NULL, 0, {0}, {0}, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0},
};
static struct program_meta program = {2, kernels, 128, 1};

static void same_args(const struct arg_meta *a, const struct arg_meta *b) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->type_name, b->type_name);
    assert_memory_equal(&a->kind, &b->kind, sizeof *a - offsetof(struct arg_meta, kind));
}

static void same_kernels(const struct kernel_meta *a, const struct kernel_meta *b) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->attributes, b->attributes);
    assert_int_equal(a->nargs, b->nargs);
    for (uint32_t i = 0; i < a->nargs; i++)
        same_args(&a->args[i], &b->args[i]);
    assert_int_equal(a->args_bytes, b->args_bytes);
    assert_memory_equal(a->reqd_local, b->reqd_local, sizeof a->reqd_local);
    assert_memory_equal(a->hint_local, b->hint_local, sizeof a->hint_local);
    assert_int_equal(a->subgroup_size, b->subgroup_size);
    assert_int_equal(a->local_bytes, b->local_bytes);
    assert_int_equal(a->private_bytes, b->private_bytes);
    assert_int_equal(a->has_barrier, b->has_barrier);
    assert_int_equal(a->uses_subgroups, b->uses_subgroups);
    assert_int_equal(a->is_block, b->is_block);
    assert_int_equal(a->enqueues, b->enqueues);
    assert_int_equal(a->debug, b->debug);
}

static void same_programs(const struct program_meta *a, const struct program_meta *b) {
    assert_int_equal(a->nkernels, b->nkernels);
    for (uint32_t i = 0; i < a->nkernels; i++)
        same_kernels(&a->kernels[i], &b->kernels[i]);
    assert_int_equal(a->globals_bytes, b->globals_bytes);
}

static bool read_meta(const void *bytes, size_t n) {
    struct cursor c = cursor_of(bytes, n);
    struct program_meta back;
    bool done = meta_read(&c, &back);
    if (done)
        meta_free(&back);
    return done && c.at == c.end;
}

static bool read_answer(const void *bytes, size_t n) {
    struct answer back;
    bool done = protocol_read_answer(bytes, n, &back);
    if (done)
        answer_free(&back);
    return done;
}

static void drop_request(struct request *r) {
    free((char *)r->options);
    free((char *)r->kernel);
    free((char *)r->cpu);
    free((char *)r->cwd);
    free((char *)r->source.name);
    for (uint32_t i = 0; i < r->ninputs; i++)
        free((char *)r->inputs[i].name);
    free(r->inputs);
}

static bool read_request(const void *bytes, size_t n) {
    struct request back;
    bool done = protocol_read_request(bytes, n, &back);
    if (done)
        drop_request(&back);
    return done;
}

static struct buf meta_bytes(void) {
    struct buf b = {0};
    meta_write(&b, &program);
    return b;
}

static struct blob inputs[] = {{"header text", 11, "a.h"}, {"\0\1\2", 3, NULL}};
static const struct request request = {REQUEST_COMPILE,
                                       "-DA=1 -w",
                                       {"kernel", 6, NULL},
                                       inputs,
                                       2,
                                       "k",
                                       {4, 5, 6},
                                       8,
                                       {2, {7, 1ull << 40}},
                                       "x86-64-v3",
                                       EMIT_ASM,
                                       REPORT_JSON,
                                       1,
                                       1234,
                                       567,
                                       EFFORT_LESS,
                                       "/somewhere"};

static struct buf request_bytes(void) {
    struct buf b = {0};
    protocol_write_request(&b, &request, NULL);
    return b;
}

static struct buf answer_bytes(void) {
    struct buf b = {0};
    struct answer a = {
        ANSWER_OK, 1,       "a warning", "a report", "1 passes\n", (unsigned char *)"BC\xc0\xde",
        4,         program, EFFORT_FULL};
    protocol_write_answer(&b, &a);
    return b;
}

static const struct {
    struct buf (*bytes)(void);
    bool (*read)(const void *, size_t);
} forms[] = {{meta_bytes, read_meta}, {request_bytes, read_request}, {answer_bytes, read_answer}};

TEST(metadata_with_a_block_of_arguments_beyond_all_measure_is_refused) {
    struct kernel_meta kernel = {.name = (char *)"k", .attributes = (char *)"", .args_bytes = UINT32_MAX};
    struct program_meta huge = {.nkernels = 1, .kernels = &kernel};
    struct buf b = {0};
    meta_write(&b, &huge);
    assert_false(read_meta(b.data, b.size));
    buf_free(&b);
    kernel.args_bytes = 65536;
    meta_write(&b, &huge);
    assert_true(read_meta(b.data, b.size));
    buf_free(&b);
}

TEST(metadata_survives_a_round_trip) {
    struct buf b = meta_bytes();
    struct cursor c = cursor_of(b.data, b.size);
    struct program_meta back;
    assert_true(meta_read(&c, &back));
    same_programs(&program, &back);
    meta_free(&back);
    buf_free(&b);
}

TEST(a_request_survives_a_round_trip) {
    struct buf b = request_bytes();
    struct request back;
    assert_true(protocol_read_request(b.data, b.size, &back));
    assert_int_equal(back.kind, request.kind);
    assert_string_equal(back.options, request.options);
    assert_int_equal(back.source.size, 6);
    assert_memory_equal(back.source.data, "kernel", 6);
    assert_int_equal(back.ninputs, 2);
    assert_string_equal(back.inputs[0].name, "a.h");
    assert_memory_equal(back.inputs[0].data, "header text", 11);
    assert_int_equal(back.inputs[1].size, 3);
    assert_string_equal(back.kernel, "k");
    assert_memory_equal(back.local_size, request.local_size, sizeof back.local_size);
    assert_int_equal(back.width, 8);
    assert_memory_equal(&back.constants, &request.constants, sizeof back.constants);
    assert_string_equal(back.cpu, "x86-64-v3");
    assert_int_equal(back.emit, EMIT_ASM);
    assert_int_equal(back.report, REPORT_JSON);
    assert_int_equal(back.timeout_ms, 1234);
    assert_int_equal(back.patience_ms, 567);
    assert_string_equal(back.cwd, "/somewhere");
    drop_request(&back);
    buf_free(&b);
}

TEST(an_answer_survives_a_round_trip) {
    struct buf b = answer_bytes();
    struct answer back;
    assert_true(protocol_read_answer(b.data, b.size, &back));
    assert_int_equal(back.status, ANSWER_OK);
    assert_int_equal(back.cacheable, 1);
    assert_string_equal(back.log, "a warning");
    assert_string_equal(back.report, "a report");
    assert_int_equal(back.output_size, 4);
    assert_memory_equal(back.output, "BC\xc0\xde", 4);
    same_programs(&program, &back.meta);
    answer_free(&back);
    buf_free(&b);
}

/* What decides the answer is in the key; the time limit and the directory are not. */
TEST(the_key_covers_what_decides_the_answer) {
    struct request other = request;
    struct buf a = {0}, b = {0};
    size_t key_a, key_b;
    protocol_write_request(&a, &request, &key_a);
    other.timeout_ms = 99;
    other.patience_ms = 9;
    other.cwd = "/elsewhere";
    protocol_write_request(&b, &other, &key_b);
    assert_int_equal(key_a, key_b);
    assert_memory_equal(a.data, b.data, key_a);
    b.size = 0;
    other = request;
    other.local_size[2]++;
    protocol_write_request(&b, &other, &key_b);
    assert_true(key_a == key_b && memcmp(a.data, b.data, key_a));
    b.size = 0;
    other = request;
    other.constants.at[1]++;
    protocol_write_request(&b, &other, &key_b);
    assert_true(key_a == key_b && memcmp(a.data, b.data, key_a));
    buf_free(&a);
    buf_free(&b);
}

TEST(truncation_at_every_byte_is_noticed) {
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct buf b = forms[i].bytes();
        assert_true(forms[i].read(b.data, b.size));
        for (size_t n = 0; n < b.size; n++) {
            void *exact = malloc(n ? n : 1); /* so that a checker sees one byte too far */
            memcpy(exact, b.data, n);
            assert_false(forms[i].read(exact, n));
            free(exact);
        }
        buf_free(&b);
    }
}

TEST(mutated_bytes_do_no_harm) {
    static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct buf b = forms[i].bytes();
        for (size_t at = 0; at < b.size; at++)
            for (size_t v = 0; v < COUNT(values); v++) {
                unsigned char old = b.data[at];
                b.data[at] = values[v];
                forms[i].read(b.data, b.size);
                b.data[at] = old;
            }
        buf_free(&b);
    }
}

TEST(random_bytes_do_no_harm) {
    uint64_t seed = 42;
    for (int round = 0; round < 20000; round++) {
        size_t i = noise(&seed) % COUNT(forms);
        struct buf b = forms[i].bytes();
        for (uint32_t n = noise(&seed) % 16; n > 0; n--)
            b.data[noise(&seed) % b.size] = (unsigned char)noise(&seed);
        forms[i].read(b.data, noise(&seed) % 4 ? b.size : noise(&seed) % b.size);
        buf_free(&b);
    }
    for (int round = 0; round < 20000; round++) {
        unsigned char bytes[64];
        size_t n = noise(&seed) % sizeof bytes;
        for (size_t k = 0; k < n; k++)
            bytes[k] = (unsigned char)(noise(&seed) % 4 ? 0 : noise(&seed));
        for (size_t i = 0; i < COUNT(forms); i++)
            forms[i].read(bytes, n);
    }
}

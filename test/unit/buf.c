/* Byte buffers and cursors. */
#include "unit.h"

TEST(what_is_written_is_read_back) {
    struct buf b = {0};
    buf_u32(&b, 0xdeadbeef);
    buf_u64(&b, 0x0123456789abcdefu);
    buf_blob(&b, "a\0b", 3);
    buf_str(&b, "text");
    buf_str(&b, NULL);
    assert_false(b.failed);
    struct cursor c = cursor_of(b.data, b.size);
    size_t n;
    assert_int_equal(cursor_u32(&c), 0xdeadbeef);
    assert_true(cursor_u64(&c) == 0x0123456789abcdefu);
    assert_memory_equal(cursor_blob(&c, &n), "a\0b", 3);
    assert_int_equal(n, 3);
    char *text = cursor_str(&c), *none = cursor_str(&c);
    assert_string_equal(text, "text");
    assert_string_equal(none, "");
    assert_true(c.at == c.end && !c.failed);
    free(text);
    free(none);
    buf_free(&b);
    assert_int_equal(b.size, 0);
}

TEST(reading_past_the_end_fails_and_gives_zeros) {
    struct cursor c = cursor_of("abc", 3);
    assert_int_equal(cursor_u32(&c), 0);
    assert_true(c.failed);
    assert_true(cursor_u64(&c) == 0);
    size_t n = 7;
    cursor_blob(&c, &n);
    assert_int_equal(n, 0);
    assert_null(cursor_str(&c));
    c = cursor_of(NULL, 0);
    assert_int_equal(cursor_u32(&c), 0);
    assert_true(c.failed);
}

TEST(a_length_beyond_the_end_is_not_believed) {
    static const uint64_t lengths[] = {
        4, 5, UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 63, (uint64_t)1 << 32};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct buf b = {0};
        buf_u64(&b, lengths[i]);
        buf_bytes(&b, "xyz", 3);
        struct cursor c = cursor_of(b.data, b.size);
        size_t n = 7;
        cursor_blob(&c, &n);
        assert_true(c.failed);
        assert_int_equal(n, 0);
        c = cursor_of(b.data, b.size);
        assert_null(cursor_str(&c));
        buf_free(&b);
    }
}

TEST(a_buffer_grows_by_many_small_pieces) {
    struct buf b = {0};
    for (uint32_t i = 0; i < 100000; i++)
        buf_u32(&b, i);
    struct cursor c = cursor_of(b.data, b.size);
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(cursor_u32(&c), i);
    buf_free(&b);
}

TEST(formatted_text_of_any_length_is_appended) {
    struct buf b = {0};
    char *line = malloc(5001);
    memset(line, 'x', 5000);
    line[5000] = 0;
    buf_printf(&b, "%d-", 42);
    buf_printf(&b, "%s", line);
    buf_printf(&b, "%s", "");
    assert_int_equal(b.size, 5003);
    assert_memory_equal(b.data, "42-xxx", 6);
    char *text = buf_cstr(&b);
    assert_int_equal(strlen(text), 5003);
    assert_int_equal(b.size, 5003);
    free(line);
    buf_free(&b);
}

TEST(an_empty_buffer_is_an_empty_string) {
    struct buf b = {0};
    char *text = buf_cstr(&b);
    assert_string_equal(text, "");
    buf_free(&b);
    buf_free(&b);
}

TEST(running_out_of_memory_is_remembered) {
    struct buf b = {0};
    buf_str(&b, "kept");
    size_t size = b.size;
    buf_bytes(&b, "x", SIZE_MAX - 4);
    assert_true(b.failed);
    buf_u32(&b, 1);
    assert_int_equal(b.size, size);
    assert_null(buf_cstr(&b));
    buf_free(&b);
}

TEST(text_becomes_a_json_string) {
    static const struct {
        const char *text, *json;
    } all[] = {{"", "\"\""},
               {"a/b.cl", "\"a/b.cl\""},
               {"\"\\", "\"\\\"\\\\\""},
               {"a\nb\x01", "\"a\\u000ab\\u0001\""},
               {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
               {"\xe9t\xe9", "\"\\ufffdt\\ufffd\""},
               {"\xe2\x82", "\"\\ufffd\\ufffd\""},
               {"\xe0\x80\xaf", "\"\\ufffd\\ufffd\\ufffd\""}, /* longer than need be */
               {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""}, /* half of a pair */
               {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
               {NULL, "null"}};
    for (size_t i = 0; i < COUNT(all); i++) {
        struct buf b = {0};
        buf_json(&b, all[i].text);
        assert_string_equal(buf_cstr(&b), all[i].json);
        buf_free(&b);
    }
}

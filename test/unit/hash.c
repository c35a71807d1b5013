/* Content keys. */
#include "unit.h"

static void key(const void *bytes, size_t n, char out[33]) {
    struct hash h;
    hash_init(&h);
    hash_bytes(&h, bytes, n);
    hash_hex(&h, out);
}

TEST(a_key_is_32_hex_digits) {
    char k[33];
    key("", 0, k);
    assert_int_equal(strspn(k, "0123456789abcdef"), 32);
    assert_int_equal(k[32], 0);
}

/* As xxhsum -H2 prints them. The last is 300 digits 0: beyond the short forms. */
TEST(keys_are_those_of_xxh3) {
    char zeros[301];
    snprintf(zeros, sizeof zeros, "%0300d", 0);
    const struct {
        const char *text, *key;
    } known[] = {{"", "99aa06d3014798d86001c324468d497f"},
                 {"abc", "06b05ab6733a618578af5f94892f3950"},
                 {zeros, "7f6b524a24e1952a4e3ad8519905584a"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char k[33];
        key(known[i].text, strlen(known[i].text), k);
        assert_string_equal(k, known[i].key);
    }
}

TEST(a_key_does_not_depend_on_the_pieces) {
    unsigned char bytes[200];
    char whole[33], pieces[33];
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)noise(&seed);
    key(bytes, sizeof bytes, whole);
    for (size_t step = 1; step < 67; step++) {
        struct hash h;
        hash_init(&h);
        for (size_t at = 0; at < sizeof bytes; at += step)
            hash_bytes(&h, bytes + at, at + step < sizeof bytes ? step : sizeof bytes - at);
        hash_hex(&h, pieces);
        assert_string_equal(whole, pieces);
    }
}

TEST(asking_for_the_key_changes_nothing) {
    struct hash h;
    char first[33], second[33], whole[33];
    hash_init(&h);
    hash_bytes(&h, "abc", 3);
    hash_hex(&h, first);
    hash_hex(&h, second);
    assert_string_equal(first, second);
    hash_bytes(&h, "def", 3);
    hash_hex(&h, second);
    key("abcdef", 6, whole);
    assert_string_equal(second, whole);
}

static int by_text(const void *a, const void *b) {
    return strcmp(a, b);
}

/* Every one-bit change, every length of zeros, and small counters: all keys differ, in both halves. */
TEST(small_changes_give_other_keys) {
    enum { BYTES = 64, N = BYTES * 8 + 300 + 20000 };
    char (*keys)[33] = malloc(N * 33);
    unsigned char bytes[300] = {0};
    size_t n = 0;
    for (size_t bit = 0; bit < BYTES * 8; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        key(bytes, BYTES, keys[n++]);
        bytes[bit / 8] = 0;
    }
    for (size_t length = 0; length < 300; length++)
        key(bytes, length, keys[n++]);
    for (uint32_t i = 1; i <= 20000; i++) {
        uint32_t pair[3] = {i, ~i, 7};
        key(pair, sizeof pair, keys[n++]);
    }
    assert_int_equal(n, N);
    for (int half = 0; half < 2; half++) {
        for (size_t i = 0; i < n; i++)
            if (half)
                memmove(keys[i], keys[i] + 16, 17);
        qsort(keys, n, 33, by_text);
        for (size_t i = 1; i < n; i++)
            assert_int_not_equal(strncmp(keys[i - 1], keys[i], half ? 16 : 32), 0);
    }
    free(keys);
}

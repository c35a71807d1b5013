/* Line tables: whatever the bytes are, there is an answer. */
#include "unit.h"

#include "../../src/rt/program/line.c"

/* A file with one section: a unit with two files and three rows, at 0x1000 line 10, at 0x1004 none, at 0x1010 the end. */
static unsigned char file[4096];
static size_t file_size;

static void make_file(void) {
    // clang-format off
    static const unsigned char table[] = {
        66, 0, 0, 0, 4, 0, 36, 0, 0, 0,                                         /* lengths, version */
        1, 1, 1, (unsigned char)-5, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, /* opcodes and their arguments */
        '/', 'd', 0, 0, 'a', 0, 0, 0, 0, 'b', '.', 'c', 'l', 0, 1, 0, 0, 0,     /* a folder, two files */
        0, 9, 2, 0x00, 0x10, 0, 0, 0, 0, 0, 0,                                  /* address 0x1000 */
        4, 2, 3, 9, 1,                                                          /* file 2, line 10, a row */
        3, 0x76, 13 + 5 + 14 * 4,                                               /* line 0, 4 bytes on */
        2, 12, 0, 1, 1,                                                         /* the end, 12 bytes on */
    };
    // clang-format on
    static const char names[] = "\0.debug_line\0.shstrtab";
    Elf64_Ehdr h = {.e_shoff = sizeof h, .e_shnum = 3, .e_shstrndx = 2};
    Elf64_Shdr s[3] = {{0},
                       {.sh_name = 1, .sh_offset = 512, .sh_size = sizeof table},
                       {.sh_name = 13, .sh_offset = 768, .sh_size = sizeof names}};
    memcpy(file, &h, sizeof h);
    memcpy(file + sizeof h, s, sizeof s);
    memcpy(file + 512, table, sizeof table);
    memcpy(file + 512, (uint32_t[]){sizeof table - 4}, 4);
    memcpy(file + 768, names, sizeof names);
    file_size = 768 + sizeof names;
}

TEST(an_address_has_the_line_of_the_row_before_it) {
    struct source_line s;
    make_file();
    assert_true(line_of(file, file_size, 0x1003, &s));
    assert_int_equal(s.line, 10);
    assert_string_equal(s.file, "b.cl");
    assert_string_equal(s.folder, "/d");
    assert_true(line_of(file, file_size, 0x100f, &s)); /* of no line: the one before */
    assert_int_equal(s.line, 10);
    assert_false(line_of(file, file_size, 0xfff, &s));
    assert_false(line_of(file, file_size, 0x1010, &s));
}

TEST(damaged_tables_give_some_answer) {
    struct source_line s;
    uint32_t random = 1;
    for (int i = 0; i < 200000; i++) {
        make_file();
        for (int k = 0; k < 3; k++) {
            random = random * 1664525 + 1013904223;
            file[random >> 8 & 1 ? (random >> 16) % 256 : 512 + (random >> 16) % 80] =
                (unsigned char)(random >> 24);
        }
        unsigned char *copy = malloc(file_size); /* as long as it is: sanitizers see what lies behind */
        memcpy(copy, file, file_size);
        line_of(copy, i % 4 ? file_size : (random >> 5) % file_size, 0x1003, &s);
        free(copy);
    }
}

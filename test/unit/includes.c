/* Whether a source may read files, told from its text. */
#include "unit.h"

static bool reads(const char *text) {
    return source_reads_files(text, strlen(text));
}

TEST(directives_that_read_files_are_seen) {
    static const char *const texts[] = {
        "#include \"a.h\"",
        "int x;\n  #  include <a.h>\n",
        "#\tinclude_next <a.h>",
        "#import \"a.h\"",
        "char t[] = {\n#embed \"a\"\n};",
        "#if __has_include(\"a.h\")\n#endif",
        "#if __has_embed(\"a\")\n#endif",
        "%:include \"a.h\"",
        "?"
        "?=include \"a.h\"",
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        if (!reads(texts[i]))
            fail_msg("%s", texts[i]);
}

TEST(comments_and_spliced_lines_hide_no_directive) {
    static const char *const texts[] = {
        "#/* include nothing */include \"a.h\"",
        "# /**/ /* \n */ include \"a.h\"",
        "#inc\\\nlude \"a.h\"",
        "#\\\n\\\r\ninclude \"a.h\"",
        "#i\\ \t\nnclude \"a.h\"",
        "#inc\\\rlude \"a.h\"",
        "#/\\\n* x */include \"a.h\"",
        "#in?"
        "?/\nclude \"a.h\"",
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        if (!reads(texts[i]))
            fail_msg("%s", texts[i]);
}

TEST(other_texts_read_nothing) {
    static const char *const texts[] = {
        "",
        "#",
        "#/*",
        "#\\",
        "#pragma unroll\nkernel void k(global int *x) { *x = 1; }",
        "/* this includes an include */ int include;",
        "#define include 1",
        "#in",
        "#in\\",
        "a #\n include",
        "#inclu de",
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        if (reads(texts[i]))
            fail_msg("%s", texts[i]);
    assert_false(source_reads_files(NULL, 0));
    assert_false(source_reads_files("#include", 7));
}

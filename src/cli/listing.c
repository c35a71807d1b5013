/* listing.c: a report beside its source: each line with how it runs in the margin, and notes below those that cost.
 *
 * In: a kernel's report as JSON (weirc --report=json), and perhaps how the time of a profile is shared among lines. Out: text
 * for terminals, or JSON for the page of `weir trace --html`. Shown are the functions that the kernel is made of: blocks
 * between braces that hold the kernel's first line, or a line of which the report or the profile knows something. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct note {
    struct note *next;
    char *text;
    int level;
};
struct line {
    const char *text; /* NULL: the file can't be read */
    size_t size;
    bool is_shown, is_vector, is_uniform, is_scalar, is_serial, is_masked, is_barrier, is_left_out;
    unsigned accesses; /* a bit for each of access_words */
    int level;         /* 0: cheap, 1: costs something, 2: costs a lot */
    double share;
    struct note *notes;
};
struct file {
    char *name;
    struct buf text;
    bool is_known;
    struct line *lines; /* by number; 0 is none */
    size_t nlines;
};
struct listing {
    const struct json *report, *profile; /* profile: NULL, there is none */
    const char *beside;                  /* as for listing_new */
    struct file *files;
    size_t nfiles;
    bool has_shares;
};

/* From dear to cheap. */
static const struct {
    const char *kind, *word;
    int level;
} access_words[] = {
    {"scatter", "scatter", 2},   {"gather", "gather", 2},  {"strided", "strided", 2},
    {"checked", "row?", 1},      {"rows", "rows", 1},      {"shuffled", "shuffle", 1},
    {"reversed", "reversed", 1}, {"contiguous", "row", 0}, {"uniform", "uniform", 0},
};
enum { ACCESS_WORDS = sizeof access_words / sizeof *access_words };

/* ---- files and their lines ---- */

static void add_lines(struct file *f, size_t n) {
    if (n < f->nlines)
        return;
    struct line *lines = must_alloc((n + 1) * sizeof *lines);
    for (size_t i = 0; i < f->nlines; i++)
        lines[i] = f->lines[i];
    free(f->lines);
    f->lines = lines;
    f->nlines = n + 1;
}

static void split(struct file *f) {
    const char *text = (const char *)f->text.data, *end = text + f->text.size;
    size_t n = 1;
    for (const char *p = text; p < end; p++)
        n += *p == '\n';
    add_lines(f, n);
    n = 1;
    for (const char *p = text; p < end; n++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p)), *stop = newline ? newline : end;
        f->lines[n].text = p;
        f->lines[n].size = (size_t)(stop - p);
        f->lines[n].size -= stop > p && stop[-1] == '\r';
        p = newline ? newline + 1 : end;
    }
}

/* The compiler names a file without the folder that the command line gave. */
static bool read_source(const struct listing *l, const char *name, struct buf *text) {
    const char *slash = l->beside && *name != '/' ? strrchr(l->beside, '/') : NULL;
    char *path = slash ? must_printf("%.*s/%s", (int)(slash - l->beside), l->beside, name) : NULL;
    bool is_read = (path && read_file(path, text)) || read_file(name, text);
    free(path);
    return is_read && text->size && !memchr(text->data, 0, text->size);
}

static struct file *file_of(struct listing *l, const char *name) {
    for (size_t i = 0; i < l->nfiles; i++)
        if (!strcmp(l->files[i].name, name))
            return &l->files[i];
    struct file *files = must_alloc((l->nfiles + 1) * sizeof *files);
    if (l->nfiles)
        memcpy(files, l->files, l->nfiles * sizeof *files);
    free(l->files);
    l->files = files;
    struct file *f = &files[l->nfiles++];
    f->name = must_printf("%s", name);
    f->is_known = read_source(l, name, &f->text);
    if (f->is_known)
        split(f);
    return f;
}

/* The line that the object names; NULL: it names none. */
static struct line *line_at(struct listing *l, const struct json *place) {
    const char *name = json_text(place, "file");
    uint64_t number = json_number(place, "line");
    if (!*name || !number || number > 10000000)
        return NULL;
    struct file *f = file_of(l, name);
    if (number >= f->nlines && f->is_known) /* another version of the file */
        return NULL;
    add_lines(f, number);
    f->lines[number].is_shown = true;
    return &f->lines[number];
}

static void __attribute__((format(printf, 3, 4))) add_note(struct line *line, int level, const char *format,
                                                           ...) {
    if (!line)
        return;
    struct note *n = must_alloc(sizeof *n), **last = &line->notes;
    va_list args;
    va_start(args, format);
    if (vasprintf(&n->text, format, args) < 0)
        die(EXIT_FAULT, "out of memory");
    va_end(args);
    n->level = level;
    while (*last)
        last = &(*last)->next;
    *last = n;
    line->level = level > line->level ? level : line->level;
}

/* ---- blocks: where functions begin and end ---- */

struct scanner {
    struct file *file;
    const char *at, *end;
    size_t line, first; /* first: of what stands at the top level, 0: nothing yet */
    unsigned depth, parentheses;
    char before; /* the last character that is no blank */
};

static void skip_to(struct scanner *s, const char *mark, size_t n) {
    const char *found = memmem(s->at, (size_t)(s->end - s->at), mark, n), *stop = found ? found + n : s->end;
    for (; s->at < stop; s->at++)
        s->line += *s->at == '\n';
}

static void skip_quoted(struct scanner *s, char quote) {
    for (s->at++; s->at < s->end && *s->at != quote && *s->at != '\n'; s->at++)
        s->at += *s->at == '\\' && s->at + 1 < s->end && s->at[1] != '\n';
    s->at += s->at < s->end && *s->at == quote;
}

/* A directive, with the lines that continue it. */
static void skip_directive(struct scanner *s) {
    for (; s->at < s->end && *s->at != '\n'; s->at++)
        if (*s->at == '\\' && s->at + 1 < s->end && s->at[1] == '\n') {
            s->at++;
            s->line++;
        }
}

/* All lines of a block if one of them is shown. */
static void show_block(struct scanner *s) {
    bool any = false;
    size_t last = s->line < s->file->nlines ? s->line : s->file->nlines - 1;
    for (size_t i = s->first; i <= last; i++)
        any |= s->file->lines[i].is_shown;
    for (size_t i = s->first; any && i <= last; i++)
        s->file->lines[i].is_shown = true;
}

static void take_character(struct scanner *s) {
    char c = *s->at++;
    if (c == '\n') {
        s->line++;
        return;
    }
    if (c == ' ' || c == '\t' || c == '\r')
        return;
    bool begins = s->at - 1 == (const char *)s->file->text.data || s->at[-2] == '\n';
    bool ended = begins && !s->depth && !s->parentheses && s->before == ')' && c != '{'; /* a macro's use */
    if (!s->first || ended)
        s->first = s->line;
    s->before = c;
    s->parentheses += c == '(';
    s->parentheses -= c == ')' && s->parentheses;
    s->depth += c == '{';
    if (c == '}' && s->depth && --s->depth == 0) {
        show_block(s);
        s->first = 0;
    } else if (c == ';' && !s->depth) {
        s->first = 0;
    }
}

static void show_blocks(struct file *f) {
    struct scanner s = {.file = f, .at = (const char *)f->text.data, .line = 1};
    bool begins = true; /* a line */
    s.end = s.at + f->text.size;
    while (s.at < s.end) {
        size_t line = s.line;
        if (*s.at == '/' && s.at + 1 < s.end && s.at[1] == '*')
            skip_to(&s, "*/", 2);
        else if (*s.at == '/' && s.at + 1 < s.end && s.at[1] == '/')
            skip_to(&s, "\n", 1);
        else if (*s.at == '"' || *s.at == '\'')
            skip_quoted(&s, *s.at);
        else if (*s.at == '#' && begins)
            skip_directive(&s);
        else
            take_character(&s);
        begins = s.line != line || (begins && s.at[-1] <= ' ');
    }
    if (s.depth)
        show_block(&s); /* the braces of macros */
}

/* ---- what the report says ---- */

static const char *times(const struct json *fact, char text[24]) {
    uint64_t count = json_number(fact, "count");
    snprintf(text, 24, count > 1 ? ", x%llu" : "", (unsigned long long)count);
    return text;
}

static const struct json *members(const struct json *report, const char *name) {
    const struct json *array = json_field(report, name);
    return array ? array->first : NULL;
}

static void take_accesses(struct listing *l) {
    char more[24];
    for (const struct json *a = members(l->report, "accesses"); a; a = a->next) {
        struct line *line = line_at(l, a);
        const char *kind = json_text(a, "kind"), *masked = json_text(a, "masked");
        int level = 0;
        if (!line)
            continue;
        for (unsigned i = 0; i < ACCESS_WORDS; i++)
            if (!strcmp(kind, access_words[i].kind)) {
                line->accesses |= 1u << i;
                level = access_words[i].level;
            }
        line->is_vector |= strcmp(kind, "uniform") != 0;
        line->is_uniform |= !strcmp(kind, "uniform");
        line->is_masked |= !strcmp(masked, "always");
        if (level || strcmp(masked, "never"))
            add_note(line, level, "%s %s %s%s: %s%s", json_text(a, "op"), json_text(a, "memory"),
                     json_text(a, "type"), json_field(a, "interleaved") ? ", interleaved" : "",
                     json_text(a, "how"), times(a, more));
    }
}

static void take_instructions(struct listing *l) {
    for (const struct json *i = members(l->report, "instructions"); i; i = i->next) {
        struct line *line = line_at(l, i);
        const char *kind = json_text(i, "kind");
        if (!line)
            continue;
        line->is_vector |= !strcmp(kind, "vector");
        line->is_uniform |= !strcmp(kind, "uniform");
        line->is_scalar |= !strcmp(kind, "scalar");
        line->is_masked |= !strcmp(json_text(i, "masked"), "always");
    }
}

static void take_others(struct listing *l) {
    char more[24];
    for (const struct json *f = members(l->report, "loops"); f; f = f->next)
        add_note(line_at(l, f), !strcmp(json_text(f, "kind"), "divergent"), "loop: %s%s", json_text(f, "how"),
                 times(f, more));
    for (const struct json *f = members(l->report, "serialized"); f; f = f->next) {
        struct line *line = line_at(l, f);
        add_note(line, 2, "%s: %s%s", json_text(f, "what"), json_text(f, "how"), times(f, more));
        if (line)
            line->is_serial = true;
    }
    for (const struct json *f = members(l->report, "notes"); f; f = f->next) {
        struct line *line = line_at(l, f);
        add_note(line, 0, "%s: %s%s", json_text(f, "what"), json_text(f, "text"), times(f, more));
        if (line)
            line->is_left_out |= strstr(json_text(f, "text"), "left out") != NULL;
    }
    for (const struct json *w = members(l->report, "width_choices"); w; w = w->next)
        add_note(line_at(l, json_field(w, "at")), 2, "width %.0f: %s", json_field(w, "width")->number,
                 json_text(w, "why"));
    for (const struct json *v = members(l->report, "private_arrays"); v; v = v->next) {
        bool interleaved = json_number(v, "interleaved"), in_context = !strcmp(json_text(v, "in"), "context");
        add_note(line_at(l, v), 0, "private array of %llu bytes, %s%s%s",
                 (unsigned long long)json_number(v, "bytes"), in_context ? "in the context" : "on the stack",
                 interleaved ? ", interleaved" : "", times(v, more));
    }
}

static const char *live_name(const struct json *value) {
    return json_number(value, "private_array") ? "private array" : json_text(value, "type");
}

/* What waits in memory at the barrier. */
static void take_regions(struct listing *l) {
    for (const struct json *r = members(l->report, "regions"); r; r = r->next) {
        struct line *line = line_at(l, json_field(r, "barrier"));
        uint64_t bytes = json_number(r, "live_bytes");
        struct buf text = {0};
        char more[24];
        if (!line)
            continue;
        line->is_barrier = true;
        buf_printf(&text, "barrier: region %.0f begins", json_field(r, "region")->number);
        if (bytes)
            buf_printf(&text, ", %llu bytes per work-item wait in memory", (unsigned long long)bytes);
        const char *before = ": ";
        for (const struct json *v = members(r, "live"); v && bytes; v = v->next) {
            if (!strcmp(json_text(v, "of"), "group"))
                continue;
            buf_printf(&text, "%s%s of line %llu%s", before, live_name(v),
                       (unsigned long long)json_number(v, "line"), times(v, more));
            before = ", ";
        }
        const struct json *parts = json_field(r, "may_part_at");
        if (parts && !parts->is_null)
            buf_printf(&text, ", work-items may part at line %llu",
                       (unsigned long long)json_number(parts, "line"));
        add_note(line, parts && !parts->is_null, "%s", buf_cstr(&text) ? buf_cstr(&text) : "");
        if (json_number(r, "guarded"))
            add_note(line, 1, "guarded: what follows exists also in a form for when work-items have parted");
        buf_free(&text);
    }
}

/* A profile's lines: samples of `total`. */
static void take_shares(struct listing *l, const struct json *profile) {
    double total = (double)json_number(profile, "samples");
    l->has_shares = total > 0;
    for (const struct json *p = members(profile, "lines"); p && total > 0; p = p->next) {
        struct line *line = line_at(l, p);
        if (line)
            line->share += (double)json_number(p, "samples") / total;
    }
}

struct listing *listing_new(const struct json *report, const struct json *profile, const char *beside) {
    struct listing *l = must_alloc(sizeof *l);
    l->report = report;
    l->profile = profile;
    l->beside = beside;
    line_at(l, report);
    take_accesses(l);
    take_instructions(l);
    take_others(l);
    take_regions(l);
    if (profile)
        take_shares(l, profile);
    for (size_t i = 0; i < l->nfiles; i++)
        if (l->files[i].is_known)
            show_blocks(&l->files[i]);
    for (size_t i = 0; i < l->nfiles; i++)
        for (size_t n = 0; n < l->files[i].nlines; n++)
            for (unsigned a = 0; a < ACCESS_WORDS; a++) {
                struct line *line = &l->files[i].lines[n];
                if (line->accesses >> a & 1 && access_words[a].level > line->level)
                    line->level = access_words[a].level;
            }
    return l;
}

void listing_free(struct listing *l) {
    for (size_t i = 0; i < l->nfiles; i++) {
        for (size_t n = 0; n < l->files[i].nlines; n++)
            for (struct note *note = l->files[i].lines[n].notes, *next; note; note = next) {
                next = note->next;
                free(note->text);
                free(note);
            }
        free(l->files[i].lines);
        free(l->files[i].name);
        buf_free(&l->files[i].text);
    }
    free(l->files);
    free(l);
}

/* ---- the margin ---- */

/* How the line runs: for all lanes at once (xW), once for the pack, for one work-item after the other; * under masks. */
static void runs(const struct listing *l, const struct line *line, char out[16]) {
    unsigned width = (unsigned)json_number(l->report, "width");
    const char *mark = line->is_masked ? "*" : "";
    if (line->is_serial || line->is_scalar)
        snprintf(out, 16, "1 by 1%s", mark);
    else if (line->is_vector)
        snprintf(out, 16, "x%u%s", width, mark);
    else if (line->is_barrier)
        snprintf(out, 16, "barrier");
    else if (line->is_left_out)
        snprintf(out, 16, "left out");
    else
        snprintf(out, 16, "%s", line->is_uniform ? "once" : "");
}

static void memory(const struct line *line, char out[64]) {
    size_t at = 0;
    out[0] = 0;
    for (unsigned a = 0; a < ACCESS_WORDS; a++)
        if (line->accesses >> a & 1)
            at += (size_t)snprintf(out + at, 64 - at, "%s%s", at ? ", " : "", access_words[a].word);
}

static void local_size(const struct listing *l, char out[64]) {
    const struct json *size = members(l->report, "local_size");
    snprintf(out, 64, "any");
    if (size && size->next && size->next->next)
        snprintf(out, 64, "%.0f,%.0f,%.0f", size->number, size->next->number, size->next->next->number);
}

/* ---- text ---- */

enum paint { PLAIN, CHEAP, COSTS, DEAR, FAINT, BOLD };

static void painted(struct buf *out, bool colour, enum paint paint, int width, const char *text) {
    static const char *const codes[] = {"", "\033[32m", "\033[33m", "\033[31m", "\033[2m", "\033[1m"};
    bool paints = colour && paint && *text;
    buf_printf(out, "%s%s%s%*s", paints ? codes[paint] : "", text, paints ? "\033[0m" : "",
               width > (int)strlen(text) ? width - (int)strlen(text) : 0, "");
}

/* The source's own tabs, from where it begins; what would steer the terminal stays out. */
static void source_text(struct buf *out, const struct line *line) {
    size_t column = 0;
    for (size_t i = 0; line->text && i < line->size; i++) {
        unsigned char c = (unsigned char)line->text[i];
        if (c == '\t') {
            buf_printf(out, "%*s", (int)(8 - column % 8), "");
            column += 8 - column % 8;
        } else {
            c = c < ' ' || c == 0x7f ? '?' : c;
            buf_bytes(out, &c, 1);
            column++;
        }
    }
}

static void text_line(struct buf *out, const struct listing *l, const struct line *line, size_t number,
                      bool colour, int widest) {
    char how[16], accesses[64], share[16] = "", digits[24];
    enum paint paint = (enum paint)(CHEAP + line->level);
    runs(l, line, how);
    memory(line, accesses);
    if (l->has_shares) {
        if (line->share >= 0.0005)
            snprintf(share, sizeof share, "%5.1f%%", 100 * line->share);
        painted(out, colour, line->share >= 0.1 ? BOLD : PLAIN, 8, share);
    }
    painted(out, colour, paint, 10, how);
    painted(out, colour, paint, widest + 2, accesses);
    snprintf(digits, sizeof digits, "%5zu  ", number);
    painted(out, colour, FAINT, 0, digits);
    source_text(out, line);
    while (out->size && out->data[out->size - 1] == ' ')
        out->size--;
    buf_printf(out, "\n");
    for (const struct note *n = line->notes; n; n = n->next) {
        buf_printf(out, "%*s", (l->has_shares ? 8 : 0) + 10 + widest + 2 + 5, "");
        painted(out, colour, FAINT, 0, "  ^ ");
        painted(out, colour, n->level ? (enum paint)(CHEAP + n->level) : FAINT, 0, n->text);
        buf_printf(out, "\n");
    }
}

static void text_file(struct buf *out, const struct listing *l, const struct file *f, bool colour) {
    size_t before = 0;
    int widest = 6;
    char accesses[64];
    for (size_t n = 1; n < f->nlines; n++) {
        memory(&f->lines[n], accesses);
        widest = (int)strlen(accesses) > widest ? (int)strlen(accesses) : widest;
    }
    if (l->nfiles > 1 || !f->is_known) {
        buf_printf(out, "\n");
        painted(out, colour, BOLD, 0, f->name);
        buf_printf(out, f->is_known ? "\n" : ", which can't be read: line numbers alone\n");
    }
    buf_printf(out, "\n");
    painted(out, colour, FAINT, 0, l->has_shares ? "time    " : "");
    painted(out, colour, FAINT, 10, "runs");
    painted(out, colour, FAINT, widest + 2, "memory");
    painted(out, colour, FAINT, 0, " line");
    buf_printf(out, "\n");
    for (size_t n = 1; n < f->nlines; n++) {
        if (!f->lines[n].is_shown)
            continue;
        if (before && before + 1 < n)
            painted(out, colour, FAINT, 0, "...\n");
        before = n;
        text_line(out, l, &f->lines[n], n, colour, widest);
    }
}

/* A function's name without what C++ compilers put around it: _Z15__weir_lane_sinf. */
static const char *plain_name(const char *name, int *n) {
    char *end;
    unsigned long length = strncmp(name, "_Z", 2) ? 0 : strtoul(name + 2, &end, 10);
    bool is_mangled = length && length <= strlen(end);
    *n = (int)(is_mangled ? length : strlen(name));
    return is_mangled ? end : name;
}

/* Time in functions that were not inlined: the built-in library's have no lines. */
static void text_library(struct buf *out, const struct listing *l) {
    double total = (double)json_number(l->profile, "samples");
    int n;
    for (const struct json *p = members(l->profile, "lines"); p && l->has_shares; p = p->next)
        if (*json_text(p, "function")) {
            const char *name = plain_name(json_text(p, "function"), &n);
            buf_printf(out, "  %.1f%% of its time in the function %.*s\n",
                       100 * (double)json_number(p, "samples") / total, n, name);
        }
}

void listing_text(struct buf *out, const struct listing *l, bool colour) {
    char size[64];
    local_size(l, size);
    painted(out, colour, BOLD, 0, json_text(l->report, "kernel"));
    buf_printf(out, ", local size %s", size);
    if (json_number(l->report, "line"))
        buf_printf(out, ", %s:%llu", json_text(l->report, "file"),
                   (unsigned long long)json_number(l->report, "line"));
    buf_printf(out, "\n");
    for (const struct json *w = members(l->report, "width_choices"); w; w = w->next)
        buf_printf(out, "  packs of %.0f: %s\n", json_field(w, "width")->number, json_text(w, "why"));
    uint64_t bytes = json_number(l->report, "context_bytes");
    if (bytes)
        buf_printf(out, "  %llu bytes per work-item wait in memory across barriers\n",
                   (unsigned long long)bytes);
    text_library(out, l);
    for (size_t i = 0; i < l->nfiles; i++)
        text_file(out, l, &l->files[i], colour);
    if (!l->nfiles)
        buf_printf(out, "  no line is known: the program came without them\n");
}

/* ---- JSON, for the page ---- */

static void json_string(struct buf *out, const char *name, const char *text, size_t n) {
    char *copy = must_printf("%.*s", (int)n, text ? text : "");
    buf_printf(out, "\"%s\":", name);
    buf_json(out, copy);
    free(copy);
}

static void json_line(struct buf *out, const struct listing *l, const struct line *line, size_t number) {
    char how[16], accesses[64];
    runs(l, line, how);
    memory(line, accesses);
    buf_printf(out, "{\"n\":%zu,\"level\":%d,\"share\":%.5f,\"runs\":\"%s\",\"memory\":\"%s\",", number,
               line->level, line->share, how, accesses);
    json_string(out, "text", line->text, line->size);
    buf_printf(out, ",\"notes\":[");
    for (const struct note *n = line->notes; n; n = n->next) {
        buf_json(out, n->text);
        buf_printf(out, n->next ? "," : "");
    }
    buf_printf(out, "]}");
}

void listing_json(struct buf *out, const struct listing *l) {
    char size[64];
    local_size(l, size);
    buf_printf(out, "{\"kernel\":");
    buf_json(out, json_text(l->report, "kernel"));
    buf_printf(out, ",\"local\":\"%s\",\"shares\":%s,\"context\":%llu,\"width\":[", size,
               l->has_shares ? "true" : "false", (unsigned long long)json_number(l->report, "context_bytes"));
    for (const struct json *w = members(l->report, "width_choices"); w; w = w->next) {
        char *text = must_printf("packs of %.0f: %s", json_field(w, "width")->number, json_text(w, "why"));
        buf_json(out, text);
        buf_printf(out, w->next ? "," : "");
        free(text);
    }
    buf_printf(out, "],\"functions\":[");
    const char *comma = "";
    for (const struct json *p = members(l->profile, "lines"); p; p = p->next)
        if (*json_text(p, "function")) {
            int n;
            const char *name = plain_name(json_text(p, "function"), &n);
            buf_printf(out, "%s{\"name\":\"%.*s\",\"share\":%.5f}", comma, n, name,
                       (double)json_number(p, "samples") / (double)json_number(l->profile, "samples"));
            comma = ",";
        }
    buf_printf(out, "],\"files\":[");
    for (size_t i = 0; i < l->nfiles; i++) {
        const struct file *f = &l->files[i];
        bool any = false;
        buf_printf(out, "%s{\"name\":", i ? "," : "");
        buf_json(out, f->name);
        buf_printf(out, ",\"known\":%s,\"lines\":[", f->is_known ? "true" : "false");
        for (size_t n = 1; n < f->nlines; n++)
            if (f->lines[n].is_shown) {
                buf_printf(out, any ? "," : "");
                json_line(out, l, &f->lines[n], n);
                any = true;
            }
        buf_printf(out, "]}");
    }
    buf_printf(out, "]}");
}

/* report.h: a finding as its reports show it (files of src/check alone). */
#ifndef WEIR_CHECK_REPORT_H
#define WEIR_CHECK_REPORT_H

#include "check.h"

/* One side: a work-item, several of them, or a command. */
struct side {
    const struct party *party;
    const struct weir_site *site; /* NULL: no place is known */
    bool has_ids, has_group;      /* whether `local` and `global`, and `group`, are known */
    uint64_t global[3], local[3], group[3];
};
/* What the address is of. */
struct memory_name {
    const char *space; /* "local", "global", ...; NULL: not known */
    bool is_argument;
    const char *variable;
    char element[256]; /* "tile[3][4].x"; "" where nothing is known */
    int64_t offset;    /* in bytes, from the variable's start */
};
struct report {
    enum finding_kind kind;
    const char *kernel; /* "": of commands */
    const char *source; /* of the program, or NULL */
    unsigned dim;       /* of ids */
    struct side a, b;   /* b: site NULL and party->does NULL where there is one side */
    struct memory_name memory;
    const struct weir_site *barrier; /* the last that both have passed; NULL: there is none */
    const char *flags;               /* its */
    const char *text, *fix;
};

struct call { /* of a function that was inlined: where, and in which function */
    char file[512], function[128];
    unsigned line, column;
};

/* findings.c: who it is. */
struct side report_side(const struct check_worker *, const struct party *);

/* where.c: names what an access of `bytes` bytes at the address is of; `site` may be NULL. */
void where_find(const struct check_worker *, uint64_t address, const struct weir_site *site,
                struct memory_name *);

/* advice.c: what to do about a race; nothing for other kinds, which say it themselves. */
void advice_find(struct buf *, const struct report *);

/* source.c: the line of the file, without its end; false: it isn't at hand. `program`: the source as the API has it. */
bool source_line(const char *program, const char *file, unsigned line, struct buf *out);

/* text.c: for people. */
void report_text(struct buf *, const struct report *, bool colour);
void report_place(struct buf *, const struct weir_site *); /* FILE:LINE:COLUMN */
/* "in F, called from PLACE in G, ...", for "": nothing but the kernel itself */
void report_stack(struct buf *, const struct weir_site *);
bool report_call(const char **stack, struct call *); /* the next of a site's; false: there is none */
void report_who(struct buf *, const struct report *, const struct side *); /* "work-item 3 of group 1" */

void report_does(struct buf *, const struct side *); /* " reads" */

/* json.c: for programs. */
void report_json(struct buf *, const struct report *);    /* up to, not with, the count */
void report_message(struct buf *, const struct report *); /* one sentence */

/* suppressed.c: whether nobody wants to see it, by WEIR_CHECK_SUPPRESS or a comment in the source. */
void suppressed_read(void); /* the rules, once; says what is wrong with them */
bool suppressed_is(const struct report *);
void suppressed_note(const char *what, const char *name); /* for `weir check`, once */
pthread_mutex_t *suppressed_lock(void);

#endif

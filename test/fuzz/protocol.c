/* Requests, answers, metadata and frames as the runtime and the compiler exchange them, with bits flipped, numbers
 * replaced, pieces cut out and doubled: reading them ends in what was sent or in an error, and what is read can be
 * written again to the same bytes. Usage: see session.h. */
#include "base.h"
#include "session.h"

#include <errno.h>
#include <sys/socket.h>

static unsigned long nread[4];

/* ---- something to send ------------------------------------------------------------------------------------------- */

/* A text of up to 40 bytes; the last ones made stay. */
static char *text(void) {
    static char texts[64][41];
    static unsigned next;
    char *t = texts[next++ % COUNT(texts)];
    uint32_t n = below(41);
    for (uint32_t i = 0; i < n; i++)
        t[i] = (char)(1 + below(255));
    t[n] = 0;
    return t;
}

static struct blob some_blob(bool named) {
    struct blob blob = {.data = text()};
    blob.size = strlen(blob.data);
    if (named)
        blob.name = text();
    return blob;
}

static void write_some_request(struct buf *out) {
    struct blob inputs[4];
    struct request r = {.kind = 1 + below(5),
                        .options = text(),
                        .source = some_blob(one_in(2)),
                        .inputs = inputs,
                        .ninputs = below(5),
                        .kernel = text(),
                        .width = below(65),
                        .cpu = text(),
                        .emit = below(4),
                        .report = below(3),
                        .timeout_ms = below(1000000),
                        .patience_ms = below(1000000),
                        .cwd = text()};
    size_t key_size;
    for (uint32_t i = 0; i < r.ninputs; i++)
        inputs[i] = some_blob(one_in(2));
    protocol_write_request(out, &r, &key_size);
}

static void write_some_reading(struct buf *out) {
    struct request r = {.kind = 1 + below(5), .options = text(), .cwd = text(), .source = some_blob(false)};
    protocol_write_reading(out, &r);
}

static void write_some_answer(struct buf *out) {
    struct arg_meta args[3] = {{0}};
    struct kernel_meta kernels[3] = {{0}};
    struct answer a = {.status = below(4),
                       .cacheable = below(2),
                       .log = text(),
                       .report = text(),
                       .output = (unsigned char *)text(),
                       .meta = {.nkernels = below(4),
                                .kernels = kernels,
                                .globals_bytes = one_in(4) ? odd_number() : below(1u << 20)}};
    a.output_size = strlen((char *)a.output);
    for (size_t i = 0; i < COUNT(args); i++)
        args[i] = (struct arg_meta){.name = text(),
                                    .type_name = text(),
                                    .kind = below(7),
                                    .offset = below(57),
                                    .size = 8,
                                    .align = 8};
    for (size_t i = 0; i < COUNT(kernels); i++)
        kernels[i] = (struct kernel_meta){
            .name = text(), .attributes = text(), .nargs = below(4), .args = args, .args_bytes = 64};
    protocol_write_answer(out, &a);
}

/* ---- what becomes of it ------------------------------------------------------------------------------------------ */

static void damage(struct buf *b) {
    size_t at = below((uint32_t)b->size), n = below((uint32_t)(b->size - at) + 1);
    struct buf changed = {0};
    uint64_t number = odd_number();
    switch (below(6)) {
    case 0:
        b->data[at] ^= (unsigned char)(1u << below(8));
        break;
    case 1: /* a length, as a rule */
        for (size_t i = 0; i < 8 && at + i < b->size; i++)
            b->data[at + i] = (unsigned char)(number >> 8 * i);
        break;
    case 2:
        b->size = at;
        break;
    case 3:
        memmove(b->data + at, b->data + at + n, b->size - at - n);
        b->size -= n;
        break;
    default:
        buf_bytes(&changed, b->data, at + n);
        buf_bytes(&changed, b->data + at, b->size - at);
        buf_free(b);
        *b = changed;
    }
}

/* What was read, written again, is what was read. */
static void compare(const struct buf *first, struct buf *second, const char *what) {
    if (second->failed || first->size != second->size || memcmp(first->data, second->data, first->size))
        wrong(what, (long)first->size);
    buf_free(second);
}

/* Strings with a NUL inside end there: not every input comes back as it was. */
static bool has_nul_in_text(const struct buf *given, struct buf *again) {
    bool shorter = given->size != again->size;
    if (shorter)
        buf_free(again);
    return shorter;
}

static void read_request(const struct buf *b) {
    struct request r;
    struct buf again = {0};
    size_t key_size;
    if (!protocol_read_request(b->data, b->size, &r))
        return;
    nread[0]++;
    protocol_write_request(&again, &r, &key_size);
    if (key_size > again.size)
        wrong("a key longer than its request", (long)key_size);
    if (!has_nul_in_text(b, &again))
        compare(b, &again, "a request that changes");
    request_free(&r);
}

static void read_reading(const struct buf *b) {
    struct reading r;
    if (!protocol_read_reading(b->data, b->size, &r))
        return;
    nread[1]++;
    nread[3] += source_reads_files(r.options, strlen(r.options));
    reading_free(&r);
}

static void read_answer(const struct buf *b) {
    struct answer a;
    struct buf again = {0};
    if (!protocol_read_answer(b->data, b->size, &a))
        return;
    nread[2]++;
    if (!a.log || !a.report || (a.meta.nkernels && !a.meta.kernels))
        wrong("an answer without its members", a.meta.nkernels);
    protocol_write_answer(&again, &a);
    if (!has_nul_in_text(b, &again))
        compare(b, &again, "an answer that changes");
    answer_free(&a);
}

/* Through a socket, whose frame may say another length than comes. */
static void read_frame(const struct buf *b) {
    int ends[2];
    struct buf got = {0};
    uint64_t length = one_in(2) ? b->size : odd_number();
    unsigned char head[8];
    for (int i = 0; i < 8; i++)
        head[i] = (unsigned char)(length >> 8 * i);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return;
    if (write(ends[0], head, below(9)) < 0 || write(ends[0], b->data, b->size) < 0)
        wrong("a socket that takes nothing", errno);
    close(ends[0]);
    if (frame_receive(ends[1], &got, 1 << 20, 1000) && got.size > b->size + 8)
        wrong("a frame longer than what came", (long)got.size);
    buf_free(&got);
    close(ends[1]);
}

static void run(void) {
    static void (*const writers[])(struct buf *) = {write_some_request, write_some_reading,
                                                    write_some_answer};
    static void (*const readers[])(const struct buf *) = {read_request, read_reading, read_answer};
    uint32_t kind = below(COUNT(writers));
    struct buf b = {0};
    writers[kind](&b);
    for (uint32_t i = below(4); i > 0 && b.size; i--)
        damage(&b);
    if (one_in(64))
        read_frame(&b);
    else
        readers[one_in(8) ? below(COUNT(readers)) : kind](&b);
    buf_free(&b);
}

static void finish(void) {
    printf("%lu requests, %lu readings, %lu answers were read\n", nread[0], nread[1], nread[2]);
    if (!nread[0] || !nread[1] || !nread[2])
        wrong("nothing was read", 0);
}

int main(int argc, char **argv) {
    return session(argc, argv, getenv("WEIR_TEST_QUICK") ? 100000 : 1000000, NULL, run, finish);
}

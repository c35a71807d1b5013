/* mailbox.c: how a worker is reached.
 *
 * An idle worker stores in the word `mail` how it is idle: spinning, parked, on watch, or not started yet. A sender replaces
 * that by one compare-and-swap, under no lock: with a range to join, or with MAIL_ROUSED, which asks the worker to look
 * for work. In: what to send. Out: workers that are awake, or threads that start.
 */
#define _GNU_SOURCE
#include "scheduler.h"

#include <errno.h>
#include <string.h>

#define STACK_BYTES (16 << 20) /* of workers */

bool mailbox_is_eligible(const struct mailbox *mailbox, cl_device_id device) {
    size_t index = (size_t)(mailbox - mailbox->scheduler->mailboxes);
    return index >= device->first_worker && index - device->first_worker < device->compute_units;
}

struct range *mailbox_take(struct mailbox *mailbox, uintptr_t *kind) {
    uintptr_t mail = atomic_exchange(&mailbox->mail, MAIL_BUSY);
    *kind = mail;
    return mail < MAIL_KINDS ? NULL : (struct range *)mail;
}

static void mailbox_start(struct mailbox *mailbox) {
    struct scheduler *s = mailbox->scheduler;
    int error = ENOMEM;
    if (!mailbox->worker)
        mailbox->worker = worker_new((unsigned)(mailbox - s->mailboxes));
    if (mailbox->worker) {
        pthread_mutex_lock(&s->lock); /* the thread may leave at once: it has to be known before */
        error = worker_thread(&mailbox->thread, STACK_BYTES, sched_worker, mailbox);
        mailbox->has_thread = !error;
        pthread_mutex_unlock(&s->lock);
    }
    if (error) {
        log_write(LOG_ERROR,
                  "a worker thread can't start: %s; others do its work. `ulimit -u`, -v and -d, and a "
                  "control group's "
                  "pids.max limit threads",
                  strerror(error));
        uintptr_t mail = atomic_exchange(&mailbox->mail, MAIL_ABSENT);
        if (mail >= MAIL_KINDS)
            range_leave((struct range *)mail, 1);
    }
}

bool mailbox_send(struct mailbox *mailbox, uintptr_t idle, uintptr_t what) {
    if (atomic_load(&mailbox->mail) != idle || !atomic_compare_exchange_strong(&mailbox->mail, &idle, what))
        return false;
    if (idle == MAIL_ABSENT)
        mailbox_start(mailbox);
    else if (idle == MAIL_PARKED || idle == MAIL_WATCHING)
        futex_wake(&mailbox->mail);
    return true;
}

void mailbox_rouse_and_unlock(struct scheduler *s, cl_device_id device) {
    static const unsigned char order[] = {MAIL_SPINNING, MAIL_REVOKED, MAIL_WATCHING, MAIL_PARKED,
                                          MAIL_ABSENT};
    /* One that is becoming idle sees this afterwards, or we see it being idle; one that parks has looked under
     * the lock. */
    atomic_fetch_add(&s->news, 1);
    pthread_mutex_unlock(&s->lock);
    for (unsigned o = 0; o < sizeof order; o++)
        for (unsigned i = 0; i < device->compute_units; i++)
            if (mailbox_send(&s->mailboxes[device->first_worker + i], order[o], MAIL_ROUSED))
                return;
}

void mailbox_rouse_all(struct scheduler *s) {
    for (unsigned i = 0; i < s->size; i++)
        for (uintptr_t idle = MAIL_SPINNING; idle <= MAIL_WATCHING; idle++)
            mailbox_send(&s->mailboxes[i], idle, MAIL_ROUSED);
}

bool mailbox_watched_locked(struct scheduler *s) {
    bool watched = s->watch;
    for (unsigned i = 0; !watched && i < s->size; i++)
        watched = atomic_load_explicit(&s->mailboxes[i].mail, memory_order_relaxed) == MAIL_SPINNING;
    return watched;
}

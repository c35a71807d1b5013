/* binding.c: workers of affinity domains stay on the processors of their domain.
 *
 * In: sub-devices made by CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, as they come and go. Out: the affinity of worker
 * threads: a worker keeps to the smallest such domain it is in, and to nothing while it is in none. Threads of the
 * application are not moved; they run no commands of such devices (sched.c).
 */
#define _GNU_SOURCE
#include "scheduler.h"

#include <sched.h>

static struct {
    pthread_mutex_t lock; /* before the scheduler's; guards what follows */
    cl_device_id devices; /* by next_bound; not held */
    bool used;
} binding = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool has_worker(cl_device_id device, unsigned worker) {
    return worker >= device->first_worker && worker - device->first_worker < device->compute_units;
}

/* Where a worker may run. */
static cpu_set_t cpus_of_locked(unsigned worker) {
    cl_device_id smallest = NULL;
    for (cl_device_id d = binding.devices; d; d = d->next_bound)
        if (has_worker(d, worker) && (!smallest || d->compute_units < smallest->compute_units))
            smallest = d;
    size_t n, begin = smallest ? smallest->first_worker : 0;
    const struct topology_cpu *cpus = topology_get(&n);
    size_t end = smallest ? begin + smallest->compute_units : n;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (size_t i = begin; i < end && i < n; i++)
        CPU_SET(cpus[i].number, &set);
    return set;
}

/* After a change of the list. */
static void move_workers_locked(cl_device_id device) {
    struct scheduler *s = device->scheduler;
    binding.used = true;
    pthread_mutex_lock(&s->lock);
    for (unsigned i = device->first_worker; i < device->first_worker + device->compute_units; i++)
        if (s->mailboxes[i].has_thread) {
            cpu_set_t set = cpus_of_locked(i);
            pthread_setaffinity_np(s->mailboxes[i].thread, sizeof set, &set);
        }
    pthread_mutex_unlock(&s->lock);
}

void sched_bind(cl_device_id device) {
    pthread_mutex_lock(&binding.lock);
    device->is_bound = true;
    device->next_bound = binding.devices;
    binding.devices = device;
    move_workers_locked(device);
    pthread_mutex_unlock(&binding.lock);
}

void sched_unbind(cl_device_id device) {
    pthread_mutex_lock(&binding.lock);
    cl_device_id *at = &binding.devices;
    while (*at != device)
        at = &(*at)->next_bound;
    *at = device->next_bound;
    move_workers_locked(device);
    pthread_mutex_unlock(&binding.lock);
}

void binding_before_fork(void) {
    pthread_mutex_lock(&binding.lock);
}

void binding_after_fork(void) {
    pthread_mutex_unlock(&binding.lock);
}

void binding_enter(unsigned worker) {
    pthread_mutex_lock(&binding.lock);
    if (binding.used) {
        cpu_set_t set = cpus_of_locked(worker);
        pthread_setaffinity_np(pthread_self(), sizeof set, &set);
    }
    pthread_mutex_unlock(&binding.lock);
}

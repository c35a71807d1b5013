/* ptrmap.c: a hash map from pointers to integers, and a list of pointers. In: keys by identity. Out: the
 * value last set. Memory is the job's: nothing is freed. */
#include "ir.h"
#include <string.h>

static size_t slot_of(const struct ptrmap *map, const void *key) {
    uintptr_t h = (uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (h >> 20) & (map->cap - 1);
    while (map->keys[i] && map->keys[i] != key) {
        i = (i + 1) & (map->cap - 1);
    }
    return i;
}

static void grow(struct ptrmap *map) {
    struct ptrmap old = *map;
    map->cap = old.cap ? old.cap * 2 : 64;
    map->keys = job_alloc(map->cap * sizeof *map->keys);
    map->values = job_alloc(map->cap * sizeof *map->values);
    for (size_t i = 0; i < old.cap; i++) {
        if (old.keys[i]) {
            size_t to = slot_of(map, old.keys[i]);
            map->keys[to] = old.keys[i];
            map->values[to] = old.values[i];
        }
    }
}

void ptrmap_set(struct ptrmap *map, const void *key, uintptr_t value) {
    if (map->used * 2 >= map->cap) {
        grow(map);
    }
    size_t i = slot_of(map, key);
    map->used += !map->keys[i];
    map->keys[i] = key;
    map->values[i] = value;
}

bool ptrmap_get(const struct ptrmap *map, const void *key, uintptr_t *value) {
    if (!map->cap) {
        return false;
    }
    size_t i = slot_of(map, key);
    if (map->keys[i]) {
        *value = map->values[i];
    }
    return map->keys[i];
}

uintptr_t ptrmap_at(const struct ptrmap *map, const void *key, uintptr_t missing) {
    ptrmap_get(map, key, &missing);
    return missing;
}

void list_add(struct list *list, void *item) {
    if (list->n == list->cap) {
        void **old = list->at;
        list->cap = list->cap ? list->cap * 2 : 16;
        list->at = job_alloc(list->cap * sizeof *list->at);
        if (list->n) {
            memcpy(list->at, old, list->n * sizeof *old);
        }
    }
    list->at[list->n++] = item;
}

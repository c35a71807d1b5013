/* svm.c: random calls on shared virtual memory and unified shared memory. */
#include "objects.h"

static cl_context some_context(void) {
    struct object *o;
    while (!(o = any(CONTEXT)))
        continue;
    return o->handle;
}

/* The loader doesn't take NULL for the context. */
void free_svm(uint32_t i) {
    if (!svm[i].p)
        return;
    clSVMFree(svm[i].context, svm[i].p);
    check(clReleaseContext(svm[i].context), "clReleaseContext");
    svm[i].p = NULL;
}

/* Unified shared memory, through the functions that its extension has. */
static struct {
    __typeof__(&clHostMemAllocINTEL) host;
    __typeof__(&clDeviceMemAllocINTEL) device;
    __typeof__(&clSharedMemAllocINTEL) shared;
    __typeof__(&clMemFreeINTEL) free, blocking_free;
    __typeof__(&clGetMemAllocInfoINTEL) info;
    __typeof__(&clSetKernelArgMemPointerINTEL) argument;
    __typeof__(&clEnqueueMemFillINTEL) fill;
    __typeof__(&clEnqueueMemcpyINTEL) copy;
    __typeof__(&clEnqueueMigrateMemINTEL) migrate;
    __typeof__(&clEnqueueMemAdviseINTEL) advise;
} usm;
#define FIND(place, name) (usm.place = clGetExtensionFunctionAddressForPlatform(cl.platform, name))

static bool find_usm(void) {
    return usm.host ||
           (FIND(host, "clHostMemAllocINTEL") && FIND(device, "clDeviceMemAllocINTEL") &&
            FIND(shared, "clSharedMemAllocINTEL") && FIND(free, "clMemFreeINTEL") &&
            FIND(blocking_free, "clMemBlockingFreeINTEL") && FIND(info, "clGetMemAllocInfoINTEL") &&
            FIND(argument, "clSetKernelArgMemPointerINTEL") && FIND(fill, "clEnqueueMemFillINTEL") &&
            FIND(copy, "clEnqueueMemcpyINTEL") && FIND(migrate, "clEnqueueMigrateMemINTEL") &&
            FIND(advise, "clEnqueueMemAdviseINTEL"));
}

/* An allocation is made, looked at, used, and freed, or left to its context. */
static void usm_life(cl_context context) {
    cl_mem_properties_intel list[] = {one_in(8) ? number() : CL_MEM_ALLOC_FLAGS_INTEL, below(9), 0};
    const cl_mem_properties_intel *properties = one_in(2) ? list : NULL;
    size_t size = one_in(4) ? number() : 256 + below(1000), got;
    cl_uint alignment = one_in(4) ? (cl_uint)odd_number() : 0;
    cl_device_id device = handle(DEVICE);
    unsigned char answer[64], *p;
    cl_int e = 1;
    uint32_t type = below(3);
    p = type == 0   ? usm.host(context, properties, size, alignment, &e)
        : type == 1 ? usm.device(context, device, properties, size, alignment, &e)
                    : usm.shared(context, device, properties, size, alignment, &e);
    check_made(p, e, "an allocation");
    check(
        usm.info(context, one_in(4) ? host : p + below(2000), enum_near(0x4195, 9), below(64), answer, &got),
        "clGetMemAllocInfoINTEL");
    if (one_in(8))
        check(usm.free(context, p + 1), "freeing another address");
    if (p && !one_in(8))
        check(one_in(2) && !exists(EVENT) ? usm.blocking_free(context, p) : usm.free(context, p), "freeing");
}

void do_usm(void) {
    cl_command_queue queue = handle(QUEUE);
    struct object *q = object_of(queue, QUEUE);
    struct waiting w = wait_list();
    cl_event event = NULL;
    size_t small = below(256);
    cl_int e = CL_SUCCESS;
    if (!find_usm())
        return;
    switch (below(6)) {
    case 0:
        e = usm.fill(queue, host, host + 4096, one_in(4) ? number() : 4, small, WAIT, WITH_EVENT);
        break;
    case 1:
        e = usm.copy(queue, CL_FALSE, host, host + small + one_in(2), small, WAIT, WITH_EVENT);
        break;
    case 2:
        e = usm.migrate(queue, host, number(), below(5), WAIT, WITH_EVENT);
        break;
    case 3:
        e = usm.advise(queue, host, number(), below(2), WAIT, WITH_EVENT);
        break;
    default:
        usm_life(handle(CONTEXT));
    }
    check(e, "unified shared memory");
    keep_event(event, q ? q->context : NULL);
}

void do_svm(void) {
    cl_command_queue queue = handle(QUEUE);
    struct object *q = object_of(queue, QUEUE);
    struct waiting w = wait_list();
    cl_event event = NULL;
    uint32_t i = below(ROOM);
    size_t small = below(256);
    cl_int e = CL_SUCCESS;
    switch (below(6)) {
    case 0:
        if (!svm[i].p && exists(CONTEXT)) {
            svm[i].context = some_context();
            svm[i].p =
                clSVMAlloc(svm[i].context, one_in(2) ? CL_MEM_READ_WRITE : (cl_svm_mem_flags)1 << below(14),
                           one_in(4) ? number() : 256 + below(1000), one_in(4) ? (cl_uint)odd_number() : 0);
            if (svm[i].p)
                check(clRetainContext(svm[i].context), "clRetainContext");
        }
        return;
    case 1:
        finish_all();                    /* what uses it */
        if (svm[i].p && exists(CONTEXT)) /* with the wrong context nothing happens */
            clSVMFree(some_context(), svm[i].p);
        free_svm(i);
        return;
    case 2:
        e = clEnqueueSVMMap(queue, CL_FALSE, one_in(8) ? number() : (cl_map_flags)1 << below(3), svm[i].p,
                            number(), WAIT, WITH_EVENT);
        break;
    case 3:
        e = clEnqueueSVMMemcpy(queue, CL_FALSE, host, host + small + one_in(2), small, WAIT, WITH_EVENT);
        break;
    case 4:
        e = clEnqueueSVMMemFill(queue, host, host + 4096, one_in(4) ? number() : 4, small, WAIT, WITH_EVENT);
        break;
    default: {
        const void *p = svm[i].p;
        size_t size = number();
        e = clEnqueueSVMMigrateMem(queue, below(2), one_in(8) ? NULL : &p, one_in(2) ? NULL : &size, below(5),
                                   WAIT, WITH_EVENT);
    }
    }
    check(e, "SVM");
    keep_event(event, q ? q->context : NULL);
}

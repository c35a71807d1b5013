/* Memory of the host that ends with its page, behind which there is none: kernels read no further, also where the processor has no masked
 * loads (vector/memory_access.c). */
#include <stdlib.h>
#include <sys/mman.h>
#include "api.h"

enum { ITEMS = 192, PAGE = 4096, ROOM = 512 };

__attribute__((constructor)) static void have_no_masked_loads(void) {
    setenv("WEIR_CPU", "x86-64", 1);
}

/* The last bytes of a page. */
static unsigned char *before_nothing(void) {
    unsigned char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + PAGE, PAGE, PROT_NONE), 0);
    return pages + PAGE - ROOM;
}

static int steps_to_seven(const unsigned char *a) {
    int n = 0;
    while (a[n] != 7)
        n++;
    return n;
}

TEST(work_items_that_stop_at_different_places_read_to_the_end_of_a_page) {
    cl_kernel kernel = kernel_of(
        "kernel void k(global const uchar *a, global int *n) { size_t l = get_global_id(0); int i = 0;"
        " while (a[l + i] != 7) i++; n[l] = i; }",
        "k");
    unsigned char *a = before_nothing();
    int found[ITEMS];
    size_t global = ITEMS, local = 64;
    for (int i = 0; i < ROOM; i++)
        a[i] = i % 37 == 5 || i == ROOM - 1 ? 7 : 1;
    a += ROOM - ITEMS;
    cl_mem in = MADE(clCreateBuffer(cl.context, CL_MEM_USE_HOST_PTR, ITEMS, a, &error)), out = zeros(ITEMS);
    OK(clSetKernelArg(kernel, 0, sizeof in, &in));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(cl.queue, out, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(found[i], steps_to_seven(a + i));
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
}

/* Random sequences of API calls, with all that a caller can pass that isn't a wild object: NULL, objects of another
 * kind, numbers at limits, unknown enums, contexts that don't fit, rectangles that lead anywhere. Every call gives an
 * answer; where an object is made there is no error, and where none is made there is one; at the end everything is
 * released, and every context must be gone. Usage: see session.h; a run is a sequence of 100 calls.
 *
 * A caller's own promises are kept: memory that a valid call reads or writes is there (host memory of HOST bytes), and
 * what waits for an event that only the caller can set is not waited for before it is set.
 */
#include "objects.h"

enum { CALLS = 100, MOST_BUFFER = 1 << 14 };

/* ---- calls ---- */

static void CL_CALLBACK count_context(cl_context context, void *user) {
    __atomic_fetch_sub((int *)user, 1, __ATOMIC_SEQ_CST);
}

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user) {
    cl_int now;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, NULL);
}

static void CL_CALLBACK on_mem(cl_mem mem, void *user) {
}

static void CL_CALLBACK on_error(const char *text, const void *data, size_t size, void *user) {
}

static void do_device(void) {
    cl_device_partition_property properties[][4] = {
        {CL_DEVICE_PARTITION_EQUALLY, 1, 0},
        {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0},
        {CL_DEVICE_PARTITION_EQUALLY, (cl_device_partition_property)number(), 0},
        {CL_DEVICE_PARTITION_BY_COUNTS, (cl_device_partition_property)number(), 0, 0},
        {(cl_device_partition_property)number(), 1, 0}};
    cl_device_id parts[ROOM] = {0};
    cl_uint n = 0, room = one_in(8) ? 0 : below(ROOM);
    cl_int e = clCreateSubDevices(handle(DEVICE), one_in(32) ? NULL : properties[below(COUNT(properties))],
                                  room, one_in(8) ? NULL : parts, &n);
    check(e, "clCreateSubDevices");
    for (cl_uint i = 0; !e && i < ROOM && parts[i]; i++)
        keep(DEVICE, parts[i], NULL);
}

static void do_context(void) {
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)cl.platform, 0};
    if (one_in(8))
        properties[below(2)] = one_in(2) ? 0 : CL_CONTEXT_INTEROP_USER_SYNC;
    cl_device_id devices[3] = {cl.device, handle(DEVICE), handle(DEVICE)};
    cl_uint n = one_in(8) ? 0 : 1 + below(3);
    cl_int e;
    cl_context context =
        one_in(8) ? clCreateContextFromType(one_in(2) ? NULL : properties,
                                            one_in(2) ? CL_DEVICE_TYPE_ALL : number(), NULL, NULL, &e)
                  : clCreateContext(one_in(2) ? NULL : properties, n, one_in(16) ? NULL : devices,
                                    one_in(2) ? on_error : NULL, one_in(16) ? host : NULL, &e);
    check_made(context, e, "clCreateContext");
    if (context && !free_place(CONTEXT))
        check(clReleaseContext(context), "clReleaseContext");
    else if (keep(CONTEXT, context, context)) {
        live_contexts++;
        check(clSetContextDestructorCallback(context, count_context, &live_contexts), "a destructor");
    }
}

static void do_queue(void) {
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, below(one_in(8) ? 32 : 4), 0, 0, 0};
    if (one_in(8))
        properties[2 * below(2)] = (cl_queue_properties)enum_near(CL_QUEUE_CONTEXT, 8);
    if (one_in(4)) { /* on the device */
        properties[1] = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | below(16);
        properties[2] = one_in(2) ? CL_QUEUE_SIZE : 0;
        properties[3] = one_in(4) ? number() : 1 + below(1 << 20);
    }
    cl_context context = handle(CONTEXT);
    cl_int e;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, handle(DEVICE), one_in(4) ? NULL : properties, &e);
    check_made(queue, e, "clCreateCommandQueue");
    keep(QUEUE, queue, context);
}

static void do_buffer(void) {
    cl_context context = handle(CONTEXT);
    cl_mem_flags flags =
        one_in(2) ? 0 : (cl_mem_flags)1 << below(11) | (one_in(4) ? (cl_mem_flags)1 << below(11) : 0);
    size_t size = one_in(4) ? number() : 1 + below(MOST_BUFFER);
    bool wants = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR), given = wants != one_in(16);
    if (given && size > HOST)
        size = HOST;
    cl_mem_properties none = 0, address[] = {one_in(8) ? number() : 0x5000, below(3), 0};
    cl_int e;
    cl_mem mem = one_in(2) ? clCreateBuffer(context, flags, size, given ? host : NULL, &e)
                           : clCreateBufferWithProperties(context,
                                                          one_in(3)   ? NULL
                                                          : one_in(2) ? &none
                                                                      : address,
                                                          flags, size, given ? host : NULL, &e);
    check_made(mem, e, "clCreateBuffer");
    struct object *o = keep(MEM, mem, context);
    if (o)
        o->size = size;
    if (o && one_in(4))
        check(clSetMemObjectDestructorCallback(mem, one_in(8) ? NULL : on_mem, NULL), "a destructor");
}

/* A format that there is, or any. */
static cl_image_format format(void) {
    static const cl_image_format some[] = {{CL_RGBA, CL_UNORM_INT8},     {CL_R, CL_FLOAT},
                                           {CL_RGBA, CL_FLOAT},          {CL_BGRA, CL_UNORM_INT8},
                                           {CL_RG, CL_SIGNED_INT16},     {CL_DEPTH, CL_FLOAT},
                                           {CL_RGB, CL_UNORM_SHORT_565}, {CL_sRGBA, CL_UNORM_INT8}};
    return one_in(3) ? (cl_image_format){enum_near(0x10b0, 20), enum_near(0x10d0, 18)}
                     : some[below(COUNT(some))];
}

/* Small where the host's memory is used: that must be there. */
static void do_image(void) {
    cl_context context = handle(CONTEXT);
    cl_mem_flags flags = one_in(2) ? 0 : (cl_mem_flags)1 << below(11);
    bool wants = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR), given = wants != one_in(16);
    cl_image_format f = format();
    cl_image_desc d = {.image_type = enum_near(CL_MEM_OBJECT_IMAGE2D, 6)};
    size_t *sizes[] = {&d.image_width, &d.image_height, &d.image_depth, &d.image_array_size};
    for (size_t i = 0; i < COUNT(sizes); i++)
        *sizes[i] = one_in(8) && !given ? number() : below(one_in(16) ? 2 : 9) + !one_in(16);
    if (one_in(3)) {
        d.image_row_pitch = one_in(4) && !given ? number() : 256;
        d.image_slice_pitch = one_in(4) && !given ? number() : one_in(2) ? 4096 : 0;
    }
    if (one_in(4))
        d.num_mip_levels = one_in(4) ? (cl_uint)odd_number() : below(6);
    if (one_in(32))
        d.num_samples = 1;
    if (one_in(3))
        d.mem_object = handle(MEM);
    cl_mem_properties none = 0;
    const cl_image_format *format = one_in(64) ? NULL : &f;
    const cl_image_desc *desc = one_in(64) ? NULL : &d;
    void *memory = given ? host : NULL;
    cl_int e;
    cl_mem mem;
    switch (below(8)) {
    case 0:
        mem = clCreateImage2D(context, flags, format, d.image_width, d.image_height, d.image_row_pitch,
                              memory, &e);
        break;
    case 1:
        mem = clCreateImage3D(context, flags, format, d.image_width, d.image_height, d.image_depth,
                              d.image_row_pitch, d.image_slice_pitch, memory, &e);
        break;
    case 2:
        mem = clCreateImageWithProperties(context, one_in(2) ? NULL : &none, flags, format, desc, memory, &e);
        break;
    default:
        mem = clCreateImage(context, flags, format, desc, memory, &e);
    }
    check_made(mem, e, "clCreateImage");
    keep(MEM, mem, context);
}

static void do_sampler(void) {
    cl_context context = handle(CONTEXT);
    cl_sampler_properties properties[9] = {0};
    for (int i = 0, n = (int)below(5); i < n; i++) {
        properties[2 * i] = enum_near(CL_SAMPLER_NORMALIZED_COORDS, 6);
        properties[2 * i + 1] = one_in(4) ? number() : one_in(2) ? below(2) : enum_near(CL_ADDRESS_NONE, 18);
    }
    cl_int e;
    cl_sampler sampler = one_in(2) ? clCreateSamplerWithProperties(context, one_in(8) ? NULL : properties, &e)
                                   : clCreateSampler(context, below(2), enum_near(CL_ADDRESS_NONE, 5),
                                                     enum_near(CL_FILTER_NEAREST, 2), &e);
    check_made(sampler, e, "clCreateSampler");
    keep(SAMPLER, sampler, context);
}

static void do_default_queue(void) {
    check(clSetDefaultDeviceCommandQueue(handle(CONTEXT), handle(DEVICE), handle(QUEUE)),
          "clSetDefaultDeviceCommandQueue");
}

static void do_sub_buffer(void) {
    cl_mem parent = handle(MEM);
    struct object *of = object_of(parent, MEM);
    cl_buffer_region region;
    cl_int e;
    piece(of, &region.origin, &region.size);
    region.origin = one_in(4) ? region.origin : region.origin / 128 * 128;
    cl_mem mem = clCreateSubBuffer(parent, one_in(2) ? 0 : (cl_mem_flags)1 << below(11), enum_near(0x1220, 2),
                                   one_in(32) ? NULL : &region, &e);
    check_made(mem, e, "clCreateSubBuffer");
    struct object *o = keep(MEM, mem, of ? of->context : NULL);
    if (o)
        o->size = region.size;
}

static void do_program(void) {
    static const char *const sources[] = {
        "kernel void k(global uchar *p, uint n, local uchar *l) { if (p) p[0] = (uchar)n; l[0] = 1;"
        "barrier(CLK_LOCAL_MEM_FENCE); }",
        "kernel void a(global uchar *p) { if (p) p[0]++; } kernel void b(float4 x, constant int *c) {}",
        "kernel void b(float4 x, constant int *c) {} kernel void c() {}",
        "kernel void d(global uchar *p, queue_t q) { if (get_global_linear_id() < 4) {"
        "clk_event_t e; int n = p ? 1 + p[0] : 1;"
        "if (!enqueue_kernel(q, p ? CLK_ENQUEUE_FLAGS_WAIT_KERNEL : CLK_ENQUEUE_FLAGS_NO_WAIT,"
        "ndrange_1D(n), 0, NULL, &e, ^{ if (p) p[0] = n; })) {"
        "enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8, 8), 1, &e, NULL,"
        "^(local void *l) { *(local uchar *)l = n; }, n); release_event(e); } } }",
        "kernel void e(write_only pipe int p) { int x = 1; write_pipe(p, &x); }"
        "kernel void f(read_only pipe int p) { int x; while (!read_pipe(p, &x)); }",
        "this is no program",
        "",
    };
    static const char *const options[] = {NULL,        "",  "-cl-std=CL3.0", "-cl-std=CL2.0 -DX=1",
                                          "-nonsense", "-I"};
    cl_context context = handle(CONTEXT);
    const char *strings[] = {sources[below(COUNT(sources))], "\n", one_in(16) ? NULL : " "};
    size_t lengths[] = {strlen(strings[0]), one_in(2), 0};
    cl_uint n = one_in(16) ? 0 : 1 + below(3);
    cl_device_id device = handle(DEVICE);
    cl_int e;
    cl_program program =
        clCreateProgramWithSource(context, n, one_in(32) ? NULL : strings, one_in(2) ? NULL : lengths, &e);
    check_made(program, e, "clCreateProgramWithSource");
    if (keep(PROGRAM, program, context) && !one_in(8)) {
        const char *with = options[below(COUNT(options))];
        if (one_in(8))
            check(clCompileProgram(program, 0, NULL, with, 0, NULL, NULL, NULL, NULL), "clCompileProgram");
        else
            check(clBuildProgram(program, !one_in(4), one_in(4) ? NULL : &device, with, NULL, NULL),
                  "clBuildProgram");
    }
}

static void do_link(void) {
    cl_program inputs[3] = {handle(PROGRAM), handle(PROGRAM), handle(PROGRAM)};
    cl_context context = handle(CONTEXT);
    cl_int e;
    cl_program program = clLinkProgram(context, 0, NULL, one_in(2) ? NULL : "-create-library", below(4),
                                       one_in(32) ? NULL : inputs, NULL, NULL, &e);
    if (program ? e && e != CL_LINK_PROGRAM_FAILURE : !e)
        wrong("clLinkProgram", e);
    keep(PROGRAM, program, context);
}

static void do_kernel(void) {
    static const char *const names[] = {"k", "a", "b", "c", "d", "e", "f", "", "nothing"};
    cl_program program = handle(PROGRAM);
    struct object *of = object_of(program, PROGRAM);
    cl_context context = of ? of->context : NULL;
    cl_kernel made[8] = {0};
    cl_uint n = 0;
    cl_int e;
    if (one_in(8)) {
        cl_kernel from = handle(KERNEL);
        struct object *old = object_of(from, KERNEL);
        made[0] = clCloneKernel(from, &e);
        context = old ? old->context : NULL;
        check_made(made[0], e, "clCloneKernel");
    } else if (one_in(4)) {
        check(clCreateKernelsInProgram(program, below(8), one_in(8) ? NULL : made, &n),
              "clCreateKernelsInProgram");
    } else {
        made[0] = clCreateKernel(program, one_in(32) ? NULL : names[below(COUNT(names))], &e);
        check_made(made[0], e, "clCreateKernel");
    }
    for (size_t i = 0; i < COUNT(made) && made[i]; i++)
        keep(KERNEL, made[i], context);
}

static void do_arg(void) {
    cl_kernel kernel = handle(KERNEL);
    cl_uint index = one_in(8) ? (cl_uint)odd_number() : below(3);
    void *mem = handle(one_in(4) ? QUEUE : MEM);
    size_t size = number();
    cl_sampler sampler = handle(SAMPLER);
    cl_int e;
    switch (below(7)) {
    case 6:
        e = clSetKernelArg(kernel, index, sizeof sampler, one_in(8) ? NULL : &sampler);
        break;
    case 0:
    case 1: /* of this size no other value: it would be a wild object */
        e = clSetKernelArg(kernel, index, sizeof mem, one_in(8) ? NULL : &mem);
        break;
    case 2:
        e = clSetKernelArg(kernel, index, one_in(2) ? 4 : 16, one_in(8) ? NULL : host);
        break;
    case 3: /* local memory */
        e = clSetKernelArg(kernel, index, one_in(8) ? size : below(4096), NULL);
        break;
    case 4:
        e = clSetKernelArgSVMPointer(kernel, index, NULL);
        break;
    default:
        e = clSetKernelArg(kernel, index, size,
                           size <= HOST && size != sizeof mem && one_in(2) ? host : NULL);
    }
    check(e, "an argument");
}

static void do_launch(void) {
    cl_command_queue queue = handle(QUEUE);
    struct object *q = object_of(queue, QUEUE);
    struct waiting w = wait_list();
    cl_event event = NULL;
    size_t global[3], local[3], offset[3];
    bool wild = one_in(4);
    for (int i = 0; i < 3; i++) {
        global[i] = 1 + below(64);
        local[i] = (size_t)1 << below(4);
        offset[i] = wild ? number() : below(100);
    }
    if (wild && one_in(2))
        local[below(3)] = number();
    if (wild && one_in(2)) /* more than ends in our time: local size 0 has it refused */
        global[below(3)] = number(), local[0] = 0;
    bool chosen = local[0] && one_in(4);
    check(clEnqueueNDRangeKernel(queue, handle(KERNEL), one_in(8) ? (cl_uint)odd_number() : 1 + below(3),
                                 one_in(2) ? NULL : offset, one_in(32) ? NULL : global, chosen ? NULL : local,
                                 WAIT, WITH_EVENT),
          "clEnqueueNDRangeKernel");
    keep_event(event, q ? q->context : NULL);
}

/* Reading, writing, copying, filling, mapping. */
static void do_transfer(void) {
    cl_command_queue queue = handle(QUEUE);
    struct object *q = object_of(queue, QUEUE), *o;
    cl_mem mem = handle(MEM), other = handle(MEM);
    struct waiting w = wait_list();
    cl_event event = NULL;
    size_t at, size, to, unused;
    cl_int e = CL_SUCCESS;
    bool blocking = one_in(8);
    if (blocking)
        open_gates();
    o = object_of(mem, MEM);
    piece(o, &at, &size);
    piece(object_of(other, MEM), &to, &unused);
    void *memory = one_in(32) ? NULL : host;
    switch (below(6)) {
    case 0:
        e = clEnqueueReadBuffer(queue, mem, blocking, at, size, memory, WAIT, WITH_EVENT);
        break;
    case 1:
        e = clEnqueueWriteBuffer(queue, mem, blocking, at, size, memory, WAIT, WITH_EVENT);
        break;
    case 2:
        e = clEnqueueCopyBuffer(queue, mem, other, at, to, size, WAIT, WITH_EVENT);
        break;
    case 3: {
        size_t pattern = one_in(4) ? number() : (size_t)1 << below(8);
        if (!one_in(4) && pattern && pattern <= 128)
            at = at / pattern * pattern, size = size / pattern * pattern;
        e = clEnqueueFillBuffer(queue, mem, memory, pattern, at, size, WAIT, WITH_EVENT);
        break;
    }
    case 4: {
        cl_map_flags flags = one_in(8) ? number() : (cl_map_flags)1 << below(3);
        void *p = clEnqueueMapBuffer(queue, mem, blocking, flags, at, size, WAIT, WITH_EVENT, &e);
        check_made(p, e, "clEnqueueMapBuffer");
        if (p && o)
            o->mapped = p;
        break;
    }
    default:
        e = clEnqueueUnmapMemObject(queue, mem, o && o->mapped && !one_in(8) ? o->mapped : host, WAIT,
                                    WITH_EVENT);
    }
    check(e, "a transfer");
    keep_event(event, q ? q->context : NULL);
}

/* The host's side is small, for it is the caller's to have that memory; the buffers' sides lead anywhere. */
static void do_rect(void) {
    cl_command_queue queue = handle(QUEUE);
    struct object *q = object_of(queue, QUEUE);
    cl_mem mem = handle(MEM), other = handle(MEM);
    struct waiting w = wait_list();
    cl_event event = NULL;
    size_t origin[3], second[3], region[3], pitch[4], near[2] = {0, 0};
    for (int i = 0; i < 3; i++) {
        origin[i] = one_in(6) ? number() : below(16);
        second[i] = one_in(6) ? number() : below(16);
        region[i] = one_in(12) ? 0 : 1 + below(16);
    }
    for (int i = 0; i < 4; i++)
        pitch[i] = one_in(6) ? number() : i % 2 ? 256 * below(3) : 16 * below(3);
    size_t here[3] = {below(8), below(8), below(8)};
    if (one_in(2))
        near[0] = 32, near[1] = 1024;
    cl_int e;
    bool blocking = one_in(8), null = one_in(32);
    if (blocking)
        open_gates();
    switch (below(3)) {
    case 0:
        e = clEnqueueReadBufferRect(queue, mem, blocking, null ? NULL : origin, here, region, pitch[0],
                                    pitch[1], near[0], near[1], one_in(32) ? NULL : host, WAIT, WITH_EVENT);
        break;
    case 1:
        e = clEnqueueWriteBufferRect(queue, mem, blocking, null ? NULL : origin, here, region, pitch[0],
                                     pitch[1], near[0], near[1], one_in(32) ? NULL : host, WAIT, WITH_EVENT);
        break;
    default: /* no host: any region */
        if (one_in(4))
            region[below(3)] = near_or_far();
        e = clEnqueueCopyBufferRect(queue, mem, one_in(2) ? mem : other, origin, null ? NULL : second, region,
                                    pitch[0], pitch[1], pitch[2], pitch[3], WAIT, WITH_EVENT);
    }
    check(e, "a rectangle");
    keep_event(event, q ? q->context : NULL);
}

/* Regions of up to 16 texels a side, with rows of up to 256 bytes: the host's memory has room for them. */
static void do_image_transfer(void) {
    cl_command_queue queue = handle(QUEUE);
    struct object *q = object_of(queue, QUEUE), *o;
    cl_mem mem = handle(MEM), other = handle(MEM);
    struct waiting w = wait_list();
    cl_event event = NULL;
    size_t origin[4], second[4], region[3], row = one_in(2) ? 256 : 0, slice = one_in(2) ? 4096 : 0;
    for (int i = 0; i < 4; i++) {
        origin[i] = one_in(12) ? number() : one_in(2) ? 0 : below(4);
        second[i] = one_in(12) ? number() : one_in(2) ? 0 : below(4);
    }
    for (int i = 0; i < 3; i++)
        region[i] = one_in(24) ? 0 : one_in(24) ? SIZE_MAX >> below(3) : 1 + below(one_in(2) ? 1 : 16);
    bool blocking = one_in(8), null = one_in(64);
    void *memory = one_in(32) ? NULL : host;
    cl_int e;
    if (blocking)
        open_gates();
    o = object_of(mem, MEM);
    switch (below(7)) {
    case 0:
        e = clEnqueueReadImage(queue, mem, blocking, null ? NULL : origin, region, row, slice, memory, WAIT,
                               WITH_EVENT);
        break;
    case 1:
        e = clEnqueueWriteImage(queue, mem, blocking, origin, null ? NULL : region, row, slice, memory, WAIT,
                                WITH_EVENT);
        break;
    case 2:
        e = clEnqueueCopyImage(queue, mem, one_in(2) ? mem : other, origin, second, region, WAIT, WITH_EVENT);
        break;
    case 3:
        e = clEnqueueCopyImageToBuffer(queue, mem, other, origin, region, number(), WAIT, WITH_EVENT);
        break;
    case 4:
        e = clEnqueueCopyBufferToImage(queue, other, mem, one_in(2) ? 0 : number(), origin, region, WAIT,
                                       WITH_EVENT);
        break;
    case 5:
        e = clEnqueueFillImage(queue, mem, memory, origin, region, WAIT, WITH_EVENT);
        break;
    default: {
        cl_map_flags flags = one_in(8) ? number() : (cl_map_flags)1 << below(3);
        void *p = clEnqueueMapImage(queue, mem, blocking, flags, origin, region, null ? NULL : &row,
                                    one_in(4) ? NULL : &slice, WAIT, WITH_EVENT, &e);
        check_made(p, e, "clEnqueueMapImage");
        if (p && o)
            o->mapped = p;
    }
    }
    check(e, "an image's transfer");
    keep_event(event, q ? q->context : NULL);
}

static void CL_CALLBACK native(void *args) {
}

static void do_sync(void) {
    cl_command_queue queue = handle(QUEUE);
    struct object *q = object_of(queue, QUEUE);
    struct waiting w = wait_list();
    cl_event event = NULL;
    cl_mem mem = handle(MEM);
    const void *places[] = {host + (one_in(8) ? number() % 100 : 0)};
    cl_int e;
    switch (below(6)) {
    case 0:
        e = clEnqueueMarkerWithWaitList(queue, WAIT, WITH_EVENT);
        break;
    case 1:
        e = clEnqueueBarrierWithWaitList(queue, WAIT, WITH_EVENT);
        break;
    case 2:
        e = clEnqueueMigrateMemObjects(queue, below(2), one_in(8) ? NULL : &mem, below(5), WAIT, WITH_EVENT);
        break;
    case 3:
        e = clEnqueueNativeKernel(queue, one_in(16) ? NULL : native, one_in(8) ? NULL : host,
                                  one_in(8) ? 0 : 64, one_in(2), one_in(8) ? NULL : &mem,
                                  one_in(8) ? NULL : places, WAIT, WITH_EVENT);
        break;
    case 4:
        e = clFlush(queue);
        break;
    default:
        open_gates();
        e = clFinish(queue);
    }
    check(e, "an order");
    keep_event(event, q ? q->context : NULL);
}

static void do_event(void) {
    cl_context context = handle(CONTEXT);
    struct waiting w = wait_list();
    struct object *o;
    cl_event event;
    cl_int e;
    switch (below(5)) {
    case 0:
    case 1:
        event = clCreateUserEvent(context, &e);
        check_made(event, e, "clCreateUserEvent");
        if ((o = keep(EVENT, event, context)))
            o->is_gate = true;
        return;
    case 2:
        event = handle(EVENT);
        o = object_of(event, EVENT);
        e = clSetUserEventStatus(event, one_in(4) ? (cl_int)odd_number() : CL_COMPLETE);
        if (o && !e)
            o->is_gate = false;
        break;
    case 3:
        e = clSetEventCallback(handle(EVENT), one_in(8) ? (cl_int)odd_number() : (cl_int)below(4),
                               one_in(8) ? NULL : on_event, NULL);
        break;
    default:
        open_gates();
        e = clWaitForEvents(w.n, w.list);
    }
    check(e, "an event");
}

static void release(struct object *o, enum kind kind) {
    cl_int e = releases[kind](o->handle);
    if (e)
        wrong("a release", e);
    *o = (struct object){0};
}

/* Kernels don't hold the buffers and queues that are their arguments: those stay while there are kernels. */
static void do_release(void) {
    enum kind kind = (enum kind)below(KINDS);
    struct object *o = any(kind);
    bool used = (kind == MEM || kind == QUEUE) && exists(KERNEL);
    if (!o || used || o->handle == cl.device || (kind == CONTEXT && one_in(2)))
        return;
    if (kind == EVENT && o->is_gate)
        open_gates();
    release(o, kind);
}

static void do_retain(void) {
    cl_int e = CL_SUCCESS;
    void *h;
    switch (below(6)) {
    case 5:
        e = clRetainSampler(h = handle(SAMPLER)) || clReleaseSampler(h);
        break;
    case 0:
        e = clRetainContext(h = handle(CONTEXT)) || clReleaseContext(h);
        break;
    case 1:
        e = clRetainMemObject(h = handle(MEM)) || clReleaseMemObject(h);
        break;
    case 2:
        e = clRetainKernel(h = handle(KERNEL)) || clReleaseKernel(h);
        break;
    case 3:
        e = clRetainEvent(h = handle(EVENT)) || clReleaseEvent(h);
        break;
    default:
        e = clRetainProgram(h = handle(PROGRAM)) || clReleaseProgram(h);
    }
    if (e > 1)
        wrong("retained and released", e);
}

static void do_pipe(void) {
    cl_context context = handle(CONTEXT);
    cl_int e;
    cl_mem pipe =
        clCreatePipe(context, one_in(2) ? 0 : (cl_mem_flags)1 << below(11),
                     one_in(4) ? (cl_uint)odd_number() : 4, one_in(4) ? (cl_uint)odd_number() : 4, NULL, &e);
    check_made(pipe, e, "clCreatePipe");
    keep(MEM, pipe, context);
}

static void do_formats(void) {
    cl_image_format formats[4];
    cl_uint n;
    check(clGetSupportedImageFormats(handle(CONTEXT), number(), enum_near(0x10f0, 8), below(5),
                                     one_in(2) ? NULL : formats, &n),
          "formats");
}

static void do_unsupported(void) {
    cl_int e = CL_INVALID_OPERATION;
    void *made = clCreateProgramWithIL(handle(CONTEXT), one_in(2) ? NULL : host, number() % HOST, &e);
    check_made(made, e, "what isn't supported");
}

/* ---- sequences ---- */

static const struct {
    void (*call)(void);
    uint32_t weight;
} calls[] = {{do_device, 2},     {do_context, 2},    {do_queue, 4},   {do_buffer, 10},
             {do_sub_buffer, 4}, {do_image, 10},     {do_sampler, 3}, {do_image_transfer, 20},
             {do_program, 6},    {do_link, 2},       {do_kernel, 8},  {do_arg, 16},
             {do_launch, 16},    {do_transfer, 24},  {do_rect, 16},   {do_sync, 10},
             {do_event, 12},     {do_svm, 10},       {do_usm, 10},    {do_query, 24},
             {do_release, 12},   {do_retain, 4},     {do_pipe, 2},    {do_default_queue, 1},
             {do_formats, 1},    {do_unsupported, 1}};

static void clean_up(void) {
    finish_all();
    for (uint32_t i = 0; i < ROOM; i++)
        free_svm(i);
    for (int kind = KINDS; kind-- > 0;)
        for (int i = 0; i < ROOM; i++)
            if (objects[kind][i].handle && objects[kind][i].handle != cl.device)
                release(&objects[kind][i], (enum kind)kind);
    memset(objects, 0, sizeof objects);
    for (int i = 0; i < 20000 && __atomic_load_n(&live_contexts, __ATOMIC_SEQ_CST); i++)
        usleep(1000); /* workers let go of the last commands */
    if (live_contexts)
        wrong("contexts that nobody holds are alive", live_contexts);
}

static void run(void) {
    uint32_t all = 0;
    for (size_t i = 0; i < COUNT(calls); i++)
        all += calls[i].weight;
    keep(DEVICE, cl.device, NULL);
    while (!exists(CONTEXT))
        do_context();
    for (int i = 0; i < 3; i++)
        do_queue(), do_buffer(), do_program(), do_kernel();
    for (int n = 0; n < CALLS && !failed_run; n++) {
        uint32_t at = below(all);
        size_t i = 0;
        while (at >= calls[i].weight)
            at -= calls[i++].weight;
        calls[i].call();
    }
    clean_up();
}

int main(int argc, char **argv) {
    return session(argc, argv, getenv("WEIR_TEST_QUICK") ? 200 : 1000, device_find, run, NULL);
}

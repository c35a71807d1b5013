/* queries.c: random queries of all objects. */
#include "objects.h"

/* A query with room for anything from nothing to enough. */
void do_query(void) {
    unsigned char answer[4096];
    size_t size = 0, room = one_in(2) ? sizeof answer : below(64), in[3] = {number(), number(), number()};
    void *value = one_in(4) ? NULL : answer;
    cl_kernel kernel = handle(KERNEL);
    cl_device_id device = handle(DEVICE);
    cl_int e;
    room = value || one_in(2) ? room : number();
    switch (below(13)) {
    case 11:
        e = clGetImageInfo(handle(MEM), enum_near(0x1110, 12), room, value, &size);
        break;
    case 12:
        e = clGetSamplerInfo(handle(SAMPLER), enum_near(0x1150, 10), room, value, &size);
        break;
    case 0:
        e = clGetDeviceInfo(device, enum_near(0x1000, 0x75), room, value, &size);
        break;
    case 1:
        e = clGetContextInfo(handle(CONTEXT), enum_near(0x1080, 5), room, value, &size);
        break;
    case 2:
        e = clGetCommandQueueInfo(handle(QUEUE), enum_near(0x1090, 9), room, value, &size);
        break;
    case 3:
        e = clGetMemObjectInfo(handle(MEM), enum_near(0x1100, 12), room, value, &size);
        break;
    case 4: { /* CL_PROGRAM_BINARIES takes pointers in */
        cl_uint name = enum_near(0x1160, 12);
        memset(answer, 0, sizeof answer);
        e = clGetProgramInfo(handle(PROGRAM), name, room, value, &size);
        break;
    }
    case 5:
        e = clGetProgramBuildInfo(handle(PROGRAM), device, enum_near(0x1181, 6), room, value, &size);
        break;
    case 6:
        e = clGetKernelInfo(kernel, enum_near(0x1190, 7), room, value, &size);
        break;
    case 7:
        e = clGetKernelArgInfo(kernel, one_in(8) ? (cl_uint)odd_number() : below(3), enum_near(0x1196, 5),
                               room, value, &size);
        break;
    case 8:
        e = clGetKernelWorkGroupInfo(kernel, device, enum_near(0x11b0, 6), room, value, &size);
        break;
    case 9:
        e = clGetKernelSubGroupInfo(kernel, device, one_in(2) ? enum_near(0x2033, 2) : enum_near(0x11b8, 4),
                                    8 * below(4), one_in(8) ? NULL : in, room, value, &size);
        break;
    default:
        e = one_in(2) ? clGetEventInfo(handle(EVENT), enum_near(0x11d0, 5), room, value, &size)
                      : clGetEventProfilingInfo(handle(EVENT), enum_near(0x1280, 5), room, value, &size);
    }
    check(e, "a query");
}

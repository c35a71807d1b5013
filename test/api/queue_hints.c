/* Hints for queues: priority and throttling, the extension's function that takes them, and what identifies the device. */
#include "api.h"

#include <stdatomic.h>

TEST(a_queue_remembers_its_hints) {
    cl_queue_properties given[] = {CL_QUEUE_PRIORITY_KHR,
                                   CL_QUEUE_PRIORITY_LOW_KHR,
                                   CL_QUEUE_PROPERTIES,
                                   CL_QUEUE_PROFILING_ENABLE,
                                   CL_QUEUE_THROTTLE_KHR,
                                   CL_QUEUE_THROTTLE_HIGH_KHR,
                                   0},
                        back[7];
    cl_command_queue_properties properties;
    size_t size;
    cl_command_queue queue = MADE(clCreateCommandQueueWithProperties(cl.context, cl.device, given, &error));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof back, back, &size));
    assert_int_equal(size, sizeof given);
    assert_memory_equal(back, given, sizeof given);
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
    assert_int_equal(properties, CL_QUEUE_PROFILING_ENABLE);
    OK(clReleaseCommandQueue(queue));
}

TEST(a_hint_is_high_medium_or_low_and_given_once) {
    const cl_queue_properties names[] = {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_THROTTLE_KHR};
    for (size_t i = 0; i < COUNT(names); i++) {
        cl_queue_properties none[] = {names[i], 0, 0}, two_bits[] = {names[i], 3, 0},
                            high[] = {names[i], 8, 0}, twice[] = {names[i], 1, names[i], 1, 0};
        REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(cl.context, cl.device, none, &error));
        REFUSES(CL_INVALID_VALUE,
                clCreateCommandQueueWithProperties(cl.context, cl.device, two_bits, &error));
        REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(cl.context, cl.device, high, &error));
        REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(cl.context, cl.device, twice, &error));
    }
}

static atomic_int gate, turns, turn_of[4];

static void CL_CALLBACK hold(void *args) {
    while (!atomic_load(&gate))
        usleep(100);
}

static void CL_CALLBACK take_turn(void *args) {
    atomic_store(&turn_of[*(int *)args], atomic_fetch_add(&turns, 1));
}

static cl_command_queue queue_of(cl_device_id device, cl_queue_properties priority) {
    cl_queue_properties list[] = {CL_QUEUE_PRIORITY_KHR, priority, 0};
    return MADE(clCreateCommandQueueWithProperties(cl.context, device, list, &error));
}

/* One worker is busy while commands of all priorities become ready. Nobody waits for them: a thread that waits may run
 * what it waits for. */
TEST(of_what_is_ready_the_queue_of_highest_priority_goes_first) {
    const cl_queue_properties order[] = {CL_QUEUE_PRIORITY_LOW_KHR, CL_QUEUE_PRIORITY_MED_KHR,
                                         CL_QUEUE_PRIORITY_HIGH_KHR};
    cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    cl_device_id part;
    if (clCreateSubDevices(cl.device, one, 1, &part, NULL))
        skip();
    cl_command_queue blocked = MADE(clCreateCommandQueue(cl.context, part, 0, &error)), queues[3];
    cl_event event;
    cl_int status = CL_QUEUED;
    OK(clEnqueueNativeKernel(blocked, hold, NULL, 0, 0, NULL, NULL, 0, NULL, &event));
    OK(clFlush(blocked));
    while (status != CL_RUNNING)
        status = event_status(event);
    for (int i = 0; i < 3; i++) {
        queues[i] = queue_of(part, order[i]);
        OK(clEnqueueNativeKernel(queues[i], take_turn, &i, sizeof i, 0, NULL, NULL, 0, NULL, NULL));
    }
    OK(clFlush(queues[0]));
    atomic_store(&gate, 1);
    while (atomic_load(&turns) < 3)
        usleep(100);
    assert_int_equal(turn_of[2], 0);
    assert_int_equal(turn_of[1], 1);
    assert_int_equal(turn_of[0], 2);
    for (int i = 0; i < 3; i++) {
        OK(clFinish(queues[i]));
        OK(clReleaseCommandQueue(queues[i]));
    }
    OK(clReleaseEvent(event));
    OK(clReleaseCommandQueue(blocked));
    OK(clReleaseDevice(part));
}

EXTENSION(clCreateCommandQueueWithPropertiesKHR)

TEST(the_extension_makes_queues_as_the_core_function_does) {
    FIND(clCreateCommandQueueWithPropertiesKHR)
    cl_queue_properties_khr list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
                            bad[] = {0x4242, 1, 0};
    cl_command_queue queue =
        MADE(clCreateCommandQueueWithPropertiesKHR_(cl.context, cl.device, list, &error));
    cl_command_queue_properties bits;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    assert_int_equal(bits, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    OK(clReleaseCommandQueue(queue));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithPropertiesKHR_(cl.context, cl.device, bad, &error));
}

static void uuid_of(cl_device_id device, cl_device_info name, cl_uchar uuid[CL_UUID_SIZE_KHR]) {
    size_t size;
    OK(clGetDeviceInfo(device, name, CL_UUID_SIZE_KHR, uuid, &size));
    assert_int_equal(size, CL_UUID_SIZE_KHR);
}

TEST(uuids_tell_devices_and_the_driver_apart) {
    cl_uchar root[16], again[16], driver[16], part_uuid[16];
    cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    cl_device_id part;
    uuid_of(cl.device, CL_DEVICE_UUID_KHR, root);
    uuid_of(cl.device, CL_DEVICE_UUID_KHR, again);
    uuid_of(cl.device, CL_DRIVER_UUID_KHR, driver);
    assert_memory_equal(root, again, 16);
    assert_memory_not_equal(root, driver, 16);
    assert_int_equal(root[8] >> 6, 2); /* RFC 9562's variant */
    if (!clCreateSubDevices(cl.device, one, 1, &part, NULL)) {
        uuid_of(part, CL_DEVICE_UUID_KHR, part_uuid);
        assert_memory_not_equal(root, part_uuid, 16);
        OK(clReleaseDevice(part));
    }
}

TEST(there_is_no_luid) {
    cl_bool valid = CL_TRUE;
    cl_uint mask = 77;
    cl_uchar luid[CL_LUID_SIZE_KHR];
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_LUID_VALID_KHR, sizeof valid, &valid, NULL));
    assert_false(valid);
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_LUID_KHR, sizeof luid, luid, NULL));
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_NODE_MASK_KHR, sizeof mask, &mask, NULL));
    assert_int_equal(mask, 0);
}

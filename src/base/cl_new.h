/* cl_new.h: OpenCL's headers, and of newer extensions what older ones lack. Include it instead of <CL/cl.h>.
 *
 * Names and numbers are those of the specification. Where headers have an older version of an extension that isn't
 * compatible, theirs get other names first. Each group builds against older and newer headers. The functions of
 * extensions are found by name (clGetExtensionFunctionAddressForPlatform), their declarations here give the types.
 */
#ifndef WEIR_CL_NEW_H
#define WEIR_CL_NEW_H

/* Headers up to 2024 have the command buffers of version 0.9.0 to 0.9.4: without properties. */
#define clCommandBarrierWithWaitListKHR    weir_old_barrier
#define clCommandCopyBufferKHR             weir_old_copy_buffer
#define clCommandCopyBufferRectKHR         weir_old_copy_buffer_rect
#define clCommandCopyBufferToImageKHR      weir_old_copy_buffer_to_image
#define clCommandCopyImageKHR              weir_old_copy_image
#define clCommandCopyImageToBufferKHR      weir_old_copy_image_to_buffer
#define clCommandFillBufferKHR             weir_old_fill_buffer
#define clCommandFillImageKHR              weir_old_fill_image
#define clCommandNDRangeKernelKHR          weir_old_ndrange_kernel
#define clCommandSVMMemcpyKHR              weir_old_svm_memcpy
#define clCommandSVMMemFillKHR             weir_old_svm_memfill
#define clRemapCommandBufferKHR            weir_old_remap
#define clUpdateMutableCommandsKHR         weir_old_update
#define _cl_mutable_dispatch_arg_khr       weir_old_dispatch_arg_struct
#define cl_mutable_dispatch_arg_khr        weir_old_dispatch_arg
#define _cl_mutable_dispatch_exec_info_khr weir_old_exec_info_struct
#define cl_mutable_dispatch_exec_info_khr  weir_old_exec_info
#define _cl_mutable_dispatch_config_khr    weir_old_dispatch_config_struct
#define cl_mutable_dispatch_config_khr     weir_old_dispatch_config
#include <CL/cl.h>
#include <CL/cl_ext.h>
#undef clCommandBarrierWithWaitListKHR
#undef clCommandCopyBufferKHR
#undef clCommandCopyBufferRectKHR
#undef clCommandCopyBufferToImageKHR
#undef clCommandCopyImageKHR
#undef clCommandCopyImageToBufferKHR
#undef clCommandFillBufferKHR
#undef clCommandFillImageKHR
#undef clCommandNDRangeKernelKHR
#undef clCommandSVMMemcpyKHR
#undef clCommandSVMMemFillKHR
#undef clRemapCommandBufferKHR
#undef clUpdateMutableCommandsKHR
#undef _cl_mutable_dispatch_arg_khr
#undef cl_mutable_dispatch_arg_khr
#undef _cl_mutable_dispatch_exec_info_khr
#undef cl_mutable_dispatch_exec_info_khr
#undef _cl_mutable_dispatch_config_khr
#undef cl_mutable_dispatch_config_khr

/* ---- cl_khr_command_buffer 0.9.8 --------------------------------------------------------------------- */

typedef cl_bitfield cl_device_command_buffer_capabilities_khr;
typedef struct _cl_command_buffer_khr *cl_command_buffer_khr;
typedef cl_uint cl_sync_point_khr;
typedef cl_uint cl_command_buffer_info_khr;
typedef cl_uint cl_command_buffer_state_khr;
typedef cl_properties cl_command_buffer_properties_khr;
typedef cl_bitfield cl_command_buffer_flags_khr;
typedef cl_properties cl_command_properties_khr;
typedef struct _cl_mutable_command_khr *cl_mutable_command_khr;

#ifndef CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR              0x12A9
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR 0x12AA
#define CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR         (1 << 0)
#define CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR   (1 << 1)
#define CL_COMMAND_BUFFER_FLAGS_KHR                            0x1293
#define CL_INVALID_COMMAND_BUFFER_KHR                          -1138
#define CL_INVALID_SYNC_POINT_WAIT_LIST_KHR                    -1139
#define CL_INCOMPATIBLE_COMMAND_QUEUE_KHR                      -1140
#define CL_COMMAND_BUFFER_QUEUES_KHR                           0x1294
#define CL_COMMAND_BUFFER_NUM_QUEUES_KHR                       0x1295
#define CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR                  0x1296
#define CL_COMMAND_BUFFER_STATE_KHR                            0x1297
#define CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR                 0x1298
#define CL_COMMAND_BUFFER_STATE_RECORDING_KHR                  0
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR                 1
#define CL_COMMAND_COMMAND_BUFFER_KHR                          0x12A8
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif

extern CL_API_ENTRY cl_command_buffer_khr CL_API_CALL
clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                         const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret);
extern CL_API_ENTRY cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr);
extern CL_API_ENTRY cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer_khr);
extern CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer_khr);
extern CL_API_ENTRY cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                                                 cl_command_buffer_khr,
                                                                 cl_uint num_events_in_wait_list,
                                                                 const cl_event *event_wait_list,
                                                                 cl_event *event);
extern CL_API_ENTRY cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr,
                                                                 cl_command_buffer_info_khr param_name,
                                                                 size_t param_value_size, void *param_value,
                                                                 size_t *param_value_size_ret);

/* What records a command: the arguments of its enqueue between these. */
#define WEIR_RECORD_FIRST                                                                                    \
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,                                    \
        const cl_command_properties_khr *properties
#define WEIR_RECORD_LAST                                                                                     \
    cl_uint num_sync_points_in_wait_list, const cl_sync_point_khr *sync_point_wait_list,                     \
        cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle
extern CL_API_ENTRY cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(WEIR_RECORD_FIRST, WEIR_RECORD_LAST);
extern CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferKHR(WEIR_RECORD_FIRST, cl_mem src_buffer,
                                                              cl_mem dst_buffer, size_t src_offset,
                                                              size_t dst_offset, size_t size,
                                                              WEIR_RECORD_LAST);
extern CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferRectKHR(
    WEIR_RECORD_FIRST, cl_mem src_buffer, cl_mem dst_buffer, const size_t *src_origin,
    const size_t *dst_origin, const size_t *region, size_t src_row_pitch, size_t src_slice_pitch,
    size_t dst_row_pitch, size_t dst_slice_pitch, WEIR_RECORD_LAST);
extern CL_API_ENTRY cl_int CL_API_CALL clCommandCopyBufferToImageKHR(WEIR_RECORD_FIRST, cl_mem src_buffer,
                                                                     cl_mem dst_image, size_t src_offset,
                                                                     const size_t *dst_origin,
                                                                     const size_t *region, WEIR_RECORD_LAST);
extern CL_API_ENTRY cl_int CL_API_CALL clCommandCopyImageKHR(WEIR_RECORD_FIRST, cl_mem src_image,
                                                             cl_mem dst_image, const size_t *src_origin,
                                                             const size_t *dst_origin, const size_t *region,
                                                             WEIR_RECORD_LAST);
extern CL_API_ENTRY cl_int CL_API_CALL clCommandCopyImageToBufferKHR(WEIR_RECORD_FIRST, cl_mem src_image,
                                                                     cl_mem dst_buffer,
                                                                     const size_t *src_origin,
                                                                     const size_t *region, size_t dst_offset,
                                                                     WEIR_RECORD_LAST);
extern CL_API_ENTRY cl_int CL_API_CALL clCommandFillBufferKHR(WEIR_RECORD_FIRST, cl_mem buffer,
                                                              const void *pattern, size_t pattern_size,
                                                              size_t offset, size_t size, WEIR_RECORD_LAST);
extern CL_API_ENTRY cl_int CL_API_CALL clCommandFillImageKHR(WEIR_RECORD_FIRST, cl_mem image,
                                                             const void *fill_color, const size_t *origin,
                                                             const size_t *region, WEIR_RECORD_LAST);
extern CL_API_ENTRY cl_int CL_API_CALL clCommandNDRangeKernelKHR(
    WEIR_RECORD_FIRST, cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset,
    const size_t *global_work_size, const size_t *local_work_size, WEIR_RECORD_LAST);
extern CL_API_ENTRY cl_int CL_API_CALL clCommandSVMMemcpyKHR(WEIR_RECORD_FIRST, void *dst_ptr,
                                                             const void *src_ptr, size_t size,
                                                             WEIR_RECORD_LAST);
extern CL_API_ENTRY cl_int CL_API_CALL clCommandSVMMemFillKHR(WEIR_RECORD_FIRST, void *svm_ptr,
                                                              const void *pattern, size_t pattern_size,
                                                              size_t size, WEIR_RECORD_LAST);

/* ---- cl_khr_command_buffer_multi_device 0.9.2 ---------------------------------------------------------- */

typedef cl_bitfield cl_platform_command_buffer_capabilities_khr;

#ifndef CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR     0x0908
#define CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR   (1 << 0)
#define CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR     (1 << 1)
#define CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR  (1 << 2)
#define CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR   0x12AB
#define CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR       0x12AC
#define CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR (1 << 4)
#define CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR          (1 << 2)
#endif

extern CL_API_ENTRY cl_command_buffer_khr CL_API_CALL clRemapCommandBufferKHR(
    cl_command_buffer_khr, cl_bool automatic, cl_uint num_queues, const cl_command_queue *queues,
    cl_uint num_handles, const cl_mutable_command_khr *handles, cl_mutable_command_khr *handles_ret,
    cl_int *errcode_ret);

/* ---- cl_khr_command_buffer_mutable_dispatch 0.9.5 -------------------------------------------------------- */

typedef cl_uint cl_command_buffer_update_type_khr;
typedef cl_bitfield cl_mutable_dispatch_fields_khr;
typedef cl_bitfield cl_mutable_dispatch_asserts_khr;
typedef cl_uint cl_mutable_command_info_khr;
typedef struct _cl_mutable_dispatch_arg_khr {
    cl_uint arg_index;
    size_t arg_size;
    const void *arg_value;
} cl_mutable_dispatch_arg_khr;
typedef struct _cl_mutable_dispatch_exec_info_khr {
    cl_uint param_name;
    size_t param_value_size;
    const void *param_value;
} cl_mutable_dispatch_exec_info_khr;
typedef struct _cl_mutable_dispatch_config_khr {
    cl_mutable_command_khr command;
    cl_uint num_args;
    cl_uint num_svm_args;
    cl_uint num_exec_infos;
    cl_uint work_dim;
    const cl_mutable_dispatch_arg_khr *arg_list;
    const cl_mutable_dispatch_arg_khr *arg_svm_list;
    const cl_mutable_dispatch_exec_info_khr *exec_info_list;
    const size_t *global_work_offset;
    const size_t *global_work_size;
    const size_t *local_work_size;
} cl_mutable_dispatch_config_khr;

#ifndef CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR
#define CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR            (1 << 0)
#define CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR (1 << 2)
#endif
#ifndef CL_COMMAND_BUFFER_MUTABLE_KHR
#define CL_COMMAND_BUFFER_MUTABLE_KHR               (1 << 1)
#define CL_INVALID_MUTABLE_COMMAND_KHR              -1141
#define CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR 0x12B0
#define CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR    0x12B1
#define CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR       (1 << 0)
#define CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR         (1 << 1)
#define CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR          (1 << 2)
#define CL_MUTABLE_DISPATCH_ARGUMENTS_KHR           (1 << 3)
#define CL_MUTABLE_DISPATCH_EXEC_INFO_KHR           (1 << 4)
#define CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR        0x12A0
#define CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR       0x12A1
#define CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR         0x12AD
#define CL_MUTABLE_DISPATCH_KERNEL_KHR              0x12A3
#define CL_MUTABLE_DISPATCH_DIMENSIONS_KHR          0x12A4
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR  0x12A5
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR    0x12A6
#define CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR     0x12A7
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR           0x12B7
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR                          0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif
#undef CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR /* was 1 */
#define CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR 0

extern CL_API_ENTRY
    cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer_khr, cl_uint num_configs,
                                                  const cl_command_buffer_update_type_khr *config_types,
                                                  const void **configs);
extern CL_API_ENTRY cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command_khr,
                                                                  cl_mutable_command_info_khr param_name,
                                                                  size_t param_value_size, void *param_value,
                                                                  size_t *param_value_size_ret);

/* ---- cl_khr_integer_dot_product, cl_khr_kernel_clock, cl_ext_float_atomics, cl_ext_cxx_for_opencl --------- */

#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR     0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR     (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR  (1 << 2)
#endif
#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT   (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT          (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT      (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT    (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT           (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT       (1 << 18)
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT   0x4233
#endif

/* ---- cl_khr_semaphore 1.0.0 ------------------------------------------------------------------------------ */

typedef struct _cl_semaphore_khr *cl_semaphore_khr;
typedef cl_uint cl_external_semaphore_handle_type_khr;
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR     0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif

/* ---- cl_khr_terminate_context, cl_khr_initialize_memory, cl_khr_device_uuid ------------------------------- */

/* In the headers of OpenCL 1.2 names of cl_khr_terminate_context had other values; clinfo asks by both. */
#define CL_DEVICE_TERMINATE_CAPABILITY_KHR_1_2 0x200F
#define CL_CONTEXT_TERMINATE_KHR_1_2           0x2010

typedef cl_bitfield cl_device_terminate_capability_khr;
typedef cl_bitfield cl_context_memory_initialize_khr;
#ifndef CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR
#define CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR (1 << 0)
#endif
#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR   (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif
#ifndef CL_DEVICE_NODE_MASK_KHR
#define CL_DEVICE_NODE_MASK_KHR 0x106E
#endif

/* ---- cl_khr_spirv_queries ---------------------------------------------------------------------------------- */

#ifndef CL_DEVICE_SPIRV_CAPABILITIES_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR                0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR              0x12BB
#endif

/* ---- cl_ext_buffer_device_address 1.0.2 ------------------------------------------------------------------ */

#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT   0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT           0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002

typedef cl_ulong cl_mem_device_address_ext;

extern CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                                      cl_mem_device_address_ext arg_value);
#endif

/* OpenCL 3.1: its constants are those of the extensions that became part of it, under their names. */
extern CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue command_queue,
                                                                         cl_kernel kernel, cl_uint work_dim,
                                                                         const size_t *global_work_offset,
                                                                         const size_t *global_work_size,
                                                                         size_t *suggested_local_work_size);
#endif

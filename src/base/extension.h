/* extension.h: the extensions and optional features that Weir has, once for all: CL_*_EXTENSIONS and
 * CL_DEVICE_OPENCL_C_FEATURES (rt/api), what clang is told and the macros that programs see (kc/frontend). A row here
 * needs its functions in lib/cl, and where clang doesn't declare them, in kc/frontend/declare.c. */
#ifndef WEIR_EXTENSION_H
#define WEIR_EXTENSION_H

/* Name, version, and whether it adds to OpenCL C (KERNEL) or only to the API (HOST). Those of OpenCL C define a macro
 * of their name, in each language version. */
#define EXTENSIONS(X)                                                                                        \
    X(cl_ext_buffer_device_address, 1, 0, 2, HOST)                                                           \
    X(cl_ext_cxx_for_opencl, 1, 0, 0, HOST)                                                                  \
    X(cl_ext_float_atomics, 1, 0, 0, KERNEL)                                                                 \
    X(cl_intel_required_subgroup_size, 1, 0, 0, KERNEL)                                                      \
    X(cl_intel_split_work_group_barrier, 1, 0, 0, KERNEL)                                                    \
    X(cl_intel_subgroups, 1, 0, 0, KERNEL)                                                                   \
    X(cl_intel_subgroups_char, 1, 0, 0, KERNEL)                                                              \
    X(cl_intel_subgroups_long, 1, 0, 0, KERNEL)                                                              \
    X(cl_intel_subgroups_short, 1, 0, 0, KERNEL)                                                             \
    X(cl_intel_create_buffer_with_properties, 1, 0, 0, HOST)                                                 \
    X(cl_intel_unified_shared_memory, 1, 2, 0, HOST)                                                         \
    X(cl_khr_icd, 1, 0, 0, HOST)                                                                             \
    X(cl_khr_async_work_group_copy_fence, 1, 0, 0, KERNEL)                                                   \
    X(cl_khr_byte_addressable_store, 1, 0, 0, KERNEL)                                                        \
    X(cl_khr_3d_image_writes, 1, 0, 0, KERNEL)                                                               \
    X(cl_khr_depth_images, 1, 0, 0, KERNEL)                                                                  \
    X(cl_khr_command_buffer, 0, 9, 8, HOST)                                                                  \
    X(cl_khr_command_buffer_multi_device, 0, 9, 2, HOST)                                                     \
    X(cl_khr_command_buffer_mutable_dispatch, 0, 9, 5, HOST)                                                 \
    X(cl_khr_create_command_queue, 1, 0, 0, HOST)                                                            \
    X(cl_khr_device_uuid, 1, 0, 0, HOST)                                                                     \
    X(cl_khr_extended_async_copies, 1, 0, 0, KERNEL)                                                         \
    X(cl_khr_extended_bit_ops, 1, 0, 0, KERNEL)                                                              \
    X(cl_khr_extended_versioning, 1, 0, 0, HOST)                                                             \
    X(cl_khr_expect_assume, 1, 0, 0, HOST)                                                                   \
    X(cl_khr_fp16, 1, 0, 0, KERNEL)                                                                          \
    X(cl_khr_fp64, 1, 0, 0, KERNEL)                                                                          \
    X(cl_khr_global_int32_base_atomics, 1, 0, 0, KERNEL)                                                     \
    X(cl_khr_global_int32_extended_atomics, 1, 0, 0, KERNEL)                                                 \
    X(cl_khr_il_program, 1, 0, 0, HOST)                                                                      \
    X(cl_khr_image2d_from_buffer, 1, 0, 0, HOST)                                                             \
    X(cl_khr_initialize_memory, 1, 0, 0, HOST)                                                               \
    X(cl_khr_int64_base_atomics, 1, 0, 0, KERNEL)                                                            \
    X(cl_khr_int64_extended_atomics, 1, 0, 0, KERNEL)                                                        \
    X(cl_khr_integer_dot_product, 2, 0, 0, KERNEL)                                                           \
    X(cl_khr_kernel_clock, 1, 0, 0, KERNEL)                                                                  \
    X(cl_khr_local_int32_base_atomics, 1, 0, 0, KERNEL)                                                      \
    X(cl_khr_local_int32_extended_atomics, 1, 0, 0, KERNEL)                                                  \
    X(cl_khr_mipmap_image, 1, 0, 0, KERNEL)                                                                  \
    X(cl_khr_mipmap_image_writes, 1, 0, 0, KERNEL)                                                           \
    X(cl_khr_priority_hints, 1, 0, 0, HOST)                                                                  \
    X(cl_khr_semaphore, 1, 0, 1, HOST)                                                                       \
    X(cl_khr_spirv_linkonce_odr, 1, 0, 0, HOST)                                                              \
    X(cl_khr_spirv_no_integer_wrap_decoration, 1, 0, 0, HOST)                                                \
    X(cl_khr_spirv_queries, 1, 0, 0, HOST)                                                                   \
    X(cl_khr_srgb_image_writes, 1, 0, 0, KERNEL)                                                             \
    X(cl_khr_subgroups, 1, 0, 0, KERNEL)                                                                     \
    X(cl_khr_subgroup_ballot, 1, 0, 0, KERNEL)                                                               \
    X(cl_khr_subgroup_clustered_reduce, 1, 0, 0, KERNEL)                                                     \
    X(cl_khr_subgroup_extended_types, 1, 0, 0, KERNEL)                                                       \
    X(cl_khr_subgroup_named_barrier, 1, 0, 0, KERNEL)                                                        \
    X(cl_khr_subgroup_non_uniform_arithmetic, 1, 0, 0, KERNEL)                                               \
    X(cl_khr_subgroup_non_uniform_vote, 1, 0, 0, KERNEL)                                                     \
    X(cl_khr_subgroup_rotate, 1, 0, 0, KERNEL)                                                               \
    X(cl_khr_subgroup_shuffle, 1, 0, 0, KERNEL)                                                              \
    X(cl_khr_subgroup_shuffle_relative, 1, 0, 0, KERNEL)                                                     \
    X(cl_khr_suggested_local_work_size, 1, 0, 0, HOST)                                                       \
    X(cl_khr_terminate_context, 1, 0, 0, HOST)                                                               \
    X(cl_khr_throttle_hints, 1, 0, 0, HOST)                                                                  \
    X(cl_khr_work_group_uniform_arithmetic, 1, 0, 0, KERNEL)

/* Optional features of OpenCL C 3.0. */
#define FEATURES(X)                                                                                          \
    X(__opencl_c_3d_image_writes)                                                                            \
    X(__opencl_c_atomic_order_acq_rel)                                                                       \
    X(__opencl_c_atomic_order_seq_cst)                                                                       \
    X(__opencl_c_atomic_scope_device)                                                                        \
    X(__opencl_c_atomic_scope_all_devices)                                                                   \
    X(__opencl_c_device_enqueue)                                                                             \
    X(__opencl_c_ext_fp16_global_atomic_add)                                                                 \
    X(__opencl_c_ext_fp16_global_atomic_load_store)                                                          \
    X(__opencl_c_ext_fp16_global_atomic_min_max)                                                             \
    X(__opencl_c_ext_fp16_local_atomic_add)                                                                  \
    X(__opencl_c_ext_fp16_local_atomic_load_store)                                                           \
    X(__opencl_c_ext_fp16_local_atomic_min_max)                                                              \
    X(__opencl_c_ext_fp32_global_atomic_add)                                                                 \
    X(__opencl_c_ext_fp32_global_atomic_min_max)                                                             \
    X(__opencl_c_ext_fp32_local_atomic_add)                                                                  \
    X(__opencl_c_ext_fp32_local_atomic_min_max)                                                              \
    X(__opencl_c_ext_fp64_global_atomic_add)                                                                 \
    X(__opencl_c_ext_fp64_global_atomic_min_max)                                                             \
    X(__opencl_c_ext_fp64_local_atomic_add)                                                                  \
    X(__opencl_c_ext_fp64_local_atomic_min_max)                                                              \
    X(__opencl_c_fp64)                                                                                       \
    X(__opencl_c_generic_address_space)                                                                      \
    X(__opencl_c_images)                                                                                     \
    X(__opencl_c_int64)                                                                                      \
    X(__opencl_c_integer_dot_product_input_4x8bit)                                                           \
    X(__opencl_c_integer_dot_product_input_4x8bit_packed)                                                    \
    X(__opencl_c_kernel_clock_scope_device)                                                                  \
    X(__opencl_c_kernel_clock_scope_sub_group)                                                               \
    X(__opencl_c_kernel_clock_scope_work_group)                                                              \
    X(__opencl_c_pipes)                                                                                      \
    X(__opencl_c_program_scope_global_variables)                                                             \
    X(__opencl_c_read_write_images)                                                                          \
    X(__opencl_c_subgroups)                                                                                  \
    X(__opencl_c_work_group_collective_functions)

#endif

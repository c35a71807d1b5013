/* extension.h: the extensions Weir has, for the platform's and the device's queries. */
#ifndef WEIR_EXTENSION_H
#define WEIR_EXTENSION_H

#include "rt.h"

#define EXTENSIONS(X)                                                                                        \
    X(cl_intel_required_subgroup_size, 1, 0, 0)                                                              \
    X(cl_intel_subgroups, 1, 0, 0)                                                                           \
    X(cl_intel_subgroups_char, 1, 0, 0)                                                                      \
    X(cl_intel_subgroups_long, 1, 0, 0)                                                                      \
    X(cl_intel_subgroups_short, 1, 0, 0)                                                                     \
    X(cl_khr_icd, 1, 0, 0)                                                                                   \
    X(cl_khr_byte_addressable_store, 1, 0, 0)                                                                \
    X(cl_khr_extended_versioning, 1, 0, 0)                                                                   \
    X(cl_khr_fp64, 1, 0, 0)                                                                                  \
    X(cl_khr_global_int32_base_atomics, 1, 0, 0)                                                             \
    X(cl_khr_global_int32_extended_atomics, 1, 0, 0)                                                         \
    X(cl_khr_int64_base_atomics, 1, 0, 0)                                                                    \
    X(cl_khr_int64_extended_atomics, 1, 0, 0)                                                                \
    X(cl_khr_local_int32_base_atomics, 1, 0, 0)                                                              \
    X(cl_khr_local_int32_extended_atomics, 1, 0, 0)                                                          \
    X(cl_khr_subgroups, 1, 0, 0)                                                                             \
    X(cl_khr_subgroup_ballot, 1, 0, 0)                                                                       \
    X(cl_khr_subgroup_clustered_reduce, 1, 0, 0)                                                             \
    X(cl_khr_subgroup_extended_types, 1, 0, 0)                                                               \
    X(cl_khr_subgroup_non_uniform_arithmetic, 1, 0, 0)                                                       \
    X(cl_khr_subgroup_non_uniform_vote, 1, 0, 0)                                                             \
    X(cl_khr_subgroup_rotate, 1, 0, 0)                                                                       \
    X(cl_khr_subgroup_shuffle, 1, 0, 0)                                                                      \
    X(cl_khr_subgroup_shuffle_relative, 1, 0, 0)                                                             \
    X(cl_khr_suggested_local_work_size, 1, 0, 0)                                                             \
    X(cl_khr_work_group_uniform_arithmetic, 1, 0, 0)

/* Answers CL_*_EXTENSIONS or, `with_version`, CL_*_EXTENSIONS_WITH_VERSION. */
cl_int extension_info(struct info_out, bool with_version);

#endif

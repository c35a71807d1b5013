/* extension.h: the extensions Weir has, for the platform's and the device's queries. */
#ifndef WEIR_EXTENSION_H
#define WEIR_EXTENSION_H

#include "rt.h"

#define EXTENSIONS(X)                                                                                        \
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
    X(cl_khr_suggested_local_work_size, 1, 0, 0)

/* Answers CL_*_EXTENSIONS or, `with_version`, CL_*_EXTENSIONS_WITH_VERSION. */
cl_int extension_info(struct info_out, bool with_version);

#endif

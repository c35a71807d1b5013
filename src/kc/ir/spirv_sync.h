/* spirv_sync.h: SPIR-V's numbers of scopes and memory semantics, for who reads it (spirv) and who readies a program to be
 * written as it (frontend/to_spirv_ready.c). */
#ifndef WEIR_KC_IR_SPIRV_SYNC_H
#define WEIR_KC_IR_SPIRV_SYNC_H

enum scope { SCOPE_CROSS_DEVICE, SCOPE_DEVICE, SCOPE_WORKGROUP, SCOPE_SUBGROUP, SCOPE_INVOCATION };
enum semantics {
    SEMANTICS_ACQUIRE = 2,
    SEMANTICS_RELEASE = 4,
    SEMANTICS_ACQUIRE_RELEASE = 8,
    SEMANTICS_SEQUENTIAL = 0x10,
    SEMANTICS_UNIFORM = 0x40,
    SEMANTICS_SUBGROUP = 0x80,
    SEMANTICS_WORKGROUP = 0x100,
    SEMANTICS_CROSS_WORKGROUP = 0x200,
    SEMANTICS_ATOMIC_COUNTER = 0x400,
    SEMANTICS_IMAGE = 0x800,
};

#endif

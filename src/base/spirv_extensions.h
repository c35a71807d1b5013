/* spirv_extensions.h: SPIR-V's extensions that are supported: the device lists them, kc/spirv reads what they bring. */
#ifndef WEIR_BASE_SPIRV_EXTENSIONS_H
#define WEIR_BASE_SPIRV_EXTENSIONS_H

/* Strings, with commas between. */
#define SPIRV_EXTENSIONS                                                                                     \
    "SPV_EXT_arithmetic_fence", "SPV_EXT_optnone", "SPV_EXT_relaxed_printf_string_address_space",            \
        "SPV_EXT_shader_atomic_float16_add", "SPV_EXT_shader_atomic_float_add",                              \
        "SPV_EXT_shader_atomic_float_min_max", "SPV_INTEL_bfloat16_conversion",                              \
        "SPV_INTEL_fp_fast_math_mode", "SPV_INTEL_function_pointers", "SPV_INTEL_long_composites",           \
        "SPV_INTEL_memory_access_aliasing", "SPV_INTEL_optnone", "SPV_INTEL_split_barrier",                  \
        "SPV_INTEL_subgroups", "SPV_INTEL_unstructured_loop_controls", "SPV_INTEL_usm_storage_classes",      \
        "SPV_KHR_bit_instructions", "SPV_KHR_expect_assume", "SPV_KHR_fma", "SPV_KHR_integer_dot_product",   \
        "SPV_KHR_linkonce_odr", "SPV_KHR_no_integer_wrap_decoration", "SPV_KHR_non_semantic_info",           \
        "SPV_KHR_poison_freeze", "SPV_KHR_relaxed_extended_instruction", "SPV_KHR_shader_ballot",            \
        "SPV_KHR_shader_clock", "SPV_KHR_subgroup_rotate", "SPV_KHR_subgroup_vote",                          \
        "SPV_KHR_uniform_group_instructions"

#endif

/* spirv_info.c: what SPIR-V the device takes: versions, and the answers of cl_khr_spirv_queries. kc/spirv reads it all. */
#include "rt.h"
#include "spirv_extensions.h"

static const cl_name_version versions[] = {
    {CL_MAKE_VERSION(1, 0, 0), "SPIR-V"}, {CL_MAKE_VERSION(1, 1, 0), "SPIR-V"},
    {CL_MAKE_VERSION(1, 2, 0), "SPIR-V"}, {CL_MAKE_VERSION(1, 3, 0), "SPIR-V"},
    {CL_MAKE_VERSION(1, 4, 0), "SPIR-V"}, {CL_MAKE_VERSION(1, 5, 0), "SPIR-V"},
    {CL_MAKE_VERSION(1, 6, 0), "SPIR-V"},
};

static const char *const instruction_sets[] = {"OpenCL.std", "OpenCL.DebugInfo.100",
                                               "NonSemantic.Shader.DebugInfo.100"};

static const char *const extensions[] = {SPIRV_EXTENSIONS};

/* By the specification's numbers. */
static const cl_uint capabilities[] = {
    4 /* Addresses */,
    5 /* Linkage */,
    6 /* Kernel */,
    7 /* Vector16 */,
    8 /* Float16Buffer */,
    9 /* Float16 */,
    10 /* Float64 */,
    11 /* Int64 */,
    12 /* Int64Atomics */,
    13 /* ImageBasic */,
    14 /* ImageReadWrite */,
    15 /* ImageMipmap */,
    17 /* Pipes */,
    18 /* Groups */,
    19 /* DeviceEnqueue */,
    20 /* LiteralSampler */,
    22 /* Int16 */,
    38 /* GenericPointer */,
    39 /* Int8 */,
    43 /* Sampled1D */,
    44 /* Image1D */,
    46 /* SampledBuffer */,
    47 /* ImageBuffer */,
    58 /* SubgroupDispatch */,
    59 /* NamedBarrier */,
    60 /* PipeStorage */,
    61 /* GroupNonUniform */,
    62 /* GroupNonUniformVote */,
    63 /* GroupNonUniformArithmetic */,
    64 /* GroupNonUniformBallot */,
    65 /* GroupNonUniformShuffle */,
    66 /* GroupNonUniformShuffleRelative */,
    67 /* GroupNonUniformClustered */,
    71 /* UniformDecoration */,
    4423 /* SubgroupBallotKHR */,
    4431 /* SubgroupVoteKHR */,
    5055 /* ShaderClockKHR */,
    5156 /* PoisonFreezeKHR */,
    5568 /* SubgroupShuffleINTEL */,
    5569 /* SubgroupBufferBlockIOINTEL */,
    5570 /* SubgroupImageBlockIOINTEL */,
    5603 /* FunctionPointersINTEL */,
    5604 /* IndirectReferencesINTEL */,
    5612 /* AtomicFloat32MinMaxEXT */,
    5613 /* AtomicFloat64MinMaxEXT */,
    5616 /* AtomicFloat16MinMaxEXT */,
    5629 /* ExpectAssumeKHR */,
    5837 /* FPFastMathModeINTEL */,
    5886 /* UnstructuredLoopControlsINTEL */,
    5910 /* MemoryAccessAliasingINTEL */,
    5935 /* USMStorageClassesINTEL */,
    6016 /* DotProductInputAll */,
    6017 /* DotProductInput4x8Bit */,
    6018 /* DotProductInput4x8BitPacked */,
    6019 /* DotProduct */,
    6025 /* BitInstructions */,
    6026 /* GroupNonUniformRotateKHR */,
    6030 /* FMAKHR */,
    6033 /* AtomicFloat32AddEXT */,
    6034 /* AtomicFloat64AddEXT */,
    6089 /* LongCompositesINTEL */,
    6094 /* OptNoneEXT */,
    6095 /* AtomicFloat16AddEXT */,
    6115 /* BFloat16ConversionINTEL */,
    6141 /* SplitBarrierINTEL */,
    6144 /* ArithmeticFenceEXT */,
    6400 /* GroupUniformArithmeticKHR */,
};

bool spirv_info(cl_device_info name, struct info_out out, cl_int *error) {
    switch (name) {
    case CL_DEVICE_IL_VERSION:
        *error =
            info_string(out, "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4 SPIR-V_1.5 SPIR-V_1.6");
        return true;
    case CL_DEVICE_ILS_WITH_VERSION:
        *error = info_bytes(out, versions, sizeof versions);
        return true;
    case CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR:
        *error = info_bytes(out, instruction_sets, sizeof instruction_sets);
        return true;
    case CL_DEVICE_SPIRV_EXTENSIONS_KHR:
        *error = info_bytes(out, extensions, sizeof extensions);
        return true;
    case CL_DEVICE_SPIRV_CAPABILITIES_KHR:
        *error = info_bytes(out, capabilities, sizeof capabilities);
        return true;
    default:
        return false;
    }
}

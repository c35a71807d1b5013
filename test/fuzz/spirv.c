/* SPIR-V that was right once: modules of the test's own, which have most kinds of instructions, and those of the other
 * tests and in test/harness/fuzz/spirv (.spvasm, if it runs where they are), with words changed, doubled,
 * deleted, exchanged. Every build ends in success or in a failure that names the module as its cause; the compiler never
 * crashes, and doesn't take long. Of one program in FUZZ_COMPILE (10) that builds, kernels are compiled, too: launches of
 * them wait for an event that fails, and so never run. Usage: see session.h; FUZZ_MODULES names a folder of more modules
 * (.spv), of what makers of SPIR-V there are, FUZZ_KEEP a file for the last module that was tried. */
#include "device.h"
#include "session.h"

#include <glob.h>

static cl_mem image;
static cl_sampler sampler;
static unsigned long nbuilt, nrefused, ncompiled;
static uint32_t compile_one_in = 10;

#define HEAD                                                                                                 \
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Int64\nOpCapability "   \
    "Int8\nOpCapability Groups\nOpCapability ImageBasic\nOpCapability LiteralSampler\nOpCapability "         \
    "Float64\n%std = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"                      \
    "OpEntryPoint Kernel %k \"k\" %gid\n"
#define TYPES                                                                                                \
    "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n%uchar = OpTypeInt 8 0\n"          \
    "%bool = OpTypeBool\n%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n%v2 = OpTypeVector %uint 2\n" \
    "%v3 = OpTypeVector %ulong 3\n%in3 = OpTypePointer Input %v3\n%gp = OpTypePointer CrossWorkgroup "       \
    "%uint\n"                                                                                                \
    "%gf = OpTypePointer CrossWorkgroup %float\n%one = OpConstant %uint 1\n%two = OpConstant %uint 2\n"      \
    "%ten = OpConstant %uint 10\n%zero = OpConstantNull %uint\n%sem = OpConstant %uint 272\n"                \
    "%half = OpConstant %float 0.5\n%tr = OpConstantTrue %bool\n"
static const char *const texts[] = {
    /* loops, phis, arrays in local memory, barriers, atomics */
    HEAD
    "OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %gid LinkageAttributes \"gid\" Import\n"
    "OpExecutionMode %k LocalSize 8 1 1\n" TYPES
    "%arr = OpTypeArray %uint %ten\n%lp = OpTypePointer Workgroup %arr\n%le = OpTypePointer Workgroup %uint\n"
    "%fn = OpTypeFunction %void %gp %gf\n%gid = OpVariable %in3 Input\n%s = OpVariable %lp Workgroup\n"
    "%k = OpFunction %void None %fn\n%p = OpFunctionParameter %gp\n%q = OpFunctionParameter %gf\n"
    "%l = OpLabel\n%g = OpLoad %v3 %gid\n%x = OpCompositeExtract %ulong %g 0\n%i = OpUConvert %uint %x\n"
    "OpBranch %h\n%h = OpLabel\n%n = OpPhi %uint %zero %l %n1 %b\n%c = OpULessThan %bool %n %ten\n"
    "OpLoopMerge %e %b Unroll\nOpBranchConditional %c %b %e\n%b = OpLabel\n"
    "%a = OpAccessChain %le %s %n\nOpStore %a %i Aligned 4\nOpControlBarrier %two %two %sem\n"
    "%o = OpAtomicIAdd %uint %p %one %sem %n\n%n1 = OpIAdd %uint %n %one\nOpBranch %h\n%e = OpLabel\n"
    "OpSelectionMerge %z None\nOpSwitch %i %z 1 %y 5 %y\n%y = OpLabel\n%f = OpLoad %float %q Aligned 4\n"
    "%r = OpExtInst %float %std exp %f\nOpStore %q %r Aligned 4\nOpBranch %z\n%z = OpLabel\nOpReturn\n"
    "OpFunctionEnd\n",
    /* calls, structs, vectors, images, constants */
    HEAD
    "OpDecorate %gid BuiltIn LocalInvocationIndex\nOpDecorate %n SpecId 1\nOpName %st \"struct.s\"\n" TYPES
    "%inl = OpTypePointer Input %ulong\n%gid = OpVariable %inl Input\n"
    "%st = OpTypeStruct %uint %v4 %uchar\n%ps = OpTypePointer Function %st\n%pv = OpTypePointer Function "
    "%v4\n"
    "%img = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n%sm = OpTypeSampler\n%si = OpTypeSampledImage "
    "%img\n"
    "%smp = OpConstantSampler %sm ClampToEdge 0 Nearest\n%n = OpSpecConstant %uint 3\n"
    "%n2 = OpSpecConstantOp %uint IMul %n %n\n%at = OpConstantComposite %v2 %one %two\n"
    "%ft = OpTypeFunction %v4 %v4 %float\n%fn = OpTypeFunction %void %img %gf\n"
    "%f = OpFunction %v4 None %ft\n%fa = OpFunctionParameter %v4\n%fb = OpFunctionParameter %float\n"
    "%fl = OpLabel\n%fr = OpVectorTimesScalar %v4 %fa %fb\n%fs = OpVectorShuffle %v4 %fr %fa 0 5 2 7\n"
    "OpReturnValue %fs\nOpFunctionEnd\n"
    "%k = OpFunction %void None %fn\n%i = OpFunctionParameter %img\n%q = OpFunctionParameter %gf\n"
    "%l = OpLabel\n%v = OpVariable %ps Function\n%w = OpSampledImage %si %i %smp\n"
    "%t = OpImageSampleExplicitLod %v4 %w %at Lod %half\n%u = OpFunctionCall %v4 %f %t %half\n"
    "%m = OpInBoundsAccessChain %pv %v %one\nOpStore %m %u Aligned 16\n%o = OpLoad %st %v\n"
    "%o2 = OpCompositeInsert %st %n2 %o 0\n%x = OpCompositeExtract %float %o2 1 2\n"
    "%y = OpGroupFAdd %float %two Reduce %x\n%z = OpSelect %float %tr %y %x\nOpStore %q %z Aligned 4\n"
    "OpReturn\nOpFunctionEnd\n",
    /* execution modes, decorations, a pipe's storage, an initializer, named barriers, long composites, odd widths */
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Int64\nOpCapability "
    "Int8\n"
    "OpCapability Pipes\nOpCapability PipeStorage\nOpCapability SubgroupDispatch\nOpCapability "
    "GenericPointer\n"
    "OpCapability NamedBarrier\nOpCapability Groups\nOpCapability LongConstantCompositeINTEL\n"
    "OpExtension \"SPV_INTEL_long_constant_composite\"\n%std = OpExtInstImport \"OpenCL.std\"\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %sp\nOpEntryPoint Kernel %in \"in\"\n"
    "OpEntryPoint Kernel %m \"m\"\nOpExecutionMode %in Initializer\n"
    "OpExecutionMode %k SubgroupsPerWorkgroup 2\nOpExecutionMode %k VecTypeHint 262149\n"
    "OpExecutionMode %k ContractionOff\nOpExecutionMode %m SubgroupSize 8\nOpExecutionModeId %m LocalSizeId "
    "%c8 "
    "%c1 %c1\nOpExecutionMode %m LocalSizeHint 8 1 1\nOpDecorate %va Alignment 64\nOpDecorateId %vb "
    "AlignmentId "
    "%c64\nOpDecorate %va LinkageAttributes \"va\" Export\nOpDecorate %st CPacked\nOpDecorate %o "
    "FuncParamAttr "
    "NoAlias\nOpDecorate %o Restrict\nOpDecorate %y FPFastMathMode NotNaN|NSZ\nOpDecorate %sa "
    "SaturatedConversion\n"
    "OpDecorate %ro FPRoundingMode RTZ\nOpDecorate %n NoSignedWrap\nOpDecorate %dg Volatile\n%dg = "
    "OpDecorationGroup\nOpGroupDecorate %dg %va %vb\nOpDecorate %by FuncParamAttr ByVal\n"
    "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%uchar = OpTypeInt 8 0\n%ulong = OpTypeInt 64 0\n%odd = "
    "OpTypeInt 13 0\n%bool = OpTypeBool\n%float = OpTypeFloat 32\n%gp = OpTypePointer CrossWorkgroup "
    "%uint\n%fp = "
    "OpTypePointer Function %uint\n%gen = OpTypePointer Generic %uint\n%c1 = OpConstant %uint 1\n%c8 = "
    "OpConstant "
    "%uint 8\n%c64 = OpConstant %uint 64\n%c3 = OpConstant %odd 3\n%b3 = OpConstant %uchar 3\n%f3 = "
    "OpConstant "
    "%float 3.5\n%sem = OpConstant %uint 528\n%s2 = OpConstant %uint 2\n%st = OpTypeStruct %uint %uint\n"
    "OpTypeStructContinuedINTEL %uchar\n%cc = OpConstantComposite %st %c1\nOpConstantCompositeContinuedINTEL "
    "%c8 "
    "%b3\n%pst = OpTypePointer Function %st\n%ps = OpTypePipeStorage\n%pps = OpTypePointer CrossWorkgroup "
    "%ps\n"
    "%wp = OpTypePipe WriteOnly\n%nb = OpTypeNamedBarrier\n%f0 = OpTypeFunction %void\n%f1 = OpTypeFunction "
    "%void "
    "%gp\n%f2 = OpTypeFunction %void %pst %gp\n%pc = OpConstantPipeStorage %ps 4 4 10\n%sp = OpVariable %pps "
    "CrossWorkgroup %pc\n%va = OpVariable %gp CrossWorkgroup %c8\n%vb = OpVariable %gp CrossWorkgroup\n"
    "%in = OpFunction %void None %f0\n%il = OpLabel\nOpStore %va %c1 Aligned 4\nOpReturn\nOpFunctionEnd\n"
    "%k = OpFunction %void None %f1\n%o = OpFunctionParameter %gp\n%l = OpLabel\n%var = OpVariable %fp "
    "Function "
    "%c1\n%g = OpPtrCastToGeneric %gen %var\n%s = OpLoad %ps %sp Aligned 8\n%w = OpCreatePipeFromPipeStorage "
    "%wp "
    "%s\n%e = OpWritePipe %uint %w %g %c8 %c1\n%si = OpSizeOf %uint %o\n%n = OpIAdd %uint %e %si\n%sa = "
    "OpUConvert "
    "%uchar %n\n%tw = OpUConvert %odd %n\n%th = OpIMul %odd %tw %c3\n%fo = OpUConvert %uint %th\n%x = "
    "OpConvertUToF %float %fo\n%y = OpFMul %float %x %f3\n%ro = OpConvertFToU %uint %y\nOpStore %o %ro "
    "Aligned "
    "4\nOpMemoryBarrier %s2 %sem\nOpReturn\nOpFunctionEnd\n"
    "%m = OpFunction %void None %f2\n%by = OpFunctionParameter %pst\n%q = OpFunctionParameter %gp\n%ml = "
    "OpLabel\n"
    "%nbv = OpNamedBarrierInitialize %nb %c1\nOpMemoryNamedBarrier %nbv %s2 %sem\n%lo = OpLoad %st %by\n%ex "
    "= "
    "OpCompositeExtract %uint %cc 1\n%ex2 = OpCompositeExtract %uint %lo 0\n%su = OpIAdd %uint %ex %ex2\n%at "
    "= "
    "OpAtomicUMax %uint %q %s2 %sem %su\nOpBranch %hh\n%ll = OpLabel\nOpReturn\n%hh = OpLabel\nOpBranch %ll\n"
    "OpFunctionEnd\n",
};
enum { MOST_WORDS = 1 << 16, MOST_MODULES = 2048 };
static struct {
    uint32_t *words;
    size_t n;
} modules[MOST_MODULES];
static size_t nmodules;

/* Keeps what the file has, if it is a module that isn't too long. */
static bool keep(FILE *file) {
    static uint32_t words[MOST_WORDS];
    size_t n = file ? fread(words, 4, MOST_WORDS, file) : 0;
    if (n < 5 || n == MOST_WORDS || nmodules == MOST_MODULES)
        return false;
    modules[nmodules].words = malloc(n * 4);
    memcpy(modules[nmodules].words, words, n * 4);
    modules[nmodules++].n = n;
    return true;
}

static void assemble(const char *path) {
    char command[512];
    snprintf(command, sizeof command, "spirv-as --target-env spv1.6 %s -o -", path);
    FILE *pipe = popen(command, "r");
    bool kept = keep(pipe);
    if (!pipe || pclose(pipe) || !kept)
        wrong("spirv-as", (int)nmodules);
}

static void take(const char *path) {
    FILE *file = fopen(path, "rb");
    keep(file);
    if (file)
        fclose(file);
}

/* Assembles the texts. */
static void setup(void) {
    setenv("WEIR_BUILD_TIMEOUT", "20", 1);
    cl_int e;
    device_open();
    image = clCreateImage(
        cl.context, CL_MEM_READ_WRITE, &(cl_image_format){CL_RGBA, CL_FLOAT},
        &(cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4}, NULL, &e);
    must(e, "clCreateImage");
    sampler = clCreateSamplerWithProperties(cl.context, NULL, &e);
    must(e, "clCreateSamplerWithProperties");
    if (getenv("FUZZ_COMPILE"))
        compile_one_in = (uint32_t)strtoul(getenv("FUZZ_COMPILE"), NULL, 10);
    for (size_t i = 0; i < COUNT(texts); i++) {
        char name[] = "/tmp/weir-spirv.XXXXXX";
        int fd = mkstemp(name);
        const char *text = texts[i];
        if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
            wrong("a file", 0);
        close(fd);
        assemble(name);
        unlink(name);
    }
    glob_t files = {0};
    glob("test/kernel/spirv/*.spvasm", 0, NULL, &files);
    glob("test/check/*.spvasm", GLOB_APPEND, NULL, &files);
    glob("test/harness/fuzz/spirv/*.spvasm", GLOB_APPEND, NULL, &files);
    for (size_t i = 0; i < files.gl_pathc; i++)
        assemble(files.gl_pathv[i]);
    globfree(&files);
    if (getenv("FUZZ_MODULES")) {
        char pattern[512];
        snprintf(pattern, sizeof pattern, "%s/*.spv", getenv("FUZZ_MODULES"));
        glob(pattern, 0, NULL, &files);
        for (size_t i = 0; i < files.gl_pathc; i++)
            take(files.gl_pathv[i]);
        globfree(&files);
    }
}

static uint32_t odd_word(uint32_t bound) {
    switch (below(5)) {
    case 0:
        return (uint32_t)odd_number();
    case 1:
        return below(64);
    default: /* mostly an id */
        return 1 + below(bound);
    }
}

/* Changes whole instructions or single words; lengths stay right but for one case in eight. */
static size_t mutate(uint32_t *words, size_t n, size_t room) {
    static size_t starts[MOST_WORDS];
    size_t count = 0;
    for (size_t at = 5; at < n && words[at] >> 16 && count < COUNT(starts); at += words[at] >> 16)
        starts[count++] = at;
    if (!count)
        return n;
    size_t at = starts[below((uint32_t)count)], length = words[at] >> 16;
    size_t to = starts[below((uint32_t)count)];
    length = length < n - at ? length : n - at;
    switch (below(8)) {
    case 0: /* an instruction goes */
        memmove(words + at, words + at + length, (n - at - length) * 4);
        return n - length;
    case 1: /* one is there twice */
        if (n + length > room)
            return n;
        uint32_t copy[64];
        length = length < 64 ? length : 64;
        memcpy(copy, words + at, length * 4);
        memmove(words + to + length, words + to, (n - to) * 4);
        memcpy(words + to, copy, length * 4);
        return n + length;
    case 2: /* another opcode of the same length */
        words[at] = (words[at] & 0xffff0000) | (one_in(4) ? below(7000) : below(420));
        return n;
    case 3:
        if (one_in(8))
            words[below((uint32_t)n)] ^= UINT32_C(1) << below(32);
        return n;
    default:
        if (length > 1)
            words[at + 1 + below((uint32_t)length - 1)] = odd_word(words[3]);
        return n;
    }
}

static void keep_for_later(const uint32_t *words, size_t n) {
    FILE *file = getenv("FUZZ_KEEP") ? fopen(getenv("FUZZ_KEEP"), "wb") : NULL;
    if (!file)
        return;
    fwrite(words, 4, n, file);
    fclose(file);
}

/* A value that the argument takes: a pointer, local memory, an image, a sampler, or zeros. */
static bool set_argument(cl_kernel kernel, cl_uint n) {
    static const unsigned char zeros[4096];
    bool set = !clSetKernelArgSVMPointer(kernel, n, NULL) ||
               !clSetKernelArg(kernel, n, sizeof image, &image) ||
               !clSetKernelArg(kernel, n, sizeof sampler, &sampler) || !clSetKernelArg(kernel, n, 64, NULL);
    for (size_t size = 1; !set && size <= sizeof zeros; size++)
        set = !clSetKernelArg(kernel, n, size, zeros);
    return set;
}

/* Compiles the kernel for a size by a launch that never runs. */
static void compile(cl_kernel kernel) {
    cl_uint nargs = 0;
    cl_int e = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof nargs, &nargs, NULL);
    for (cl_uint n = 0; n < nargs && !e; n++)
        if (!set_argument(kernel, n))
            return;
    cl_event gate = clCreateUserEvent(cl.context, &e);
    size_t global = 64, local = 16;
    e = clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, one_in(2) ? &local : NULL, 1, &gate, NULL);
    if (e > 0 || (e < -72 && e > -1000))
        wrong("a launch", e);
    ncompiled += !e;
    clSetUserEventStatus(gate, -1);
    clReleaseEvent(gate);
    clFinish(cl.queue);
}

static void compile_all(cl_program program) {
    cl_kernel kernels[16];
    cl_uint n = 0;
    cl_int e = clCreateKernelsInProgram(program, COUNT(kernels), kernels, &n);
    for (cl_uint i = 0; i < n && !e; i++) {
        compile(kernels[i]);
        clReleaseKernel(kernels[i]);
    }
}

static void run(void) {
    static uint32_t words[2 * MOST_WORDS];
    char log[4096] = "";
    size_t from = below((uint32_t)nmodules), n = modules[from].n;
    memcpy(words, modules[from].words, n * 4);
    for (uint32_t i = 1 + (one_in(4) ? below(12) : below(3)); i > 0; i--)
        n = mutate(words, n, COUNT(words));
    cl_int e;
    keep_for_later(words, n);
    cl_program program = clCreateProgramWithIL(cl.context, words, n * 4, &e);
    if (!program) {
        if (e != CL_INVALID_VALUE)
            wrong("clCreateProgramWithIL", e);
        nrefused++;
        return;
    }
    e = clBuildProgram(program, 1, &cl.device, "", NULL, NULL);
    if (e && e != CL_BUILD_PROGRAM_FAILURE)
        wrong("a build", e);
    clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    if (strstr(log, "compiler") || strstr(log, "crash") || strstr(log, "took longer"))
        wrong(log, e);
    nbuilt += !e;
    if (!e && compile_one_in && one_in(compile_one_in))
        compile_all(program);
    clReleaseProgram(program);
}

static void finish(void) {
    printf("%lu built, %lu refused at once, %lu kernels compiled\n", nbuilt, nrefused, ncompiled);
    clReleaseSampler(sampler);
    clReleaseMemObject(image);
    device_close();
}

int main(int argc, char **argv) {
    return session(argc, argv, getenv("WEIR_TEST_QUICK") ? 2000 : 20000, setup, run, finish);
}

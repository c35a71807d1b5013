/* Programs from SPIR-V: creation, builds, specialization constants, linking, queries, errors. Modules are written as text and
 * assembled by spirv-as. */
#define _GNU_SOURCE
#include "api.h"

static unsigned char module[1 << 16];

/* Assembles the text; returns the bytes in `module`. */
static size_t assemble(const char *text) {
    char name[] = "/tmp/weir-spirv.XXXXXX", command[256];
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    snprintf(command, sizeof command, "spirv-as --target-env spv1.4 %s -o -", name);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t n = fread(module, 1, sizeof module, pipe);
    assert_int_equal(pclose(pipe), 0);
    unlink(name);
    return n;
}

#define HEAD                                                                                                 \
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpCapability Int64\nOpCapability "   \
    "Int8\n"                                                                                                 \
    "%std = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
#define TYPES                                                                                                \
    "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%bool = OpTypeBool\n%uchar = OpTypeInt 8 0\n"               \
    "%gptr = OpTypePointer CrossWorkgroup %uint\n%fn = OpTypeFunction %void %gptr\n"                         \
    "%one = OpConstant %uint 1\n%seven = OpConstant %uint 7\n"
#define KERNEL(body)                                                                                         \
    "%k = OpFunction %void None %fn\n%p = OpFunctionParameter %gptr\n%l = OpLabel\n" body                    \
    "OpReturn\nOpFunctionEnd\n"

static const char stores_seven[] =
    HEAD "OpEntryPoint Kernel %k \"k\"\nOpName %p \"out\"\n"
         "OpExecutionMode %k LocalSize 1 1 1\n" TYPES KERNEL("OpStore %p %seven Aligned 4\n");

static cl_program made(const char *text) {
    size_t n = assemble(text);
    return MADE(clCreateProgramWithIL(cl.context, module, n, &error));
}

static cl_program built(const char *text) {
    cl_program program = made(text);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    return program;
}

/* Builds what must not build: its log. */
static const char *log_of_failure(const char *text) {
    static char log[4096];
    cl_program program = made(text);
    GIVES(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    OK(clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    OK(clReleaseProgram(program));
    return log;
}

TEST(what_is_no_module_is_refused) {
    size_t n = assemble(stores_seven);
    REFUSES(CL_INVALID_CONTEXT, clCreateProgramWithIL(NULL, module, n, &error));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithIL(cl.context, NULL, n, &error));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithIL(cl.context, module, 0, &error));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithIL(cl.context, module, 16, &error));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithIL(cl.context, module, n - 1, &error));
    module[5] = 9; /* version 1.9 */
    module[6] = 9;
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithIL(cl.context, module, n, &error));
    assemble(stores_seven);
    module[22] = 0; /* the length of the first instruction */
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithIL(cl.context, module, n, &error));
    assemble(stores_seven);
    module[23] = 0x40;
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithIL(cl.context, module, n, &error));
    assemble(stores_seven);
    module[0]++;
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithIL(cl.context, module, n, &error));
}

TEST(a_module_runs_and_is_given_back_as_it_was) {
    size_t size, n = assemble(stores_seven);
    static unsigned char back[sizeof module];
    cl_program program = built(stores_seven);
    assert_int_equal(result_of(program, "k"), 7);
    OK(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof back, back, &size));
    assert_int_equal(size, n);
    assert_memory_equal(back, module, n);
    OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size));
    assert_int_equal(size, 1);
    OK(clReleaseProgram(program));
}

TEST(a_module_in_the_other_order_of_bytes_is_the_same_program) {
    size_t n = assemble(stores_seven);
    for (size_t i = 0; i < n; i += 4) {
        uint32_t word;
        memcpy(&word, module + i, 4);
        word = __builtin_bswap32(word);
        memcpy(module + i, &word, 4);
    }
    cl_program program = MADE(clCreateProgramWithIL(cl.context, module, n, &error));
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    assert_int_equal(result_of(program, "k"), 7);
    OK(clReleaseProgram(program));
}

TEST(the_function_of_the_extension_is_found_by_name) {
    cl_program (*create)(cl_context, const void *, size_t, cl_int *) =
        clGetExtensionFunctionAddressForPlatform(cl.platform, "clCreateProgramWithILKHR");
    size_t n = assemble(stores_seven);
    assert_non_null(create);
    cl_program program = MADE(create(cl.context, module, n, &error));
    OK(clReleaseProgram(program));
    REFUSES(CL_INVALID_VALUE, create(cl.context, NULL, n, &error));
}

TEST(arguments_and_sizes_of_kernels_are_told) {
    cl_program program = built(stores_seven);
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    char text[64];
    cl_kernel_arg_address_qualifier space;
    size_t local[3];
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    assert_string_equal(text, "out");
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
    assert_string_equal(text, "uint*");
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
    assert_int_equal(space, CL_KERNEL_ARG_ADDRESS_GLOBAL);
    OK(clGetKernelWorkGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof local, local,
                                NULL));
    assert_int_equal(local[0] * local[1] * local[2], 1);
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

static const char specialized[] = HEAD
    "OpEntryPoint Kernel %k \"k\"\nOpDecorate %n SpecId 3\nOpDecorate %b SpecId 9\nOpDecorate %c SpecId "
    "4\n" TYPES "%n = OpSpecConstant %uint 5\n%b = OpSpecConstantFalse %bool\n%c = OpSpecConstant %uchar 2\n"
    "%twice = OpSpecConstantOp %uint IAdd %n %n\n" KERNEL(
        "%wide = OpUConvert %uint %c\n%sum = OpIAdd %uint %twice %wide\n%v = OpSelect %uint %b %one %sum\n"
        "OpStore %p %v Aligned 4\n");

TEST(specialization_constants_are_set_for_the_builds_after) {
    cl_program program = made(specialized);
    cl_uint n = 100;
    cl_uchar c = 7, yes = 1;
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    assert_int_equal(result_of(program, "k"), 12);
    OK(clSetProgramSpecializationConstant(program, 3, sizeof n, &n));
    assert_int_equal(result_of(program, "k"), 12);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    assert_int_equal(result_of(program, "k"), 202);
    OK(clSetProgramSpecializationConstant(program, 4, sizeof c, &c));
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    assert_int_equal(result_of(program, "k"), 207);
    OK(clSetProgramSpecializationConstant(program, 9, sizeof yes, &yes));
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    assert_int_equal(result_of(program, "k"), 1);
    OK(clReleaseProgram(program));
}

TEST(wrong_specialization_constants_are_refused) {
    cl_program program = made(specialized);
    const char *source = "kernel void k(global int *p) {}";
    cl_program other = MADE(clCreateProgramWithSource(cl.context, 1, &source, NULL, &error));
    cl_ulong n = 1;
    GIVES(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(NULL, 3, 4, &n));
    GIVES(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(other, 3, 4, &n));
    GIVES(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 3, 4, NULL));
    GIVES(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 3, 8, &n));
    GIVES(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 3, 0, &n));
    GIVES(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 9, 4, &n));
    GIVES(CL_INVALID_SPEC_ID, clSetProgramSpecializationConstant(program, 5, 4, &n));
    OK(clReleaseProgram(other));
    OK(clReleaseProgram(program));
}

static void CL_CALLBACK ask_for_the_status(const char *text, const void *data, size_t size, void *user) {
    cl_build_status status = 77;
    OK(clGetProgramBuildInfo(*(cl_program *)user, cl.device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                             NULL));
    *(cl_program *)user = NULL;
}

TEST(the_callback_of_a_context_may_ask_about_the_module_of_a_refused_constant) {
    cl_program asked = NULL;
    cl_context own = MADE(clCreateContext(NULL, 1, &cl.device, ask_for_the_status, &asked, &error));
    cl_context before = cl.context;
    cl.context = own;
    cl_program program = made(specialized);
    cl.context = before;
    cl_uint n = 1;
    asked = program;
    GIVES(CL_INVALID_SPEC_ID, clSetProgramSpecializationConstant(program, 5, sizeof n, &n));
    assert_null(asked);
    asked = program;
    GIVES(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 3, 1, &n));
    assert_null(asked);
    OK(clReleaseProgram(program));
    OK(clReleaseContext(own));
}

TEST(a_module_links_with_a_program_from_source) {
    cl_program parts[2];
    const char *source = "uint answer(uint n) { return 6 * n; }";
    parts[0] =
        made(HEAD "OpEntryPoint Kernel %k \"k\"\nOpDecorate %f LinkageAttributes \"answer\" Import\n" TYPES
                  "%ft = OpTypeFunction %uint %uint\n%f = OpFunction %uint None %ft\n"
                  "%fp = OpFunctionParameter %uint\nOpFunctionEnd\n" KERNEL(
                      "%v = OpFunctionCall %uint %f %seven\nOpStore %p %v Aligned 4\n"));
    parts[1] = MADE(clCreateProgramWithSource(cl.context, 1, &source, NULL, &error));
    GIVES(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(parts[0], 0, NULL, "", NULL, NULL));
    for (int i = 0; i < 2; i++)
        OK(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    cl_program program = MADE(clLinkProgram(cl.context, 0, NULL, "", 2, parts, NULL, NULL, &error));
    assert_int_equal(result_of(program, "k"), 42);
    OK(clReleaseProgram(program));
    for (int i = 0; i < 2; i++)
        OK(clReleaseProgram(parts[i]));
}

TEST(the_binary_of_a_module_is_a_program) {
    cl_program program = built(stores_seven);
    size_t size;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = malloc(size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program again = MADE(clCreateProgramWithBinary(cl.context, 1, &cl.device, &size,
                                                      (const unsigned char **)&binary, NULL, &error));
    OK(clBuildProgram(again, 0, NULL, "", NULL, NULL));
    assert_int_equal(result_of(again, "k"), 7);
    OK(clReleaseProgram(again));
    OK(clReleaseProgram(program));
    free(binary);
}

TEST(one_function_may_be_several_kernels) {
    cl_program program =
        built(HEAD "OpEntryPoint Kernel %k \"k\"\nOpEntryPoint Kernel %k \"again\"\n" TYPES KERNEL(
            "OpStore %p %seven Aligned 4\n"));
    cl_kernel kernel = MADE(clCreateKernel(program, "again", &error));
    assert_int_equal(result_of(program, "k"), 7);
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

TEST(what_a_module_gets_wrong_is_named_with_its_place) {
    assert_non_null(strstr(
        log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\n" TYPES KERNEL("OpStore %p %p Aligned 4\n")),
        "OpStore at byte"));
    assert_non_null(strstr(log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\n" TYPES KERNEL(
                               "%v = OpIAdd %uint %later %one\n%later = OpIAdd %uint %one %one\n")),
                           "isn't defined before"));
    assert_non_null(strstr(log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\n" TYPES
                                               "%f = OpTypeFloat 32\n" KERNEL("%v = OpDPdx %f %one\n")),
                           "OpDPdx at byte"));
    assert_non_null(
        strstr(log_of_failure("OpCapability Shader\nOpCapability Kernel\nOpMemoryModel Logical GLSL450\n"),
               "addressing model"));
    assert_non_null(strstr(
        log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\n" TYPES KERNEL("%v = OpBitcast %uchar %one\n")),
        "it can't convert the operand to type"));
}

TEST(messages_say_where_in_the_source_it_is_and_what_to_do) {
    const char *log = log_of_failure(
        HEAD "OpCapability Shader\nOpExtension \"SPV_INTEL_joint_matrix\"\n"
             "OpEntryPoint Kernel %k \"k\"\n%file = OpString \"a.cl\"\n" TYPES
             "%f = OpTypeFloat 32\n%h = OpConstant %f 1\n" KERNEL("OpLine %file 7 1\n%v = OpDPdx %f %h\n"));
    assert_non_null(strstr(log, "in 'k' (a.cl:7): it needs capability Shader"));
    assert_non_null(strstr(log, "--target=spirv64"));
    assert_non_null(strstr(log, "SPV_INTEL_joint_matrix"));
}

TEST(what_modules_may_not_have_is_named_with_its_place) {
    assert_non_null(strstr(log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\nOpExecutionMode %k "
                                               "Finalizer\n" TYPES KERNEL("")),
                           "OpExecutionMode at byte"));
    assert_non_null(strstr(log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\nOpExecutionMode %k "
                                               "RoundingModeRTZ 32\n" TYPES KERNEL("")),
                           "OpExecutionMode at byte"));
    assert_non_null(strstr(log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\nOpExecutionMode %k "
                                               "Initializer\n" TYPES KERNEL("")),
                           "can't have arguments"));
    assert_non_null(strstr(log_of_failure(HEAD "OpCapability PipeStorage\n%ps = OpTypePipeStorage\n"
                                               "%c = OpConstantPipeStorage %ps 65536 4 65536\n"),
                           "65536 packets of 65536 bytes"));
    assert_non_null(
        strstr(log_of_failure(
                   HEAD "OpExtension \"SPV_INTEL_function_pointers\"\nOpEntryPoint Kernel %k \"k\"\n" TYPES
                        "%pfn = OpTypePointer Function %fn\n"
                        "%f = OpConstantFunctionPointerINTEL %pfn %k\n" KERNEL("")),
               "OpConstantFunctionPointerINTEL at byte"));
}

TEST(values_of_a_block_that_does_not_come_before_are_refused) {
    assert_non_null(strstr(
        log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\n" TYPES "%true = OpConstantTrue %bool\n" KERNEL(
            "OpBranchConditional %true %a %b\n%a = OpLabel\n%v = OpLoad %uint %p Aligned 4\nOpBranch %b\n"
            "%b = OpLabel\nOpStore %p %v Aligned 4\n")),
        "the module is invalid"));
}

TEST(the_device_tells_which_modules_it_takes) {
    char versions[256];
    cl_name_version list[16];
    const char *sets[16], *extensions[64];
    cl_uint capabilities[256], bits;
    size_t size, n = 0;
    bool has_kernel = false;
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_IL_VERSION, sizeof versions, versions, NULL));
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_ILS_WITH_VERSION, sizeof list, list, &size));
    for (size_t i = 0; i < size / sizeof *list; i++) {
        char name[32];
        snprintf(name, sizeof name, "SPIR-V_%u.%u", CL_VERSION_MAJOR(list[i].version),
                 CL_VERSION_MINOR(list[i].version));
        assert_string_equal(list[i].name, "SPIR-V");
        assert_non_null(strstr(versions, name));
        n++;
    }
    assert_true(n >= 5);
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, sizeof sets, sets, &size));
    assert_true(size >= sizeof *sets && size % sizeof *sets == 0);
    assert_string_equal(sets[0], "OpenCL.std");
    for (size_t i = 0; i < size / sizeof *sets; i++)
        assert_true(!strncmp(sets[i], "OpenCL.", 7) || !strncmp(sets[i], "NonSemantic.", 12));
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_SPIRV_EXTENSIONS_KHR, sizeof extensions, extensions, &size));
    for (size_t i = 0; i < size / sizeof *extensions; i++)
        assert_int_equal(strncmp(extensions[i], "SPV_", 4), 0);
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_SPIRV_CAPABILITIES_KHR, sizeof capabilities, capabilities,
                       &size));
    for (size_t i = 0; i < size / sizeof *capabilities; i++)
        has_kernel |= capabilities[i] == 6;
    assert_true(has_kernel);
    OK(clGetDeviceInfo(cl.device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL));
    assert_int_equal(bits, 64); /* the only addressing model is Physical64 */
}

/* As translators leave LLVM's blocks. */
TEST(blocks_may_come_before_those_that_dominate_them) {
    cl_program program =
        built(HEAD "OpEntryPoint Kernel %k \"k\"\n" TYPES "%five = OpConstant %uint 5\n" KERNEL(
            "OpBranch %head\n"
            "%last = OpLabel\n%w = OpIAdd %uint %i %v\nOpStore %p %w Aligned 4\nOpReturn\n"
            "%never = OpLabel\nOpBranch %last\n"
            "%body = OpLabel\n%next = OpIAdd %uint %i %v\nOpBranch %head\n"
            "%head = OpLabel\n%i = OpPhi %uint %one %l %next %body\n%v = OpIAdd %uint %one %one\n"
            "%more = OpULessThan %bool %i %five\nOpBranchConditional %more %body %before\n"
            "%before = OpLabel\nOpBranch %last\n"
            "%neither = OpLabel\n"));
    assert_int_equal(result_of(program, "k"), 7);
    OK(clReleaseProgram(program));
}

TEST(values_of_blocks_that_nothing_branches_to_are_refused) {
    assert_non_null(strstr(log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\n" TYPES KERNEL(
                               "OpBranch %b\n%a = OpLabel\n%v = OpIAdd %uint %one %one\nOpBranch %b\n"
                               "%b = OpLabel\nOpStore %p %v Aligned 4\n")),
                           "isn't defined before"));
}

/* What llvm-spirv makes of loops when it may use any extension. */
TEST(loops_may_be_controlled_without_structure) {
    cl_program program =
        built(HEAD "OpCapability UnstructuredLoopControlsINTEL\nOpExtension "
                   "\"SPV_INTEL_unstructured_loop_controls\"\nOpEntryPoint Kernel %k \"k\"\n" TYPES KERNEL(
                       "OpBranch %head\n"
                       "%head = OpLabel\n%i = OpPhi %uint %one %l %next %head\n%next = OpIAdd %uint %i %one\n"
                       "%more = OpULessThan %bool %i %seven\nOpLoopControlINTEL 2\n"
                       "OpBranchConditional %more %head %end\n%end = OpLabel\nOpStore %p %i Aligned 4\n"));
    assert_int_equal(result_of(program, "k"), 7);
    OK(clReleaseProgram(program));
}

#define OF_WIDTH(bits, body)                                                                                 \
    HEAD "OpEntryPoint Kernel %k \"k\"\n" TYPES "%odd = OpTypeInt " bits " 0\n"                              \
         "%three = OpConstant %odd 3\n" KERNEL(body)
#define TIMES_THREE                                                                                          \
    "%a = OpUConvert %odd %seven\n%b = OpIMul %odd %a %three\n%c = OpSConvert %uint %b\n"                    \
    "OpStore %p %c Aligned 4\n"

TEST(integers_may_have_any_width_from_2_to_64_bits) {
    static const char *const texts[] = {OF_WIDTH("3", TIMES_THREE), OF_WIDTH("13", TIMES_THREE),
                                        OF_WIDTH("31", TIMES_THREE), OF_WIDTH("33", TIMES_THREE),
                                        OF_WIDTH("63", TIMES_THREE)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        cl_program program = built(texts[i]);
        assert_int_equal(result_of(program, "k"), i ? 21 : -3);
        OK(clReleaseProgram(program));
    }
    assert_non_null(
        strstr(log_of_failure(HEAD "%odd = OpTypeInt 65 0\n"), "integers of 65 bits are not supported"));
}

TEST(functions_that_integers_of_odd_widths_lack_are_named) {
    const char *log = log_of_failure(OF_WIDTH("13", "%a = OpExtInst %odd %std u_max %three %three\n"));
    assert_non_null(strstr(log, "max"));
}

/* numba-dpex's translator says so of what it knows nothing of. */
TEST(an_alignment_of_0_is_none) {
    cl_program program = built(HEAD "OpEntryPoint Kernel %k \"k\"\n" TYPES "%four = OpConstant %uint 4\n"
                                    "%private = OpTypePointer Function %uint\n" KERNEL(
                                        "%v = OpVariable %private Function\nOpStore %v %seven Aligned 0\n"
                                        "OpCopyMemorySized %p %v %four Aligned 0\n"));
    assert_int_equal(result_of(program, "k"), 7);
    OK(clReleaseProgram(program));
}

/* As translators write what LLVM has in address space 0. */
#define OUTSIDE                                                                                              \
    TYPES "%four = OpConstant %uint 4\n%table = OpTypeArray %uint %four\n%two = OpConstant %uint 2\n"        \
          "%in_table = OpTypePointer Function %table\n%private = OpTypePointer Function %uint\n"             \
          "%numbers = OpConstantComposite %table %one %two %four %seven\n"                                   \
          "%v = OpVariable %in_table Function %numbers\n"
#define READS_LAST                                                                                           \
    "%i = OpLoad %uint %p Aligned 4\n%j = OpISub %uint %i %one\n%m = OpBitwiseAnd %uint %j %three\n"         \
    "%at = OpInBoundsAccessChain %private %v %m\n%x = OpLoad %uint %at Aligned 4\nOpStore %p %x Aligned 4\n"

TEST(constants_outside_of_functions_may_be_in_private_memory) {
    cl_program program = built(HEAD "OpEntryPoint Kernel %k \"k\"\nOpDecorate %v Constant\n" OUTSIDE
                                    "%three = OpConstant %uint 3\n" KERNEL(READS_LAST));
    assert_int_equal(result_of(program, "k"), 7);
    OK(clReleaseProgram(program));
}

TEST(variables_outside_of_functions_in_private_memory_must_not_be_used) {
    cl_program program =
        built(HEAD "OpEntryPoint Kernel %k \"k\"\n" OUTSIDE KERNEL("OpStore %p %seven Aligned 4\n"));
    assert_int_equal(result_of(program, "k"), 7);
    OK(clReleaseProgram(program));
    assert_non_null(strstr(log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\n" OUTSIDE
                                               "%three = OpConstant %uint 3\n" KERNEL(READS_LAST)),
                           "OpInBoundsAccessChain at byte"));
}

/* As SYCL's compiler writes it. */
TEST(a_kernel_and_the_function_it_calls_may_have_one_name) {
    cl_program program =
        built(HEAD "OpEntryPoint Kernel %k \"k\"\nOpDecorate %f LinkageAttributes \"k\" Export\n" TYPES
                   "%f = OpFunction %void None %fn\n%fp = OpFunctionParameter %gptr\n%fl = OpLabel\n"
                   "OpStore %fp %seven Aligned 4\nOpReturn\nOpFunctionEnd\n" KERNEL(
                       "%v = OpFunctionCall %void %f %p\n"));
    assert_int_equal(result_of(program, "k"), 7);
    OK(clReleaseProgram(program));
}

TEST(built_in_variables_may_be_in_global_memory) {
    cl_program program = built(
        HEAD "OpEntryPoint Kernel %k \"k\"\nOpDecorate %size BuiltIn GlobalSize\n"
             "OpDecorate %size LinkageAttributes \"size\" Import\nOpDecorate %size Constant\n" TYPES
             "%ulong = OpTypeInt 64 0\n%v3 = OpTypeVector %ulong 3\n%pv3 = OpTypePointer CrossWorkgroup %v3\n"
             "%size = OpVariable %pv3 CrossWorkgroup\n" KERNEL(
                 "%all = OpLoad %v3 %size\n%x = OpCompositeExtract %ulong %all 0\n%v = OpUConvert %uint %x\n"
                 "%w = OpIAdd %uint %v %seven\nOpStore %p %w Aligned 4\n"));
    assert_int_equal(result_of(program, "k"), 8);
    OK(clReleaseProgram(program));
}

/* ---- instructions that spirv-as or spirv-val doesn't know ---- */

/* A program of the text whose instructions of opcode `from` have become others with the same operands. */
static cl_program with_opcode(const char *text, uint32_t from, uint32_t to) {
    size_t n = assemble(text), found = 0;
    uint32_t *words = (uint32_t *)module;
    for (size_t at = 5; at < n / 4; at += words[at] >> 16)
        if ((words[at] & 0xffff) == from) {
            words[at] = (words[at] & 0xffff0000) | to;
            found++;
        }
    assert_true(found > 0);
    return MADE(clCreateProgramWithIL(cl.context, module, n, &error));
}

#define NUMBERS                                                                                              \
    HEAD "OpCapability Int16\nOpEntryPoint Kernel %k \"k\"\nOpDecorate %given SpecId 1\n" TYPES              \
         "%float = OpTypeFloat 32\n%ushort = OpTypeInt 16 0\n%f2 = OpTypeVector %float 2\n"                  \
         "%s2 = OpTypeVector %ushort 2\n%half = OpConstant %float 1.50390625\n"                              \
         "%three = OpConstant %float 3\n%given = OpSpecConstant %uint 0\n"

static uint32_t result_for(uint32_t given, const char *text, uint32_t from, uint32_t to) {
    cl_program program = with_opcode(text, from, to);
    OK(clSetProgramSpecializationConstant(program, 1, sizeof given, &given));
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    uint32_t result = (uint32_t)result_of(program, "k");
    OK(clReleaseProgram(program));
    return result;
}

enum { UNDEF = 1, SELECT = 169, COPY = 400 }; /* with the operands of those that are tested */

TEST(values_may_be_frozen) {
    enum { FREEZE = 5159, POISON = 5158 };
    assert_int_equal(result_for(0,
                                NUMBERS KERNEL("%a = OpCopyLogical %uint %seven\nOpStore %p %a Aligned 4\n"),
                                COPY, FREEZE),
                     7);
    assert_int_equal(
        result_for(0,
                   NUMBERS KERNEL("%a = OpUndef %uint\n%none = OpIEqual %bool %given %one\n"
                                  "%b = OpSelect %uint %none %a %one\nOpStore %p %b Aligned 4\n"),
                   UNDEF, POISON),
        1);
}

TEST(operations_stay_on_their_side_of_a_fence_of_values) {
    enum { FENCE = 6145 };
    assert_int_equal(
        result_for(0,
                   NUMBERS KERNEL("%a = OpFAdd %float %three %half\n%b = OpCopyLogical %float %a\n"
                                  "%c = OpConvertFToU %uint %b\nOpStore %p %c Aligned 4\n"),
                   COPY, FENCE),
        4);
}

TEST(a_product_and_a_sum_may_be_one_instruction) {
    enum { FMA = 4427 };
    assert_int_equal(result_for(0,
                                NUMBERS KERNEL("%b = OpSelect %float %three %half %three\n"
                                               "%c = OpConvertFToU %uint %b\nOpStore %p %c Aligned 4\n"),
                                SELECT, FMA),
                     7);
}

/* To the nearest, and to an even one where two are as near; infinities stay, and NaN stays one. */
TEST(floats_become_numbers_of_type_bfloat16) {
    enum { TO_BFLOAT16 = 6116 };
    static const char text[] =
        NUMBERS KERNEL("%f = OpBitcast %float %given\n%a = OpCompositeConstruct %f2 %f %f\n"
                       "%b = OpCopyLogical %s2 %a\n%c = OpCompositeExtract %ushort %b 1\n"
                       "%d = OpUConvert %uint %c\nOpStore %p %d Aligned 4\n");
    assert_int_equal(result_for(0x3f800000, text, COPY, TO_BFLOAT16), 0x3f80);
    assert_int_equal(result_for(0x3f808000, text, COPY, TO_BFLOAT16), 0x3f80);
    assert_int_equal(result_for(0x3f808001, text, COPY, TO_BFLOAT16), 0x3f81);
    assert_int_equal(result_for(0x3f818000, text, COPY, TO_BFLOAT16), 0x3f82);
    assert_int_equal(result_for(0x7f7fffff, text, COPY, TO_BFLOAT16), 0x7f80);
    assert_int_equal(result_for(0xff800000, text, COPY, TO_BFLOAT16), 0xff80);
    assert_int_equal(result_for(0x7f800001, text, COPY, TO_BFLOAT16), 0x7fc0);
    assert_int_equal(result_for(0x80000001, text, COPY, TO_BFLOAT16), 0x8000);
}

TEST(numbers_of_type_bfloat16_become_floats) {
    enum { FROM_BFLOAT16 = 6117 };
    assert_int_equal(
        result_for(0x3fc0,
                   NUMBERS KERNEL("%n = OpUConvert %ushort %given\n%a = OpCopyLogical %float %n\n"
                                  "%b = OpBitcast %uint %a\nOpStore %p %b Aligned 4\n"),
                   COPY, FROM_BFLOAT16),
        0x3fc00000);
}

/* Structs of more than 65,535 members take several instructions. */
TEST(types_and_values_may_go_on_in_another_instruction) {
    cl_program program = built(
        HEAD "OpCapability LongConstantCompositeINTEL\nOpExtension \"SPV_INTEL_long_constant_composite\"\n"
             "OpEntryPoint Kernel %k \"k\"\n" TYPES "%ten = OpConstant %uint 10\n"
             "%s = OpTypeStruct %uint %uint\nOpTypeStructContinuedINTEL %uchar\n"
             "OpTypeStructContinuedINTEL %uint\n%byte = OpConstant %uchar 3\n"
             "%c = OpConstantComposite %s %one\nOpConstantCompositeContinuedINTEL %seven %byte\n"
             "OpConstantCompositeContinuedINTEL %ten\n" KERNEL("%v = OpCompositeExtract %uint %c 3\n"
                                                               "OpStore %p %v Aligned 4\n"));
    assert_int_equal(result_of(program, "k"), 10);
    OK(clReleaseProgram(program));
    assert_non_null(
        strstr(log_of_failure(HEAD TYPES "OpTypeStructContinuedINTEL %uint\n"), "it continues nothing"));
}

/* ---- pipes ---- */

/* The kernel reads a packet, 1 if there is none, and writes 7. spirv-val wants such constants in blocks. */
TEST(a_pipe_that_a_module_has_keeps_its_packets_between_launches) {
    cl_program program =
        built(HEAD "OpCapability Pipes\nOpCapability PipeStorage\nOpCapability GenericPointer\n"
                   "OpEntryPoint Kernel %k \"k\" %storage\n" TYPES "%four = OpConstant %uint 4\n"
                   "%private = OpTypePointer Function %uint\n%generic = OpTypePointer Generic %uint\n"
                   "%ps = OpTypePipeStorage\n%pps = OpTypePointer CrossWorkgroup %ps\n"
                   "%wo = OpTypePipe WriteOnly\n%ro = OpTypePipe ReadOnly\n"
                   "%constant = OpConstantPipeStorage %ps 4 4 2\n"
                   "%storage = OpVariable %pps CrossWorkgroup %constant\n" KERNEL(
                       "%packet = OpVariable %private Function\n%at = OpPtrCastToGeneric %generic %packet\n"
                       "OpStore %packet %one Aligned 4\n%s = OpLoad %ps %storage Aligned 8\n"
                       "%r = OpCreatePipeFromPipeStorage %ro %s\n%w = OpCreatePipeFromPipeStorage %wo %s\n"
                       "%e = OpReadPipe %uint %r %at %four %four\n%got = OpLoad %uint %packet Aligned 4\n"
                       "OpStore %p %got Aligned 4\nOpStore %packet %seven Aligned 4\n"
                       "%f = OpWritePipe %uint %w %at %four %four\n"));
    assert_int_equal(result_of(program, "k"), 1);
    assert_int_equal(result_of(program, "k"), 7);
    assert_int_equal(result_of(program, "k"), 7);
    OK(clReleaseProgram(program));
}

TEST(a_pipe_that_a_module_has_takes_as_many_packets_as_it_says) {
    cl_program program = built(
        HEAD "OpCapability Pipes\nOpCapability PipeStorage\nOpCapability GenericPointer\n"
             "OpEntryPoint Kernel %k \"k\" %storage\n" TYPES "%four = OpConstant %uint 4\n"
             "%ps = OpTypePipeStorage\n%pps = OpTypePointer CrossWorkgroup %ps\n%wo = OpTypePipe WriteOnly\n"
             "%constant = OpConstantPipeStorage %ps 4 4 13\n"
             "%storage = OpVariable %pps CrossWorkgroup %constant\n" KERNEL(
                 "%s = OpLoad %ps %storage Aligned 8\n%w = OpCreatePipeFromPipeStorage %wo %s\n"
                 "%n = OpGetMaxPipePackets %uint %w %four %four\nOpStore %p %n Aligned 4\n"));
    assert_int_equal(result_of(program, "k"), 13);
    OK(clReleaseProgram(program));
}

/* ---- execution modes ---- */

TEST(a_kernel_may_ask_for_its_number_of_sub_groups) {
    cl_program program = built(
        HEAD "OpCapability SubgroupDispatch\nOpEntryPoint Kernel %k \"k\"\n"
             "OpExecutionMode %k SubgroupsPerWorkgroup 3\n" TYPES KERNEL("OpStore %p %seven Aligned 4\n"));
    cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
    cl_mem mem = buffer_of(0, 64, NULL);
    size_t count = 3, n, local, most;
    OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL, sizeof n, &n,
                               NULL));
    assert_int_equal(n, 3);
    OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof most, &most,
                               NULL));
    assert_int_equal(most, 3);
    OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count,
                               &count, sizeof local, &local, NULL));
    OK(clGetKernelSubGroupInfo(kernel, cl.device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local, &local,
                               sizeof n, &n, NULL));
    assert_int_equal(n, 3);
    OK(run_1d(kernel, local * 2, local));
    size_t global = local * 2, less = local / 3;
    OK(clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    GIVES(CL_INVALID_WORK_GROUP_SIZE,
          clEnqueueNDRangeKernel(cl.queue, kernel, 1, NULL, &global, &less, 0, NULL, NULL));
    OK(clFinish(cl.queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(mem));
    OK(clReleaseProgram(program));
}

TEST(a_program_tells_whether_something_runs_before_its_kernels) {
    cl_bool present;
    cl_program program =
        built(HEAD "OpEntryPoint Kernel %begin \"begin\"\nOpExecutionMode %begin Initializer\n" TYPES
                   "%none = OpTypeFunction %void\n%begin = OpFunction %void None %none\n"
                   "%l = OpLabel\nOpReturn\nOpFunctionEnd\n");
    OK(clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof present, &present, NULL));
    assert_int_equal(present, CL_TRUE);
    OK(clReleaseProgram(program));
    program = built(stores_seven);
    OK(clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof present, &present, NULL));
    assert_int_equal(present, CL_FALSE);
    OK(clReleaseProgram(program));
}

TEST(variables_are_aligned_as_a_decoration_or_a_constant_says) {
    cl_program program =
        built(HEAD "OpEntryPoint Kernel %k \"k\"\nOpDecorate %a Alignment 1024\nOpDecorateId %b AlignmentId "
                   "%much\n" TYPES
                   "%ulong = OpTypeInt 64 0\n%much = OpConstant %uint 2048\n%low = OpConstant %ulong 1023\n"
                   "%low2 = OpConstant %ulong 2047\n%a = OpVariable %gptr CrossWorkgroup %one\n"
                   "%b = OpVariable %gptr CrossWorkgroup %one\n" KERNEL(
                       "%x = OpConvertPtrToU %ulong %a\n%y = OpConvertPtrToU %ulong %b\n"
                       "%v = OpBitwiseAnd %ulong %x %low\n%w = OpBitwiseAnd %ulong %y %low2\n"
                       "%o = OpBitwiseOr %ulong %v %w\n%r = OpUConvert %uint %o\nOpStore %p %r Aligned 4\n"));
    assert_int_equal(result_of(program, "k"), 0);
    OK(clReleaseProgram(program));
    assert_non_null(
        strstr(log_of_failure(HEAD "OpEntryPoint Kernel %k \"k\"\nOpDecorate %b Alignment 3\n" TYPES
                                   "%b = OpVariable %gptr CrossWorkgroup %one\n" KERNEL("")),
               "an alignment of 3"));
}

TEST(types_that_have_themselves_as_a_part_are_refused) {
    assert_non_null(strstr(log_of_failure(HEAD TYPES "%s = OpTypeStruct %uint %s\n"),
                           "a type can't have itself as a part"));
}

TEST(accesses_may_say_what_they_overlap_and_functions_that_they_stay_as_they_are) {
    cl_program program = built(
        HEAD
        "OpCapability MemoryAccessAliasingINTEL\nOpCapability OptNoneINTEL\nOpExtension "
        "\"SPV_INTEL_memory_access_aliasing\"\nOpExtension \"SPV_INTEL_optnone\"\n"
        "OpEntryPoint Kernel %k \"k\"\n%domain = OpAliasDomainDeclINTEL\n"
        "%scope = OpAliasScopeDeclINTEL %domain\n%list = OpAliasScopeListDeclINTEL %scope\n" TYPES
        "%f = OpFunction %void DontInline|OptNoneINTEL %fn\n%q = OpFunctionParameter %gptr\n%fl = OpLabel\n"
        "OpStore %q %seven Aligned|NoAliasINTELMask 4 %list\nOpReturn\nOpFunctionEnd\n" KERNEL(
            "%c = OpFunctionCall %void %f %p\n%v = OpLoad %uint %p Aligned|AliasScopeINTELMask 4 %list\n"
            "%w = OpIAdd %uint %v %one\nOpStore %p %w Aligned 4\n"));
    assert_int_equal(result_of(program, "k"), 8);
    OK(clReleaseProgram(program));
}

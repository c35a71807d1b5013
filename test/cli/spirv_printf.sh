# printf's format may be a constant in global memory (SPV_EXT_relaxed_printf_string_address_space), as SYCL has them
. "$(dirname "$0")/common"
cat >format.spvasm <<'TEXT'
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int8
OpExtension "SPV_EXT_relaxed_printf_string_address_space"
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %format
OpDecorate %format Constant
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uchar = OpTypeInt 8 0
%ulong = OpTypeInt 64 0
%four = OpConstant %ulong 4
%zero = OpConstant %ulong 0
%percent = OpConstant %uchar 37
%d = OpConstant %uchar 100
%newline = OpConstant %uchar 10
%end = OpConstant %uchar 0
%array = OpTypeArray %uchar %four
%global_array = OpTypePointer CrossWorkgroup %array
%global_char = OpTypePointer CrossWorkgroup %uchar
%text = OpConstantComposite %array %percent %d %newline %end
%format = OpVariable %global_array CrossWorkgroup %text
%fn = OpTypeFunction %void %uint
%k = OpFunction %void None %fn
%n = OpFunctionParameter %uint
%l = OpLabel
%begin = OpInBoundsPtrAccessChain %global_char %format %zero %zero
%r = OpExtInst %uint %std printf %begin %n
OpReturn
OpFunctionEnd
TEXT
expect 0 '^$' spirv-as --target-env spv1.6 format.spvasm -o format.spv
expect 0 '^42$' weir run format.spv k --global 1 --arg 42
finish

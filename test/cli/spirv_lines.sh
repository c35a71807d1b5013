# weir check, report: lines, functions, names and types of modules that have debug information, in each of its forms
. "$(dirname "$0")/common"
export WEIR_CACHE_DIR=$work/cache

# Work-item l writes tile[l].at in line 4, and in line 2, inlined from line 5, reads its neighbour's; no barrier is between.
# $1: the set of instructions; numbers are literals in the first, and constants in the second, which has lines of its own.
module() {
    local set=$1
    if [ "$set" = OpenCL.DebugInfo.100 ]; then
        line() { echo "OpLine %path $1 $2"; }
        define=''
    else
        line() { echo "%ln$1 = OpExtInst %void %dbg DebugLine %source %uint_$1 %uint_$1 %uint_$2 %uint_$2"; }
        define='%def = OpExtInst %void %dbg DebugFunctionDefinition %f_k %k'
    fi
    cat <<TEXT
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
$([ "$set" = OpenCL.DebugInfo.100 ] || echo 'OpExtension "SPV_KHR_non_semantic_info"')
%dbg = OpExtInstImport "$set"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %lid
%path = OpString "/src/lines.cl"
%s_k = OpString "k"
%s_helper = OpString "helper"
%s_uint = OpString "uint"
%s_pair = OpString "pair"
%s_at = OpString "at"
%s_on = OpString "on"
%s_tile = OpString "tile"
%s_out = OpString "out"
%s_none = OpString ""
OpDecorate %lid BuiltIn LocalInvocationId
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%v3 = OpTypeVector %ulong 3
%in3 = OpTypePointer Input %v3
%pair = OpTypeStruct %uint %uint
%local = OpTypePointer Workgroup %pair
%local_uint = OpTypePointer Workgroup %uint
%global = OpTypePointer CrossWorkgroup %uint
%fn = OpTypeFunction %void %global %local
%uint_0 = OpConstant %uint 0
%uint_1 = OpConstant %uint 1
%uint_2 = OpConstant %uint 2
%uint_3 = OpConstant %uint 3
%uint_4 = OpConstant %uint 4
%uint_5 = OpConstant %uint 5
%uint_6 = OpConstant %uint 6
%uint_32 = OpConstant %uint 32
%uint_64 = OpConstant %uint 64
%one = OpConstant %ulong 1
%lid = OpVariable %in3 Input
%source = OpExtInst %void %dbg DebugSource %path
%nothing = OpExtInst %void %dbg DebugInfoNone
TEXT
    if [ "$set" = OpenCL.DebugInfo.100 ]; then
        cat <<'TEXT'
%unit = OpExtInst %void %dbg DebugCompilationUnit 65536 5 %source OpenCL_C
%uint_t = OpExtInst %void %dbg DebugTypeBasic %s_uint %uint_32 Unsigned
%pair_t = OpExtInst %void %dbg DebugTypeComposite %s_pair Structure %source 1 1 %unit %s_none %uint_64 None %at_t %on_t
%at_t = OpExtInst %void %dbg DebugTypeMember %s_at %uint_t %source 1 1 %pair_t %uint_0 %uint_32 None
%on_t = OpExtInst %void %dbg DebugTypeMember %s_on %uint_t %source 1 1 %pair_t %uint_32 %uint_32 None
%tile_t = OpExtInst %void %dbg DebugTypePointer %pair_t Workgroup None
%out_t = OpExtInst %void %dbg DebugTypePointer %uint_t CrossWorkgroup None
%k_t = OpExtInst %void %dbg DebugTypeFunction None %void %out_t %tile_t
%f_k = OpExtInst %void %dbg DebugFunction %s_k %k_t %source 3 1 %unit %s_none FlagIsDefinition 3 %k
%f_helper = OpExtInst %void %dbg DebugFunction %s_helper %k_t %source 1 1 %unit %s_none FlagIsDefinition 1 %nothing
%v_out = OpExtInst %void %dbg DebugLocalVariable %s_out %out_t %source 3 1 %f_k None 1
%v_tile = OpExtInst %void %dbg DebugLocalVariable %s_tile %tile_t %source 3 1 %f_k None 2
%inlined = OpExtInst %void %dbg DebugInlinedAt 5 %f_k
TEXT
    else
        cat <<'TEXT'
%unit = OpExtInst %void %dbg DebugCompilationUnit %uint_1 %uint_5 %source %uint_3
%uint_t = OpExtInst %void %dbg DebugTypeBasic %s_uint %uint_32 %uint_6 %uint_0
%at_t = OpExtInst %void %dbg DebugTypeMember %s_at %uint_t %source %uint_1 %uint_1 %uint_0 %uint_32 %uint_0
%on_t = OpExtInst %void %dbg DebugTypeMember %s_on %uint_t %source %uint_1 %uint_1 %uint_32 %uint_32 %uint_0
%pair_t = OpExtInst %void %dbg DebugTypeComposite %s_pair %uint_1 %source %uint_1 %uint_1 %unit %s_none %uint_64 %uint_0 %at_t %on_t
%tile_t = OpExtInst %void %dbg DebugTypePointer %pair_t %uint_4 %uint_0
%out_t = OpExtInst %void %dbg DebugTypePointer %uint_t %uint_5 %uint_0
%k_t = OpExtInst %void %dbg DebugTypeFunction %uint_0 %void %out_t %tile_t
%f_k = OpExtInst %void %dbg DebugFunction %s_k %k_t %source %uint_3 %uint_1 %unit %s_none %uint_0 %uint_3
%f_helper = OpExtInst %void %dbg DebugFunction %s_helper %k_t %source %uint_1 %uint_1 %unit %s_none %uint_0 %uint_1
%v_out = OpExtInst %void %dbg DebugLocalVariable %s_out %out_t %source %uint_3 %uint_1 %f_k %uint_0 %uint_1
%v_tile = OpExtInst %void %dbg DebugLocalVariable %s_tile %tile_t %source %uint_3 %uint_1 %f_k %uint_0 %uint_2
%inlined = OpExtInst %void %dbg DebugInlinedAt %uint_5 %f_k
TEXT
    fi
    cat <<TEXT
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%tile = OpFunctionParameter %local
%body = OpLabel
$define
%in_k = OpExtInst %void %dbg DebugScope %f_k
$(line 4 3)
%lid3 = OpLoad %v3 %lid
%l = OpCompositeExtract %ulong %lid3 0
%l32 = OpUConvert %uint %l
%mine = OpInBoundsPtrAccessChain %local_uint %tile %l %uint_0
OpStore %mine %l32 Aligned 4
%in_helper = OpExtInst %void %dbg DebugScope %f_helper %inlined
$(line 2 1)
%other = OpBitwiseXor %ulong %l %one
%theirs = OpInBoundsPtrAccessChain %local_uint %tile %other %uint_0
%got = OpLoad %uint %theirs Aligned 4
%in_k_again = OpExtInst %void %dbg DebugScope %f_k
$(line 6 2)
%to = OpInBoundsPtrAccessChain %global %out %l
OpStore %to %got Aligned 4
OpReturn
OpFunctionEnd
TEXT
}
for set in OpenCL.DebugInfo.100 NonSemantic.Shader.DebugInfo.100; do
    module $set >lines.spvasm
    spirv-as --target-env spv1.6 lines.spvasm -o lines.spv || { failures=1; continue; }
    run='lines.spv k --global 16 --local 16 --arg out:uint:16 --arg local:128'
    expect 0 'out: uint\[16\] = ' weir run $run
    expect 1 'data-race in kernel k: argument tile\[[0-9]+\]\.at' weir check $run
    expect 1 'lines.cl:2:1: .*in helper, called from lines.cl:5:0 in k' weir check $run
    expect 1 'lines.cl:4:3: ' weir check $run
    rm -rf "$WEIR_CACHE_DIR"
    # a group of many packs, so that local memory stays what lines read and write
    weir run lines.spv k --global 1024 --local 1024 --arg out:uint:1024 --arg local:8192 >/dev/null
    for object in "$WEIR_CACHE_DIR"/*.so; do
        expect 0 'lines.cl +4 .*lines.cl +6 ' objdump --dwarf=decodedline "$object"
    done
done
finish

# each instruction that the reader knows and spirv-as can write is in a module that the fuzzer changes, and these modules build
. "$(dirname "$0")/common"
texts=$(ls "$root"/test/harness/fuzz/spirv/*.spvasm "$root"/test/kernel/spirv/*.spvasm "$root"/test/check/*.spvasm)
# what the package's spirv-as is too old for, or doesn't write
lacks=' Nop SourceContinued ExtInstWithForwardRefsKHR FmaKHR PoisonKHR FreezeKHR LoopControlINTEL ConvertFToBF16INTEL
ConvertBF16ToFINTEL ConstantCompositeContinuedINTEL SpecConstantCompositeContinuedINTEL
CompositeConstructContinuedINTEL ArithmeticFenceEXT '
cat $texts "$root/test/fuzz/spirv.c" | sed "s/\\\\n/ /g" | grep -o '\bOp[A-Z][A-Za-z0-9]*' | sort -u >written
for name in $(sed -n 's/^ *X([0-9]*, \([A-Za-z0-9]*\), "[^"]*", \([a-z_]*\).*/\1 \2/p' "$root/src/kc/spirv/opcodes.h" |
    grep -v ' unsupported$' | cut -d' ' -f1); do
    case $lacks in *[[:space:]]$name[[:space:]]*) continue ;; esac
    grep -qx "Op$name" written || { echo "Op$name is in no module"; failures=1; }
done
for text in "$root"/test/harness/fuzz/spirv/*.spvasm; do
    expect 0 '^$' spirv-as --target-env spv1.6 "$text" -o module.spv
    expect 0 '^$' weirc module.spv -o /dev/null
done
finish

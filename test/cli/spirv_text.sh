# weir compile --emit spv-text: the text makes the same module again
. "$(dirname "$0")/common"
expect 0 '^$' weir compile saxpy.cl --emit spv
for text in "$root"/test/kernel/spirv/*.spvasm "$root"/test/check/*.spvasm; do
    spirv-as --target-env spv1.6 "$text" -o "$(basename "$text" .spvasm).spv" || failures=1
done
for module in *.spv; do
    expect 0 '^$' weir compile "$module" --emit spv-text -o text
    expect 0 '^$' spirv-as --preserve-numeric-ids text -o again
    cmp <(tail -c +21 "$module") <(tail -c +21 again) || failures=1
done
[ "$(ls ./*.spv | wc -l)" -ge 5 ] || failures=1
expect 0 'OpEntryPoint !6 %[0-9]+ "saxpy".*%[0-9]+ = OpTypeInt 64 0 +; [0-9]+.*OpFunctionEnd' weir compile saxpy.spv --emit spv-text
head -c 196 saxpy.spv >torn.spv
expect 0 'is not an instruction: its length is' weir compile torn.spv --emit spv-text
printf '\xff\xff\x03\x00\x07\x00\x00\x00\x08\x00\x00\x00' >odd
{ head -c 20 saxpy.spv; cat odd; } >unknown.spv
expect 0 '!262143 !7 !8 +; 20' weir compile unknown.spv --emit spv-text
expect 1 '^weir: compile: --emit spv-text wants a SPIR-V module, not saxpy.cl$' weir compile saxpy.cl --emit spv-text
finish

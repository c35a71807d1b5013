# the table of SPIR-V's instructions is the grammar's
grammar=/usr/include/spirv/unified1/spirv.core.grammar.json
[ -f $grammar ] || { echo 'spirv-headers is not installed'; exit 77; }
python3 test/cli/spirv_table.py src/kc/spirv/opcodes.h $grammar

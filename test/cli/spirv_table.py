# The reader's table of instructions (opcodes.h) against the grammar of the package spirv-headers: numbers, names, and operands
# up to the first that may be missing; of those that are refused, numbers and names. Usage: spirv_table.py OPCODES.H GRAMMAR.JSON
import json
import re
import sys

grammar = json.load(open(sys.argv[2]))
kinds = {k["kind"]: k for k in grammar["operand_kinds"]}
instructions = {}
for i in grammar["instructions"]:
    instructions.setdefault(i["opname"], i)
    for alias in i.get("aliases", []):
        instructions.setdefault(alias, i)


def letters(operand):
    kind = kinds[operand["kind"]]
    quantifier = operand.get("quantifier", "")
    if kind["category"] == "Composite":
        return "*"
    letter = {"IdResultType": "t", "IdResult": "r", "LiteralString": "s"}.get(operand["kind"])
    letter = letter or ("i" if kind["category"] == "Id" else "n")
    more = any("parameters" in e for e in kind.get("enumerants", []))
    # a number of several words, or one that brings others
    more |= operand["kind"] in ("LiteralContextDependentNumber", "LiteralSpecConstantOpInteger", "LiteralExtInstInteger")
    return quantifier + letter + ("*" if more else "")


# TypeFloat has an encoding in later versions; clang 22 writes more than ConstantNull's type and result.
beyond = {"TypeFloat", "ConstantNull"}
failures = known = 0
for code, name, operands, handler in re.findall(r'X\((\d+), (\w+), "([^"]*)", (\w+)', open(sys.argv[1]).read()):
    there = instructions.get("Op" + name)
    if not there:
        continue
    known += 1
    expected = "".join(letters(o) for o in there.get("operands", []))
    fixed, rest = re.match(r"(\w*)(.*)", expected).groups()
    ours, more = re.match(r"(\w*)(.*)", operands).groups()
    if there["opcode"] != int(code):
        print(f"Op{name} is {there['opcode']}, not {code}")
        failures += 1
    elif handler == "unsupported":
        continue
    elif ours != fixed or (bool(rest) != bool(more) and name not in beyond):
        print(f"Op{name} has operands {expected}, not {operands}")
        failures += 1
print(f"{known} instructions, {failures} wrong")
sys.exit(failures > 0 or known < 300)

"""Each sentence about an API error, as the sources have them, has a row that says the way out, and each row is the first
that fits some sentence. usage: errors.py SOURCES (src/rt)"""
import glob
import re
import sys

folder = sys.argv[1]
CALL = re.compile(r"\b(api_fail|API_FAIL|fail_arg|FAIL|HANDLE_FAIL|handle_fail)\s*\(")
CODE = re.compile(r"\bCL_(?:INVALID|OUT_OF|MEM_COPY|MEM_OBJECT_ALL|IMAGE_FORMAT|MISALIGNED|EXEC_STATUS|DEVICE_PART|PROFILING|"
                  r"CONTEXT_TERM|KERNEL_ARG_INFO_NOT)\w*")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# codes that reach a call in a variable
ANY = ("CL_INVALID_VALUE", "CL_OUT_OF_HOST_MEMORY", "CL_OUT_OF_RESOURCES")


def calls(text):
    for found in CALL.finditer(text):
        at, depth, quoted = found.end(), 1, False
        while depth and at < len(text):
            if text[at] == '"' and text[at - 1] != "\\":
                quoted = not quoted
            if not quoted:
                depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
        yield found.group(1), re.sub(r"\s+", " ", text[found.start():at])


sentences = []  # (place, codes, sentence)
for path in sorted(glob.glob(folder + "/*/*.c")):
    for kind, call in calls(open(path).read()):
        if re.search(r"cl_context \w+, const char|cl_kernel k, cl_uint index, cl_int code", call) or path.endswith("/error.c"):
            continue
        codes = CODE.findall(call) or ANY
        call = call.replace('" "', "")
        strings = [s for s in STRING.findall(call) if not re.fullmatch(r"cl\w+", s)]
        if kind in ("HANDLE_FAIL", "handle_fail"):
            strings = [s for name in strings for s in (f"%p is no {name}", f"the {name} is NULL")]
        elif kind == "fail_arg":
            strings = [f"argument %u (%s %s) of %s: {s}" for s in strings]
        elif "?" in call:  # one of several sentences, or of words within one
            words = [s for s in strings if "%" in s]
            strings = words or strings
        else:
            strings = strings[:1]
        sentences += [(path, codes, s) for s in strings if len(s) > 3]

rows = []
table = open(folder + "/api/way_out.c").read()
table = table[table.index("} rows[]"):]
for code, words, out in re.findall(r'\{(CL_\w+),\s*"([^"]*)",\s*([^{}]*?)\}', table):
    rows.append((code, words))
assert len(rows) == table.count("{CL_"), "a row isn't understood"

used, failed = set(), 0
for path, codes, sentence in sentences:
    hits = []
    for code in codes:
        hits += [next((r for r in rows if r[0] == code and r[1] in sentence), None)]
    used.update(h for h in hits if h)
    if not any(hits):
        failed += 1
        print(f"no way out: {path}: {', '.join(codes)}: {sentence}")
# what error.c says of queries, and of codes that come with them
for code, sentence in (("CL_INVALID_VALUE", "the answer to"), ("CL_INVALID_VALUE", "no query of this call"),
                       ("CL_KERNEL_ARG_INFO_NOT_AVAILABLE", ""), ("CL_INVALID_PROGRAM_EXECUTABLE", "query"),
                       ("CL_OUT_OF_RESOURCES", "no memory"), ("CL_INVALID_MEM_OBJECT", "argument"),
                       ("CL_INVALID_BINARY", "binary"), ("CL_INVALID_ARG_INDEX", "no pointer"),
                       ("CL_INVALID_ARG_VALUE", "no pointer")):
    used.add(next((r for r in rows if r[0] == code and r[1] in sentence), None))
for row in rows:
    if row not in used:
        failed += 1
        print("a row that fits no sentence:", row)
print(len(sentences), "sentences,", len(rows), "rows")
sys.exit(failed > 0 or len(sentences) < 250)

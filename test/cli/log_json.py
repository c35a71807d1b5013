"""Runs a command and reads what it writes to standard error: each line must be an object with the fields of the
documentation; those that have FIELD=VALUE are counted. usage: log_json.py FIELD=REGEX COMMAND..."""
import json
import re
import subprocess
import sys

field, regex = sys.argv[1].split("=", 1)
run = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
lines = run.stderr.decode("utf-8", errors="strict").split("\n")
assert lines.pop() == "", "the last line has no end"
found = 0
for line in lines:
    entry = json.loads(line)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", entry["time"]), line
    assert entry["level"] in ("error", "warn", "info", "debug", "report"), line
    assert entry["process"] > 0 and entry["thread"] > 0 and entry["program"] and isinstance(entry["message"], str), line
    found += bool(re.search(regex, entry.get(field, ""), re.S))
print(len(lines), "lines,", found, "of them with it")

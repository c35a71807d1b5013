#!/usr/bin/env python3
"""Makes the wheel: make.py VERSION TREE OUTPUT.whl, from a tree as `make tarball` packs it.

A wheel is a zip file with a list of its files. This one is for any Python 3 on x86-64 Linux with glibc 2.28 or later: nothing
in it is linked with Python. Its entries have one date, so that the same tree gives the same wheel.
"""
import base64
import hashlib
import os
import sys
import zipfile

version, tree, output = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
name = "weir_opencl"
info = f"{name}-{version}.dist-info"
files = {}  # path in the wheel: bytes, whether it is a program


def add(path, source, program=False, text=None):
    if source:
        with open(source, "rb") as f:
            text = f.read()
    files[path] = (text if isinstance(text, bytes) else text.encode(), program)


for python in ("__init__.py", "__main__.py"):
    with open(os.path.join(here, "weir", python)) as f:
        add(f"weir/{python}", None, text=f.read().replace("@VERSION@", version))
add("weir/lib/weir", f"{tree}/bin/weir", program=True)
lib = f"{tree}/lib/weir"
for folder, _, names in sorted(os.walk(lib)):
    for one in sorted(names):
        path = os.path.join(folder, one)
        add("weir/lib/" + os.path.relpath(path, lib), path, program=os.access(path, os.X_OK))
licenses = f"{tree}/share/doc/weir/licenses"
for one in sorted(os.listdir(licenses)):
    add(f"weir/licenses/{one}", os.path.join(licenses, one))
# pyopencl's loader looks into this folder, and takes names of libraries that lie there
add("pyopencl/.libs/libweir.so", f"{lib}/libweir.so", program=True)
add("pyopencl/.libs/weir.icd", None, text="libweir.so\n")

add(f"{info}/METADATA", None, text=f"""Metadata-Version: 2.1
Name: weir-opencl
Version: {version}
Summary: OpenCL 3.0 for CPUs
Keywords: OpenCL,CPU,pyopencl
Classifier: Operating System :: POSIX :: Linux
Requires-Python: >=3.6
License-File: NOTICE
Description-Content-Type: text/markdown

Weir runs OpenCL programs on the cores of an x86-64 CPU. Beside pyopencl it is found without further ado:

    pip install pyopencl weir-opencl
    python -m weir

prints what it is and what the machine has. Other programs find it by `OCL_ICD_VENDORS=$(python -m weir library)`.
`weir --help` shows what else there is: it runs a kernel from the command line, says how each line of it runs, and finds
races and missing barriers.
""")
add(f"{info}/WHEEL", None, text="Wheel-Version: 1.0\nGenerator: weir\nRoot-Is-Purelib: false\n"
    "Tag: py3-none-manylinux_2_28_x86_64\n")
add(f"{info}/entry_points.txt", None, text="[console_scripts]\nweir = weir:command\n")
add(f"{info}/licenses/NOTICE", f"{tree}/share/doc/weir/NOTICE")

record = "".join(
    f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
    for path, (data, _) in files.items())
files[f"{info}/RECORD"] = ((record + f"{info}/RECORD,,\n").encode(), False)

with zipfile.ZipFile(output + ".new", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
    for path, (data, program) in files.items():
        entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100755 if program else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        wheel.writestr(entry, data)
os.replace(output + ".new", output)

"""Weir: OpenCL for CPUs, in this folder, without root.

pyopencl's own loader finds it by pyopencl/.libs/weir.icd. For other programs:

    OCL_ICD_VENDORS=$(python -m weir library) program
"""
import os
import sys

__version__ = "@VERSION@"
_lib = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")


def library():
    """The path of libweir.so, as OCL_ICD_VENDORS (or OCL_ICD_FILENAMES for Khronos' loader) takes it."""
    return os.path.join(_lib, "libweir.so")


def main(arguments=None):
    """The command weir; without arguments it tells about the platform and its device."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments == ["library"]:
        print(library())
        return 0
    program = os.path.join(_lib, "weir")
    sys.stdout.flush()
    os.execv(program, [program] + (arguments or ["info"]))


def command():
    """The script `weir`: as the program, without arguments it shows how it is used."""
    sys.exit(main(sys.argv[1:] or ["--help"]))

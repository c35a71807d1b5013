#!/usr/bin/env python3
"""build_time.py: what a program's first run costs more than its second, which finds everything in caches.

usage: bench/build_time.py [ICD ...] -- COMMAND...

For each ICD file (default: what OCL_ICD_VENDORS says) the command runs twice with cache folders that are empty at first: the
difference is what the platform compiled. Processor time, in seconds, of all processes that the command starts, also of those that
outlive it, as Weir's compiler does: a busy machine changes it less than wall-clock time. Linux only."""
import ctypes
import os
import subprocess
import sys
import tempfile
import time

SUBREAPER = 36  # prctl: orphans of what we start become our children, whose time wait4 tells
LINGER = 30  # seconds for what outlives the command


def cost(command, env):
    """User and system time of one run."""
    first = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
    user = system = 0.0
    status = deadline = None
    while deadline is None or time.monotonic() < deadline:
        try:
            pid, how, used = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if not pid:
            time.sleep(0.01)
            continue
        user += used.ru_utime
        system += used.ru_stime
        if pid == first.pid:
            first.returncode = status = os.waitstatus_to_exitcode(how)
            deadline = time.monotonic() + LINGER
    else:
        print("some processes of the command still run: their time is missing", file=sys.stderr)
    if status:
        print(f"the command ended with {status}", file=sys.stderr)
    return user, system


def main(arguments):
    if "--" not in arguments or arguments[-1] == "--":
        sys.exit(__doc__.split("\n\n")[1])
    at = arguments.index("--")
    command = arguments[at + 1 :]
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    print(f"{'user':>8} {'system':>8}  seconds of the first run less the second")
    for icd in arguments[:at] or [os.environ.get("OCL_ICD_VENDORS", "")]:
        with tempfile.TemporaryDirectory(prefix="weir-build-time", ignore_cleanup_errors=True) as folder:
            env = dict(os.environ, PYOPENCL_NO_CACHE="1")
            for name in "HOME", "XDG_CACHE_HOME", "WEIR_CACHE_DIR", "POCL_CACHE_DIR":
                env[name] = os.path.join(folder, name)
                os.mkdir(env[name])
            if icd:
                env["OCL_ICD_VENDORS"] = os.path.abspath(icd)
            cold, warm = cost(command, env), cost(command, env)
            print(f"{cold[0] - warm[0]:8.2f} {cold[1] - warm[1]:8.2f}  {icd}", flush=True)


main(sys.argv[1:])

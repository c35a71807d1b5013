"""Weir under abuse, for long: several programs at once share a cache, while their compilers are killed, their processors
change, their memory is short; fuzzers run beside. Nothing may be lost: every program ends by itself, with right answers or
an error that says why; memory stays flat; at the end no process is left and the cache still serves.

usage: soak.py BUILD     SOAK_SECONDS (3600), SOAK_SEED (the time), SOAK_JOBS (processors + 1)
"""
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

build = os.path.abspath(sys.argv[1])
seconds = float(os.environ.get("SOAK_SECONDS", 3600))
seed = int(os.environ.get("SOAK_SEED", time.time()))
processors = sorted(os.sched_getaffinity(0))
jobs = int(os.environ.get("SOAK_JOBS", len(processors) + 1))
end = time.monotonic() + seconds
work = tempfile.mkdtemp(prefix="weir-soak.")
mark = "WEIR_SOAK=" + work
environment = dict(os.environ, OCL_ICD_VENDORS=build + "/weir.icd", WEIR_CACHE_DIR=work + "/cache", WEIR_LOG="none",
                   WEIR_SOAK=work, WEIR_TEST_QUICK="1")
lock = threading.Lock()
running = set()
done, failures, killed, moved = {}, [], 0, 0
slowness = 1.0  # how much longer things take than alone on the machine


def measure_slowness():
    global slowness
    wall, own = time.monotonic(), time.thread_time()
    while time.thread_time() - own < 0.01:
        pass
    slowness = max(1.0, (time.monotonic() - wall) / 0.01)


def short_memory(megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    return limit


def tasks(rng):
    """What runs next: name, command, what is done in the new process, more environment: WEIR_SOAK_ABUSED has its compilers
    killed."""
    n = rng.randrange(1 << 30)
    least = min(30.0, seconds / 4)
    kind = rng.choices(["client", "short", "quota", "api", "commands", "sources", "cache", "barriers", "indices", "subgroups",
                        "spirv", "binaries"], [6, 2, 2, 2, 1, 1, 1, 2, 1, 1, 1, 1])[0]
    client = build + "/test/soak/client"
    if kind == "client":
        return kind, [client, str(rng.uniform(least / 2, least * 2)), str(n)], None, {"WEIR_SOAK_ABUSED": "1"}
    if kind == "short":
        return kind, [client, str(least / 2), str(n), "short"], short_memory(rng.choice([100, 200, 400, 800])), \
            {"WEIR_COMPILER_MEMORY": str(rng.choice([64, 100, 300])), **rng.choice([{}, {"WEIR_CACHE_DIR": ""}])}
    if kind == "quota":
        return kind, [client, str(least / 2), str(n)], None, {"WEIR_CU": str(rng.choice([1, 2, 3, 7, 16]))}
    if kind in ("barriers", "indices", "subgroups"):
        return kind, [build + "/test/fuzz/" + kind], None, {"FUZZ_SEED": str(n), "FUZZ_COUNT": "4"}
    names = {"commands": "command_buffers"}
    counts = {"api": 40, "commands": 20, "sources": 20, "cache": 10, "spirv": 40, "binaries": 40}
    return kind, [build + "/test/fuzz/" + names.get(kind, kind), str(counts[kind]), str(n)], None, {}


def run(rng):
    while time.monotonic() < end:
        name, command, before, more = tasks(rng)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env={**environment, **more}, preexec_fn=before)
        with lock:
            running.add(process)
        hung = False
        try:
            output, _ = process.communicate(timeout=600 * slowness)
        except subprocess.TimeoutExpired:
            hung = True
            process.kill()
            output, _ = process.communicate()
        with lock:
            running.remove(process)
            done[name] = done.get(name, 0) + 1
            if hung or process.returncode:
                failures.append((name, " ".join(f"{k}={v}" for k, v in more.items()) + " " + " ".join(command),
                                 "hung" if hung else process.returncode, output.decode(errors="replace")[-3000:]))
                print("FAILED", *failures[-1], sep="\n  ", flush=True)
            elif name in ("client", "short", "quota"):
                print(f"{name}: {output.decode(errors='replace').strip()}", flush=True)


def ours(word, also=mark):
    """This run's processes whose command line holds the word, with this in their environment too."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            held = open(f"/proc/{pid}/environ", "rb").read().split(b"\0")
            if mark.encode() in held and also.encode() in held and word.encode() in open(f"/proc/{pid}/cmdline", "rb").read():
                if open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] != "Z":
                    yield int(pid)
        except OSError:
            continue


def abuse(rng):
    """Kills a compiler now and then, stops one for a moment, and changes which processors a program may use."""
    global killed, moved
    while time.monotonic() < end:
        measure_slowness()  # on a busy machine no build would live long enough
        time.sleep(min(rng.uniform(0.2, 2) * slowness ** 0.5, max(0, end - time.monotonic())))
        compilers = list(ours("--server", "WEIR_SOAK_ABUSED=1"))
        if compilers:
            pid = rng.choice(compilers)
            try:
                if rng.random() < 0.3:
                    os.kill(pid, signal.SIGSTOP)
                    time.sleep(rng.uniform(0, 0.3))
                    os.kill(pid, signal.SIGCONT)
                else:
                    os.kill(pid, signal.SIGKILL)
                killed += 1
            except OSError:
                pass
        with lock:
            programs = [p.pid for p in running]
        if programs and len(processors) > 1:
            some = rng.sample(processors, rng.randrange(1, len(processors) + 1))
            pid = rng.choice(programs)
            try:
                for thread in os.listdir(f"/proc/{pid}/task"):
                    os.sched_setaffinity(int(thread), some)
                moved += 1
            except OSError:
                pass


print(f"soak: {seconds:.0f} s, seed {seed}, {jobs} jobs, in {work}", flush=True)
threads = [threading.Thread(target=run, args=(random.Random(seed * 1000 + i),)) for i in range(jobs)]
threads.append(threading.Thread(target=abuse, args=(random.Random(seed * 1000 + 999),)))
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

# what is left behind: compilers end with the programs that they worked for
for _ in range(100):
    left = list(ours(""))
    if not left:
        break
    time.sleep(0.1)
if left:
    failures.append(("end", "processes are left", len(left), " ".join(open(f"/proc/{p}/cmdline").read() for p in left)))
    for pid in left:
        os.kill(pid, signal.SIGKILL)
# the cache still serves, and holds nothing half-written
last = subprocess.run([build + "/test/soak/client", "1", "1"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
if last.returncode:
    failures.append(("end", "the cache doesn't serve", last.returncode, last.stdout.decode(errors="replace")))
entries = subprocess.run([build + "/weir", "cache", "list"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
if entries.returncode:
    failures.append(("end", "weir cache list", entries.returncode, entries.stdout.decode(errors="replace")[-2000:]))
shutil.rmtree(work, ignore_errors=True)
for failure in failures:
    print("FAILED", *failure, sep="\n  ")
print(f"seed {seed}: " + ", ".join(f"{n} {name}" for name, n in sorted(done.items())) +
      f"; compilers killed or stopped {killed} times, processors changed {moved} times")
print(f"{sum(done.values()) + 2 - len(failures)} passed, {len(failures)} failed")
sys.exit(len(failures) > 0)

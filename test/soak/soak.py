"""Weir under abuse, for long: several programs at once share a cache, while their compilers are killed, their processors
change, their memory is short; fuzzers run beside. Nothing may be lost: every program ends by itself, with right answers or
an error that says why; memory stays flat; at the end no process is left and the cache still serves.

No limit here is one of the clock, as a busy machine has none to keep: a program hangs if it and its compilers sleep for ever,
or if it takes more of a processor than it can need.

A build with sanitizers finds in addition what nobody would see otherwise: accesses, undefined behaviour and leaks, also in
compilers, whose failures programs take for those of the abuse.

usage: soak.py BUILD     SOAK_SECONDS (3600), SOAK_SEED (the time), SOAK_JOBS (processors: programs at a time,
                         beside the one that runs all the time), SOAK_SANITIZED (1: BUILD has sanitizers)
"""
import itertools
import os
import random
import re
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
jobs = int(os.environ.get("SOAK_JOBS", len(processors)))
sanitized = os.environ.get("SOAK_SANITIZED") == "1"
here = os.path.dirname(os.path.abspath(__file__))
end = time.monotonic() + seconds
work = tempfile.mkdtemp(prefix="weir-soak.")
mark = "WEIR_SOAK=" + work
environment = dict(os.environ, OCL_ICD_VENDORS=build + "/weir.icd", WEIR_CACHE_DIR=work + "/cache", WEIR_LOG="none",
                   WEIR_SOAK=work, WEIR_TEST_QUICK="1")
if sanitized:
    # compilers have a standard error, where their sanitizers report; freed memory that is kept shall not look like a leak
    ASAN = "quarantine_size_mb=4:thread_local_quarantine_size_kb=64"
    environment.update(WEIR_LOG="error", ASAN_OPTIONS=ASAN)
    # random programs' own commands race over the bytes that they are given; what moves those calls nothing else
    TSAN = "suppressions=" + work + "/supp:die_after_fork=0"
    environment["TSAN_OPTIONS"] = f"suppressions={here}/../tsan.supp:die_after_fork=0"
    with open(work + "/supp", "w") as file:
        file.write(open(here + "/../tsan.supp").read() +
                   "".join(f"race:^{function}$\n" for function in ("copy_row", "by_lines", "stream", "fill_bytes", "fill_rows")))
REPORT = re.compile(rb"SUMMARY: \w+Sanitizer|: runtime error: |Sanitizer: CHECK failed")
lock = threading.Lock()
running = set()
done, failures, killed, moved, limited = {}, [], 0, 0, 0
numbers = itertools.count()
ASLEEP, PROCESSOR = 180, 2000  # looks, one a second, and seconds
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
    # sanitizers' shadows take terabytes of addresses
    kind = rng.choices(["client", "short", "quota", "api", "commands", "sources", "cache", "barriers", "indices", "subgroups",
                        "spirv", "binaries", "kernels", "words"],
                       [6, 0 if sanitized else 2, 2, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1])[0]
    client = build + "/test/soak/client"
    if kind == "client":
        return kind, [client, str(rng.uniform(least / 2, least * 2)), str(n)], None, {"WEIR_SOAK_ABUSED": "1"}
    if kind == "short":
        return kind, [client, str(least / 2), str(n), "short"], short_memory(rng.choice([100, 200, 400, 800])), \
            {"WEIR_COMPILER_MEMORY": str(rng.choice([64, 100, 300])), **rng.choice([{}, {"WEIR_CACHE_DIR": ""}])}
    if kind == "quota":
        return kind, [client, str(least / 2), str(n)], None, {"WEIR_CU": str(rng.choice([1, 2, 3, 7, 16]))}
    careless = {"ASAN_OPTIONS": ASAN + ":detect_leaks=0"} if sanitized else {}  # these don't free all that they make
    if kind in ("barriers", "indices", "subgroups", "kernels"):
        return kind, [build + "/test/fuzz/" + kind], None, {"FUZZ_SEED": str(n), "FUZZ_COUNT": "4", **careless}
    names = {"commands": "command_buffers"}
    counts = {"api": 40, "commands": 20, "sources": 20, "cache": 10, "spirv": 40, "binaries": 40, "words": 40}
    races = {"TSAN_OPTIONS": TSAN} if sanitized and kind in ("api", "commands", "words") else {}
    return kind, [build + "/test/fuzz/" + names.get(kind, kind), str(counts[kind]), str(n)], None, \
        {**races, **(careless if kind == "words" else {})}


class Group:
    """A control group for the programs, whose share of the processors changes; none where it can't be made."""

    def __init__(self):
        self.folder = None
        for above, self.limit in (("/sys/fs/cgroup", "cpu.max"), ("/sys/fs/cgroup/cpu", "cpu.cfs_quota_us")):
            folder = f"{above}/weir-soak.{os.getpid()}"
            try:
                os.mkdir(folder)
                self.folder = folder
                self.set(None)
                return
            except OSError:
                self.remove()

    def set(self, processors):
        quota = processors and int(processors * 100000)
        if self.limit == "cpu.max":
            text = f"{quota or 'max'} 100000"
        else:
            text = str(quota or -1)
        with open(f"{self.folder}/{self.limit}", "w") as file:
            file.write(text)

    def enter(self):
        if self.folder:
            with open(self.folder + "/cgroup.procs", "w") as file:
                file.write("0")

    def remove(self):
        if self.folder:
            try:
                os.rmdir(self.folder)
            except OSError:
                pass
        self.folder = None


def family_use(job):
    """The processor time of a program and all that it has started, and whether any of their threads wants to run."""
    ticks, awake = 0, False
    for pid in ours("", f"WEIR_SOAK_JOB={job}"):
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                fields = open(f"/proc/{pid}/task/{thread}/stat").read().rsplit(")", 1)[1].split()
                awake |= fields[0] not in "SZ"
            fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
            ticks += sum(map(int, fields[11:15]))
        except OSError:
            continue
    return ticks, awake


def finish(process, job, processor):
    """What the program has written, and why it hangs, if it does. It may take so many seconds of a processor."""
    asleep, before = 0, 0
    while True:
        try:
            return process.communicate(timeout=1)[0], None
        except subprocess.TimeoutExpired:
            ticks, awake = family_use(job)
            asleep = 0 if awake or ticks != before else asleep + 1
            before = ticks
            used = ticks / os.sysconf("SC_CLK_TCK")
            if asleep < ASLEEP and used < processor:
                continue
            for pid in ours("", f"WEIR_SOAK_JOB={job}"):
                os.kill(pid, signal.SIGKILL)
            return process.communicate()[0], f"hung, after {used:.0f} s of a processor"


def perform(name, command, before, more, processor=PROCESSOR):
    job = next(numbers)

    def in_child():
        group.enter()
        if before:
            before()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               env={**environment, **more, "WEIR_SOAK_JOB": str(job)}, preexec_fn=in_child)
    with lock:
        running.add(process)
    output, hung = finish(process, job, processor)
    with lock:
        running.remove(process)
        done[name] = done.get(name, 0) + 1
        report = REPORT.search(output)
        if hung or process.returncode or report:
            shown = output[max(0, report.start() - 5000):report.end() + 500] if report else output[-3000:]
            failures.append((name, " ".join(f"{k}={v}" for k, v in more.items()) + " " + " ".join(command),
                             hung or process.returncode, shown.decode(errors="replace")))
            print("FAILED", *failures[-1], sep="\n  ", flush=True)
        elif name in ("long", "client", "short", "quota"):
            print(f"{name}: {output.decode(errors='replace').strip()[-300:]}", flush=True)


def run(rng):
    while time.monotonic() < end:
        perform(*tasks(rng))


def run_long():
    """One program for all the time, whose memory stays what it was."""
    perform("long", [build + "/test/soak/client", str(seconds), str(seed)], None, {"WEIR_SOAK_ABUSED": "1"},
            PROCESSOR + seconds * 2 * len(processors))


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
    """Kills a compiler now and then, stops one for a moment, and changes which processors a program may use, and how much of
    them all may."""
    global killed, moved, limited
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
        if group.folder and rng.random() < 0.2:
            group.set(rng.choice([None, 0.5, 1, 1.5, len(processors)]))
            limited += 1
    if group.folder:
        group.set(None)


group = Group()
print(f"soak: {seconds:.0f} s, seed {seed}, {jobs} jobs, in {work}" +
      ("" if group.folder else "; no control group can be made, so no limit of processors changes"), flush=True)
threads = [threading.Thread(target=run, args=(random.Random(seed * 1000 + i),)) for i in range(jobs)]
threads.append(threading.Thread(target=run_long))
threads.append(threading.Thread(target=abuse, args=(random.Random(seed * 1000 + 999),)))
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

# what is left behind: compilers end with the programs that they worked for, once they run
asleep, left = 0, list(ours(""))
while left and asleep < 100:
    asleep = 0 if any(family_use(job)[1] for job in range(next(numbers))) else asleep + 1
    time.sleep(0.1)
    left = list(ours(""))
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
group.remove()
shutil.rmtree(work, ignore_errors=True)
for failure in failures:
    print("FAILED", *failure, sep="\n  ")
print(f"seed {seed}: " + ", ".join(f"{n} {name}" for name, n in sorted(done.items())) +
      f"; compilers killed or stopped {killed} times, processors changed {moved} times, their limit "
      f"{limited} times")
print(f"{sum(done.values()) + 2 - len(failures)} passed, {len(failures)} failed")
sys.exit(len(failures) > 0)

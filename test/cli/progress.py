"""Runs a command whose standard error is a terminal, and shows what it drew there ("bar" for a bar, "clean" if its line is
empty at the end) and then its standard output. usage: progress.py COMMAND..."""
import os
import pty
import subprocess
import sys
import threading

master, slave = pty.openpty()
drawn = b""


def read():
    global drawn
    try:
        while piece := os.read(master, 65536):
            drawn += piece
    except OSError:  # the other end is closed
        pass


reader = threading.Thread(target=read)
reader.start()
run = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave)
os.close(slave)
reader.join()
if b" of " in drawn and b"[#" in drawn or b"[ " in drawn:
    print("bar", "clean" if drawn.endswith(b"\r\x1b[K") else "left behind")
elif drawn:
    print("other", drawn)
else:
    print("nothing")
sys.stdout.buffer.write(run.stdout)
sys.exit(run.returncode)

"""Runs lmpm-run on a terminal of its own (a pty): waits for the progress bar, presses Ctrl-C, goes on
from the checkpoint, and compares with a run that nobody interrupted.

terminal.py FOLDER BACKEND PROGRAM ARGUMENT… prints what was seen, a line each.
"""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

folder, backend, arguments = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
run = ["lmpm-run", *arguments, f"--backend={backend}"]
endless = [*run, "--epochs", "100000000", "--checkpoint", str(folder / "ck")]
erase = b"\r\x1b[K"


def read_until(terminal, pattern, seconds=60):
    """What the terminal shows up to a pattern, or up to the end of the program."""
    shown = b""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not (pattern and re.search(pattern, shown)):
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        if not chunk:
            break
        shown += chunk
    return shown


def on_terminal(command, press):
    """Runs a command on a pty; presses Ctrl-C once a bar is seen, if asked to."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    shown = read_until(terminal, rb"\[#*\.+\] \d+/\d+") if press else b""
    if press:
        os.write(terminal, b"\x03")
    shown += read_until(terminal, None)
    _, status = os.waitpid(child, 0)
    return shown, os.waitstatus_to_exitcode(status)


shown, status = on_terminal(endless, press=True)
bars, last = shown.rsplit(erase, 1)
print("bar:", bool(re.search(rb"\r\x1b\[K\[#*\.+\] \d+/100000000, \S+ \S+ left", bars)))
print("erased before:", last.replace(b"^C", b"").decode().strip())
print("exit status", status)

epochs = int(re.search(rb"interrupted after (\d+) of", last)[1]) + 3
shared = ["--epochs", str(epochs), "--quiet"]
subprocess.run([*run, *shared, "--resume", folder / "ck", "--output", f"Walk={folder}/r-walk.npy",
                "--output", f"Heat={folder}/r-heat.npy"], check=True)
subprocess.run([*run, *shared, "--output", f"Walk={folder}/w-walk.npy", "--output",
                f"Heat={folder}/w-heat.npy"], check=True)
for name in ("walk", "heat"):
    resumed, whole = ((folder / f"{kind}-{name}.npy").read_bytes() for kind in "rw")
    print(name, "is the same:", resumed == whole)

shown, status = on_terminal([*run, "--epochs", "2"], press=False)
print("a short run draws a bar:", erase in shown, status)

piped = subprocess.Popen(endless, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
time.sleep(2.5)  # longer than a bar would wait
os.kill(piped.pid, signal.SIGINT)
_, errors = piped.communicate(timeout=60)
print("a pipe gets:", errors.decode().strip())

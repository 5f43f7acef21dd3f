"""Presses Ctrl-C on a long run as soon as its first checkpoint is there; prints how it ended."""

import os
import pathlib
import signal
import subprocess
import sys
import time

checkpoint, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
checkpoint.unlink(missing_ok=True)
run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
deadline = time.monotonic() + 60
while not checkpoint.exists() and run.poll() is None and time.monotonic() < deadline:
    time.sleep(0.01)
os.kill(run.pid, signal.SIGINT)
_, errors = run.communicate(timeout=60)
print(errors.strip())
print("exit status", run.returncode)

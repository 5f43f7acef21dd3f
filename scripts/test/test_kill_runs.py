"""A run that writes checkpoints loses nothing when it is killed: the short form of kill_runs.py.

`make test-long` kills a thousand times.
"""

import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get("LCI_BUILD_DIR", "build")


def test_killed_runs_lose_nothing():
    result = subprocess.run([sys.executable, SOURCE / "scripts/kill_runs.py", "--build",
                             (SOURCE / BUILD).resolve(), "--kills", "12", "--epochs", "400"],
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "the same bits, nothing lost" in result.stdout


def test_a_full_disk_is_a_sentence():
    tool = (SOURCE / BUILD).resolve() / "bin/lmpm-run"
    result = subprocess.run([tool, "examples/life/life.lmpm", "--set", "W=8", "--set", "H=8",
                             "--epochs", "3", "--checkpoint", "/dev/full"],
                            cwd=SOURCE, capture_output=True, text=True)
    assert result.returncode == 1
    assert "cannot write '/dev/full': No space left on device" in result.stderr

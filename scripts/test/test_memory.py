"""Memory of a run, a cell: a value of two tokens is kept in bits, and only in bytes while somebody looks at it.

Sizes are compared with those of the same run of few cells, so that the tool itself does not count.
"""

import os
import pathlib
import subprocess
import sys
import time

import numpy as np
import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOOL = (SOURCE / os.environ.get("LCI_BUILD_DIR", "build")).resolve() / "bin/lmpm-run"
SIDE, SMALL = 4096, 64


def command(side, *flags):
    return [TOOL, SOURCE / "examples/life/life.lmpm", "--set", f"W={side}", "--set", f"H={side}", *flags]


# A process of its own, since a child begins with the size of who starts it.
MEASURE = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)"""


def peak(side, folder, *flags):
    measured = subprocess.run([sys.executable, "-c", MEASURE, *command(side, "--epochs", "6", *flags)], cwd=folder,
                              check=True, capture_output=True, text=True)
    return int(measured.stdout)


def resident(run):
    status = pathlib.Path(f"/proc/{run.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) * 1024


@pytest.mark.parametrize("flags, bound", [
    ([], 1.8),
    (["--observe", "o.csv", "--observe-every", "2"], 1.8),
    (["--output", "Cell=c.npy"], 2.8),
    (["--checkpoint", "c.ck", "--checkpoint-every", "2"], 2.8),
], ids=["plain", "observe", "output", "checkpoint"])
def test_bytes_of_a_cell_at_the_peak(flags, bound, tmp_path):
    taken = peak(SIDE, tmp_path, *flags) - peak(SMALL, tmp_path, *flags)
    assert 0.2 < taken / SIDE**2 < bound


def test_bytes_of_a_cell_while_it_runs(tmp_path):
    """The array of bytes is dropped as soon as epochs run."""
    small = peak(SMALL, tmp_path)
    with subprocess.Popen(command(SIDE, "--epochs", "100000000"), cwd=tmp_path, stderr=subprocess.DEVNULL) as run:
        try:
            taken, end = SIDE**2, time.monotonic() + 60
            while taken > 1.5 * SIDE**2 and time.monotonic() < end:
                time.sleep(0.2)
                taken = resident(run) - small
            time.sleep(1)
            taken = resident(run) - small
        finally:
            run.kill()
    assert taken < 1.5 * SIDE**2


def test_what_is_dropped_does_not_show(tmp_path):
    """Looking at large arrays changes nothing, whether they are kept in another layout or not."""
    looks = ["--epochs", "7", "--observe", "o.csv", "--observe-every", "3", "--checkpoint", "c.ck",
             "--checkpoint-every", "2", "--output"]
    subprocess.run(command(SIDE, *looks, "Cell=kept.npy"), cwd=tmp_path, check=True, capture_output=True)
    table = (tmp_path / "o.csv").read_text()
    subprocess.run(command(SIDE, *looks, "Cell=bytes.npy", "--lowering", "persist-layouts=false bitslice=false"),
                   cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "o.csv").read_text() == table
    assert np.array_equal(np.load(tmp_path / "kept.npy"), np.load(tmp_path / "bytes.npy"))
    resumed = [*command(SIDE, "--epochs", "7", "--resume", "c.ck", "--output", "Cell=resumed.npy")]
    subprocess.run(resumed, cwd=tmp_path, check=True, capture_output=True)
    assert np.array_equal(np.load(tmp_path / "kept.npy"), np.load(tmp_path / "resumed.npy"))


def test_code_that_needs_more_than_the_estimate_is_refused(tmp_path):
    """Numbers have no planes: the layout is known once the program is compiled, before any array is made."""
    (tmp_path / "heat.lmpm").write_text("""value Heat : F32 shape Grid2D(N, N) boundary wrap init uniform()
visible Heat[x,y] <- Heat[x,y]
visible Heat[x,y] <- Heat[x+1,y]
rule Flow:
  on Heat[x,y]
  emit proposal Heat[x,y] := (Heat[x,y] + Heat[x+1,y]) / 2
commit Heat[*] using accept
""")
    ran = subprocess.run([TOOL, "heat.lmpm", "--set", "N=12000", "--limit-memory", "2100M"], cwd=tmp_path,
                         capture_output=True, text=True)
    assert ran.returncode == 1
    assert "error: the state of the program is too large for memory: it needs 2." in ran.stderr
    assert "[no-memory]" in ran.stderr

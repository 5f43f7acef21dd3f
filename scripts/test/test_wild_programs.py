"""A seeded sample of the programs of scripts/wild_programs.py, of which `make test-long` runs thousands: all are
refused with a sentence or have the same bits in every way, most are accepted, and every kind of construct is in
one that is."""

import pathlib
import re
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "scripts"))
from wild.dice import KINDS  # noqa: E402
from wild.programs import make  # noqa: E402
from wild.ways import WAYS  # noqa: E402

PROGRAMS = 27
SEED = "188"  # of which each kind is in a program that is accepted, and nearly every one in two


def test_a_sample_ends_in_the_same_bits(build_dir, tmp_path):
    """Each goes one way; all ways are gone by some."""
    done = subprocess.run([sys.executable, SOURCE / "scripts/wild_programs.py", "--build", build_dir, "--ways", "1",
                           "--seed", SEED, "--programs", str(PROGRAMS), "--all-kinds", "--keep", tmp_path / "kept"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    accepted = int(re.search(r"(\d+) accepted", done.stdout)[1])
    assert accepted > PROGRAMS // 2
    ways = re.findall(r"(\w+) (\d+)", done.stdout.split("ways: ")[1])
    assert {name for name, _ in ways} == set(WAYS) and all(int(number) for _, number in ways)


def test_programs_are_those_of_their_numbers():
    """A program is made from its seed and its number alone."""
    first, second = make("7", 3, ["gather"]), make("7", 3, ["gather"])
    assert first[0] == second[0] and first[1] == second[1]
    assert first[0] != make("7", 4, ["gather"])[0]
    assert first[1] <= KINDS


@pytest.mark.usefixtures("unsanitized")  # memory is limited
def test_what_fails_is_kept(tmp_path):
    """With tools that do nothing each program fails, and is left with its commands."""
    (tmp_path / "bin").mkdir()
    for tool in ("lmpm-run", "lmpm-translate"):
        (tmp_path / "bin" / tool).write_text("#!/bin/sh\nexit 3\n")
        (tmp_path / "bin" / tool).chmod(0o755)
    done = subprocess.run([sys.executable, SOURCE / "scripts/wild_programs.py", "--build", tmp_path, "--programs",
                           "2", "--seed", "s", "--keep", tmp_path / "kept"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "interp: exit status 3" in done.stdout
    kept = tmp_path / "kept" / "s-1"
    assert {"p.lmpm", "bindings.json", "run.sh", "said.txt"} <= {path.name for path in kept.iterdir()}
    assert "lmpm-run p.lmpm" in (kept / "run.sh").read_text()

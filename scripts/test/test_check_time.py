"""The benchmark of the checks measures every check of every example."""

import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "benchmarks"))
import check_time  # noqa: E402


def test_every_example_has_a_row(build_dir):
    command = [sys.executable, SOURCE / "benchmarks/check_time.py", "--build", build_dir,
               "--repeats", "1", "--rules", "1"]
    table = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = {str(text.relative_to(SOURCE / "examples")) for text
             in (SOURCE / "examples").glob("*/*.lmpm")}
    rows = dict(re.findall(r"^\| (\S+\.lmpm) \|(.*)\|$", table, re.MULTILINE))
    assert rows.keys() == names
    checks = len(check_time.CHECKS)
    assert all(len(row.split("|")) == checks + 1 for row in rows.values())

"""Bundles that are damaged and sealed again are refused, or run: the short form of damage_bundles.py, of which
`make test-long` runs all."""

import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def test_a_damaged_bundle_is_refused_or_runs(build_dir):
    result = subprocess.run([sys.executable, SOURCE / "scripts/damage_bundles.py", "--build", build_dir,
                             "--changes", "300"], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.startswith("300 of ")

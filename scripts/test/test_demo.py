"""`make demo`, the first of the README's two commands, comes to its end and shows every level."""

import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def test_the_demo_goes_down_the_ladder(tools):
    shown = subprocess.run([SOURCE / "scripts/demo.sh", tools.build], cwd=SOURCE, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    for level in ("1", "2", "3", "3b", "4", "5"):
        assert f"\nLevel {level}, " in shown.stdout

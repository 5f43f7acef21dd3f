"""The checks of every example take less than 50 ms."""

import json
import pathlib
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "benchmarks"))
import check_time  # noqa: E402

TEXTS = sorted((SOURCE / "examples").glob("*/*.lmpm"))


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
def test_checks_are_quick(text, build_dir):
    bindings = json.loads((text.parent / "bindings.json").read_text())
    module = check_time.bound(build_dir / "bin", text, bindings)
    # The best of some runs says what the checks cost; other work may slow one down.
    best = min(check_time.measure(build_dir / "bin", module, 1)[-1] for _ in range(3))
    assert best < 50, f"{best} ms"

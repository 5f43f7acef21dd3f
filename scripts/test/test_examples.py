"""Every program in examples runs by itself: the bindings of its folder give all that it leaves open."""

import pathlib

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
PROGRAMS = sorted(path.relative_to(EXAMPLES) for path in EXAMPLES.glob("*/*.lmpm"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_bindings_serve_the_program(tools, program):
    bindings = EXAMPLES / program.parent / "bindings.json"
    said = tools.run("lmpm-run", EXAMPLES / program, "--bindings", bindings, "--epochs", "1").stdout
    assert said.startswith(f"{program.stem}: 1 epoch"), said

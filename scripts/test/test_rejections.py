"""The first rejected proposal of a run: the compiled search of bundles against the interpreter."""

import ctypes
import pathlib
import re
import sys

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(SCRIPTS / "gpu"))
from groups import Library  # noqa: E402

PROGRAM = """
value A : Token[4] shape Grid2D(14, 12) boundary wrap init randint(4)
value B : I32 shape Seq(30) init 7
visible A[x,y] <- A[x,y]
visible near: A[x,y] <- A[x+dx,y+dy] when (dx,dy) in N4
visible B[i] <- B[i]
rule Up:
  on A[x,y] when x % 3 == 1 and epoch > 1
  emit proposal A[x,y] := self + (sum(near) - 4) / 3
rule Far:
  on A[x,y] when y == 5 and epoch > 2
  emit proposal A[x,y] := self + y - 4 + randint(2)
  score 0.5
rule Big:
  on B[i]
  emit proposal B[i] := if i % 7 == 6 then self * 100 + i else self
commit A[*] using accept
commit B[*] using accept
"""
SCHEDULES = ["", "schedule A[*] using red_black", "schedule A[*] using raster", "schedule A[*] using random(0.3)"]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_bundle_finds_the_cell_that_the_interpreter_finds(tools, build_dir, tmp_path, schedule):
    """By its tool, and in C by calls of some epochs each."""
    path, bundle = tmp_path / "p.lmpm", tmp_path / "p.bundle"
    path.write_text(PROGRAM + schedule)
    tools.run("lmpm-translate", "--lci-to-bundle", "--bundle-for=cpu", path, "-o", bundle)
    library = Library(build_dir / "lib" / "liblmpm-runtime.so")
    library.c.lci_warning.restype = ctypes.c_char_p
    program = library.load(bundle)
    for seed in range(2):
        run = ["--epochs", "9", "--seed", str(seed)]
        said = tools.run("lmpm-run", path, *run, "--backend=interp").stderr
        found = re.findall(r"rule '(\w+)' proposed -?\d+ at (\w+\[[\d,]+\]) in epoch (\d+)", said)
        assert len(found) == 2
        sentences = [f"the first by rule '{rule}' at {cell} in epoch {epoch} " for rule, cell, epoch in found]
        warned = tools.run("lmpm-run-bundle", bundle, *run).stderr
        assert all(sentence in warned for sentence in sentences), (warned, sentences)
        fresh = ctypes.c_void_p(library.c.lci_add_group(program))
        library.call("lci_set_seed", fresh, ctypes.c_uint64(seed))
        library.call("lci_start", fresh)
        for epochs in (1, 5, 0, 3):
            library.collect(library.dispatch(fresh, epochs))
        count = library.c.lci_warning_count(fresh)
        told = [library.c.lci_warning(fresh, ctypes.c_int64(number)).decode() for number in range(count)]
        assert all(any(sentence in text for text in told) for sentence in sentences), (told, sentences)
        library.c.lci_release(fresh)
    library.c.lci_release(program)

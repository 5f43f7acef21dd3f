"""The benchmark's own logic: rows, ratios, the table, checks and turns. Nothing is timed."""

import argparse
import json
import os
import pathlib
import subprocess
import sys

import numpy
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import bench  # noqa: E402
import programs  # noqa: E402
from harness import contestants, measure, plot, rows  # noqa: E402

MACHINE = {"processor": "a processor", "cores": 2, "avx512": True}


def contest(**changes):
    """A contest of nothing in particular."""
    settings = {"program": "P", "size": "4²", "unit": "cells/ns", "work": 16e-9, "epochs": 10,
                "source": "p.lmpm", "arguments": (), "value": "V", "dtype": "uint8",
                "observe": lambda cells: {"mean": float(cells.mean())}}
    return rows.Contest(**{**settings, **changes})


class Fake:
    """A contestant that computes nothing, at so many seconds an epoch."""

    def __init__(self, name, seconds, becomes=0):
        self.name = name
        self.seconds = seconds
        self.becomes = becomes
        self.runs = []

    def load(self, cells):
        self.cells = cells

    def run(self, first, last):
        self.runs.append((first, last))
        return self.seconds * (last - first)

    def after(self, _epochs):
        return numpy.full_like(self.cells, self.becomes)

    def save(self, like):
        return numpy.full_like(like, self.becomes)


def test_a_row_has_medians_extremes_and_ratios():
    row = rows.make_row(contest(), {"ours": [4.0, 2.0, 3.0], "hand": [6.0, 1.5, 2.0]})
    assert row["ours"] == {"median": 3.0, "min": 2.0, "max": 4.0}
    assert row["ratios"] == {"hand": 1.5} and row["limits"] == {}
    assert rows.problems_of(json.loads(json.dumps({**row, "machine": MACHINE}))) == []


@pytest.mark.parametrize("change, said", [
    ({"unit": 3}, "expected unit to be a str"),
    ({"ours": {"median": 1}}, "expected a median, a minimum and a maximum of ours"),
    ({"ours": {"median": 5, "min": 1, "max": 2}}, "expected the median of ours between its extremes"),
    ({"ratios": {}}, "expected a ratio for each peer"),
])
def test_a_bad_row_is_recognised(change, said):
    row = rows.make_row(contest(), {"ours": [1.0], "hand": [2.0]})
    assert said in rows.problems_of({**row, "machine": MACHINE, **change})


def test_the_table_has_a_line_for_each_row_with_the_best_first():
    row = rows.make_row(contest(), {"ours": [3.0], "slow": [0.5], "hand": [6.0]})
    lines = rows.markdown([row, row]).splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("| P | 4² | cells/ns | 3 (3 … 3) | – | hand 6 (×0.5), slow 0.5 (×6)")


def test_the_limit_that_binds_is_shown_with_our_share():
    limited = contest(limits={"fma": 8, "philox": 2})
    row = rows.make_row(limited, {"ours": [3.0], "hand": [6.0], "fma": [4.0], "philox": [9.0]})
    assert set(row["peers"]) == {"hand"}
    assert "| fma 4 (0.75 of it) |" in rows.markdown([row])


def test_operations_of_a_limit_are_units_of_work():
    limit = Fake("fma", 0.5)
    rates = measure.take_turns(contest(limits={"fma": 1 << 18}), [limit], numpy.zeros(4, "uint8"), 1)
    assert rates["fma"] == pytest.approx([4 * 16e-9 / 0.5])


def test_everybody_runs_in_turn_for_as_long_after_turns_that_do_not_count():
    one, other = Fake("ours", 0.01), Fake("hand", 0.05)
    rates = measure.take_turns(contest(), [one, other], numpy.zeros(4, "uint8"), repeats=2, seconds=2)
    assert one.runs == [(0, 10), (10, 20), (20, 220), (220, 420), (420, 620)]
    assert other.runs == [(0, 10), (10, 20), (20, 60), (60, 100), (100, 140)]
    assert rates["ours"] == pytest.approx([1.6e-6] * 2)
    assert rates["hand"] == pytest.approx([3.2e-7] * 2)


def test_who_decides_alike_must_have_the_same_cells():
    cells = numpy.zeros(4, "uint8")
    ours, same, wrong = Fake("ours", 1, 3), Fake("same", 1, 3), Fake("wrong", 1, 4)
    measure.check_others(contest(exact=("same", "wrong")), ours, [same], cells)
    with pytest.raises(contestants.Failure, match="wrong and ours differ in 4 of 4 cells"):
        measure.check_others(contest(exact=("same", "wrong")), ours, [wrong], cells)


def test_another_build_takes_turns_alone_and_must_have_the_same_cells(build_dir, tmp_path):
    text = tmp_path / "flip.lmpm"
    text.write_text("value C : Token[2] shape Seq(6) init 0\nvisible C[i] <- C[i]\n"
                    "rule R: on C[i] emit proposal C[i] := 1 - (self ?? 0)\n"
                    "commit C[*] using accept\n")
    made = contest(source=text, value="C", check_epochs=3, hand={"hand": ("no.cpp", ())})
    arguments = argparse.Namespace(build=build_dir, before=build_dir, core="0", peers="")
    stage = bench.Stage(arguments, None, tmp_path)
    ours, _ = stage.ours(made)
    [before] = stage.others(made)
    assert before.name == "before" and not list(stage.limits(made))
    cells = numpy.zeros(6, "uint8")
    measure.check_others(made, ours, [before], cells)
    before.save = lambda like: like + 1
    with pytest.raises(contestants.Failure, match="before and ours differ in 6 of 6 cells"):
        measure.check_others(made, ours, [before], cells)


def test_what_holds_no_tools_is_not_another_build(tmp_path):
    command = [sys.executable, bench.__file__, "--before", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"--before: expected a folder with bin/lmpm-run, but got '{tmp_path}'" in done.stderr


def test_who_draws_otherwise_must_observe_the_same():
    cells = numpy.zeros(4, "uint8")
    near = Fake("near", 1, 101)
    measure.check_others(contest(tolerance=0.02), Fake("ours", 1, 100), [near], cells)
    with pytest.raises(contestants.Failure, match="mean: expected 100, but got 101"):
        measure.check_others(contest(tolerance=0.001), Fake("ours", 1, 100), [near], cells)


def test_every_program_has_its_files_and_a_contest_at_each_size():
    folder = pathlib.Path(programs.__file__).resolve().parents[1]
    for name in programs.ALL:
        module = programs.load(name)
        if hasattr(module, "measure_all"):
            texts = module.examples()
            assert all((text.parent / "bindings.json").exists() for text in texts)
            assert len({text.stem for text in texts}) == len(texts) > 10
            continue
        for made in programs.contests(module, quick=False):
            assert (folder.parent / made.source).exists()
            assert all((folder / "hand" / file).exists() for file, _ in made.hand.values())
            assert all((folder / "peers" / script).exists() for script, _ in made.peers.values())
            assert set(made.exact) <= set(made.hand) | set(made.peers)
            assert made.roofline
        assert not any(made.peers for made in programs.contests(module, quick=True))


CHECKED = [name for name in programs.ALL if name not in ("compile", "variety")]


@pytest.mark.parametrize("name", CHECKED + ["variety"])
def test_what_is_measured_is_what_the_interpreter_computes(name, build_dir, tmp_path):
    """The first size of each program, and two of the various ones, or with LCI_ALL_WAYS=1 all."""
    contests = programs.contests(programs.load(name), quick=True)
    number = 1 if name in CHECKED else None if os.environ.get("LCI_ALL_WAYS") else 2
    arguments = argparse.Namespace(build=build_dir, before=None, core="0", peers="")
    for made in contests[:number]:
        _, checked = bench.Stage(arguments, None, tmp_path).ours(made)
        measure.check_ours(made, checked)


def test_sizes_choose_contests():
    module = programs.load("life")
    assert [made.size for made in programs.contests(module, quick=True)] == ["1024²", "4096²"]
    assert [made.size for made in programs.contests(module, quick=True, sizes=[4096])] == ["4096²"]


def test_the_picture_is_written(tmp_path):
    row = rows.make_row(contest(), {"ours": [3.0], "hand": [6.0]})
    plot.draw([row, row], tmp_path / "bench.png")
    assert (tmp_path / "bench.png").stat().st_size > 0


def test_a_process_that_ends_is_a_failure(tmp_path):
    process = contestants.Process("short", [sys.executable, "-c", "import sys; sys.exit('no')"],
                                  tmp_path)
    with pytest.raises(contestants.Failure, match="short ended: no"):
        process.say("run", 0, 1)
    process.close()


def test_a_process_loads_runs_and_saves(tmp_path):
    script = tmp_path / "keep.py"
    script.write_text(
        "import shutil, sys\n"
        "for line in sys.stdin:\n"
        "    word, *rest = line.split()\n"
        f"    kept = {str(tmp_path / 'kept')!r}\n"
        "    if word == 'load': shutil.copy(rest[0], kept)\n"
        "    if word == 'save': shutil.copy(kept, rest[0])\n"
        "    print(0.5 if word == 'run' else 'ok', flush=True)\n", encoding="utf-8")
    process = contestants.Process("keep", [sys.executable, script], tmp_path)
    cells = numpy.arange(6, dtype="uint8").reshape(2, 3)
    process.load(cells)
    assert process.run(0, 4) == 0.5
    assert numpy.array_equal(process.save(cells), cells)
    process.close()

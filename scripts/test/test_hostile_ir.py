"""IR that nobody wrote is refused or lowered to valid IR, never with a signal."""

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import hostile_ir  # noqa: E402

COUNT = 75 if os.environ.get("LCI_ALL_WAYS") else 40


def test_a_sample_is_refused_or_lowered(build_dir, tmp_path):
    assert hostile_ir.run(build_dir, seed=5, count=COUNT, keep=tmp_path / "findings") == []


def test_findings_are_found(build_dir, tmp_path):
    """A pass that writes nothing that can be read, and one that does not end, are found among others that are right."""
    tools = hostile_ir.Tools(build_dir)

    class Broken(hostile_ir.Tools):
        def __init__(self):
            self.passes = []

        def opt(self, flags, text, seconds):
            if "hang" in text:
                return "", "", None
            if not flags:
                return ("", "<stdin>: error: broken", 1) if "broken" in text else ("", "", 0)
            return (text, "", -11) if "crash" in text else (text, "", 1) if "silent" in text else (text, "", 0)

    judge = hostile_ir.Judge(Broken(), tmp_path)
    judge.ask(["--pass"], ["right", "crash", "right", "hang", "silent", "broken"])
    assert [finding.split(": ", 1)[1] for finding in judge.findings] == [
        "ended with -11: ", "no answer in 20 seconds", "failed without an error",
        "wrote what cannot be read: <stdin>: error: broken"]
    assert len(tools.passes) > 60


def test_mutants_differ():
    mutator = hostile_ir.Mutator(hostile_ir.random.Random(1))
    text = "  lci.schedule @A using red_black tile [2]\n  lci.read @A[affine_map<(d0) -> (d0 + 1)>](%i) : i64\n"
    mutants = {mutator.change(text) for _ in range(200)}
    assert len(mutants) > 40
    assert any("mod 0" in mutant for mutant in mutants) and any("tile [0]" in mutant for mutant in mutants)

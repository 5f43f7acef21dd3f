"""One mistake gives one message: mistakes are planted into the examples, one at a time.

Names are misspelt where they are used and where they are declared, signs are left out, indices and
arguments are too few or too many, literals get a fraction, entries of bindings are missing. The
reader must say exactly one error, or take the program, which may mean something else now.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import tempfile

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = sorted(SOURCE.glob("examples/*/*.lmpm"))
BOUND = [path for path in PROGRAMS if (path.parent / "bindings.json").exists()]
EACH = 24 if os.environ.get("LCI_ALL_WAYS") else 12
NAME = re.compile(r'(?<![\w"#.])[A-Za-z_]\w*')


def mistakes(text):
    """Yields what is done, and the text with it. Comments and strings stay, and so do the
    parameters of formulas: without one, its body and its uses are both wrong."""
    code = re.sub(r'//[^\n]*|"[^"\n]*"|\bdef \w+\[[^\]]*\]', lambda found: " " * len(found[0]), text)

    def replaced(found, new):
        return text[:found.start()] + new + text[found.end():]
    for found in NAME.finditer(code):
        yield f"misspelt {found[0]}", replaced(found, found[0] + "q")
    for found in re.finditer(r":=|<-|[()\[\]{},:=<>|+*-]", code):
        yield f"left out {found[0]}", replaced(found, " ")
    for found in re.finditer(r"\[([^\[\],]*),([^\[\]]*)\]", code):
        yield f"fewer than {found[0]}", replaced(found, f"[{found[2]}]")
    for found in re.finditer(r"(?<![\w.])\d+(?![\w.])", code):
        yield f"a fraction of {found[0]}", replaced(found, found[0] + ".5")
    for found in re.finditer(r"\((?=[^()]*\))", code):
        yield "an argument more", replaced(found, "(1, ")


def errors_of(tools, text):
    with tempfile.NamedTemporaryFile("w", suffix=".lmpm") as file:
        file.write(text)
        file.flush()
        said = tools.run("lmpm-translate", "--import-lmpm", file.name, "-o", "/dev/null",
                         check=False)
    errors = re.findall(r"^[^:\n]*:(\d+:\d+: error: .*)$", said.stderr, re.MULTILINE)
    assert bool(errors) == (said.returncode != 0), said.stderr
    return errors


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_mistakes_in_programs(path, tools):
    text = path.read_text()
    assert errors_of(tools, text) == []
    every = list(mistakes(text))
    some = random.Random(path.stem).sample(every, min(EACH, len(every)))
    found = {what: errors_of(tools, wrong) for what, wrong in some}
    assert {what: errors for what, errors in found.items() if len(errors) > 1} == {}
    assert sum(map(len, found.values())) >= EACH // 2  # most mistakes are seen


@pytest.mark.parametrize("path", BOUND, ids=lambda path: path.stem)
def test_missing_bindings(path, tools, tmp_path):
    bindings = json.loads((path.parent / "bindings.json").read_text())
    for file in path.parent.iterdir():
        if file.name != "bindings.json":
            (tmp_path / file.name).symlink_to(file)
    sections = [name for name, entries in bindings.items() if isinstance(entries, dict)]
    for section in sections:
        for key in bindings[section]:
            fewer = {name: dict(entries) if isinstance(entries, dict) else entries
                     for name, entries in bindings.items()}
            del fewer[section][key]
            (tmp_path / "bindings.json").write_text(json.dumps(fewer))
            said = subprocess.run([tools.path("lmpm-run"), path.name, "--bindings", "bindings.json",
                                   "--epochs", "0", "--backend=interp", "--quiet"], cwd=tmp_path,
                                  capture_output=True, text=True, check=False)
            assert said.stderr.count("error:") <= 1, f"{section}/{key}: {said.stderr}"
            assert said.returncode == said.stderr.count("error:")


def test_a_name_that_nothing_declares_is_told_once(tools):
    text = ("value Cell : Token[2] shape Seq(8) init 0\nvisible Cel[i] <- Cell[i]\n"
            "rule R: on Cel[i] emit proposal Cel[i] := 1\ncommit Cel[*] using accept\n"
            "observe o := sum(Cell[i])\n")
    assert errors_of(tools, text) == ["2:9: error: 'Cel' is not a value [undeclared-name]"]


def test_several_mistakes_are_told_in_one_run(tools):
    text = ("value A : Token[2] shape Seq(8) init 0\nvisible A[i] <- A[i]\n"
            "rule R: on A[i] emit proposal A[i] := slef\ncommit A[*] using acept\n"
            "observe o := 1/3 + 0.5\n")
    assert [error.split(":")[0] for error in errors_of(tools, text)] == ["3", "4", "5"]

"""Runs the table of docs/semantics.md cell by cell: what a cell holds after one tick, for every
policy, by the number of proposals and by whether keep is absent, on every back end.

The table is read from the page, so that a cell that is written there is run. Each row is a program
with one value for each column and case, all of whose cells are in the same situation.
"""

import itertools
import os
import pathlib
import re

import numpy as np
import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/semantics.md"
ROWS = [[cell.strip() for cell in line.strip("|\n ").split("|")]
        for line in PAGE.read_text().split("**S-TABLE**", 1)[1].split("\n\n", 1)[0].splitlines()]
COLUMNS = [column for column in ROWS[0] if column]
POLICIES = [row[0] for row in ROWS[2:]]

NOTHING, KEEP, CELLS = -1, 4, 200
# Tokens by how they score beside keep, which scores 3.
WORSE, EQUAL, BETTER = 1, 3, 2
SCORES = {WORSE: 1.0, BETTER: 5.0, EQUAL: 3.0, KEEP: 3.0}

# How a row's policy is written, and how often each token is proposed.
SPELLED = {
    "`satisfy(max…)`": ("satisfy(max_constraints_then_score)", [1, 1]),
    "`satisfy(count…)`": ("satisfy(count_constraints_then_score)", [1, 1]),
    "`satisfy(weighted…)`": ("satisfy(weighted_constraints_then_score)", [1, 1]),
    "`accept`": ("accept", [1, 1]),
    "`sample`": ("sample(temperature=2.0)", [1, 1]),
    "`metropolis`": ("metropolis(temperature=2.0)", [1, 1]),
    "`quorum(2)`, each proposed once": ("quorum(2)", [1, 1]),
    "`quorum(2)`, *p* or *p*₂ proposed twice": ("quorum(2)", [1, 2]),
}

# What the text of a cell allows: the outcomes, each of which some of the cells must have.
MEANINGS = {
    "nothing": lambda p: {NOTHING},
    "*k*": lambda p: {KEEP},
    "*p*": lambda p: {p[0]},
    "*p*, whatever the scores": lambda p: {p[0]},
    "*p* if its score is at least *k*'s, else *k*":
        lambda p: {p[0] if SCORES[p[0]] >= SCORES[KEEP] else KEEP},
    "*p* or *k*, as drawn":
        lambda p: {p[0]} if SCORES[p[0]] >= SCORES[KEEP] else {p[0], KEEP},
    "*p*₁": lambda p: {p[0]},
    "*p*₂": lambda p: {p[1]},
    "*p*₁ or *p*₂, as drawn": lambda p: {p[0], p[1]},
}


def cases(column):
    """What is proposed in a column: every score beside keep's, and two in either order of rules."""
    number = column.split(",")[0]
    return {"none": [[]], "one": [[WORSE], [EQUAL], [BETTER]],
            "several": [[BETTER, WORSE]]}[number]


def proposals(tokens, times, flipped):
    """What three rules propose; None is a token that there is not. The last of `tokens` counts as
    often as the last of `times`."""
    said = []
    for token, count in zip(tokens, times[-len(tokens):] if tokens else []):
        said += [token] * count
    said += [None] * (3 - len(said))
    return said[::-1] if flipped else said


def values(row, orders=(False, True)):
    """The values of a row's program: name, column, proposals of its rules, allowed outcomes; each with
    its proposals in several orders."""
    for number, (column, text) in enumerate(zip(COLUMNS, row[1:])):
        for case, tokens in enumerate(cases(column)):
            for flipped in orders:
                said = proposals(tokens, SPELLED[row[0]][1], flipped)
                yield (f"V{number}{case}{int(flipped)}", column.endswith("present"), said,
                       MEANINGS[text](tokens))


def program(row, orders):
    text = "param out : I32\n"
    score = " else ".join(f"if candidate == {t} then {s}" for t, s in SCORES.items()) + " else 0.0"
    for name, present, said, _ in values(row, orders):
        init = f" init {KEEP}" if present else ""
        text += f"value {name} : Token[8] shape Seq(N){init}\n"
        for number, token in enumerate(said):
            text += (f"rule R{name}{number}:\n  on {name}[i]\n"
                     f"  emit proposal {name}[i] := {'out' if token is None else token}\n"
                     f"  score {score}\n")
        text += f"commit {name}[*] using {SPELLED[row[0]][0]}\n"
    return text


def test_the_table_is_whole():
    assert POLICIES == list(SPELLED)
    expected = [f"{number}, {keep}" for number, keep in
                itertools.product(["none", "one", "several"], ["absent", "present"])]
    assert COLUMNS == expected
    assert all(len(row) == 7 and set(row[1:]) <= set(MEANINGS) for row in ROWS[2:])


@pytest.mark.parametrize("backend", ["interp", "cpu"])
@pytest.mark.parametrize("row", ROWS[2:], ids=POLICIES)
def test_cells_of_the_table(tools, tmp_path, row, backend):
    """S-TABLE, S-POLICY-SATISFY, S-POLICY-ACCEPT, S-POLICY-SAMPLE, S-POLICY-METROPOLIS,
    S-POLICY-QUORUM."""
    orders = (False, True) if backend == "interp" or os.environ.get("LCI_ALL_WAYS") else (True,)
    (tmp_path / "p.lmpm").write_text(program(row, orders))
    made = list(values(row, orders))
    outputs = [flag for name, *_ in made for flag in ("--output", f"{name}={name}.npy")]
    tools.run("lmpm-run", "p.lmpm", "--set", f"N={CELLS}", "--set", "out=9", "--epochs", "1",
              f"--backend={backend}", *outputs, cwd=tmp_path)
    for name, _, said, allowed in made:
        found = set(np.load(tmp_path / f"{name}.npy").tolist())
        assert found == allowed, f"{row[0]}, {name}, proposals {said}"

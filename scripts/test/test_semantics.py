"""Every clause of docs/semantics.md is found in what decides it and in a test.

A clause has a label `S-…` in bold. What decides it is the reference interpreter, an analysis, the
numbers or what joins replicas; its test may be of any kind.
"""

import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DECIDES = ["lib/Interpreter", "include/LCI/Interpreter", "lib/Analysis", "include/LCI/Analysis",
           "lib/Numerics", "include/LCI/Numerics", "lib/Runtime", "include/LCI/Runtime"]
TESTS = ["unittests", "test"]
LABEL = re.compile(r"(?<![\w-])S-[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*")


def labels_in(folders):
    found = set()
    for folder in folders:
        for path in (SOURCE / folder).rglob("*"):
            if path.is_file() and path.suffix not in {".npy", ".png", ".safetensors"}:
                found.update(LABEL.findall(path.read_text(errors="replace")))
    return found


def clauses():
    text = (SOURCE / "docs/semantics.md").read_text()
    return re.findall(r"\*\*(S-[A-Z0-9-]+)\*\*", text)


def test_labels_are_unique():
    labels = clauses()
    assert len(labels) > 50
    assert len(labels) == len(set(labels))


def test_every_clause_is_decided_somewhere():
    assert sorted(set(clauses()) - labels_in(DECIDES)) == []


def test_every_clause_has_a_test():
    assert sorted(set(clauses()) - labels_in(TESTS)) == []


def test_every_label_is_a_clause():
    assert sorted(labels_in(DECIDES + TESTS) - set(clauses())) == []

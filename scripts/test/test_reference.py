"""The generated reference is up to date, complete, and its examples parse.

An operation's entry has a summary, an example that contains the operation (or the name of the
operation whose example does) and a list of constraints, and says what each operand, attribute and
result is; a pass's entry has a description. Every ```mlir block is read by lmpm-opt and survives a
round trip; only a pass may show excerpts, which contain `…` or stand in no function.
"""

import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("reference_pages", SOURCE / "scripts/reference.py")
reference = importlib.util.module_from_spec(SPEC)  # not by name: examples have modules called so
SPEC.loader.exec_module(reference)

REFERENCE = SOURCE / "docs" / "reference"
MLIR_BLOCK = re.compile(r"^[ ]*```mlir\n(.*?)^[ ]*```$", re.MULTILINE | re.DOTALL)


def entries(page):
    """Yields (name, text) of each entry of a reference page: headings of level 3."""
    path = REFERENCE / page
    for entry in re.split(r"^### ", path.read_text(), flags=re.MULTILINE)[1:]:
        yield re.match(r"[`-]*([\w.\-]+)", entry).group(1), entry


def is_excerpt(block):
    return "…" in block or not re.match(r"func\.func|lci\.program|module|#", block)


OPERATIONS = [(name, text) for name, text in entries("dialect.md") if name.startswith("lci.")]
PASSES = list(entries("passes.md"))
EXAMPLES = [(f"{name}-{number}", block) for name, text in OPERATIONS + PASSES
            for number, block in enumerate(MLIR_BLOCK.findall(text))
            if name.startswith("lci.") or not is_excerpt(block)]


def names(pairs):
    return [name for name, _ in pairs]


def test_reference_is_up_to_date():
    result = subprocess.run([sys.executable, SOURCE / "scripts/reference.py", "--check"],
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("name, text", OPERATIONS, ids=names(OPERATIONS))
def test_operation_is_documented(name, text):
    assert re.search(r"^_.+_$", text, re.MULTILINE), f"{name} has no summary"
    elsewhere = re.search(r"^Example: see `(lci\.\w+)`", text, re.MULTILINE)
    examples = MLIR_BLOCK.findall(dict(OPERATIONS)[elsewhere.group(1)] if elsewhere else text)
    mentioned = any(re.search(rf"{re.escape(name)}\b", block) for block in examples)
    assert mentioned, f"{name} has no example that contains it"
    assert re.search(r"^Constraints:", text, re.MULTILINE), f"{name} lists no constraints"


def test_each_value_is_described():
    said = reference.descriptions()
    assert sorted(said) == sorted(names(OPERATIONS))
    missing = [f"{operation} {name}" for operation, values in said.items()
               for name, text in values.items() if not text]
    assert not missing, f"expected Arg or Res with a description: {', '.join(missing)}"


@pytest.mark.parametrize("name, text", PASSES, ids=names(PASSES))
def test_pass_is_documented(name, text):
    assert re.match(r"(lci|convert-lci|lmpm)-|convert-.*-to-", name), f"{name} has no prefix"
    levels, *description = text.split("\n\n")[2:]
    assert levels.startswith("Levels: "), f"{name} does not say which IR it takes"
    assert description and len(description[0]) > 60, f"{name} has no description"


@pytest.mark.parametrize("name, block", EXAMPLES, ids=names(EXAMPLES))
def test_example_round_trips(name, block, tools):
    result = subprocess.run([tools.path("lmpm-opt"), "--verify-roundtrip", "-"], input=block,
                            capture_output=True, text=True)
    assert result.returncode == 0, f"{name}:\n{block}\n{result.stderr}"

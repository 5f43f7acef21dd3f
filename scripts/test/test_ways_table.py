"""The table of passes and ways in docs/reliability.md has a row for each, each way is said somewhere, and
each size at which passes do something else is a threshold that random programs cross.
"""

import pathlib
import re
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = SOURCE / "scripts/ways_table.py"
sys.path.insert(0, str(SOURCE / "scripts"))
import ways_table  # noqa: E402

# Options of passes that are no sizes of programs: costs and limits of code, what a machine has, and
# what LCIDifferentialTests sets so low that small programs have more.
NO_SIZES = {
    "aliasBytes", "grain", "threads", "vectorBits", "cacheBytes", "minBytes", "minElements", "maxEpochs",
    "hardPriority", "maxBoxes", "maxOperations", "maxEntries", "minSaved", "minLookUps", "minCells",
    "maxOperations", "minMore", "loadCost", "epochs", "columns", "minInterior", "minTiles",
    "maxWork", "multiprocessors", "blockThreads", "vectorRegisters", "cells", "outputs",
    "eagerBlocks",
}
# Of lmpm-opt, and no passes.
FLAGS = {"lci-verify-by-running"}


def test_every_pass_is_known(tools):
    listed = re.findall(r"^ *--((?:convert-)?lci-[\w-]+) +- ", tools.run("lmpm-opt", "--help").stdout, re.M)
    assert {name for name in listed if "pipeline" not in name} - FLAGS == set(ways_table.passes())


@pytest.mark.parametrize("way", ways_table.ways(), ids=lambda way: way[1])
def test_every_way_is_said_by_a_pass(way):
    owner, name, _ = way
    assert owner in ways_table.passes()
    sources = [path.read_text() for path in (SOURCE / "lib").glob("**/*.cpp")]
    assert any(f"Way::{name}" in text for text in sources)


def test_the_page_has_a_row_for_each():
    page = ways_table.PAGE.read_text()
    table = page.split(ways_table.BEGIN)[1].split(ways_table.END)[0]
    said = re.findall(r"^\| (.*?) \| [\d,]+ \| .*\|$", table, re.M)
    assert said == [what for what, *_ in ways_table.rows(ways_table.collections.Counter())]


def test_what_no_program_reaches_fails(tmp_path):
    counted = [f"lci-changes\t{name}\t1\t0" for name in ways_table.passes() + ways_table.CODEGEN]
    counted += [f"{owner}\t{name}\t1\t0" for owner, name, _ in ways_table.ways()]
    every, but_one = tmp_path / "every.txt", tmp_path / "one.txt"
    every.write_text("\n".join(["programs\t1", *counted]))
    but_one.write_text("\n".join(line for line in ["programs\t1", *counted] if "Strips" not in line))

    def run(file):
        return subprocess.run([sys.executable, SCRIPT, "--check", file], capture_output=True, text=True)

    assert run(every).returncode == 0
    failed = run(but_one)
    assert failed.returncode == 1
    assert failed.stderr == "error: none of 1 programs reaches – strips of rows that draw\n"


def test_sizes_of_options_are_thresholds():
    options = set()
    for room in ("Transforms", "Conversion"):
        for file in (SOURCE / "include/LCI" / room).rglob("Passes.td"):
            options |= set(re.findall(r'Option<"(\w+)", "[\w-]+", "int64_t"', file.read_text()))
    compared = set(re.findall(r"Options\(\)\.(\w+)", (SOURCE / "lib/Pipelines/Thresholds.cpp").read_text()))
    assert options == compared | NO_SIZES

"""Executes notebooks in kernels of their own; what they show must be what is written in them."""

import os
import pathlib
import re
import sys

import nbformat
import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "scripts"))
from notebooks import FOLDER, execute, normalise, shown, varies  # noqa: E402

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
# As long as two others: executed with LCI_ALL_WAYS=1, by `make test-long`.
LONG = {"growing", "ising"}
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def each(function):
    return pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)(function)


@pytest.mark.parametrize("path", [path for path in NOTEBOOKS
                                  if path.stem not in LONG or os.environ.get("LCI_ALL_WAYS")],
                         ids=lambda path: path.stem)
def test_a_notebook_shows_what_is_written_in_it(path, build_dir):
    written = nbformat.read(path, as_version=4)
    for number, (cell, again) in enumerate(zip(written.cells, execute(path, build_dir).cells), 1):
        if not varies(cell):
            assert shown(again) == shown(cell), (f"cell {number} of {path.name} shows something else; "
                                                 f"`make notebooks` writes it\n{cell.source}")


@each
def test_a_notebook_is_small_and_normal(path):
    text = path.read_text()
    assert len(text) < 300 << 10
    assert text == nbformat.writes(normalise(nbformat.reads(text, as_version=4))) + "\n"
    assert '"output_type": "error"' not in text and '"image/' in text


@each
def test_links_of_a_notebook_lead_somewhere(path):
    for cell in nbformat.read(path, as_version=4).cells:
        for target in LINK.findall(cell.source) if cell.cell_type == "markdown" else []:
            assert "://" in target or (path.parent / target).exists(), target


def test_the_index_names_every_notebook():
    assert NOTEBOOKS == sorted(FOLDER / name for name in
                               LINK.findall((FOLDER / "README.md").read_text()) if name.endswith(".ipynb"))

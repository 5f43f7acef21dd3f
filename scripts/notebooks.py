#!/usr/bin/env python3
"""Executes the notebooks of docs/notebooks and writes what they show into them.

    .venv/bin/python3 scripts/notebooks.py [--build BUILD] [NOTEBOOK…]     (`make notebooks`)

Each runs from top to bottom in a kernel of its own, in its folder, with the package of the build.
What is written is only what a reader needs, in one form, so that a second run changes nothing but
what a cell with the tag `varies` shows: no times, no counts of earlier runs, nothing from stderr.
"""

import argparse
import os
import pathlib
import re
import tempfile
import time

import nbclient
import nbformat

SOURCE = pathlib.Path(__file__).resolve().parent.parent
FOLDER = SOURCE / "docs/notebooks"
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
          "language_info": {"name": "python"}}
CELL_SECONDS = 240  # of one cell, on a machine that is busy with other tests


def execute(path, build):
    """Runs a notebook; returns it with its outputs. Raises `nbclient`'s error of a cell."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as profile:
        environment = {**os.environ, "PYTHONPATH": f"{build}/python", "IPYTHONDIR": profile,
                       "PATH": f"{build}/bin{os.pathsep}{os.environ['PATH']}"}
        client = nbclient.NotebookClient(notebook, timeout=CELL_SECONDS, kernel_name="python3",
                                         resources={"metadata": {"path": str(path.parent)}})
        client.execute(env=environment)
    return normalise(notebook)


def normalise(notebook):
    """The notebook without what differs from run to run."""
    notebook.metadata = nbformat.from_dict(KERNEL)
    notebook.nbformat_minor = 4  # without an identifier for each cell
    codes = 0
    for cell in notebook.cells:
        cell.pop("id", None)
        cell.metadata = {"tags": cell.metadata["tags"]} if "tags" in cell.metadata else {}
        if cell.cell_type == "code":
            codes += 1
            cell.execution_count = codes
            cell.outputs = [_normalise_output(output, codes) for output in _join(cell.outputs)]
    return notebook


def _join(outputs):
    """The outputs without stderr; what was printed comes in parts, which depend on the time."""
    joined = []
    for output in outputs:
        if joined and output.output_type == joined[-1].output_type == "stream":
            joined[-1].text += output.text if output.name == "stdout" else ""
        elif output.get("name") != "stderr":
            joined.append(output)
    return joined


def _normalise_output(output, number):
    if "execution_count" in output:
        output.execution_count = number
    if "metadata" in output:
        output.metadata = {}
    if "text/plain" in output.get("data", {}):
        output.data["text/plain"] = re.sub(r" at 0x[0-9a-f]+>", ">", output.data["text/plain"])
    return output


def shown(cell):
    """What a cell shows: the text of each output, and the kinds that it comes in."""
    return [(output.get("text", output.get("data", {}).get("text/plain")),
             sorted(output.get("data", {}))) for output in cell.get("outputs", [])]


def varies(cell):
    """Whether the cell says by its tag that what it shows differs, such as a time."""
    return "varies" in cell.metadata.get("tags", [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=pathlib.Path, metavar="NOTEBOOK",
                        help="only these, by their paths")
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build")
    options = parser.parse_args()
    for path in options.notebooks or sorted(FOLDER.glob("*.ipynb")):
        start = time.monotonic()
        notebook = execute(path.resolve(), options.build.resolve())
        nbformat.write(notebook, path)
        print(f"{path.name}: {time.monotonic() - start:.0f} s, {path.stat().st_size // 1024} KiB",
              flush=True)


if __name__ == "__main__":
    main()

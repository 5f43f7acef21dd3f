#!/usr/bin/python3
"""Writes python/lmpm/_lmpm.pyi, the types of the extension module, from the module that is built.

Without arguments it rewrites the file; `--check` says whether it is out of date and exits 1.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent
STUBS = SOURCE / "python/lmpm/_lmpm.pyi"
OF_THE_BUILD = ("__version__", "build_type: ", "cpu: ", "has_assertions: ", "llvm_version: ",
                "version: ")
#: The package wraps functions of the module (lmpm/_arguments.py); stubs are of those within.
STUBGEN = """
import lmpm, pybind11_stubgen
for one in filter(lambda thing: isinstance(thing, type), list(vars(lmpm._lmpm).values())):
    for name, member in list(vars(one).items()):
        within = getattr(getattr(member, "__func__", member), "__wrapped__", None)
        if within is not None:
            setattr(one, name, staticmethod(within) if isinstance(member, staticmethod) else within)
pybind11_stubgen.main()
"""


def generate(build):
    """The text of the stubs. Values that a build or a machine decides are left out."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", STUBGEN, "lmpm._lmpm", "-o", folder, "--exit-code"]
        environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(build) / "python")}
        ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        if ran.returncode:
            sys.exit(f"error: pybind11-stubgen cannot read lmpm._lmpm\n{ran.stdout}{ran.stderr}")
        text = (pathlib.Path(folder) / "lmpm/_lmpm.pyi").read_text()
    lines = [line.partition(" = ")[0] if line.startswith(OF_THE_BUILD) else line.rstrip()
             for line in text.splitlines()]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="say whether the file is out of date")
    parser.add_argument("--build", default=os.environ.get("LCI_BUILD_DIR", SOURCE / "build"))
    arguments = parser.parse_args()
    text = generate(pathlib.Path(arguments.build).resolve())
    if not arguments.check:
        STUBS.write_text(text)
    elif not STUBS.exists() or STUBS.read_text() != text:
        sys.exit("python/lmpm/_lmpm.pyi is out of date: run scripts/stubs.py")


if __name__ == "__main__":
    main()

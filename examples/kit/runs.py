"""Runs a program of an example on arrays and brings back arrays: for the examples' scripts and tests.

    run = Runner("build/bin/lmpm-run", HERE)
    state = run("sor.lmpm", output="U", inputs={"F": array}, sets={"omega": 1.5}, epochs=100)
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from kit.series import read_series  # noqa: E402


def words(flag, pairs):
    """`flag name=value` for each pair."""
    return [word for name, value in pairs.items() for word in (flag, f"{name}={value}")]


class Runner:
    """Runs the programs of one folder with its bindings.json. After a run that asked for
    them, `report` is what `--report` wrote, and `series` the observers' columns by name."""

    def __init__(self, tool, folder):
        self.tool, self.folder = str(tool), pathlib.Path(folder)
        self.report, self.series = None, None

    def __call__(self, program, output=None, inputs=None, sets=None, epochs=None, observe=None,
                 report=False, flags=()):
        """The array of the value `output`, or a list of arrays if it names several; `observe` is
        how many epochs lie between two looks at the observers. A report takes time."""
        names = [output] if isinstance(output, str) else list(output or [])
        with tempfile.TemporaryDirectory() as made:
            made = pathlib.Path(made)
            files = {}
            for name, array in (inputs or {}).items():
                files[name] = made / f"{name}.given.npy"
                np.save(files[name], array)
            command = words("--input", files) + words("--set", sets or {})
            command += words("--output", {name: made / f"{name}.npy" for name in names})
            command += ["--epochs", str(epochs)] if epochs is not None else []
            command += ["--report", made / "report.json"] if report else []
            if observe:
                command += ["--observe", made / "series.csv", "--observe-every", str(observe)]
            self._run([self.folder / program, "--bindings", self.folder / "bindings.json",
                       "--quiet", *command, *flags])
            self.report = json.loads((made / "report.json").read_text()) if report else None
            self.series = read_series(made / "series.csv") if observe else None
            arrays = [np.load(made / f"{name}.npy") for name in names]
        return arrays[0] if isinstance(output, str) else arrays

    def _run(self, arguments):
        command = [self.tool, *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\nexited {result.returncode}\n{result.stderr}")

    def same_bits(self, program, output, **options):
        """The array of `output`, after making sure that the interpreter gives the same bits."""
        flags = tuple(options.pop("flags", ()))
        compiled = self(program, output, flags=(*flags, "--backend=cpu"), **options)
        truth = self(program, output, flags=(*flags, "--backend=interp"), **options)
        one = isinstance(output, str)
        for got, wanted in zip([compiled] if one else compiled, [truth] if one else truth):
            assert got.dtype == wanted.dtype and got.tobytes() == wanted.tobytes(), \
                f"{(got != wanted).sum()} of {got.size} cells differ from the interpreter's"
        return compiled

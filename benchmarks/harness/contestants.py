"""Who takes part: a program that loads cells, runs epochs and saves cells, told so by its input.

Hand-written programs and peers speak the protocol of hand/protocol.h: `load FILE`, `run FIRST LAST`,
which answers with the seconds it took, and `save FILE`, with raw elements. Ours is `lmpm-run`, which
reports the seconds of its ticks alone.
"""

import json
import pathlib
import subprocess

import numpy


class Failure(Exception):
    """A contestant that ended, or that said something else than was expected."""


class Process:
    """A program that answers each command with one line."""

    def __init__(self, name, command, folder, environment=None):
        self.name = name
        self.folder = pathlib.Path(folder)
        self.log = self.folder / f"{name.replace(' ', '-')}.log"
        with self.log.open("w", encoding="utf-8") as log:
            self.process = subprocess.Popen(list(map(str, command)), text=True, stderr=log,
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            env=environment)

    def say(self, *words):
        """Sends a command and returns the answer."""
        try:
            self.process.stdin.write(" ".join(map(str, words)) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline().strip()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise Failure(f"{self.name} ended: {self.log.read_text(encoding='utf-8')[-2000:]}")
        return answer

    def load(self, cells):
        """Gives it cells."""
        path = self.folder / "cells.raw"
        cells.tofile(path)
        self.say("load", path)

    def save(self, like):
        """Its cells, of the type and shape of others."""
        path = self.folder / "saved.raw"
        self.say("save", path)
        return numpy.fromfile(path, like.dtype).reshape(like.shape)

    def run(self, first, last):
        """Runs the epochs; seconds."""
        return float(self.say("run", first, last))

    def close(self):
        """Ends it."""
        self.process.stdin.close()
        self.process.wait()


class Ours:
    """`lmpm-run` on a program: a new process each time, from the cells it was given last."""

    name = "ours"

    def __init__(self, tool, arguments, value, folder):
        self.command = [str(tool), *map(str, arguments), "--quiet"]
        self.value = value
        self.folder = pathlib.Path(folder)
        self.input = self.folder / "input.npy"
        self.output = self.folder / "output.npy"
        self.options = []

    def call(self, *options):
        """Runs it and returns what it reports."""
        report = self.folder / "report.json"
        command = [*self.command, *self.options, *map(str, options), f"--report={report}"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            raise Failure(f"{' '.join(command)}: {result.stderr[-2000:]}")
        return json.loads(report.read_text(encoding="utf-8"))

    def start(self):
        """The cells that the program itself begins with."""
        self.call("--epochs=0", "--output", f"{self.value}={self.output}")
        return numpy.load(self.output)

    def load(self, cells):
        """Gives it cells."""
        numpy.save(self.input, cells)
        self.options = ["--input", f"{self.value}={self.input}"]

    def run(self, first, last):
        """Runs as many epochs, from the first one on; seconds."""
        # Nobody else counts commits.
        report = self.call(f"--epochs={last - first}", "--backend=cpu", "--counters=none")
        if report["epochs"] != last - first:
            raise Failure(f"expected {last - first} epochs, but it ran {report['epochs']}")
        return report["seconds"]

    def after(self, epochs, backend="cpu"):
        """The cells after so many epochs."""
        self.call(f"--epochs={epochs}", f"--backend={backend}",
                  "--output", f"{self.value}={self.output}")
        return numpy.load(self.output)

    def close(self):
        """There is nothing to end."""


class Before(Ours):
    """The `lmpm-run` of another build, which must end in the same bits."""

    name = "before"

    def run(self, first, last):
        """As ours; remembers where it stands."""
        self.epochs = last - first
        return super().run(first, last)

    def save(self, _like):
        """The cells after the epochs of the last run."""
        return self.after(self.epochs)

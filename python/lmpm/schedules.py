"""Schedules: how a program is lowered, as transform IR, and what a search for one has found."""

import json
import os

from lmpm import _arguments
from lmpm.pictures import _write

__all__ = ["Tuned"]


class Tuned:
    """What a search has found: `text` is the schedule, which `compile(schedule=…)` takes.

    `best` names where it differs from the default (`fused-epochs=4`), `receipt` has everything as a
    dictionary (`candidates` one by one, with estimates, times in seconds and outcomes), `trace` is the
    same as CSV and `svg` as a picture, which a notebook shows.
    """

    def __init__(self, name, found):
        self.name = name
        self.text, receipt, self.trace, self.svg, self._summary, _ = found
        self.receipt = json.loads(receipt)

    @property
    def best(self):
        """Where the schedule differs from the default, or `default`."""
        return self.receipt["best"]

    @property
    def candidates(self):
        """Each candidate as a dictionary, the default first: `candidate`, `outcome`, and where known
        `estimate`, `seconds` of each run and `ratio` to the default's time."""
        return self.receipt["candidates"]

    def save(self, path):
        """Writes the schedule, for `lmpm-run --schedule` and `compile(schedule=path)`."""
        _write(path, ".mlir", self.text.encode())

    def _repr_svg_(self):
        return self.svg

    def __str__(self):
        return self._summary

    def __repr__(self):
        return f"<schedule of {self.name}: {self.best}>"


def split(schedule):
    """The file of a schedule, and its text, of which one is empty; `auto` counts as a file."""
    if isinstance(schedule, Tuned):
        return "", schedule.text
    if isinstance(schedule, os.PathLike):
        return _arguments.path(schedule, "schedule"), ""
    _arguments.text(schedule, "schedule", "give a path, text of transform IR, or what tune returned")
    return ("", schedule) if "\n" in schedule else (schedule, "")

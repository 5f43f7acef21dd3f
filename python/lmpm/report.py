"""What a run did: a dictionary, a table in a notebook, a few lines in a terminal."""

import typing

from lmpm import _html

__all__ = ["Report", "ReportRow"]

_COUNTS = ("changed", "invalid", "satisfied", "violated", "decisive", "enabled")
_HEAD = ("backend", "seed", "epochs", "ticks", "commits", "seconds", "commits_per_second")


class ReportRow(typing.NamedTuple):
    """One figure: `part` of the report (`run`, `values`, `constraints`, `observations`, `device`),
    the `name` of what it is of (empty for the run), `figure`, what was counted, and its `value`."""

    part: str
    name: str
    figure: str
    value: object


class Report(dict):
    """What `lmpm-run --report` writes, as a dictionary: `seconds` is the time of the ticks,
    `commits` how many cells changed, `values` and `constraints` have counts by name (those of
    constraints with `counters="full"`), `observations` the last number of each observer.

    A notebook shows it as tables; `print` shows what `lmpm-run` prints.
    """

    def __init__(self, figures, text):
        super().__init__(figures)
        self._text = text

    def rows(self):
        """All figures as a list of `ReportRow`, such as a data frame is made of."""
        made = [ReportRow("run", "", key, value) for key, value in self.items()
                if not isinstance(value, (dict, list))]
        for part in ("values", "constraints"):
            made += [ReportRow(part, name, figure, value) for name, counts in self[part].items()
                     for figure, value in counts.items()]
        made += [ReportRow("observations", name, "last", value)
                 for name, value in self["observations"].items()]
        return made + [ReportRow("device", "", key, value)
                       for key, value in self.get("device", {}).items()]

    def _repr_html_(self):
        head = [key.replace("_", " ") for key in _HEAD]
        parts = [f'<div class="title">{_html.escape(self["program"])}</div>',
                 _html.table(head, [[_plain(self[key], key) for key in _HEAD]])]
        for part, title in (("values", "value"), ("constraints", "constraint")):
            if self[part]:
                parts.append(_counts(title, self[part]))
        if self["observations"]:
            parts.append(_html.table(["observer", "last seen"],
                                     [[name, value] for name, value in self["observations"].items()]))
        if "device" in self:
            parts.append(_html.table([key.replace("_", " ") for key in self["device"]],
                                     [list(self["device"].values())]))
        return _html.block("".join(parts))

    def __str__(self):
        return self._text

    __repr__ = __str__


def _plain(value, key):
    """A seed is a name rather than a number."""
    return str(value) if key == "seed" else value


def _counts(title, counts):
    figures = sorted(next(iter(counts.values())), key=_COUNTS.index)
    return _html.table([title, *figures], [[name, *(row[key] for key in figures)]
                                           for name, row in counts.items()])

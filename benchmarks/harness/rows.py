"""What a row of the table is, and what is made of its samples."""

import dataclasses
import statistics
from typing import Callable


@dataclasses.dataclass(frozen=True)
class Contest:
    """One program at one size. `program` and `arguments` are for lmpm-run; `hand` and `peers` say
    how the others are started; `observe` makes numbers of cells that must agree within
    `tolerance` with ours, unless a contestant is named in `exact`."""

    program: str
    size: str
    unit: str
    work: float                     # units of work in an epoch
    epochs: int                     # of the turns that warm up
    source: str                     # the program's text, relative to the source tree
    arguments: tuple                # of lmpm-run
    value: str                      # whose cells are compared
    dtype: str
    hand: dict = dataclasses.field(default_factory=dict)    # name: (C++ file, arguments)
    peers: dict = dataclasses.field(default_factory=dict)   # name: (script, arguments)
    exact: tuple = ()
    observe: Callable = None
    tolerance: float = 0.02
    check_arguments: tuple = ()     # of lmpm-run, for the comparison with the interpreter
    check_epochs: int = 20
    most_epochs: int = 1 << 40      # of a turn, behind which cells may stand still
    roofline: str = ""              # what binds, in words
    limits: dict = dataclasses.field(default_factory=dict)  # kind of hand/limits.cpp: operations of an epoch


def summarise(samples):
    """The median, and the range around it."""
    return {"median": statistics.median(samples), "min": min(samples), "max": max(samples)}


def make_row(contest, rates):
    """A row of bench.json without the machine: `rates` holds the samples of each contestant, in
    units per second."""
    ours = summarise(rates["ours"])
    limits = {kind: summarise(rates[kind]) for kind in contest.limits if kind in rates}
    peers = {name: summarise(samples) for name, samples in rates.items()
             if name != "ours" and name not in limits}
    return {
        "program": contest.program,
        "size": contest.size,
        "unit": contest.unit,
        "ours": ours,
        "peers": peers,
        "ratios": {name: ours["median"] / peer["median"] for name, peer in peers.items()},
        "limits": limits,
    }


SCHEMA = {"program": str, "size": str, "unit": str, "ours": dict, "peers": dict, "ratios": dict,
          "limits": dict, "machine": dict}


def problems_of(row):
    """What is wrong with a row, in sentences; nothing of a good one."""
    found = [f"expected {key} to be a {kind.__name__}" for key, kind in SCHEMA.items()
             if not isinstance(row.get(key), kind)]
    if found:
        return found
    for name, figures in [("ours", row["ours"]), *row["peers"].items(), *row["limits"].items()]:
        if set(figures) != {"median", "min", "max"}:
            found.append(f"expected a median, a minimum and a maximum of {name}")
        elif not figures["min"] <= figures["median"] <= figures["max"]:
            found.append(f"expected the median of {name} between its extremes")
    if set(row["ratios"]) != set(row["peers"]):
        found.append("expected a ratio for each peer")
    return found


def text_of(figure):
    """Three digits."""
    return f"{figure:.3g}" if figure < 1000 else f"{figure:,.0f}"


def roofline(row):
    """The limit that binds, and our share of it."""
    if not row["limits"]:
        return "–"
    kind, figures = min(row["limits"].items(), key=lambda item: item[1]["median"])
    share = row["ours"]["median"] / figures["median"]
    return f"{kind} {text_of(figures['median'])} ({share:.2f} of it)"


def markdown(rows):
    """The table: a line for each row, the best peers first."""
    lines = ["| program | size | unit | ours | limit | others, and ours by theirs |",
             "|---|---|---|---|---|---|"]
    for row in rows:
        peers = sorted(row["peers"].items(), key=lambda item: -item[1]["median"])
        others = ", ".join(f"{name} {text_of(figures['median'])} (×{text_of(row['ratios'][name])})"
                           for name, figures in peers)
        ours = row["ours"]
        lines.append(f"| {row['program']} | {row['size']} | {row['unit']} | {text_of(ours['median'])} "
                     f"({text_of(ours['min'])} … {text_of(ours['max'])}) | {roofline(row)} | {others} |")
    return "\n".join(lines) + "\n"

"""Says how good a run of the example was, and draws it.

    python evaluate.py RESULT.npy [--picture F.png] [--readme]
    python evaluate.py --reference [EPOCHS]        (the NumPy program instead of a result)

RESULT.npy is the program's final Vid. `--readme` puts the figures into README.md, between the two
marks that a comment makes there.
"""

import argparse
import re
from pathlib import Path

import numpy as np

from network import load_weights
from photo import HERE, bindings, decode, load_codebook
from reference import Program

SHOWN_FRAMES = (0, 3, 7)
GAP = 8


def load_inputs():
    """The example's input arrays by name."""
    return {name: np.load(HERE / f"{name}.npy") for name in ("Txt", "Vid", "Coarse")}


def make_program(disabled=()):
    """The NumPy program on the example's bindings."""
    return Program(bindings(), load_weights(HERE / "localgen.safetensors"), load_inputs(), disabled)


def shifted(vid):
    """The same cell one frame back; -1 in the first frame."""
    return np.concatenate([np.full_like(vid[:1], -1), vid[:-1]])


def accuracies(truth, given, result):
    """(what, share of the masked cells' tokens that it gets right)."""
    masked = given < 0
    constant = np.bincount(truth[masked]).argmax()
    guesses = [
        ("LocalGen under the program's constraints", result),
        ("the run's own previous frame", shifted(result)),
        ("the given previous frame, where it has a token", shifted(given)),
        ("the best constant token, with hindsight", np.full_like(truth, constant)),
    ]
    return [(what, float((guess == truth)[masked].mean())) for what, guess in guesses]


def counts(program, given, result):
    """(what, how many cells)."""
    known = given >= 0
    locked, sky = program.lock & known, program.sky & ~(program.lock & known)
    outside = ~np.isin(result, np.flatnonzero(program.palette))
    return [
        ("cells, of which masked", f"{given.size}, {int((~known).sum())}"),
        ("cells still absent", str(int((result < 0).sum()))),
        ("locked cells, of which changed", f"{locked.sum()}, {(locked & (result != given)).sum()}"),
        ("cells of the sky, of which not blue-ish", f"{sky.sum()}, {(sky & outside).sum()}"),
        ("known cells outside the lock, of which generated anew and different",
         f"{(known & ~program.lock).sum()}, {(known & ~program.lock & (result != given)).sum()}"),
    ]


def table(rows):
    """The figures as a Markdown table."""
    return "\n".join(["| figure | value |", "|---|---|"] + [f"| {a} | {b} |" for a, b in rows])


def figures(truth, given, result):
    """All figures of a result, as text pairs."""
    shares = [(f"right tokens on masked cells: {what}", f"{share:.1%}")
              for what, share in accuracies(truth, given, result)]
    return shares + counts(make_program(), given, result)


def draw(truth, given, result, path):
    """A picture: the given, the generated and the true frames, one row each."""
    from PIL import Image

    codebook = load_codebook()
    rows = []
    for vid in (given, result, truth):
        frames = [decode(codebook, vid[t].astype(np.int64)) for t in SHOWN_FRAMES]
        rows.append(np.concatenate([np.pad(f, ((0, GAP), (0, GAP), (0, 0)), constant_values=255)
                                    for f in frames], 1))
    Image.fromarray(np.concatenate(rows)[:-GAP, :-GAP]).quantize(256).save(path, optimize=True)


def update_readme(text):
    """Puts `text` between the marks in README.md."""
    path = HERE / "README.md"
    marked = r"(?s)(?<=<!-- figures -->\n).*?(?=\n<!-- end of figures -->)"
    path.write_text(re.sub(marked, lambda _: text, path.read_text()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", type=Path, nargs="?")
    parser.add_argument("--reference", type=int, nargs="?", const=bindings()["epochs"])
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--readme", action="store_true")
    options = parser.parse_args()
    if (options.result is None) == (options.reference is None):
        parser.error("expected either RESULT.npy or --reference")
    if options.result:
        result = np.load(options.result).astype(np.int64)
    else:
        program = make_program()
        print(f"cells changed in each epoch: {program.run(options.reference)}")
        print(f"near ties settled by the exact sum: {program.near_ties}")
        print(f"constraints: {program.counts}")
        result = program.state
    truth, given = (np.load(HERE / name).astype(np.int64) for name in ("truth.npy", "Vid.npy"))
    rows = figures(truth, given, result)
    for what, value in rows:
        print(f"{value:>14}  {what}")
    if options.picture:
        draw(truth, given, result, options.picture)
    if options.readme:
        update_readme(table(rows))


if __name__ == "__main__":
    main()

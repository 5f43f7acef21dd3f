#!/usr/bin/python3
"""Draws docs/images/ladder.svg: the levels of the ladder and what leads from one to the next.

`--check` says whether the picture is out of date and exits 1.
"""

import html
import pathlib
import sys

PICTURE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "images" / "ladder.svg"
WIDTH, BOX, STEP, LEFT = 700, 52, 84, 20

# (level, name, what it is, what leads to the next level)
LEVELS = [
    ("0", ".lmpm text", "rules, constraints, who sees whom", "lmpm-translate --import-lmpm"),
    ("1", "program form", "symbols and regions; sizes are names", "lci-bind"),
    ("2", "bound form", "sizes known, facts proved with Presburger sets", "lci-lower-rules"),
    ("3", "tick form", "functions on tensors; one lci.tick per phase", "convert-lci-to-linalg"),
    ("4", "linalg", "loops over words and numbers", ""),
]
LEAVES = [("5c", "scf, memref", "the CPU"), ("5g", "gpu", "the GPU")]
ENDS = [("6", "llvm", "JIT, object code"), ("6", "nvvm", "PTX")]


def text(x, y, content, style="", anchor="start"):
    return (f'<text x="{x}" y="{y}" text-anchor="{anchor}" {style}>'
            f"{html.escape(content)}</text>")


def box(x, y, width, level, name, what):
    bold = 'font-weight="bold"'
    return [
        f'<rect x="{x}" y="{y}" width="{width}" height="{BOX}" rx="8" fill="#eef4fb" '
        'stroke="#35608f"/>',
        text(x + 14, y + 32, level, f'{bold} fill="#35608f" font-size="18"'),
        text(x + 52, y + 22, name, bold),
        text(x + 52, y + 41, what, 'fill="#444"'),
    ]


def arrow(x, y, label=""):
    parts = [f'<path d="M{x} {y} v26 m-5 -7 l5 7 l5 -7" fill="none" stroke="#35608f" '
             'stroke-width="1.5"/>']
    if label:
        parts.append(text(x + 14, y + 20, label, 'font-family="monospace" fill="#35608f"'))
    return parts


def draw():
    """The picture: one column of levels that forks into two."""
    wide, half = 400, 195
    parts, y = [], 16
    for level, name, what, onward in LEVELS:
        parts += box(LEFT, y, wide, level, name, what)
        parts += arrow(LEFT + half // 2, y + BOX + 3, onward)
        y += STEP
    parts += arrow(LEFT + wide - half // 2, y - STEP + BOX + 3)
    for row in (LEAVES, ENDS):
        for column, (level, name, what) in enumerate(row):
            parts += box(LEFT + column * (half + 10), y, half, level, name, what)
            if row is LEAVES:
                parts += arrow(LEFT + half // 2 + column * (half + 10), y + BOX + 3)
        y += STEP
    side = LEFT + wide + 40
    oracle = ["Every level is valid IR:", "print it, stop at it, verify it,", "enter at it by hand,",
              "or run it.", "", "The reference interpreter runs", "levels 1 to 3; every level below",
              "commits the same bits."]
    parts += [text(side, 40 + 22 * row, line, 'fill="#444"') for row, line in enumerate(oracle)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" '
            f'viewBox="0 0 {WIDTH} {y}" font-family="sans-serif" font-size="14">\n'
            f'<rect width="{WIDTH}" height="{y}" fill="white"/>\n' + "\n".join(parts) +
            "\n</svg>\n")


def main():
    drawn = draw()
    if "--check" in sys.argv:
        if PICTURE.exists() and PICTURE.read_text() == drawn:
            return 0
        print("docs/images/ladder.svg is out of date: run scripts/ladder.py")
        return 1
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(drawn)
    return 0


if __name__ == "__main__":
    sys.exit(main())

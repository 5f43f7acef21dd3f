"""A picture of the table: a group of bars for each row, the speed of each contestant by ours."""

import math

from PIL import Image, ImageDraw, ImageFont

WIDTH, LABEL, BAR, GAP, MARGIN = 760, 230, 14, 12, 20
COLOURS = {"ours": "#35608f"}
OTHERS = "#b9bec6"


def bars(row):
    """Names and speeds relative to ours, the fastest first."""
    speeds = {"ours": 1.0, **{name: 1 / ratio for name, ratio in row["ratios"].items()}}
    return sorted(speeds.items(), key=lambda item: -item[1])


def draw(rows, path):
    """Writes the picture."""
    font = ImageFont.load_default(12)
    height = MARGIN + sum(BAR * (len(bars(row)) + 1) + GAP for row in rows) + MARGIN
    image = Image.new("RGB", (WIDTH, height), "white")
    pen = ImageDraw.Draw(image)
    top = MARGIN
    for row in rows:
        pen.text((MARGIN, top), f"{row['program']}, {row['size']} ({row['unit']})", "black", font)
        top += BAR
        widest = max(speed for _, speed in bars(row))
        for name, speed in bars(row):
            right = LABEL + (WIDTH - LABEL - 90) * speed / widest
            pen.text((LABEL - 8, top), name, "black", font, anchor="ra")
            pen.rectangle((LABEL, top + 2, max(right, LABEL + 1), top + BAR - 2),
                          COLOURS.get(name, OTHERS))
            rate = speed * row["ours"]["median"]
            pen.text((right + 6, top), f"{rate:.3g}", "black", font)
            top += BAR
        top += GAP
    image.save(path)


PANEL, INSET = 330, 50


def draw_panels(panels, path):
    """Writes curves side by side, two in a row, each on logarithmic axes: (name, axis, xs, ys)."""
    font = ImageFont.load_default(12)
    rows_of_panels = (len(panels) + 1) // 2
    image = Image.new("RGB", (2 * PANEL, rows_of_panels * PANEL), "white")
    pen = ImageDraw.Draw(image)
    for number, (name, axis, xs, ys) in enumerate(panels):
        left, top = number % 2 * PANEL + INSET, number // 2 * PANEL + INSET
        side = PANEL - 2 * INSET
        pen.rectangle((left, top, left + side, top + side), outline=OTHERS)
        pen.text((left, top - 20), f"{name}: ns per cell", "black", font)
        pen.text((left + side / 2, top + side + 28), axis, "black", font, anchor="ma")
        points = [(left + side * place(x, xs), top + side * (1 - place(y, ys)))
                  for x, y in zip(xs, ys)]
        pen.line(points, COLOURS["ours"], 2)
        for (right, down), x, y in zip(points, xs, ys):
            pen.ellipse((right - 3, down - 3, right + 3, down + 3), COLOURS["ours"])
            pen.text((right, top + side + 8), str(x), "black", font, anchor="ma")
            pen.text((right, down - 16), f"{y:.2g}", "black", font, anchor="ma")
    image.save(path)


def place(value, values):
    """Where a value stands between the least and the largest, by logarithms, from 0.1 to 0.9."""
    low, high = math.log(min(values)), math.log(max(values))
    return 0.5 if high == low else 0.1 + 0.8 * (math.log(value) - low) / (high - low)

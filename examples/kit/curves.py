"""Draws curves as a picture: measured points over lines of theory, on one pair of axes.

    draw("rates.png", "omega", "error per epoch",
         [Curve("Young's theory", xs, ys), Curve("measured", xs, ys, points=True)])
"""

import dataclasses
import math

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 380, 70, 20, 20, 50
COLOURS = ["#35608f", "#b8442e", "#3c8a4c", "#8a5aa8", "#b98a1f"]


@dataclasses.dataclass
class Curve:
    """What is drawn: a line, or points."""

    name: str
    xs: list
    ys: list
    points: bool = False


def ticks(low, high):
    """Some five round numbers between two ends."""
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6)
    first = math.ceil(low / step - 1e-9)
    count = math.floor(high / step + 1e-9) - first + 1
    return [(first + index) * step for index in range(count)]


class Axes:
    """From numbers to places in the picture. With `log`, y is a logarithm to base ten."""

    def __init__(self, curves, log):
        self.log = log
        xs = [float(x) for curve in curves for x in curve.xs]
        ys = [self.height(y) for curve in curves for y in curve.ys]
        self.xs, self.ys = (min(xs), max(xs)), (min(ys), max(ys))
        margin = 0.04 * (self.ys[1] - self.ys[0])
        self.ys = self.ys[0] - margin, self.ys[1] + margin

    def height(self, y):
        return math.log10(y) if self.log else float(y)

    def x(self, x):
        share = (x - self.xs[0]) / (self.xs[1] - self.xs[0])
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(self, height):
        share = (height - self.ys[0]) / (self.ys[1] - self.ys[0])
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


class Canvas:
    """A picture drawn twice as large, so that lines are smooth when it is made smaller."""

    def __init__(self):
        self.image = Image.new("RGB", (2 * WIDTH, 2 * HEIGHT), "white")
        self.pen, self.font = ImageDraw.Draw(self.image), ImageFont.load_default(26)

    def line(self, places, colour, width):
        self.pen.line([(2 * x, 2 * y) for x, y in places], colour, 2 * width, joint="curve")

    def dot(self, place, colour, radius=4):
        x, y = (2 * number for number in place)
        self.pen.ellipse([x - 2 * radius, y - 2 * radius, x + 2 * radius, y + 2 * radius], colour)

    def text(self, x, y, content, anchor, colour="black"):
        self.pen.text((2 * x, 2 * y), content, colour, self.font, anchor)

    def upright(self, x, y, content):
        """Text from below to above, centred."""
        box = self.font.getbbox(content)
        label = Image.new("RGB", (box[2] + 4, box[3] + 8), "white")
        ImageDraw.Draw(label).text((0, 0), content, "black", self.font)
        label = label.rotate(90, expand=True)
        self.image.paste(label, (2 * x - label.width // 2, 2 * y - label.height // 2))

    def save(self, path):
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.BOX)
        small.quantize(64).save(path, optimize=True)


def draw_grid(canvas, axes):
    """Lines and numbers of both axes."""
    for x in ticks(*axes.xs):
        canvas.line([(axes.x(x), TOP), (axes.x(x), HEIGHT - BOTTOM)], "#dddddd", 1)
        canvas.text(axes.x(x), HEIGHT - BOTTOM + 6, f"{x:.6g}", "mt")
    for y in ticks(*axes.ys):
        name = f"{10**y:.3g}" if axes.log else f"{y:.6g}"
        canvas.line([(LEFT, axes.y(y)), (WIDTH - RIGHT, axes.y(y))], "#dddddd", 1)
        canvas.text(LEFT - 8, axes.y(y), name, "rm")


def draw(path, x_name, y_name, curves, log=False, legend="right"):
    """Writes the picture; the legend stands at the top, at the left or the right."""
    axes, canvas = Axes(curves, log), Canvas()
    draw_grid(canvas, axes)
    anchor, place = ("rt", WIDTH - RIGHT - 12) if legend == "right" else ("lt", LEFT + 12)
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        places = [(axes.x(x), axes.y(axes.height(y))) for x, y in zip(curve.xs, curve.ys)]
        for dot in places if curve.points else []:
            canvas.dot(dot, colour)
        if not curve.points:
            canvas.line(places, colour, 2)
        canvas.text(place, TOP + 8 + 20 * number, curve.name, anchor, colour)
    canvas.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_name, "mb")
    canvas.upright(14, (TOP + HEIGHT - BOTTOM) // 2, y_name)
    canvas.save(path)

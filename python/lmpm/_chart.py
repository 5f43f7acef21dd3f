"""What observers saw, epoch after epoch, as lines in SVG: one panel below the other."""

import html

import numpy

_WIDTH, _HEIGHT = 640, 130  # of a panel, in dots
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 20, 26, 24


def draw(epochs, columns, title):
    """The text of an SVG with a panel for each of the columns, which are arrays by name."""
    head = 36
    height = head + _HEIGHT * len(columns)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
             f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif">',
             f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
             _text(12, 24, title, size=15, weight="bold")]
    for number, (name, values) in enumerate(columns.items()):
        panel = "".join(_panel(epochs, numpy.ma.masked_invalid(values), name))
        parts.append(f'<g transform="translate(0 {head + number * _HEIGHT})">{panel}</g>')
    return "\n".join([*parts, "</svg>\n"])


def _text(x, y, words, size=11, anchor="start", weight="normal"):
    return (f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}">'
            f"{html.escape(words)}</text>")


def _panel(epochs, values, name):
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    yield _text(_LEFT, _TOP - 8, name, size=12, weight="bold")
    yield (f'<rect x="{_LEFT}" y="{_TOP}" width="{right - _LEFT}" height="{bottom - _TOP}" '
           'fill="none" stroke="#ccc"/>')
    yield _text(_LEFT, bottom + 14, f"epoch {epochs[0]}")
    if epochs[-1] > epochs[0]:
        yield _text(right, bottom + 14, str(epochs[-1]), anchor="end")
    if values.count() == 0:
        yield _text((_LEFT + right) / 2, (_TOP + bottom) / 2, "nothing seen", anchor="middle")
        return
    low, high = values.min(), values.max()
    yield _text(_LEFT - 6, bottom, f"{low:.6g}", anchor="end")
    if high > low:
        yield _text(_LEFT - 6, _TOP + 9, f"{high:.6g}", anchor="end")
    x = _LEFT + (epochs - epochs[0]) * ((right - _LEFT) / max(1, epochs[-1] - epochs[0]))
    y = bottom - (values.astype(float) - low) * ((bottom - _TOP) / (high - low if high > low else 1))
    for part in numpy.ma.clump_unmasked(y):
        yield _line(x[part], y[part])


def _line(x, y):
    """A line through points, or a dot where there is one."""
    points = [f"{one:.1f},{other:.1f}" for one, other in zip(x, y)]
    if len(points) == 1:
        return f'<circle cx="{x[0]:.1f}" cy="{y[0]:.1f}" r="2.5" fill="#0072b2"/>'
    return f'<polyline points="{" ".join(points)}" fill="none" stroke="#0072b2" stroke-width="1.5"/>'

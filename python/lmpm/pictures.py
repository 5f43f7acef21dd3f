"""Pictures: arrays as PNG, still or moving, and what programs say as SVG. A notebook shows them."""

import collections.abc
import os
import struct
import zlib

import numpy

from lmpm import _arguments, _arrays, _lmpm
from lmpm.errors import Error

__all__ = ["Animation", "Picture", "View", "animation", "picture"]

_SHADES = " ░▒▓█"
_WIDEST = 64  # pixels of a picture in a terminal
_LARGE = 256  # a smaller picture is enlarged


def _expect(holds, sentence, id="wrong-picture"):
    if not holds:
        raise Error.of(sentence, id)


class Picture:
    """Pixels: `pixels` is a uint8 array of shape (height, width), grey, or (height, width, 3), RGB.

    A notebook shows each of them as `scale` by `scale` dots, `print` as a character.
    """

    def __init__(self, pixels, scale=None, name=""):
        self.pixels, self.name = pixels, name
        fitting = max(1, _LARGE // max(pixels.shape[:2]))
        self.scale = fitting if scale is None else _arguments.whole(scale, "scale", 1)

    def png(self):
        """The bytes of a PNG file, `scale` dots for each pixel and direction."""
        large = self.pixels.repeat(self.scale, 0).repeat(self.scale, 1)
        return _lmpm.encode_png(large)

    def save(self, path):
        """Writes a PNG file."""
        _write(path, ".png", self.png())

    def _repr_png_(self):
        return self.png()

    def __str__(self):
        grey = self.pixels if self.pixels.ndim == 2 else self.pixels @ [0.299, 0.587, 0.114]
        every = -(-grey.shape[1] // _WIDEST)
        shades = (grey[::every, ::every] * (len(_SHADES) / 256)).astype(int)
        return "\n".join("".join(_SHADES[shade] * 2 for shade in row).rstrip() for row in shades)

    def __repr__(self):
        return f"<picture{_of(self.name)}, {_size(self.pixels)}>"


class Animation:
    """Pictures of one size, one after the other, `fps` of them in a second, over and over.

    It is a sequence: `len(animation)`, and `animation[-1]` is the last `Picture`.
    """

    def __init__(self, pictures, fps=10):
        self.pictures, self.fps = list(pictures), _arguments.whole(fps, "fps", 1, 1000)
        _expect(self.pictures, "expected at least one picture for an animation, but got none")
        for one in self.pictures:
            _expect(one.pixels.shape == self[0].pixels.shape,
                    "expected pictures of one size for an animation, but got "
                    f"{_size(self[0].pixels)} and {_size(one.pixels)}")

    def __getitem__(self, number):
        return self.pictures[number]

    def __len__(self):
        return len(self.pictures)

    def png(self):
        """The bytes of an animated PNG file, which browsers play and other viewers show the first
        picture of."""
        return _animate([one.png() for one in self.pictures], self.fps)

    def save(self, path):
        """Writes an animated PNG file."""
        _write(path, ".png", self.png())

    def _repr_png_(self):
        return self.png()

    def __str__(self):
        return str(self[-1])

    def __repr__(self):
        return f"<animation{_of(self[0].name)}, {len(self)} pictures of {_size(self[0].pixels)}>"


class View:
    """What a program says as a picture: `kind` is what was asked for, `svg` the text of the SVG."""

    def __init__(self, kind, name, svg):
        self.kind, self.name, self.svg = kind, name, svg

    def save(self, path):
        """Writes an SVG file."""
        _write(path, ".svg", self.svg.encode())

    def _repr_svg_(self):
        return self.svg

    def __repr__(self):
        return f"<{self.kind} of {self.name} as SVG, which a notebook shows; save(path) writes it>"


def _of(name):
    return f" of {name}" if name else ""


def _size(pixels):
    return f"{pixels.shape[1]} x {pixels.shape[0]} pixels"


def _write(path, ending, content):
    path = _arguments.path(path, "save")
    _expect(path.endswith(ending), f"expected a file that ends in {ending}, but got '{path}'", "command-line")
    with open(path, "wb") as file:
        file.write(content)


def picture(array, vocabulary=0, *, colours=None, limits=None, scale=None, name=""):
    """A `Picture` of an array of one to three axes, as `lmpm-run --picture` draws it.

    The first axis runs to the right and the second one downwards; of three axes, the first one
    numbers frames that stand side by side. With a `vocabulary` the array has tokens (-1, which is
    magenta, where there is none): of two, black and white, else distinct colours, or `colours`, a
    uint8 array of shape (vocabulary, 3) or, of patches, (vocabulary, height, width, 3). Without
    one it has numbers: grey from the least to the greatest, or between `limits`, a pair;
    `colours="diverging"` goes from blue over white, which is zero, to red, and a uint8 array of
    shape (256, 3) gives all shades. Raises `lmpm.Error` for what cannot be drawn.

    >>> lmpm.picture([[0, 1], [1, 0]], vocabulary=2, name="Cell")
    <picture of Cell, 2 x 2 pixels>
    """
    array = _arrays.to_numpy(array, "picture")
    return _draw(array, vocabulary, _check(vocabulary, colours, limits, [array]), scale, name)


def animation(arrays, vocabulary=0, *, fps=10, colours=None, limits=None, scale=None, name=""):
    """An `Animation` of arrays of one shape, drawn as `picture` does; `fps` are shown in a second.

    Numbers have the same limits in all pictures: those of all arrays, unless they are given.
    """
    if not isinstance(arrays, collections.abc.Iterable):
        _arguments.fail("a list of arrays", "an animation", arrays)
    arrays = [_arrays.to_numpy(array, "picture") for array in arrays]
    look = _check(vocabulary, colours, limits, arrays)
    return Animation([_draw(array, vocabulary, look, scale, name) for array in arrays], fps)


def _check(vocabulary, colours, limits, arrays):
    """Colours and limits, as `_draw` takes them."""
    vocabulary = _arguments.whole(vocabulary, "vocabulary", 0)
    if vocabulary:
        _expect(limits is None, "expected no limits for the picture of tokens, which have colours")
        _expect(not isinstance(colours, str),
                f"expected an array of colours for tokens, but got {colours!r}")
        return None if colours is None else _arrays.to_numpy(colours, "colours"), None
    table = _table(colours)
    if limits is None:
        return table, _extremes(arrays, colours == "diverging" if isinstance(colours, str) else False)
    low, high = limits if isinstance(limits, (tuple, list)) and len(limits) == 2 else (0, 0)
    _expect(low < high, f"expected a pair of rising numbers for limits, but got {limits!r}")
    return table, (low, high)


def _extremes(arrays, around_zero):
    """The least and the greatest number in all arrays."""
    finite = [array[numpy.isfinite(array)] for array in arrays if array.dtype.kind in "biuf"]
    ends = [end(one) for one in finite if one.size for end in (numpy.min, numpy.max)]
    if not ends:
        return None
    if around_zero:
        most = max(abs(float(end)) for end in ends)
        return -most, most
    return float(min(ends)), float(max(ends))


def _table(colours):
    """256 shades, or None for grey."""
    if colours is None:
        return None
    if isinstance(colours, str):
        _arguments.one_of(colours, "the colours of numbers", ("grey", "diverging"))
        return None if colours == "grey" else _diverging()
    table = _arrays.to_numpy(colours, "colours")
    _expect(table.shape == (256, 3) and table.dtype == numpy.uint8,
            "expected a uint8 array of shape (256, 3) for the colours of numbers, but got "
            f"{table.dtype} of shape {table.shape}")
    return table


def _diverging():
    anchors = numpy.array([(33, 102, 172), (146, 197, 222), (247, 247, 247), (244, 165, 130), (178, 24, 43)])
    places = [0, 64, 128, 192, 255]  # 128 is the grey of zero
    levels = numpy.arange(256)
    parts = [numpy.interp(levels, places, anchors[:, part]) for part in (0, 1, 2)]
    return numpy.stack(parts, axis=1).round().astype(numpy.uint8)


def _draw(array, vocabulary, look, scale, name):
    colours, limits = look
    if vocabulary:
        return Picture(_lmpm.draw_array(array, vocabulary, colours), scale, name)
    pixels = _lmpm.draw_array(array, 0, None, limits)
    return Picture(pixels if colours is None else colours[pixels], scale, name)


# Animated PNG: https://www.w3.org/TR/png-3/#apng-frame-based-animation

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def _chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _chunks(png):
    at = len(_SIGNATURE)
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        yield kind, png[at + 8:at + 8 + length]
        at += 12 + length


def _animate(pngs, fps):
    """One file of the pictures of files, which have one size and type."""
    first = list(_chunks(pngs[0]))
    header = next(content for kind, content in first if kind == b"IHDR")
    size = struct.unpack(">II", header[:8])
    parts = [_SIGNATURE]
    parts += [_chunk(kind, content) for kind, content in first if kind not in (b"IDAT", b"IEND")]
    parts.append(_chunk(b"acTL", struct.pack(">II", len(pngs), 0)))
    number = 0  # of a control or a later picture's data
    for frame, png in enumerate(pngs):
        parts.append(_chunk(b"fcTL", struct.pack(">5I2H2B", number, *size, 0, 0, 1, fps, 0, 0)))
        number += 1
        for content in (content for kind, content in _chunks(png) if kind == b"IDAT"):
            if frame == 0:
                parts.append(_chunk(b"IDAT", content))
            else:
                parts.append(_chunk(b"fdAT", struct.pack(">I", number) + content))
                number += 1
    return b"".join([*parts, _chunk(b"IEND", b"")])

"""From the photograph to tokens and back.

One photograph (scikit-learn's china.jpg) is cut into patches of PATCH x PATCH pixels; a codebook of
VQ mean patches turns each patch into a token. `TokenMaps` quantises a patch at *every* pixel offset
once, so that a clip (frames panning over the photograph) is a gather, whatever its offset.
Arrays of tokens are indexed [t, x, y], as the program's `Vid[t,x,y]` is.
"""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
PATCH = 6  # pixels along each side of a token
COARSE = 8  # cells along each side of a coarse cell, the 8 of `Coarse[t, x/8, y/8]`
PAN = 10  # pixels that the camera moves to the right from one frame to the next
TEST_ORIGIN = (80, 0)  # pixel (x, y) of the example's first frame


def bindings():
    """The example's bindings file."""
    return json.loads((HERE / "bindings.json").read_text())


def sizes():
    """T, W, H of the example."""
    bound = bindings()["sizes"]
    return bound["T"], bound["W"], bound["H"]


def photograph():
    """The photograph, [y, x, colour], float32 in 0..255."""
    from sklearn.datasets import load_sample_image

    return load_sample_image("china.jpg").astype(np.float32)


def load_codebook():
    """The code of each token as one row of PATCH*PATCH*3 colours, float32."""
    return np.load(HERE / "codebook.npy").astype(np.float32).reshape(-1, PATCH * PATCH * 3)


def nearest(codebook, patches):
    """The token of each row of `patches`: the nearest code, the lowest on a tie."""
    distance = (codebook * codebook).sum(1) - 2.0 * patches @ codebook.T
    return distance.argmin(1).astype(np.int32)


def box_filter(image, size):
    """The mean of each size x size window, rounded: so distances to codes are exact integers."""
    total = np.cumsum(np.cumsum(np.pad(image, ((1, 0), (1, 0), (0, 0))), 0, dtype=np.float64), 1)
    window = total[size:, size:] - total[:-size, size:] - total[size:, :-size]
    return np.rint((window + total[:-size, :-size]) / size**2).astype(np.float32)


def all_patches(image, stride, row):
    """The patches starting in pixel row `row`, their pixels `stride` apart: [x, PATCH*PATCH*3]."""
    count = image.shape[1] - (PATCH - 1) * stride
    columns = np.arange(count)[:, None] + stride * np.arange(PATCH)
    rows = row + stride * np.arange(PATCH)
    return image[rows][:, columns].transpose(1, 0, 2, 3).reshape(count, -1)


class TokenMaps:
    """The tokens of the photograph at every pixel offset, fine and coarse, [x, y]."""

    def __init__(self, image, codebook):
        self.shape = image.shape[1], image.shape[0]
        self.fine = self._quantise(image, codebook, 1)
        self.coarse = self._quantise(box_filter(image, COARSE), codebook, COARSE)

    @staticmethod
    def _quantise(image, codebook, stride):
        rows = image.shape[0] - (PATCH - 1) * stride
        return np.stack([nearest(codebook, all_patches(image, stride, y)) for y in range(rows)], 1)

    def clip(self, origin, shape):
        """The frames of a pan that starts at pixel `origin`: fine and coarse tokens."""
        frames, width, height = shape
        xs = origin[0] + PATCH * np.arange(width)
        ys = origin[1] + PATCH * np.arange(height)
        fine, coarse = [], []
        for t in range(frames):
            moved = xs + PAN * t
            fine.append(self.fine[np.ix_(moved, ys)])
            coarse.append(self.coarse[np.ix_(moved[::COARSE], ys[::COARSE])])
        return np.stack(fine), np.stack(coarse)

    def random_origin(self, rng, shape):
        """An origin inside the photograph whose patch grid the example's frames do not share."""
        frames, width, height = shape
        last_x = self.shape[0] - PATCH * width - PAN * (frames - 1)
        last_y = self.shape[1] - PATCH * height
        while True:
            origin = int(rng.integers(last_x + 1)), int(rng.integers(last_y + 1))
            if (origin[1] - TEST_ORIGIN[1]) % PATCH:
                return origin


def random_mask(rng, shape, share):
    """Which cells are absent: random ellipses, new in each frame, until `share` is covered."""
    frames, width, height = shape
    x, y = np.meshgrid(np.arange(width), np.arange(height), indexing="ij")
    mask = np.zeros(shape, bool)
    for t in range(frames):
        while mask[t].mean() < share:
            radius, stretch = rng.uniform(1.0, 3.5), rng.uniform(0.7, 1.4)
            cx, cy = rng.uniform(0, width), rng.uniform(0, height)
            mask[t] |= ((x - cx) * stretch) ** 2 + ((y - cy) / stretch) ** 2 < radius**2
    return mask


def decode(codebook, tokens):
    """The picture of one frame of tokens, [y, x, colour] uint8; absent cells are dark grey."""
    width, height = tokens.shape
    codes = np.concatenate([codebook, np.full((1, codebook.shape[1]), 40.0)])
    patches = codes[tokens].reshape(width, height, PATCH, PATCH, 3)
    picture = patches.transpose(1, 2, 0, 3, 4).reshape(height * PATCH, width * PATCH, 3)
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8)

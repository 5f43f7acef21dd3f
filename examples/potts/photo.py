"""The photograph, its noise, and pictures of labels.

    python photo.py prepare                      writes Image.npy and the levels in bindings.json
    python photo.py draw ICM.npy GIBBS.npy F.png     noisy, both results and the original, and how near

The photograph is a part of scikit-learn's `flower.jpg` in grey; arrays are indexed [x, y], as the
program's `Image[x,y]` is.
"""

import json
import pathlib
import re
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
NOISE = 20  # standard deviation, in grey levels of 0..255


def photograph():
    """The original, whole numbers from 0 to 255."""
    from sklearn.datasets import load_sample_image

    grey = load_sample_image("flower.jpg").astype(float).mean(2)
    halved = grey[:426].reshape(213, 2, 320, 2).mean((1, 3))
    return np.rint(halved[5:205, 60:300]).astype(np.int16).T


def add_noise(original):
    noise = np.random.default_rng(0).normal(0, NOISE, original.shape)
    return np.clip(np.rint(original + noise), 0, 255).astype(np.uint8)


def levels(original, count):
    """Evenly spaced levels of grey over what the photograph has."""
    ends = int(original.min()), int(original.max())
    half = (ends[1] - ends[0]) / count / 2
    return np.rint(np.linspace(ends[0] + half, ends[1] - half, count)).astype(int).tolist()


def bindings():
    return json.loads((HERE / "bindings.json").read_text())


def nearness(picture, original):
    """The ratio of peak signal to noise, in decibels."""
    return 10 * np.log10(255**2 / ((picture - original.astype(float)) ** 2).mean())


def prepare():
    original = photograph()
    np.save(HERE / "Image.npy", add_noise(original))
    path, listed = HERE / "bindings.json", json.dumps(levels(original, bindings()["sizes"]["Q"]))
    path.write_text(re.sub(r'(?<="level": )\[[^]]*\]', listed, path.read_text()))


def draw(icm, gibbs, path):
    from PIL import Image

    original, level = photograph(), np.array(bindings()["params"]["level"])
    noisy = np.load(HERE / "Image.npy")
    fitted = level[np.abs(noisy[..., None] - level).argmin(-1)]
    shown = {"noisy": noisy, "nearest level": fitted, "ICM": level[icm], "Gibbs": level[gibbs]}
    for name, picture in shown.items():
        print(f"{name:14} {nearness(picture, original):.1f} dB")
    del shown["nearest level"]
    parts = [np.pad(picture, ((0, 6), (0, 0)), constant_values=255)
             for picture in [*shown.values(), original]]
    grey = np.clip(np.concatenate(parts)[:-6].T, 0, 255).astype(np.uint8)
    Image.fromarray(grey).quantize(64).save(path, optimize=True)


if __name__ == "__main__":
    if sys.argv[1] == "prepare":
        prepare()
    else:
        draw(np.load(sys.argv[2]), np.load(sys.argv[3]), sys.argv[4])

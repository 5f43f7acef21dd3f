"""Makes the example's data from the photograph: codebook, frames, mask, coarse picture, caption.

    python prepare.py

writes codebook.npy, truth.npy, Vid.npy (-1 where masked), Coarse.npy and Txt.npy beside this file,
and the palette "blue-ish" into bindings.json.
"""

import json
import re

import numpy as np
from sklearn.cluster import MiniBatchKMeans

from caption import BytePairs, describe
from photo import (HERE, PATCH, TEST_ORIGIN, TokenMaps, all_patches, bindings, photograph,
                   random_mask, sizes)

MASKED_SHARE = 0.35
SAMPLES = 60000


def learn_codebook(image, size):
    """k-means over patches from all over the photograph, sorted from dark to bright."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, image.shape[0] - 8, 240)
    patches = np.concatenate([all_patches(image, 1, row) for row in rows])
    patches = patches[rng.permutation(len(patches))[:SAMPLES]]
    means = MiniBatchKMeans(size, random_state=0, batch_size=4096, n_init=1, max_iter=60)
    codes = means.fit(patches).cluster_centers_
    codes = codes[np.argsort(codes.mean(1), kind="stable")]
    return np.clip(np.rint(codes), 0, 255).astype(np.uint8)


def blue_ish(codebook):
    """The bright tokens that are clearly bluer than red."""
    red, _, blue = codebook.astype(np.float32).reshape(len(codebook), -1, 3).mean(1).T
    return [int(token) for token in np.flatnonzero((blue - red >= 12) & (blue >= 200))]


def write_palette(tokens):
    """Puts the palette into bindings.json, whose layout stays as it is."""
    path = HERE / "bindings.json"
    listed = json.dumps({"blue-ish": tokens})
    path.write_text(re.sub(r'(?<="palettes": )\{[^}]*\}', listed, path.read_text()))


def main():
    image, shape = photograph(), sizes()
    codebook = learn_codebook(image, bindings()["sizes"]["VQ"])
    maps = TokenMaps(image, codebook.astype(np.float32))
    truth, coarse = maps.clip(TEST_ORIGIN, shape)
    mask = random_mask(np.random.default_rng(5), shape, MASKED_SHARE)
    text = describe(codebook.astype(np.float32), truth)
    np.save(HERE / "codebook.npy", codebook.reshape(-1, PATCH, PATCH, 3))
    np.save(HERE / "truth.npy", truth.astype(np.int16))
    np.save(HERE / "Vid.npy", np.where(mask, -1, truth).astype(np.int16))
    np.save(HERE / "Coarse.npy", coarse.astype(np.int16))
    np.save(HERE / "Txt.npy", BytePairs().encode(text).astype(np.int16))
    write_palette(blue_ish(codebook))
    print(f'caption "{text}", {mask.mean():.1%} of {mask.size} cells masked')


if __name__ == "__main__":
    main()

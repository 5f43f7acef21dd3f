"""The language's draws once more, in NumPy, from docs/semantics.md section 5: Philox4x32-10, and what
a draw at a cell is made of."""

import numpy as np

LOW = np.uint64(0xFFFFFFFF)
MULTIPLIERS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
STEPS = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


def philox(counter, key):
    """Four words for each counter: arrays of uint64 below 2^32."""
    a, b, c, d = (np.asarray(word, np.uint64) for word in counter)
    k, m = (np.uint64(word) for word in key)
    for _ in range(10):
        left, right = MULTIPLIERS[0] * a, MULTIPLIERS[1] * c
        a, b, c, d = ((right >> np.uint64(32)) ^ b ^ k, right & LOW,
                      (left >> np.uint64(32)) ^ d ^ m, left & LOW)
        k, m = (k + STEPS[0]) & LOW, (m + STEPS[1]) & LOW
    return a, b, c, d


def stream_key(declaration, ordinal, seed):
    words = philox((declaration, ordinal, 0, 0), (seed & 0xFFFFFFFF, seed >> 32))
    return int(words[0]), int(words[1])


def cell_numbers(shape, halved=False):
    """The number of each cell; `halved` where a phase has every second cell of a row."""
    length, rank = shape[-1], np.arange(shape[-1])
    if halved:
        length, rank = (length + 1) // 2, rank // 2
    rows = np.arange(int(np.prod(shape[:-1]))).reshape(*shape[:-1], 1)
    return (rows * 32 * ((length + 31) // 32) + rank).astype(np.uint64)


def threshold_draws(key, numbers, epoch, phase):
    """The 32 bits that `bernoulli` and `sample` compare, for each cell."""
    total = np.zeros_like(numbers)
    for block in range(8):
        counter = (np.zeros_like(numbers), numbers >> np.uint64(5), np.uint64(epoch),
                   np.uint64(16 * phase + block))
        for word in philox(np.broadcast_arrays(*counter), key):
            bit = (word >> (numbers & np.uint64(31))) & np.uint64(1)
            total = (total << np.uint64(1)) | bit
    return total


def threshold(probability):
    """Below which of the 2^32 draws an event of this probability happens."""
    share = np.clip(np.asarray(probability).astype(np.float64), 0, 1)
    return np.ceil(share * 2.0**32).astype(np.uint64)

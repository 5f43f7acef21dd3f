"""Trains the automaton and writes weights.safetensors: some minutes.

    python train.py            both stages
    python train.py heal       the second stage, from the weights that there are

From a pool of states, some of them seeds, some damaged, each iteration runs a batch for some 30
to 45 steps, compares what is seen with the flower, and goes back through all the steps. So the
automaton learns to grow and to stay; and in a second stage, from much damage, to heal.
"""

import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from flower import CHANNELS, SIDE, flower, seed  # noqa: E402
from kit.exact import load_weights, save_weights  # noqa: E402
from kit.training import Adam  # noqa: E402

HIDDEN = 64
POOL = 96
BATCH = 6
GROW = 1800  # iterations of each stage
HEAL = 1300
SOBEL = np.outer([1, 2, 1], [-1, 0, 1]).astype(np.float32) / 8  # [across, along]


def slope(cells, axis):
    """The slope along x (1) or y (2) of [n, x, y, channel]; beyond the border is nothing."""
    padded = np.pad(cells, ((0, 0), (1, 1), (1, 1), (0, 0)))
    total = np.zeros_like(cells)
    for dx in range(3):
        for dy in range(3):
            factor = SOBEL[dy, dx] if axis == 1 else SOBEL[dx, dy]
            if factor:
                total += factor * padded[:, dx : dx + SIDE, dy : dy + SIDE]
    return total


def step(weights, cells, fires):
    """One epoch; also what the way back needs."""
    seen = np.concatenate([cells, slope(cells, 1), slope(cells, 2)], -1)
    hidden = np.maximum(seen @ weights["W1"].T + weights["b1"], 0)
    return cells + fires * (hidden @ weights["W2"].T), seen, hidden


def step_back(weights, gradient, total, seen, hidden, fires):
    """Adds to the weights' gradients; returns the gradient of the cells before the step."""
    update = gradient * fires
    back = (update @ weights["W2"]) * (hidden > 0)
    flat = back.reshape(-1, HIDDEN)
    total["W2"] += update.reshape(-1, CHANNELS).T @ hidden.reshape(-1, HIDDEN)
    total["W1"] += flat.T @ seen.reshape(-1, 3 * CHANNELS)
    total["b1"] += flat.sum(0)
    into, along_x, along_y = np.split(back @ weights["W1"], 3, axis=-1)
    return gradient + into - slope(along_x, 1) - slope(along_y, 2)  # a slope's transpose is its minus


def cut_discs(rng, cells):
    """Sets the cells inside of a random disc of each state to zero."""
    x, y = np.indices((SIDE, SIDE))
    for state in cells:
        cx, cy = rng.uniform(0.25, 0.75, 2) * SIDE
        state[(x - cx) ** 2 + (y - cy) ** 2 < rng.uniform(3, 7) ** 2] = 0


def cut_sides(rng, cells):
    """Sets the cells of each state beyond a random line, which spares the middle, to zero."""
    x, y = np.indices((SIDE, SIDE)) - SIDE // 2
    for state in cells:
        angle = rng.uniform(0, 2 * np.pi)
        state[x * np.cos(angle) + y * np.sin(angle) > rng.uniform(0.5, 5)] = 0


def iterate(rng, weights, cells, steps):
    """The gradients of one batch, its states after the steps, and their distances."""
    trail = []
    for _ in range(steps):
        fires = (rng.random((*cells.shape[:3], 1)) < 0.5).astype(np.float32)
        cells, seen, hidden = step(weights, cells, fires)
        trail.append((seen, hidden, fires))
    gradient = np.zeros_like(cells)
    gradient[..., :4] = cells[..., :4] - flower()
    gradient += 0.05 * (cells - np.clip(cells, -2, 2))
    distances = ((cells[..., :4] - flower()) ** 2).mean((1, 2, 3))
    total = {name: np.zeros_like(array) for name, array in weights.items()}
    for seen, hidden, fires in reversed(trail):
        gradient = step_back(weights, gradient, total, seen, hidden, fires)
    return {n: g / (np.linalg.norm(g) + 1e-8) for n, g in total.items()}, cells, distances


def initial(rng):
    weights = {"W1": rng.normal(0, (1 / CHANNELS / 3) ** 0.5, (HIDDEN, 3 * CHANNELS)),
               "b1": np.zeros(HIDDEN), "W2": np.zeros((CHANNELS, HIDDEN))}
    return {name: array.astype(np.float32) for name, array in weights.items()}


def spoil(rng, states, heals):
    """Damages the best states of a batch, which stand last."""
    cut_discs(rng, states[-2:])
    if heals:
        cut_sides(rng, states[1:-2])


def train(rng, weights, iterations, heals):
    """One stage, in place; damage begins after a quarter of the first stage."""
    adam, pool = Adam(weights, iterations, peak=1e-3 if heals else 2e-3), np.stack([seed()] * POOL)
    distances = np.zeros(POOL)
    while adam.step < iterations:
        chosen = rng.choice(POOL, BATCH, replace=False)
        chosen = chosen[np.argsort(-distances[chosen])]
        states = pool[chosen]
        states[0] = seed()
        if adam.step > (100 if heals else iterations // 4):
            spoil(rng, states, heals)
        gradient, after, found = iterate(rng, weights, states, rng.integers(30, 46))
        if np.isfinite(after).all():
            adam.update(weights, gradient)
            pool[chosen], distances[chosen] = after, found
        if adam.step % 100 == 0:
            print(f"iteration {adam.step}: distance {found.mean():.4f}", flush=True)


def main():
    path = HERE / "weights.safetensors"
    if sys.argv[1:] == ["heal"]:
        weights = {name: array.copy() for name, array in load_weights(path).items()}
    else:
        rng = np.random.default_rng(11)
        weights = initial(rng)
        train(rng, weights, GROW, heals=False)
        save_weights(path, weights)
    train(np.random.default_rng(12), weights, HEAL, heals=True)
    save_weights(path, weights)


if __name__ == "__main__":
    main()

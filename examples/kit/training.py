"""What training a small network by hand needs: Adam, and the gradient of a look-up."""

import numpy as np


def scatter_rows(shape, rows, values):
    """A zero array to whose `rows` the rows of `values` are added."""
    order = np.argsort(rows, kind="stable")
    unique, starts = np.unique(rows[order], return_index=True)
    total = np.zeros(shape, np.float32)
    total[unique] = np.add.reduceat(values[order], starts, 0)
    return total


class Adam:
    """Adam with the usual constants; the rate falls linearly to almost nothing."""

    def __init__(self, weights, steps, peak=2e-3):
        self.steps, self.step, self.peak = steps, 0, peak
        self.mean = {name: np.zeros_like(array) for name, array in weights.items()}
        self.square = {name: np.zeros_like(array) for name, array in weights.items()}

    def update(self, weights, gradient):
        self.step += 1
        rate = self.peak * max(0.01, 1 - self.step / self.steps)
        rate *= (1 - 0.99**self.step) ** 0.5 / (1 - 0.9**self.step)
        for name, array in weights.items():
            self.mean[name] += 0.1 * (gradient[name] - self.mean[name])
            self.square[name] += 0.01 * (gradient[name] ** 2 - self.square[name])
            array -= rate * self.mean[name] / (np.sqrt(self.square[name]) + 1e-8)

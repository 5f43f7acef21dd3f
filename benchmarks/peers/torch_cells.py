"""A peer in PyTorch whose state is one array of cells."""

from protocol import serve

import torch

torch.set_num_threads(1)


class Cells:
    """Runs `step(cells)`, which gives the cells an epoch later."""

    def __init__(self, step):
        self.step = step

    def load(self, cells):
        self.cells = torch.from_numpy(cells)

    def save(self):
        return self.cells.numpy()

    @torch.inference_mode()
    def run(self, first, last):
        for _ in range(first, last):
            self.cells = self.step(self.cells)


def serve_cells(step, dtype, shape):
    """Does what the harness says until it says no more."""
    serve(Cells(step), dtype, shape)

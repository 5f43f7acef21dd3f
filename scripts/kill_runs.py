#!/usr/bin/python3
"""Kills a run that writes checkpoints, again and again, and sees that nothing is lost.

A program runs once without a break. Then it runs with a checkpoint every few epochs and is killed
(SIGKILL) at a random moment, resumed, killed again, until --kills times altogether
have hit it. After each kill the checkpoint must be whole and not older than the one before. No other
file may lie beside it, but for one that had been about to take its place: that is whole, the run goes on
from it as well, and the next run removes it. At the end the state must be that of the run without a
break, bit for bit.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ["examples/ising/ising.lmpm", "--set", "W=256", "--set", "H=256", "--seed", "5", "--quiet"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="the build's folder")
    parser.add_argument("--kills", type=int, default=1000, help="how often a run is killed")
    parser.add_argument("--epochs", type=int, default=2000, help="how long the run is")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    return parser.parse_args()


class Runs:
    """One run, in as many pieces as it takes."""

    def __init__(self, arguments, folder):
        self.tool = SOURCE / arguments.build / "bin/lmpm-run"
        self.folder, self.epochs = folder, arguments.epochs
        self.random = random.Random(arguments.seed)

    def command(self, output, *flags):
        return [self.tool, *PROGRAM, "--epochs", str(self.epochs), "--output",
                f"Spin={self.folder / output}", *flags]

    def whole(self):
        """How long the run takes without a break."""
        start = time.monotonic()
        subprocess.run(self.command("whole.npy"), cwd=SOURCE, check=True)
        return time.monotonic() - start

    def piece(self, moment):
        """Starts or goes on, and kills after so many seconds; whether it came to its end before."""
        checkpoint = self.folder / "c"
        resume = ["--resume", checkpoint] if checkpoint.exists() else []
        with subprocess.Popen(self.command("pieces.npy", "--checkpoint", checkpoint,
                                           "--checkpoint-every", "7", *resume),
                              cwd=SOURCE, stderr=subprocess.PIPE, text=True) as run:
            try:
                said = run.communicate(timeout=moment)[1]
            except subprocess.TimeoutExpired:
                run.kill()
                run.communicate()
                return False
        if run.returncode != 0:
            sys.exit(f"a run that was not killed failed: {said}")
        return True

    def epoch(self):
        """The epoch of the checkpoint: the number after its magic, version and digest."""
        data = (self.folder / "c").read_bytes() if (self.folder / "c").exists() else b""
        return int.from_bytes(data[48:56], "little") if data else 0


    def goes_on_from(self, checkpoint):
        """Whether the run comes to its end from that one."""
        subprocess.run(self.command("other.npy", "--resume", checkpoint), cwd=SOURCE, check=True)
        other, whole = self.folder / "other.npy", self.folder / "whole.npy"
        same = other.read_bytes() == whole.read_bytes()
        other.unlink()
        return same


def check_folder(runs, kill, before):
    """Nothing half-written is left, nor anything of `before`. What is left."""
    left = {path for path in runs.folder.iterdir()
            if path.name not in {"c", "whole.npy", "pieces.npy"}}
    if left & before:
        sys.exit(f"kill {kill}: expected what was left to be removed, but got {left & before}")
    for path in left:
        if not re.fullmatch(r"c\.tmp\d+", path.name) or not runs.goes_on_from(path):
            sys.exit(f"kill {kill}: expected no other files, but got '{path.name}'")
    return left


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as name:
        runs = Runs(arguments, pathlib.Path(name))
        seconds = runs.whole()
        kills = ends = last = 0
        left = set()
        while kills < arguments.kills:
            is_over = runs.piece(runs.random.uniform(0, 0.5 + seconds / 20))
            kills += not is_over
            epoch = runs.epoch()
            # A run that was killed before it wrote anything may not have come to remove anything.
            left = check_folder(runs, kills, left if epoch > last or is_over else set())
            if epoch < last:
                sys.exit(f"kill {kills}: the checkpoint went back from epoch {last} to {epoch}")
            last = epoch
            if is_over:
                if (runs.folder / "pieces.npy").read_bytes() != \
                        (runs.folder / "whole.npy").read_bytes():
                    sys.exit(f"kill {kills}: another state than without a break")
                ends += 1
                last = 0
                (runs.folder / "c").unlink()
        while ends == 0 and not runs.piece(None):
            pass
        if (runs.folder / "pieces.npy").read_bytes() != (runs.folder / "whole.npy").read_bytes():
            sys.exit("another state than without a break")
    print(f"{kills} kills, {max(ends, 1)} runs came to their end: the same bits, nothing lost")


if __name__ == "__main__":
    main()

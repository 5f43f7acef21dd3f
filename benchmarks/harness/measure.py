"""Checks a contest, then lets its contestants take turns."""

import math

import numpy

from harness import contestants


def check_ours(contest, ours):
    """Compares compiled code with the interpreter, tick by tick, at a small size."""
    ours.call(*contest.check_arguments, f"--epochs={min(contest.check_epochs, 4)}", "--check")


def differences(mine, others, tolerance):
    """The observations that differ by more than a tolerance; finite numbers are compared."""
    return [f"{name}: expected {mine[name]:.6g}, but got {others[name]:.6g}" for name in mine
            if not math.isclose(mine[name], others[name], rel_tol=tolerance, abs_tol=tolerance)]


def check_others(contest, ours, others, cells):
    """Compares the cells of the others with ours: equal, or alike in what is observed."""
    ours.load(cells)
    mine = ours.after(contest.check_epochs).astype(contest.dtype)
    for other in others:
        other.load(cells)
        other.run(0, contest.check_epochs)
        found = other.save(mine)
        if other.name in contest.exact:
            if not numpy.array_equal(mine, found):
                raise contestants.Failure(f"{other.name} and ours differ in "
                                          f"{int((mine != found).sum())} of {mine.size} cells")
            continue
        wrong = differences(contest.observe(mine), contest.observe(found), contest.tolerance)
        if wrong:
            raise contestants.Failure(f"{other.name} and ours differ: {'; '.join(wrong)}")


def take_turns(contest, everyone, cells, repeats):
    """Units per second of each, one sample of each in turn, after one that warms up."""
    rates = {one.name: [] for one in everyone}
    for one in everyone:
        one.load(cells)
    for turn in range(repeats + 1):
        for one in everyone:
            seconds = one.run(turn * contest.epochs, (turn + 1) * contest.epochs)
            if turn > 0:
                rates[one.name].append(contest.work * contest.epochs / seconds)
    return rates

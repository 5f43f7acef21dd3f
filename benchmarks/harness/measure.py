"""Checks a contest, then lets its contestants take turns."""

import math

import numpy

from harness import contestants

OPERATIONS = 1 << 20  # of an epoch of hand/limits.cpp


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
        if other.name in (*contest.exact, contestants.Before.name):
            if not numpy.array_equal(mine, found):
                raise contestants.Failure(f"{other.name} and ours differ in "
                                          f"{int((mine != found).sum())} of {mine.size} cells")
            continue
        wrong = differences(contest.observe(mine), contest.observe(found), contest.tolerance)
        if wrong:
            raise contestants.Failure(f"{other.name} and ours differ: {'; '.join(wrong)}")


class Turns:
    """How many epochs one contestant runs in a turn, at most, and where it stands."""

    def __init__(self, one, epochs, most):
        self.one = one
        self.epochs = epochs
        self.most = most
        self.first = 0

    def take(self):
        """The next turn; its seconds."""
        last = self.first + self.epochs
        seconds = self.one.run(self.first, last)
        self.first = last
        return seconds

    def last_for(self, seconds):
        """A turn that may compile and that warms up, then more epochs until a turn takes about so
        long: what is done once for a turn would make a guess from a short one too low."""
        self.take()
        for _ in range(4):
            taken = self.take()
            self.epochs = min(max(1, round(self.epochs * seconds / taken)), self.most)
            if taken > 0.7 * seconds:
                break


def take_turns(contest, everyone, cells, repeats, seconds=2.0):
    """Units per second of each, one sample of each in turn, each of about so many seconds: short
    ones would be the time of first touches, slow ones those of whoever is slow. An epoch of a limit
    is so many operations."""
    def work_of(one):
        needed = contest.limits.get(one.name)
        return contest.work * OPERATIONS / needed if needed else contest.work

    turns = []
    for one in everyone:
        one.load(cells)
        turns.append(Turns(one, contest.epochs, contest.most_epochs))
        turns[-1].last_for(seconds)
    rates = {one.name: [] for one in everyone}
    for _ in range(repeats):
        for turn in turns:
            taken = turn.take()
            rates[turn.one.name].append(work_of(turn.one) * turn.epochs / taken)
    return rates

"""Scratch of launch plans: buffers that are never needed together share memory, and those that are do not. How
long each is needed is found here anew, from nothing but the steps of a plan."""

import pathlib
import re
import sys
from dataclasses import dataclass, field

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(SCRIPTS))
from small_examples import PROGRAMS, arguments  # noqa: E402

# Memory is given in such pieces, by drivers too.
PIECE = 256


@dataclass
class View:
    """A part of an allocation, and the numbers of the steps from which and up to which it is needed."""
    arena: str
    start: int
    bytes: int
    begin: int
    loops: tuple
    end: int = 0

    def meets(self, other):
        return self.begin <= other.end and other.begin <= self.end

    def overlaps(self, other):
        return (self.arena == other.arena and self.start < other.start + other.bytes
                and other.start < self.start + self.bytes)


@dataclass
class Steps:
    """A plan, line by line."""
    sizes: dict = field(default_factory=dict)    # bytes of allocations, by their registers
    views: dict = field(default_factory=dict)    # by their registers
    names: list = field(default_factory=list)    # (register, another one whose array it may be)
    uses: list = field(default_factory=list)     # (step, register, the loops around)
    ends: dict = field(default_factory=dict)     # the last step of each loop, by its first one


def read(lines):
    steps, regions = Steps(), []
    for number, line in enumerate(lines):
        loops = tuple(begin for kind, begin in regions if kind == "loop")
        if found := re.match(r"(%\d+) = allocate (\d+)", line):
            steps.sizes[found[1]] = int(found[2])
        elif found := re.match(r"(%\d+) = view (%\d+) (\d+) (\d+)", line):
            steps.views[found[1]] = View(found[2], int(found[3]), int(found[4]), number, loops)
        elif found := re.match(r"(%\d+) = (?:move.64|select.64)(.*)", line):
            steps.names += [(found[1], word) for word in found[2].split()]
        elif line.startswith("launch"):
            steps.uses += [(number, word, loops) for word in line.split() if word[0] == "%"]
        elif line.startswith(("loop ", "if ")):
            regions.append((line.split()[0], number))
        elif line == "end" and regions:
            kind, begin = regions.pop()
            steps.ends[begin] = number
    return steps


def arrays_of(steps):
    """The views whose address each register may have."""
    arrays = {register: {register} for register in steps.views}
    grown = True
    while grown:
        grown = False
        for register, other in steps.names:
            new = arrays.get(other, set()) - arrays.get(register, set())
            grown |= bool(new)
            arrays.setdefault(register, set()).update(new)
    return arrays


def find_lives(steps):
    """The views, with the steps at which they are needed for the last time."""
    arrays = arrays_of(steps)
    for number, register, loops in steps.uses:
        for name in arrays.get(register, ()):
            view = steps.views[name]
            assert number > view.begin, "needed before its life begins"
            around = [loop for loop in loops if loop not in view.loops]
            view.end = max([view.end, number] + [steps.ends[loop] for loop in around])
    return list(steps.views.values())


def pieces(size):
    return (size + PIECE - 1) // PIECE * PIECE


def bound_of(views):
    """The most that is needed at any time."""
    return max((sum(pieces(view.bytes) for view in views if view.begin <= at.begin <= view.end) for at in views),
               default=0)


def plans_of(text):
    return [read([line.strip() for line in plan.splitlines()])
            for plan in re.split(r"^plan .*$", text, flags=re.M)[1:]]


def translate(tools, program):
    return tools.run("lmpm-translate", "--lci-to-plan", *arguments(program)).stdout


def scratch(steps):
    """(bytes if nothing were shared, bytes that are needed at one time, bytes of the arena)."""
    views = find_lives(steps)
    for number, view in enumerate(views):
        assert view.start % PIECE == 0 and view.start + view.bytes <= steps.sizes[view.arena]
        for other in views[:number]:
            assert not (view.meets(other) and view.overlaps(other))
    return sum(view.bytes for view in views), bound_of(views), sum(steps.sizes.values())


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_the_arena_is_as_large_as_must_be(tools, program):
    for steps in plans_of(translate(tools, program)):
        _, needed, allocated = scratch(steps)
        assert allocated <= 1.1 * needed


def test_figures_in_the_documentation(tools):
    """docs/gpu.md has a row for each example that shares memory."""
    page = (SCRIPTS.parent / "docs/gpu.md").read_text()
    written = {name: (int(alone.replace(",", "")), int(arena.replace(",", ""))) for name, alone, arena in
               re.findall(r"^\| `(\S+)` \| ([\d,]+) \| ([\d,]+) \|", page, re.M)}
    found = {}
    for program in PROGRAMS:
        sums = [scratch(steps) for steps in plans_of(translate(tools, program))]
        alone, arena = sum(each[0] for each in sums), sum(each[2] for each in sums)
        if arena < alone:
            found[program.stem] = (alone, arena)
    assert found == written


PLAN = """
%1 = allocate 1024
%2 = view %1 0 512
loop %9 0 %0 1
{first}
launch k blocks 1 1 1 threads 1 1 1 {operands}
end
end
"""


@pytest.mark.parametrize("first, operands, needed", (
    ("%3 = view %1 512 512", "%3", 512),        # the first one is never needed
    ("%3 = view %1 512 512", "%2 %3", 1024),    # both in each iteration
    ("%3 = move.64 %2", "%3", 512)))            # another name
def test_lives_are_found(first, operands, needed):
    steps = read(PLAN.format(first=first, operands=operands).split("\n")[1:-1])
    assert bound_of(find_lives(steps)) == needed


def test_a_buffer_of_all_iterations_is_seen_where_another_one_begins():
    steps = read(PLAN.format(first="launch k blocks 1 1 1 threads 1 1 1 %2\n%3 = view %1 256 256",
                             operands="%3").split("\n")[1:-1])
    with pytest.raises(AssertionError):
        scratch(steps)


def test_all_views_are_seen(tools):
    """Of the video example, that is, which has the most."""
    video = next(program for program in PROGRAMS if program.stem == "video")
    alone, _, arena = scratch(plans_of(translate(tools, video))[0])
    assert alone > 2 * arena > 0

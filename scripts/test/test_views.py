"""Pictures of what programs say: every example draws, phases are those of its schedule, and the
pictures in docs/images are what the commands beside them make.
"""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(SCRIPTS))
from small_examples import EXAMPLES, PROGRAMS, arguments  # noqa: E402

SOURCE = SCRIPTS.parent
SVG = "{http://www.w3.org/2000/svg}"
# The phase of a cell by the words of docs/semantics.md.
STRATEGIES = {
    "all": lambda cell, extents: 0,
    "confidence": lambda cell, extents: 0,
    "masked": lambda cell, extents: 0,
    "random": lambda cell, extents: 0,
    "red_black": lambda cell, extents: sum(cell) % 2,
    "wavefront": lambda cell, extents: sum(cell),
}


def row_major(cell, extents):
    number = 0
    for index, extent in zip(cell, extents):
        number = number * extent + index
    return number


STRATEGIES["raster"] = row_major


def draw(tools, view, program, *more):
    said = tools.run("lmpm-translate", "--lci-to-svg", f"--view={view}", *arguments(program), *more)
    return ElementTree.fromstring(said.stdout)


def texts(picture):
    return [element.text or "" for element in picture.iter(SVG + "text")]


def titles(picture):
    return [element.text for element in picture.iter(SVG + "title")]


@pytest.mark.parametrize("view", ["visibility", "schedule", "constraints"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_every_example_draws(tools, program, view):
    text = (EXAMPLES / program).read_text()
    if view == "constraints" and not re.search(r"^constraint", text, re.M):
        said = tools.run("lmpm-translate", "--lci-to-svg", "--view=constraints", *arguments(program),
                         check=False)
        assert said.returncode == 1 and not said.stdout
        assert "error: expected a constraint on cells to draw, but found none" in said.stderr
        return
    picture = draw(tools, view, program)
    assert texts(picture)[0].startswith(f"{program.stem}: ")
    assert len(titles(picture)) > 1
    width, height = int(picture.get("width")), int(picture.get("height"))
    for box in picture.iter(SVG + "rect"):
        assert int(box.get("x")) + int(box.get("width")) <= width
        assert int(box.get("y")) + int(box.get("height")) <= height


def test_a_picture_says_what_it_leaves_out(tools):
    words = texts(draw(tools, "visibility", pathlib.Path("sudoku/sudoku.lmpm"), "--view-window=4"))
    assert "shown: b 3..5, r 2..5, c 2..5 of 8×9×9, less empty slices" in words
    assert "10 more cells are read outside of what is shown" in words
    words = texts(draw(tools, "visibility", pathlib.Path("graph/majority.lmpm")))
    assert any(word.endswith("when … (gathered: any of these)") for word in words)


def panels(words):
    """Of each panel of a schedule: value, strategy, extents, number of phases, counts it names."""
    found = []
    for word in words:
        if heading := re.fullmatch(r"(\w+): (\w+)( in tiles of [\d×]+)?( from phase \d+ on)?", word):
            found.append([heading[1], heading[2], None, 0, {}])
        elif size := re.fullmatch(r"([\d×]+) cells, (\d+) phases? an epoch", word):
            found[-1][2:4] = [int(extent) for extent in size[1].split("×")], int(size[2])
        elif count := re.fullmatch(r"phase (\d+): (\d+) cells?", word):
            found[-1][4][int(count[1])] = int(count[2])
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_cells_per_phase_are_the_schedules(tools, program):
    picture = draw(tools, "schedule", program, "--view-window=200")
    shown = collections.defaultdict(dict)
    for title in titles(picture):
        value, cell, phase = re.fullmatch(r"(\w+)\[([\d, ]*)\]: phase (\d+)", title).groups()
        shown[value][tuple(int(index) for index in cell.split(","))] = int(phase)
    found = panels(texts(picture))
    assert found
    for value, strategy, extents, number, counts in found:
        cells = shown[value]
        assert strategy in STRATEGIES or strategy in {"four_color", "recolor"}
        if strategy in STRATEGIES:
            assert all(STRATEGIES[strategy](cell, extents) == phase for cell, phase in cells.items())
        total = 1
        for extent in extents:
            total *= extent
        if number <= 8:
            assert sum(counts.values()) == total
        if len(cells) == total:
            phases = collections.Counter(cells.values())
            assert len(phases) <= number
            assert all(phases[phase] == count for phase, count in counts.items())


def test_pictures_of_the_documentation_are_up_to_date(tools):
    text = (SOURCE / "docs" / "running.md").read_text()
    commands = re.findall(r"^lmpm-translate (--lci-to-svg .*?) -o (\w+\.svg)", text, re.M)
    assert len(commands) == 3
    for words, name in commands:
        picture = tools.run("lmpm-translate", *words.split(), cwd=SOURCE).stdout
        assert picture == (SOURCE / "docs" / "images" / name).read_text(), \
            f"docs/images/{name} is out of date: make it with the command in docs/running.md"
        assert f"](images/{name})" in text

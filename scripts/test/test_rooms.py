"""A room has one name in include/LCI, lib and test, and as a library; arrows between rooms point down.

A room is a folder with a Passes.td. docs/architecture.md names every pass, in a row of its room.
"""

import pathlib
import re
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "scripts"))
import house  # noqa: E402

INCLUDE = SOURCE / "include/LCI"
ROOMS = sorted(str(file.parent.relative_to(INCLUDE)) for file in INCLUDE.rglob("Passes.td"))
PASS = re.compile(r'def \w+Pass : \w+<"([\w-]+)"')
INCLUDED = re.compile(r'^#include "(?:LCI/)?([^"]+)"', re.M)


def files_of(folder, *suffixes):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", folder], cwd=SOURCE, check=True,
                            capture_output=True, text=True).stdout
    return [SOURCE / name for name in listed.splitlines()
            if name.endswith(suffixes) and (SOURCE / name).is_file()]


def order(cmake):
    """The folders that a CMakeLists.txt adds, in its order."""
    return re.search(r"foreach\(room ([\w\s]+)\)", (SOURCE / cmake).read_text()).group(1).split()


def all_rooms():
    """Every room of lib, from the bottom up; those inside of another one stand below it."""
    rooms = []
    for name in order("lib/CMakeLists.txt"):
        inner = order(f"lib/{name}/CMakeLists.txt") if name in ("Transforms", "Conversion") else []
        rooms += [f"{name}/{room}" for room in inner] or [name]
    return rooms


BOTTOM_UP = all_rooms()


def room_of(path):
    """The room of a path below lib or include/LCI: its one or two first folders; None for a header above them."""
    for length in (2, 1):
        name = "/".join(path.split("/")[:length])
        if name in BOTTOM_UP:
            return name
    return None


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_one_name(room):
    library = "LCI" + room.replace("Conversion/", "").replace("/", "")
    assert f"lci_library({library} SOURCES" in (SOURCE / "lib" / room / "CMakeLists.txt").read_text()
    assert (SOURCE / "test" / room).is_dir()


def test_nothing_is_loose():
    loose = [file for room in ("Transforms", "Conversion") for file in files_of(f"lib/{room}", ".cpp", ".h")
             if file.parent.name == room]
    assert not loose


@pytest.mark.parametrize("room", BOTTOM_UP)
def test_arrows_point_down(room):
    allowed = set(BOTTOM_UP[:BOTTOM_UP.index(room) + 1])
    up = [(file.name, header) for folder in ("lib", "include/LCI")
          for file in files_of(f"{folder}/{room}", ".cpp", ".h")
          for header in INCLUDED.findall(file.read_text())
          if not header.startswith("../") and room_of(header) not in allowed | {None}]
    assert not up


def test_no_private_header_leaves_its_room():
    found = []
    for file in files_of("lib", ".cpp", ".h"):
        for header in re.findall(r'^#include "(\.\./[^"]+)"', file.read_text(), re.M):
            target = str((file.parent / header).resolve().relative_to(SOURCE / "lib"))
            if room_of(target) != room_of(str(file.relative_to(SOURCE / "lib"))):
                found.append((file.name, header))
    assert not found


def test_the_pipeline_stands_on_one_page():
    """Each pass has one row, in the order of phases, and a reason; its room is named there."""
    page = (SOURCE / "docs/architecture.md").read_text()
    section = page.split("## The pipeline on one page")[1].split("\n## ")[0]
    rooms, reasons, here = {}, {}, None
    for phase, what, _, reason in re.findall(r"^\| ([^|]*) ?\| (`[^|]*) \| ([^|]*) \| ([^|]*) \|$", section, re.M):
        named = re.findall(r"`([\w/]+)`", phase)
        here = named[0] if named else here
        name, other = re.match(r"`([\w-]+)`(?: \(`([\w/]+)`\))?$", what).groups()
        assert name not in reasons
        rooms[name], reasons[name] = other or here, reason.strip()
    defined = {flag: room for room in ROOMS for flag in PASS.findall((INCLUDE / room / "Passes.td").read_text())}
    assert rooms == defined
    assert all(reasons.values())


def test_the_house_stands_as_its_page_says():
    """Counts of code are those of the page; words of a private language do not come back."""
    section = (SOURCE / "docs/architecture.md").read_text().split("### The house in figures")[1]
    said = {what: int(now) for what, now in re.findall(r"^\| (.+?) \| [\d,]+ \| (\d+) \|$", section, re.M)}
    counted = dict(house.counts(house.Tree()))
    assert said.keys() == counted.keys()
    exact = [what for what, _ in house.ROWS]
    assert {what: said[what] for what in exact} == {what: counted[what] for what in exact}
    private = [f"the word “{word}”" for word in ("turn", "ask", "own", "apart", "what")]
    assert [what for what in private if counted[what] > 1.1 * said[what]] == []

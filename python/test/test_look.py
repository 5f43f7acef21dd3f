"""What notebooks show: HTML that is well-formed and says all of the text, and plain text elsewhere."""

import html
import html.parser
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy
import pytest

import lmpm
from lmpm import _html

VOID = {"img", "input", "br", "meta"}


class Page(html.parser.HTMLParser):
    """HTML as a list of (tag, attributes) and its text by lines; tags must close what was opened."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.stack, self.lines = [], [], [""]
        self.feed(text)
        self.close()
        assert not self.stack

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in {"div", "summary", "tr", "section", "label", "figcaption"}:
            self.lines.append("")
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        if "style" not in self.stack:
            self.lines[-1] += data + ("\t" if self.stack[-1] in {"td", "th"} else "")

    def count(self, tag, **attributes):
        return sum(tag == name and attributes.items() <= found.items() for name, found in self.tags)


@pytest.fixture(scope="module")
def life(source_dir):
    return lmpm.load(source_dir / "examples/life/life.lmpm")


@pytest.fixture(scope="module")
def levels(life):
    return life.levels(W=16, H=16)


# IR


def test_ir_is_shown_whole_and_folds(levels):
    for level in levels:
        page = Page(level._repr_html_())
        text = level.text.rstrip("\n").split("\n")
        shown = [line for line in page.lines if line][2:]  # behind the name and what is said of it
        expected = [line or " " for line in text[:_html.MAX_LINES]]
        assert shown[:len(expected)] == expected
        if level.module and len(text) <= _html.MAX_LINES:
            names = text[1].startswith("#")
            assert page.count("details") == sum(line.endswith("{") for line in text) + names


def test_modules_and_operations_are_shown(levels):
    module = levels["bound"].module
    assert "lci.program" in "".join(Page(module._repr_html_()).lines)
    value = next(op for op in module.walk() if op.name == "lci.value")
    assert [line for line in Page(value._repr_html_()).lines if line] == str(value).split("\n")


def test_a_module_is_short_elsewhere():
    module = lmpm.ir.Module.parse("func.func @f() { return }", "f.mlir")
    assert repr(module) == "<module of 3 operations>"


def test_regions_that_end_where_others_begin():
    text = "scf.if %a {\n  f\n} else {\n  g\n}\nh"
    page = Page(_html.code(text))
    assert [line for line in page.lines if line] == text.split("\n")
    ends = [found["data-end"] for tag, found in page.tags if tag == "summary"]
    assert ends == [" …", " … }"]


def test_large_regions_begin_folded():
    body = "\n".join(["      op"] * (_html.MAX_OPEN + 1))
    text = f"module {{\n  func {{\n    for {{\n{body}\n    }}\n    if {{\n      op\n    }}\n  }}\n}}"
    page = Page(_html.code(text))
    assert [("open" in found) for tag, found in page.tags if tag == "details"] == [
        True, True, False, True]


@pytest.mark.parametrize("count, is_open", [(_html.MAX_NAMES, True), (_html.MAX_NAMES + 1, False)])
def test_many_names_before_a_module_begin_folded(count, is_open):
    text = "\n".join(f"#map{number} = x" for number in range(count)) + "\nmodule {\n}"
    page = Page(_html.code(text))
    assert [line for line in page.lines if line] == text.split("\n")
    assert [("open" in found) for tag, found in page.tags if tag == "details"] == [is_open, True]


def test_long_texts_are_cut():
    page = Page(_html.code("x\n" * (_html.MAX_LINES + 1234)))
    assert page.lines[-1] == "… and 1,234 lines more, which print shows"
    assert Page(_html.code("module {\n" + "x\n" * _html.MAX_LINES + "}")).count("details") == 1


@pytest.mark.parametrize("text, spans", [
    ("%a = arith.addi %b#1 : i64", ["v:%a", "o:arith.addi", "v:%b#1", "t:i64"]),
    ('@f attributes {a = "x\\"y"} // i64', ["y:@f", "k:attributes", 's:"x\\"y"', "c:// i64"]),
    ("memref.load %m : memref<2xvector<4xi8>>",
     ["o:memref.load", "v:%m", "t:memref", "n:2x", "t:vector", "n:4x", "t:i8"]),
    ("tensor<4x?xf32>, !lci.answer, #map, ^bb0",
     ["t:tensor", "n:4x?x", "t:f32", "t:!lci.answer", "y:#map", "v:^bb0"]),
])
def test_colours_of_ir(text, spans):
    expected = [(span[0], html.escape(span[2:])) for span in spans]
    shown = _html.code(text)
    assert re.findall(r'<span class="(\w)">(.*?)</span>', shown) == expected


# Programs


def test_a_program_is_its_text(life):
    page = Page(life._repr_html_())
    assert [line for line in page.lines if line.strip()] == [
        "life", *(line for line in life.to_lmpm().splitlines() if line)]
    assert page.count("span", **{"class": "k"}) == sum(
        bool(line) and line[0] not in " /" for line in life.to_lmpm().splitlines())
    assert repr(life) == "<program life>"


def test_names_are_no_markup(tmp_path):
    path = tmp_path / "a<i>&b.lmpm"
    path.write_text("// <script>alert(1)</script>\nvalue Cell : Token[2] shape Grid2D(W, W) init 0\n")
    program = lmpm.load(path)
    page = Page(program._repr_html_())
    assert "a<i>&b" in page.lines and "// <script>alert(1)</script>" in page.lines
    assert not page.count("script") and not page.count("i")


def test_what_is_wrong_with_a_program_is_shown():
    program = lmpm.Program("half")
    cell = program.value("Cell", lmpm.Token(2), lmpm.Grid2D("W", "H"))

    @program.rule(on=cell)
    def step(self):
        return self

    with pytest.raises(lmpm.Error) as caught:
        program.module
    assert caught.value.message in "".join(Page(program._repr_html_()).lines)


# Levels


def test_levels_are_flipped_through_without_a_script(levels):
    page = Page(levels._repr_html_())
    names = list(levels.keys())
    assert not page.count("script")
    buttons = [found for tag, found in page.tags if tag == "input"]
    assert len(buttons) == page.count("section") == len(names)
    assert [("checked" in found) for found in buttons] == [True] + [False] * (len(names) - 1)
    labels = [found["for"] for tag, found in page.tags if tag == "label"]
    assert labels == [found["id"] for found in buttons]
    assert all(name in page.lines for name in names)
    longer = [level for level in levels if len(level.text.splitlines()) > _html.MAX_LINES_BESIDE]
    assert longer and sum("lines more" in line for line in page.lines) == len(longer)
    assert levels._repr_html_() != levels._repr_html_()  # two of them share no button


def test_levels_are_plain_text_elsewhere(levels):
    assert [line.split()[0] for line in repr(levels).splitlines()] == list(levels.keys())


def test_a_level_that_is_not_reached_says_why():
    def fails():
        raise lmpm.Error.of("expected a <thing>", "syntax")
    level = lmpm.Level("ptx", "PTX", "me", fails)
    assert "not for this program: error: expected a <thing> [syntax]" in Page(level._repr_html_()).lines


# Views


@pytest.mark.parametrize("name, kind", [("sudoku", "visibility"), ("sudoku", "schedule"),
                                        ("sudoku", "constraints"), ("masked-image", "constraints")])
def test_views_are_those_of_the_tools(source_dir, tools, name, kind):
    path = source_dir / f"examples/{name}/{name}.lmpm"
    bindings = path.parent / "bindings.json"
    drawn = tools.run("lmpm-translate", "--lci-to-svg", f"--view={kind}", path, f"--bindings={bindings}")
    view = lmpm.load(path).view(kind, bindings)
    assert view.svg == view._repr_svg_() == drawn.stdout
    assert ElementTree.fromstring(view.svg).tag.endswith("svg")
    assert repr(view) == f"<{kind} of {name} as SVG, which a notebook shows; save(path) writes it>"


def test_a_view_is_saved(life, tmp_path):
    view = life.view("schedule", W=4, H=4, window=2)
    view.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text() == view.svg
    assert "shown: x 0..1, y 0..1 of 4×4" in view.svg


def message_of(call):
    with pytest.raises(lmpm.Error) as caught:
        call()
    return caught.value.message


def test_views_that_cannot_be_drawn(life, tmp_path):
    assert message_of(lambda: life.view("weather", W=4, H=4)) == (
        "expected 'visibility', 'schedule' or 'constraints' for the view, but got 'weather'")
    assert message_of(lambda: life.view("schedules", W=4, H=4)) == (
        "expected 'visibility', 'schedule' or 'constraints' for the view, but got 'schedules'; did "
        "you mean 'schedule'?")
    assert message_of(lambda: life.view("schedule", W=4, H=4, window=0)) == (
        "expected a whole number of at least 1 for window, but got 0")
    assert message_of(lambda: life.view("constraints", W=4, H=4)) == (
        "expected a constraint on cells to draw, but found none")
    with pytest.raises(lmpm.Error) as caught:
        life.view("schedule", W=4)
    assert caught.value.__notes__ == ["in Python, keywords of view give sizes: view(H=512)"]
    path = tmp_path / "a.png"
    assert message_of(lambda: life.view("schedule", W=4, H=4).save(path)) == (
        f"expected a file that ends in .svg, but got '{path}'")


# Observers


def points_of(view):
    svg = "{http://www.w3.org/2000/svg}"
    return [[tuple(map(float, pair.split(","))) for pair in line.get("points").split()]
            for line in ElementTree.fromstring(view.svg).iter(svg + "polyline")]


def test_a_chart_has_the_numbers_that_observers_saw(life):
    run = life.compile(W=8, H=8).run({"Cell": numpy.tri(8, dtype=int)}, epochs=6, observe_every=2)
    chart = run.chart()
    assert repr(chart).startswith("<observers of life as SVG")
    seen, (points,) = run.observations["population"], points_of(chart)
    heights = numpy.array([bottom for _, bottom in points])
    assert numpy.allclose((heights.max() - heights) / numpy.ptp(heights),
                          (seen - seen.min()) / numpy.ptp(seen), atol=1e-3)
    across = numpy.array([x for x, _ in points])
    assert numpy.allclose((across - across[0]) / numpy.ptp(across), run.observed_epochs / 6, atol=1e-3)
    texts = [one.text for one in ElementTree.fromstring(chart.svg).iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["life: what observers saw", "population", "epoch 0", "6", str(seen.min()), str(seen.max())]
    assert run.chart("population").svg == chart.svg


def test_a_chart_leaves_gaps():
    columns = {"a<b": numpy.ma.MaskedArray([1, 2, 0, 4, 5.0], [0, 0, 1, 0, 0]),
               "one": numpy.array([numpy.nan, 3.0, numpy.nan, numpy.nan, numpy.nan]),
               "none": numpy.ma.MaskedArray([0] * 5, [1] * 5)}
    svg = lmpm._chart.draw(numpy.arange(5), columns, "title")
    assert [len(line) for line in points_of(lmpm.View("", "", svg))] == [2, 2]
    assert svg.count("<circle") == 1 and svg.count("nothing seen") == 1 and "a&lt;b" in svg


def test_charts_that_cannot_be_drawn(life):
    run = life.compile(W=8, H=8).run()
    assert message_of(lambda: run.chart()) == (
        "expected something that observers saw, to draw; run it with observe_every=1")
    assert message_of(lambda: run.chart("populatio")) == (
        "the program has no observer 'populatio'; did you mean 'population'?")
    assert message_of(lambda: run.chart(3)) == "the program has no observer 3"
    still = lmpm.parse("value Cell : Token[2] shape Grid2D(4, 4) boundary wrap init 0\n"
                       "visible Cell[x,y] <- Cell[x,y]\n"
                       "rule R:\n  on Cell[x,y]\n  emit proposal Cell[x,y] := self\n"
                       "commit Cell[*] using accept\n").compile()
    assert message_of(lambda: still.run().chart()) == (
        "expected something that observers saw, to draw; the program declares none")


# Runs and reports


def test_a_report_is_a_dictionary_and_a_table(life, source_dir):
    run = life.compile(W=8, H=8, counters="full").run({"Cell": numpy.tri(8, dtype=int)}, epochs=3, seed=7)
    report = run.report
    assert (report["program"], report["epochs"], report["seed"]) == ("life", 3, 7)
    rows = report.rows()
    assert ("values", "Cell", "changed", run.counters["Cell.changed"]) in rows
    assert ("observations", "population", "last", int(run["Cell"].sum())) in rows
    assert rows[0].part == "run" and {row.figure for row in rows} >= {"backend", "seed", "commits"}
    page = Page(report._repr_html_())
    assert f"Cell\t{report['values']['Cell']['changed']}\t0\t" in page.lines
    assert repr(report) == str(report) == str(run.report)
    assert str(report).startswith("life: 3 epochs, 3 ticks, ")
    assert str(report).splitlines()[1] == f"  population = {run['Cell'].sum()}"


def test_constraints_have_a_table(source_dir):
    sudoku = lmpm.load(source_dir / "examples/sudoku/sudoku.lmpm")
    run = sudoku.compile(source_dir / "examples/sudoku/bindings.json", counters="full", backend="interp").run(epochs=2)
    lines = Page(run.report._repr_html_()).lines
    assert "constraint\tsatisfied\tviolated\tdecisive\tenabled\t" in lines
    row = run.report["constraints"]["Row"]
    assert f"Row\t{row['satisfied']:,}\t{row['violated']:,}\t{row['decisive']:,}\tyes\t" in lines


def test_a_report_of_nothing_seen():
    report = lmpm.Report({"program": "<p>", "backend": "cuda", "seed": 2**63, "epochs": 1, "ticks": 1,
                          "commits": 12345, "seconds": 0.5, "commits_per_second": 24690.0,
                          "values": {}, "constraints": {}, "observations": {"mean": None},
                          "device": {"name": "GPU", "launches": 3}}, "text")
    lines = Page(report._repr_html_()).lines
    assert "<p>" in lines and "mean\tnothing\t" in lines and "GPU\t3\t" in lines
    assert f"cuda\t{2**63}\t1\t1\t12,345\t0.5\t24690\t" in lines
    assert report.rows()[-1] == ("device", "", "launches", 3)


def test_runs_and_compiled_programs_are_shown(life):
    compiled = life.compile(W=4, H=6)
    lines = Page(compiled._repr_html_()).lines
    assert "compiled for cpu" in lines and "Cell\ttoken\t4 x 6\t2\tyes\t" in lines
    run = compiled.run(epochs=2)
    page = Page(run._repr_html_())
    assert "run on cpu after 2 epochs, seed 0" in page.lines and "Cell" in page.lines
    assert page.count("img", alt="Cell") == 1


def test_looking_needs_no_other_library(build_dir):
    code = ("import lmpm, sys; assert not {'matplotlib', 'PIL', 'IPython', 'ipywidgets'} & set(sys.modules); "
            "print(lmpm.picture([[1, 0]], 2)._repr_png_()[:4])")
    said = subprocess.run([sys.executable, "-c", code],
                          env={**os.environ, "PYTHONPATH": str(build_dir / "python")},
                          capture_output=True, text=True, check=True)
    assert said.stdout == "b'\\x89PNG'\n"

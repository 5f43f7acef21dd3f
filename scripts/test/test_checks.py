"""The checks and the test runner find what they are there for."""

import importlib.util
import pathlib

import pytest

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]


def load(name):
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_style = load("check_style")
run_tests = load("run_tests")

CLEAN = "//===- A.cpp - Says its job ---===//\n\nint answer() { return 42; }\n"


def findings(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return [finding for _, finding in check_style.check_file(path)]


def test_clean_file_has_no_finding(tmp_path):
    assert findings(tmp_path, "A.cpp", CLEAN) == []


@pytest.mark.parametrize("name, text, expected", [
    ("A.cpp", "int x;\n", "expected a comment that says the file's job"),
    ("A.cpp", CLEAN + "// line\n" * 500, "a file has at most 500"),
    ("A.cpp", CLEAN + "void f() {\n" + "  g();\n" * 60 + "}\n", "a function of 62 lines"),
    ("A.cpp", CLEAN + "// TODO: later\n", "name its issue"),  # style: allow
    ("A.cpp", CLEAN + 'auto p = "/home/me/x";\n', "a path of one machine"),  # style: allow
    ("A.cpp", CLEAN + "\tint x;\n", "a tab"),
    ("A.cpp", CLEAN + "int x; \n", "white space at the end"),
    ("A.cpp", CLEAN.rstrip("\n"), "no newline at the end"),
    ("A.h", CLEAN, "expected a header guard that ends in A_H"),
    ("a.py", '"""Job."""\ndef f():\n' + "    pass\n" * 61, "a function of 62 lines"),
], ids=["header", "size", "function", "todo", "path", "tab", "space", "newline", "guard", "python"])
def test_finding(tmp_path, name, text, expected):
    found = findings(tmp_path, name, text)
    assert any(expected in finding for finding in found), found


def test_functions_are_told_from_tables_and_classes():
    text = ('// A\nnamespace a {\nclass B {\n  int f() {\n    return \'{\';\n  }\n};\n'
            'int table[] = {\n  g(1),\n};\nauto s = "}";\n} // namespace a\n')
    assert list(check_style.cpp_functions(text)) == [(4, 3)]


@pytest.mark.parametrize("name, include, expected", [
    ("lib/Dialect/A.cpp", "LCI/Transforms/Passes.h", "Dialect includes Transforms"),
    ("include/LCI/Runtime/A.h", "mlir/IR/Value.h", "Runtime is built without MLIR"),
    ("lib/Transforms/A.cpp", "LCI/Dialect/LCIOps.h", None),
], ids=["up", "compiler", "down"])
def test_includes_point_down(tmp_path, monkeypatch, name, include, expected):
    monkeypatch.chdir(tmp_path)
    lines = ["// A", f'#include "{include}"']
    found = [finding for _, finding in check_style.check_layers(pathlib.Path(name), lines)]
    assert len(found) == (expected is not None)
    assert all(finding.startswith(expected) for finding in found)


def test_lit_test_says_its_idea(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = "// RUN: lmpm-opt %s\n"
    bad = findings(pathlib.Path("test"), "a.mlir", run + "module {}\n")
    assert bad == ["expected a sentence with the test's idea after the RUN lines"]
    assert findings(pathlib.Path("test"), "a.mlir", run + "// The idea.\n") == []


def test_a_crashed_unit_test_counts_as_failed(tmp_path):
    junit = tmp_path / "unit.xml"
    junit.write_text('<testsuite><testcase name="Crashed" status="fail"><failure/></testcase>'
                     '<testcase name="Fine" status="run"/></testsuite>')
    (tmp_path / "Fine.json").write_text(
        '{"tests": 3, "failures": 0, "testsuites": [{"testsuite": [{"status": "RUN"}]}]}')
    count = run_tests.count_gtest(junit, tmp_path)
    assert (count.passed, count.failed) == (3, 1)


def test_an_erroring_python_test_counts_as_failed(tmp_path):
    junit = tmp_path / "pytest.xml"
    junit.write_text("<testsuites><testsuite><testcase/><testcase><error/></testcase>"
                     "<testcase><skipped/></testcase></testsuite></testsuites>")
    count = run_tests.count_junit(junit)
    assert (count.passed, count.failed, count.skipped) == (1, 1, 1)

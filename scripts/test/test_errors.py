"""Every message has an identifier, every identifier a page, and every page tells the truth.

To add an identifier: a line in include/LCI/Errors/ErrorIds.def, docs/errors/<identifier>.md, and the
site that says it; then `scripts/reference.py` writes the index. A page is

    # identifier              and a sentence below it that says what is wrong
    ## Example                files (```lmpm is example.lmpm, ```json example.json, ```python
                              example.py, …), and a ```console
                              block: each line `$ …` is run, and prints what stands below it (`…` is
                              anything); the last one prints the message
    ## Fix                    the files that change; then the same commands print no error, or those
                              of a ```console block

Where no example can be given on every machine, a page says `<!-- no example: the reason -->`.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(SOURCE / "scripts/test"))
from test_diagnostics import tokens  # noqa: E402
from test_docs import BLOCK, output_pattern  # noqa: E402

PAGES = SOURCE / "docs" / "errors"
TABLE = (SOURCE / "include/LCI/Errors/ErrorIds.def").read_text()
IDS = dict(re.findall(r'^LCI_ERROR\((\w+), "([a-z-]+)"\)$', TABLE, re.MULTILINE))
PAGE_OF = {text: PAGES / f"{text}.md" for text in IDS.values()}
ENDINGS = {"python": "py"}
EMITS = {"emitError", "emitOpError", "emitWarning"}
HELP = "\nscripts/test/test_errors.py says how to add an identifier and its page"


def sources():
    """The text of every file that may say something to users; lib/Smith writes programs."""
    for folder in ["lib", "include", "tools"]:
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.suffix in {".cpp", ".h"} and path.parent.name != "Smith":
                yield path.relative_to(SOURCE), path.read_text()


def end_of_call(found, place):
    """The token behind the parenthesis that closes the one at `place`."""
    depth = 0
    for end in range(place, len(found)):
        kind, text = found[end]
        depth += (kind == "mark") * ((text == "(") - (text == ")"))
        if depth == 0:
            return end + 1
    return len(found)


def sites_without_identifier(source):
    """What follows each call of EMITS that is not `<<` and something of an ErrorId. A function's head
    is no call: words or a body follow it, or nothing does."""
    found = tokens(source)
    for place, (kind, text) in enumerate(found):
        if kind != "word" or text not in EMITS or found[place + 1][1] != "(":
            continue
        end = end_of_call(found, place + 1)
        behind = "".join(text for _, text in found[end:end + 12])
        if not re.match(r"<<ErrorId::|<<[\w.>()-]*\bid\b|<<\*?[\w.>()-]*failure\(\)\.id", behind):
            yield "".join(text + " " for _, text in found[place:place + 8])


def test_sites_are_found():
    source = """
void f() {
  op.emitOpError("expected ") << ErrorId::Syntax << x;
  return emitError(loc) << value.failure().id << value.error();
  emitError(loc) << error.id << text;
  emitError(g(loc), "no identifier");
  return op.emitOpError("nor ") << "this";
}
"""
    assert [site.split("(")[0].strip() for site in sites_without_identifier(source)] == \
        ["emitError", "emitOpError"]


def test_every_diagnostic_has_an_identifier():
    found = [f"{path}: {site}" for path, text in sources() for site in sites_without_identifier(text)
             if path.name not in {"Diagnostics.h"}]
    heads = "function_ref < InFlightDiagnostic"
    assert [site for site in found if heads not in site] == [], \
        "expected `<< ErrorId::…` right behind these" + HELP


def test_every_identifier_is_said():
    text = "".join(text for _, text in sources())
    python = "".join(path.read_text() for path in SOURCE.glob("python/lmpm/*.py"))
    assert [name for name, word in IDS.items()
            if f"ErrorId::{name}" not in text and f'"{word}"' not in python] == [], \
        "nothing says these identifiers"


def test_every_identifier_has_a_page():
    pages = {path.stem for path in PAGES.glob("*.md")} - {"README"}
    assert pages == set(IDS.values()), "identifiers and pages differ" + HELP


def test_identifiers_are_readable():
    for name, text in IDS.items():
        assert text.replace("-", "") == name.lower()


def section(page, title):
    """The files that a section has, and its commands with what they print."""
    parts = re.split(r"^## ", page, flags=re.MULTILINE)
    text = next((part for part in parts if part.startswith(title)), "")
    blocks = BLOCK.findall(text)
    files = {f"example.{ENDINGS.get(language, language)}": body for language, body in blocks
             if language != "console"}
    console = "".join(body for language, body in blocks if language == "console")
    commands = [(command, output) for command, output in
                re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", console, re.MULTILINE)]
    return files, commands


@pytest.fixture(name="shell")
def shell_fixture(tmp_path, build_dir):
    """Runs a command in an empty folder with the tools on PATH."""
    path = os.pathsep.join([str(build_dir / "bin"), str(SOURCE / ".venv/bin"), os.environ["PATH"]])

    def run(command):
        return subprocess.run(["bash", "-c", command], cwd=tmp_path, text=True, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "PATH": path, "NO_COLOR": "1",
                                   "PYTHONPATH": str(build_dir / "python")})
    return run


def write_files(folder, files):
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize("name", IDS.values())
def test_a_page_is_true(name, shell, tmp_path):
    page = PAGE_OF[name].read_text()
    assert re.match(rf"# {name}\n\n[A-Z].*\.\n\n", page), "expected the identifier and a sentence"
    files, commands = section(page, "Example")
    if re.search(r"^<!-- no example: .* -->$", page, re.MULTILINE):
        return
    write_files(tmp_path, files)
    for command, output in commands:
        said = shell(command)
        assert re.fullmatch(output_pattern(output).replace("…", ".*"), said.stdout), f"{command}\n{said.stdout}"
    is_warning = f"[{name}]" in said.stdout and "error:" not in said.stdout
    assert re.search(rf"(error|warning): .*\[{name}\]$", said.stdout, re.MULTILINE)
    assert said.returncode != 0 or is_warning
    files, fixed = section(page, "Fix")
    write_files(tmp_path, files)
    assert files or fixed, "expected a fix that can be tried"
    for command, _ in fixed or commands:
        said = shell(command)
    assert said.returncode == 0 and not re.search("error:|warning:", said.stdout), said.stdout


@pytest.mark.parametrize("tool", ["lmpm-opt", "lmpm-run", "lmpm-translate"])
def test_tools_explain(tool, tools):
    for name in ["not-visible", "syntax"]:
        assert tools.run(tool, f"--explain={name}").stdout == PAGE_OF[name].read_text()
    assert tools.run(tool, "--explain=[not-visible]").stdout == PAGE_OF["not-visible"].read_text()


def test_unknown_identifiers_get_the_nearest(tools):
    said = tools.run("lmpm-opt", "--explain=not-visble", check=False)
    assert said.returncode == 1
    assert said.stderr == ("error: no message has the identifier 'not-visble'; did you mean "
                           "'not-visible'? [command-line]\n")
    said = tools.run("lmpm-run", "--explain=E0308", check=False)
    assert "docs/errors/README.md lists them" in said.stderr


def test_a_stock_tool_shows_the_text_alone(build_dir):
    plugin = build_dir / "lib" / "LCIPlugin.so"
    source = 'lci.program @p sizes ["N", "N"] {\n}\n'
    said = subprocess.run(["/usr/lib/llvm-22/bin/mlir-opt", f"--load-dialect-plugin={plugin}"],
                          input=source, capture_output=True, text=True)
    assert said.returncode == 1
    assert "names the size 'N' twice\n" in said.stderr

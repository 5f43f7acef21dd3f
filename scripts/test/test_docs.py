"""Executes the documentation: every ```sh block of every page, and what it says is printed.

A page's ```sh blocks run one after the other in one folder that looks like the source tree (links
to everything in it), so that what a block writes does not land there. An ```output block after an
```sh block must be what the block prints; a line `…` in it stands for any lines. Blocks that
are only to be read are ```console. Links between pages must lead somewhere. A page that links the
libraries into other programs, or limits memory, says `<!-- not with sanitizers -->`; one that computes
for long, as others do for less long, `<!-- by make test-long -->`, which sets LCI_ALL_WAYS.
"""

import os
import pathlib
import re
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PAGES = sorted(path for pattern in ("*.md", "docs/**/*.md", "examples/*/README.md")
               for path in SOURCE.glob(pattern))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def page_id(page):
    return str(page.relative_to(SOURCE))


def blocks(page):
    """Yields (line, language, text) of every fenced block."""
    text = page.read_text()
    for match in BLOCK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def commands(page):
    """Yields (line, commands, expected output or None)."""
    found = list(blocks(page))
    for index, (line, language, text) in enumerate(found):
        if language == "sh":
            following = found[index + 1] if index + 1 < len(found) else (0, "", "")
            yield line, text, following[2] if following[1] == "output" else None


def output_pattern(expected):
    """A regular expression for an ```output block: `…` alone on a line is any lines."""
    parts = [r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line) + r"[ ]*\n"
             for line in expected.splitlines()]
    return "".join(parts)


def make_tree(folder, build_dir):
    """Fills a folder with links to the source tree, `build` being the build under test. Folders
    that commands write into are real, with links inside."""
    for entry in SOURCE.iterdir():
        if entry.name not in ("build", "examples", ".git"):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").symlink_to(build_dir)
    for entry in (SOURCE / "examples").glob("*/*"):
        parent = folder / "examples" / entry.parent.name
        parent.mkdir(parents=True, exist_ok=True)
        (parent / entry.name).symlink_to(entry)


def is_executed(page):
    is_long = "<!-- by make test-long -->" in page.read_text()
    return any(commands(page)) and (not is_long or bool(os.environ.get("LCI_ALL_WAYS")))


@pytest.mark.parametrize("page", list(filter(is_executed, PAGES)), ids=page_id)
def test_commands_of_a_page_run(page, tmp_path, build_dir, sanitized):
    if sanitized and "<!-- not with sanitizers -->" in page.read_text():
        pytest.skip("other programs lack the sanitizer's run-time library, which takes memory")
    make_tree(tmp_path, build_dir)
    path = os.pathsep.join([str(build_dir / "bin"), str(SOURCE / ".venv/bin"), os.environ["PATH"]])
    for line, text, expected in commands(page):
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=tmp_path, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                                env={**os.environ, "PATH": path, "NO_COLOR": "1"})
        where = f"{page_id(page)}:{line}"
        assert result.returncode == 0, f"{where}:\n{text}\nprinted:\n{result.stdout}"
        if expected is not None:
            assert re.fullmatch(output_pattern(expected), result.stdout), \
                f"{where}: expected\n{expected}\nbut got\n{result.stdout}"


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_of_a_page_lead_somewhere(page):
    text = re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page.read_text()))
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page_id(page)} links to {target}"


IR = [(f"{page_id(page)}:{line}", text) for page in PAGES if page.parent.name not in {"reference", "errors"}
      for line, language, text in blocks(page) if language == "mlir"]


@pytest.mark.parametrize("where, text", IR, ids=[where for where, _ in IR])
def test_ir_of_a_page_is_valid(where, text, tools):
    tools.run("lmpm-opt", "--verify-roundtrip", "-o", "/dev/null", stdin=text)

#!/usr/bin/python3
"""Checks what clang-format and clang-tidy do not: sizes, headers, guards, words, white space.

Run without arguments in the source tree; prints `file:line: finding` and exits 1 on any. The
limits are the house style: files under 500 lines, functions under 60, a header that says the
file's job.
"""

import ast
import pathlib
import re
import subprocess
import sys

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
CODE = {".cpp", ".h", ".td", ".py", ".sh", ".cmake", ".c", ".cu"}
LONG_SOURCE = 100
COMMENT_START = {".py": ('"""', "#"), ".sh": ("#",), ".cmake": ("#",)}

WITHOUT_COMPILER = {"Errors", "Numerics", "Runtime"}

# What must not appear, and why. A place that has to name such a word says so with `style: allow`.
FORBIDDEN = [
    (re.compile(r"\b(TODO|FIXME)\b(?!\(#\d+\))"), "name its issue: TODO(#12): …"),  # style: allow
    (re.compile(r"\b(XXX|NYI|HACK)\b"), "say what is missing, or do it"),  # style: allow
    (re.compile(r"(?<![\w.<])/(work|root|home|tmp)/\w"), "a path of one machine"),
    (re.compile(r"\busing namespace std\b"), "name what you use"),
    (re.compile(r"\bNOLINT\b(?!.*:)"), "it gives its reason after a colon"),  # style: allow
]

TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)\"|\"(?:\\.|[^\"\\\n])*\"|"
    r"'(?:\\.|[^'\\\n])'|[{};]|\n", re.DOTALL)
NOT_A_FUNCTION = re.compile(r"\b(namespace|class|struct|enum|union|extern)\b[^()]*$")


def source_files():
    """Every file that git tracks or would track, but not what was deleted."""
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True,
                             capture_output=True, text=True).stdout
    return [path for path in map(pathlib.Path, listing.splitlines()) if path.is_file()]


def cpp_functions(text):
    """Yields (first line, number of lines) of every outermost function body in C++ text: a brace
    whose header, the text since the last `;`, `{` or `}`, has a parameter list and no `=`."""
    stack, line, header_start, inside = [], 1, 0, 0
    header = ""
    for match in TOKEN.finditer(text):
        token = match.group(0)
        header += text[header_start:match.start()]
        header_start = match.end()
        if token == "{":
            is_function = (not inside and "(" in header and "=" not in header.split("(")[0]
                           and not NOT_A_FUNCTION.search(header))
            stack.append((is_function, line))
            inside += is_function
        elif token == "}" and stack:
            was_function, start = stack.pop()
            inside -= was_function
            if was_function:
                yield start, line - start + 1
        if token in "{};":
            header = ""
        line += token.count("\n")


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1


def check_sizes(path, text, lines):
    is_written = lines and "Written by scripts/" in lines[0]  # nobody reads it from end to end
    if len(lines) > MAX_FILE_LINES and not is_written:
        yield 1, f"{len(lines)} lines; a file has at most {MAX_FILE_LINES}: split it by job"
    functions = {".cpp": cpp_functions, ".h": cpp_functions, ".py": python_functions}
    for line, length in functions.get(path.suffix, lambda _: ())(text):
        if length > MAX_FUNCTION_LINES:
            yield line, f"a function of {length} lines; it has at most {MAX_FUNCTION_LINES}"


def check_header(path, lines):
    """The first line that is no `#!` says what the file is for."""
    first = next((line for line in lines if line.strip() and not line.startswith("#!")), "")
    starts = COMMENT_START.get(path.suffix, ("//", "/*"))
    if path.name != "__init__.py" and not first.startswith(starts):
        yield 1, "expected a comment that says the file's job"
    is_long = path.parts[0] == "lib" and path.suffix == ".cpp" and len(lines) >= LONG_SOURCE
    if is_long and not (lines[1] == "//" and lines[2].startswith("// ")):
        yield 2, f"a source of {LONG_SOURCE} lines says under its title what it does, and how"


def check_guard(path, text):
    name = re.sub(r"\W", "_", path.name).upper()
    guard = re.search(r"^#ifndef (\w+)\n#define (\w+)$", text, re.MULTILINE)
    if path.name == "Precompiled.h":
        return
    if not guard or guard.group(1) != guard.group(2) or not guard.group(1).endswith(name):
        yield 1, f"expected a header guard that ends in {name}"


def check_lines(lines):
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield number, "white space at the end of the line"
        if "\t" in line:
            yield number, "a tab"
        if "style: allow" in line:
            continue
        for pattern, reason in FORBIDDEN:
            found = pattern.search(line)
            if found:
                yield number, f"`{found.group(0)}`: {reason}"


def check_lit(lines):
    """A lit test starts with what runs, then says its idea in one sentence."""
    runs = [number for number, line in enumerate(lines) if "RUN:" in line]
    if not runs:
        return
    if runs[0] != 0:
        yield 1, "a lit test starts with its RUN line"
    after = next((line for line in lines if "RUN:" not in line and not
                  re.match(r"\s*(//|#)\s*(REQUIRES|UNSUPPORTED):", line)), "")
    if not re.match(r"\s*(//|#)\s*\S", after):
        yield 2, "expected a sentence with the test's idea after the RUN lines"


def rooms():
    """The rooms of lib/, bottom up: lib/CMakeLists.txt is where their order is written."""
    text = (pathlib.Path(__file__).parent.parent / "lib/CMakeLists.txt").read_text()
    return re.search(r"foreach\(room ([^)]*)\)", text).group(1).split()


def check_layers(path, lines):
    """Includes point down, and the rooms that run without a compiler include none of it."""
    found = re.match(r"(?:include/LCI|lib)/(\w+)/", path.as_posix())
    order = rooms()
    if not found or found.group(1) not in order:
        return
    room = found.group(1)
    for number, line in enumerate(lines, 1):
        include = re.match(r'#include [<"](LCI/(\w+)/|mlir/|llvm/)', line)
        if not include:
            continue
        above = include.group(2) in order and order.index(include.group(2)) > order.index(room)
        if above:
            yield number, f"{room} includes {include.group(2)}, which stands above it"
        if room in WITHOUT_COMPILER and not include.group(2):
            yield number, f"{room} is built without MLIR and LLVM"


def check_file(path):
    """Yields (line, finding)."""
    text = path.read_text(errors="replace")
    lines = text.splitlines()
    if path.suffix in CODE:
        yield from check_sizes(path, text, lines)
        yield from check_header(path, lines)
        yield from check_lines(lines)
        yield from check_layers(path, lines)
        if text and not text.endswith("\n"):
            yield len(lines), "no newline at the end"
    if path.suffix == ".h":
        yield from check_guard(path, text)
    if path.parts[0] == "test" and path.suffix in {".mlir", ".lmpm", ".test", ".c"}:
        yield from check_lit(lines)


def main():
    findings = [(path, *finding) for path in source_files() for finding in check_file(path)]
    for path, line, finding in findings:
        print(f"{path}:{line}: {finding}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

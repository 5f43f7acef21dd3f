#!/usr/bin/python3
"""Writes python/lmpm/operations.py: a class for each operation of the dialect, from its definition in TableGen.

Without arguments it rewrites the file; `--check` says whether it is out of date and exits 1. The text of an
operation or of a part is edited where it is defined, never in that file.
"""

import argparse
import json
import keyword
import pathlib
import re
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import reference  # noqa: E402

FILE = reference.SOURCE / "python/lmpm/operations.py"
#: Names that Operation has itself.
TAKEN = {"alive", "attributes", "erase", "find", "location", "move_before", "name", "operands", "parent", "parts",
         "print", "regions", "replace_uses", "results", "set_operand", "verify", "walk"}
HEAD = '''"""The operations of the dialect as classes, whose parts have names. Written by scripts/python_operations.py.

    >>> program = lmpm.ir.Module.parse("lci.program @p sizes [] = [] {}", "p.mlir").walk()[1]
    >>> print(type(program).__name__, program.sym_name.value)
    ProgramOp p
"""

'''


def superclasses(records, constraint):
    """Those of the constraint that a part has, which may be described."""
    record = records[constraint["def"]]
    if "constraint" in record:
        record = records[record["constraint"]["def"]]
    return record["!superclasses"]


def kind_of(known, of):
    """The class of _views.py for a part with these superclasses, of operands or results."""
    if "Attr" in known:
        return "AttributePart"
    return of + "s" if "Variadic" in known else "Optional" + of if "Optional" in known else of


def parts_of(records, operation):
    """(name, class, description) of each part, in the dialect's order."""
    for field, of in (("arguments", "Operand"), ("results", "Result")):
        for constraint, name in operation[field]["args"]:
            kind = kind_of(superclasses(records, constraint), of)
            yield name, kind, reference.description(records[constraint["def"]])
    for _, name in operation["regions"]["args"]:
        yield name, "RegionPart", f"the region '{name}'"


def line_of(name, kind, text):
    """A part in the body of a class; a name that is taken ends in an underscore."""
    shown = name + "_" if name in TAKEN or keyword.iskeyword(name) else name
    key = f', "{name}"' if kind == "AttributePart" and shown != name else ""
    line = f"    {shown} = {kind}({json.dumps(text, ensure_ascii=False)}{key})"
    if len(line) <= 120:
        return line
    cut = line.rfind(" ", 0, 116)
    return f'{line[:cut + 1]}"\n{" " * (line.index("(") + 1)}"{line[cut + 1:]}'


def wrapped(begin, words, end):
    """A list in lines of at most 120 characters."""
    return textwrap.fill(begin + ", ".join(words) + end, 120, subsequent_indent=" " * len(begin)) + "\n"


def class_of(records, record):
    operation = records[record]
    summary = operation["summary"][0].upper() + operation["summary"][1:]
    lines = [line_of(*part) for part in parts_of(records, operation)]
    name = re.fullmatch(r"LCI_(\w+)", record)[1]
    body = "\n".join(['    """' + summary + '."""', "    __slots__ = ()", *lines])
    return f'class {name}(View, of="lci.{operation["opName"]}"):\n{body}\n'


def generate():
    records = json.loads(reference.tblgen(reference.DIALECT, "--dump-json", tool="llvm-tblgen"))
    classes = [class_of(records, record) for record in sorted(records["!instanceof"]["LCI_Op"])]
    used = sorted({kind for text in classes for kind in re.findall(r" = (\w+)\(", text)} | {"View"})
    names = sorted(re.match(r"class (\w+)", text)[1] for text in classes)
    imports = wrapped("from lmpm._views import (", used, ")")
    exported = wrapped("__all__ = [", [f'"{name}"' for name in names], "]")
    return HEAD + imports + "\n" + exported + "\n\n" + "\n\n".join(classes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="say whether the file is out of date")
    text = generate()
    if not parser.parse_args().check:
        FILE.write_text(text)
    elif not FILE.exists() or FILE.read_text() != text:
        sys.exit("python/lmpm/operations.py is out of date: run scripts/python_operations.py")


if __name__ == "__main__":
    main()

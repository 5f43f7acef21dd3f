"""The editors' grammar knows the language that the lexer and the importer know."""

import json
import pathlib
import re

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = sorted((SOURCE / "examples").rglob("*.lmpm"))
VSCODE = SOURCE / "editors" / "vscode"
GRAMMAR = json.loads((VSCODE / "syntaxes" / "lmpm.tmLanguage.json").read_text())
KINDS = (SOURCE / "include" / "LCI" / "Target" / "LMPM" / "TokenKinds.def").read_text()


def scopes(line):
    """Text and scope of each piece, as an editor colours it: at each place the rule whose match
    begins first, and of several the one that is listed first."""
    place, found = 0, []
    while True:
        matches = [(match.start(), number, match) for number, rule in enumerate(GRAMMAR["patterns"])
                   if (match := re.compile(rule["match"]).search(line, place))]
        if not matches:
            return found
        _, number, match = min(matches, key=lambda each: each[:2])
        rule = GRAMMAR["patterns"][number]
        if "captures" in rule:
            found += [(match[int(group)], each["name"]) for group, each in rule["captures"].items()]
        else:
            found.append((match[0], rule["name"]))
        place = match.end()


@pytest.mark.parametrize("word", re.findall(r"^LMPM_(?:HEAD|KEYWORD)\((\w+)\)", KINDS, re.M))
def test_every_reserved_word_is_a_keyword(word):
    [(text, scope)] = scopes(word)
    assert text == word and scope.startswith("keyword.")


@pytest.mark.parametrize("sign", re.findall(r'^LMPM_SIGN\(\w+, "(.*)"\)', KINDS, re.M))
def test_every_sign_is_one_operator_or_a_bracket(sign):
    assert scopes(sign) == ([] if sign in "()[]{}," else [(sign, "keyword.operator.lmpm")])


def test_every_function_is_one():
    names = re.search(r"getFunctionNames\(\) \{.*?\};",
                      (SOURCE / "lib/Target/LMPM/ImportCall.cpp").read_text(), re.S)[0]
    names = re.findall(r'"(\w+)"', names)
    assert len(names) > 40
    for name in names:
        assert scopes(name + "(")[0] == (name, "support.function.lmpm")


def test_every_predefined_name_is_one():
    names = re.search(r"getPredefined\(.*?\n}", (SOURCE / "lib/Target/LMPM/ImportNames.cpp").read_text(), re.S)[0]
    names = re.findall(r'"(\w+)"', names)
    assert len(names) > 8
    for name in names:
        assert scopes(name)[0] == (name, "variable.language.lmpm")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_all_of_an_example_is_coloured(path):
    """Only space, brackets and commas have no colour; comments and strings are whole."""
    for line in path.read_text().splitlines():
        found = scopes(line)
        rest = line
        for text, _ in found:
            before, _, rest = rest.partition(text)
            assert not before.strip(" \t()[]{},"), line
        assert not rest.strip(" \t()[]{},"), line
        comment = re.match(r'(?:[^"/]|"[^"]*"|/(?!/))*(//.*)', line)
        assert [t for t, s in found if s.startswith("comment")] == ([comment[1]] if comment else [])
        head = re.match(r"(value|param|def|rule|constraint|observe)\s+(\w+)", line)
        if head:
            assert found[:2] == [(head[1], "keyword.declaration.lmpm"), (head[2], "entity.name.lmpm")]


def test_the_extension_names_files_that_exist():
    package = json.loads((VSCODE / "package.json").read_text())
    contributed = package["contributes"]
    for path in [package["main"], contributed["languages"][0]["configuration"],
                 contributed["grammars"][0]["path"]]:
        assert (VSCODE / path).is_file()
    json.loads((VSCODE / contributed["languages"][0]["configuration"]).read_text())
    assert contributed["grammars"][0]["scopeName"] == GRAMMAR["scopeName"]
    settings = set(re.findall(r'settings\.get\("(\w+)"\)', (VSCODE / "extension.js").read_text()))
    assert {f"lmpm.{name}" for name in settings} == set(contributed["configuration"]["properties"])

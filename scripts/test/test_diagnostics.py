"""Every diagnostic of lib/, include/ and tools/ occurs in a test.

A diagnostic is what a call says to the user (emitOpError, attachNote, Failure{…}, a parser's expect,
…), or the words that a function returns or keeps in a variable. Each of its string literals of two
words must occur in a test, word for word; lines that a test wraps are joined.

What this cannot see: what is composed from literals of one word, or printed without being an error;
whether the test that has the words also provokes the message; and messages that upstream composes
(wrong operands, unknown options). lib/Smith says nothing to users: it writes programs.
"""

import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TESTS = ["test", "unittests", "scripts/test", "examples", "python/test"]
DATA = {".npy", ".npz", ".png", ".safetensors"}
SAYS = re.compile(r"emit(Op)?Error|emitRemark|emitWarning|attachNote|createStringError|Failure"
                  r"|(syntax)?[eE]rror(WithNote)?|(fail|refuse|report|note|expect)([A-Z]\w*)?")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|\n *\#[^\n]*'
                   r'|R"(?P<raw>\(.*?\))"|"(?P<text>(?:[^"\\\n]|\\.)*)"'
                   r"|'(?:[^'\\\n]|\\.)+'|(?P<word>[A-Za-z_]\w*)|(?P<mark>::|[^\s\w])", re.S)


def unescape(text):
    return re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match[1], match[1]), text)


def tokens(source):
    """Kind and text of each token; literals beside each other are one."""
    found = []
    for match in TOKEN.finditer(source):
        kind = match.lastgroup
        if kind == "raw":
            kind, text = "text", match["raw"][1:-1]
        elif kind:
            text = unescape(match[kind]) if kind == "text" else match[kind]
        else:
            continue
        if kind == "text" and found and found[-1][0] == "text":
            text = found.pop()[1] + text
        found.append((kind, text))
    return found


def literals_of(stream):
    """The literals of the statement whose call begins before `stream`."""
    depth, is_closed = 0, False
    for kind, text in stream:
        mark = text if kind == "mark" else ""
        if kind == "text":
            yield text.strip()
        # After its arguments a word or a body follows where this was a function's head, not a call.
        if depth == 0 and (mark == ";" or is_closed and (mark == "{" or kind == "word")):
            return
        depth += (mark in {"(", "[", "{"}) - (mark in {")", "]", "}"})
        if depth < 0:
            return
        is_closed = depth == 0 and mark == ")"


def diagnostics(source):
    """The literals of two words, in one line, of what is said."""
    found = tokens(source)
    for place, (kind, text) in enumerate(found[:-1]):
        next_kind, next_text = found[place + 1]
        is_call = kind == "word" and SAYS.fullmatch(text) and next_text in {"(", "{"}
        if is_call or text in {"return", "="} and kind != "text" and next_kind == "text":
            yield from (literal for literal in literals_of(found[place + 1:])
                        if re.search(r"\w\w.* .*\w\w", literal) and "\n" not in literal)


def all_diagnostics():
    """Where each is said, and what."""
    for folder in ["lib", "include", "tools"]:
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.suffix in {".cpp", ".h"} and path.parent.name != "Smith":
                for message in diagnostics(path.read_text()):
                    yield path.relative_to(SOURCE), message


def read_tests():
    """What tests contain, with escapes undone and wrapped literals joined."""
    text = ""
    for folder in TESTS:
        for path in sorted((SOURCE / folder).rglob("*")):
            if path.is_file() and path.suffix not in DATA and path != pathlib.Path(__file__):
                text += path.read_text(errors="replace")
    return unescape(re.sub(r'"\s*\n\s*f?"', "", text))


def test_messages_are_found():
    source = r'''
void fail(const char *what) { print("no message at all"); }
Status f(Op op, int x) {
  if (x) // emitError("only a comment")
    return op.emitOpError("expected an \"even\" number, "
                          "but got ") << x << (x > 1 ? " of many things" : " of one thing");
  op.attachNote(use) << "it is used here";
  failHere("a closing bracket", hint(x));
  assert(x && "something is zero here");
  return std::move(x), Failure{"a number " + name + " that is too long for words"};
}
const char *why() { return "no reason is known"; }
void because() { why = "another reason"; }
'''
    assert list(dict.fromkeys(diagnostics(source))) == [
        'expected an "even" number, but got', "of many things", "of one thing", "it is used here",
        "a closing bracket", "that is too long for words", "no reason is known", "another reason"]


def test_every_diagnostic_is_tested():
    found = list(all_diagnostics())
    assert len(found) > 500
    tests = read_tests()
    assert sorted({f"{path}: {message}" for path, message in found if message not in tests}) == []

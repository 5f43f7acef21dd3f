"""What somebody writes who knows another language, and the one message that it gets.

Each row is a line of a program, what the tool says of it, and the hint below: word for word, at the
place of the mark `¦`, which stands before what is wrong and is no part of the text.
"""

import re

import pytest

PARTS = """value V : Token[3] shape Grid2D(W, H) init 0
visible V[x,y] <- V[x,y]
visible near: V[x,y] <- V[x+dx,y+dy] when (dx,dy) in N8
param E : F32[4, 4]
param Obs : I32[4]
def sq[v] = v*v
"""
RULE = PARTS + "rule R:\n  on V[x,y]\n  {}\ncommit V[*] using accept\n"
CLAUSE = "expected a clause (on, read, let, emit, score) or a declaration, but got"
DECLARATION = "expected a declaration, but got"
ASSIGNS = "nothing is assigned: a rule proposes, as in 'emit proposal V[x] := self + 1'"
PROPOSES = "a rule says 'emit proposal V[…] := …'"
ASSIGNS_OR_NAMES = "a rule says 'emit proposal V[…] := …'; 'let n = …' names an expression"
NAMES = "'let n = …' names an expression in a rule; 'def f[x] = …' is a formula"
LOOPS = ("there are no loops: a rule is for every cell, and 'sum(V[x+d] when d in -1..1)' goes over "
         "many")
DRAWS = "draws are uniform(), bernoulli(p), randint(n) and normal()"
CHOICE = "a choice is 'if c then a else b'"
ROUNDS = "'//' begins a comment; the quotient of integers is 'a / b', rounded down"
SIZES = ("sizes are capitalised names that nothing declares, such as 'N'; the bindings give numbers")
COMPARES = "'==' compares; '=' stands behind the name in 'let', 'def' and 'param'"
CHARACTERS = "names consist of letters A-Z, a-z, digits and '_'"

TRUTH = "a comparison is a truth value, as in 'self == 1' or 'sum(near) > 2'"

#: What stands behind `emit proposal V[x,y] :=`.
EXPRESSIONS = [
    ("if ¦sum(near) then 1 else 0", "expected a truth value, but got an integer", TRUTH),
    ("if ¦self and 1 then 1 else 0", "expected a truth value, but got an integer", TRUTH),
    ("if not ¦self then 1 else 0", "expected a truth value, but got an integer", TRUTH),
    ("if ¦uniform() then 1 else 0", "expected a truth value, but got a number (F32)", TRUTH),
    ("uniform() ¦* 4", "expected an integer, but got a number (F32)",
     "randint(n) draws an integer from 0 to n - 1"),
    ("self ¦/ 2.0", "expected an integer, but got a number (F32)",
     "a number becomes no integer: compare it, as in 'if x > 0.5 then 1 else 0', or declare what holds it as F32"),
    ("if self in ¦(1, 2) then 1 else 0", "expected a set right of 'in'",
     "a set stands in braces, as in 'self in {1, 2}'"),
    ("if self == 0 & self ¦> 1 then 1 else 0", "'==' and '>' do not chain",
     "'&' joins the bits of integers, before any comparison; 'and' joins comparisons"),
    ("if self == 0 | self ¦== 1 then 1 else 0", "'==' and '==' do not chain",
     "'|' joins the bits of integers, before any comparison; 'or' joins comparisons"),
    ("¦V[x][y]", "'V' has 2 axes, but got 1 index", "all indices stand in one pair of brackets, as in 'V[x,y]'"),
    ("if ¦E[0][1] > 0.5 then 1 else 0", "'E' has 2 axes, but got 1 index",
     "all indices stand in one pair of brackets, as in 'E[x,y]'"),
    ("¦{1, 2}", "a set stands right of 'in' only", "as in 'self in {1, 2}'"),
    ("E[¦*, Obs[0]]", "expected one index of 'E', but got '*'",
     "a free index goes over many, as in 'sum(E[k,…] when k in 0..2)'"),
    ("sum(E[¦*, Obs[t]])", "expected one index of 'E', but got '*'",
     "a free index goes over many, as in 'sum(E[k,…] when k in 0..2)'"),
    ("E[Obs[1], 0¦..3]", "expected one index of 'E', but got a range",
     "a free index goes over many, as in 'sum(E[…,k] when k in 0..2)'"),
    ("sq[¦*]", "expected one index of 'sq', but got '*'",
     "a free index goes over many, as in 'sum(sq[k] when k in 0..2)'"),
    ("¦self[0..1]", "expected a vector, a value, a parameter or a formula before '['",
     "another cell is read by its value's name, as in 'V[x+1]'"),
    ("sq[¦self]", "formula 'sq' takes indices, but got 'self'",
     "a formula is about places, as in 'def twice[x] = 2 * V[x]'; what a cell holds is named by 'let'"),
    ("sq[1 + ¦near]", "formula 'sq' takes indices, but got 'near'",
     "a formula is about places, as in 'def twice[x] = 2 * V[x]'; what a cell holds is named by 'let'"),
    ("sq[¦sum(near)]", "formula 'sq' takes indices, but got what cells hold",
     "a formula is about places, as in 'def twice[x] = 2 * V[x]'; what a cell holds is named by 'let'"),
    ("¦sq(self)", "'sq' is not a function", "its indices stand in brackets, as in 'sq[x,y]'"),
    ("¦V(x, y)", "'V' is not a function", "its indices stand in brackets, as in 'V[x,y]'"),
    ("V[x¦:y]", "expected ']', but got ':'", "a range is 'a..b', with both ends"),
    ("x ¦mod 2", f"{CLAUSE} 'mod'", "the remainder is 'a % b'"),
    ("x ¦div 2", f"{CLAUSE} 'div'", "the quotient of integers is 'a / b', rounded down"),
    ("¦mod(x, 2)", "unknown function 'mod'", "the remainder is 'a % b'"),
    ("(x // 2) % 3\n  ¦score 1", "expected ')', but got 'score'", ROUNDS),
    ("self ¦** 2", "unexpected '**'", "a power is 'x^2'"),
    ("self¦++", "unexpected '++'", ASSIGNS),
    ("¦+self", "expected an expression, but got '+'", "a number has no '+' before it"),
    ("self == 1 ? ¦self : x", f"{CLAUSE} 'self'", CHOICE),
    ("(self == 1) ? ¦2 : 1", f"{CLAUSE} '2'", CHOICE),
    ("¦where(self == 1, 1, 0)", "unknown function 'where'", CHOICE),
    ("2 ¦if self == 1 else 0", f"{CLAUSE} 'if'",
     "a choice is 'if c then a else b'; a condition stands behind 'when'"),
    ("if self == 1¦: 2 else: 1", "expected 'then' after the condition of 'if', but got ':'", CHOICE),
    ("if (self == 1) ¦{ 2 } else { 1 }",
     "expected 'then' after the condition of 'if', but got '{'", CHOICE),
    ("if self ¦= 1 then 2 else 1", "expected 'then' after the condition of 'if', but got '='",
     "'==' compares"),
    ("if self == 1 then 2 ¦elif self == 2 then 1 else 0",
     "expected 'else' after 'then', but got 'elif'", "write 'else if … then …'"),
    ("if self == 1 ¦THEN 2 else 1", "expected 'then' after the condition of 'if', but got 'THEN'",
     "did you mean 'then'?"),
    ("IF ¦self == 1 then 2 else 1", f"{CLAUSE} 'self'", "did you mean 'if'?"),
    ("if self == 1 ¦&& x > 0 then 2 else 1", "unexpected '&&'",
     "'and' joins truth values, '&' the bits of integers"),
    ("if self == 1 ¦|| x > 0 then 2 else 1", "unexpected '||'",
     "'or' joins truth values, '|' the bits of integers"),
    ("if self == 1 ¦AND x > 0 then 2 else 1",
     "expected 'then' after the condition of 'if', but got 'AND'", "did you mean 'and'?"),
    ("if ¦!(self == 1) then 2 else 1", "unexpected character '!'",
     "negation is 'not', inequality '!='"),
    ("if self ¦<> 1 then 2 else 1", "unexpected '<>'", "inequality is '!='"),
    ("if self ¦=< 1 then 2 else 1", "unexpected '=<'", "at most is '<='"),
    ("if self ¦=== 1 then 2 else 1", "unexpected '==='", "equality is '=='"),
    ("if self ¦is 1 then 2 else 1", "expected 'then' after the condition of 'if', but got 'is'",
     "equality is '=='"),
    ("if ¦true then 2 else 1", "unknown name 'true'",
     "comparisons are true or false; what cells hold is 0 or 1"),
    ("¦False", "unknown name 'False'", "comparisons are true or false; what cells hold is 0 or 1"),
    ("¦None", "unknown name 'None'",
     "a cell always holds something: give what is empty a token of its own"),
    ("¦random()", "unknown function 'random'", DRAWS),
    ("¦poisson(2)", "unknown function 'poisson'", DRAWS),
    ("¦randint(0, 2)", "'randint' takes 1 argument, but got 2",
     "randint(n) is one of 0..n-1; from a to b it is 'a + randint(b - a + 1)'"),
    ("¦normal(0.0, 1.0)", "'normal' takes 0 arguments, but got 2",
     "with mean m and deviation s it is 'm + s * normal()'"),
    ("¦bernoulli()", "'bernoulli' takes 1 argument, but got 0",
     "bernoulli(p) is true with probability p"),
    ("¦log(2.0, 10.0)", "'log' takes 1 argument, but got 2", "to a base b it is 'log(x) / log(b)'"),
    ("¦abs(1, 2)", "'abs' takes 1 argument, but got 2", None),
    ("¦max()", "'max' takes at least 1 argument", None),
    ("¦sum(1, 2)", "'sum' takes 1 argument, but got 2",
     "it goes over a family, such as a label; of two numbers it is 'a + b'"),
    ("¦ln(2.0)", "unknown function 'ln'", "it is log(x)"),
    ("¦int(0.5)", "unknown function 'int'",
     "a number becomes no integer; randint(n) draws one, and 'a / b' of integers is one"),
    ("¦len(near)", "unknown function 'len'",
     "count(…) counts members; sizes are names, as in 'shape Seq(N)'"),
    ("¦range(3)", "unknown function 'range'", "a range is 'a..b', with both ends"),
    ("¦ecxp(1.0)", "unknown function 'ecxp'", "did you mean 'exp'?"),
    ("¦frobnicate(1)", "unknown function 'frobnicate'", "a formula is called with brackets: f[x,y]"),
    ("math¦.exp(1.0)", "unexpected character '.'",
     "nothing has parts or methods: write 'exp(x)', 'max(near)', 'V[x,y]'"),
    ("lambda ¦x: x", f"{CLAUSE} 'x'", "a formula is 'def f[x,y] = …'"),
    ("¦[1, 2][self]", "expected an expression, but got '['",
     "a list stands nowhere: arrays are parameters, as in 'param w : F32[3]'"),
    ("x¦, y", f"{CLAUSE} ','", "several things stand in parentheses, as in '(dx,dy) in N8'"),
    ("1¦;", "unexpected character ';'", "declarations and clauses need no separator"),
    ("1 ¦# one", "unexpected character '#'", "comments begin with '//'"),
    ("1 ¦/* one */", "unexpected '/*'", "comments begin with '//' and end with their line"),
    ("¦'a'", "unexpected character '''", "strings stand in double quotes"),
    ("¦“a”", "unexpected character '“'", "strings stand in plain double quotes"),
    ("self ¦≤ 1", "unexpected character '≤'", "write '<='"),
    ("self ¦− 1", "unexpected character '−'", "write '-'"),
    ("¦α", "unexpected character 'α'", CHARACTERS),
    ("self¦\u00a0+ 1", "unexpected character U+00A0",
     "it is a space that does not break: write a plain one"),
    ("¦\u200bself", "unexpected character U+200B", "it is a space of no width: delete it"),
    ("¦\ufeffself", "unexpected character U+FEFF",
     "it is a byte-order mark, which stands first or nowhere"),
    ("1 ¦\0", "unexpected character the byte 0x0",
     "a text has no control characters: save the file as UTF-8"),
    ("¦0x1F", "expected a number, but got '0x1F'", "numbers are decimal"),
    ("¦1_000", "expected a number, but got '1_000'", "no '_' stands between digits"),
    ("¦1e", "expected a number, but got '1e'",
     "digits stand behind the 'e' of an exponent, as in '1e-3'"),
    ("¦1.5f", "expected a number, but got '1.5f'",
     "a number has no suffix: '1.5' is F32, '1' an integer"),
    ("¦2x", "expected a number, but got '2x'",
     "a name begins with a letter, and a product is written with '*'"),
    ("¦.5", "expected digits on both sides of the point, but got '.5'", "as in '0.5' and '1.0'"),
    ("1 + ¦" + "7" * 1001, "the number has 1001 characters, more than the 1000 that are read", None),
]

#: What stands in a rule instead of its `emit`.
CLAUSES = [
    ("¦V[x,y] = 1", f"{CLAUSE} 'V'", ASSIGNS_OR_NAMES),
    ("¦n = sum(near)", f"{CLAUSE} 'n'", ASSIGNS_OR_NAMES),
    ("n ¦+= 1", "unexpected '+='", ASSIGNS),
    ("¦return 1", f"{CLAUSE} 'return'", PROPOSES),
    ("emit ¦V[x,y] := 1", "expected 'proposal' after 'emit', but got 'V'", PROPOSES),
    ("emit proposal V[x,y] ¦= 1", "expected ':=' after the value the proposal is for, but got '='",
     "as in 'emit proposal V[x] := 1 - self'"),
    ("¦emitt proposal V[x,y] := 1", f"{CLAUSE} 'emitt'", "did you mean 'emit'?"),
    ("¦EMIT proposal V[x,y] := 1", f"{CLAUSE} 'EMIT'", "did you mean 'emit'?"),
    ("¦for i in 0..3", f"{CLAUSE} 'for'", LOOPS),
    ("¦while self > 0", f"{CLAUSE} 'while'", LOOPS),
    ("¦int n = 1", f"{CLAUSE} 'int'", NAMES),
    ("let n ¦:= 1", "expected '=' after the name in 'let', but got ':='", "as in 'let n = sum(near)'"),
    ("let n¦: I32 = 1", "expected '=' after the name in 'let', but got ':'",
     "as in 'let n = sum(near)'"),
    ("¦{ emit proposal V[x,y] := 1 }", f"{CLAUSE} '{{'",
     "no braces stand around clauses or branches; '{1, 2}' is a set"),
    ("¦set pcolor red", f"{CLAUSE} 'set'", PROPOSES),
    ("emit proposal V[x,y] := 1\n  ¦let n = 2", "'read' and 'let' stand before 'emit'", None),
]

#: Declarations behind the parts.
DECLARATIONS = [
    ("value A : Token[-1¦..1] shape Scalar", "expected a size, but got a range",
     "tokens begin at 0: those of 'Token[3]' are 0..2; other integers are I32"),
    ("value A : I32 shape Seq(0¦..9)", "expected a size, but got a range",
     "the indices of an axis begin at 0: those of 'Seq(10)' are 0..9"),
    ("param A : I32[0¦..9]", "expected a size, but got a range",
     "the indices of an axis begin at 0: those of 'F32[10]' are 0..9"),
    ("value A : Token[2] shape Seq(¦n)", "expected a size, but got 'n'", SIZES),
    ("value A : Token[¦k] shape Seq(N)", "expected a size, but got 'k'", SIZES),
    ("param a : F32[2 * ¦n]", "expected a size, but got 'n'", SIZES),
    ("value A : Token¦(2) shape Seq(N)", "expected '[', but got '('",
     "what a type takes stands in brackets, as in 'Token[2]'"),
    ("value A : Token[2] shape Seq¦[N]", "expected '(', but got '['",
     "the sizes of a shape stand in parentheses, as in 'Grid2D(W, H)'"),
    ("value A : Token[2] ¦Grid2D(W, H)",
     "expected a clause of the value (shape, clock, boundary, init) or a declaration, but got 'Grid2D'",
     "a shape stands behind 'shape', as in 'shape Grid2D(W, H)'"),
    ("value A : Token[2] shape Seq(N) ¦wrap",
     "expected a clause of the value (shape, clock, boundary, init) or a declaration, but got 'wrap'",
     "a boundary stands behind 'boundary', as in 'boundary wrap'"),
    ("value A : Token[2] shape Seq(N) boundary ¦periodic", "unknown boundary 'periodic'",
     "an axis that goes on at its other end is 'wrap'"),
    ("value A : Token[2] shape Seq(N) init ¦= 0", "expected an expression, but got '='",
     "the initial value follows at once, as in 'init 0'"),
    ("value A ¦= Token[2]", "expected ':' and a type after the name of the value, but got '='",
     "as in 'value V : Token[2] shape Grid2D(W, H)'"),
    ("value A : ¦token[2] shape Seq(N)", "unknown type 'token'", "did you mean 'Token'?"),
    ("param p ¦= 3", "expected ':' and a type after the name of the parameter, but got '='",
     "as in 'param p : F32 = 0.5'"),
    ("param p : F32 ¦:= 3", "expected '=' and a value, or a declaration, but got ':='",
     "as in 'param p : F32 = 0.5'"),
    ("def f¦(x) = x", "expected '=' after the name of the formula, but got '('",
     "a formula is 'def f[x,y] = …', with its indices in brackets"),
    ("observe o ¦= 3", "expected ':=' after the name of the observer, but got '='",
     "as in 'observe o := mean(V[x])'"),
    ("observe o := 1 ¦:= 2", f"{DECLARATION} ':='",
     "':=' stands in 'emit' and 'observe'; 'let', 'def' and 'param' have '='"),
    ("visible V[x,y] ¦-> V[x,y]", "unexpected '->'",
     "a 'visible' line has '<-', as in 'visible V[x] <- V[x+1]'"),
    ("visible V[x,y] <- ¦N8", "'N8' is not a value",
     "as in 'visible V[x,y] <- V[x+dx,y+dy] when (dx,dy) in N8'"),
    ("visible V[x,y] <- V[x+1,y] ¦where x > 0", f"{DECLARATION} 'where'",
     "conditions stand behind 'when'"),
    ("visible V[x,y] <- V[x+dx,y+dy] when dx¦, dy in N8", f"{DECLARATION} ','",
     "several things stand in parentheses, as in '(dx,dy) in N8'"),
    ("rule R¦(x): on V[x,y]", "expected ':' after the name of the rule, but got '('",
     "as in 'rule R: on V[x,y]'"),
    ("rule ¦value: on V[x,y]", "expected the name of the rule, but got 'value'",
     "'value' is a reserved word"),
    ("rule R: on V[x,y] when self ¦= 1", f"{CLAUSE} '='", COMPARES),
    ("constraint C: on V[x,y] priority hard ¦require self < 2",
     "'priority' stands behind 'forbid' or 'require'", None),
    ("constraint C: ¦assert self < 2",
     "expected a clause (on, let, forbid, require) or a declaration, but got 'assert'",
     "a constraint says 'require …' or 'forbid …'"),
    ("schedule V[*] using red¦-black", "expected options in parentheses or a declaration, but got '-'",
     "names have '_', as in 'red_black'"),
    ("schedule V[*] using ¦redblack", "unknown strategy 'redblack'", "did you mean 'red_black'?"),
    ("commit V[*] using ¦acept", "unknown policy 'acept'", "did you mean 'accept'?"),
    ("¦Rule R: on V[x,y]", f"{DECLARATION} 'Rule'", "did you mean 'rule'?"),
    ("¦COMMIT V[*] using accept", f"{DECLARATION} 'COMMIT'", "did you mean 'commit'?"),
    ("¦let n = 3", f"{DECLARATION} 'let'",
     "outside of rules, 'param p : F32 = …' and 'def f[x] = …' name something"),
    ("¦import numpy as np", f"{DECLARATION} 'import'",
     "there is nothing to import: all functions are there"),
    ("¦ask patches [ set pcolor red ]", f"{DECLARATION} 'ask'", "'rule R: on V[x,y]' is for every cell"),
    ("¦int main() { return 0; }", f"{DECLARATION} 'int'", NAMES),
    ("value U : Token[2] shape Grid2D(¦8.0, 8)", "expected an integer as size, but got a number",
     "sizes count cells or tokens, and have no point: 8, not 8.0"),
    ("value U : Token[2] shape Seq(2) init [¦0, 1]", "expected the name of an index, but got '0'",
     "indices have names here, as in 'init[x] x % 2'; what single cells begin with is an input, as in "
     "--input V=start.npy"),
    ("value U : Latent[2] shape Seq(2) init [¦0.0, 1.0]", "expected the name of an index, but got '0.0'",
     "indices have names here; a vector is 'concat(…)', as in 'init concat(0.0, 1.0)'"),
    ("value U : Token[2] shape Seq(N) boundary ¦mirror", "unknown boundary 'mirror'",
     "boundaries are open, wrap and clamp"),
    ("¦hello world", f"{DECLARATION} 'hello'",
     "declarations begin with value, param, def, visible, rule, constraint, schedule, commit or observe"),
]

CASES = [(RULE.format("emit proposal V[x,y] := " + text), *said) for text, *said in EXPRESSIONS] \
    + [(RULE.format(text), *said) for text, *said in CLAUSES] \
    + [(PARTS + text + "\n", *said) for text, *said in DECLARATIONS]


def messages(tools, texts):
    """Of each text the messages: line and column, kind and what is said. One process reads all."""
    mark = "// -----\n"
    said = tools.run("lmpm-translate", "--import-lmpm", "--split-input-file", "-o", "/dev/null", check=False,
                     stdin=mark.join(text + "\n" for text in texts))
    assert said.returncode in (0, 1), said.stderr[:2000]
    marks = {1: 0}  # after the first text, each begins behind the mark on its line
    for number, text in enumerate(texts[:-1], 1):
        marks[max(marks) + text.count("\n") + (1 if number == 1 else 2)] = number
    found = [[] for _ in texts]
    for start, line, column, kind, words in re.findall(
            r"^within split at <stdin>:(\d+) offset :(\d+):(\d+): (error|note|warning): (.*?)"
            r"(?: \[[a-z-]+\])?$", said.stderr, re.MULTILINE):
        number = marks[int(start)]
        found[number].append((int(line) - (number > 0), int(column), kind, words))
    return found


@pytest.fixture(name="said", scope="module")
def said_fixture(tools):
    texts = [marked(text)[0] for text, *_ in CASES]
    return dict(zip(texts, messages(tools, texts)))


def marked(text):
    """A text without the mark of what is wrong, and the line and column (of bytes) there."""
    before, behind = text.split("¦")
    bytes_before = before.encode()
    return before + behind, before.count("\n") + 1, len(bytes_before) - bytes_before.rfind(b"\n")


@pytest.mark.parametrize("text, message, hint", CASES, ids=range(len(CASES)))
def test_what_newcomers_write(text, message, hint, said):
    text, line, column = marked(text)
    found = said[text]
    assert [words for _, _, kind, words in found if kind == "error"] == [message]
    assert [words for _, _, kind, words in found if kind == "note"] == ([hint] if hint else [])
    assert {place[:2] for place in found} == {(line, column)}


def table_of(source_dir, kind):
    """The lines of one kind in the table of what other languages write."""
    text = (source_dir / "include/LCI/Target/LMPM/Foreign.def").read_text()
    values = dict(re.findall(r'#define (LMPM_\w+) +(?:\\\s+)?"((?:[^"\\]|\\.)*)"', text))
    for spelling, hint in re.findall(rf'^{kind}\("(.*?)", (.*)\)$', text, re.MULTILINE):
        spelling = spelling.encode().decode("unicode_escape").encode("latin-1").decode() \
            if "\\x" in spelling else spelling
        yield spelling, values[hint] if hint in values else hint.strip('"')


FOREIGN = [("LMPM_FOREIGN_SIGN", "emit proposal V[x,y] := self {} x", "unexpected '{}'"),
           ("LMPM_FOREIGN_CHARACTER", "emit proposal V[x,y] := self {} x", "unexpected character"),
           ("LMPM_FOREIGN_WORD", "emit proposal V[x,y] := self {} x", CLAUSE + " '{}'"),
           ("LMPM_FOREIGN_NAME", "emit proposal V[x,y] := {}", "unknown name '{}'"),
           ("LMPM_FOREIGN_FUNCTION", "emit proposal V[x,y] := {}(x)", "unknown function '{}'"),
           ("LMPM_FOREIGN_BOUNDARY", "emit proposal V[x,y] := 0\nvalue U : F32 shape Seq(N) boundary {}",
            "unknown boundary '{}'"),
           ("LMPM_ARITY", "emit proposal V[x,y] := {}(x, 1, 2)", "'{}' takes ")]


@pytest.mark.parametrize("kind, line, message", FOREIGN, ids=[kind for kind, *_ in FOREIGN])
def test_each_line_of_the_table_is_said(kind, line, message, tools, source_dir):
    rows = list(table_of(source_dir, kind))
    assert len(rows) > 5
    found = messages(tools, [RULE.format(line.replace("{}", spelling)) for spelling, _ in rows])
    for (spelling, hint), ((_, _, _, error), (_, _, _, note)) in zip(rows, found):
        assert error.startswith(message.replace("{}", spelling)), spelling
        assert note == hint, spelling


def test_what_is_no_mistake(tools):
    """White space of every editor, declarations in any order, and `else if`."""
    text = RULE.format("emit proposal V[x,y] := if self == 1 then 2 else if self == 2 then 1 else 0")
    turned = "\n\n".join(reversed(re.split(r"\n(?=[a-z])", text)))
    for written in [text, turned, text.replace("\n", "\r\n"), text.replace("  ", "\t"),
                    "\ufeff" + text, text + "\n\n// the end"]:
        assert tools.run("lmpm-translate", "--import-lmpm", "-o", "/dev/null", stdin=written).stderr == ""


def test_a_quotient_of_python_is_a_comment(tools):
    """Which is no mistake of the language, but surely one of who wrote it."""
    text, line, column = marked(RULE.format("emit proposal V[x,y] := self ¦// 2"))
    assert messages(tools, [text]) == [[
        (line, column, "warning", "'// 2' is a comment and divides nothing"),
        (line, column, "note", "the quotient of integers is 'a / b', rounded down")]]
    assert messages(tools, [RULE.format("emit proposal V[x,y] := self // 2 cells")]) == [[]]

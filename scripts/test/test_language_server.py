"""lmpm-lsp-server as an editor sees it, through pygls's client: every example, and broken texts."""

import asyncio
import json
import pathlib
import random
import re

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

SOURCE = pathlib.Path(__file__).resolve().parents[2]
URI = "file:///nowhere/test.lmpm"
EXAMPLES = sorted((SOURCE / "examples").rglob("*.lmpm"))

LIFE = """// Conway's Life.
value Cell : Token[2] shape Grid2D(W, H) boundary wrap init bernoulli(0.3)
visible Cell[x,y] <- Cell[x,y]
visible near: Cell[x,y] <- Cell[x+dx,y+dy] when (dx,dy) in N8
rule Life:
  on Cell[x,y]
  let n = sum(near)
  emit proposal Cell[x,y] := if n == 3 or (n == 2 and self == 1) then 1 else 0
commit Cell[*] using accept
observe population := sum(Cell[x,y])
"""


class Editor:
    """One client and its server; each call waits for the answer."""

    def __init__(self, command, **options):
        self.loop = asyncio.new_event_loop()
        self.client = LanguageClient("test", "1")
        self.published = {}
        self.version = 0

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def keep(params):
            self.published[params.uri] = params

        self.wait(self.client.start_io(*command))
        self.answer = self.wait(self.client.initialize_async(lsp.InitializeParams(
            capabilities=lsp.ClientCapabilities(), initialization_options=options)))
        self.client.initialized(lsp.InitializedParams())

    def wait(self, coroutine):
        return self.loop.run_until_complete(asyncio.wait_for(coroutine, 20))

    def ask(self, method, uri=URI, *place, **more):
        """The answer to a request about a text, or about a place in it."""
        if place:
            more["position"] = lsp.Position(*place)
        params = lsp.METHOD_TO_TYPES[method][2](text_document=lsp.TextDocumentIdentifier(uri), **more)

        async def request():  # within the loop
            return await self.client.protocol.send_request_async(method, params)
        return self.wait(request())

    async def until_published(self, uri):
        while uri not in self.published or self.published[uri].version != self.version:
            await asyncio.sleep(0.001)
        return list(self.published.pop(uri).diagnostics)

    def open(self, text, uri=URI):
        """Opens a text and returns its diagnostics."""
        self.version += 1
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(
            lsp.TextDocumentItem(uri, "lmpm", self.version, text)))
        return self.wait(self.until_published(uri))

    def change(self, text, uri=URI):
        self.version += 1
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(
            lsp.VersionedTextDocumentIdentifier(self.version, uri),
            [lsp.TextDocumentContentChangeWholeDocument(text)]))
        return self.wait(self.until_published(uri))

    def close(self):
        self.wait(self.client.shutdown_async(None))
        self.client.exit(None)
        self.wait(self.client._server.wait())
        assert self.client._server.returncode == 0
        self.wait(self.client.stop())
        self.loop.close()


@pytest.fixture(scope="module")
def editor(tools):
    editor = Editor([tools.path("lmpm-lsp-server")])
    yield editor
    editor.close()


def places(text, piece):
    """Where an editor sees each occurrence of a piece: lines and UTF-16 units from 0."""
    return [(number, len(line[:at].encode("utf-16-le")) // 2)
            for number, line in enumerate(text.split("\n"))
            for at in range(len(line)) if line.startswith(piece, at)]


def cut(text, span):
    """What a range of one line holds."""
    assert span.start.line == span.end.line
    line = text.split("\n")[span.start.line].encode("utf-16-le")
    return line[2 * span.start.character:2 * span.end.character].decode("utf-16-le")


def errors(diagnostics):
    return [d.message for d in diagnostics if d.severity == lsp.DiagnosticSeverity.Error]


def test_it_says_who_it_is(editor):
    assert editor.answer.server_info.name == "lmpm-lsp-server"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_checked_with_its_bindings(path, editor):
    assert errors(editor.open(path.read_text(), path.as_uri())) == []


def test_messages_come_as_one_types(editor):
    assert editor.open(LIFE) == []
    [wrong] = editor.change(LIFE.replace("sum(near)", "sum(neer)"))
    assert wrong.message.startswith("unknown name 'neer'\ndid you mean 'near'?")
    assert wrong.range.start == lsp.Position(*places(LIFE, "near)")[0])
    assert wrong.range.end.character == wrong.range.start.character + 4
    assert editor.change(LIFE) == []


def test_a_note_at_another_place_stands_beside_the_message(editor):
    [wrong] = editor.open(LIFE + "param Cell : F32\n")
    assert [cut(LIFE, note.location.range) for note in wrong.related_information] == ["Cell"]


def test_positions_are_in_utf_16(editor):
    text = LIFE.replace("// Conway's Life.", "// 生命 🙂") + 'constraint Sky: require Cell[x,y] in ' \
        'Palette("天空🙂") priority beto\r\n'
    [wrong] = editor.open(text)
    assert (wrong.range.start.line, wrong.range.start.character) == places(text, "beto")[0]
    assert cut(text, wrong.range) == "beto"


def test_bindings_beside_a_text_are_used(editor, tmp_path):
    path = tmp_path / "life.lmpm"
    assert editor.open(LIFE, path.as_uri()) == []
    (tmp_path / "bindings.json").write_text(json.dumps({"sizes": {"W": 8}}))
    [wrong] = editor.change(LIFE, path.as_uri())
    assert wrong.message.startswith("size 'H' is not bound")
    (tmp_path / "bindings.json").write_text('{"sizes": {"W": 8,\n "H": x}}')
    wrong = editor.change(LIFE, path.as_uri())[0]
    assert wrong.message.startswith("bindings.json:2: ")
    note = wrong.related_information[0]
    assert note.location.uri.endswith("bindings.json") and note.location.range.start.line == 1
    assert note.message == "it is said here"


def test_what_only_a_check_finds_is_found(tools, tmp_path):
    text = LIFE.replace("then 1 else", "then 2 else")
    (tmp_path / "sizes.json").write_text(json.dumps({"sizes": {"W": 8, "H": 8}}))
    editor = Editor([tools.path("lmpm-lsp-server")], bindings="sizes.json")
    [wrong] = editor.open(text, (tmp_path / "p.lmpm").as_uri())
    assert wrong.severity == lsp.DiagnosticSeverity.Error
    assert editor.open(LIFE, (tmp_path / "q.lmpm").as_uri()) == []
    (tmp_path / "sizes.json").unlink()
    [wrong] = editor.change(LIFE, (tmp_path / "q.lmpm").as_uri())
    assert wrong.severity == lsp.DiagnosticSeverity.Error and "sizes.json" in wrong.message
    editor.close()


def broken(text, count):
    """The text with parts missing, doubled or replaced."""
    draw = random.Random(7)
    for _ in range(count):
        start = draw.randrange(len(text))
        end = min(len(text), start + draw.randrange(1, 40))
        yield text[:start] + draw.choice(["", "🙂", "[", '"', text[start:end] * 2]) + text[end:]
        yield text[:start]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_broken_texts_are_survived(path, editor):
    editor.open("")
    for text in broken(path.read_text(), 6):
        editor.change(text)
        ask_everything(editor, text)


def ask_everything(editor, text):
    """Every question, at some places of a text; what the answers are is not asked here."""
    editor.ask("textDocument/documentSymbol")
    draw = random.Random(len(text))
    for _ in range(2):
        line = draw.randrange(text.count("\n") + 2)
        place = line, draw.randrange(60)
        for method in ["definition", "hover"]:
            editor.ask(f"textDocument/{method}", URI, *place)
        editor.ask("textDocument/references", URI, *place, context=lsp.ReferenceContext(True))
        editor.ask("textDocument/completion", URI, *place)
    formatted(editor, text)


@pytest.mark.parametrize("text", ["", "\0", "\ufeff", "\r\r\n\r", "value", "(" * 1000, "rule R: on " + "-" * 5000])
def test_strange_texts_are_survived(text, editor):
    assert errors(editor.open(text)) != []


WORDS = set("""value param def visible rule constraint schedule commit observe and or not xor in if then
else when shape clock Lamport boundary open wrap clamp init on read let emit proposal score forbid
require priority hard using accept satisfy sample metropolis quorum temperature constraints weighted
max_constraints_then_score count_constraints_then_score weighted_constraints_then_score all red_black
four_color recolor raster wavefront masked random confidence axes tile phase legalize snapshot strict
bits strategy any epoch""".split())
NAMES = """// 🙂 all kinds of names
param beta : F32 = 0.5
// What a cell holds.
value Cell : Token[K] shape Grid2D(W, H/2) init[x,y] x
value Cover : Token[K] shape Seq(W)
def twice[i] = 2 * i
visible Cell[x,y] <- Cell[x,y]
visible near: Cell[x,y] <- Cell[x+d,y] when d in -1..1
visible near: Cover[x] <- Cell[x+d,y1..y2] when d in {1}
rule Grow:
  on Cell[x,y]
  read {neighbors in N8, Cover[*]}
  let n = sum(near + d when d in 0..1) + twice[x]
  emit proposal Cell[x,y] := Model(neighbors, cover, n)
  score n * beta  // 🙂 n
constraint Free: require Cell[a,b] < K priority hard
commit Cell[*] using satisfy(max_constraints_then_score)
observe seen := sum(Cell[x,y])
"""


def spans(answer):
    return [(at.range.start.line, cut(NAMES, at.range)) for at in answer]


@pytest.fixture
def names(editor):
    editor.open(NAMES)

    def ask(method, piece, number=0, **more):
        return editor.ask(f"textDocument/{method}", URI, *places(NAMES, piece)[number], **more)
    return ask


def references(names, piece, number=0, with_declaration=True):
    return spans(names("references", piece, number,
                       context=lsp.ReferenceContext(with_declaration)))


def test_the_outline_has_declarations_and_lets(editor):
    editor.open(NAMES)
    outline = editor.ask("textDocument/documentSymbol")
    assert [(s.detail, s.name) for s in outline] == [
        ("param", "beta"), ("value", "Cell"), ("value", "Cover"), ("def", "twice"),
        ("visible", "visible Cell[x,y] <- Cell[x,y]"), ("visible", "near"), ("visible", "near"),
        ("rule", "Grow"), ("constraint", "Free"),
        ("commit", "commit Cell[*] using satisfy(max_constraints_then_score)"),
        ("observe", "seen")]
    assert [child.name for child in outline[7].children] == ["n"]
    assert outline[7].range.end == lsp.Position(14, 16)
    assert cut(NAMES, outline[7].selection_range) == "Grow"


@pytest.mark.parametrize("piece, number, line", [
    ("beta", 1, 1), ("Cell[x+d", 0, 3), ("twice[x]", 0, 5), ("near + d", 0, 7), ("x,y] <- Cell[x,y]", 0, 6),
    ("y] := Model", 0, 10), ("n * beta", 0, 12), ("cover, n", 0, 4), ("d when d in 0", 0, 12), ("K", 2, 3),
    ("H/2", 0, 3), ("y2", 0, 8), ("a,b", 0, 15)])
def test_a_definition_is_found(names, piece, number, line):
    [found] = names("definition", piece, number)
    assert found.range.start.line == line


def test_words_of_the_language_have_no_definition(names):
    for word in ["sum", "neighbors in", "Token", "N8", "Model", "// 🙂"]:
        assert names("definition", word) == []


def test_references_keep_scopes_apart(names):
    assert [line for line, _ in references(names, "near:")] == [7, 12]
    assert [line for line, _ in references(names, "near:", 1)] == [8]
    assert [line for line, _ in references(names, "n = sum")] == [12, 13, 14]
    assert references(names, "Cover") == [(4, "Cover"), (8, "Cover"), (11, "Cover"), (13, "cover")]
    assert len(references(names, "K]")) == 3
    assert len(references(names, "beta")) == 2
    assert len(references(names, "beta", with_declaration=False)) == 1
    assert [line for line, _ in references(names, "d when d in 0")] == [12, 12]


def test_hover_says_what_a_name_is(names):
    def hover(*place):
        answer = names("hover", *place)
        return answer and answer.contents.value

    value = hover("Cell[x+d")
    assert value.startswith("value\n") and "What a cell holds." in value
    assert "value Cell : Token[K] shape Grid2D(W, H/2) init[x,y] x\n```" in value
    assert hover("n * beta").startswith("let\n\n```lmpm\nlet n = sum(near + d when d in 0..1)")
    for piece, kind in [("beta", "parameter"), ("near:", "what is visible"), ("Grow", "rule"),
                        ("twice", "formula"), ("Free", "constraint"), ("seen", "observer"),
                        ("x,y] <-", "index of the cell"), ("d when d in 0", "free index"),
                        ("sum", "word of the language"), ("H/2", "size, given by the bindings")]:
        assert hover(piece).startswith(kind + "\n"), piece
    assert hover("// 🙂") is None


def test_hover_knows_the_sizes_of_bound_programs(editor, tmp_path):
    (tmp_path / "bindings.json").write_text(json.dumps({"sizes": {"W": 8, "H": 16}}))
    uri = (tmp_path / "life.lmpm").as_uri()
    assert editor.open(LIFE, uri) == []
    value = editor.ask("textDocument/hover", uri, *places(LIFE, "Cell")[0]).contents.value
    assert "8 × 16 cells" in value and "W = 8, H = 16" in value
    assert "H = 16" in editor.ask("textDocument/hover", uri, *places(LIFE, "H)")[0]).contents.value
    scalar = "value Seed : I32 shape Scalar\n"
    assert editor.open(LIFE + scalar, uri) == []
    assert "1 cell" in editor.ask("textDocument/hover", uri, LIFE.count("\n"), 7).contents.value


def rename(names, piece, name, number=0):
    edit = names("rename", piece, number, new_name=name)
    lines = NAMES.split("\n")
    for change in sorted(edit.changes[URI], key=lambda e: e.range.start.character, reverse=True):
        line = lines[change.range.start.line].encode("utf-16-le")
        start, end = 2 * change.range.start.character, 2 * change.range.end.character
        lines[change.range.start.line] = (line[:start] + change.new_text.encode("utf-16-le")
                                          + line[end:]).decode("utf-16-le")
    return "\n".join(lines)


def test_rename_changes_all_of_one_name(names):
    assert rename(names, "beta", "warmth") == NAMES.replace("beta", "warmth")
    changed = rename(names, "Cover", "Roof")
    assert changed == NAMES.replace("Cover", "Roof").replace("cover", "Roof")
    assert rename(names, "y1", "low") == NAMES.replace("y1", "low")


@pytest.mark.parametrize("piece, name, why", [
    ("sum", "add", "'sum' is a word of the language"),
    ("beta", "a b", "'a b' is not a name"), ("beta", "rule", "'rule' is not a name"),
    ("beta", "", "'' is not a name"), ("beta", "🙂", "'🙂' is not a name"),
    ("beta", "n", "with the name 'n' the text would mean something else"),
    ("W,", "w", "with the name 'w' the text would mean something else"),
    ("Cover", "Cell", "with the name 'Cell' the text would mean something else"),
    ("// 🙂", "x", "nothing is named here")])
def test_rename_is_refused_where_the_meaning_would_change(names, piece, name, why):
    with pytest.raises(JsonRpcException) as refusal:
        names("rename", piece, new_name=name)
    assert refusal.value.message == why


def test_rename_is_refused_in_a_text_with_errors(editor):
    editor.open(LIFE + "rule")
    with pytest.raises(JsonRpcException) as refusal:
        editor.ask("textDocument/rename", URI, *places(LIFE, "Cell")[0], new_name="C")
    assert refusal.value.message == "the text has errors: what it names is not all known"


def test_a_text_that_is_not_open_has_no_answers(editor):
    with pytest.raises(JsonRpcException) as refusal:
        editor.ask("textDocument/hover", "file:///nowhere/else.lmpm", 0, 0)
    assert refusal.value.message == "the text is not open"


def completions(editor, text):
    """What is offered at the end of a text."""
    editor.open(text)
    lines = text.split("\n")
    items = editor.ask("textDocument/completion", URI, len(lines) - 1, len(lines[-1])).items
    names = [item.label for item in items]
    assert len(names) == len(set(names))
    return set(names)


@pytest.mark.parametrize("typed, words", [
    ("value A : ", "Token I32 F32 Latent Event Rule"), ("param a : ", "Token I32 F32 Latent Event Rule"),
    ("value A : I32 shape ", "Scalar Seq Grid2D Grid3D Grid Set"), ("value A : I32 clock ", "Lamport"),
    ("value A : I32 shape Seq(N) boundary w", "open wrap clamp"),
    ("commit Cell[*] using ", "accept satisfy sample metropolis quorum"),
    ("schedule Cell[*] using r", "all red_black four_color recolor raster wavefront masked random confidence"),
    ("// val", ""), ('constraint C: require self in Palette("b', "")])
def test_completion_offers_what_may_stand_there(editor, typed, words):
    assert completions(editor, LIFE + typed) == set(words.split())


def test_completion_offers_names_and_words(editor):
    offered = completions(editor, LIFE + "rule Next:\n  on Cell[px,py]\n  let sumOf = su")
    assert {"value", "when", "sum", "softmax", "self", "N8", "Moore", "Cell", "Life", "population",
            "W", "H", "px", "emit", "score", "read"} <= offered
    assert not {"su", "dx", "forbid", "shape"} & offered
    assert {"shape", "clock", "boundary", "init"} <= completions(editor, LIFE + "value X : I32 ")
    assert {"forbid", "require", "priority"} <= completions(editor, LIFE + "constraint C: ")
    assert "prev_" not in completions(editor, LIFE + "observe o := prev_")
    assert "using" in completions(editor, LIFE + "commit Cell[*] ")
    assert {"rule", "value"} <= completions(editor, "")


def formatted(editor, text):
    edits = editor.ask("textDocument/formatting", URI, options=lsp.FormattingOptions(4, True))
    assert len(edits) <= 1
    return edits[0].new_text if edits else text


def distorted(text):
    """The same text with other white space, where that is no part of a comment or a string."""
    draw = random.Random(len(text))
    pieces = re.findall(r'//.*|"[^"]*"|\d+(?:\.\d+)?(?:e-?\d+)?|\w+|\s+|:=|<-|<<|<=|>>|>=|==|!='
                        r'|\?\?|\.\.\.?|.', text)
    assert "".join(pieces) == text
    return "".join(piece + draw.choice(["", " ", "\t"]) if not piece.startswith("//") else piece
                   for piece in pieces)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_formatting_keeps_the_program_and_its_comments(path, editor, tools):
    text = path.read_text()
    ir = tools.run("lmpm-translate", "--import-lmpm", stdin=text).stdout
    editor.open(text)
    plain = formatted(editor, text)
    written = "\ufeff\n\n" + text.replace("\n", "\r\n")
    editor.change(written)
    assert formatted(editor, written) == plain
    written = distorted(text)
    editor.change(written)
    for first in [plain, formatted(editor, written)]:
        assert tools.run("lmpm-translate", "--import-lmpm", stdin=first).stdout == ir
        assert re.findall("//.*", first) == [line.rstrip() for line in re.findall("//.*", text)]
        editor.change(first)
        assert formatted(editor, first) == first
        assert not re.search(r"[ \t\r]\n|\n\n\n|^\s", first) and first.endswith("\n")


@pytest.mark.parametrize("written, wanted", [
    ("value A:Token[ 2 ]shape Grid2D( W , H / 2 )boundary( open,wrap )init [ x , y ]x+1 param b:F32[N , 2]",
     "value A : Token[2] shape Grid2D(W, H/2) boundary (open, wrap) init[x,y] x+1\nparam b : F32[N, 2]\n"),
    ("visible near :A[x]<-A[x + d]when( d , 0 )in{(0,1) ,( 1,0 )}|N4",
     "visible near: A[x] <- A[x+d] when (d,0) in {(0,1), (1,0)} | N4\n"),
    ("rule R :on A[ x ]\nlet n=sum( A[x],b )\n// 🙂\n\n\n\nemit   proposal A[x]:=if n<-1 then-n else x ?? - 2 ^ - 3\n+1//why\n",
     "rule R: on A[x]\n  let n = sum(A[x], b)\n  // 🙂\n\n  emit proposal A[x] := if n < -1 then -n else x ?? -2^-3\n    + 1  //why\n"),
    ("observe o:=max( A[0 .. t - 1] )when", None),
    ("def f[i]=sum(A[i] when i in 0 .. N - 1)* not_ ?\n?", "def f[i] = sum(A[i] when i in 0..N-1) * not_?\n  ?\n"),
    ("def f=x? ?", "def f = x? ?\n"),
    ("commit A[ * ]using sample( temperature = 1.0 , constraints=weighted )",
     "commit A[*] using sample(temperature=1.0, constraints=weighted)\n"),
])
def test_formatting_sets_white_space(editor, written, wanted):
    editor.open(written)
    assert formatted(editor, written) == (written if wanted is None else wanted)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_name_of_an_example_is_known(path, editor):
    """What is no word, sign, number or comment is named, and its definition is named alike."""
    text = path.read_text()
    editor.open(text)
    seen = set()
    for number, line in enumerate(text.split("\n")):
        code = re.sub(r'//.*|"[^"]*"', lambda match: " " * len(match[0]), line)
        for match in re.finditer(r"[A-Za-z_]\w*", code):
            place = number, len(line[:match.start()].encode("utf-16-le")) // 2
            if (line[:5], match[0]) in seen:
                continue
            seen.add((line[:5], match[0]))
            hover = editor.ask("textDocument/hover", URI, *place)
            assert hover or match[0] in WORDS, (number, match[0])
            for found in editor.ask("textDocument/definition", URI, *place):
                same = cut(text, found.range)
                assert same.lower().startswith(match[0].lower()), (number, match[0], same)


def test_a_text_without_a_file_is_refused_and_survived(editor):
    editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(
        lsp.TextDocumentItem("untitled:Untitled-1", "lmpm", 1, LIFE)))
    assert editor.open(LIFE) == []


def test_ir_is_served_by_upstreams_server(tools):
    editor = Editor([tools.path("lmpm-lsp-server"), "--mlir"])
    program = tools.run("lmpm-translate", "--import-lmpm", SOURCE / "examples/life/life.lmpm").stdout
    assert editor.open(program, "file:///nowhere/life.mlir") == []
    [wrong] = editor.open(program.replace("lci.rule", "lci.ruel", 1), "file:///nowhere/wrong.mlir")
    assert "ruel" in wrong.message
    editor.close()


def test_the_tool_explains_itself(tools):
    assert "Language Server Protocol" in tools.run("lmpm-lsp-server", "--help").stdout
    assert tools.run("lmpm-lsp-server", "--no-such-flag", check=False).returncode == 1


def test_a_client_that_is_gone_is_noticed(tools):
    ended = tools.run("lmpm-lsp-server", stdin="", check=False)
    assert ended.returncode == 1 and "the client left before 'exit'" in ended.stderr

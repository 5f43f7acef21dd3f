"""lmpm-lsp-server as an editor sees it, through pygls's client: every example, and broken texts."""

import asyncio
import json
import pathlib
import random

import pytest
from lsprotocol import types as lsp
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
        return self.wait(self.client.protocol.send_request_async(method, params))

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
    for text in broken(path.read_text(), 15):
        editor.change(text)
        ask_everything(editor, text)


def ask_everything(editor, text):
    """Nothing to ask yet."""


@pytest.mark.parametrize("text", ["", "\0", "\ufeff", "\r\r\n\r", "value", "(" * 1000, "rule R: on " + "-" * 5000])
def test_strange_texts_are_survived(text, editor):
    assert errors(editor.open(text)) != []


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

"""Programs from text and files, and what is said of those that are wrong."""

import pytest

import lmpm


def test_a_program_from_a_file_is_the_program_of_its_text(source_dir):
    path = source_dir / "examples/life/life.lmpm"
    assert lmpm.load(path).to_lmpm() == lmpm.parse(path.read_text()).to_lmpm()


def test_ir_is_read_by_its_name(source_dir):
    program = lmpm.load(source_dir / "examples/life/life.lmpm")
    again = lmpm.parse(str(program.module), name="life.mlir")
    assert again.to_lmpm() == program.to_lmpm()


def test_an_error_has_its_parts_and_its_picture():
    with pytest.raises(lmpm.Error) as caught:
        lmpm.parse("value Cell : Token[2]\n", name="cell.lmpm")
    error = caught.value
    assert (error.id, error.file, error.line, error.column) == ("missing-part", "cell.lmpm", 1, 7)
    assert error.message == "value 'Cell' has no shape"
    assert str(error).startswith(
        "cell.lmpm:1:7: error: value 'Cell' has no shape [missing-part]\n"
        "value Cell : Token[2]\n"
        "      ^")
    assert [note.severity for note in error.diagnostics[0].notes] == ["note"]


def test_a_bundle_is_no_program(source_dir, tools, tmp_path):
    tools.run("lmpm-translate", "--lci-to-bundle", "--bundle-for=cpu", source_dir / "examples/life/life.lmpm", "--set",
              "W=8", "--set", "H=8", "-o", tmp_path / "life.lmpm")
    with pytest.raises(lmpm.Error, match="expected a program in '.*life.lmpm', but got a bundle") as raised:
        lmpm.load(tmp_path / "life.lmpm")
    assert raised.value.diagnostics[0].id == "wrong-program"

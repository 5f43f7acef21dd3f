"""Pictures of arrays and runs: their pixels, read back by Pillow, and what has none."""

import io

import numpy
import PIL.Image
import pytest

import lmpm

CHESS = numpy.array([[0, 1, 0], [1, 0, 1]], numpy.int8)  # x is the first index


def opened(png):
    return PIL.Image.open(io.BytesIO(png))


def decoded(png):
    return numpy.asarray(opened(png).convert("RGB"))


@pytest.fixture(scope="module")
def life(source_dir):
    return lmpm.load(source_dir / "examples/life/life.lmpm").compile(W=6, H=4)


@pytest.fixture(scope="module")
def blinker():
    cells = numpy.zeros((6, 4), numpy.int8)
    cells[1:4, 2] = 1
    return cells


# Still


def test_tokens_have_colours():
    picture = lmpm.picture(CHESS, 2, scale=1)
    assert numpy.array_equal(picture.pixels[..., 0], CHESS.T * 255.0)
    assert numpy.array_equal(decoded(picture.png()), picture.pixels)
    absent = lmpm.picture([[-1, 2]], 3).pixels
    assert absent[0, 0].tolist() == [255, 0, 255] and absent.shape == (2, 1, 3)
    assert absent[1, 0].tolist() not in ([0, 0, 0], [255, 0, 255])


def test_colours_of_ones_own():
    colours = numpy.array([[1, 2, 3], [40, 50, 60]], numpy.uint8)
    assert numpy.array_equal(lmpm.picture(CHESS, 2, colours=colours).pixels, colours[CHESS.T])
    patches = numpy.arange(2 * 2 * 1 * 3, dtype=numpy.uint8).reshape(2, 2, 1, 3)
    pixels = lmpm.picture(CHESS, 2, colours=patches).pixels
    assert pixels.shape == (6, 2, 3) and numpy.array_equal(pixels[:2, :1], patches[0])


def test_pixels_are_enlarged():
    picture = lmpm.picture(CHESS, 2, scale=3)
    assert numpy.array_equal(decoded(picture.png()), picture.pixels.repeat(3, 0).repeat(3, 1))
    assert opened(lmpm.picture(CHESS, 2).png()).size == (85 * 2, 85 * 3)
    assert opened(lmpm.picture(numpy.zeros((300, 2))).png()).size == (300, 2)


def test_numbers_are_grey():
    assert lmpm.picture([[-1.0, 0.0, 1.0]]).pixels.tolist() == [[0], [128], [255]]
    assert lmpm.picture([[0.0, 1.0]], limits=(-1, 3)).pixels.tolist() == [[64], [128]]
    assert lmpm.picture([3, 3]).pixels.tolist() == [[0, 0]]
    assert opened(lmpm.picture([[0.0, 1.0]]).png()).mode == "L"


def test_numbers_around_zero_are_blue_and_red():
    low, zero, high = lmpm.picture([-1.0, 0.0, 0.5], colours="diverging").pixels[0]
    assert low[2] > low[0] and high[0] > high[2] and zero.tolist() == [247, 247, 247]
    assert low.tolist() == [33, 102, 172] and high.tolist() != [178, 24, 43]
    assert lmpm.picture([-1.0, 2.0], colours="diverging").pixels[0, 1].tolist() == [178, 24, 43]
    table = numpy.arange(768, dtype=numpy.uint8).reshape(256, 3)
    assert lmpm.picture([0, 1], colours=table).pixels[0, 1].tolist() == table[255].tolist()


def test_a_picture_is_characters_elsewhere():
    assert str(lmpm.picture(CHESS, 2)) == "  ██\n██\n  ██"
    assert repr(lmpm.picture(CHESS, 2, name="Cell")) == "<picture of Cell, 2 x 3 pixels>"
    assert repr(lmpm.picture([1])) == "<picture, 1 x 1 pixels>"
    assert len(str(lmpm.picture(numpy.ones((200, 1)), limits=(0, 1))).splitlines()[0]) == 2 * 50


def test_a_picture_is_saved(tmp_path):
    picture = lmpm.picture(CHESS, 2)
    picture.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == picture.png() == picture._repr_png_()


# Of runs


def test_a_run_draws_what_the_tool_draws(source_dir, tools, tmp_path):
    path = source_dir / "examples/ising/ising.lmpm"
    run = lmpm.load(path).compile(W=8, H=4, beta=0.4).run(epochs=3, seed=2)
    tools.run("lmpm-run", path, "--set", "W=8", "--set", "H=4", "--set", "beta=0.4", "--epochs", 3,
              "--seed", 2, "--picture", f"Spin={tmp_path / 'a.png'}")
    expected = numpy.asarray(PIL.Image.open(tmp_path / "a.png"))
    assert numpy.array_equal(run.picture("Spin").pixels, expected)


def test_vectors_stand_side_by_side():
    program = lmpm.parse("value Vec : Latent[3] shape Grid2D(W, H) boundary wrap\n"
                         "visible Vec[x,y] <- Vec[x,y]\n"
                         "rule R:\n  on Vec[x,y]\n  emit proposal Vec[x,y] := self\n"
                         "commit Vec[*] using accept\n")
    given = numpy.arange(2 * 4 * 3, dtype=numpy.float32).reshape(2, 4, 3)
    run = program.compile(W=2, H=4).new({"Vec": given})
    pixels = run.picture("Vec").pixels
    assert pixels.shape == (4, 3 * 2 + 2)
    assert pixels[3, 0] == round(given[0, 3, 0] / 23 * 255) and pixels[3, 7] == 255


def test_an_animation_goes_on_with_the_run(life, blinker):
    run = life.new({"Cell": blinker})
    moving = run.animate("Cell", 5, every=2, fps=4, scale=2)
    assert run.epoch == 5 and len(moving) == 4
    assert repr(moving) == "<animation of Cell, 4 pictures of 6 x 4 pixels>"
    assert numpy.array_equal(moving[0].pixels[..., 0], blinker.T * 255.0)
    assert numpy.array_equal(moving[-1].pixels[..., 0], run["Cell"].T * 255.0)
    assert str(moving) == str(moving[-1])


def test_an_animation_ends_where_nothing_changes(life):
    run = life.new({"Cell": numpy.zeros((6, 4), int)})
    assert len(run.animate("Cell", 1000)) == 2 and run.epoch == 1


def test_an_animated_file_has_all_pictures(life, blinker, tmp_path):
    moving = life.new({"Cell": blinker}).animate("Cell", 3, fps=4, scale=2)
    moving.save(tmp_path / "a.png")
    file = PIL.Image.open(tmp_path / "a.png")
    file.verify()  # checksums
    file = PIL.Image.open(tmp_path / "a.png")
    assert file.n_frames == 4 and file.info["loop"] == 0
    for number, picture in enumerate(moving):
        file.seek(number)
        assert file.info["duration"] == 250
        assert numpy.array_equal(numpy.asarray(file.convert("RGB")), decoded(picture.png()))


def test_large_animations_have_their_data_in_parts():
    arrays = numpy.random.default_rng(0).integers(0, 200, (3, 300, 300))
    file = opened(lmpm.animation(arrays, 200).png())
    for number, array in enumerate(arrays):
        file.seek(number)
        expected = lmpm.picture(array, 200).pixels
        assert numpy.array_equal(numpy.asarray(file.convert("RGB")), expected)


def test_numbers_have_the_same_limits_in_all_pictures():
    moving = lmpm.animation([[[0.0, 1.0]], [[1.0, 2.0]]])
    assert [one.pixels.tolist() for one in moving] == [[[0], [128]], [[128], [255]]]


# What has none


def message_of(call):
    with pytest.raises(lmpm.Error) as caught:
        call()
    return caught.value.message


@pytest.mark.parametrize("arguments, message", [
    (dict(array=numpy.zeros((0, 3))), "expected cells for a picture, but got none of shape (0, 3)"),
    (dict(array=3), "expected a value of rank 1 to 3 for a picture, but got shape ()"),
    (dict(array=CHESS, vocabulary=-1),
     "expected a whole number of at least 0 for vocabulary, but got -1"),
    (dict(array=CHESS, vocabulary=1), "expected tokens below 1, but got 1 at [0, 1]"),
    (dict(array=CHESS, vocabulary=2, limits=(0, 1)),
     "expected no limits for the picture of tokens, which have colours"),
    (dict(array=CHESS, vocabulary=2, colours="diverging"),
     "expected an array of colours for tokens, but got 'diverging'"),
    (dict(array=CHESS, vocabulary=2, colours=[[1, 2, 3]]),
     "expected a uint8 codebook of shape (2, 3) or (2, height, width, 3), but got int64 of shape (1, 3)"),
    (dict(array=CHESS, colours="diverges"),
     "expected 'grey' or 'diverging' for the colours of numbers, but got 'diverges'; did you mean "
     "'diverging'?"),
    (dict(array=CHESS, colours="pink"),
     "expected 'grey' or 'diverging' for the colours of numbers, but got 'pink'"),
    (dict(array=CHESS, colours=[[1, 2, 3]]),
     "expected a uint8 array of shape (256, 3) for the colours of numbers, but got int64 of shape (1, 3)"),
    (dict(array=CHESS, limits=(1, 0)), "expected a pair of rising numbers for limits, but got (1, 0)"),
    (dict(array=CHESS, limits=3), "expected a pair of rising numbers for limits, but got 3"),
    (dict(array=CHESS, scale=0), "expected a whole number of at least 1 for scale, but got 0"),
    (dict(array=[["a"]]), "picture: expected an array of bool, integers or floats of at most 64 bits, but got "
     "elements of str32"),
])
def test_a_wrong_picture_is_a_sentence(arguments, message):
    assert message_of(lambda: lmpm.picture(**arguments)) == message


def test_a_wrong_animation_is_a_sentence(life):
    assert message_of(lambda: lmpm.animation([])) == (
        "expected at least one picture for an animation, but got none")
    assert message_of(lambda: lmpm.animation([[1], [1, 2]])) == (
        "expected pictures of one size for an animation, but got 1 x 1 pixels and 2 x 1 pixels")
    assert message_of(lambda: lmpm.animation([[1]], fps=0)) == (
        "expected a whole number in 1 .. 1000 for fps, but got 0")
    run = life.new()
    assert message_of(lambda: run.animate("Cell", 2, every=0)) == (
        "expected a whole number of at least 1 for every, but got 0")
    assert message_of(lambda: run.animate("Cel", 2)) == "the program has no value 'Cel'"
    assert message_of(lambda: run.picture("Cel")) == "the program has no value 'Cel'"
    assert message_of(lambda: run.picture("Cell").save("a.gif")) == (
        "expected a file that ends in .png, but got 'a.gif'")

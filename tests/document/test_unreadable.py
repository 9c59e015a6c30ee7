"""What is not TOML is told as what has to be otherwise, at its place."""

import pytest

from sbg_sim.document import source
from sbg_sim.errors import FileFaultsError

QUOTES = "text, and lengths with a unit, stand in quotes"
NAMES = 'a name with other signs than a-z, A-Z, 0-9, - and _ stands in quotes, as in [models."Éowyn"]'


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("title = The ford\n", (1, 9), QUOTES),
        ("expect = yes", (1, 10), QUOTES),
        ("move = 6in\n", (1, 9), f"there is more after the value; {QUOTES}"),
        ('a = 1\nwidth = 48"\n', (2, 11), f"there is more after the value; {QUOTES}"),
        ("move = 6 inches\n", (1, 10), f"there is more after the value; {QUOTES}"),
        (
            "at = 10, 12\n",
            (1, 8),
            "a number has a point, not a comma, as in 1.5; a place stands in [ ], as in [10, 12]",
        ),
        ("at = (10, 12)\n", (1, 6), "places and other arrays stand in [ ], as in [10, 12]"),
        ("move = .5\n", (1, 8), "a number begins with a digit, as in 0.5"),
        ("move = 5.\n", (1, 9), "a number ends with a digit, as in 5.0"),
        ("move = 05\n", (1, 9), "a number does not begin with 0"),
        ("move = 1 2\n", (1, 10), f"there is more after the value; {QUOTES}"),
        ("doubt = 1/16\n", (1, 10), "a fraction is written as a decimal, as in 0.0625 for 1/16"),
        ("may_move = False\n", (1, 12), "true and false are written small"),
        ("side = \u201cgood\u201d\n", (1, 8), "the quotes of text are straight ones: \" or '"),
        ("move =\nbase = 1\n", (1, 7), "a value is missing after ="),
        ("move: 6\n", (1, 5), "a key and its value are joined by =, not :"),
        ("move\n", (1, 5), "= and a value are missing after the key"),
        ("the move = 6\n", (1, 5), f"= is missing after the key; {NAMES}"),
        ("[models.éowyn]\n", (1, 9), NAMES),
        ("[models.king elessar]\n", (1, 14), NAMES),
        ("éowyn = 1\n", (1, 1), NAMES),
        ("[models.a\nmove = 6\n", (1, 10), "the ] that ends the name is missing"),
        ("[[moves]\nmodel = 1\n", (1, 8), "the ]] that ends the name is missing"),
        ("circle = { center = [1, 1],\n radius = 1 }\n", (1, 28), "stands on one line"),
        ("circle = { radius = 1, }\n", (1, 24), "a comma stands only between two keys"),
        ('side = "good\nbase = 1\n', (1, 13), "text ends with its quote on the line where it begins"),
        ('file = "C:\\photo.jpg"\n', (1, 13), "a backslash in text is written twice"),
        ("a = 1\n// here\n", (2, 1), "a comment begins with #"),
        ("polygon = [[1, 2] [3, 4]]\n", (1, 11), "commas between the entries of an array"),
    ],
)
def test_a_slip_of_the_hand(text, place, words):
    with pytest.raises(FileFaultsError) as refused:
        source.parse(text.encode(), "t.toml")
    fault = refused.value.faults[0]
    assert (fault.line, fault.column) == place
    assert fault.reason.startswith("is not TOML: ")
    assert words in fault.reason


@pytest.mark.parametrize("more", ["b =\n", "[]\n", "b = 1 2\n", '"c= 1\n"d\\u0041" = 2\n'])
def test_beside_a_key_that_stands_twice_what_is_no_toml_is_told_too(more):
    with pytest.raises(FileFaultsError) as refused:
        source.parse(f"a = 1\na = 2\n{more}".encode(), "t.toml")
    twice, other = refused.value.faults
    assert (twice.key, twice.line, "stands twice" in twice.reason) == ("a", 2, True)
    assert other.line >= 3
    assert other.reason.startswith("is not TOML: ")


def test_what_the_parser_says_without_a_place_is_told_of_the_file():
    fault = source._syntax(ValueError("Nobody knows where"), "t.toml", b"a = 1")
    assert (str(fault), fault.line) == ("t.toml: is not TOML: nobody knows where", 0)

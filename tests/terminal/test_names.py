"""Names as they are typed, what could be typed next, and the map."""

from __future__ import annotations

import pytest

from sbg_sim.errors import QuestionError, UnknownNameError
from sbg_sim.phase import Phase
from sbg_sim.table.record import MoveRecord
from sbg_sim.terminal.completing import completions
from sbg_sim.terminal.map import drawn
from sbg_sim.terminal.names import Names, words_of
from sbg_sim.terminal.words import in_words, read_move, read_place
from tests.phase.tables import box, man, table

HERE = table(
    man("The One", (4, 4)),
    man("The One Ring", (8, 4)),
    man("end", (12, 4)),
    man("Éowyn", (16, 4)),
    man("Uruk (1)", (4, 20), "evil", prone=True),
    man("late", side="evil"),
    off=("late",),
    terrain=[box("Old Tower", 18, 10, 22, 14, "platform", height=1.0), box("bog", 1, 10, 6, 12, "difficult")],
)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the one to 5 5", MoveRecord("The One", to=(5, 5))),
        ("THE ONE RING to 5 5", MoveRecord("The One Ring", to=(5, 5))),
        ('"end" to 5 5', MoveRecord("end", to=(5, 5))),
        ("éowyn charges uruk (1)", MoveRecord("Éowyn", charge=("Uruk (1)",))),
        ('Éowyn charge "uruk (1)" rolls 4', MoveRecord("Éowyn", charge=("Uruk (1)",), rolls=(4,))),
        ("Éowyn to 20 12 on old tower", MoveRecord("Éowyn", to=(20, 12), on="Old Tower")),
        ("e\u0301owyn to 5 5", MoveRecord("Éowyn", to=(5, 5))),
        ("#4 to 5 5", MoveRecord("Éowyn", to=(5, 5))),
    ],
)
def test_names_in_any_case_with_spaces_in_quotes_or_by_number(said: str, meant: MoveRecord):
    assert read_move(said, HERE) == meant
    assert read_move(in_words(meant), HERE) == meant


def test_names_that_nobody_bears():
    with pytest.raises(UnknownNameError, match="did you mean 'Éowyn'"):
        read_move("eowyn to 5 5", HERE)
    with pytest.raises(UnknownNameError, match="'the two'"):
        read_move("the two to 5 5", HERE)
    with pytest.raises(UnknownNameError):
        read_move("#9 to 5 5", HERE)


def test_two_names_of_one_spelling():
    names = Names(["gimli", "Gimli"], "model")
    assert names.at(words_of("Gimli")) == ("Gimli", 1)
    with pytest.raises(UnknownNameError, match="several"):
        names.at(words_of("GIMLI"))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the one at 5 5", MoveRecord("The One", place=(5, 5))),
        ("the one prone", MoveRecord("The One", place=(4, 4), lie=True)),
        ("uruk (1) standing", MoveRecord("Uruk (1)", place=(4, 20), stand=True)),
        ("the one at 20 12 on old tower lies", MoveRecord("The One", place=(20, 12), on="Old Tower", lie=True)),
    ],
)
def test_places(said: str, meant: MoveRecord):
    assert read_place(words_of(said), HERE) == meant
    assert read_place(words_of(in_words(meant).removeprefix("place ")), HERE) == meant


def test_places_that_make_no_sense():
    for said in ("the one at 5", "the one at 5 x", "the one at 5 5 on", "the one at 5 5 on air"):
        with pytest.raises((QuestionError, UnknownNameError)):
            read_place(words_of(said), HERE)


@pytest.mark.parametrize(
    ("typed", "some", "none"),
    [
        ("", ["help", '"The One"', "Éowyn", "save"], ["late", '"Uruk (1)"']),
        ("the o", ['"The One"', '"The One Ring"'], ["help"]),
        ("éo", ["Éowyn"], ["help"]),
        ("Éowyn ", ["charge", "to", "stay"], ["help"]),
        ("Éowyn ch", ["charge"], ["to"]),
        ("Éowyn charge ", ['"Uruk (1)"'], ['"The One"']),
        ("Éowyn to 4 4 ", ["on", "lie"], ["to"]),
        ("Éowyn to 4 4 on o", ['"Old Tower"'], ["bog"]),
        ("why É", ["Éowyn"], ["help"]),
        ("slay u", ['"Uruk (1)"'], ["undo"]),
        ("next ", ["good", "evil", "roll"], ["Éowyn"]),
    ],
)
def test_what_can_be_typed_next(typed: str, some: list[str], none: list[str]):
    found = [word for word, _ in completions(Phase.begin(HERE, "good"), typed)]
    assert set(some) <= set(found)
    assert not set(none) & set(found)


def test_a_completion_replaces_what_was_typed_of_it():
    (word, back), *_ = completions(Phase.begin(HERE, "good"), "why the one r")
    assert ("why the one r"[:-back] + word) == 'why "The One Ring"'


def test_the_map_shows_who_stands_where():
    plain = drawn(HERE, None, 80, 40, colour=False)
    lines = plain.splitlines()
    rows = {number: next(i for i, line in enumerate(lines) if number in line[5:]) for number in "1345"}
    assert rows["5"] < rows["1"]  # y goes up
    assert rows["1"] == rows["3"]
    row = lines[rows["1"]]
    assert row.index("1", 5) < row.index("2", 5) < row.index("3", 5) < row.index("4", 5)
    assert "5 Uruk (1)~" in plain
    assert "6 late^" in plain
    assert any("\u2800" < letter < "\u2900" for letter in plain)  # dots of braille
    assert "\x1b" not in plain
    assert max(map(len, lines)) <= 80


def test_the_map_shades_a_reach():
    phase = Phase.begin(HERE, "good")
    shaded = drawn(phase.table, "Éowyn", 80, 40, colour=False)
    count = sum(line.count(".") for line in shaded.splitlines()[:-2])
    assert count > 50
    assert count > sum(line.count(".") for line in drawn(phase.table, None, 80, 40, colour=False).splitlines()[:-2])
    assert "\x1b[" in drawn(phase.table, "Éowyn", 80, 40, colour=True)
    assert drawn(phase.table, "Uruk (1)", 30, 10, colour=True)  # small terminals and lying models too

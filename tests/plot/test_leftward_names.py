"""Sentences about names that run from right to left run from left to right all the same, as drawn."""

import matplotlib as mpl
import pytest

import sbg_sim as sbg
from sbg_sim.plot import plot
from sbg_sim.plot.words import left_to_right

ORC, KING = "אורק", "الملك العجوز"


@pytest.mark.parametrize("text", ["", "uruk-3 can charge 巫王, ωμέγα", "5.04″ needed of 6″", "Ægir\nβ"])
def test_other_words_are_as_they_were(text):
    assert left_to_right(text) == text


def test_each_name_is_held_and_its_words_stay_together():
    assert left_to_right(f"{ORC}, {KING}: 1.31") == f"\u200e{ORC}\u200e, \u200e{KING}\u200e: 1.31"


def test_titles_and_legends_are_read_in_their_order():
    helpers = pytest.importorskip("matplotlib._text_helpers")
    if mpl.__version_info__ < (3, 11):
        pytest.skip("lays out letters one after the other")
    models = {
        ORC: {"at": [6, 12], "base": 1, "height": 1.5, "move": 6, "side": "evil"},
        KING: {"at": [12, 12], "base": 1, "height": 1, "move": 4, "side": "good"},
    }
    ax = plot(sbg.charges(sbg.Table(24, 24, models=models), ORC))
    font = mpl.font_manager.get_font(mpl.font_manager.findfont("DejaVu Sans"))

    def shown(text):
        letters = [(item.char, item.x) for item in helpers.layout(text, font) if item.char not in "\u200e "]
        return "".join(letter for letter, _ in sorted(letters, key=lambda row: row[1]))

    title = shown(ax.get_title(loc="left").split("\n")[0])
    assert title.startswith(ORC[::-1] + "can")
    assert title.endswith("Move6″")
    (told,) = (text.get_text() for text in ax.get_legend().get_texts() if text.get_text().startswith("against"))
    assert shown(told).endswith(":5″")

"""Names in scripts that no font here has: said once, not drawn as boxes in silence."""

from __future__ import annotations

import logging
import warnings
from xml.etree import ElementTree as ET

import sbg_sim as sbg

NOWHERE = "\U0001f9d9\U00012000"
"""Letters that no font for names is expected to have: a wizard, and a cuneiform sign."""


def table(name):
    return sbg.Table(12, 12, models={name: {"at": [4, 4], "base": 1, "height": 1.5, "move": 6, "side": "evil"}})


def test_letters_without_a_font_are_told_once(tmp_path, caplog):
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING, "sbg_sim"):
        warnings.simplefilter("error")
        sbg.save(table(f"a{NOWHERE}"), tmp_path / "t.png")
    (told,) = caplog.messages
    assert f"letters {NOWHERE}:" in told
    assert "boxes" in told


def test_where_every_letter_is_shown_nothing_is_told(tmp_path, caplog):
    with caplog.at_level(logging.WARNING, "sbg_sim"):
        sbg.save(table("Éowyn Théodwynë"), tmp_path / "t.png")
        sbg.save(table(NOWHERE), tmp_path / "t.svg")  # the reader's own fonts show it
    assert caplog.messages == []


def test_what_steers_a_terminal_is_told_in_a_picture_and_no_svg_holds_it():
    name = "a\x01b\tc\u202ed"
    table = sbg.Table(
        24,
        24,
        models={name: {"at": [6, 6], "base": 1, "height": 1, "move": 6, "side": "evil"}},
        terrain={"wa\x02ll": {"tags": ["obstacle"], "height": 1, "polygon": [[12, 4], [18, 4], [18, 8], [12, 8]]}},
        title="T\x7f",
    )
    ax = sbg.plot(table)
    told = [text.get_text() for text in ax.texts]
    assert r"a\x01b\tc\u202ed" in told
    assert "wa\\x02ll 1″" in told
    assert ax.get_title(loc="left") == r"T\x7f"
    ET.fromstring(sbg.svg(table))  # well formed

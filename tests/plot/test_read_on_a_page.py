"""Pictures as pages show them, 830 pixels wide: every word can be read, and none lies on another."""

import functools
import itertools
from pathlib import Path

import numpy as np
import pytest

import sbg_sim as sbg
from sbg_sim import document
from sbg_sim.plot.canvas import sheet
from sbg_sim.plot.files import render
from sbg_sim.plot.spaces import plot_board
from sbg_sim.scenario import games
from tests.plot.letters import LEAST, smallest

ROOT = Path(__file__).parents[2]
LARGE = ("metw/a-new-game", "metw/starter-movement", "war-of-the-ring/levels-and-groups", "war-of-the-ring/nazgul")
ONCE = {"metw/a-new-game": True, "metw/starter-movement": False}
ONCE |= {"war-of-the-ring/levels-and-groups": True, "war-of-the-ring/nazgul": False}
_HEAVY = [pytest.mark.heavy]


def test_every_word_of_the_pictures_of_the_readme_is_read_on_a_page():
    pictures = sorted((ROOT / "docs" / "gallery").glob("*.svg"))
    assert len(pictures) == 6
    assert {path.name for path in pictures if smallest(path.read_text(encoding="utf-8")) < LEAST} == set()


@functools.cache
def board(file, *, lit):
    scenario = games.load(document.read(ROOT / "scenarios" / "boards" / f"{file}.toml"))[1]
    return plot_board(scenario, lit=scenario.lit(None) if lit else None)


@pytest.mark.parametrize(
    ("file", "lit"),
    [
        # Each map whole and lit: the same way with the pieces of the other file only in long runs.
        pytest.param(file, lit, id=f"{file}-{'lit' if lit else 'whole'}", marks=[] if ONCE[file] == lit else _HEAVY)
        for file in LARGE
        for lit in (False, True)
    ],
)
def test_names_of_a_large_board_are_read_on_a_page_and_lie_on_nothing(file, lit):
    ax = board(file, lit=lit)
    assert smallest(render(ax, "svg").decode()) >= LEAST
    told = [text for text in ax.texts if (text.get_gid() or "").startswith(("name-", "who-"))]
    boxes = [text.get_window_extent().padded(-0.5) for text in told]
    met = [
        (a.get_text(), b.get_text())
        for (a, one), (b, two) in itertools.combinations(zip(told, boxes, strict=True), 2)
        if one.overlaps(two)
    ]
    assert met == []
    within = ax.get_window_extent().padded(1)
    assert [t.get_text() for t, box in zip(told, boxes, strict=True) if not within.contains(box.x0, box.y0)] == []
    assert [t.get_text() for t, box in zip(told, boxes, strict=True) if not within.contains(box.x1, box.y1)] == []


def test_a_short_name_on_a_board_is_told_in_its_key():
    ax = board("war-of-the-ring/levels-and-groups", lit=True)
    key = {short: name for short, name, _ in sheet(ax).key}
    assert key["WBL"] == "Western Brown Lands"
    assert len(key) == len(sheet(ax).key)
    written = {text.get_text() for text in ax.texts if (text.get_gid() or "").startswith("name-")}
    assert set(key) <= written
    assert not set(key.values()) & written
    legend = " ".join(text.get_text().replace("\xa0", " ") for text in ax.get_legend().get_texts())
    assert all(f"{short} {name}" in legend.replace("\n", " ") for short, name in key.items())


@pytest.mark.parametrize("file", ["lotr-tcg/02-four-at-the-table", "lotr-tcg/05-block-formats"])
def test_words_on_cards_stay_on_them_and_are_read_on_a_page(file):
    ax = board(file, lit=True)
    assert smallest(render(ax, "svg").decode()) >= LEAST
    cards = [p.get_window_extent() for p in ax.patches if (p.get_gid() or "").startswith(("card-", "candidate-"))]
    assert cards
    for text in ax.texts:
        box = text.get_window_extent()
        on = [card for card in cards if card.contains((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2)]
        assert all(card.x0 <= box.x0 and box.x1 <= card.x1 for card in on), text.get_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_wall_is_told_from_ground_to_end_on_in_grey(theme):
    ax = sbg.plot(sbg.reach(sbg.load(ROOT / "scenarios" / "jumping.toml"), "pippin"), theme=theme)
    ax.figure.canvas.draw()
    shades = np.asarray(ax.figure.canvas.buffer_rgba())[..., :3] @ [0.299, 0.587, 0.114]

    def shade(x, y):
        right, up = ax.transData.transform((x, y))
        return shades[int(len(shades) - up), int(right)]

    wall, certain, covered = shade(8.2, 15), shade(4.5, 11), shade(4.5, 7.9)
    assert min(abs(wall - certain), abs(wall - covered), abs(certain - covered)) > 18

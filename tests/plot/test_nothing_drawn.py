"""What is drawn of what has no outline, no way, no place or no room: nothing, and nothing fails."""

from __future__ import annotations

from types import SimpleNamespace

import matplotlib.pyplot as plt
import pytest

import sbg_sim as sbg
from sbg_sim.plot import animation, outlines, phases, routes, sheets, terrain, verdicts
from tests.plot.test_seldom_drawn import box, facing, table

DECK = box(14, 10, 18, 14, "platform", height=2.0)
RUNGS = {"tags": ["ladder"], "at": [14, 12], "to": "deck"}


@pytest.fixture(scope="module")
def climbed():
    return table({"a": {"at": [6, 12], "side": "good"}}, {"deck": DECK, "rungs": RUNGS})


@pytest.fixture(scope="module")
def drawn(climbed):
    ax = sbg.plot(climbed)
    yield ax
    plt.close(ax.figure)


def test_a_ladder_has_no_outline(climbed, drawn):
    deck, rungs = climbed.terrain["deck"], climbed.terrain["rungs"]
    assert outlines.open_to_view(climbed, rungs) is None
    assert not terrain.too_small(drawn, rungs)
    assert terrain.middle_in_view(drawn, rungs) == (14, 12)
    assert terrain.middle_in_view(drawn, deck) == pytest.approx((16, 12), abs=0.5)
    drawn.set_xlim(0, 10)
    assert terrain.middle_in_view(drawn, rungs) is None
    drawn.set_xlim(0, 24)
    before = len(drawn.get_children())
    assert verdicts.highlight(drawn, climbed, "rungs", "in the way") == []
    assert verdicts.highlight(drawn, climbed, "nothing", "in the way") == []
    assert len(drawn.get_children()) == before


def test_a_ladder_leads_across_the_rim_or_up_where_there_is_none(climbed):
    rungs = climbed.terrain["rungs"]
    assert terrain._towards(climbed, rungs) == pytest.approx((1, 0))  # into the deck
    alone = climbed.terrain["rungs"].__class__("alone", frozenset({"ladder"}), at=(3.0, 3.0))
    assert terrain._towards(climbed, alone) == (0.0, 1.0)


def test_half_way_along_a_line_that_is_but_a_place():
    assert outlines._half_way([(1.0, 2.0), (1.0, 2.0)]) == (1.0, 2.0)


def test_who_is_nowhere_and_who_stays_leave_no_mark(climbed, drawn):
    before = len(drawn.get_children())
    step = SimpleNamespace(violations=())
    assert phases._slain(drawn, 1, "", step, None, "k", 0.5) == []
    assert phases._refused(drawn, 1, "", step, None, 0.5) == []
    stays = sbg.check(climbed, sbg.Move("a", (6, 12)))
    assert stays.route.legs == ()
    assert routes.draw_ghost(drawn, climbed.model("a"), stays.route, "here") == []
    assert verdicts.draw_pinch(drawn, stays) == []
    assert len(drawn.get_children()) == before


def test_a_heading_over_no_lines_is_left_out():
    page = sheets.Page()
    assert page.block(1.0, 3.0, "Rules", []) == 3.0
    assert page.figure.texts == []
    assert page.block(1.0, 3.0, "Rules", ["CZ.1"]) > 3.2
    assert [text.get_text() for text in page.figure.texts] == ["Rules", "CZ.1"]


@pytest.mark.parametrize(("allowance", "said"), [(None, "a 2.00″"), (6.0, "a 2.00″ of 6″")])
def test_in_a_film_who_has_no_move_is_told_what_it_has_used(allowance, said):
    plain = SimpleNamespace(allowance=allowance, answer="yes", route=None, play=None)
    told = animation._said(plain, facing().model("a"), 2.0)
    assert told == said


def test_safe_ground_that_only_a_die_leads_to_is_told_with_its_chance():
    """Five with a Move of 3 come to all of this side of the wall and not over it; a jump lands on a 2 to 5, and a 6."""
    evil = {f"e{k}": {"at": [3.8, 7 + 2.5 * k], "side": "evil", "move": 3} for k in range(5)}
    me = {"a": {"at": [6, 12.1], "side": "good", "move": 4}}
    found = sbg.safe(table({**me, **evil}, {"w": box(8, 0, 8.4, 24, "obstacle", height=1.0)}), "a")
    assert found.area.is_empty
    ax = sbg.plot(found)
    said = " ".join([ax.get_title(loc="left"), *(text.get_text() for text in [*ax.texts, *ax.figure.texts])])
    assert said.count("it gets there with 5/6 (83 %)") == 1
    plt.close(ax.figure)

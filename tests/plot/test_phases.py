"""Pictures of phases, turns and single steps: who moved, who fell, who was slain, what was not allowed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import sbg_sim as sbg
from sbg_sim.table.record import MoveRecord, Record


@pytest.fixture(scope="module")
def turns():
    return sbg.replay(sbg.load("scenarios/phase/three-turns.toml"))


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_who_was_slain_is_marked_where_it_stood(turns, by_gid, words):
    step = next(step for step in turns.steps if step.move.slain)
    number = turns.steps.index(step) + 1
    ax = sbg.plot(turns)
    (base,) = by_gid(ax, f"slain-base-{number}")
    assert tuple(base.center) == step.before.model("orc-1").at
    (mark,) = by_gid(ax, f"slain-{number}")
    assert mark.get_xydata().tolist() == [list(base.center)]
    assert f"{number}. orc-1 slain" in texts(ax)
    assert "slain here" in words(ax)
    assert ax.get_title(loc="left").startswith("Move phase: 14 moves, 1 slain")


def test_a_fall_is_told_with_its_hits():
    tower = sbg.replay(sbg.load("scenarios/phase/a-tall-tower.toml"))
    second = tower.turns[1]
    climbs = second.steps[0].move
    phase = sbg.Phase.begin(second.start, "good").push(replace(climbs, rolls=()), [1])
    assert phase.steps[0].hits == 2  # from 2.5 in
    assert "1. rolled 1 · falls · 2 Strength 3 hits" in texts(sbg.plot(phase))
    assert "rolled 1 · falls · 2 Strength 3 hits" in texts(sbg.plot(phase.steps[0]))


def test_a_model_that_is_set_down_is_not_said_to_have_walked(turns):
    number = next(n for n, step in enumerate(turns.steps, 1) if step.move.place is not None)
    assert f"{number}. set down, prone" in texts(sbg.plot(turns))


def test_a_turn_shows_its_own_moves_alone(turns, by_gid):
    ax = sbg.plot(turns.turns[1])
    assert len(by_gid(ax, "move-")) == 5
    assert len(by_gid(ax, "slain-base-")) == 1
    assert ax.get_title(loc="left") == "Turn 2: 5 moves, 1 slain\nevil has Priority"


def test_every_step_shows_itself(turns):
    for step in turns.steps:
        assert step._repr_svg_().startswith("<svg")
    ax = sbg.plot(turns.steps[0])
    assert ax.get_title(loc="left").startswith("gimli moves to (10, 10.5)")
    assert "4.5″" in texts(ax)  # one step has no number


def test_steps_hold_the_tables_before_and_after_and_compare_without_them(turns):
    for one, two in zip(turns.turns[0].steps, turns.turns[0].steps[1:], strict=False):
        assert one.after is two.before
    step = turns.steps[0]
    assert replace(step, before=None, after=None) == step


def test_a_step_made_by_hand_has_no_picture(turns):
    with pytest.raises(sbg.SbgError, match=r"the step of gimli has no table to be drawn on"):
        sbg.plot(replace(turns.steps[0], before=None, after=None))


def test_a_refused_move_is_marked_where_the_rule_forbids_it(by_gid):
    table = sbg.load("scenarios/charging-2.toml")
    record = Record("evil", (MoveRecord("uruk-3", to=(10, 11)),))
    played = sbg.replay(replace(table, record=record))
    assert not played.legal
    for thing in (played, played.steps[0]):
        ax = sbg.plot(thing)
        (mark,) = by_gid(ax, "refused-1")
        assert mark.get_xydata().tolist() == [[10, 11]]
        (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
        assert min(9.5 - x0, x1 - 10.5, 10.5 - y0, y1 - 11.5) > 0


def test_a_film_holds_all_of_a_long_legend_and_what_is_said_under_it():
    """On a crowded table the legend stands under the picture."""
    from sbg_sim.plot.animation import _of_phase
    from sbg_sim.plot.frames import frames

    models = {
        f"{side}-{n}": {"at": [3 + 5 * (n % 8), y + 4 * (n // 8)], "base": 1, "height": 1, "move": 6, "side": side}
        for side, y in (("good", 4), ("evil", 24))
        for n in range(1, 33)
    }
    table = sbg.Table(48, 48, models=models)
    phase = sbg.Phase.begin(table, "good").push(MoveRecord("good-1", to=(8, 7)))
    reel = _of_phase(phase, 1.0, 4, whole=True)
    picture = next(iter(frames(reel)))
    figure, legend = reel.ax.figure, reel.ax.get_legend().get_window_extent()
    assert legend.y1 < reel.ax.get_window_extent().y0
    assert picture.shape[:2] == tuple(map(int, (figure.bbox.height, figure.bbox.width)))
    note = reel.note.get_window_extent()
    assert 0 <= note.y0 < note.y1 < legend.y0
    assert legend.x1 <= figure.bbox.x1


def test_where_reinforcements_come_on_is_in_view(by_gid):
    """They start beside the table."""
    ax = sbg.plot(sbg.replay(sbg.load("scenarios/phase/reinforcements-faramir.toml")))
    starts = [patch for patch in by_gid(ax, "was-") if patch.center[0] < 0]
    assert len(starts) == 5
    assert all(ax.get_xlim()[0] < patch.center[0] - patch.radius for patch in starts)


@pytest.fixture(scope="module")
def two_ranks():
    """Two ranks of a dozen of each side, on a table on which they have numbers for names."""
    models = {
        f"{side}-{k + 1}": {
            "at": [6 + 2.1 * (k % 12), y + away * 1.2 * (k // 12)],
            "base": "25 mm",
            "height": 1.5,
            "move": 6,
            "side": side,
        }
        for side, y, away in (("good", 20, -1), ("evil", 24, 1))
        for k in range(24)
    }
    return sbg.Table(48, 48, models=models)


def test_a_number_is_read_over_the_bar_of_who_lies_down_in_a_film(two_ranks):
    from sbg_sim.plot.animation import _of_phase

    phase = sbg.Phase.begin(two_ranks, "good").push(MoveRecord("good-22", lie=True))
    for model in ("good-1", "good-12"):
        phase = phase.push(MoveRecord(model, to=two_ranks.model(model).at))
    reel = _of_phase(phase, 1.0, 4, whole=False)
    assert reel.moments[-1].prone == {"good-22"}
    texts = {text.get_gid(): text for text in reel.ax.texts}
    assert texts["name-good-22"].get_text() == "22"
    assert texts["name-good-22"].get_bbox_patch() is not None
    assert texts["name-good-21"].get_bbox_patch() is None


def test_a_mark_between_engaged_bases_covers_no_number_in_them(two_ranks, by_gid):
    phase = sbg.Phase.begin(two_ranks, "good").push(MoveRecord("good-7", charge=("evil-7",)))
    ax = sbg.plot(phase.table)
    (mark,) = by_gid(ax, "engaged-")
    (x, y), half = ax.transData.transform(mark.get_xydata()[0]), mark.get_markersize() / 2 * ax.figure.dpi / 72
    for name in ("good-7", "evil-7"):
        (number,) = by_gid(ax, f"name-{name}")
        box = number.get_window_extent()
        assert number.get_text() == "7"
        assert math.hypot(max(box.x0 - x, 0, x - box.x1), max(box.y0 - y, 0, y - box.y1)) > 0.8 * half
